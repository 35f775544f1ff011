import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import {
  type Database,
  DatabaseNotFound,
  DatabaseStore,
  type DatabaseUuid,
  isOpenRestore,
  RestoreRefused,
  RestoreStore,
  RestoreUuid,
  restoreProblem
} from "@slipway/domain/deploy/databases"
import { type Authorized, type Caller, decideAccess, notAuthorized, presence } from "@slipway/domain/deploy/entry"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"

/** The options of a restore request. */
export interface RestoreInput {
  /** The database that receives the data; undefined selects the database that was backed up. */
  readonly databaseUuid: DatabaseUuid | undefined
  /** The timeout of the restore program in seconds. */
  readonly timeout: number
}

const refuse = (field: string, sentence: string) => new InvalidInput({ problems: { [field]: [sentence] } })
const unready = (because: string) => new RestoreRefused({ because })

/** Finds the database to overwrite. A database that the caller may not see is reported as missing. */
const findTarget = Effect.fnUntraced(function* (caller: Caller, uuid: DatabaseUuid) {
  const database = yield* (yield* DatabaseStore).find(uuid)
  const decided = decideAccess(caller, "database.restore", database && { database })
  if (decided.allowed) return decided.resource.database
  if (decided.check === presence.id) return yield* refuse("database_uuid", "There is no such database.")
  return yield* Effect.fail(notAuthorized("database.restore", decided))
})

/** Locks a database and returns it; fails if a restore of the database waits or runs. */
const lockIdle = Effect.fnUntraced(function* ({ uuid }: Database) {
  const locked = yield* (yield* DatabaseStore).lock(uuid)
  if (locked === undefined) return yield* new DatabaseNotFound()
  if (locked.servingUuid === null) return yield* unready("the database is stopped: start it before the restore")
  if ((yield* (yield* RestoreStore).ofDatabase(uuid)).some(isOpenRestore)) {
    return yield* unready("another restore of the database waits or runs: wait until it ends")
  }
  return locked
})

/** Requests the restore of a backup into its own database or another one. The restore replaces the data there. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.backup.execution.restore">,
  { databaseUuid, timeout }: RestoreInput
) {
  const { backup, caller, database: source, run } = resource
  if (run.status !== "success") return yield* unready(`the backup is not complete: its status is ${run.status}`)
  const target = databaseUuid === undefined ? source : yield* findTarget(caller, databaseUuid)
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const locked = yield* lockIdle(target)
      const problem = restoreProblem(source, run, locked)
      if (problem !== null) return yield* refuse(problem.field, problem.sentence)
      const at = yield* now
      const added = yield* (yield* RestoreStore).insert({
        uuid: yield* makeUuid(RestoreUuid),
        databaseUuid: locked.uuid,
        source: { databaseUuid: source.uuid, backupUuid: backup.uuid, runUuid: run.uuid },
        timeout,
        frequency: "",
        isEnabled: false,
        dueAt: null,
        isAsked: true,
        createdAt: at,
        updatedAt: at
      })
      if (added === undefined) return yield* new DatabaseNotFound()
      yield* notifyWorkers
      return added
    })
  )
})

/** Lists the restores of a database, newest first, each with the result of its last attempt. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"database.restore.list">) {
  return yield* (yield* RestoreStore).ofDatabase(resource.database.uuid)
})
