import { InvalidInput, noProblems, now, type Problems, Transaction } from "@slipway/domain"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import { type TeamId, teamOf } from "@slipway/domain/deploy/identity"
import { type Server, ServerNotFound, ServerStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import {
  BundleCipher,
  bundleProblems,
  readBundle,
  ServerFiles,
  type TransferBundle,
  TransferRefused
} from "@slipway/domain/deploy/runtime"
import { Effect, type Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import { record } from "../../identity/audit/record.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"
import { inTime, keep, openEngine, publicEngineFailureReason } from "../../infrastructure/servers/validate.ts"
import { forgetServer, lockServer } from "./Exports.ts"
import { composeProblems, insertBundle } from "./insert.ts"
import { type Renamed, readKeys } from "./matching.ts"

/** An encrypted bundle as received, with the passphrase that decrypts it. */
export interface ReceivedBundle {
  readonly data: string
  readonly passphrase: Redacted.Redacted
}

/** The numbers of the main resources of a bundle. */
export interface Counts {
  readonly applications: number
  readonly services: number
  readonly databases: number
}

/** The result of an import: the server, and what changed on the way. */
export interface Imported {
  readonly server: Pick<Server, "name" | "transfer" | "uuid">
  readonly exportId: string
  readonly counts: Counts
  readonly renamed: ReadonlyArray<Renamed>
  /** Whether the import changed nothing, because the same bundle was imported before. */
  readonly isRepeated: boolean
}

const refused = (problems: Problems) => new InvalidInput({ problems })

/** Decrypts and checks a received bundle. Fails with all problems of its fields. */
const open = Effect.fnUntraced(function* ({ data, passphrase }: ReceivedBundle) {
  const bytes = Base64.decode(data)
  if (Result.isFailure(bytes)) return yield* refused({ "bundle.data": ["Must be base64."] })
  const text = yield* Effect.mapError((yield* BundleCipher).decrypt(bytes.success, passphrase), () =>
    refused({ passphrase: ["Does not decrypt the bundle: it is another passphrase, or the bundle was changed."] })
  )
  const bundle = readBundle(text)
  if ("problems" in bundle) return yield* refused(bundle.problems)
  const problems = bundleProblems(bundle)
  if (!noProblems(problems)) return yield* refused(problems)
  const forbidden = yield* composeProblems(bundle)
  if (!noProblems(forbidden)) return yield* refused(forbidden)
  return yield* readKeys(bundle)
})

const countsOf = (bundle: TransferBundle): Counts => ({
  // The internal applications of services are not shown.
  applications: bundle.applications.filter(({ variant }) => variant !== "service").length,
  services: bundle.services.length,
  databases: bundle.databases.length
})

/** Returns whether the server of a bundle was already imported into a team by the same transfer. */
const isImported = (present: Server, bundle: TransferBundle, teamId: TeamId): boolean =>
  present.teamId === teamId &&
  present.transfer !== null &&
  present.transfer.state !== "leaving" &&
  present.transfer.exportId === bundle.exportId

/**
 * Imports a server from an encrypted bundle into the team of the caller, in one transaction. The server stays unclaimed:
 * this instance does not connect to it yet.
 *
 * The bundle of a server that leaves another team of this instance moves the server to the team of the caller. A repeated
 * import of the same bundle changes nothing.
 */
const insert = Effect.fnUntraced(function* (proof: Authorized<"server.import">, bundle: TransferBundle) {
  const { caller } = proof.resource
  const teamId = teamOf(caller.access)
  const present = yield* (yield* ServerStore).lock(bundle.server.uuid)
  const result = { exportId: bundle.exportId, counts: countsOf(bundle) }
  if (present !== undefined && isImported(present, bundle, teamId)) {
    return { ...result, server: present, renamed: [], isRepeated: true } satisfies Imported
  }
  const leaves = present?.transfer?.state === "leaving" && present.transfer.exportId === bundle.exportId
  if (present !== undefined && leaves) {
    yield* forgetServer(present)
    const detail = `transferred ${present.name} to another team (${bundle.exportId})`
    yield* record(caller, "done", { teamId: present.teamId, action: "server.transfer", object: present.uuid, detail })
  }
  const receiver = { teamId, accountUuid: caller.accountUuid }
  const { renamed, server } = yield* insertBundle(bundle, receiver, "imported")
  const detail = `imported ${server.name} (${bundle.exportId})`
  yield* record(caller, "done", { teamId, action: "server.import", object: server.uuid, detail })
  return { ...result, server, renamed, isRepeated: false } satisfies Imported
})

/** Imports a server from an encrypted bundle; see `insert`. Fails without changes, with all problems of the bundle. */
export const importServer = Effect.fnUntraced(function* (proof: Authorized<"server.import">, received: ReceivedBundle) {
  const bundle = yield* open(received)
  return yield* (yield* Transaction).run(insert(proof, bundle))
})

/** The failure that rolls back an import after a check without changes; it carries the result. */
class Tried {
  readonly _tag = "Tried"
  readonly result: Imported
  constructor(result: Imported) {
    this.result = result
  }
}

/** Checks an import completely, and changes nothing. Fails as `importServer` does. */
export const tryImport = Effect.fnUntraced(function* (proof: Authorized<"server.import">, received: ReceivedBundle) {
  const bundle = yield* open(received)
  const tried = Effect.flatMap(insert(proof, bundle), (result) => Effect.fail(new Tried(result)))
  return yield* Effect.catchTag((yield* Transaction).run(tried), "Tried", ({ result }) => Effect.succeed(result))
})

/** The options of a claim. */
export interface ClaimOptions {
  /** The text of the file on the server that names its instance; null writes none. */
  readonly ownerFile: string | null
  /** Whether this instance measures the server if its settings say so; false disables its metrics. */
  readonly takesMetrics: boolean
}

/** Checks that the engine of a server responds, although the server is not claimed yet. */
const requireEngine = (server: Server) =>
  Effect.flatMap(openEngine(server), ({ info }) => info).pipe(
    Effect.scoped,
    inTime(server),
    Effect.mapError((error) => new TransferRefused({ because: publicEngineFailureReason(error) }))
  )

const setClaimed = Effect.fnUntraced(function* (uuid: ServerUuid, takesMetrics: boolean) {
  const store = yield* ServerStore
  const present = yield* lockServer(uuid)
  if (present.transfer === null || present.transfer.state !== "imported") return present
  const at = yield* now
  const claimed: Server = {
    ...present,
    transfer: { ...present.transfer, state: "claimed", at },
    isMetricsEnabled: present.isMetricsEnabled && takesMetrics,
    updatedAt: at
  }
  yield* Effect.orDie(store.replace(claimed))
  return claimed
})

/**
 * Claims an imported server: this instance manages it from now on. Idempotent.
 *
 * Fails if the server leaves this instance, if its engine does not respond, or if the file cannot be written.
 */
export const claim = Effect.fnUntraced(function* (
  { resource }: Authorized<"server.transfer">,
  { ownerFile, takesMetrics }: ClaimOptions
) {
  const { server } = resource
  if (server.transfer?.state === "leaving") {
    return yield* new TransferRefused({ because: "the server leaves this instance: cancel its transfer first" })
  }
  const managed: Server = { ...server, transfer: null }
  const info = yield* requireEngine(managed)
  if (ownerFile !== null) {
    const access = yield* Effect.mapError(accessTo(managed), ({ because }) => new TransferRefused({ because }))
    if (access._tag !== "Ssh") {
      return yield* refused({ write_remote: ["Needs a server that the platform reaches by SSH."] })
    }
    yield* (yield* ServerFiles).write(access, "owner.json", ownerFile)
  }
  const claimed = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const changed = yield* setClaimed(server.uuid, takesMetrics)
      const detail = `claimed ${changed.name}`
      yield* record(resource.caller, "done", {
        teamId: changed.teamId,
        action: "server.transfer",
        object: changed.uuid,
        detail
      })
      return changed
    })
  )
  const because = `${info.product} ${info.version} answers`
  yield* keep(server.uuid, { isReachable: true, isUsable: true, because, engine: info })
  return claimed
})

/** Returns the proof for a claim of a server that the caller imported. */
export const mayClaim = Effect.fnUntraced(function* ({ resource }: Authorized<"server.import">, uuid: ServerUuid) {
  const server = yield* (yield* ServerStore).find(uuid)
  if (server === undefined) return yield* new ServerNotFound()
  return yield* authorize(resource.caller, "server.transfer", { server })
})
