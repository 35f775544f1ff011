import { describe, expect, it } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { actionSecrets, workflowLogs, workflowSchedules } from "@slipway/domain/forge/automation"
import { Reruns, RunnerWork, scheduleStart, Workflows } from "@slipway/forge/automation"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { Effect, Layer } from "effect"
import { bearer } from "../support/harness.ts"
import { ann, at, bob, ci, workflowSite as site } from "../support/workflowSite.ts"

const postgres = () =>
  Layer.provide(
    layerStores,
    Layer.orDie(Database.layerInMemory({ schema: "forge", migrations }))
  ) as Layer.Layer<Stores>

for (const [name, store] of [
  ["memory", undefined],
  ["PostgreSQL", postgres()]
] as const) {
  describe(`workflows in ${name}`, () => {
    it.live("are started by a push, run by runners, and set commit statuses", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, jobsOf, runner, runs, shownJobs, statuses } = yield* site(store)
        yield* api.within(
          Effect.gen(function* () {
            // A secret set through the API is encrypted, and decrypted only for jobs.
            const put = yield* api.send("PUT", `${at}/actions/secrets/KEY`, { ...bob, body: { data: "s3cret" } })
            expect(put.status).toBe(201)
            expect((yield* (yield* actionSecrets.store).listFor("repositoryId", [1 as never], 9)).size).toBe(1)
          })
        )
        const { commit } = yield* file(".forgejo/workflows/ci.yml", ci)
        const [run, ...others] = yield* runs
        expect(others).toEqual([])
        expect(run).toMatchObject({
          number: 1,
          name: "CI",
          workflow: "ci.yml",
          path: ".forgejo/workflows/ci.yml",
          title: "Build of main",
          event: "push",
          ref: "refs/heads/main",
          commit: commit.sha,
          trusted: true,
          status: "waiting",
          conclusion: null
        })
        expect(yield* shownJobs(run)).toBe(
          "build: waiting, test (linux): blocked, test (arm): blocked, report: blocked"
        )
        expect(yield* statuses(commit.sha)).toEqual([
          "pending",
          "CI / build (push): pending",
          "CI / report (push): pending",
          "CI / test (arm) (push): pending",
          "CI / test (linux) (push): pending"
        ])
        expect(yield* fetch(yield* runner(["linux"], { disabled: true }))).toBeUndefined()
        expect(yield* fetch(yield* runner(["other"]))).toBeUndefined()
        const by = yield* runner()
        const task = yield* fetch(by)
        expect(yield* fetch(by)).toBeUndefined()
        expect(task?.secrets).toMatchObject({ KEY: "s3cret", GITHUB_TOKEN: task?.context.token })
        expect(task?.context).toMatchObject({
          event_name: "push",
          ref: "refs/heads/main",
          ref_name: "main",
          sha: commit.sha,
          repository: "bob/site",
          actor: "bob",
          job: "build",
          run_number: "1"
        })
        expect(JSON.parse(task?.workflow ?? "")).toMatchObject({
          env: { COLOUR: "blue" },
          jobs: { build: { "runs-on": ["linux"], steps: [{ name: "Compile", run: "make" }] } }
        })
        const token = bearer(String(task?.context.token))
        expect((yield* api.send("GET", at, { headers: token })).status).toBe(200)
        expect((yield* runs)[0]?.status).toBe("running")
        const wrong = yield* Effect.flip(end(yield* runner(), task?.id ?? 0, 1))
        expect(wrong._tag).toBe("WorkflowJobNotFound")
        const log = (index: number, ...contents: ReadonlyArray<string>) =>
          api.within(
            RunnerWork.appendLog(by, {
              id: task?.id ?? 0,
              index,
              rows: contents.map((content) => ({ time: "2026-01-01T00:00:01.000Z", content })),
              noMore: false
            })
          )
        expect(yield* log(0, "one", "two")).toBe(2)
        // Repeated lines are ignored, and lines that come too early are not accepted.
        expect(yield* log(1, "two", "three\nthree")).toBe(3)
        expect(yield* log(9, "ten")).toBe(3)
        const pieces = yield* api.within(
          Effect.gen(function* () {
            return (yield* (yield* workflowLogs.store).list({ jobId: (task?.id ?? 0) as never }, { limit: 9 })).rows
          })
        )
        expect(pieces.map(({ start, text }) => [start, text])).toEqual([
          [0, "2026-01-01T00:00:01.000Z one\n2026-01-01T00:00:01.000Z two\n"],
          [2, "2026-01-01T00:00:01.000Z three three\n"]
        ])
        const logFrom = (from: number) =>
          Effect.map(api.send("GET", `${at}/actions/jobs/${task?.id}/logs?from=${from}`, bob), ({ text }) =>
            text.replaceAll("2026-01-01T00:00:01.000Z ", "")
          )
        expect(yield* logFrom(0)).toBe("one\ntwo\nthree three\n")
        expect(yield* logFrom(2)).toBe("two\nthree three\n")
        expect(yield* logFrom(3)).toBe("three three\n")
        expect(yield* logFrom(4)).toBe("")
        expect(yield* end(by, task?.id ?? 0, 0)).toEqual({ result: 0, sentOutputs: [] })
        expect(yield* end(by, task?.id ?? 0, 1, { version: "1.2" })).toEqual({ result: 1, sentOutputs: ["version"] })
        expect((yield* api.send("GET", at, { headers: token })).status).toBe(401)
        expect(yield* shownJobs(run)).toBe(
          "build: success, test (linux): waiting, test (arm): waiting, report: blocked"
        )
        const [linux, arm] = [yield* fetch(by), yield* fetch(by)]
        expect(linux?.needs).toEqual({ build: { result: 1, outputs: { version: "1.2" } } })
        expect(JSON.parse(arm?.workflow ?? "").jobs.test.strategy.matrix).toEqual({ os: ["arm"] })
        yield* end(by, linux?.id ?? 0, 2)
        yield* end(by, arm?.id ?? 0, 1)
        const last = yield* fetch(by)
        expect(last?.needs).toEqual({ test: { result: 2, outputs: {} } })
        yield* end(by, last?.id ?? 0, 1)
        expect(yield* shownJobs(run)).toBe(
          "build: success, test (linux): failure, test (arm): success, report: success"
        )
        expect((yield* runs)[0]).toMatchObject({ status: "done", conclusion: "failure" })
        expect((yield* jobsOf(run))[0]).toMatchObject({
          runnerName: by.name,
          outputs: { version: "1.2" },
          startedAt: "2026-01-01T00:00:00.000Z",
          steps: [{ name: "Compile", status: "done", conclusion: "success", logIndex: 0, logLength: 2 }]
        })
        expect((yield* statuses(commit.sha)).slice(0, 2)).toEqual(["failure", "CI / build (push): success"])
      })
    )

    it.live("are started only by the events that they name", () =>
      Effect.gen(function* () {
        const { api, file, runs, settle } = yield* site(store)
        yield* file(".github/workflows/ci.yml", ci)
        yield* file("docs/a.md", "a")
        yield* file("b.md", "b", { message: "Add b [skip ci]" })
        yield* file("c.md", "c", { branch: "main", new_branch: "side" })
        expect((yield* runs).length).toBe(1)
        yield* file("d.md", "d", { branch: "main", new_branch: "release/1/0" })
        yield* api.ask(201, "POST", `${at}/issues`, { ...ann, body: { title: "It squeaks" } })
        yield* settle
        // The owner of a private repository is trusted.
        yield* api.ask(200, "PATCH", at, { ...bob, body: { private: true } })
        const pull = { title: "A door", head: "side", base: "main" }
        yield* api.ask(201, "POST", `${at}/pulls`, { ...bob, body: pull })
        yield* settle
        yield* api.ask(201, "PATCH", `${at}/pulls/2`, { ...bob, body: { title: "The door" } })
        yield* settle
        expect((yield* runs).map(({ event, ref, trusted }) => [event, ref, trusted])).toEqual([
          ["pull_request", "refs/pull/2/head", true],
          ["issues", "refs/heads/main", true],
          ["push", "refs/heads/release/1/0", true],
          ["push", "refs/heads/main", true]
        ])
        // The first existing folder hides the others.
        yield* file(".gitea/workflows/broken.yml", "on: push\njobs: {a: {needs: b, runs-on: x, steps: [{run: y}]}}")
        const [broken] = yield* runs
        expect(broken).toMatchObject({
          conclusion: "failure",
          title: "broken.yml: jobs.a.needs: names `b`, which is not a job"
        })
        expect((yield* runs).length).toBe(5)
        // Text that a database can't hold, or would cut inside a character, blocks nothing.
        const odd = `on: push\nname: "${"😀".repeat(300)}"\njobs: {a: {runs-on: x, name: "${"é😀".repeat(200)}", steps: [{run: y}]}}`
        yield* file(".gitea/workflows/a.yml", odd)
        yield* file(".gitea/workflows/b.yml", `on: push\njobs: {a: {runs-on: x, name: "\\0", steps: [{run: y}]}}`)
        yield* file(".gitea/workflows/c.yml", `on: [\0`)
        const titles = (yield* runs).filter(({ workflow }) => workflow !== "broken.yml").map(({ title }) => title)
        expect(titles).toContain("b.yml: the file has characters that cannot be stored")
        expect(titles).toContain("Add .gitea/workflows/a.yml")
      })
    )

    it.live("hide their secrets from pull requests of forks, and run the base's workflow files", () =>
      Effect.gen(function* () {
        const { api, fetch, file, runner, runs, settle } = yield* site(store)
        yield* api.ask(201, "PUT", `${at}/actions/secrets/KEY`, { ...bob, body: { data: "s3cret" } })
        yield* file(
          ".forgejo/workflows/pr.yml",
          "on: pull_request\njobs: {a: {runs-on: linux, steps: [{run: theirs}]}}"
        )
        yield* api.ask(202, "POST", `${at}/forks`, { ...ann, body: { name: "copy" } })
        yield* settle
        const evil = "on: pull_request\njobs: {a: {runs-on: linux, steps: [{run: evil}]}}"
        yield* file(".forgejo/workflows/evil.yml", evil, { new_branch: "door" }, ann, "/repos/ann/copy")
        yield* api.ask(201, "POST", `${at}/pulls`, {
          ...ann,
          body: { title: "A door", head: "ann:door", base: "main" }
        })
        yield* settle
        const all = (yield* runs).filter(({ event }) => event === "pull_request")
        expect(all.map(({ trusted, workflow }) => [workflow, trusted])).toEqual([["pr.yml", false]])
        yield* api.ask(204, "POST", `${at}/actions/runs/${all[0]?.id}/approve`, bob)
        const task = yield* fetch(yield* runner())
        expect(Object.keys(task?.secrets ?? {})).toEqual(["GITHUB_TOKEN", "GITEA_TOKEN"])
        expect(task?.workflow).toContain("theirs")
        const token = { headers: bearer(String(task?.context.token)) }
        expect((yield* api.send("POST", `${at}/issues`, { ...token, body: { title: "x" } })).status).toBe(403)
      })
    )

    it.live("can be rerun completely, or only with failed jobs and their dependents", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, proof, runner, runs, shownJobs } = yield* site(store)
        yield* file(".forgejo/workflows/ci.yml", ci)
        const [run] = yield* runs
        const id = run?.id ?? 0
        const by = yield* runner()
        const next = (result: RunnerWork.RunnerResult) =>
          Effect.flatMap(fetch(by), (task) => end(by, task?.id ?? 0, result))
        const busy = yield* Effect.flip(api.within(Reruns.rerun(yield* proof("repository.actions.run.rerun"), id)))
        expect(busy._tag).toBe("WorkflowRunBusy")
        for (const result of [1, 1, 2, 1] as const) yield* next(result)
        const again = yield* api.within(
          Reruns.rerunFailed(yield* proof("repository.actions.run.rerun-failed-jobs"), id)
        )
        expect(again).toMatchObject({ attempt: 2, status: "running", conclusion: null })
        expect(yield* shownJobs(run)).toBe(
          "build: success, test (linux): success, test (arm): failure, report: success, test (arm): waiting, report: blocked"
        )
        const task = yield* fetch(by)
        expect(task?.needs).toEqual({ build: { result: 1, outputs: {} } })
        yield* end(by, task?.id ?? 0, 1)
        yield* next(1)
        expect((yield* runs)[0]).toMatchObject({ attempt: 2, status: "done", conclusion: "success" })
        yield* api.within(Reruns.rerun(yield* proof("repository.actions.run.rerun"), id))
        expect((yield* runs)[0]).toMatchObject({ attempt: 3, status: "waiting" })
        // Dependents of a failed job are skipped, unless their condition asks to run.
        yield* next(2)
        expect((yield* shownJobs(run)).split(", ").slice(-4)).toEqual([
          "build: failure",
          "test (linux): skipped",
          "test (arm): skipped",
          "report: waiting"
        ])
        const current = yield* fetch(by)
        yield* api.within(Reruns.cancel(yield* proof("repository.actions.run.cancel"), id))
        expect((yield* runs)[0]).toMatchObject({ status: "done", conclusion: "failure" })
        expect((yield* shownJobs(run)).endsWith("report: cancelled")).toBe(true)
        // The runner learns of the cancellation with its next update.
        const said = { id: current?.id ?? 0, result: 0, steps: [], outputs: {} } as const
        expect((yield* api.within(RunnerWork.updateTask(by, said))).result).toBe(3)
        yield* api.within(Reruns.remove(yield* proof("repository.actions.run.delete"), id))
        expect(yield* runs).toEqual([])
        expect((yield* api.send("GET", at, { headers: bearer(String(current?.context.token)) })).status).toBe(401)
      })
    )

    it.live("pass event inputs to runners as strings, and only the `inputs` context is typed", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, jobsOf, proof, runner, runs } = yield* site(store)
        const text = `
on:
  workflow_dispatch:
    inputs: { flag: { type: boolean, default: false }, n: { type: number }, word: { default: "yes" } }
jobs:
  strings: { runs-on: linux, name: "\${{ github.event.inputs.flag == 'true' }} \${{ github.event.inputs.n }}", steps: [{ run: x }] }
  typed: { runs-on: linux, name: "\${{ inputs.flag == true }} \${{ inputs.n == 1.5 }} \${{ inputs.word }}", steps: [{ run: x }] }
  later: { uses: ./.forgejo/workflows/later.yml, needs: strings, if: inputs.flag == true && github.event.inputs.flag == 'true' }
`
        const later = "on: [push, workflow_call]\njobs: { a: { runs-on: arm, steps: [{ run: x }] } }"
        yield* file(".forgejo/workflows/later.yml", later)
        yield* file(".forgejo/workflows/ci.yml", text)
        const given = yield* proof("repository.actions.workflow.dispatch")
        yield* api.within(Workflows.dispatch(given, "ci.yml", "main", { flag: "true", n: "1.50" }))
        const by = yield* runner(["linux"])
        const task = yield* fetch(by)
        expect(task?.context).toMatchObject({ event: { inputs: { flag: "true", n: "1.50", word: "yes" } } })
        const run = (yield* runs).find(({ event }) => event === "workflow_dispatch")
        const names = (yield* jobsOf(run)).map(({ name: shown }) => shown)
        expect(names).toEqual(expect.arrayContaining(["true 1.50", "true true yes"]))
        yield* end(by, task?.id ?? 0, 1)
        expect((yield* jobsOf(run)).map(({ conclusion, name: shown }) => [shown, conclusion])).toContainEqual([
          "later / a",
          null
        ])
      })
    )

    it.live("are started by dispatches and schedules, and never by their own jobs", () =>
      Effect.gen(function* () {
        const { api, fetch, file, proof, runner, runs, settle } = yield* site(store)
        const text = `
on:
  push:
  schedule: [{ cron: "0 5 * * *" }]
  workflow_dispatch: { inputs: { level: { type: choice, options: [low, high], default: low }, dry: { type: boolean } } }
jobs: { a: { runs-on: "\${{ inputs.level }}", steps: [{ run: x }] }, b: { runs-on: linux, steps: [{ run: y }] } }
`
        yield* file(".forgejo/workflows/ci.yml", text)
        // Inputs exist only in a dispatch, so that a push can't evaluate them.
        expect((yield* runs).map(({ conclusion, title }) => [conclusion, title])).toEqual([
          [
            "failure",
            expect.stringMatching(/^ci\.yml: jobs\.a\.runs-on: .* cannot be evaluated before the job has a runner$/)
          ]
        ])
        const dispatch = (inputs: Record<string, string>, ref = "main", workflow = "ci.yml") =>
          Effect.flatMap(proof("repository.actions.workflow.dispatch"), (given) =>
            api.within(Workflows.dispatch(given, workflow, ref, inputs))
          )
        expect((yield* Effect.flip(dispatch({}, "main", "other.yml")))._tag).toBe("WorkflowNotFound")
        expect((yield* Effect.flip(dispatch({ level: "middle" })))._tag).toBe("WorkflowRefused")
        expect((yield* Effect.flip(dispatch({}, "nowhere")))._tag).toBe("RevisionNotFound")
        const run = yield* dispatch({ level: "high", dry: "true" })
        expect(run).toMatchObject({ event: "workflow_dispatch", ref: "refs/heads/main", title: "ci.yml", number: 2 })
        const task = yield* fetch(yield* runner(["high"]))
        expect(task?.context).toMatchObject({
          event_name: "workflow_dispatch",
          event: { inputs: { level: "high", dry: "true" }, sender: { login: "" } }
        })
        const token = { headers: bearer(String(task?.context.token)) }
        const body = { content: "aGk=", message: "By a job", branch: "main" }
        yield* api.ask(201, "POST", `${at}/contents/made.txt`, { ...token, body })
        yield* settle
        expect((yield* runs).length).toBe(2)
        const byHand = { ref: "main", inputs: { level: "low" } }
        yield* api.ask(204, "POST", `${at}/actions/workflows/ci.yml/dispatches`, { ...token, body: byHand })
        expect((yield* runs).map(({ actorId, event }) => [event, actorId === null])).toEqual([
          ["workflow_dispatch", false],
          ["workflow_dispatch", true],
          ["push", false]
        ])
        // A job's push to the head of a pull request doesn't start one either, although the event names its author.
        const on = "on: pull_request\njobs: { a: { runs-on: linux, steps: [{ run: x }] } }"
        yield* file(".forgejo/workflows/pr.yml", on, { new_branch: "side" })
        yield* api.ask(201, "POST", `${at}/pulls`, { ...bob, body: { title: "x", head: "side", base: "main" } })
        yield* settle
        const ofPulls = Effect.map(runs, (rows) => rows.filter(({ event }) => event === "pull_request").length)
        expect(yield* ofPulls).toBe(1)
        yield* api.ask(201, "POST", `${at}/contents/more.txt`, { ...token, body: { ...body, branch: "side" } })
        yield* settle
        expect(yield* ofPulls).toBe(1)
        yield* file("most.txt", "x", { branch: "side" })
        expect(yield* ofPulls).toBe(2)
        const disable = yield* proof("repository.actions.workflow.disable")
        yield* api.within(Workflows.disable(disable, "ci.yml"))
        expect((yield* Effect.flip(dispatch({})))._tag).toBe("WorkflowRefused")
        yield* api.within(Workflows.enable(yield* proof("repository.actions.workflow.enable"), "ci.yml"))
        // Makes the schedule due.
        const due = yield* api.within(
          Effect.gen(function* () {
            const schedules = yield* workflowSchedules.store
            const { rows } = yield* schedules.listEverywhere({ limit: 9 })
            for (const { id, repositoryId } of rows) {
              yield* schedules.patch({ repositoryId }, id, { dueAt: "2026-01-01T05:00:00.000Z" })
            }
            yield* scheduleStart.run
            yield* scheduleStart.run
            return rows.map(({ schedule, workflow }) => [workflow, schedule])
          })
        )
        expect(due).toEqual([["ci.yml", "0 5 * * *"]])
        const scheduled = (yield* runs).filter(({ event }) => event === "schedule")
        expect(scheduled.length).toBe(1)
        // It acts as the account of jobs.
        const shown = yield* api.ask(200, "GET", `${at}/actions/runs/${scheduled[0]?.id}`, bob)
        expect([shown.actor.login, shown.trigger_actor.login]).toEqual(["slipway-actions", "slipway-actions"])
      })
    )
  })
}
