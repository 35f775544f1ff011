import { globSync, readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { type HookRequest, HookSender } from "@slipway/domain"
import { configIn, readTemplate } from "@slipway/domain/forge/collaboration"
import { Jobs } from "@slipway/forge/background"
import { ownershipRules } from "@slipway/forge/collaboration"
import { HookWork } from "@slipway/forge/integrations"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"
import { call, registered } from "../support/runner.ts"

const root = new URL("../../../../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")
const ann = { headers: basic("ann") }

it.live("the forge runs the project's CI workflow on a runner, which reports success", () =>
  Effect.gen(function* () {
    const api = yield* start()
    yield* api.user("ann")
    yield* api.ask(201, "POST", "/user/repos", {
      ...ann,
      body: { name: "site", auto_init: true, default_branch: "main" }
    })
    const content = Buffer.from(read(".forgejo/workflows/ci.yml")).toString("base64")
    yield* api.ask(201, "POST", "/repos/ann/site/contents/.forgejo/workflows/ci.yml", {
      ...ann,
      body: { content, message: "Add CI", branch: "main" }
    })
    const sender = { send: (_: HookRequest) => Effect.succeed({ status: 200, headers: {}, body: "" }) }
    yield* api.within(
      Effect.gen(function* () {
        for (let turn = 0; turn < 3; turn++) {
          yield* Jobs.runDue
          yield* Effect.provideService(HookWork.runDue, HookSender, sender)
        }
      })
    )
    const { token } = yield* api.ask(200, "POST", "/repos/ann/site/actions/runners/registration-token", ann)
    const runner = yield* registered(api, token)
    const { message } = yield* call(api, "FetchTask", { tasksVersion: 0n }, runner)
    const task = message.task
    if (task === undefined) return yield* Effect.die(new Error("the runner got no job"))
    const { check } = JSON.parse(Buffer.from(task.workflowPayload).toString()).jobs
    expect(check.steps.map(({ run, uses }: { readonly run?: string; readonly uses?: string }) => run ?? uses)).toEqual([
      "https://code.forgejo.org/actions/checkout@v4",
      ".ci/run"
    ])
    const time = { seconds: 1_750_000_000n, nanos: 0 }
    const state = { id: task.id, result: 1, startedAt: time, stoppedAt: time, steps: [] }
    yield* call(api, "UpdateTask", { state: state as never, outputs: {} }, runner)
    const { workflow_runs: runs } = yield* api.ask(200, "GET", "/repos/ann/site/actions/runs", ann)
    expect(
      runs.map((run: { readonly status: string; readonly conclusion: string }) => [run.status, run.conclusion])
    ).toEqual([["completed", "success"]])
  })
)

it("the forge reads the project's issue templates and code owners", () => {
  const files = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: root }).filter((path) => !path.endsWith("config.yml"))
  expect(files.map((path) => readTemplate(path, read(path))?.name).toSorted()).toEqual([
    "Bug report",
    "Feature request"
  ])
  expect(configIn(read(".github/ISSUE_TEMPLATE/config.yml"))).toEqual({ blankIssues: false, contactLinks: [] })
  expect(ownershipRules(read(".forgejo/CODEOWNERS"))).toHaveLength(1)
})
