import { makeUuid } from "@slipway/domain"
import type { ContainerRef, Engine } from "@slipway/domain/deploy/containers"
import {
  type Backup,
  type BackupRun,
  BackupRunUuid,
  BackupStore,
  type Database,
  DatabaseStore,
  type DatabaseValues,
  dumpOf,
  encryptedEnding,
  endingAfter,
  expiredBackups,
  hasLeftover,
  localLimits,
  objectKeyOf,
  openDatabase as open,
  pathOf,
  s3Limits,
  uploadedObject,
  usesSsl
} from "@slipway/domain/deploy/databases"
import { backupMessage, S3StorageStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Clock, Effect, Stream } from "effect"
import { removeFiles, servingContainer } from "../../../databases/backups/files.ts"
import { writeObject } from "../../../infrastructure/s3-storages/openBucket.ts"
import { removeObjects } from "../../../infrastructure/s3-storages/removeObjects.ts"
import { isManaged } from "../../../infrastructure/servers/isManaged.ts"
import { openEngine } from "../../../infrastructure/servers/validate.ts"
import { failureReasonOf } from "../deployContext.ts"
import { type Ended, failedWith, runDue, storedOutput } from "../due.ts"
import type { Place } from "../places.ts"

/** A backup to make, with its running database and the container that runs the database. */
interface BackupTarget {
  readonly backup: Backup
  readonly run: BackupRun
  readonly database: Database
  readonly values: DatabaseValues
  readonly engine: Engine
  readonly ref: ContainerRef
}

/** A completed database dump: its size in bytes, and the last lines of output of the dump program. */
interface Dumped {
  readonly size: number | null
  readonly text: string
}

const joined = (...lines: ReadonlyArray<string>): string => lines.filter((line) => line !== "").join("\n")

const noDump = (kind: string) => ({ _tag: "BackupFailed", because: `backups do not support ${kind}` }) as const
const broken = (because: string) => Effect.fail({ _tag: "BackupFailed", because } as const)

/** Returns the exit code of the dump program as a message. A timeout inside the container also kills the program. */
const describeExit = (exitCode: number, { timeout }: Backup, milliseconds: number): string =>
  milliseconds >= timeout * 1_000 ? `it took longer than ${timeout} seconds` : `the program exited with ${exitCode}`

/** Returns the size of a file in bytes; null if the container cannot report it. */
const sizeOf = Effect.fnUntraced(function* (engine: Engine, ref: ContainerRef, path: string) {
  const { exitCode, output } = yield* engine.exec(ref, { argv: ["stat", "-c", "%s", path] })
  const size = Number(output[0]?.text.trim())
  return exitCode === 0 && Number.isSafeInteger(size) ? size : null
})

/** Dumps a database to a file in the database's backup volume. */
const dumpToFile = Effect.fnUntraced(function* (target: BackupTarget) {
  const { backup, database, engine, ref, run, values } = target
  const path = pathOf(database.kind, run)
  const dump = dumpOf(database.kind, values, backup, path, usesSsl(database))
  if (dump === null) return yield* Effect.fail(noDump(database.kind))
  const begunAt = yield* Clock.currentTimeMillis
  const { exitCode, output } = yield* engine.exec(ref, endingAfter(backup.timeout, dump))
  const text = output.map((line) => line.text).join("\n")
  const size = exitCode === 0 ? yield* sizeOf(engine, ref, path) : null
  if (exitCode !== 0 || size === 0) {
    // A partial backup is useless.
    yield* Effect.ignore(removeFiles(engine, ref, database.kind, [run]))
    const elapsed = (yield* Clock.currentTimeMillis) - begunAt
    const why = exitCode === 0 ? "the dump is empty" : describeExit(exitCode, backup, elapsed)
    return yield* broken(joined(text, why))
  }
  return { size, text } satisfies Dumped
})

/** Returns the bytes of a dump: from its file, or directly from the dump program if no file is kept. */
const bytesOf = (target: BackupTarget): Stream.Stream<Uint8Array, { readonly _tag: string }> => {
  const { backup, database, engine, ref, run, values } = target
  if (!backup.isOnlyInS3) return engine.execOutput(ref, { argv: ["cat", pathOf(database.kind, run)] })
  const dump = dumpOf(database.kind, values, backup, null, usesSsl(database))
  if (dump === null) return Stream.fail(noDump(database.kind))
  return Stream.unwrap(
    Effect.map(Clock.currentTimeMillis, (begunAt) =>
      engine
        .execOutput(ref, endingAfter(backup.timeout, dump))
        .pipe(
          Stream.catchTag("CommandFailed", ({ errors, exitCode }) =>
            Stream.fromEffect(
              Effect.flatMap(Clock.currentTimeMillis, (time) =>
                broken(joined(errors, describeExit(exitCode, backup, time - begunAt)))
              )
            )
          )
        )
    )
  )
}

/** Uploads a dump to S3, encrypted if its object key (name) marks it so. Returns its size before encryption. */
const upload = Effect.fnUntraced(function* (target: BackupTarget) {
  const { object } = target.run
  const storage = object === null ? undefined : yield* (yield* S3StorageStore).find(object.storageUuid)
  if (object === null || storage === undefined) return yield* broken("the S3 storage does not exist")
  if (!storage.isUsable) return yield* broken(`the S3 storage "${storage.name}" is not usable: validate it`)
  if ((storage.recipient !== null) !== object.key.endsWith(encryptedEnding)) {
    return yield* broken("the encryption of the S3 storage changed during the backup")
  }
  let size = 0
  const measured = Stream.tap(bytesOf(target), (chunk) =>
    Effect.sync(() => {
      size += chunk.length
    })
  )
  // At the end, before the object is complete and visible.
  const complete = Stream.fromEffect(Effect.suspend(() => (size === 0 ? broken("the dump is empty") : Effect.void)))
  yield* writeObject(storage, object.key, Stream.concat(measured, Stream.drain(complete)))
  return size
})

/** Removes the partial files that failed backups may have left. */
const removePartialFiles = Effect.fnUntraced(function* (
  { database, engine, ref }: BackupTarget,
  earlier: ReadonlyArray<BackupRun>
) {
  // An upload may have failed or been interrupted after the dump was complete.
  const partial = earlier.filter(({ isLocal, status }) => status === "failed" && isLocal !== true)
  yield* Effect.ignore(removeFiles(engine, ref, database.kind, partial))
})

/** The timeout in seconds for removing leftovers from S3. After it, the next backup removes the remaining ones. */
const longestRemoval = 15

/** Removes the objects in S3 that failed uploads may have left. */
const removeLeftovers = Effect.fnUntraced(function* ({ backup }: BackupTarget, earlier: ReadonlyArray<BackupRun>) {
  const left = earlier.filter(hasLeftover)
  if (left.length === 0) return
  yield* clear(backup, "s3", left, removeObjects(left)).pipe(Effect.timeout(longestRemoval * 1_000), Effect.ignore)
})

/** Removes backups from the server (`local`) or from S3, and records the removal. */
const clear = <E, R>(
  { uuid }: Backup,
  side: "local" | "s3",
  runs: ReadonlyArray<BackupRun>,
  removal: Effect.Effect<unknown, E, R>
) =>
  Effect.andThen(
    removal,
    Effect.flatMap(BackupStore, (store) =>
      store.cleared(
        uuid,
        side,
        runs.map((run) => run.uuid)
      )
    )
  )

/** Removes the oldest backups beyond the limits on the server and in S3. The next backup retries a failed removal. */
const applyRetention = Effect.fnUntraced(function* (
  { backup, database, engine, ref }: BackupTarget,
  newestFirst: ReadonlyArray<BackupRun>
) {
  const time = yield* Clock.currentTimeMillis
  const local = expiredBackups(
    newestFirst.filter(({ isLocal }) => isLocal === true),
    localLimits(backup),
    time
  )
  const removal = Effect.flatMap(removeFiles(engine, ref, database.kind, local), (isRemoved) =>
    isRemoved ? Effect.void : broken("the container did not delete the files")
  )
  if (local.length > 0) yield* Effect.ignore(clear(backup, "local", local, removal))
  const remote = expiredBackups(
    newestFirst.filter((run) => uploadedObject(run) !== null),
    s3Limits(backup),
    time
  )
  if (remote.length > 0) yield* Effect.ignore(clear(backup, "s3", remote, removeObjects(remote)))
})

/** Makes a backup on the server, in S3, or both. If the upload fails, the file on the server is kept. */
const make = Effect.fnUntraced(function* (target: BackupTarget) {
  const { backup, run } = target
  if (backup.isOnlyInS3) {
    const size = yield* upload(target)
    return { ...run, status: "success", message: "", size, isLocal: false } satisfies BackupRun
  }
  const { size, text } = yield* dumpToFile(target)
  const done: BackupRun = { ...run, status: "success", message: storedOutput(text), size, isLocal: true }
  if (!backup.savesToS3) return { ...done, object: null }
  // A platform that exits during the upload must not forget the complete file.
  yield* (yield* BackupStore).finish({ ...done, status: "running", message: null })
  const tooLong = broken(`it took longer than ${backup.timeout} seconds`)
  const problem = yield* upload(target).pipe(
    Effect.timeoutOrElse({ duration: backup.timeout * 1_000, orElse: () => tooLong }),
    Effect.match({ onFailure: failureReasonOf, onSuccess: () => null })
  )
  if (problem === null) return done
  // The server may complete the upload without a response, so the key is kept: the next backup removes the object.
  const object = run.object && { ...run.object, isLeftover: true }
  return { ...done, object, message: storedOutput(joined(text, `the upload to S3 failed: ${problem}`)) }
})

const attempt = Effect.fnUntraced(function* (backup: Backup, run: BackupRun, place: Place) {
  const database = yield* (yield* DatabaseStore).find(backup.databaseUuid)
  if (database === undefined) return failedWith("the database was deleted")
  const server = yield* (yield* ServerStore).find(database.placement.serverUuid)
  const ref = servingContainer(database)
  if (ref === null || server === undefined) return failedWith("the database is not running")
  const earlier = yield* (yield* BackupStore).executions(backup.uuid)
  const engine = yield* place.reaching(Effect.tap(openEngine(server), ({ info }) => info))
  const target: BackupTarget = { backup, run, database, values: yield* open(database), engine, ref }
  // First, in case no run succeeds: an interrupted one may have left a partial file.
  yield* removePartialFiles(target, earlier)
  const outcome = yield* Effect.catch(make(target), (error) =>
    Effect.succeed(failedWith(storedOutput(failureReasonOf(error))))
  )
  yield* removeLeftovers(target, earlier)
  if (outcome.status === "success" && "uuid" in outcome) {
    // The current backup counts too; it is not stored as a success yet.
    yield* applyRetention(target, [outcome, ...earlier])
  }
  return outcome satisfies Ended & Partial<BackupRun>
}, Effect.scoped)

const runOf = Effect.fnUntraced(function* (backup: Backup, at: string) {
  const database = yield* (yield* DatabaseStore).find(backup.databaseUuid)
  const { s3StorageUuid, savesToS3 } = backup
  const storage = savesToS3 && s3StorageUuid !== null ? yield* (yield* S3StorageStore).find(s3StorageUuid) : undefined
  const run: BackupRun = {
    uuid: yield* makeUuid(BackupRunUuid),
    backupUuid: backup.uuid,
    status: "running",
    message: null,
    size: null,
    dumpsAll: backup.dumpsAll,
    databases: backup.databases,
    image: database?.image ?? null,
    isLocal: null,
    object: null,
    startedAt: at,
    finishedAt: null
  }
  if (database === undefined || storage === undefined) return run
  // Stored before the upload, so that the object of a killed process is found and removed.
  const key = objectKeyOf(database, run, storage.recipient !== null)
  return { ...run, object: { storageUuid: storage.uuid, key } }
})

const isRunning = Effect.fnUntraced(function* ({ databaseUuid }: Backup) {
  const database = yield* (yield* DatabaseStore).find(databaseUuid)
  if (database === undefined || database.servingUuid === null) return false
  return yield* isManaged(database.placement.serverUuid)
})

/** Returns the notification about a finished backup. A backup that could not be uploaded to S3 counts as failed. */
const messageOf = Effect.fnUntraced(function* (backup: Backup, run: BackupRun) {
  const database = yield* (yield* DatabaseStore).find(backup.databaseUuid)
  const isFailed = run.status === "failed" || (backup.savesToS3 && uploadedObject(run) === null)
  if (database === undefined) return undefined
  const content = backupMessage(database, { backup: backup.uuid, frequency: backup.frequency }, isFailed)
  return { teamId: database.placement.teamId, content }
})

// The seconds that an engine has to report that a command was killed.
const grace = 10

/** Makes due database backups until it is interrupted, at most one at a time for each database. Polls every second. */
export const runBackups = Effect.fnUntraced(function* (settings: { readonly lease: number; readonly alone: boolean }) {
  const store = yield* BackupStore
  // The dump and the upload have the timeout each.
  const timeoutOf = ({ isOnlyInS3, savesToS3, timeout }: Backup) =>
    timeout * (savesToS3 && !isOnlyInS3 ? 2 : 1) + grace + (savesToS3 ? longestRemoval : 0)
  const job = { called: "backup", store, messageOf, canBegin: isRunning, runOf, timeoutOf, attempt }
  return yield* runDue(job, settings)
})
