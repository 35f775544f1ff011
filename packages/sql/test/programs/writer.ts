// Opens the embedded database of a directory and writes rows until it is killed; each number is printed when its
// transaction is acknowledged.

import { Transaction } from "@slipway/domain"
import { Database, layerTransaction } from "@slipway/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const [directory = ""] = process.argv.slice(2)
const database = Database.layer(
  { _tag: "Embedded", directory },
  {
    schema: "test",
    migrations: [{ name: "0001_rows", up: ["CREATE TABLE written (id serial PRIMARY KEY, text text NOT NULL)"] }]
  }
)

const program = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { run } = yield* Transaction
  const rows = yield* sql<{ readonly id: number }>`SELECT id FROM written ORDER BY id`
  process.stdout.write(`kept ${rows.map(({ id }) => id).join(",")}\n`)
  while (true) {
    const id = yield* run(
      Effect.gen(function* () {
        const [row] = yield* sql<{ readonly id: number }>`
          INSERT INTO written (text) VALUES (${"x".repeat(500)}) RETURNING id`
        yield* sql`UPDATE written SET text = text || '!' WHERE id = ${row?.id ?? 0}`
        return row?.id
      })
    )
    process.stdout.write(`wrote ${id}\n`)
  }
}).pipe(
  Effect.provide(Layer.provideMerge(layerTransaction, database)),
  Effect.catchTag("DatabaseLocked", (error) =>
    Effect.sync(() => {
      process.stdout.write(`${error.message}\n`)
      process.exitCode = 1
    })
  )
)

await Effect.runPromise(program)
