import type { PlainRecord, PlainValue, WorkflowJob } from "@slipway/domain/forge/automation"
import {
  callHolds,
  callOutputs,
  inputsAround,
  type JobDecisionInput,
  type JobState,
  readWorkflow,
  releaseJobs,
  runStateOf,
  secretsAround,
  withInputs
} from "@slipway/domain/forge/automation"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { expression, job, jobState, problem } from "../../../../scripts/vitest/workflowSupport.ts"
import type { Called } from "../../src/automation/workflows/files.ts"
import { plannedRun } from "../../src/automation/workflows/planRun.ts"

const path = ".forgejo/workflows/build.yml"
const uses = `./${path}`

const calling = (call: PlainRecord) => problem({ on: "push", jobs: { a: { uses, ...call } } })
const called = (files: Record<string, PlainValue>): Called =>
  new Map(
    Object.entries(files).map(([name, written]) => [
      name,
      { workflow: Result.getOrThrow(readWorkflow(written)), written }
    ])
  )
const shared = { github: { ref_name: "main" }, inputs: {}, vars: { OS: "arm" } }
const planned = (jobs: PlainValue, files: Record<string, PlainValue>) =>
  Result.map(
    plannedRun(Result.getOrThrow(readWorkflow({ on: "push", jobs })), shared, called(files)),
    (run) => run.jobs
  )

const build: PlainRecord = {
  on: {
    workflow_call: {
      inputs: { os: { type: "string", required: true }, fast: { type: "boolean" }, version: { type: "string" } },
      secrets: { KEY: { required: true }, OTHER: null },
      outputs: { made: { value: expression("jobs.compile.outputs.file || inputs.os") } }
    }
  },
  jobs: {
    compile: { ...job, name: `Compile ${expression("inputs.os")}`, "runs-on": expression("inputs.os") },
    check: { ...job, needs: "compile", if: expression("inputs.fast") }
  }
}

describe("reusable workflows", () => {
  it("are called with valid files, inputs, secrets and conditions", () => {
    expect(calling({ with: { os: "x", n: 1 }, secrets: "inherit", if: "always() && vars.A == needs.b.result" })).toBe(
      "nothing"
    )
    const elsewhere =
      "jobs.a.uses: must be a workflow of the same repository, as `./.forgejo/workflows/x.yml`: workflows of other repositories cannot be called"
    for (const other of [
      "a/b/.forgejo/workflows/x.yml@main",
      "https://x/y.yml",
      "./x.yml",
      "./.forgejo/workflows/../x.yml",
      1
    ]) {
      expect(calling({ uses: other })).toBe(elsewhere)
    }
    expect(calling({ with: { os: ["x"] } })).toBe("jobs.a.with.os: must be a string, a number or a boolean")
    expect(calling({ with: { os: expression("secrets.KEY") } })).toBe("jobs.a.with.os: `secrets` is not available here")
    expect(calling({ if: "runner.os == 'x'" })).toBe("jobs.a.if: `runner` is not available here")
    expect(calling({ if: "hashFiles('x')" })).toBe("jobs.a.if: `hashFiles` is not available here")
    expect(calling({ secrets: { KEY: expression("steps.x.outputs.y") } })).toBe(
      "jobs.a.secrets.KEY: `steps` is not available here"
    )
    const outputs = { workflow_call: { outputs: { a: { value: expression("needs.x.result") } } } }
    expect(problem({ on: outputs, jobs: { a: job } })).toBe(
      "on.workflow_call.outputs.a.value: `needs` is not available here"
    )
  })

  it("add the jobs of the called workflow below the calling job", () => {
    const jobs = planned(
      {
        first: job,
        call: {
          uses,
          needs: "first",
          strategy: { matrix: { os: ["x", "y"] } },
          with: { os: expression("matrix.os"), fast: true, version: expression("needs.first.outputs.v") },
          secrets: { KEY: expression("secrets.A") }
        },
        last: { ...job, needs: "call" }
      },
      { [path]: build }
    )
    expect(
      Result.getOrThrow(jobs).map(({ caller, calls, name, needs, runsOn, slot }) => [
        slot,
        caller,
        calls,
        name,
        needs,
        runsOn
      ])
    ).toEqual([
      [0, null, "", "first", [], ["linux"]],
      [1, null, path, "call (x)", ["first"], []],
      [2, 1, "", "call (x) / Compile x", [], ["x"]],
      [3, 1, "", "call (x) / check", ["compile"], ["linux"]],
      [4, null, path, "call (y)", ["first"], []],
      [5, 4, "", "call (y) / Compile y", [], ["y"]],
      [6, 4, "", "call (y) / check", ["compile"], ["linux"]],
      [7, null, "", "last", ["call"], ["linux"]]
    ])
  })

  it("report the error of an invalid call", () => {
    const of = (call: PlainRecord, file: PlainValue = build) =>
      Result.getOrElse(Result.flip(planned({ a: { uses, ...call }, b: job }, { [path]: file })), () => "nothing")
    const secrets = { KEY: "x" }
    expect(of({ with: { os: "x" }, secrets: "inherit" })).toBe("nothing")
    expect(of({ secrets })).toBe("jobs.a.with: `os` is not a declared input, or has an invalid value")
    expect(of({ secrets, with: { os: "x", more: 1 } })).toBe(
      "jobs.a.with: `more` is not a declared input, or has an invalid value"
    )
    expect(of({ secrets, with: { os: "x", fast: "maybe" } })).toBe(
      "jobs.a.with: `fast` is not a declared input, or has an invalid value"
    )
    expect(of({ with: { os: "x" } })).toBe("jobs.a.secrets: `KEY` is not a declared secret, or is required and missing")
    expect(of({ with: { os: "x" }, secrets: { ...secrets, B: "x" } })).toBe(
      "jobs.a.secrets: `B` is not a declared secret, or is required and missing"
    )
    expect(of({ secrets, needs: "b", with: { os: expression("needs.b.outputs.os") } })).toBe(
      `jobs.a / jobs.compile.runs-on: \`${expression("inputs.os")}\` cannot be evaluated before the job has a runner`
    )
    const grouped = { on: "workflow_call", jobs: { c: { ...job, concurrency: "G" } } }
    expect(of({ concurrency: "g" }, grouped)).toBe(
      "jobs.a / jobs.c.concurrency: the job would wait for its calling job"
    )
    // The number of jobs in a run is limited, called ones included (invariant I25).
    const itself = { on: "workflow_call", jobs: { c: { uses, strategy: { matrix: { n: [1, 2, 3, 4] } } } } }
    expect(of({}, itself)).toBe("jobs: must be at most 256, including jobs of matrices")
  })

  const state = (slot: number, more: Partial<WorkflowJob> = {}): JobState & WorkflowJob =>
    ({
      ...jobState(slot, { key: `j${slot}` }),
      matrix: {},
      outputs: {},
      cancels: false,
      ...more
    }) as JobState & WorkflowJob
  const after = (jobs: ReadonlyArray<WorkflowJob>, deciding: JobDecisionInput<WorkflowJob> = {}) =>
    releaseJobs(jobs, deciding).changes.map(({ conclusion, id, outputs, status }) => [
      id,
      conclusion ?? status,
      outputs
    ])

  it("start, skip and end jobs by the results of the called jobs", () => {
    const call = state(1, { calls: path })
    const inner = [state(2, { caller: 1 }), state(3, { caller: 1, needs: ["j2"] })]
    const last = state(4, { needs: ["j1"] })
    const holds = { holds: () => true, outputs: () => ({ a: "b" }) }
    expect(after([call, ...inner, last], holds)).toEqual([
      [1, "running", undefined],
      [2, "waiting", undefined]
    ])
    expect(after([call, ...inner, last], { holds: () => false })).toEqual([
      [1, "skipped", undefined],
      [2, "skipped", undefined],
      [3, "skipped", undefined],
      [4, "skipped", undefined]
    ])
    expect(after([call, ...inner], { holds: () => undefined }).map(([, what]) => what)).toEqual([
      "failure",
      "cancelled",
      "cancelled"
    ])
    const running = { ...call, status: "running" } as const
    const done = (slot: number, conclusion: WorkflowJob["conclusion"], more: Partial<WorkflowJob> = {}) =>
      state(slot, { caller: 1, status: "done", conclusion, ...more })
    expect(after([running, done(2, "success"), done(3, "success"), last], holds)).toEqual([
      [1, "success", { a: "b" }],
      [4, "waiting", undefined]
    ])
    expect(after([running, done(2, "failure"), done(3, "skipped"), last], holds).map(([, what]) => what)).toEqual([
      "failure",
      "skipped"
    ])
    expect(after([running, done(2, "failure", { tolerant: true }), done(3, "success")], holds)[0]?.[1]).toBe("success")
    // A called job ends with its caller.
    expect(
      after([done(1, "cancelled", { caller: null, calls: path }), state(2, { caller: 1, status: "running" })])
    ).toEqual([[2, "cancelled", undefined]])
    expect(runStateOf([running, state(2, { caller: 1, status: "waiting" })]).status).toBe("waiting")
    expect(runStateOf([{ ...running, status: "done", conclusion: "success" }, done(2, "failure")]).conclusion).toBe(
      "success"
    )
  })

  const facts = {
    workflow: {
      jobs: {
        call: {
          uses,
          needs: "first",
          if: "needs.first.outputs.go == 'yes'",
          with: { os: expression("needs.first.outputs.v"), fast: expression("github.ref_name == 'main'") },
          secrets: { KEY: expression("secrets.A") }
        },
        wrong: { uses, needs: "first", with: { fast: expression("needs.first.outputs.v") } }
      }
    },
    called: {
      [path]: {
        ...build,
        jobs: { ...(build.jobs as PlainRecord), deep: { uses: "./.forgejo/workflows/deep.yml", secrets: "inherit" } }
      },
      ".forgejo/workflows/deep.yml": { on: "workflow_call", jobs: { x: job } }
    },
    ...shared,
    budget: { left: 1e9 }
  }
  const first = (go: string) =>
    state(0, { key: "first", status: "done", conclusion: "success", outputs: { go, v: "it's" } })
  const call = state(1, { key: "call", calls: path, needs: ["first"] })
  const compile = state(2, {
    key: "compile",
    caller: 1,
    status: "done",
    conclusion: "success",
    outputs: { file: "a.out" }
  })
  const deep = state(3, { key: "deep", caller: 1, calls: ".forgejo/workflows/deep.yml" })
  const innermost = state(4, { key: "x", caller: 3 })
  const jobs = [first("yes"), call, compile, deep, innermost]

  it("pass inputs and secrets in, and outputs out", () => {
    expect(inputsAround(compile, jobs, facts)).toEqual({ os: "it's", fast: true, version: "" })
    expect(inputsAround(call, jobs, facts)).toEqual({})
    expect(callHolds(call, jobs, facts)).toBe(true)
    expect(callHolds(call, [first("no"), call], facts)).toBe(false)
    expect(callHolds(call, [{ ...first("yes"), conclusion: "failure" }, call], facts)).toBe(false)
    // A condition that is resolved late may be invalid.
    const fast = { ...call, key: "wrong" }
    expect(callHolds(fast, [first("yes"), fast], facts)).toBeUndefined()
    expect(callOutputs(call, jobs, facts)).toEqual({ made: "a.out" })
    expect(callOutputs(call, [first("yes"), call], facts)).toEqual({ made: "it's" })
    const all = { A: "a", B: "b" }
    expect(secretsAround(call, jobs, facts, all)).toEqual(all)
    expect(secretsAround(compile, jobs, facts, all)).toEqual({ KEY: "a" })
    expect(secretsAround(innermost, jobs, facts, all)).toEqual({ KEY: "a" })
    // A run without secrets passes none on (invariant I21).
    expect(secretsAround(innermost, jobs, facts, {})).toEqual({ KEY: "" })
  })

  it("are rejected if they exceed the size limit after their inputs are replaced (invariant I25)", () => {
    const text = expression("inputs.a").repeat(50)
    expect(withInputs(text, { a: "x".repeat(1_000) })).toHaveLength(50 * 1_009)
    expect(withInputs(text, { a: "x".repeat(100_000) })).toBeUndefined()
    // A single expression can repeat an input many times.
    const all = { run: expression("inputs ".repeat(1_400)) }
    expect(withInputs(all, { a: "x".repeat(1_000_000) })).toBeUndefined()
  })

  it("replace expressions of inputs with their values", () => {
    const inputs = { os: "it's", n: 2, yes: true, odd: "a}}\n${{ b" }
    expect(withInputs({ jobs: { env: { if: "inputs.n", steps: [] } } }, inputs)).toEqual({
      jobs: { env: { if: "2", steps: [] } }
    })
    expect(
      withInputs(
        {
          if: "inputs.yes && github.inputs.os != inputs.missing",
          env: { A: `x ${expression("INPUTS.os")} inputs.os`, B: expression("format('inputs.n {0}', inputs.n)") },
          steps: [
            { if: expression("inputs['n']"), run: expression("inputs.odd") },
            { with: { if: "inputs.os" }, env: { if: "inputs.n" } }
          ]
        },
        inputs
      )
    ).toEqual({
      if: "true && github.inputs.os != null",
      env: { A: `x ${expression("'it''s'")} inputs.os`, B: expression("format('inputs.n {0}', 2)") },
      steps: [
        {
          if: expression(
            `fromJSON('{"os":"it''s","n":2,"yes":true,"odd":"a\\u007d\\u007d\\n\\u0024\\u007b\\u007b b"}')['n']`
          ),
          run: expression(`fromJSON('"a\\u007d\\u007d\\n\\u0024\\u007b\\u007b b"')`)
        },
        // An `if` under `with` or `env` is a value, not a condition.
        { with: { if: "inputs.os" }, env: { if: "inputs.n" } }
      ]
    })
  })
})
