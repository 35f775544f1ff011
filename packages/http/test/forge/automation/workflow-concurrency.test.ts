import { describe, expect, it } from "@effect/vitest"
import { workflowTurns } from "@slipway/domain/forge/automation"
import { Reruns } from "@slipway/forge/automation"
import { Effect } from "effect"
import type { Chosen } from "../support/harness.ts"
import { stores } from "../support/stores.ts"
import { ann, at, bob, workflowSite } from "../support/workflowSite.ts"

/** Returns an expression in workflow syntax. */
const expression = (text: string) => `\${{ ${text} }}`

const workflow = (concurrency: string, job = "") => `
on: [push, workflow_dispatch, pull_request]
${concurrency}
jobs: { a: { runs-on: linux, steps: [{ run: make }]${job} } }
`

const groupedSite = Effect.fnUntraced(function* (store?: Chosen["store"]) {
  const site = yield* workflowSite(store)
  const { api, runs, settle } = site
  const states = Effect.map(runs, (rows) => rows.map(({ conclusion, status }) => conclusion ?? status))
  const turns = api.within(
    Effect.gen(function* () {
      const { rows } = yield* (yield* workflowTurns.store).listEverywhere({ limit: 50 })
      return rows.map(({ group, holds, runId }) => [group, runId, holds === group])
    })
  )
  /** Dispatches a workflow several times concurrently. */
  const dispatch = (file: string, times = 1) =>
    Effect.andThen(
      Effect.all(
        Array.from({ length: times }, () =>
          api.ask(204, "POST", `${at}/actions/workflows/${file}/dispatches`, { ...bob, body: { ref: "main" } })
        ),
        { concurrency: "unbounded" }
      ),
      settle
    )
  return { ...site, dispatch, states, turns }
})

describe("concurrency groups of runs and jobs", () => {
  it.live("have at most one running run and one waiting run, which is the newest one", () =>
    Effect.gen(function* () {
      const { api, dispatch, end, fetch, file, proof, runner, runs, settle, states, turns } = yield* groupedSite()
      yield* file(".forgejo/workflows/a.yml", workflow("concurrency: Deploy"))
      expect(yield* states).toEqual(["waiting"])
      const by = yield* runner()
      const first = yield* fetch(by)
      yield* dispatch("a.yml")
      expect(yield* states).toEqual(["blocked", "running"])
      expect(yield* fetch(by)).toBeUndefined()
      yield* dispatch("a.yml")
      expect(yield* states).toEqual(["blocked", "cancelled", "running"])
      yield* end(by, first?.id ?? 0, 1)
      yield* settle
      expect(yield* states).toEqual(["waiting", "cancelled", "success"])
      const [third] = yield* runs
      expect(yield* turns).toEqual([["deploy", third?.id, true]])
      // A rerun waits like any other run.
      const [, second] = yield* runs
      yield* api.within(Reruns.rerun(yield* proof("repository.actions.run.rerun"), second?.id ?? 0))
      yield* settle
      expect(yield* states).toEqual(["waiting", "blocked", "success"])
      yield* api.within(Reruns.remove(yield* proof("repository.actions.run.delete"), third?.id ?? 0))
      yield* settle
      expect(yield* states).toEqual(["waiting", "success"])
      yield* api.within(Reruns.cancel(yield* proof("repository.actions.run.cancel"), second?.id ?? 0))
      yield* settle
      expect(yield* turns).toEqual([])
    })
  )

  it.live("can cancel the current run for a newer run, and never run two runs concurrently", () =>
    Effect.gen(function* () {
      const { dispatch, end, fetch, file, runner, runs, states, turns } = yield* groupedSite()
      const cancelling = `concurrency: { group: "x-${expression("github.ref")}", cancel-in-progress: true }`
      yield* file(".forgejo/workflows/a.yml", workflow(cancelling))
      const by = yield* runner()
      const first = yield* fetch(by)
      yield* dispatch("a.yml")
      expect(yield* states).toEqual(["waiting", "cancelled"])
      expect((yield* end(by, first?.id ?? 0, 0)).result).toBe(3)
      yield* dispatch("a.yml", 6)
      const after = yield* states
      expect(after.toSorted()).toEqual([...Array.from({ length: 7 }, () => "cancelled"), "waiting"])
      expect((yield* turns).map(([group, , taken]) => [group, taken])).toEqual([["x-refs/heads/main", true]])
      // Each run gets its own group through its number.
      yield* file(".forgejo/workflows/b.yml", workflow(`concurrency: n-${expression("github.run_id")}`))
      yield* dispatch("b.yml")
      const own = (yield* runs).filter((run) => run.workflow === "b.yml")
      expect(own.map(({ group, id, status }) => [group === `n-${id}`, status])).toEqual([
        [true, "waiting"],
        [true, "waiting"]
      ])
    })
  )

  it.live("also apply to jobs, and a job enters its group when its dependencies finish", () =>
    Effect.gen(function* () {
      const { api, dispatch, end, fetch, file, proof, runner, runs, settle, shownJobs } = yield* groupedSite()
      const jobs = ", concurrency: deploy }, b: { needs: a, concurrency: later, runs-on: linux, steps: [{ run: x }]"
      yield* file(".forgejo/workflows/a.yml", workflow("", jobs))
      yield* settle
      yield* dispatch("a.yml")
      const [second, first] = yield* runs
      expect([yield* shownJobs(first), yield* shownJobs(second)]).toEqual([
        "a: waiting, b: blocked",
        "a: blocked, b: blocked"
      ])
      const by = yield* runner()
      const one = yield* fetch(by)
      expect(yield* fetch(by)).toBeUndefined()
      yield* end(by, one?.id ?? 0, 1)
      yield* settle
      expect([yield* shownJobs(first), yield* shownJobs(second)]).toEqual([
        "a: success, b: waiting",
        "a: waiting, b: blocked"
      ])
      yield* dispatch("a.yml")
      yield* dispatch("a.yml")
      const [, third] = yield* runs
      // The newest waiting job replaces the older one, which ends its run.
      expect(yield* shownJobs(third)).toBe("a: cancelled, b: skipped")
      yield* api.within(Reruns.cancel(yield* proof("repository.actions.run.cancel"), second?.id ?? 0))
      yield* settle
      const [fourth] = yield* runs
      expect(yield* shownJobs(fourth)).toBe("a: waiting, b: blocked")
    })
  )

  it.live("cancel runs that would deadlock", () =>
    Effect.gen(function* () {
      const { dispatch, end, fetch, file, runner, runs, settle, shownJobs, turns } = yield* groupedSite()
      const of = (own: string, other: string) => `
on: workflow_dispatch
concurrency: ${own}
jobs:
  a: { runs-on: linux, steps: [{ run: make }] }
  b: { needs: a, concurrency: ${other}, runs-on: linux, steps: [{ run: make }] }
`
      yield* file(".forgejo/workflows/a.yml", of("x", "y"))
      yield* file(".forgejo/workflows/b.yml", of("y", "x"))
      yield* dispatch("a.yml")
      yield* dispatch("b.yml")
      const by = yield* runner()
      const [second, first] = yield* runs
      for (const _ of [first, second]) {
        yield* end(by, (yield* fetch(by))?.id ?? 0, 1)
        yield* settle
      }
      expect([yield* shownJobs(first), yield* shownJobs(second)]).toEqual([
        "a: success, b: waiting",
        "a: success, b: cancelled"
      ])
      yield* end(by, (yield* fetch(by))?.id ?? 0, 1)
      yield* settle
      expect(yield* turns).toEqual([])
    })
  )

  it.live("run the jobs of a matrix one after the other with max-parallel 1", () =>
    Effect.gen(function* () {
      const { dispatch, end, fetch, file, runner, runs, settle, shownJobs } = yield* groupedSite()
      const strategy = "strategy: { max-parallel: 1, matrix: { n: [1, 2, 3] } }, concurrency: g"
      yield* file(
        ".forgejo/workflows/a.yml",
        `on: workflow_dispatch\njobs: { a: { runs-on: linux, steps: [{ run: x }], ${strategy} } }`
      )
      yield* dispatch("a.yml")
      const by = yield* runner()
      for (const _ of [1, 2, 3]) {
        yield* end(by, (yield* fetch(by))?.id ?? 0, 1)
        yield* settle
      }
      expect(yield* shownJobs((yield* runs)[0])).toBe("a (1): success, a (2): success, a (3): success")
    })
  )

  for (const event of ["pull_request", "pull_request_target"]) {
    it.live(`are separate for external contributors, whatever the name of the group: ${event} (I21)`, () =>
      Effect.gen(function* () {
        const { api, file, runs, settle, turns } = yield* groupedSite()
        const text = workflow(
          `concurrency: { group: "${expression("github.head_ref || github.ref_name")}", cancel-in-progress: true }`
        )
        yield* file(".forgejo/workflows/a.yml", text.replace("pull_request]", `${event}]`))
        yield* api.ask(202, "POST", `${at}/forks`, { ...ann, body: { name: "copy" } })
        yield* settle
        yield* file("x.md", "x", {}, ann, "/repos/ann/copy")
        yield* api.ask(201, "POST", `${at}/pulls`, { ...ann, body: { title: "x", head: "ann:main", base: "main" } })
        yield* settle
        const [pull] = yield* runs
        if (event === "pull_request") {
          // A run that waits for approval blocks no other run.
          expect((yield* turns).filter(([group]) => group === pull?.group)).toEqual([])
          yield* api.ask(204, "POST", `${at}/actions/runs/${pull?.id}/approve`, bob)
          yield* settle
        }
        const own = (yield* runs).filter(({ ownerId }) => ownerId === 2)
        expect(own.map((run) => [run.event, run.group, run.status])).toEqual([
          [event, "refs/pull/1/head main", "waiting"],
          ["push", "main", "waiting"]
        ])
        expect((yield* turns).filter(([, , taken]) => taken === true).length).toBeGreaterThanOrEqual(2)
      })
    )
  }
  for (const [kind, store] of stores) {
    it.live(`never run two runs concurrently, regardless of who starts them, in ${kind}`, () =>
      Effect.gen(function* () {
        const { dispatch, fetch, file, runner, states, turns } = yield* groupedSite(store)
        yield* file(".forgejo/workflows/a.yml", workflow("concurrency: one"))
        yield* file(".forgejo/workflows/b.yml", workflow("concurrency: ONE"))
        yield* Effect.all([dispatch("a.yml", 4), dispatch("b.yml", 4)], { concurrency: "unbounded" })
        const all = yield* states
        expect(all.filter((state) => state === "waiting").length).toBe(1)
        expect(all.filter((state) => state === "blocked").length).toBe(1)
        expect(all.filter((state) => state === "cancelled").length).toBe(all.length - 2)
        expect((yield* turns).map(([, , taken]) => taken).toSorted()).toEqual([false, true])
        const by = yield* runner()
        expect(yield* fetch(by)).toBeDefined()
        expect(yield* fetch(by)).toBeUndefined()
      })
    )
  }
})
