import { makeUuid, type Vault } from "@slipway/domain"
import type { ContainerRef, Engine } from "@slipway/domain/deploy/containers"
import {
  type BackupRun,
  BackupStore,
  type Database,
  DatabaseStore,
  encryptedEnding,
  mostAttempts,
  oneAtATime,
  openDatabase,
  pathOf,
  type Restore,
  type RestoreRun,
  RestoreRunUuid,
  type RestoreSource,
  RestoreStore,
  restoreOf,
  restorePathOf,
  restoreProblem,
  uploadedObject,
  usesSsl
} from "@slipway/domain/deploy/databases"
import {
  type FileEncryption,
  type ObjectStorage,
  S3StorageStore,
  ServerStore
} from "@slipway/domain/deploy/infrastructure"
import { Effect, type Stream } from "effect"
import { servingContainer } from "../../../databases/backups/files.ts"
import { readObject } from "../../../infrastructure/s3-storages/openBucket.ts"
import { openEngine } from "../../../infrastructure/servers/validate.ts"
import { type Ended, failedWith, runDue, storedOutput } from "../due.ts"
import type { Place } from "../places.ts"

const broken = (because: string) => Effect.fail({ _tag: "RestoreFailed", because } as const)

/** A container, with an open connection to the engine that runs it. */
interface Opened {
  readonly engine: Engine
  readonly ref: ContainerRef
}

/** Connects to the engine of a database's running container; undefined while the database is stopped. */
const openContainer = Effect.fnUntraced(function* (database: Database, place: Place) {
  const server = yield* (yield* ServerStore).find(database.placement.serverUuid)
  const ref = servingContainer(database)
  if (ref === null || server === undefined) return undefined
  const engine = yield* place.reaching(Effect.tap(openEngine(server), ({ info }) => info))
  return { engine, ref } satisfies Opened
})

/** Finds a backup to restore, with its database; undefined if one of them was deleted. */
const findSource = Effect.fnUntraced(function* ({ backupUuid, databaseUuid, runUuid }: RestoreSource) {
  const database = yield* (yield* DatabaseStore).find(databaseUuid)
  const run = (yield* (yield* BackupStore).executions(backupUuid)).find(({ uuid }) => uuid === runUuid)
  return database && run && { database, run }
})

/** The bytes of a backup, as a stream. */
type BackupBytes = Stream.Stream<Uint8Array, { readonly _tag: string }, FileEncryption | ObjectStorage | Vault>

/** Returns the bytes of a backup: from the backup volume while the database of the backup runs, otherwise from S3. */
const bytesOf = Effect.fnUntraced(function* ({ kind }: Database, run: BackupRun, container: Opened | undefined) {
  if (run.isLocal === true && container !== undefined) {
    return container.engine.execOutput(container.ref, { argv: ["cat", pathOf(kind, run)] }) as BackupBytes
  }
  const object = uploadedObject(run)
  if (object === null) return yield* broken("the database of the backup is stopped: start it to read the file")
  const storage = yield* (yield* S3StorageStore).find(object.storageUuid)
  if (storage === undefined) return yield* broken("the S3 storage of the backup does not exist")
  return readObject(storage, object.key, object.key.endsWith(encryptedEnding)) as BackupBytes
})

const removePaths = ({ engine, ref }: Opened, paths: ReadonlyArray<string>) =>
  paths.length === 0 ? Effect.void : Effect.ignore(engine.exec(ref, { argv: ["rm", "-f", ...paths] }))

/**
 * Writes the bytes of a backup to a temporary file in the container of a database, and returns its path. The file is
 * removed when the scope closes.
 */
const copyInto = Effect.fnUntraced(function* (
  target: Opened,
  attempt: RestoreRun,
  size: number | null,
  bytes: BackupBytes
) {
  if (size === null) return yield* broken("the size of the backup is unknown")
  const path = restorePathOf(attempt.uuid)
  yield* Effect.acquireRelease(Effect.void, () => removePaths(target, [path]))
  yield* target.engine.writeFile(target.ref, { path, size }, bytes).pipe(
    Effect.catchIf(
      (error) => error._tag === "FileSizeDiffers",
      () => broken(`the backup is damaged: it has another size than ${size} bytes`)
    )
  )
  return path
})

const attempt = Effect.fnUntraced(function* (restore: Restore, run: RestoreRun, place: Place) {
  const database = yield* (yield* DatabaseStore).find(restore.databaseUuid)
  if (database === undefined) return failedWith("the database was deleted")
  const source = yield* findSource(restore.source)
  if (source === undefined) return failedWith("the backup was deleted")
  // Checked again: the database may have changed since the request.
  const problem = restoreProblem(source.database, source.run, database)
  if (problem !== null) return failedWith(problem.sentence)
  const target = yield* openContainer(database, place)
  if (target === undefined) return failedWith("the database is not running")
  const earlier = (yield* (yield* RestoreStore).executions(restore.uuid)).filter(({ uuid }) => uuid !== run.uuid)
  yield* removePaths(
    target,
    earlier.map(({ uuid }) => restorePathOf(uuid))
  )
  const isSame = source.database.uuid === database.uuid
  const copied = Effect.gen(function* () {
    if (isSame && source.run.isLocal === true) return pathOf(database.kind, source.run)
    const container = isSame || source.run.isLocal !== true ? target : yield* openContainer(source.database, place)
    return yield* copyInto(target, run, source.run.size, yield* bytesOf(source.database, source.run, container))
  })
  const path = yield* copied
  const command = restoreOf(database.kind, yield* openDatabase(database), source.run, isSame, path, usesSsl(database))
  if (command === null) return failedWith(`backups of ${database.kind} cannot be restored`)
  const { exitCode, output } = yield* target.engine.exec(target.ref, oneAtATime(restore.timeout, command))
  const text = storedOutput(output.map((line) => line.text).join("\n"))
  if (exitCode === 0) return { status: "success", message: text } satisfies Ended
  return failedWith(storedOutput(`${text}\nthe program exited with ${exitCode}`.trim()))
}, Effect.scoped)

const runOf = Effect.fnUntraced(function* ({ uuid }: Restore, at: string) {
  return {
    uuid: yield* makeUuid(RestoreRunUuid),
    restoreUuid: uuid,
    status: "running",
    message: null,
    startedAt: at,
    finishedAt: null
  } satisfies RestoreRun
})

// The seconds that an engine has to report that a command was killed.
const grace = 10

/** Performs and resumes requested database restores until it is interrupted, at most one at a time per database. */
export const runRestores = Effect.fnUntraced(function* (settings: { readonly lease: number; readonly alone: boolean }) {
  const store = yield* RestoreStore
  // The program of a killed process may run for its whole timeout before the next one starts.
  const timeoutOf = ({ timeout }: Restore) => 2 * timeout + grace
  const job = {
    called: "restore",
    store,
    mostAttempts,
    messageOf: () => Effect.undefined,
    canBegin: () => Effect.succeed(true),
    runOf,
    timeoutOf,
    attempt
  }
  return yield* runDue(job, settings)
})
