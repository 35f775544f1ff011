import { describe, expect, layer } from "@effect/vitest"
import { layerStores, migrations } from "@slipway/sql/forge"
import { layerTestServer, postgresMissing } from "@slipway/sql/testing"
import { Context, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { basic, type Service, start } from "./support/harness.ts"

interface Racing extends Service {
  readonly sql: SqlClient
}

class Api extends Context.Service<Api, Racing>()("test/forge/races/Api") {
  static readonly layer = Layer.effect(
    Api,
    Effect.gen(function* () {
      const database = Layer.succeedContext(yield* Effect.context<SqlClient>())
      const api = yield* start({ store: Layer.provide(layerStores, database as never) })
      return { ...api, sql: yield* SqlClient }
    })
  ).pipe(Layer.provide(Layer.orDie(layerTestServer({ migrations }))))
}

/** Waits until a statement of another connection waits for a lock. */
const waiting = (sql: SqlClient): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const [row] = yield* sql`
      SELECT count(*)::float8 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      .values
    if (Number(row?.[0]) > 0) return
    yield* Effect.sleep(5)
    yield* waiting(sql)
  })

const owner = { headers: basic("ann") }

describe.skipIf(postgresMissing() !== undefined)("requests that meet others, on a PostgreSQL server", () => {
  layer(Api.layer, { excludeTestServices: true })((it) => {
    let made = 0
    const home = Effect.gen(function* () {
      const api = yield* Api
      if (made === 0) yield* api.user("ann", { admin: true })
      const name = `home-${made++}`
      yield* api.ask(201, "POST", "/user/repos", { ...owner, body: { name } })
      const path = `/repos/ann/${name}`
      const issue = (title: string) => api.ask(201, "POST", `${path}/issues`, { ...owner, body: { title } })
      const door = yield* issue("door")
      const window = yield* issue("window")
      return { api, door, name, path, window }
    })

    /** Sends a request while another transaction holds what it changed, which commits once the request waits for it. */
    const meanwhile = <A, E, B>(sql: SqlClient, change: Effect.Effect<A, E>, request: Effect.Effect<B>) =>
      Effect.gen(function* () {
        const fiber = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* change
            const fiber = yield* Effect.forkDetach(request)
            yield* waiting(sql)
            return fiber
          })
        )
        return yield* Fiber.join(fiber)
      })

    it.effect("what a request names and is deleted meanwhile is missing, and no defect", () =>
      Effect.gen(function* () {
        const { api, door, name, path, window } = yield* home
        const { sql } = api
        const { id } = yield* api.ask(201, "POST", `${path}/labels`, {
          ...owner,
          body: { name: "big", color: "ffffff" }
        })
        const label = api.send("POST", `${path}/issues/${door.number}/labels`, { ...owner, body: { labels: [id] } })
        expect((yield* meanwhile(sql, sql`DELETE FROM label WHERE id = ${id}`, label)).status).toBe(404)
        const title = { ...owner, body: { title: "soon" } }
        const milestone = (yield* api.ask(201, "POST", `${path}/milestones`, title)).id
        const given = api.send("PATCH", `${path}/issues/${door.number}`, { ...owner, body: { milestone } })
        expect((yield* meanwhile(sql, sql`DELETE FROM milestone WHERE id = ${milestone}`, given)).status).toBe(404)
        const other = { ...owner, body: { owner: "ann", repo: name, index: window.number } }
        const wait = api.send("POST", `${path}/issues/${door.number}/dependencies`, other)
        expect((yield* meanwhile(sql, sql`DELETE FROM issue WHERE id = ${window.id}`, wait)).status).toBe(404)
        expect(api.logged.join("\n")).not.toContain("failed")
      })
    )
  })
})
