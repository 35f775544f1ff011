import { describe, expect, it } from "@effect/vitest"
import { type HookRequest, HookSender } from "@slipway/domain"
import { runners, workflowJobs, workflowLogs } from "@slipway/domain/forge/automation"
import { runnerCleanup } from "@slipway/forge/automation"
import { Jobs } from "@slipway/forge/background"
import { HookWork } from "@slipway/forge/integrations"
import { Effect } from "effect"
import { basic, bearer, type Chosen, start } from "../support/harness.ts"
import { type Credentials, call, registered } from "../support/runner.ts"
import { stores } from "../support/stores.ts"

const ann = { headers: basic("ann") }
const root = { headers: basic("root") }
const at = "/repos/ann/site"

const ci = `
on: push
jobs:
  build:
    runs-on: linux
    outputs: { version: "\${{ steps.v.outputs.version }}" }
    steps:
      - { name: Compile, run: make }
      - { id: v, run: make version }
  test:
    needs: build
    runs-on: linux
    steps: [{ run: make test }]
`

const siteIn = Effect.fnUntraced(function* (store: Chosen["store"], workflow = ci) {
  const api = yield* start(store === undefined ? {} : { store })
  yield* api.user("ann")
  yield* api.user("root", { admin: true })
  yield* api.ask(201, "POST", "/user/repos", {
    ...ann,
    body: { name: "site", auto_init: true, default_branch: "main", private: true }
  })
  yield* api.ask(201, "PUT", `${at}/actions/secrets/DEPLOY`, { ...ann, body: { data: "hush" } })
  yield* api.ask(201, "POST", `${at}/actions/variables/COLOUR`, { ...ann, body: { value: "blue" } })
  const sender = { send: (_: HookRequest) => Effect.succeed({ status: 200, headers: {}, body: "" }) }
  yield* api.ask(201, "POST", `${at}/contents/.forgejo/workflows/ci.yml`, {
    ...ann,
    body: { content: Buffer.from(workflow).toString("base64"), message: "Add CI", branch: "main" }
  })
  yield* api.within(
    Effect.gen(function* () {
      for (let turn = 0; turn < 3; turn++) {
        yield* Jobs.runDue
        yield* Effect.provideService(HookWork.runDue, HookSender, sender)
      }
    })
  )
  const runner = (labels?: ReadonlyArray<string>, ephemeral?: boolean) =>
    Effect.flatMap(api.ask(200, "POST", `${at}/actions/runners/registration-token`, ann), ({ token }) =>
      registered(api, token, labels, ephemeral)
    )
  const fetch = (by: Credentials) =>
    Effect.map(call(api, "FetchTask", { tasksVersion: 0n }, by), ({ message }) => message.task)
  return { api, runner, fetch }
})

const seconds = (value: number) => ({ seconds: 1_750_000_000n + BigInt(value), nanos: 250_000_000 })
const row = (second: number, content: string) => ({ time: seconds(second), content })

for (const [kind, store] of stores) {
  describe(`jobs by the protocol of runners in ${kind}`, () => {
    it.live("are fetched, updated and finished by runners, and dependent jobs start afterwards", () =>
      Effect.gen(function* () {
        const { api, fetch, runner } = yield* siteIn(store)
        const box = yield* runner()
        const task = yield* fetch(box)
        if (task === undefined) return yield* Effect.die(new Error("there is no task"))
        const workflow = JSON.parse(Buffer.from(task.workflowPayload).toString())
        expect(Object.keys(workflow.jobs)).toEqual(["build"])
        expect(workflow.jobs.build.steps.length).toBe(2)
        const { token } = task.context
        expect(task.context).toMatchObject({
          repository: "ann/site",
          // The address that the runner used, since the site has no configured one.
          server_url: "https://forge.test",
          api_url: "https://forge.test/api/v1",
          event_name: "push",
          ref: "refs/heads/main",
          job: "build"
        })
        expect(task.secrets).toEqual({ DEPLOY: "hush", GITHUB_TOKEN: token, GITEA_TOKEN: token })
        expect([task.vars, task.needs]).toEqual([{ COLOUR: "blue" }, {}])
        // The token with which the runner clones.
        expect((yield* api.ask(200, "GET", at, { headers: bearer(String(token)) })).full_name).toBe("ann/site")
        expect(yield* fetch(box)).toBeUndefined()
        const busy = yield* api.ask(200, "GET", `${at}/actions/runners/${box.id}`, ann)
        expect([busy.status, busy.busy]).toEqual(["online", true])

        const log = (index: number, rows: ReadonlyArray<ReturnType<typeof row>>, noMore = false) =>
          Effect.map(
            call(api, "UpdateLog", { taskId: task.id, index: BigInt(index), rows, noMore }, box),
            ({ message }) => Number(message.ackIndex)
          )
        expect(yield* log(0, [row(1, "make: ü"), row(2, "nul \0 in it")])).toBe(2)
        // Repeated lines are ignored; lines that come too early are requested again.
        expect(yield* log(1, [row(2, "again"), row(3, "third")])).toBe(3)
        expect(yield* log(9, [row(9, "too early")])).toBe(3)

        const state = {
          id: task.id,
          result: 0,
          startedAt: seconds(0),
          steps: [
            { id: 0n, result: 1, startedAt: seconds(0), stoppedAt: seconds(2), logIndex: 0n, logLength: 2n },
            { id: 1n, result: 0, startedAt: seconds(2), logIndex: 2n, logLength: 1n }
          ]
        }
        const running = yield* call(api, "UpdateTask", { state, outputs: { version: "1.2" } }, box)
        expect(running.message).toMatchObject({ state: { id: task.id, result: 0 }, sentOutputs: ["version"] })
        expect(yield* log(3, [], true)).toBe(3)
        const [, second] = state.steps
        const end = { ...state, result: 1, stoppedAt: seconds(5), steps: [state.steps[0], { ...second, result: 1 }] }
        const ended = yield* call(api, "UpdateTask", { state: end as never, outputs: {} }, box)
        expect(ended.message).toMatchObject({ state: { id: task.id, result: 1 }, sentOutputs: ["version"] })

        const [job, text] = yield* api.within(
          Effect.gen(function* () {
            const [job] = (yield* (yield* workflowJobs.store).list(
              { repositoryId: Number((yield* api.ask(200, "GET", at, ann)).id) as never },
              { limit: 1 }
            )).rows
            if (job === undefined) return yield* Effect.die(new Error("there is no job"))
            const { rows } = yield* (yield* workflowLogs.store).list({ jobId: job.id }, { limit: 10 })
            return [job, rows.map((each) => each.text).join("")] as const
          })
        )
        expect(job).toMatchObject({
          status: "done",
          conclusion: "success",
          runnerName: "box",
          startedAt: "2025-06-15T15:06:40.250Z",
          outputs: { version: "1.2" },
          logDone: true
        })
        expect(text).toBe(
          [
            "2025-06-15T15:06:41.250Z make: ü",
            "2025-06-15T15:06:42.250Z nul \uFFFD in it",
            "2025-06-15T15:06:43.250Z third",
            ""
          ].join("\n")
        )
        // The token expires with the job. The next job gets its outputs.
        yield* api.ask(401, "GET", at, { headers: bearer(String(token)) })
        const next = yield* fetch(box)
        expect(next?.context.job).toBe("test")
        expect(next?.needs).toMatchObject({ build: { result: 1, outputs: { version: "1.2" } } })
      })
    )

    it.live("are accessible only to the runner that runs them (I6)", () =>
      Effect.gen(function* () {
        const { api, fetch, runner } = yield* siteIn(store)
        const [box, other] = [yield* runner(), yield* runner()]
        const id = (yield* fetch(box))?.id ?? 0n
        const missing = [404, ["not_found", "the task does not belong to the runner"]]
        for (const [by, taskId] of [
          [other, id],
          [box, id + 1n],
          [box, -1n],
          [box, 9_223_372_036_854_775_807n]
        ] as const) {
          const update = yield* call(api, "UpdateTask", { state: { id: taskId, result: 1, steps: [] } }, by)
          expect([update.status, update.failure]).toEqual(missing)
          const log = yield* call(api, "UpdateLog", { taskId, index: 0n, rows: [row(1, "x")], noMore: true }, by)
          expect([log.status, log.failure]).toEqual(missing)
        }
        expect((yield* call(api, "UpdateTask", { outputs: { a: "b" } }, box)).failure).toEqual(missing[1])
      })
    )

    it.live("are assigned only to enabled runners of the same scope with the required labels", () =>
      Effect.gen(function* () {
        const { api, fetch, runner } = yield* siteIn(store)
        expect(yield* fetch(yield* runner(["mac"]))).toBeUndefined()
        const box = yield* runner(["linux:docker://debian", "mac"])
        yield* api.ask(200, "PATCH", `${at}/actions/runners/${box.id}`, { ...ann, body: { disabled: true } })
        expect(yield* fetch(box)).toBeUndefined()
        yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "shop" } })
        const { token } = yield* api.ask(200, "POST", "/orgs/shop/actions/runners/registration-token", ann)
        expect(yield* fetch(yield* registered(api, token))).toBeUndefined()
        const { token: wide } = yield* api.ask(200, "POST", "/admin/actions/runners/registration-token", root)
        const site = yield* registered(api, wide)
        expect((yield* fetch(site))?.context.job).toBe("build")
      })
    )

    it.live("are assigned to one runner only, and an ephemeral runner is deleted after one job", () =>
      Effect.gen(function* () {
        const many = `on: push\njobs: {${["a", "b", "c"].map((key) => ` ${key}: { runs-on: linux, steps: [{ run: x }] }`).join(",")} }\n`
        const { api, fetch, runner } = yield* siteIn(store, many)
        const once = yield* runner(["linux"], true)
        const asked = yield* Effect.forEach([1, 2, 3, 4], () => fetch(once), { concurrency: "unbounded" })
        const [task, ...more] = asked.filter((each) => each !== undefined)
        expect(more).toEqual([])
        const box = yield* runner()
        const others = yield* Effect.forEach([1, 2, 3, 4], () => fetch(box), { concurrency: "unbounded" })
        const jobs = [task, ...others].flatMap((each) => (each === undefined ? [] : [each.context.job]))
        expect(jobs.sort()).toEqual(["a", "b", "c"])

        const state = { id: task?.id ?? 0n, result: 2, steps: [] }
        expect((yield* call(api, "UpdateTask", { state }, once, "json")).message.state.result).toBe(2)
        expect((yield* call(api, "FetchTask", {}, once)).status).toBe(401)
        const left = yield* api.within(Effect.flatMap(runners.store, (each) => each.list({}, { limit: 10 })))
        expect(left.rows.map(({ id }) => Number(id))).toEqual([box.id])

        const removed = yield* api.ask(200, "GET", "/admin/audit?action=repository.actions.runner.delete", root)
        expect(removed.map(({ actor, details }: Record<string, unknown>) => [actor, details])).toEqual([
          [null, { runner: once.id, name: "box", because: "its job is finished" }]
        ])

        // An ephemeral runner that never returned is deleted a day later.
        const lost = yield* runner(["linux"], true)
        const online = yield* runner(["linux"], true)
        const names = api.within(
          Effect.gen(function* () {
            const store = yield* runners.store
            for (const { id } of [lost, box]) {
              yield* Effect.orDie(store.patch({}, id, { lastOnlineAt: "2026-01-01T00:00:00.000Z" }))
            }
            yield* runnerCleanup.run
            return (yield* store.list({}, { limit: 10 })).rows.map(({ id }) => Number(id))
          })
        )
        expect(yield* names).toEqual([box.id, online.id])
      })
    )
  })
}
