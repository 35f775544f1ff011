import { expect, it } from "@effect/vitest"
import { ApplicationStore, DomainKey, DomainStore } from "@slipway/domain/deploy/apps"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/deploy"
import { testSchema, testServer } from "@slipway/sql/testing"
import { plantPlace } from "@slipway/testkit/deploy"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onServer } from "../support/engines.ts"
import { startProgram } from "../support/processes.ts"
import { bodyAt } from "./support.ts"

const startingLock = "7151"

/** Makes two processes create 25 applications each concurrently, all with one domain. */
const race = (fields: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const address = yield* testServer
    const schema = testSchema()
    return yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      const { placement } = yield* plantPlace()
      const body = JSON.stringify(bodyAt(placement, { domains: "https://wanted.example", ...fields }))
      const programs = [1, 2].map(() =>
        startProgram("creator.ts", Redacted.value(address.url), schema, startingLock, body, "25")
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT pg_advisory_xact_lock(${startingLock}::bigint)`
          for (const program of programs) yield* Effect.promise(() => program.line((line) => line === "ready"))
        })
      )
      let created = 0
      let refused = 0
      for (const program of programs) {
        const outcome = JSON.parse(yield* Effect.promise(() => program.line((line) => line.startsWith("{"))))
        created += outcome.created
        refused += outcome.refused
        expect(yield* Effect.promise(() => program.end)).toBe(0)
      }
      const claims = yield* (yield* DomainStore).claims([DomainKey.make("wanted.example")])
      return { created, refused, stored: yield* (yield* ApplicationStore).count, claims: claims.length }
    }).pipe(
      Effect.provide(Layer.fresh(Layer.provideMerge(layerStores, Database.layer(address, { schema, migrations }))))
    )
  })

onServer("two processes on one PostgreSQL", () => {
  it.live("fifty concurrent creations with one domain: one succeeds, forty-nine are refused", () =>
    Effect.map(race({}), (outcome) => expect(outcome).toEqual({ created: 1, refused: 49, stored: 1, claims: 1 }))
  )

  it.live("fifty concurrent creations with a forced shared domain all succeed", () =>
    Effect.map(race({ force_domain_override: true }), (outcome) =>
      expect(outcome).toEqual({ created: 50, refused: 0, stored: 50, claims: 50 })
    )
  )
})
