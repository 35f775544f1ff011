// Creates many applications with the same domain concurrently, as soon as the starting lock is free. Prints how many
// were created and how many were refused for the domain.

import { Applications } from "@slipway/deploy/apps"
import { system } from "@slipway/domain/deploy/entry"
import { Database, DatabaseAddress } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { testLayer } from "@slipway/testkit"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const [url = "", schema = "", startingLock = "", body = "", times = ""] = process.argv.slice(2)
const address = Result.getOrThrow(DatabaseAddress.parse(url))
if (address._tag !== "Server") throw new Error("this needs the address of a server")

const program = Effect.gen(function* () {
  const sql = yield* SqlClient
  process.stdout.write("ready\n")
  yield* sql.withTransaction(sql`SELECT pg_advisory_xact_lock_shared(${startingLock}::bigint)`)
  const outcomes = yield* Effect.forEach(
    Array.from({ length: Number(times) }),
    () =>
      Applications.create(system("application.create"), "public", JSON.parse(body)).pipe(
        Effect.as("created"),
        Effect.catchTag("DomainConflicts", () => Effect.succeed("refused"))
      ),
    { concurrency: "unbounded" }
  )
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length
  process.stdout.write(`${JSON.stringify({ created: count("created"), refused: count("refused") })}\n`)
})

await Effect.runPromise(
  Effect.provide(
    program,
    Layer.provideMerge(layerStores, Database.layer(address, { schema, migrations })).pipe(Layer.merge(testLayer))
  )
)
