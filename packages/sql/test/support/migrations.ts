import type { Migration } from "@slipway/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Ten migrations that each add 1 to a counter, which shows how often they ran. Pauses give other processes a chance.
 */
export const countingMigrations: ReadonlyArray<Migration> = Array.from({ length: 10 }, (_, index) => {
  const number = String(index + 1).padStart(4, "0")
  return index === 0
    ? {
        name: `${number}_start`,
        up: ["CREATE TABLE counter (value integer NOT NULL)", "INSERT INTO counter VALUES (1)"]
      }
    : {
        name: `${number}_count`,
        up: Effect.flatMap(SqlClient, (sql) =>
          Effect.gen(function* () {
            yield* sql`SELECT pg_sleep(0.01)`
            yield* sql`UPDATE counter SET value = value + 1`
          })
        )
      }
})
