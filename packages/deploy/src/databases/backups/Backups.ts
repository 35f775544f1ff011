import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import { nextRun } from "@slipway/domain/deploy/apps"
import {
  type Backup,
  BackupFileUnreachable,
  type BackupInput,
  BackupNotFound,
  BackupStore,
  BackupUuid,
  type Database,
  DatabaseNotFound,
  DatabaseStore,
  mostBackups,
  selectionProblem
} from "@slipway/domain/deploy/databases"
import { type Authorized, authorize, type Caller } from "@slipway/domain/deploy/entry"
import { S3StorageStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { removeObjects } from "../../infrastructure/s3-storages/removeObjects.ts"
import { inTime, openEngine } from "../../infrastructure/servers/validate.ts"
import { removeFiles, servingContainer } from "./files.ts"

const dueOf = ({ frequency, isEnabled }: BackupInput, at: string): string | null =>
  isEnabled ? (nextRun(frequency, at) ?? null) : null

const refuse = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

const unreachable = (because: string) => new BackupFileUnreachable({ because })

const fieldNames = { databases: "databases_to_backup", frequency: "frequency" } as const

/** Checks the settings of a backup schedule: they must fit the type of the database, and the S3 storage must exist. */
const checkInput = Effect.fnUntraced(function* ({ kind, placement }: Database, input: BackupInput) {
  const problem = selectionProblem(kind, input)
  if (problem !== null) return yield* refuse(fieldNames[problem.field], problem.sentence)
  const { isOnlyInS3, s3StorageUuid, savesToS3 } = input
  if (savesToS3 && s3StorageUuid === null) {
    return yield* refuse("s3_storage_uuid", "Must name an S3 storage if save_s3 is true.")
  }
  if (isOnlyInS3 && !savesToS3) return yield* refuse("disable_local_backup", "Must be false unless save_s3 is true.")
  // Locked, so that it is not removed before the schedule refers to it.
  if (s3StorageUuid === null) return
  const storage = yield* (yield* S3StorageStore).lock(s3StorageUuid)
  if (storage?.teamId === placement.teamId) return
  return yield* refuse("s3_storage_uuid", "There is no such S3 storage.")
})

/** Requests an immediate backup in addition to the schedule, if the caller may. A running backup finishes first. */
const ask = Effect.fnUntraced(function* (caller: Caller, database: Database, backup: Backup) {
  yield* authorize(caller, "database.deploy", { database })
  yield* (yield* BackupStore).ask(backup.uuid)
  yield* notifyWorkers
})

/** Lists the backup schedules of a database. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"database.backup.list">) {
  return yield* (yield* BackupStore).ofDatabase(resource.database.uuid)
})

/** Creates a backup schedule for a database. On request, also starts an immediate backup. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.backup.create">,
  input: BackupInput,
  beginsNow: boolean
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      // Locked, so that concurrently added schedules are counted one after the other.
      const locked = yield* (yield* DatabaseStore).lock(resource.database.uuid)
      if (locked === undefined) return yield* new DatabaseNotFound()
      yield* checkInput(locked, input)
      const store = yield* BackupStore
      if ((yield* store.ofDatabase(locked.uuid)).length >= mostBackups) {
        return yield* refuse("frequency", `A database has at most ${mostBackups} backup schedules.`)
      }
      const at = yield* now
      const added = yield* store.insert({
        ...input,
        uuid: yield* makeUuid(BackupUuid),
        databaseUuid: locked.uuid,
        dueAt: dueOf(input, at),
        isAsked: false,
        createdAt: at,
        updatedAt: at
      })
      if (added === undefined) return yield* new DatabaseNotFound()
      if (beginsNow) yield* ask(resource.caller, locked, added)
      return added
    })
  )
})

/** Changes a backup schedule; omitted fields stay unchanged. On request, also starts an immediate backup. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.backup.update">,
  input: Partial<BackupInput>,
  beginsNow: boolean
) {
  const { backup, caller, database } = resource
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      // Locked, so that concurrent changes do not overwrite each other.
      yield* (yield* DatabaseStore).lock(database.uuid)
      const store = yield* BackupStore
      const present = (yield* store.ofDatabase(database.uuid)).find(({ uuid }) => uuid === backup.uuid)
      if (present === undefined) return yield* new BackupNotFound()
      const at = yield* now
      const set = { ...present, ...input, updatedAt: at }
      yield* checkInput(database, set)
      const isMoved = set.frequency !== present.frequency || set.isEnabled !== present.isEnabled
      const changed: Backup = isMoved ? { ...set, dueAt: dueOf(set, at) } : set
      yield* store.replace(changed)
      if (beginsNow) yield* ask(caller, database, changed)
      return changed
    })
  )
})

/** Removes a backup schedule. Its files stay in their volume; its objects in S3 are removed only on request. */
export const remove = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.backup.delete">,
  deletesObjects: boolean
) {
  const { backup, database } = resource
  const store = yield* BackupStore
  if (deletesObjects) {
    const runs = yield* store.executions(backup.uuid)
    // Its upload would complete after the removal.
    if (runs.some(({ status }) => status === "running")) {
      return yield* unreachable("a backup of the schedule is running: wait until it ends")
    }
    yield* removeObjects(runs)
  }
  yield* store.remove(database.uuid, backup.uuid)
})

/** Lists the successful and failed backups of a schedule, newest first. */
export const executions = Effect.fnUntraced(function* ({ resource }: Authorized<"database.backup.executions">) {
  return yield* (yield* BackupStore).executions(resource.backup.uuid)
})

/** Removes a backup with its file; its object in S3 is removed only on request. */
export const removeExecution = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.backup.execution.delete">,
  deletesObject: boolean
) {
  const { backup, database, run } = resource
  if (run.status === "running") return yield* unreachable("the backup is still running")
  if (run.isLocal === true) {
    const ref = servingContainer(database)
    const server = yield* (yield* ServerStore).find(database.placement.serverUuid)
    if (ref === null || server === undefined) {
      return yield* unreachable("the database is stopped: start it to delete the file in its volume")
    }
    const removed = Effect.flatMap(openEngine(server), (engine) => removeFiles(engine, ref, database.kind, [run]))
    const isRemoved = yield* removed.pipe(
      Effect.scoped,
      inTime(server),
      Effect.catchTags({
        ContainerNotFound: () => Effect.succeed(false),
        ContainerNotRunning: () => Effect.succeed(false)
      })
    )
    if (!isRemoved) return yield* unreachable("the container of the database did not delete the file")
  }
  if (deletesObject) yield* removeObjects([run])
  yield* (yield* BackupStore).drop(backup.uuid, [run.uuid])
})
