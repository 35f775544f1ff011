import type { PlainValue, Workflow, WorkflowJobId } from "@slipway/domain/forge/automation"
import {
  type JobState,
  readWorkflow,
  releaseJobs,
  runStateOf,
  settledTurns,
  type TurnState
} from "@slipway/domain/forge/automation"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { expression, job, jobState, problem } from "../../../../scripts/vitest/workflowSupport.ts"
import { jobsOf, plannedRun } from "../../src/automation/workflows/planRun.ts"

const read = (value: PlainValue): Workflow => Result.getOrThrow(readWorkflow(value))
const contexts = { github: { ref_name: "main" }, inputs: { os: "arm" }, vars: { LABELS: "big" } }

describe("runs and jobs", () => {
  it("stop a matrix when one of its jobs fails, and limit the parallel jobs of a matrix", () => {
    const state = (id: number, status: JobState["status"], more: Partial<JobState> = {}): JobState =>
      jobState(id, { status, conclusion: status === "done" ? "failure" : null, ...more })
    const after = (...jobs: ReadonlyArray<JobState>) =>
      releaseJobs(jobs).changes.map(({ conclusion, id, status }) => [id, conclusion ?? status])
    const others = [state(2, "running"), state(3, "waiting"), state(4, "blocked"), state(5, "running", { key: "b" })]
    expect(after(state(1, "done"), ...others)).toEqual([
      [2, "cancelled"],
      [3, "cancelled"],
      [4, "cancelled"]
    ])
    expect(after(state(1, "done", { conclusion: "cancelled" }), state(2, "running"))).toEqual([])
    expect(after(state(1, "done", { failFast: false }), state(2, "running"))).toEqual([])
    expect(after(state(1, "done", { tolerant: true }), state(2, "running"))).toEqual([])
    // A rerun job is independent of earlier failures.
    expect(after(state(1, "done"), state(2, "running", { attempt: 2 }))).toEqual([])
    const two = { maxParallel: 2, failFast: false }
    expect(after(state(1, "blocked", two), state(2, "blocked", two), state(3, "blocked", two))).toEqual([
      [1, "waiting"],
      [2, "waiting"]
    ])
    expect(after(state(1, "running", two), state(2, "done", two), state(3, "blocked", two))).toEqual([[3, "waiting"]])
    // A job that waits in a concurrency group counts as started, so no other job of its matrix waits too.
    const [one, other] = [state(1, "blocked", { ...two, maxParallel: 1, group: "g" }), { maxParallel: 1, group: "g" }]
    const both = [one, state(2, "blocked", other)]
    const asking = (slots: ReadonlyArray<number>, taken: ReadonlyArray<number> = []) => {
      const { asking, changes } = releaseJobs(both, { asked: new Set(slots), taken: new Set(taken) })
      return [asking.map(({ slot }) => slot), changes.map(({ id }) => id)]
    }
    expect(asking([])).toEqual([[1], []])
    expect(asking([1])).toEqual([[1], []])
    expect(asking([1], [1])).toEqual([[], [1]])
    expect(asking([2])).toEqual([[2], []])
    // A job with continue-on-error counts as successful for its dependents.
    const needy = state(6, "blocked", { key: "c", needs: ["a"] })
    expect(after(state(1, "done", { tolerant: true }), needy)).toEqual([[6, "waiting"]])
    expect(after(state(1, "done", { tolerant: true }), state(2, "done"), needy)).toEqual([[6, "skipped"]])
    expect(runStateOf([state(1, "done", { tolerant: true })]).conclusion).toBe("success")
    expect(runStateOf([state(1, "done", { tolerant: true }), state(2, "done")]).conclusion).toBe("failure")
  })

  it("read fail-fast, max-parallel and continue-on-error, expressions included", () => {
    const planned = (more: Record<string, PlainValue>) =>
      Result.map(jobsOf(read({ on: "push", jobs: { a: { ...job, ...more } } }), contexts), (jobs) =>
        jobs.map(({ failFast, maxParallel, tolerant }) => [failFast, maxParallel, tolerant])
      )
    expect(planned({})).toEqual(Result.succeed([[true, null, false]]))
    const matrix = { os: ["x", "y"] }
    const strategy = {
      matrix,
      "fail-fast": expression("github.ref_name != 'MAIN'"),
      "max-parallel": expression("vars.MOST || 1")
    }
    expect(planned({ strategy, "continue-on-error": expression("matrix.os == 'y'") })).toEqual(
      Result.succeed([
        [false, 1, false],
        [false, 1, true]
      ])
    )
    expect(planned({ strategy: { matrix, "max-parallel": 0 } })).toEqual(
      Result.succeed([
        [true, null, false],
        [true, null, false]
      ])
    )
    expect(planned({ "continue-on-error": expression("needs.b.result == 'failure'") })).toEqual(
      Result.fail("jobs.a.continue-on-error: `needs` is not available here")
    )
    expect(planned({ strategy: { "max-parallel": expression("'many'") } })).toEqual(
      Result.fail("jobs.a.strategy.max-parallel: must be a number")
    )
    expect(problem({ on: "push", jobs: { a: { ...job, "continue-on-error": "maybe" } } })).toBe(
      "jobs.a.continue-on-error: must be true or false"
    )
  })

  it("run one at a time in a concurrency group, where only the newest waiting one stays", () => {
    const turn = (id: number, cancels = false, isDone = false) => ({ id, cancels, holds: isDone ? "g" : null })
    const after = (...turns: ReadonlyArray<TurnState>) => {
      const { ended, taken } = settledTurns(turns)
      return [taken?.id, ended.map(({ id }) => id)]
    }
    expect(after()).toEqual([undefined, []])
    expect(after(turn(1))).toEqual([1, []])
    expect(after(turn(1, false, true), turn(2))).toEqual([undefined, []])
    // Only the newest waiting run stays.
    expect(after(turn(1, false, true), turn(2), turn(3), turn(4))).toEqual([undefined, [2, 3]])
    expect(after(turn(2), turn(3), turn(4))).toEqual([2, [3]])
    expect(after(turn(1, true, true), turn(2))).toEqual([undefined, []])
    expect(after(turn(1, false, true), turn(2, true))).toEqual([2, [1]])
    expect(after(turn(1, false, true), turn(2), turn(3, true), turn(4))).toEqual([3, [2, 1]])
    const own = { key: "a", needs: [], caller: null, calls: "", open: false } as const
    const state = { ...own, persistent: false, attempt: 1, failFast: true, maxParallel: null } as const
    const jobs: ReadonlyArray<JobState> = [
      { ...state, id: 7 as WorkflowJobId, slot: 0, group: "g", status: "blocked", conclusion: null, tolerant: false }
    ]
    expect(releaseJobs(jobs)).toEqual({ changes: [], asking: jobs, opening: [] })
    expect(releaseJobs(jobs, { taken: new Set([0]) })).toEqual({
      changes: [{ id: 7, status: "waiting", conclusion: null }],
      asking: [],
      opening: []
    })
  })

  it("read the concurrency groups of runs and jobs", () => {
    const planned = (concurrency: PlainValue, more: Record<string, PlainValue> = {}) =>
      Result.map(plannedRun(read({ on: "push", concurrency, jobs: { a: { ...job, ...more } } }), contexts), (run) => [
        run.group,
        run.cancels,
        ...run.jobs.map(({ cancels, group }) => [group, cancels])
      ])
    expect(planned(null)).toEqual(Result.succeed([null, false, [null, false]]))
    expect(planned(expression("github.head_ref"))).toEqual(Result.succeed([null, false, [null, false]]))
    expect(
      planned(
        {
          group: `Deploy-${expression("github.head_ref || github.ref_name")}`,
          "cancel-in-progress": expression("github.ref_name != 'x'")
        },
        { concurrency: { group: expression("format('{0}', matrix.os)") }, strategy: { matrix: { os: ["L", "m"] } } }
      )
    ).toEqual(Result.succeed(["deploy-main", true, ["l", false], ["m", false]]))
    expect(planned("G", { concurrency: "g" })).toEqual(
      Result.fail("jobs.a.concurrency: the job would wait for its own run")
    )
    expect(planned("g", { concurrency: expression("needs.b.outputs.x") })).toEqual(
      Result.fail("jobs.a.concurrency.group: `needs` is not available here")
    )
    expect(planned("x".repeat(401))).toEqual(
      Result.fail("concurrency.group: must have at most 400 characters that can be stored")
    )
    const of = (concurrency: PlainValue) => problem({ on: "push", concurrency, jobs: { a: job } })
    expect(of({ "cancel-in-progress": true })).toBe("concurrency.group: must be a text")
    expect(of({ group: "g", queue: "max" })).toBe("concurrency.queue: must be `single`: only one run waits")
  })
})
