import { describe, expect, it } from "@effect/vitest"
import { workflowJobs, workflowRuns } from "@slipway/domain/forge/automation"
import { jobCleanup, runCleanup } from "@slipway/forge/automation"
import { Effect } from "effect"
import { stores } from "../support/stores.ts"
import { at, bob, ci, workflowSite as site } from "../support/workflowSite.ts"

for (const [name, store] of stores) {
  describe(`workflows in ${name}`, () => {
    it.live("end when their runner stops responding, and are deleted with the repository", () =>
      Effect.gen(function* () {
        const { api, fetch, file, jobsOf, runner, runs, shownJobs } = yield* site(store)
        yield* file(".forgejo/workflows/ci.yml", ci)
        const [run] = yield* runs
        const task = yield* fetch(yield* runner())
        yield* api.within(
          Effect.gen(function* () {
            const jobs = yield* workflowJobs.store
            yield* jobCleanup.run
            expect(yield* shownJobs(run)).toMatch(/^build: running/)
            const change = { aliveAt: "2026-01-01T00:00:00.000Z" }
            yield* jobs.patch({ runId: run?.id as never }, task?.id ?? 0, change)
            yield* jobCleanup.run
          })
        )
        expect(yield* shownJobs(run)).toBe(
          "build: failure, test (linux): skipped, test (arm): skipped, report: waiting"
        )
        // A job that no runner takes is cancelled, and old runs are deleted.
        yield* file("x.txt", "x")
        const [young] = yield* runs
        const old = { createdAt: "2024-01-01T00:00:00.000Z" }
        yield* api.within(
          Effect.gen(function* () {
            const [first] = yield* jobsOf(young)
            const change = (more: object) =>
              Effect.andThen(
                Effect.flatMap(workflowJobs.store, (jobs) =>
                  jobs.patch({ runId: young?.id as never }, first?.id ?? 0, more)
                ),
                jobCleanup.run
              )
            // The time counts from when it became ready: it may have waited for other jobs before.
            yield* change(old)
            expect((yield* shownJobs(young)).split(", ")[0]).toBe("build: waiting")
            yield* change({ aliveAt: old.createdAt })
            expect((yield* shownJobs(young)).split(", ")[0]).toBe("build: cancelled")
            const store = yield* workflowRuns.store
            yield* store.patch({ repositoryId: run?.repositoryId as never }, run?.id ?? 0, old)
            yield* runCleanup.run
            expect((yield* runs).length).toBe(2)
            yield* store.patch({ repositoryId: run?.repositoryId as never }, run?.id ?? 0, { status: "done" })
            yield* runCleanup.run
          })
        )
        expect((yield* runs).map(({ id }) => id)).toEqual([young?.id])
        const { id: org } = yield* api.ask(201, "POST", "/orgs", { ...bob, body: { username: "acme" } })
        yield* api.ask(202, "POST", `${at}/transfer`, { ...bob, body: { new_owner: "acme" } })
        expect((yield* runs).map(({ ownerId }) => ownerId)).toEqual([org])
        expect(new Set((yield* jobsOf(young)).map(({ ownerId }) => ownerId))).toEqual(new Set([org]))
        yield* api.ask(204, "DELETE", "/repos/acme/site", bob)
        expect([yield* runs, yield* jobsOf(young)]).toEqual([[], []])
      })
    )
  })
}
