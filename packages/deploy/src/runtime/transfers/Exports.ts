import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import { ApplicationStore, DeploymentStore, ServiceStore, serviceApplicationUuid } from "@slipway/domain/deploy/apps"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { type Authorized, authorize, type Caller } from "@slipway/domain/deploy/entry"
import {
  isHandedOver,
  isLocalServer,
  type Server,
  ServerNotFound,
  ServerStore,
  type ServerTransfer,
  type ServerUuid
} from "@slipway/domain/deploy/infrastructure"
import {
  BundleCipher,
  ExportId,
  ServerFiles,
  type TransferBundle,
  TransferRefused
} from "@slipway/domain/deploy/runtime"
import { Effect, type Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { record } from "../../identity/audit/record.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"
import { collectBundle } from "./collect.ts"

/** An encrypted bundle: the file in the age format, as base64. */
export interface Envelope {
  readonly exportId: string
  readonly data: string
}

/** Locks a server for the running transaction; fails if it is gone. */
export const lockServer = Effect.fnUntraced(function* (uuid: ServerUuid) {
  const present = yield* (yield* ServerStore).lock(uuid)
  return present ?? (yield* new ServerNotFound())
})

/** Fails for a server that cannot be transferred: the platform's own machine, and a server with running work. */
const requireTransferable = Effect.fnUntraced(function* (server: Server) {
  if (isLocalServer(server)) {
    return yield* new TransferRefused({
      because: "this server is the own machine of the platform: move its applications to another server"
    })
  }
  if (server.transfer?.state === "imported") {
    return yield* new TransferRefused({ because: "the server was imported, but not claimed: claim it first" })
  }
  const deployments = yield* DeploymentStore
  const open = (yield* deployments.activeOn([server.uuid])).length + (yield* deployments.waitingFor(server.uuid, []))
  if (open > 0) {
    return yield* new TransferRefused({ because: "deployments wait or run on the server: wait for their end first" })
  }
  const databases = yield* (yield* DatabaseStore).placedOn(server.uuid)
  const busy = databases.find(({ state }) => state === "queued" || state === "working")
  if (busy !== undefined) {
    const because = `the database \`${busy.name}\` is being started or stopped: wait for its end first`
    return yield* new TransferRefused({ because })
  }
})

/** Encrypts a bundle; after the transaction that read it, because this takes long. */
const seal = Effect.fnUntraced(function* (bundle: TransferBundle, passphrase: Redacted.Redacted) {
  const bytes = yield* (yield* BundleCipher).encrypt(JSON.stringify(bundle), passphrase)
  return { exportId: bundle.exportId, data: Base64.encode(bytes) } satisfies Envelope
})

const recordTransfer = (caller: Caller, server: Pick<Server, "teamId" | "uuid">, action: string, detail: string) =>
  record(caller, "done", { teamId: server.teamId, action, object: server.uuid, detail })

/** Exports a server as an encrypted bundle, without a change of the server. */
export const exportServer = Effect.fnUntraced(function* (
  { resource }: Authorized<"server.export">,
  passphrase: Redacted.Redacted
) {
  const transaction = yield* Transaction
  const bundle = yield* transaction.run(
    Effect.gen(function* () {
      const server = yield* lockServer(resource.server.uuid)
      yield* requireTransferable(server)
      const exportId = server.transfer?.state === "leaving" ? server.transfer.exportId : yield* makeUuid(ExportId)
      yield* recordTransfer(resource.caller, server, "server.export", `exported the server ${server.name}`)
      return yield* collectBundle(server, exportId)
    })
  )
  return yield* seal(bundle, passphrase)
})

/** Stores that a server leaves this instance. Idempotent: a transfer that has begun keeps its id. */
const leave = Effect.fnUntraced(function* (caller: Caller, uuid: ServerUuid, targetUrl: string | null) {
  const server = yield* lockServer(uuid)
  yield* requireTransferable(server)
  if (server.transfer?.state === "leaving") return { server, exportId: server.transfer.exportId }
  const at = yield* now
  const exportId = yield* makeUuid(ExportId)
  const transfer: ServerTransfer = { exportId, state: "leaving", at, targetUrl }
  const leaving: Server = { ...server, transfer, updatedAt: at }
  yield* Effect.orDie((yield* ServerStore).replace(leaving))
  yield* recordTransfer(caller, server, "server.transfer", `began the transfer ${exportId} of ${server.name}`)
  return { server: leaving, exportId }
})

/**
 * Begins the transfer of a server, and returns its bundle. From now on, this instance does not connect to the server:
 * containers keep running, and deployments, tasks and backups wait.
 *
 * A repeated request returns the current bundle of the same transfer.
 */
export const begin = Effect.fnUntraced(function* (
  { resource }: Authorized<"server.transfer">,
  passphrase: Redacted.Redacted,
  targetUrl: string | null = null
) {
  yield* authorize(resource.caller, "server.export", { server: resource.server })
  const transaction = yield* Transaction
  const bundle = yield* transaction.run(
    Effect.gen(function* () {
      const { exportId, server } = yield* leave(resource.caller, resource.server.uuid, targetUrl)
      return yield* collectBundle(server, exportId)
    })
  )
  return yield* seal(bundle, passphrase)
})

/** Cancels the transfer of a server: this instance manages it again. Fails if no transfer has begun. */
export const cancel = Effect.fnUntraced(function* ({ resource }: Authorized<"server.transfer">) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const server = yield* lockServer(resource.server.uuid)
      if (server.transfer?.state !== "leaving") {
        return yield* new TransferRefused({ because: "no transfer of this server has begun" })
      }
      const kept: Server = { ...server, transfer: null, updatedAt: yield* now }
      yield* Effect.orDie((yield* ServerStore).replace(kept))
      const detail = `cancelled the transfer ${server.transfer.exportId} of ${server.name}`
      yield* recordTransfer(resource.caller, server, "server.transfer", detail)
      return kept
    })
  )
})

/**
 * Removes a server and everything on it from this instance, within the running transaction. Changes nothing on the
 * machine. Projects, keys and S3 storages stay.
 */
export const forgetServer = Effect.fnUntraced(function* (server: Server) {
  const at = yield* now
  const applications = yield* ApplicationStore
  const deployments = yield* DeploymentStore
  const where = { _tag: "Server", uuid: server.uuid } as const
  const services = yield* (yield* ServiceStore).placedOn(server.uuid)
  const placed = yield* applications.placed(where, { limit: Number.MAX_SAFE_INTEGER })
  const runners = services.map(({ uuid }) => serviceApplicationUuid(uuid))
  for (const uuid of [...placed.map((row) => row.uuid), ...runners]) {
    yield* deployments.cancelAll(uuid, at)
    yield* Effect.orDie(applications.remove(uuid))
  }
  for (const { uuid } of services) yield* Effect.orDie((yield* ServiceStore).remove(uuid))
  for (const { uuid } of yield* (yield* DatabaseStore).placedOn(server.uuid)) {
    yield* Effect.orDie((yield* DatabaseStore).remove(uuid))
  }
  yield* Effect.orDie((yield* ServerStore).remove(server.uuid))
})

/** The transfer that a request completes, by its id or its target; omitted fields are not checked. */
export interface Completion {
  readonly exportId: string | null
  readonly targetUrl: string | null
}

/**
 * Completes the transfer of a server: removes the server and its resources from this instance, and nothing from the
 * machine.
 *
 * Fails if no transfer has begun, or if another transfer than the given one has begun.
 */
export const complete = Effect.fnUntraced(function* (
  { resource }: Authorized<"server.transfer">,
  { exportId, targetUrl }: Completion
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const server = yield* lockServer(resource.server.uuid)
      const { transfer } = server
      if (transfer?.state !== "leaving") {
        const because = "no transfer of this server has begun: begin it with `POST /servers/{uuid}/export`"
        return yield* new TransferRefused({ because })
      }
      if (exportId !== null && exportId !== transfer.exportId) {
        return yield* new InvalidInput({ problems: { export_id: [`Must be \`${transfer.exportId}\`.`] } })
      }
      yield* forgetServer(server)
      const target = targetUrl ?? transfer.targetUrl
      const detail = `transferred ${server.name}${target === null ? "" : ` to ${target}`} (${transfer.exportId})`
      yield* recordTransfer(resource.caller, server, "server.transfer", detail)
      return { exportId: transfer.exportId }
    })
  )
})

/**
 * Writes the encrypted bundle of a server into a file on the server itself, for a transfer between instances that do not
 * reach each other. Returns the path.
 *
 * Fails if the platform does not reach the server by SSH.
 */
export const writeToServer = Effect.fnUntraced(function* (
  { resource }: Authorized<"server.transfer">,
  passphrase: Redacted.Redacted,
  fileOf: (envelope: Envelope) => string
) {
  const { server } = resource
  const proof = yield* authorize(resource.caller, "server.export", { server })
  if (isHandedOver(server)) {
    return yield* new TransferRefused({ because: "a transfer of this server has begun: cancel it first" })
  }
  const access = yield* accessTo(server)
  if (access._tag !== "Ssh") {
    return yield* new TransferRefused({ because: "the platform does not reach this server by SSH" })
  }
  const envelope = yield* exportServer(proof, passphrase)
  const path = yield* (yield* ServerFiles).write(access, `exports/${envelope.exportId}.json`, fileOf(envelope))
  return { exportId: envelope.exportId, path }
})
