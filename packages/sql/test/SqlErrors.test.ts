import { expect, it } from "@effect/vitest"
import { onUnique, orDieSql } from "@slipway/sql"
import { Cause, Data, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { onEachEngine } from "./support/engines.ts"

class NameTaken extends Data.TaggedError("NameTaken")<{ readonly name: string }> {}

onEachEngine(({ database }) => {
  it.effect("onUnique maps only a violation of the named constraint to a domain error", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE team (id integer CONSTRAINT team_id PRIMARY KEY, name text NOT NULL)`
      yield* sql`CREATE UNIQUE INDEX team_name ON team (lower(name))`
      const insert = (id: number, name: string | null) =>
        sql`INSERT INTO team VALUES (${id}, ${name})`.pipe(
          onUnique("team_name", () => new NameTaken({ name: name ?? "" })),
          orDieSql
        )
      yield* insert(1, "Owners")
      expect(yield* Effect.flip(insert(2, "OWNERS"))).toEqual(new NameTaken({ name: "OWNERS" }))
      for (const [failing, tag] of [
        [insert(1, "other"), "UniqueViolation"],
        [insert(3, null), "ConstraintError"],
        [orDieSql(sql`SELEC`), "SqlSyntaxError"]
      ] as const) {
        const exit = yield* Effect.exit(failing)
        const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        expect(isSqlError(defect) && defect.reason._tag).toBe(tag)
      }
    }).pipe(Effect.provide(database))
  )

  it.effect("orDieSql and onUnique keep domain errors unchanged", () =>
    Effect.gen(function* () {
      const failing: Effect.Effect<never, NameTaken> = Effect.fail(new NameTaken({ name: "x" }))
      expect(yield* Effect.flip(orDieSql(failing))).toEqual(new NameTaken({ name: "x" }))
      expect(yield* Effect.flip(onUnique("team_name", () => "no")(failing))).toEqual(new NameTaken({ name: "x" }))
    })
  )
})
