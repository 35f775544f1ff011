import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect, Schedule, Semaphore } from "effect"

const SQLITE_BUSY = 5
const pause = 20

/** Runs effects one after another, never concurrently. */
export type SerialRunner = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Makes a lock that runs effects one after another, across all processes that share a directory. With null, the lock
 * only covers this process.
 *
 * The lock is a transaction on an empty SQLite file: the operating system releases it when the process exits for any
 * reason.
 */
export const makeLock = (directory: string | null): SerialRunner => {
  const here = Semaphore.makeUnsafe(1)
  if (directory === null) return here.withPermit
  const file = join(directory, "lock")
  const take = Effect.suspend(() => {
    const database = new DatabaseSync(file, { timeout: 0 })
    try {
      database.exec("BEGIN EXCLUSIVE")
      return Effect.succeed(database)
    } catch (cause) {
      database.close()
      return (cause as { readonly errcode?: number }).errcode === SQLITE_BUSY
        ? Effect.fail("busy" as const)
        : Effect.die(cause)
    }
  }).pipe(Effect.retry(Schedule.spaced(pause)), Effect.orDie)
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    here.withPermit(
      Effect.acquireUseRelease(
        take,
        () => effect,
        (database) => Effect.sync(() => database.close())
      )
    )
}
