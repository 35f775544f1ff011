import { elapsedMilliseconds } from "@slipway/domain"
import type { Failures, SignInFailures } from "@slipway/domain/sign-in"
import { Effect, Result } from "effect"
import { byCodePoints } from "../codePoints.ts"
import type { Database } from "../Database.ts"
import { Table } from "../Table.ts"

/** A counter of failed sign-ins, for one key such as a user name or an address. */
export interface FailureRow extends Failures {
  readonly id: number
}

/** Makes the table of failed sign-ins. */
export const failureTable = () => new Table<FailureRow>("failure", [{ of: "failure", key: (row) => row.key }])

const cleanupBatch = 100

const countedFailures = ({ count, lastAt }: Failures, at: string, lasts: number): number =>
  Math.max(0, count - Math.max(0, Math.floor(elapsedMilliseconds(lastAt, at) / 1_000 / lasts)))

/** Returns the counters of failed sign-ins of a service, stored in a table in memory. */
export const signInFailures = (database: Database, failure: Table<FailureRow>): SignInFailures => ({
  failures: (keys) =>
    database.read((snapshot) =>
      keys.flatMap((key) => {
        const row = failure.find(snapshot, key)
        return row === undefined ? [] : [{ key: row.key, count: row.count, lastAt: row.lastAt }]
      })
    ),
  fail: ({ at, atMost, forgetBefore, keys, lasts }) =>
    database
      .write((snapshot) =>
        Result.gen(function* () {
          const counted: Array<Failures> = []
          for (const key of [...new Set(keys)].toSorted(byCodePoints)) {
            const row = failure.find(snapshot, key)
            const count = row === undefined || row.lastAt < forgetBefore ? 1 : countedFailures(row, at, lasts) + 1
            // A row that is inserted again moves to the end, so that the first rows are the oldest failures.
            if (row !== undefined) yield* failure.remove(snapshot, row.id)
            yield* failure.insert(snapshot, { key, count, lastAt: at })
            counted.push({ key, count, lastAt: at })
          }
          const past = failure.list(snapshot, { limit: cleanupBatch }).filter((row) => row.lastAt < forgetBefore)
          const tooMany = failure.list(snapshot, { limit: Math.max(0, failure.count(snapshot) - atMost) })
          for (const { id } of [...past, ...tooMany]) yield* failure.remove(snapshot, id)
          return counted
        })
      )
      .pipe(Effect.orDie)
})
