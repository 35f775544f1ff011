import { describe, expect, layer } from "@effect/vitest"
import { runners, type WorkflowJob } from "@slipway/domain/forge/automation"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { Jobs } from "@slipway/forge/background"
import { layerStores, migrations } from "@slipway/sql/forge"
import { layerTestServer, postgresMissing } from "@slipway/sql/testing"
import { newJobsOf, newRunOf } from "@slipway/testkit/forge"
import { Context, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { basic, type Service, start } from "../support/harness.ts"
import { call, registered } from "../support/runner.ts"

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

describe.skipIf(postgresMissing() !== undefined)("concurrent requests, on a PostgreSQL server", () => {
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

    /** Sends a request while another transaction holds the changed rows; it commits once the request waits for it. */
    const meanwhile = <A, E, B>(sql: SqlClient, change: Effect.Effect<A, E>, request: Effect.Effect<B>) =>
      Effect.gen(function* () {
        const fiber = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* change
            // A separate fiber: a child of this one would share its transaction.
            const fiber = Effect.runFork(request)
            yield* waiting(sql)
            return fiber
          })
        )
        return yield* Fiber.join(fiber)
      })

    it.effect("a resource that is deleted while a request names it is 404, and no defect", () =>
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

    const given = Effect.gen(function* () {
      const { api } = yield* home
      const [dan, eve, org] = ["dan", "eve", "org"].map((name) => `${name}-${made}`) as [string, string, string]
      yield* api.user(dan)
      const { id: other } = yield* api.user(eve)
      const as = { headers: basic(dan) }
      yield* api.ask(201, "POST", "/orgs", { ...as, body: { username: org } })
      const mine = yield* api.ask(201, "POST", "/user/repos", { ...as, body: { name: "mine" } })
      const ours = yield* api.ask(201, "POST", `/orgs/${org}/repos`, { ...as, body: { name: "ours" } })
      const { sql } = api
      const give = (id: number) =>
        sql`UPDATE repository SET organization_id = NULL, user_id = ${other} WHERE id = ${id}`
      const there = (id: number) =>
        Effect.map(sql`SELECT owner_id::float8 FROM repository WHERE id = ${id}`.values, ([row]) => row?.[0] === other)
      return { api, as, dan, give, mine, org, ours, sql, there }
    })

    it.effect("an ephemeral runner that requests a job holds no row lock during the deletion of the run", () =>
      Effect.gen(function* () {
        const { api, name, path } = yield* home
        const { sql } = api
        const { token } = yield* api.ask(200, "POST", `${path}/actions/runners/registration-token`, owner)
        const box = yield* registered(api, token, ["linux"], true)
        const job = yield* api.within(
          Effect.gen(function* () {
            const found = yield* (yield* RepositoryStore).named("ann", name)
            const run = yield* newRunOf((found as NonNullable<typeof found>).repository)
            return (yield* newJobsOf(run, {}))[0] as WorkflowJob
          }).pipe(Effect.orDie)
        )
        // Like a deletion: first the run, and then its jobs, of which the claim has one.
        const fetched = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT FROM workflow_run WHERE id = ${job.runId} FOR UPDATE`
            const fiber = Effect.runFork(call(api, "FetchTask", {}, box))
            yield* waiting(sql)
            yield* sql`SET LOCAL lock_timeout = '500ms'`
            yield* sql`UPDATE workflow_job SET status = 'done', conclusion = 'cancelled' WHERE id = ${job.id}`
            yield* sql`DELETE FROM workflow_run WHERE id = ${job.runId}`
            return fiber
          })
        )
        const { message, status } = yield* Fiber.join(fetched)
        expect([status, message.task]).toEqual([200, undefined])
        // The runner got no job, and may get the next one.
        const next = yield* api.within(Effect.flatMap(runners.store, (store) => store.find({}, box.id)))
        expect(next?.lastActiveAt).toBe(null)
      })
    )

    it.effect("limits on the number of resources hold under concurrent creations", () =>
      Effect.gen(function* () {
        const { api, path } = yield* home
        const { sql } = api
        const on = `${path}/actions`
        const { token } = yield* api.ask(200, "POST", `${on}/runners/registration-token`, owner)
        const register = (name: string) =>
          Effect.map(call(api, "Register", { name, token, labels: [], version: "" }), ({ status }) => status)
        const sent = (method: "POST" | "PUT", to: string, body: object) =>
          Effect.map(api.send(method, to, { ...owner, body }), ({ status }) => status)
        const hook = { type: "gitea", config: { url: "https://ci.example/", content_type: "json" } }
        const program = { redirect_uris: ["https://ci.example/"] }
        const mirror = { remote_address: "https://ci.example/a.git" }
        const begin = Effect.map(api.fetch("POST", "/v2/ann/lamp/blobs/uploads/", owner), ({ status }) => status)
        // Each with its unique columns.
        const makers = [
          [
            "action_secret",
            100,
            (name: string) => sent("PUT", `${on}/secrets/${name}`, { data: "x" }),
            [201, 403],
            ["name", "uuid"]
          ],
          [
            "action_variable",
            100,
            (name: string) => sent("POST", `${on}/variables/${name}`, { value: "x" }),
            [201, 403],
            ["name"]
          ],
          ["runner", 100, register, [200, 400], ["name", "uuid", "token_hash"]],
          ["hook", 50, () => sent("POST", `${path}/hooks`, hook), [201, 403], ["uuid"]],
          ["mirror", 8, () => sent("POST", `${path}/push_mirrors`, mirror), [200, 422], ["name", "uuid"]],
          [
            "oauth2_application",
            100,
            (name: string) => sent("POST", "/user/applications/oauth2", { ...program, name }),
            [201, 403],
            ["client_id", "secret_hash"]
          ],
          [
            "badge",
            500,
            (name: string) => sent("POST", "/admin/badges", { slug: name.toLowerCase(), description: "first" }),
            [201, 403],
            ["slug"]
          ],
          ["container_upload", 1_000, () => begin, [202, 429], ["uuid"]]
        ] as const
        for (const [table, most, make, statuses, named] of makers) {
          const [made] = yield* Effect.all([make("FIRST")])
          expect([table, made]).toEqual([table, statuses[0]])
          const columns = yield* sql`
            SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
            WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL (${["id", ...named]}::text[])`
            .values
          yield* sql`
            INSERT INTO ${sql.literal(table)} (${sql.literal([...named, columns[0]?.[0]].join(", "))})
            SELECT ${sql.literal([...named.map((column) => `${column} || n`), columns[0]?.[0]].join(", "))}
            FROM ${sql.literal(table)}, generate_series(2, ${most - 1}) n
            WHERE ${sql.literal(table)}.id = (SELECT max(id) FROM ${sql.literal(table)})`
          const many = yield* Effect.all([make("ONE"), make("OTHER"), make("THIRD")], { concurrency: "unbounded" })
          expect([table, many.toSorted()]).toEqual([table, [statuses[0], statuses[1], statuses[1]]])
        }
      })
    )

    it.effect(
      "a repository that was transferred during the request is neither transferred nor deleted by its former owner",
      () =>
        Effect.gen(function* () {
          const { api, as, dan, give, mine, sql, there } = yield* given
          const offer = api.send("POST", `/repos/${dan}/mine/transfer`, { ...as, body: { new_owner: "ann" } })
          expect((yield* meanwhile(sql, give(mine.id), offer)).status).toBe(404)
          expect(yield* sql`SELECT id FROM transfer WHERE repository_id = ${mine.id}`.values).toEqual([])
          const second = yield* api.ask(201, "POST", "/user/repos", { ...as, body: { name: "second" } })
          const remove = api.send("DELETE", `/repos/${dan}/second`, as)
          expect((yield* meanwhile(sql, give(second.id), remove)).status).toBe(404)
          expect(yield* there(second.id)).toBe(true)
        })
    )

    it.effect(
      "a repository that an organization transferred stays when the organization's repositories are deleted",
      () =>
        Effect.gen(function* () {
          const { api, as, give, org, ours, sql, there } = yield* given
          yield* api.ask(202, "DELETE", `/orgs/${org}/repos`, as)
          yield* meanwhile(sql, give(ours.id), api.within(Jobs.runDue))
          expect(yield* there(ours.id)).toBe(true)
        })
    )
  })
})
