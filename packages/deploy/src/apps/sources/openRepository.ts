import { Vault } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import {
  CheckoutFailed,
  type CheckoutRequest,
  deployKeyAddress,
  ForgeAppTokens,
  readRepositoryAddress
} from "@slipway/domain/deploy/apps"
import type { TeamId } from "@slipway/domain/deploy/identity"
import type { ForgeApp, PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import {
  type ConnectedForge,
  ForgeAppStore,
  GitlabAppStore,
  isConnected,
  PrivateKeyStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { openAppKey } from "../../infrastructure/forge-apps/appKey.ts"
import { openForge } from "../../infrastructure/forge-apps/ForgeConnections.ts"
import { openDeployKey, repositoryOn, sshAddressOn } from "../forge-links/link.ts"

const openKey = Effect.fnUntraced(function* (uuid: PrivateKeyUuid) {
  const key = yield* (yield* PrivateKeyStore).find(uuid)
  if (key === undefined) return yield* new CheckoutFailed({ because: "the private key is gone" })
  return yield* (yield* Vault).open({ uuid: key.uuid, field: "private_key" }, key.privateKey)
})

/**
 * Returns whether a repository is on the git host of an API. Tokens for the API are sent to no other host (invariant
 * I15).
 *
 * Derives the host from the API URL; its host name may start with `api.`.
 *
 * @example
 * isOfHost("https://api.forge.example", "https://forge.example/a/b.git") // => true
 * isOfHost("https://forge.example/api/v3", "https://forge.example/a/b.git") // => true
 * isOfHost("https://api.forge.example", "http://forge.example/a/b.git") // => false
 * isOfHost("https://api.forge.example", "https://forge.example.net/a/b.git") // => false
 */
export const isOfHost = (apiUrl: string, repository: string): boolean => {
  const address = readRepositoryAddress(repository)
  if (address?._tag !== "Http") return false
  const { origin } = new URL(apiUrl)
  return [origin, origin.replace("://api.", "://")].includes(address.origin)
}

/** The user name that a git host expects together with the token of an app installation. */
const tokenUser = "x-access-token"

type Opened = Pick<CheckoutRequest, "access" | "repository">

/**
 * Returns the address and credentials for a repository of a connected forge: SSH with the application's deploy key if
 * possible, otherwise HTTPS with the token.
 */
const openConnected = Effect.fnUntraced(function* (
  application: Pick<Application, "secrets" | "uuid">,
  forge: ConnectedForge,
  repository: string
) {
  const name = repositoryOn(forge.htmlUrl, repository)
  if (name === undefined) {
    return yield* new CheckoutFailed({
      because: `the forge connection \`${forge.name}\` opens repositories of ${forge.htmlUrl} only`
    })
  }
  const address = sshAddressOn(forge, name)
  const key = yield* openDeployKey(application)
  if (address !== undefined && key !== undefined) {
    return { repository: address, access: { _tag: "Key", privateKey: key.privateKey } } satisfies Opened
  }
  const { token } = yield* openForge(forge)
  const username = forge.connection.account
  return {
    repository,
    access: { _tag: "Token", username, token, isForRepositoryOnly: true }
  } satisfies Opened
})

/**
 * Returns the address and credentials for a repository with a private key: the address is the SSH server of the team's
 * GitLab app for the repository, if there is such an app.
 */
export const openWithKey = Effect.fnUntraced(function* (uuid: PrivateKeyUuid, teamId: TeamId, repository: string) {
  const apps = yield* (yield* GitlabAppStore).ofTeam(teamId)
  const address = deployKeyAddress(apps, repository)
  return { repository: address, access: { _tag: "Key", privateKey: yield* openKey(uuid) } } satisfies Opened
})

/** Returns the address and credentials for a repository with the token of an app installation. */
export const openWithApp = Effect.fnUntraced(function* (app: ForgeApp, repository: string) {
  if (!isOfHost(app.apiUrl, repository)) {
    return yield* new CheckoutFailed({
      because: `the app installation \`${app.name}\` can only access http(s) addresses on the host of its \`api_url\``
    })
  }
  const key = yield* Effect.mapError(openAppKey(app), ({ because }) => new CheckoutFailed({ because }))
  const token = yield* (yield* ForgeAppTokens).token(app, key)
  return { repository, access: { _tag: "Token", username: tokenUser, token } } satisfies Opened
})

/** Returns a public repository. */
export const openPublic = (repository: string): Opened => ({ repository, access: { _tag: "Anyone" } })

/**
 * Returns the address of an application's repository with decrypted credentials: a private key, the token of an app
 * installation, or those of a forge connection.
 */
export const openRepository = Effect.fnUntraced(function* (
  application: Pick<Application, "forgeAppUuid" | "placement" | "privateKeyUuid" | "secrets" | "uuid">,
  repository: string
): Effect.fn.Return<Opened, CheckoutFailed, ForgeAppStore | ForgeAppTokens | GitlabAppStore | PrivateKeyStore | Vault> {
  if (application.privateKeyUuid !== null) {
    return yield* openWithKey(application.privateKeyUuid, application.placement.teamId, repository)
  }
  if (application.forgeAppUuid === null) return openPublic(repository)
  const app = yield* (yield* ForgeAppStore).find(application.forgeAppUuid)
  if (app === undefined) return yield* new CheckoutFailed({ because: "the app installation is gone" })
  return yield* isConnected(app) ? openConnected(application, app, repository) : openWithApp(app, repository)
})
