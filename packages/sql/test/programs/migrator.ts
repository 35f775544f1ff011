// Opens a database, which migrates it.
import { Database, DatabaseAddress } from "@slipway/sql"
import { Effect, Layer, Result } from "effect"
import { countingMigrations } from "../support/migrations.ts"

const [text = "", schema = ""] = process.argv.slice(2)
const address = Result.getOrThrow(DatabaseAddress.parse(text))
if (address._tag === "Memory") throw new Error("this program needs SQL")

await Effect.runPromise(Effect.scoped(Layer.build(Database.layer(address, { schema, migrations: countingMigrations }))))
