import { assert } from "@effect/vitest"
import { Databases } from "@slipway/deploy/databases"
import type { Placement } from "@slipway/domain/deploy/apps"
import { type Database, type DatabaseKinds, DatabaseStore } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { Effect } from "effect"
import { pass } from "./support.ts"

/** An update of a database without changes. */
export const nothing = { limits: {}, fields: {} }

/** Creates a database in a placement. */
export const plantDatabase = (
  { placement }: { readonly placement: Placement },
  input: Partial<Databases.DatabaseInput> = {},
  kind: DatabaseKinds.DatabaseKind = "postgresql"
) =>
  Databases.create(
    system("database.create"),
    kind,
    { ...nothing, ...input },
    {
      projectUuid: placement.projectUuid,
      environmentUuid: placement.environmentUuid,
      serverUuid: placement.serverUuid
    },
    false
  )

/** Reads an existing database. */
export const shownDatabase = Effect.fnUntraced(function* ({ uuid }: Pick<Database, "uuid">) {
  return (yield* (yield* DatabaseStore).find(uuid)) ?? assert.fail("the database is gone")
})

/** Advances time until the request of a database is done or has failed, and a little more. */
export const settle = Effect.fnUntraced(function* (database: Pick<Database, "uuid">, most = 60) {
  for (let passed = 0; passed < most; passed++) {
    const { state } = yield* shownDatabase(database)
    if (state === "done" || state === "failed") break
    yield* pass(1)
  }
  yield* pass(2)
  return yield* shownDatabase(database)
})

/** Starts a database, and advances time until it runs. */
export const runDatabase = Effect.fnUntraced(function* (database: Database) {
  yield* Databases.start(system("database.deploy", { database }))
  return yield* settle(database)
})
