import { InvalidInput, makeUuid, now, Transaction, Vault } from "@slipway/domain"
import {
  ConnectedForges,
  type ForgeAccess,
  type ForgeTokenRejected,
  GitHostFailed,
  HostedRepositories,
  type HostedRepository,
  HostedRepositoryNotFound,
  isHostedName
} from "@slipway/domain/deploy/apps"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { teamOf } from "@slipway/domain/deploy/identity"
import {
  type ConnectedForge,
  type ForgeApp,
  ForgeAppNotFound,
  ForgeAppStore,
  ForgeAppUuid,
  isConnected,
  type PrivateKeyUuid
} from "@slipway/domain/deploy/infrastructure"
import { Effect, type Redacted } from "effect"
import { listUseCaseWithKey, removeUseCase } from "../../base/reading/listUseCases.ts"
import { bindKey, openAppKey } from "./appKey.ts"
import { callForge } from "./ForgeConnections.ts"

/** The fields of a git-hosting app installation that its users set; the secrets are write-only. */
export interface ForgeAppInput
  extends Omit<
    ForgeApp,
    | "id"
    | "uuid"
    | "teamId"
    | "createdAt"
    | "updatedAt"
    | "clientSecret"
    | "connection"
    | "privateKeyUuid"
    | "webhookSecret"
  > {
  readonly privateKeyUuid: PrivateKeyUuid
  readonly clientSecret: Redacted.Redacted
  readonly webhookSecret: Redacted.Redacted | null
}

const sealed = Effect.fnUntraced(function* (uuid: ForgeAppUuid, input: Partial<ForgeAppInput>) {
  const vault = yield* Vault
  const { clientSecret, webhookSecret } = input
  return {
    ...(clientSecret === undefined
      ? {}
      : { clientSecret: yield* vault.seal({ uuid, field: "client_secret" }, clientSecret) }),
    ...(webhookSecret === undefined
      ? {}
      : {
          webhookSecret:
            webhookSecret === null ? null : yield* vault.seal({ uuid, field: "webhook_secret" }, webhookSecret)
        })
  }
})

/** Stores a new installation of a git-hosting app. */
export const create = Effect.fnUntraced(function* ({ resource }: Authorized<"forgeApp.create">, input: ForgeAppInput) {
  const transaction = yield* Transaction
  const uuid = yield* makeUuid(ForgeAppUuid)
  const secrets = (yield* sealed(uuid, input)) as Pick<ForgeApp, "clientSecret" | "webhookSecret">
  return yield* transaction.run(
    Effect.gen(function* () {
      const teamId = teamOf(resource.caller.access)
      yield* bindKey(input.privateKeyUuid, input.apiUrl, teamId)
      const at = yield* now
      return yield* Effect.orDie(
        (yield* ForgeAppStore).insert({
          ...input,
          ...secrets,
          teamId,
          uuid,
          connection: null,
          createdAt: at,
          updatedAt: at
        })
      )
    })
  )
})

const isConnection = (verb: string): string => `This is a forge connection: ${verb} it at /forge-connections/{uuid}.`

/** Changes the stored installation of a git-hosting app. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"forgeApp.update">,
  input: Partial<ForgeAppInput>
) {
  const transaction = yield* Transaction
  const { clientSecret: _clientSecret, webhookSecret: _webhookSecret, ...plain } = input
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* ForgeAppStore
      const present = yield* store.lock(resource.forgeApp.uuid)
      if (present === undefined) return yield* new ForgeAppNotFound()
      if (isConnected(present)) {
        return yield* new InvalidInput({ problems: { body: [isConnection("change")] } })
      }
      const app: ForgeApp = { ...present, ...plain, ...(yield* sealed(present.uuid, input)), updatedAt: yield* now }
      if (app.privateKeyUuid !== null) yield* bindKey(app.privateKeyUuid, app.apiUrl, app.teamId)
      yield* Effect.orDie(store.replace(app))
      return app
    })
  )
})

/** Sends a request to a connected forge, and converts a rejected token to the error of a failed git host. */
const asHost = <A, E extends { readonly _tag: string }, R>(
  forge: ConnectedForge,
  call: (access: ForgeAccess) => Effect.Effect<A, E | ForgeTokenRejected, R>
) =>
  Effect.catchIf(
    callForge(forge, call),
    (error): error is ForgeTokenRejected => error._tag === "ForgeTokenRejected",
    ({ because }) => Effect.fail(new GitHostFailed({ because }))
  )

/**
 * Lists the repositories that an app installation may read. Sends a request to the git host.
 *
 * For a forge connection, it lists the repositories of the account that owns the connection's token.
 */
export const repositories = Effect.fnUntraced(function* ({ resource }: Authorized<"forgeApp.read">) {
  const { forgeApp } = resource
  if (isConnected(forgeApp)) return yield* asHost(forgeApp, (yield* ConnectedForges).repositories)
  return yield* (yield* HostedRepositories).list(forgeApp, yield* openAppKey(forgeApp))
})

/** Lists the branches of a repository that an app installation may read. Sends a request to the git host. */
export const branches = Effect.fnUntraced(function* (
  { resource }: Authorized<"forgeApp.read">,
  repository: Pick<HostedRepository, "name" | "owner">
) {
  const { forgeApp } = resource
  if (![repository.owner, repository.name].every(isHostedName)) return yield* new HostedRepositoryNotFound()
  if (isConnected(forgeApp)) {
    const forges = yield* ConnectedForges
    return yield* asHost(forgeApp, (access) => forges.branches(access, repository))
  }
  return yield* (yield* HostedRepositories).branches(forgeApp, yield* openAppKey(forgeApp), repository)
})

/** List use cases: `list` reads one page of app installations, `stream` reads all; neither returns secrets. */
export const { list, stream } = listUseCaseWithKey("forgeApp", ForgeAppStore)

const removeApp = removeUseCase("forgeApp", ForgeAppStore, () => new ForgeAppNotFound())

/** Removes an app installation. Fails if an application uses it, or if it is a forge connection. */
export const remove = Effect.fnUntraced(function* (proof: Authorized<"forgeApp.delete">) {
  if (isConnected(proof.resource.forgeApp)) {
    return yield* new InvalidInput({ problems: { uuid: [isConnection("delete")] } })
  }
  yield* removeApp(proof)
})
