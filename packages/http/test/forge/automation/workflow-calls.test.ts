import { describe, expect, it } from "@effect/vitest"
import { jobCleanup, Reruns } from "@slipway/forge/automation"
import { Effect } from "effect"
import { stores } from "../support/stores.ts"
import { ann, at, bob, workflowSite } from "../support/workflowSite.ts"

/** Returns an expression in workflow syntax. */
const expression = (text: string) => `\${{ ${text} }}`

const build = `
name: Build
on:
  workflow_call:
    inputs: { os: { type: string, required: true }, level: { type: number }, version: { type: string } }
    secrets: { KEY: { required: true } }
    outputs: { file: { value: "${expression("jobs.make.outputs.file")}" } }
env: { LEVEL: "${expression("inputs.level")}" }
jobs:
  make:
    runs-on: ${expression("inputs.os")}
    outputs: { file: x }
    steps: [{ run: "echo ${expression("inputs.version")} ${expression("secrets.KEY")}" }]
  check: { needs: make, runs-on: linux, steps: [{ if: inputs.level > 1, run: check }] }
`

const caller = (call: string, rest = "") => `
name: CI
on: [push, pull_request]
jobs:
  first: { runs-on: linux, steps: [{ run: make }] }
  build: { needs: first, uses: ./.forgejo/workflows/build.yml, ${call} }
  last: { needs: build, runs-on: linux, steps: [{ run: make }] }
${rest}`

const usual = `with: { os: arm, level: 2, version: "${expression("needs.first.outputs.v")}" }, secrets: { KEY: "${expression("secrets.A")}" }`

describe("workflows that call other workflows", () => {
  for (const [kind, store] of stores) {
    it.live(`run the jobs of the called workflows, and rerun failed jobs, in ${kind}`, () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, jobsOf, proof, runner, runs, shownJobs, statuses } = yield* workflowSite(store)
        for (const name of ["A", "B"]) {
          yield* api.ask(201, "PUT", `${at}/actions/secrets/${name}`, { ...bob, body: { data: `secret of ${name}` } })
        }
        yield* file(".forgejo/workflows/build.yml", build)
        expect(yield* runs).toEqual([])
        const { commit } = yield* file(".forgejo/workflows/ci.yml", caller(usual))
        const [run] = yield* runs
        expect(yield* shownJobs(run)).toBe(
          "first: waiting, build: blocked, build / make: blocked, build / check: blocked, last: blocked"
        )
        const by = yield* runner()
        const done = Effect.fnUntraced(function* (result: 1 | 2, outputs: Record<string, string> = {}) {
          const task = yield* fetch(by)
          yield* end(by, task?.id ?? 0, result, outputs)
          return task
        })
        yield* done(1, { v: "it's 3" })
        expect(yield* shownJobs(run)).toBe(
          "first: success, build: running, build / make: waiting, build / check: blocked, last: blocked"
        )
        // No runner runs the calling job, and the cleanup doesn't cancel it.
        yield* api.within(jobCleanup.run)
        const make = yield* done(1, { file: "a.out" })
        expect(make?.secrets).toEqual({
          KEY: "secret of A",
          GITHUB_TOKEN: make?.context.token,
          GITEA_TOKEN: make?.context.token
        })
        expect(make?.context).toMatchObject({ event_name: "push", workflow: "CI", job: "make" })
        expect(make?.needs).toEqual({})
        const written = JSON.parse(make?.workflow ?? "")
        expect([written.name, written.env]).toEqual(["CI", { LEVEL: expression(" 2 ").replaceAll("  ", " ") }])
        expect(written.jobs.make).toMatchObject({
          "runs-on": ["arm"],
          steps: [{ run: `echo ${expression("'it''s 3'")} ${expression("secrets.KEY")}` }]
        })
        const check = yield* done(2)
        expect(check?.needs).toEqual({ make: { result: 1, outputs: { file: "a.out" } } })
        expect(JSON.parse(check?.workflow ?? "").jobs.check.steps).toEqual([{ if: "2 > 1", run: "check" }])
        expect(yield* shownJobs(run)).toBe(
          "first: success, build: failure, build / make: success, build / check: failure, last: skipped"
        )
        expect((yield* runs)[0]).toMatchObject({ status: "done", conclusion: "failure" })
        expect(yield* statuses(commit.sha)).toEqual([
          "failure",
          "CI / build (push): failure",
          "CI / build / check (push): failure",
          "CI / build / make (push): success",
          "CI / first (push): success",
          "CI / last (push): skipped"
        ])
        const again = yield* proof("repository.actions.run.rerun-failed-jobs")
        yield* api.within(Reruns.rerunFailed(again, run?.id ?? 0))
        const present = Effect.map(jobsOf(run), (rows) =>
          rows
            .filter(({ latest }) => latest)
            .toSorted((one, other) => one.slot - other.slot)
            .map(({ attempt, conclusion, name, status }) => `${name} ${attempt}: ${conclusion ?? status}`)
        )
        expect(yield* present).toEqual([
          "first 1: success",
          "build 2: running",
          "build / make 1: success",
          "build / check 2: waiting",
          "last 2: blocked"
        ])
        yield* done(1)
        const last = yield* done(1)
        expect(last?.needs).toEqual({ build: { result: 1, outputs: { file: "a.out" } } })
        expect((yield* runs)[0]).toMatchObject({ attempt: 2, status: "done", conclusion: "success" })
      })
    )
  }

  it.live("pass existing secrets to the called workflow, but none in runs of external contributors (I7, I21)", () =>
    Effect.gen(function* () {
      const { api, end, fetch, file, runner, runs, settle } = yield* workflowSite()
      for (const name of ["KEY", "OLD"]) {
        yield* api.ask(201, "PUT", `${at}/actions/secrets/${name}`, { ...bob, body: { data: "s3cret" } })
      }
      yield* file(".forgejo/workflows/build.yml", build)
      yield* file(".forgejo/workflows/ci.yml", caller("with: { os: linux }, secrets: inherit"))
      const [{ repositoryId } = { repositoryId: null }] = yield* runs
      const by = yield* runner(["linux"], { reach: "repository", repositoryId })
      const make = Effect.gen(function* () {
        const first = yield* fetch(by)
        yield* end(by, first?.id ?? 0, 1)
        return yield* fetch(by)
      })
      // A secret that was deleted after the run started is not passed on.
      yield* api.ask(204, "DELETE", `${at}/actions/secrets/OLD`, bob)
      expect(Object.keys((yield* make)?.secrets ?? {})).toEqual(["KEY", "GITHUB_TOKEN", "GITEA_TOKEN"])
      const [pushed] = yield* runs
      yield* api.ask(204, "POST", `${at}/actions/runs/${pushed?.id}/cancel`, bob)
      yield* api.ask(202, "POST", `${at}/forks`, { ...ann, body: { name: "copy" } })
      yield* settle
      // The called workflow is also that of the base: external contributors can't choose what runs.
      const evil = build.replace("run: check", "run: evil")
      yield* api.ask(200, "PUT", "/repos/ann/copy/contents/.forgejo/workflows/build.yml", {
        ...ann,
        body: {
          content: Buffer.from(evil).toString("base64"),
          message: "x",
          new_branch: "door",
          sha: (yield* api.ask(200, "GET", "/repos/ann/copy/contents/.forgejo/workflows/build.yml", ann)).sha
        }
      })
      yield* settle
      yield* api.ask(201, "POST", `${at}/pulls`, { ...ann, body: { title: "x", head: "ann:door", base: "main" } })
      yield* settle
      const [pull] = yield* runs
      expect([pull?.event, pull?.trusted]).toEqual(["pull_request", false])
      yield* api.ask(204, "POST", `${at}/actions/runs/${pull?.id}/approve`, bob)
      const task = yield* make
      expect(task?.context).toMatchObject({ event_name: "pull_request", job: "make" })
      expect(Object.keys(task?.secrets ?? {})).toEqual(["GITHUB_TOKEN", "GITEA_TOKEN"])
      yield* end(by, task?.id ?? 0, 1)
      expect((yield* fetch(by))?.workflow).not.toContain("evil")
    })
  )

  it.live("fail immediately if they can't run, and report the reason (I9)", () =>
    Effect.gen(function* () {
      const { api, file, runs } = yield* workflowSite()
      const title = Effect.fnUntraced(function* (name: string, text: string) {
        yield* file(`.forgejo/workflows/${name}`, text)
        return (yield* runs).find(({ workflow }) => workflow === name)?.title
      })
      const calls = (path: string) => `on: push\njobs: { a: { uses: ./.forgejo/workflows/${path} } }`
      expect(yield* title("a.yml", calls("none.yml"))).toBe(
        "a.yml: .forgejo/workflows/none.yml: is called, but does not exist"
      )
      expect(yield* title("b.yml", calls("a.yml"))).toBe(
        "b.yml: .forgejo/workflows/a.yml: does not name `workflow_call`"
      )
      const circle = "on: [push, workflow_call]\njobs: { a: { uses: ./.forgejo/workflows/c.yml } }"
      expect(yield* title("c.yml", circle)).toBe("c.yml: jobs: nest more than 4 levels of workflow calls")
      // Missing and hidden repositories get the same message.
      yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "hidden", private: true, auto_init: true } })
      for (const [name, where] of [
        ["d", "ann/hidden"],
        ["e", "ann/nothing"]
      ]) {
        const remote = `on: push\njobs: { a: { uses: ${where}/.forgejo/workflows/x.yml@main } }`
        expect(yield* title(`${name}.yml`, remote)).toBe(
          `${name}.yml: jobs.a.uses: must be a workflow of the same repository, as \`./.forgejo/workflows/x.yml\`: workflows of other repositories cannot be called`
        )
      }
      // The number of files read is limited (I25).
      const many = Array.from({ length: 21 }, (_, n) => `j${n}: { uses: ./.forgejo/workflows/m${n}.yml }`).join(", ")
      expect(yield* title("f.yml", `on: push\njobs: { ${many} }`)).toBe("f.yml: jobs: must call at most 20 workflows")
    })
  )
})
