import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { stores } from "../support/stores.ts"
import { at, bob, workflowSite } from "../support/workflowSite.ts"

const expression = (text: string) => `\${{ ${text} }}`

const workflow = (matrix: string, more = "") => `
on: push
name: CI
jobs:
  plan: { runs-on: linux, outputs: { m: "x" }, steps: [{ run: plan }] }
  test:
    needs: plan
    runs-on: ${expression("matrix.os")}
    strategy: { matrix: "${expression(matrix)}"${more} }
    steps: [{ run: "make ${expression("matrix.n")}" }]
  report: { needs: test, runs-on: linux, steps: [{ run: report }] }
`

const many = (...values: ReadonlyArray<object>) => ({ m: JSON.stringify({ include: values }) })

for (const [kind, store] of stores) {
  describe(`matrices from outputs of other jobs in ${kind}`, () => {
    it.live("are expanded when the other jobs finish, and their jobs run and rerun like all jobs", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, runner, runs, shownJobs, statuses } = yield* workflowSite(store)
        const { commit } = yield* file(
          ".forgejo/workflows/ci.yml",
          workflow("fromJSON(needs.plan.outputs.m)", ", fail-fast: false, max-parallel: 1")
        )
        const [run] = yield* runs
        const by = yield* runner()
        expect(yield* shownJobs(run)).toBe("plan: waiting, test: blocked, report: blocked")
        // The jobs of the matrix have separate statuses.
        expect(yield* statuses(commit.sha)).toEqual([
          "pending",
          "CI / plan (push): pending",
          "CI / report (push): pending"
        ])
        const plan = yield* fetch(by)
        yield* end(by, plan?.id ?? 0, 1, many({ os: "linux", n: 1 }, { os: "arm", n: 2 }))
        expect(yield* shownJobs(run)).toBe(
          "plan: success, test (linux, 1): waiting, report: blocked, test (arm, 2): blocked"
        )
        expect(yield* statuses(commit.sha)).toEqual([
          "pending",
          "CI / plan (push): success",
          "CI / report (push): pending",
          "CI / test (arm, 2) (push): pending",
          "CI / test (linux, 1) (push): pending"
        ])
        const first = yield* fetch(by)
        expect(yield* fetch(by)).toBeUndefined()
        expect(JSON.parse(first?.workflow ?? "").jobs.test.strategy.matrix).toEqual({ os: ["linux"], n: [1] })
        yield* end(by, first?.id ?? 0, 1)
        const second = yield* fetch(by)
        expect(JSON.parse(second?.workflow ?? "").jobs.test).toMatchObject({
          "runs-on": ["arm"],
          strategy: { matrix: { os: ["arm"], n: [2] } }
        })
        yield* end(by, second?.id ?? 0, 2)
        expect(yield* shownJobs(run)).toBe(
          "plan: success, test (linux, 1): success, report: skipped, test (arm, 2): failure"
        )
        // An expanded matrix does not change.
        yield* api.ask(201, "POST", `${at}/actions/runs/${run?.id}/rerun-failed-jobs`, bob)
        yield* end(by, (yield* fetch(by))?.id ?? 0, 1)
        yield* end(by, (yield* fetch(by))?.id ?? 0, 1)
        expect((yield* runs)[0]).toMatchObject({ attempt: 2, status: "done", conclusion: "success" })
        yield* api.ask(201, "POST", `${at}/actions/runs/${run?.id}/rerun`, bob)
        yield* end(by, (yield* fetch(by))?.id ?? 0, 1, many({ os: "other", n: 3 }))
        const { jobs } = yield* api.ask(200, "GET", `${at}/actions/runs/${run?.id}/jobs`, bob)
        expect(jobs.map(({ name, status }: Record<string, string>) => `${name}: ${status}`).toSorted()).toEqual([
          "plan: completed",
          "report: waiting",
          "test (arm, 2): waiting",
          "test (linux, 1): queued"
        ])
      })
    )

    it.live("fail if they can't be expanded, log the reason, and are expanded on a rerun", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, jobsOf, runner, runs, shownJobs, statuses } = yield* workflowSite(store)
        const { commit } = yield* file(".forgejo/workflows/ci.yml", workflow("fromJSON(needs.plan.outputs.m)"))
        const [run] = yield* runs
        const by = yield* runner()
        const again = (which: string) => api.ask(201, "POST", `${at}/actions/runs/${run?.id}/${which}`, bob)
        const planned = (outputs: Record<string, string>) =>
          Effect.flatMap(fetch(by), (task) => end(by, task?.id ?? 0, 1, outputs))
        const last = Effect.gen(function* () {
          const job = (yield* jobsOf(run)).filter(({ key, latest }) => key === "test" && latest)[0]
          const log = yield* api.send("GET", `${at}/actions/jobs/${job?.id}/logs`, bob)
          return [job?.conclusion ?? job?.status, log.text.replace(/^\S+ /, "")]
        })
        yield* planned({ m: "[" })
        expect(yield* shownJobs(run)).toBe("plan: success, test: failure, report: skipped")
        expect(yield* last).toEqual(["failure", "jobs.test.strategy.matrix: `fromJSON` got invalid JSON\n"])
        for (const [m, because] of [
          ['{"include":[]}', "jobs.test.strategy.matrix: has no combinations\n"],
          [
            JSON.stringify({ os: [expression("secrets.KEY")] }),
            "jobs.test.strategy.matrix: has a value with an expression\n"
          ],
          [
            JSON.stringify({ os: Array.from({ length: 255 }, (_, n) => n) }),
            "jobs: must be at most 256, including jobs of matrices\n"
          ]
        ]) {
          yield* again("rerun")
          yield* planned({ m: m ?? "" })
          expect(yield* last).toEqual(["failure", because])
        }
        yield* again("rerun")
        yield* planned(many({ os: "linux", n: 1 }))
        expect((yield* last)[0]).toBe("waiting")
        // The status of the placeholder job is closed.
        expect(yield* statuses(commit.sha)).toEqual([
          "pending",
          "CI / plan (push): success",
          "CI / report (push): pending",
          "CI / test (linux, 1) (push): pending",
          "CI / test (push): skipped"
        ])
      })
    )

    it.live("call workflows, cancel their jobs on failure, and are not expanded if their condition is false", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, runner, runs, settle, shownJobs } = yield* workflowSite(store)
        yield* file(
          ".forgejo/workflows/build.yml",
          `
on: { workflow_call: { inputs: { os: { type: string }, list: { type: string } } } }
jobs:
  make: { runs-on: linux, steps: [{ run: make }] }
  each:
    needs: make
    runs-on: linux
    strategy: { matrix: { n: "${expression("fromJSON(inputs.list)")}" } }
    steps: [{ run: "make ${expression("inputs.os")}" }]
`
        )
        const ci = `
on: workflow_dispatch
jobs:
  plan: { runs-on: linux, outputs: { m: "x" }, steps: [{ run: plan }] }
  build:
    needs: plan
    if: needs.plan.outputs.m != '[]'
    strategy: { matrix: { os: "${expression("fromJSON(needs.plan.outputs.m)")}" } }
    uses: ./.forgejo/workflows/build.yml
    with: { os: "${expression("matrix.os")}", list: "${expression("needs.plan.outputs.list")}" }
`
        yield* file(".forgejo/workflows/ci.yml", ci)
        const by = yield* runner()
        const begin = Effect.fnUntraced(function* (outputs: Record<string, string>) {
          yield* api.ask(204, "POST", `${at}/actions/workflows/ci.yml/dispatches`, { ...bob, body: { ref: "main" } })
          yield* settle
          const [run] = yield* runs
          expect(yield* shownJobs(run)).toBe("plan: waiting, build: blocked")
          yield* end(by, (yield* fetch(by))?.id ?? 0, 1, outputs)
          return run
        })
        const none = yield* begin({ m: "[]", list: "[]" })
        expect(yield* shownJobs(none)).toBe("plan: success, build: skipped")
        const run = yield* begin({ m: '["a", "b"]', list: "[1, 2]" })
        expect(yield* shownJobs(run)).toBe(
          "plan: success, build (a): running, build (a) / make: waiting, build (a) / each: blocked, build (b): running, build (b) / make: waiting, build (b) / each: blocked"
        )
        yield* end(by, (yield* fetch(by))?.id ?? 0, 1)
        expect((yield* shownJobs(run)).split(", ").filter((job) => job.startsWith("build (a)"))).toEqual([
          "build (a): running",
          "build (a) / make: success",
          "build (a) / each (1): waiting",
          "build (a) / each (2): waiting"
        ])
        const one = yield* fetch(by)
        expect(JSON.parse(one?.workflow ?? "").jobs.each).toMatchObject({
          strategy: { matrix: { n: [1] } },
          steps: [{ run: `make ${expression("'a'")}` }]
        })
        yield* end(by, one?.id ?? 0, 2)
        // A failed job cancels the rest of its matrix, and thereby the called workflows.
        expect(new Set((yield* shownJobs(run)).split(", ").map((job) => job.split(": ")[1]))).toEqual(
          new Set(["success", "failure", "cancelled"])
        )
        expect((yield* runs).find(({ id }) => id === run?.id)).toMatchObject({ status: "done", conclusion: "failure" })
      })
    )

    it.live("are expanded once when their dependencies finish concurrently", () =>
      Effect.gen(function* () {
        const { end, fetch, file, runner, runs, shownJobs } = yield* workflowSite(store)
        const plan = "runs-on: linux, outputs: { m: x }, steps: [{ run: plan }]"
        const matrix = `{ n: "${expression("fromJSON(needs.a.outputs.m)")}" }`
        const jobs = `{ a: { ${plan} }, b: { ${plan} }, c: { needs: [a, b], strategy: { matrix: ${matrix} }, ${plan} } }`
        yield* file(".forgejo/workflows/ci.yml", `on: push\njobs: ${jobs}`)
        const by = yield* runner()
        const tasks = [yield* fetch(by), yield* fetch(by)]
        // Each job reports its end twice, like a runner that got no response.
        const ends = [...tasks, ...tasks].map((task) => end(by, task?.id ?? 0, 1, { m: "[1, 2]" }))
        yield* Effect.all(ends, { concurrency: "unbounded" })
        const [run] = yield* runs
        expect(yield* shownJobs(run)).toBe("a: success, b: success, c (1): waiting, c (2): waiting")
      })
    )
  })
}
