import { describe, expect, it } from "@effect/vitest"
import { runners } from "@slipway/domain/forge/automation"
import { RunnerWork } from "@slipway/forge/automation"
import { Effect } from "effect"
import { basic, bearer, type Chosen, referenceUrl, rootUrl, type Service, start } from "../support/harness.ts"
import { stores } from "../support/stores.ts"

const as = (name: string) => ({ headers: basic(name) })
const ann = as("ann")
const actions = "/repos/ann/site/actions"
const missing = { message: "The target couldn't be found.", url: referenceUrl }

const deploy = `
name: Deploy
on:
  workflow_dispatch:
    inputs:
      level: { type: choice, options: [low, high], default: low }
jobs:
  build: { runs-on: linux, steps: [{ run: make }] }
  ship: { runs-on: linux, needs: build, steps: [{ run: make ship }] }
`

const siteIn = Effect.fnUntraced(function* (store: Chosen["store"]) {
  const api: Service = yield* start(store === undefined ? {} : { store })
  for (const name of ["ann", "bob"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", {
    ...ann,
    body: { name: "site", auto_init: true, default_branch: "main" }
  })
  yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "empty" } })
  for (const [name, text] of [
    ["deploy.yml", deploy],
    ["odd.yaml", "jobs: ["]
  ]) {
    yield* api.ask(201, "POST", `/repos/ann/site/contents/.gitea/workflows/${name}`, {
      ...ann,
      body: { content: btoa(text ?? ""), branch: "main" }
    })
  }
  const dispatch = (status: number, body: object, workflow = "deploy.yml", who: object = ann) =>
    api.ask(status, "POST", `${actions}/workflows/${workflow}/dispatches`, { ...who, body })
  return { api, dispatch }
})

/** Runs the oldest job like a runner, finishes it, and returns its context. */
const workedIn = (api: Service, result: 1 | 2) =>
  api.within(
    Effect.gen(function* () {
      const store = yield* runners.store
      const [known] = (yield* store.listEverywhere({ limit: 1 })).rows
      const at = "2026-01-01T00:00:00.000Z"
      const runner =
        known ??
        (yield* store.insert({
          reach: "site",
          repositoryId: null,
          organizationId: null,
          userId: null,
          uuid: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
          tokenHash: "hash",
          name: "box",
          version: "1",
          labels: ["linux:host"],
          ephemeral: false,
          disabled: false,
          createdAt: at,
          lastOnlineAt: at,
          lastActiveAt: null
        } as never))
      const task = yield* RunnerWork.fetchTask(runner)
      if (task === undefined) return undefined
      const end = RunnerWork.updateTask(runner, { id: task.id, result, steps: [], outputs: {} })
      return { context: task.context as Readonly<Record<string, string>>, end: api.within(Effect.orDie(end)) }
    }).pipe(Effect.orDie)
  )

for (const [kind, store] of stores) {
  describe(`workflows in ${kind}`, () => {
    it.live("are listed, read, disabled and enabled", () =>
      Effect.gen(function* () {
        const { api, dispatch } = yield* siteIn(store)
        const shown = {
          id: "deploy.yml",
          name: "Deploy",
          path: ".gitea/workflows/deploy.yml",
          state: "active",
          created_at: expect.any(String),
          updated_at: expect.any(String),
          url: `${rootUrl}/api/v1${actions}/workflows/deploy.yml`,
          html_url: `${rootUrl}/ann/site/raw/branch/main/.gitea/workflows/deploy.yml`,
          badge_url: `${rootUrl}/ann/site/actions/workflows/deploy.yml/badge.svg`,
          dispatch_inputs: [
            {
              name: "level",
              type: "choice",
              description: "",
              required: false,
              default: "low",
              options: ["low", "high"]
            }
          ]
        }
        // An unreadable workflow is named after its file.
        const odd = { id: "odd.yaml", name: "odd.yaml", state: "active" }
        const listed = yield* api.ask(200, "GET", `${actions}/workflows`, ann)
        expect(listed).toMatchObject({ total_count: 2, workflows: [shown, odd] })
        expect(yield* api.ask(200, "GET", `${actions}/workflows/deploy.yml`, ann)).toEqual({
          ...shown,
          dispatch_inputs: [
            {
              name: "level",
              type: "choice",
              description: "",
              required: false,
              default: "low",
              options: ["low", "high"]
            }
          ]
        })
        const page = yield* api.send("GET", `${actions}/workflows?limit=1&page=2`, ann)
        expect([page.json.workflows.length, page.headers.get("x-total-count")]).toEqual([1, "2"])
        expect(yield* api.ask(200, "GET", "/repos/ann/empty/actions/workflows", ann)).toEqual({
          total_count: 0,
          workflows: []
        })
        expect(yield* api.ask(404, "GET", `${actions}/workflows/other.yml`, ann)).toEqual(missing)
        // A branch may have a workflow that the default branch lacks.
        yield* api.ask(201, "POST", "/repos/ann/site/contents/.gitea/workflows/other.yml", {
          ...ann,
          body: { content: btoa(deploy), branch: "main", new_branch: "topic" }
        })
        expect(yield* api.ask(200, "GET", `${actions}/workflows/other.yml?ref=topic`, ann)).toMatchObject({
          id: "other.yml",
          dispatch_inputs: shown.dispatch_inputs
        })
        expect(yield* api.ask(404, "GET", `${actions}/workflows/other.yml?ref=main`, ann)).toEqual(missing)
        expect(yield* api.ask(404, "GET", `${actions}/workflows/deploy.yml?ref=nope`, ann)).toEqual(missing)
        expect(yield* api.ask(404, "PUT", `${actions}/workflows/other.yml/disable`, ann)).toEqual(missing)
        expect(yield* api.ask(404, "PUT", "/repos/ann/empty/actions/workflows/deploy.yml/disable", ann)).toEqual(
          missing
        )
        yield* api.ask(403, "PUT", `${actions}/workflows/deploy.yml/disable`, as("bob"))
        yield* api.ask(204, "PUT", `${actions}/workflows/deploy.yml/disable`, ann)
        yield* api.ask(204, "PUT", `${actions}/workflows/deploy.yml/disable`, ann)
        expect((yield* api.ask(200, "GET", `${actions}/workflows/deploy.yml`, ann)).state).toBe("disabled_manually")
        expect((yield* dispatch(422, { ref: "main" })).message).toBe("[workflow]: is disabled")
        yield* api.ask(204, "PUT", `${actions}/workflows/deploy.yml/enable`, ann)
        expect((yield* api.ask(200, "GET", `${actions}/workflows/deploy.yml`, ann)).state).toBe("active")
        yield* dispatch(204, { ref: "main" })
      })
    )

    it.live("answer a dispatch with 204, and with the run if `return_run_details` requests it", () =>
      Effect.gen(function* () {
        const { api } = yield* siteIn(store)
        const path = `${actions}/workflows/deploy.yml/dispatches`
        const sent = { ...ann, body: { ref: "main" } }
        const details = yield* api.ask(200, "POST", `${path}?return_run_details=true`, sent)
        const url = `${rootUrl}/api/v1${actions}/runs/${details.workflow_run_id}`
        expect(details).toEqual({
          workflow_run_id: expect.any(Number),
          run_url: url,
          html_url: `${rootUrl}/ann/site/actions/runs/${details.workflow_run_id}`
        })
        const run = yield* api.ask(200, "GET", `${actions}/runs/${details.workflow_run_id}`, ann)
        expect([run.event, run.url]).toEqual(["workflow_dispatch", url])
        for (const query of ["", "?return_run_details=false", "?return_run_details=0"]) {
          expect((yield* api.send("POST", `${path}${query}`, sent)).text).toBe("")
          yield* api.ask(204, "POST", `${path}${query}`, sent)
        }
      })
    )

    it.live("are dispatched with the inputs that they declare", () =>
      Effect.gen(function* () {
        const { api, dispatch } = yield* siteIn(store)
        yield* dispatch(204, { ref: "refs/heads/main", inputs: { level: "high" } })
        yield* dispatch(204, { ref: "main" })
        const { total_count, workflow_runs } = yield* api.ask(200, "GET", `${actions}/runs`, ann)
        expect(total_count).toBe(2)
        expect(workflow_runs[0]).toMatchObject({
          run_number: 2,
          event: "workflow_dispatch",
          status: "queued",
          conclusion: null,
          head_branch: "main",
          actor: { login: "ann" },
          path: ".gitea/workflows/deploy.yml@refs/heads/main"
        })
        const { jobs } = yield* api.ask(200, "GET", `${actions}/runs/${workflow_runs[0].id}/jobs`, ann)
        expect(jobs.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
          ["build", "queued"],
          ["ship", "waiting"]
        ])
        expect((yield* dispatch(422, { ref: "main", inputs: { level: "odd" } })).message).toContain("[inputs]")
        expect((yield* dispatch(422, { ref: "main", inputs: { other: "x" } })).message).toContain("[inputs]")
        expect((yield* dispatch(422, {})).message).toContain("[ref]")
        expect(yield* dispatch(404, { ref: "gone" })).toEqual(missing)
        expect(yield* dispatch(404, { ref: "main" }, "other.yml")).toEqual(missing)
        yield* dispatch(422, { ref: "main" }, "odd.yaml")
        yield* dispatch(403, { ref: "main" }, "deploy.yml", as("bob"))
        yield* dispatch(401, { ref: "main" }, "deploy.yml", {})
      })
    )

    it.live("have runs that can be rerun and deleted", () =>
      Effect.gen(function* () {
        const { api, dispatch } = yield* siteIn(store)
        yield* dispatch(204, { ref: "main" })
        const [{ id }] = (yield* api.ask(200, "GET", `${actions}/runs`, ann)).workflow_runs
        const run = `${actions}/runs/${id}`
        const busy = yield* api.ask(409, "POST", `${run}/rerun`, ann)
        expect(busy.message).toBe("the run is not finished yet")
        yield* (yield* workedIn(api, 2))?.end ?? Effect.void
        expect(yield* api.ask(200, "GET", run, ann)).toMatchObject({ status: "completed", conclusion: "failure" })
        expect(yield* api.ask(201, "POST", `${run}/rerun-failed-jobs`, ann)).toMatchObject({
          id,
          run_attempt: 2,
          status: "queued"
        })
        for (const _ of ["build", "ship"]) yield* (yield* workedIn(api, 1))?.end ?? Effect.void
        expect(yield* api.ask(200, "GET", run, ann)).toMatchObject({ run_attempt: 2, conclusion: "success" })
        const { jobs } = yield* api.ask(200, "GET", `${run}/jobs`, ann)
        const ship = jobs.find(({ name }: { readonly name: string }) => name === "ship")
        const again = yield* api.ask(201, "POST", `${run}/jobs/${ship.id}/rerun`, ann)
        expect(again).toMatchObject({ name: "ship", run_attempt: 3, run_id: id })
        expect(again.id).not.toBe(ship.id)
        expect((yield* api.ask(200, "GET", `${run}/attempts/1`, ann)).conclusion).toBe("failure")
        const elsewhere = `/repos/ann/empty/actions/runs/${id}`
        for (const [method, path] of [
          ["POST", "/cancel"],
          ["POST", "/rerun"],
          ["POST", "/rerun-failed-jobs"],
          ["POST", `/jobs/${again.id}/rerun`],
          ["DELETE", ""]
        ] as const) {
          expect(yield* api.ask(404, method, `${elsewhere}${path}`, ann)).toEqual(missing)
          yield* api.ask(403, method, `${run}${path}`, as("bob"))
        }
        yield* api.ask(404, "POST", `${run}/jobs/${again.id + 1_000}/rerun`, ann)
        yield* api.ask(204, "POST", `${run}/cancel`, ann)
        expect(yield* api.ask(200, "GET", run, ann)).toMatchObject({ status: "completed", conclusion: "cancelled" })
        expect((yield* api.ask(409, "POST", `${run}/cancel`, ann)).message).toBe("the run is finished")
        yield* api.ask(204, "DELETE", run, ann)
        expect(yield* api.ask(404, "GET", run, ann)).toEqual(missing)
        expect(yield* api.ask(404, "GET", `${actions}/jobs/${again.id}`, ann)).toEqual(missing)
      })
    )

    it.live("have jobs that upload artifacts with the runner's variables", () =>
      Effect.gen(function* () {
        const { api, dispatch } = yield* siteIn(store)
        yield* dispatch(204, { ref: "main" })
        const worked = yield* workedIn(api, 1)
        const runtime = worked?.context["gitea_runtime_token"] ?? ""
        const claims = JSON.parse(Buffer.from(runtime.split(".")[1] ?? "", "base64url").toString())
        const [, run, job] = claims.scp.split(":")
        const ids = { workflow_run_backend_id: run, workflow_job_run_backend_id: job, name: "build" }
        const service = "/twirp/github.actions.results.api.v1.ArtifactService"
        const call = (method: string, body: object = {}) =>
          api.fetch("POST", `${service}/${method}`, { headers: bearer(runtime), body: { ...ids, ...body } })
        const { json } = yield* call("CreateArtifact", { version: 4 })
        const address = json.signed_upload_url.slice(rootUrl.length)
        expect((yield* api.fetch("PUT", address, { raw: "bytes" })).status).toBe(201)
        expect((yield* call("FinalizeArtifact", { size: "5" })).status).toBe(200)
        const { artifacts } = yield* api.ask(200, "GET", `${actions}/runs/${run}/artifacts`, ann)
        expect(artifacts).toMatchObject([{ name: "build", size_in_bytes: 5 }])
        yield* worked?.end ?? Effect.void
        expect((yield* call("ListArtifacts")).status).toBe(401)
        // It is deleted with its run.
        yield* api.ask(204, "DELETE", `${actions}/runs/${run}`, ann)
        yield* api.ask(404, "GET", `${actions}/artifacts/${artifacts[0].id}`, ann)
      })
    )
  })
}
