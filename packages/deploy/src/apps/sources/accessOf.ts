import { Vault } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import {
  CheckoutFailed,
  ForgeAppTokens,
  type RepositoryAccess,
  readRepositoryAddress
} from "@slipway/domain/deploy/apps"
import type { PrivateKeyUuid } from "@slipway/domain/deploy/infrastructure"
import { ForgeAppStore, isConnected, PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { openAppKey } from "../../infrastructure/forge-apps/appKey.ts"
import { openForge } from "../../infrastructure/forge-apps/ForgeConnections.ts"
import { repositoryOn } from "../forge-links/link.ts"

const openKey = Effect.fnUntraced(function* (uuid: PrivateKeyUuid) {
  const key = yield* (yield* PrivateKeyStore).find(uuid)
  if (key === undefined) return yield* new CheckoutFailed({ because: "the private key is gone" })
  return yield* (yield* Vault).open({ uuid: key.uuid, field: "private_key" }, key.privateKey)
})

/**
 * Returns whether the git host of an API serves a repository; tokens are sent to no other host (invariant I15).
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

/** The user that goes with the token of an app installation. */
const tokenUser = "x-access-token"

/** Returns the credentials for an application's repository, opened: its deploy key or its app installation. */
export const accessOf = Effect.fnUntraced(function* (
  application: Pick<Application, "configuration" | "forgeAppUuid" | "privateKeyUuid">
) {
  if (application.privateKeyUuid !== null) {
    const access: RepositoryAccess = { _tag: "Key", privateKey: yield* openKey(application.privateKeyUuid) }
    return access
  }
  if (application.forgeAppUuid === null) return { _tag: "Anyone" } as RepositoryAccess
  const app = yield* (yield* ForgeAppStore).find(application.forgeAppUuid)
  if (app === undefined) return yield* new CheckoutFailed({ because: "the app installation is gone" })
  if (isConnected(app)) {
    if (repositoryOn(app.htmlUrl, application.configuration.git_repository ?? "") === undefined) {
      return yield* new CheckoutFailed({
        because: `the forge connection \`${app.name}\` opens repositories of ${app.htmlUrl} only`
      })
    }
    const { token } = yield* openForge(app)
    return { _tag: "Token", username: app.connection.account, token } as RepositoryAccess
  }
  if (!isOfHost(app.apiUrl, application.configuration.git_repository ?? "")) {
    return yield* new CheckoutFailed({
      because: `the app installation \`${app.name}\` can only access http(s) addresses on the host of its \`api_url\``
    })
  }
  const key = yield* Effect.mapError(openAppKey(app), ({ because }) => new CheckoutFailed({ because }))
  const token = yield* (yield* ForgeAppTokens).token(app, key)
  const access: RepositoryAccess = { _tag: "Token", username: tokenUser, token }
  return access
})
