import { makeUuid } from "@slipway/domain"
import type { ContainerRef, Engine } from "@slipway/domain/deploy/containers"
import { containerName } from "@slipway/domain/deploy/containers"
import type { DatabaseKind } from "@slipway/domain/deploy/databases"
import {
  type Backup,
  type BackupRun,
  BackupRunUuid,
  BackupStore,
  DatabaseStore,
  dumpOf,
  endingAfter,
  openDatabase as open,
  ownerOf,
  pathOf
} from "@slipway/domain/deploy/databases"
import { backupMessage, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Clock, Effect } from "effect"
import { openEngine } from "../../infrastructure/servers/validate.ts"
import { type Ended, failed, runDue, storedOutput } from "./due.ts"
import type { Place } from "./places.ts"

/** Removes the files of backups if they exist; returns whether that succeeded. */
const removeFiles = Effect.fnUntraced(function* (
  engine: Engine,
  ref: ContainerRef,
  kind: DatabaseKind,
  runs: ReadonlyArray<BackupRun>
) {
  if (runs.length === 0) return true
  const { exitCode } = yield* engine.exec(ref, { argv: ["rm", "-f", ...runs.map((run) => pathOf(kind, run))] })
  return exitCode === 0
})

/** Returns the size of a file in bytes; null if the container cannot report it. */
const sizeOf = Effect.fnUntraced(function* (engine: Engine, ref: ContainerRef, path: string) {
  const { exitCode, output } = yield* engine.exec(ref, { argv: ["stat", "-c", "%s", path] })
  const size = Number(output[0]?.text.trim())
  return exitCode === 0 && Number.isSafeInteger(size) ? size : null
})

/** Dumps a database to a file in its backup volume, with the dump tool of its image. */
const attempt = Effect.fnUntraced(function* (backup: Backup, run: BackupRun, place: Place) {
  const database = yield* (yield* DatabaseStore).find(backup.databaseUuid)
  if (database === undefined) return failed("the database was deleted")
  const { kind, placement, servingUuid, uuid } = database
  const server = yield* (yield* ServerStore).find(placement.serverUuid)
  if (servingUuid === null || server === undefined) return failed("the database is not running")
  const path = pathOf(kind, run)
  const dump = dumpOf(kind, yield* open(database), path)
  if (dump === null) return failed(`backups do not support ${kind}`)
  const store = yield* BackupStore
  const earlier = yield* store.executions(backup.uuid)
  const engine = yield* place.reaching(Effect.tap(openEngine(server), ({ info }) => info))
  const application = ownerOf(uuid)
  const ref = { application, name: containerName({ application, deployment: servingUuid, service: null }) }
  // Failed runs first, in case no run succeeds: an interrupted one may have left a partial file.
  const fruitless = earlier.filter(({ status }) => status === "failed")
  yield* Effect.ignore(removeFiles(engine, ref, kind, fruitless))
  const begunAt = yield* Clock.currentTimeMillis
  const { exitCode, output } = yield* engine.exec(ref, endingAfter(backup.timeout, dump))
  const text = output.map((line) => line.text).join("\n")
  if (exitCode !== 0) {
    // A partial backup is useless.
    yield* Effect.ignore(removeFiles(engine, ref, kind, [run]))
    const isLate = (yield* Clock.currentTimeMillis) - begunAt >= backup.timeout * 1_000
    const why = isLate ? `it took longer than ${backup.timeout} seconds` : `the program exited with ${exitCode}`
    return failed(storedOutput(`${text}${text === "" ? "" : "\n"}${why}`))
  }
  const size = yield* sizeOf(engine, ref, path)
  // The current backup is kept too; it is not stored as a success yet.
  const old = earlier.filter(({ status }) => status === "success").slice(backup.keeps - 1)
  const isRemoved = yield* Effect.orElseSucceed(removeFiles(engine, ref, kind, old), () => false)
  if (isRemoved) {
    yield* store.drop(
      backup.uuid,
      old.map((each) => each.uuid)
    )
  }
  return { status: "success", message: storedOutput(text), size } satisfies Ended & Partial<BackupRun>
}, Effect.scoped)

const runOf = Effect.fnUntraced(function* ({ uuid }: Backup, at: string) {
  return {
    uuid: yield* makeUuid(BackupRunUuid),
    backupUuid: uuid,
    status: "running",
    message: null,
    size: null,
    startedAt: at,
    finishedAt: null
  } satisfies BackupRun
})

const isRunning = Effect.fnUntraced(function* ({ databaseUuid }: Backup) {
  return ((yield* (yield* DatabaseStore).find(databaseUuid))?.servingUuid ?? null) !== null
})

const messageOf = Effect.fnUntraced(function* ({ databaseUuid, frequency, uuid }: Backup, isFailed: boolean) {
  const database = yield* (yield* DatabaseStore).find(databaseUuid)
  return database && backupMessage(database, { backup: uuid, frequency }, isFailed)
})

// The seconds that an engine has to report that a command was killed.
const grace = 10

/** Makes due backups until it is interrupted, one at a time per database; polls each second. */
export const runBackups = Effect.fnUntraced(function* (settings: { readonly lease: number; readonly alone: boolean }) {
  const store = yield* BackupStore
  const timeoutOf = ({ timeout }: Backup) => timeout + grace
  const job = { called: "backup", store, messageOf, canBegin: isRunning, runOf, timeoutOf, attempt }
  return yield* runDue(job, settings)
})
