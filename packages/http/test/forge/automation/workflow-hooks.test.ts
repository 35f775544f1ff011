import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, rootUrl } from "../support/harness.ts"
import { ann, at, bob, type Json, misshapen, type Observation, site } from "../support/observations.ts"
import { call, registered } from "../support/runner.ts"

const ci = `
name: CI
on: push
jobs:
  build: { runs-on: linux, steps: [{ name: Compile, run: make }] }
  test: { needs: build, runs-on: linux, steps: [{ run: make test }] }
`

const beginning = Effect.fnUntraced(function* (text: string, called?: string) {
  const { api, file, told } = yield* site
  const encoded = (text: string) => Buffer.from(text).toString("base64")
  if (called !== undefined) yield* file(".forgejo/workflows/called.yml", { content: encoded(called) })
  const workflow = yield* file(".forgejo/workflows/ci.yml", { content: encoded(text) })
  /** Returns the deliveries about runs and jobs since the last call, after all due jobs ran. */
  const news = Effect.gen(function* () {
    const all: Array<Observation[number]> = []
    for (let turn = 0; turn < 3; turn++) all.push(...(yield* told))
    return all.filter(({ event }) => event?.startsWith("workflow_"))
  })
  const { token } = yield* api.ask(200, "POST", `${at}/actions/runners/registration-token`, bob)
  const box = yield* registered(api, token)
  const fetch = Effect.map(call(api, "FetchTask", { tasksVersion: 0n }, box), ({ message }) => message.task?.id ?? 0n)
  const end = (id: bigint, result: number) => call(api, "UpdateTask", { state: { id, result, steps: [] } }, box)
  return { api, commit: workflow.commit.sha as string, end, fetch, news, told }
})

const begun = beginning(ci)

const words = (all: Observation) =>
  all.map(({ event, payload }) => {
    const part = (payload.workflow_run ?? payload.workflow_job) as Json
    return [event, payload.action, part.name ?? part.display_title, part.status, part.conclusion].join(" ")
  })

describe("webhook deliveries about workflows", () => {
  it.live("contain the state of each run and job at the time of the event", () =>
    Effect.gen(function* () {
      const { api, commit, end, fetch, news } = yield* begun
      const started = yield* news
      expect(words(started)).toEqual([
        "workflow_run requested Add .forgejo/workflows/ci.yml queued ",
        "workflow_job queued build queued ",
        "workflow_job waiting test waiting "
      ])
      // A job has steps only after a runner took it.
      expect(started[1]?.payload).toMatchObject({ workflow_job: { steps: [] } })
      const [run] = (yield* api.ask(200, "GET", `${at}/actions/runs`, bob)).workflow_runs
      const shown = yield* api.ask(200, "GET", `${at}/actions/workflows/ci.yml`, bob)
      expect(started[0]).toMatchObject({
        event: "workflow_run",
        type: "workflow_run",
        payload: {
          action: "requested",
          workflow: { id: "ci.yml", name: "CI", path: ".forgejo/workflows/ci.yml", state: "active", url: shown.url },
          workflow_run: {
            id: run.id,
            url: `${rootUrl}/api/v1${at}/actions/runs/${run.id}`,
            display_title: "Add .forgejo/workflows/ci.yml",
            event: "push",
            path: ".forgejo/workflows/ci.yml@refs/heads/main",
            run_number: 1,
            run_attempt: 1,
            status: "queued",
            conclusion: null,
            head_branch: "main",
            head_sha: commit,
            actor: { login: "bob" },
            trigger_actor: { login: "bob" },
            repository: { full_name: "bob/site" }
          },
          repository: { full_name: "bob/site" },
          sender: { login: "bob" }
        }
      })

      const build = yield* fetch
      expect(words(yield* news)).toEqual([
        "workflow_run in_progress Add .forgejo/workflows/ci.yml in_progress ",
        "workflow_job in_progress build in_progress "
      ])
      // Later deliveries keep their state: the first job has finished, and the second has started.
      yield* end(build, 1)
      const test = yield* fetch
      yield* end(test, 2)
      const ended = yield* news
      expect(words(ended)).toEqual([
        "workflow_job completed build completed success",
        "workflow_job queued test queued ",
        "workflow_job in_progress test in_progress ",
        "workflow_job completed test completed failure",
        "workflow_run completed Add .forgejo/workflows/ci.yml completed failure"
      ])
      expect(ended[0]?.payload).toMatchObject({
        workflow_job: {
          id: Number(build),
          run_id: run.id,
          run_url: `${rootUrl}/api/v1${at}/actions/runs/${run.id}`,
          run_attempt: 1,
          labels: ["linux"],
          head_branch: "main",
          head_sha: commit,
          runner_name: "box",
          steps: [{ name: "Compile", number: 1, status: "completed", conclusion: "success" }]
        },
        sender: { login: "bob" }
      })
      expect(misshapen("workflow_run", { ...ended.at(-1)?.payload, workflow_run: { id: "1" } })).toContain(
        "workflow_run/workflow_run/id must be integer"
      )
    })
  )

  it.live("include jobs of called workflows, and runs that wait for their concurrency group", () =>
    Effect.gen(function* () {
      const { api, end, fetch, news } = yield* beginning(
        "on: [push, workflow_dispatch]\nconcurrency: one\njobs: { build: { uses: ./.forgejo/workflows/called.yml } }",
        "on: workflow_call\njobs: { make: { runs-on: linux, steps: [{ run: make }] } }"
      )
      const started = yield* news
      expect(words(started)).toEqual([
        "workflow_run requested Add .forgejo/workflows/ci.yml queued ",
        "workflow_job in_progress build in_progress ",
        "workflow_job queued build / make queued "
      ])
      expect(started[1]?.payload).toMatchObject({ workflow_job: { labels: [], runner_id: 0, steps: [] } })
      yield* api.ask(204, "POST", `${at}/actions/workflows/ci.yml/dispatches`, { ...bob, body: { ref: "main" } })
      const queued = yield* news
      expect(words(queued)).toEqual([
        "workflow_run requested ci.yml waiting ",
        "workflow_job waiting build waiting ",
        "workflow_job waiting build / make waiting "
      ])
      yield* end(yield* fetch, 1)
      expect(words(yield* news)).toEqual([
        "workflow_run in_progress Add .forgejo/workflows/ci.yml in_progress ",
        "workflow_job in_progress build / make in_progress ",
        "workflow_job completed build / make completed success",
        "workflow_job completed build completed success",
        "workflow_run completed Add .forgejo/workflows/ci.yml completed success",
        "workflow_job in_progress build in_progress ",
        "workflow_job queued build / make queued "
      ])
    })
  )

  it.live("are sent for reruns, cancellations and deletions, and for a file that is not a valid workflow", () =>
    Effect.gen(function* () {
      const { api, end, fetch, news } = yield* begun
      yield* news
      yield* end(yield* fetch, 1)
      yield* end(yield* fetch, 2)
      yield* news
      const [{ id }] = (yield* api.ask(200, "GET", `${at}/actions/runs`, bob)).workflow_runs
      yield* api.ask(201, "POST", `${at}/actions/runs/${id}/rerun-failed-jobs`, bob)
      const title = "Add .forgejo/workflows/ci.yml"
      const again = yield* news
      // Some of its jobs have finished, as in a run in progress.
      expect(words(again)).toEqual([
        `workflow_run in_progress ${title} in_progress `,
        "workflow_job queued test queued "
      ])
      expect(again[1]?.payload.workflow_job).toMatchObject({ run_attempt: 2 })
      yield* api.ask(204, "POST", `${at}/actions/runs/${id}/cancel`, bob)
      yield* api.ask(204, "DELETE", `${at}/actions/runs/${id}`, bob)
      expect(words(yield* news)).toEqual([
        "workflow_job completed test completed cancelled",
        `workflow_run completed ${title} completed cancelled`
      ])
      const content = Buffer.from("on: [push").toString("base64")
      yield* api.ask(201, "POST", `${at}/contents/.forgejo/workflows/broken.yml`, {
        ...bob,
        body: { content, message: "Break it", branch: "main" }
      })
      const broken = (yield* news).filter(({ payload }) => (payload.workflow as Json | undefined)?.id === "broken.yml")
      expect(broken.map(({ payload }) => [payload.action, (payload.workflow_run as Json).conclusion])).toEqual([
        ["completed", "failure"]
      ])
    })
  )

  it.live("I7: are withheld when the creator of the webhook loses read permission", () =>
    Effect.gen(function* () {
      const { api, fetch, news } = yield* begun
      yield* news
      yield* api.ask(204, "PUT", `${at}/collaborators/ann`, { ...bob, body: { permission: "admin" } })
      const config = { url: "https://ann.example/", content_type: "json" }
      const events = ["workflow_run", "workflow_job"]
      const body = { type: "gitea", active: true, config, events }
      const { events: kept, id } = yield* api.ask(201, "POST", `${at}/hooks`, { ...ann, body })
      expect(kept).toEqual(events)
      yield* api.ask(204, "DELETE", `${at}/collaborators/ann`, bob)
      yield* fetch
      expect((yield* news).map(({ url }) => url)).toEqual(["https://ci.example/", "https://ci.example/"])
      const deliveries = yield* api.ask(200, "GET", `${at}/hooks/${id}/deliveries`, bob)
      expect(deliveries.map(({ event, reason, state }: Json) => [event, state, reason])).toEqual([
        ["workflow_job", "withheld", "ann, who set the webhook, can no longer read it"],
        ["workflow_run", "withheld", "ann, who set the webhook, can no longer read it"]
      ])
    })
  )

  it.live("I9: contain only public data of users and of the repository, and nothing of other repositories", () =>
    Effect.gen(function* () {
      const { api, fetch, news } = yield* begun
      yield* api.user("root", { admin: true })
      yield* news
      yield* api.ask(200, "PATCH", "/user/settings", { ...bob, body: { hide_email: true, full_name: "Bob B." } })
      yield* api.ask(200, "PATCH", "/admin/users/bob", {
        headers: basic("root"),
        body: { login_name: "bob", source_id: 0, visibility: "private" }
      })
      yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "other", auto_init: true } })
      const config = { url: "https://other.example/", content_type: "json" }
      const body = { type: "gitea", active: true, config, events: ["*"] }
      yield* api.ask(201, "POST", "/repos/ann/other/hooks", { ...ann, body })
      yield* fetch
      const told = yield* news
      expect(told.map(({ url }) => url)).toEqual(["https://ci.example/", "https://ci.example/"])
      const [run = { payload: {} as Json }] = told
      const { actor, repository } = run.payload.workflow_run as Record<string, Json>
      const person = { login: "bob", full_name: "", email: "bob@noreply.forge.test" }
      expect(actor).toMatchObject(person)
      expect(run.payload.sender).toMatchObject(person)
      expect(repository?.owner).toMatchObject({ login: "bob", full_name: "" })
      expect(JSON.stringify(told)).not.toContain("Bob B.")
    })
  )
})
