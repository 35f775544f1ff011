// Creates an embedded database with the empty tables of a service: `node tables.ts forge <directory>`.
import { Database } from "@slipway/sql"
import * as deploy from "@slipway/sql/deploy"
import * as forge from "@slipway/sql/forge"
import { Effect, Layer } from "effect"

const [service, directory = ""] = process.argv.slice(2)
const { migrations } = service === "forge" ? forge : deploy
const migrated = Layer.build(Database.layer({ _tag: "Embedded", directory }, { schema: service ?? "", migrations }))
await Effect.runPromise(Effect.scoped(migrated))
