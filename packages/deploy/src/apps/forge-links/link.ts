import { InvalidInput, Vault } from "@slipway/domain"
import type { Application, ForgeLink } from "@slipway/domain/deploy/apps"
import { ConnectedForges, GitHostFailed, type RepositoryName, readRepositoryName } from "@slipway/domain/deploy/apps"
import { type ConnectedForge, ForgeAppStore, isConnected, type KeyPair } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted, Schema } from "effect"
import { callForge } from "../../infrastructure/forge-apps/ForgeConnections.ts"
import { openOne } from "../secrets/secrets.ts"

/** A forge connection, and the repository on that forge from which an application is built. */
export interface Linked {
  readonly forge: ConnectedForge
  readonly link: ForgeLink
}

/**
 * Returns the owner and name of a repository from its address; undefined if the repository is not on the given forge.
 *
 * @example
 * repositoryOn("http://127.0.0.1:3000", "http://127.0.0.1:3000/acme/site.git") // => { owner: "acme", name: "site" }
 * repositoryOn("http://127.0.0.1:3000", "http://127.0.0.1:30001/acme/site.git") // => undefined
 */
export const repositoryOn = (forgeUrl: string, repository: string) => {
  const start = `${forgeUrl}/`
  if (!repository.startsWith(start)) return undefined
  return readRepositoryName(repository.slice(start.length).replace(/\.git$/, ""))
}

/** Returns the URL of a repository on a forge. */
export const addressOn = (forgeUrl: string, { name, owner }: Pick<ForgeLink, "name" | "owner">): string =>
  `${forgeUrl}/${owner}/${name}.git`

/** Returns the forge and the repository of an application; undefined if the repository is not on a connected forge. */
export const linkOf = Effect.fnUntraced(function* ({
  configuration,
  forgeAppUuid
}: Pick<Application, "configuration" | "forgeAppUuid">) {
  if (forgeAppUuid === null) return undefined
  const forge = yield* (yield* ForgeAppStore).find(forgeAppUuid)
  if (forge === undefined || !isConnected(forge)) return undefined
  const repository = repositoryOn(forge.htmlUrl, configuration.git_repository ?? "")
  if (repository === undefined) return undefined
  return { forge, link: { forgeAppUuid, ...repository } } satisfies Linked
})

const placeOf = ({ forge, link }: Linked): string => addressOn(forge.htmlUrl, link)

/**
 * Fails if an update selects another repository for an application from a connected forge: the webhook and the deploy
 * key would stay in the old repository.
 */
export const requireSameRepository = Effect.fnUntraced(function* (present: Application, next: Application) {
  const before = yield* linkOf(present)
  if (before === undefined) return
  const after = yield* linkOf(next)
  if (after !== undefined && placeOf(after) === placeOf(before)) return
  const { name, owner } = before.link
  const sentence = `The application belongs to \`${owner}/${name}\` of a connected forge: create another one for another repository.`
  return yield* new InvalidInput({ problems: { git_repository: [sentence] } })
})

/** Returns the repository of an application on its connected forge; undefined if there is none. */
export type LinkFor = (application: Pick<Application, "configuration" | "forgeAppUuid">) => ForgeLink | undefined

const mostForges = 1_000

/** Returns a function from an application to its repository on a connected forge. Reads the forges with one query. */
export const linksOf = Effect.fnUntraced(function* (applications: ReadonlyArray<Pick<Application, "forgeAppUuid">>) {
  const isAny = applications.some(({ forgeAppUuid }) => forgeAppUuid !== null)
  const forges = isAny ? yield* (yield* ForgeAppStore).connected({ limit: mostForges }) : []
  const urls = new Map(forges.map(({ htmlUrl, uuid }) => [uuid, htmlUrl]))
  const linkFor: LinkFor = ({ configuration, forgeAppUuid }) => {
    const url = forgeAppUuid === null ? undefined : urls.get(forgeAppUuid)
    if (forgeAppUuid === null || url === undefined) return undefined
    const repository = repositoryOn(url, configuration.git_repository ?? "")
    return repository === undefined ? undefined : { forgeAppUuid, ...repository }
  }
  return linkFor
})

/**
 * Returns whether the connected forge of an application accepts the stored token, and otherwise the reason. Both fields
 * are null if the application has no connected forge.
 */
export type SourceOf = (application: Pick<Application, "forgeAppUuid">) => {
  readonly source_status: "connected" | "disconnected" | null
  readonly source_reason: string | null
}

/** Returns a function from an application to the state of its forge connection. Reads the forges with one query. */
export const sourcesOf = Effect.fnUntraced(function* (applications: ReadonlyArray<Pick<Application, "forgeAppUuid">>) {
  const isAny = applications.some(({ forgeAppUuid }) => forgeAppUuid !== null)
  const forges = isAny ? yield* (yield* ForgeAppStore).connected({ limit: mostForges }) : []
  const found = new Map(forges.map(({ connection, uuid }) => [uuid, connection]))
  const sourceOf: SourceOf = ({ forgeAppUuid }) => {
    const connection = forgeAppUuid === null ? undefined : found.get(forgeAppUuid)
    if (connection === undefined) return { source_status: null, source_reason: null }
    const { rejection } = connection
    return { source_status: rejection === null ? "connected" : "disconnected", source_reason: rejection }
  }
  return sourceOf
})

/** Returns the URL of the webhook that the forge calls for an application. */
export const hookUrlOf = ({ connection }: ConnectedForge, application: Application["uuid"]): string =>
  `${connection.platformUrl}/api/v1/applications/${application}/webhooks/gitea`

/** Returns the title that an application's deploy key has on its forge. */
const keyTitleOf = (application: Application["uuid"]): string => `slipway deploy ${application}`

const keyOwner = (uuid: Application["uuid"]) => ({ uuid, field: "deploy_key" })

/** Encrypts the deploy key of an application: the private and the public key together. */
export const sealDeployKey = Effect.fnUntraced(function* (
  uuid: Application["uuid"],
  { privateKey, publicKey }: KeyPair
) {
  const text = JSON.stringify({ publicKey, privateKey: Redacted.value(privateKey) })
  return yield* (yield* Vault).seal(keyOwner(uuid), Redacted.make(text))
})

const readKeyPair = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ publicKey: Schema.String, privateKey: Schema.String }))
)

/** Decrypts the deploy key of an application; undefined if it has none. */
export const openDeployKey = Effect.fnUntraced(function* ({ secrets, uuid }: Pick<Application, "secrets" | "uuid">) {
  if (secrets.deploy_key === undefined) return undefined
  const text = yield* (yield* Vault).open(keyOwner(uuid), secrets.deploy_key)
  const { privateKey, publicKey } = yield* Effect.orDie(readKeyPair(Redacted.value(text)))
  return { publicKey, privateKey: Redacted.make(privateKey) } satisfies KeyPair
})

/** Returns the SSH address of a repository for use with a deploy key; undefined if the forge has no SSH server. */
export const sshAddressOn = ({ connection: { sshPort }, htmlUrl }: ConnectedForge, { name, owner }: RepositoryName) =>
  sshPort === null ? undefined : `ssh://git@${new URL(htmlUrl).hostname}:${sshPort}/${owner}/${name}.git`

/**
 * Adds the webhook and the deploy key of an application to its repository on the forge; idempotent.
 *
 * Does nothing if the repository is not on a connected forge. Adds no webhook without a stored secret, and no deploy
 * key without a stored key.
 */
export const prepareRepository = Effect.fnUntraced(function* (application: Application) {
  const linked = yield* linkOf(application)
  if (linked === undefined) return
  const { forge, link } = linked
  const forges = yield* ConnectedForges
  const secret = yield* openOne(application, "manual_webhook_secret_forgeD")
  const key = yield* openDeployKey(application)
  const url = hookUrlOf(forge, application.uuid)
  const title = keyTitleOf(application.uuid)
  yield* callForge(
    forge,
    Effect.fnUntraced(function* (access) {
      if (key !== undefined) yield* forges.addKey(access, link, { title, publicKey: key.publicKey })
      if (secret !== undefined) yield* forges.addHook(access, link, { url, secret })
    })
  ).pipe(
    Effect.catchTag(
      "HostedRepositoryNotFound",
      () => new GitHostFailed({ because: `the forge has no repository ${link.owner}/${link.name}` })
    )
  )
})

/**
 * Removes the webhook and the deploy key of a deleted application from its repository.
 *
 * Returns false if this is impossible, because the forge connection was deleted or its token is rejected. Fails if the
 * forge does not respond.
 */
export const cleanRepository = Effect.fnUntraced(function* (link: ForgeLink, application: Application["uuid"]) {
  const forge = yield* (yield* ForgeAppStore).find(link.forgeAppUuid)
  if (forge === undefined || !isConnected(forge)) return false
  const forges = yield* ConnectedForges
  return yield* callForge(
    forge,
    Effect.fnUntraced(function* (access) {
      yield* forges.removeHook(access, link, hookUrlOf(forge, application))
      yield* forges.removeKey(access, link, keyTitleOf(application))
      return true
    })
  ).pipe(Effect.catchTag("ForgeTokenRejected", () => Effect.succeed(false)))
})
