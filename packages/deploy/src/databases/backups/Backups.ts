import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import { nextRun } from "@slipway/domain/deploy/apps"
import {
  type Backup,
  type BackupInput,
  BackupNotFound,
  BackupStore,
  BackupUuid,
  type Database,
  DatabaseNotFound,
  DatabaseStore,
  kindNames,
  kindOf,
  mostBackups
} from "@slipway/domain/deploy/databases"
import { type Authorized, authorize, type Caller } from "@slipway/domain/deploy/entry"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"

const dueOf = ({ frequency, isEnabled }: BackupInput, at: string): string | null =>
  isEnabled ? (nextRun(frequency, at) ?? null) : null

const refuse = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })

/** Requests an immediate backup in addition to the schedule, if the token permits it; a running one finishes first. */
const ask = Effect.fnUntraced(function* (caller: Caller, database: Database, backup: Backup) {
  yield* authorize(caller, "database.deploy", { database })
  yield* (yield* BackupStore).ask(backup.uuid)
  yield* notifyWorkers
})

/** Lists the schedules of backups of a database. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"database.backup.list">) {
  return yield* (yield* BackupStore).ofDatabase(resource.database.uuid)
})

/** Creates a backup schedule for a database, with an immediate backup on request. */
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
      if (kindOf(locked.kind).dump === null) {
        const some = kindNames.filter((kind) => kindOf(kind).dump !== null).join(", ")
        return yield* refuse("frequency", `Backups support ${some}, not ${locked.kind}.`)
      }
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

/** Changes a backup schedule; omitted fields stay unchanged. Makes an immediate backup on request. */
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
      const isMoved = set.frequency !== present.frequency || set.isEnabled !== present.isEnabled
      const changed: Backup = isMoved ? { ...set, dueAt: dueOf(set, at) } : set
      yield* store.replace(changed)
      if (beginsNow) yield* ask(caller, database, changed)
      return changed
    })
  )
})

/** Removes a backup schedule; existing backup files stay in their volume. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"database.backup.delete">) {
  yield* (yield* BackupStore).remove(resource.database.uuid, resource.backup.uuid)
})

/** Lists the successful and failed backups of a schedule, newest first. */
export const executions = Effect.fnUntraced(function* ({ resource }: Authorized<"database.backup.executions">) {
  return yield* (yield* BackupStore).executions(resource.backup.uuid)
})
