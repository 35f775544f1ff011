import { describe, expect, it } from "@effect/vitest"
import { Reruns } from "@slipway/forge/automation"
import { Effect } from "effect"
import { bearer } from "../support/harness.ts"
import { stores } from "../support/stores.ts"
import { at, workflowSite } from "../support/workflowSite.ts"

const matrices = `
name: CI
on: push
jobs:
  fast:
    runs-on: linux
    strategy: { matrix: { n: [1, 2, 3] } }
    steps: [{ run: make }]
  slow:
    runs-on: arm
    strategy: { fail-fast: false, max-parallel: 2, matrix: { n: [1, 2, 3] } }
    continue-on-error: \${{ matrix.n != 3 }}
    steps: [{ run: make }]
  last: { needs: slow, runs-on: arm, steps: [{ run: make }] }
`

for (const [kind, store] of stores) {
  describe(`jobs of a matrix in ${kind}`, () => {
    it.live("are cancelled by fail-fast, wait for max-parallel, and may fail with continue-on-error", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, jobsOf, proof, runner, runs, shownJobs, statuses } = yield* workflowSite(store)
        const { commit } = yield* file(".forgejo/workflows/ci.yml", matrices)
        const [run] = yield* runs
        expect(yield* shownJobs(run)).toBe(
          "fast (1): waiting, fast (2): waiting, fast (3): waiting, slow (1): waiting, slow (2): waiting, slow (3): blocked, last: blocked"
        )
        const [linux, arm] = [yield* runner(["linux"]), yield* runner(["arm"])]
        const [first, second] = [yield* fetch(linux), yield* fetch(linux)]
        yield* end(linux, first?.id ?? 0, 2)
        expect((yield* shownJobs(run)).split(", ").slice(0, 3)).toEqual([
          "fast (1): failure",
          "fast (2): cancelled",
          "fast (3): cancelled"
        ])
        // The runner of a cancelled job is notified, and the job's token is rejected.
        expect((yield* end(linux, second?.id ?? 0, 0)).result).toBe(3)
        const token = { headers: bearer(String(second?.context.token)) }
        expect((yield* api.send("GET", at, token)).status).toBe(401)
        const [one, two] = [yield* fetch(arm), yield* fetch(arm)]
        expect(yield* fetch(arm)).toBeUndefined()
        yield* end(arm, one?.id ?? 0, 2)
        const three = yield* fetch(arm)
        expect(three?.context).toMatchObject({ job: "slow" })
        yield* end(arm, two?.id ?? 0, 1)
        yield* end(arm, three?.id ?? 0, 1)
        const last = yield* fetch(arm)
        expect(last?.needs).toEqual({ slow: { result: 1, outputs: {} } })
        yield* end(arm, last?.id ?? 0, 1)
        expect((yield* runs)[0]).toMatchObject({ status: "done", conclusion: "failure" })
        expect(yield* statuses(commit.sha)).toEqual([
          "failure",
          "CI / fast (1) (push): failure",
          "CI / fast (2) (push): failure",
          "CI / fast (3) (push): failure",
          "CI / last (push): success",
          "CI / slow (1) (push): warning",
          "CI / slow (2) (push): success",
          "CI / slow (3) (push): success"
        ])
        // An earlier failure does not cancel a rerun.
        const again = yield* proof("repository.actions.run.job.rerun")
        const [, cancelled] = yield* jobsOf(run)
        yield* api.within(Reruns.rerunJob(again, run?.id ?? 0, cancelled?.id ?? 0))
        expect((yield* shownJobs(run)).endsWith("fast (2): waiting")).toBe(true)
      })
    )
  })
}
