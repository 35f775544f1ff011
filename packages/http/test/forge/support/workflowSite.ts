import { type HookRequest, HookSender } from "@slipway/domain"
import type { Stores } from "@slipway/domain/forge"
import { type Runner, runners, workflowJobs, workflowRuns } from "@slipway/domain/forge/automation"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { RunnerWork } from "@slipway/forge/automation"
import { Jobs } from "@slipway/forge/background"
import { Entry } from "@slipway/forge/entry"
import { HookWork } from "@slipway/forge/integrations"
import { Effect, type Layer } from "effect"
import { basic, start } from "./harness.ts"

/** The owner of the repository, and another user. */
export const bob = { headers: basic("bob") }
export const ann = { headers: basic("ann") }
/** The path of the repository. */
export const at = "/repos/bob/site"

/** A workflow of three jobs: one has a matrix, and one runs after failures too. */
export const ci = `
name: CI
run-name: Build of \${{ github.ref_name }}
on:
  push:
    branches: [main, "release/**"]
    paths-ignore: ["docs/**"]
  pull_request:
  issues: { types: [opened] }
env: { COLOUR: blue }
jobs:
  build:
    runs-on: linux
    outputs: { version: "\${{ steps.v.outputs.version }}" }
    steps:
      - { name: Compile, run: make }
  test:
    needs: build
    runs-on: \${{ matrix.os }}
    strategy: { fail-fast: false, matrix: { os: [linux, arm] } }
    steps: [{ run: make test }]
  report:
    needs: [test]
    if: always()
    runs-on: linux
    steps: [{ run: echo done }]
`

/** Starts a service with a repository and the functions of its workflow tests: runner, pusher and reader. */
export const workflowSite = Effect.fnUntraced(function* (store?: Layer.Layer<Stores>) {
  const api = yield* start(store === undefined ? {} : { store })
  yield* api.user("root", { admin: true })
  yield* api.user("bob")
  yield* api.user("ann")
  yield* api.ask(201, "POST", "/user/repos", {
    ...bob,
    body: { name: "site", auto_init: true, default_branch: "main" }
  })
  const sender = { send: (_: HookRequest) => Effect.succeed({ status: 200, headers: {}, body: "" }) }
  const settle = api.within(
    Effect.gen(function* () {
      for (let turn = 0; turn < 3; turn++) {
        yield* Jobs.runDue
        yield* Effect.provideService(HookWork.runDue, HookSender, sender)
      }
    })
  )
  yield* settle
  const file = (path: string, text: string, more: object = {}, as = bob, where = at) =>
    Effect.tap(
      api.ask(201, "POST", `${where}/contents/${path}`, {
        ...as,
        body: { content: Buffer.from(text).toString("base64"), message: `Add ${path}`, branch: "main", ...more }
      }),
      () => settle
    )
  const runs = api.within(
    Effect.gen(function* () {
      const { rows } = yield* (yield* workflowRuns.store).listEverywhere({ limit: 50 })
      return rows
    })
  )
  const jobsOf = (run: { readonly id: number } | undefined) =>
    api.within(
      Effect.gen(function* () {
        const { rows } = yield* (yield* workflowJobs.store).list({ runId: (run?.id ?? 0) as never }, { limit: 50 })
        return rows
      })
    )
  const shownJobs = (run: { readonly id: number } | undefined) =>
    Effect.map(jobsOf(run), (rows) =>
      rows.map(({ conclusion, name, status }) => `${name}: ${conclusion ?? status}`).join(", ")
    )
  let made = 0
  const runner = (labels: ReadonlyArray<string> = ["linux:host", "arm"], facts: Partial<Runner> = {}) =>
    api.within(
      Effect.gen(function* () {
        return yield* (yield* runners.store).insert({
          reach: "site",
          repositoryId: null,
          organizationId: null,
          userId: null,
          uuid: `runner ${++made}`,
          tokenHash: `hash ${made}`,
          name: `runner ${made}`,
          version: "",
          labels,
          ephemeral: false,
          disabled: false,
          createdAt: "2026-01-01T00:00:00.000Z",
          lastOnlineAt: null,
          lastActiveAt: null,
          ...facts
        })
      })
    )
  const fetch = (by: Runner) => api.within(RunnerWork.fetchTask(by))
  const end = (by: Runner, id: number, result: RunnerWork.RunnerResult, outputs: Record<string, string> = {}) =>
    api.within(
      RunnerWork.updateTask(by, {
        id,
        result,
        startedAt: "2026-01-01T00:00:00.000Z",
        stoppedAt: "2026-01-01T00:00:05.000Z",
        steps: [{ id: 0, result, logIndex: 0, logLength: 2 }],
        outputs
      })
    )
  const statuses = (sha: string) =>
    Effect.map(api.ask(200, "GET", `${at}/commits/${sha}/status`, bob), ({ state, statuses }) => [
      state,
      ...statuses.map(({ context, status }: Record<string, string>) => `${context}: ${status}`).toSorted()
    ])
  /** Returns the proof that the owner is authorized for an action on the repository. */
  const proof = (action: string) =>
    api.within(
      Effect.gen(function* () {
        const { rows } = yield* (yield* workflowRuns.store).listEverywhere({ limit: 1 })
        const repository = yield* (yield* RepositoryStore).find((rows[0]?.repositoryId ?? 2) as never)
        return { action, resource: { actor: Entry.system("admin.user.edit").resource.actor, repository } } as never
      })
    )
  return { api, end, fetch, file, jobsOf, proof, runner, runs, settle, shownJobs, statuses }
})
