import type { PlainRecord, PlainValue } from "@slipway/domain/forge/automation"
import { makeBudget, readWorkflow } from "@slipway/domain/forge/automation"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { expression, problem } from "../../../../scripts/vitest/workflowSupport.ts"
import { expandMatrix } from "../../src/automation/workflows/expandMatrix.ts"
import { plannedRun } from "../../src/automation/workflows/planRun.ts"

const of = (matrix: PlainValue, more: PlainRecord = {}): PlainValue => ({
  on: "push",
  jobs: { a: { "runs-on": "linux", steps: [{ run: "make" }], strategy: { matrix }, ...more } }
})

/** Returns the jobs of a matrix at the start of its run, or why there are none. */
const made = (matrix: PlainValue, known: { readonly inputs?: PlainRecord; readonly github?: PlainRecord } = {}) =>
  Result.match(
    Result.flatMap(readWorkflow(of(matrix)), (workflow) =>
      plannedRun(workflow, { github: known.github ?? {}, inputs: known.inputs ?? {}, vars: {}, budget: makeBudget() })
    ),
    {
      onFailure: (because) => because,
      onSuccess: ({ jobs }) => jobs.map(({ name, open }) => `${name}${open ? "?" : ""}`)
    }
  )

const json = (value: PlainValue) => expression(`fromJSON('${JSON.stringify(value)}')`)

describe("a matrix with expressions", () => {
  it("expands when its run starts if all values are known", () => {
    expect(made(json({ os: ["a", "b"], include: [{ os: "c", fast: true }] }))).toEqual([
      "a (a)",
      "a (b)",
      "a (c, true)"
    ])
    expect(made({ n: json([1, 2]), exclude: json([{ n: 2 }]) })).toEqual(["a (1)"])
    const inputs = { all: '["x", "y"]', one: "z" }
    expect(made({ os: expression("fromJSON(inputs.all)"), v: [`v-${expression("inputs.one")}`] }, { inputs })).toEqual([
      "a (x, v-z)",
      "a (y, v-z)"
    ])
    expect(made({ ref: [expression("github.ref_name")] }, { github: { ref_name: "main" } })).toEqual(["a (main)"])
  })

  it("waits for needed jobs if it uses their outputs", () => {
    expect(made(expression("fromJSON(needs.b.outputs.m)"))).toEqual(["a?"])
    expect(made({ os: ["x"], include: expression("fromJSON(NEEDS.b.outputs.m)") })).toEqual(["a?"])
    // A property named `needs` is not the `needs` context.
    expect(made({ os: [expression("github.needs")] })).toEqual(["a (null)"])
  })

  it("reports its errors, and is limited in size (invariant I25)", () => {
    expect(problem(of({ os: expression("fromJSON(secrets.x)") }))).toBe(
      "jobs.a.strategy.matrix: `secrets` is not available here"
    )
    expect(problem(of({ os: expression("matrix.x") }))).toBe("jobs.a.strategy.matrix: `matrix` is not available here")
    expect(problem(of(expression("fromJSON(needs.b.outputs.m)"), { if: "matrix.x" }))).toBe(
      "jobs.a.if: `matrix` is not available here"
    )
    expect(made(json(["x"]))).toBe("jobs.a.strategy.matrix: must be a map")
    expect(made({ os: json({}) })).toBe("jobs.a.strategy.matrix.os: must be a list of values")
    expect(made({ os: json([]) })).toBe("jobs.a.strategy.matrix.os: must be a list of values")
    expect(made({ os: expression("fromJSON('[')") })).toBe("jobs.a.strategy.matrix: `fromJSON` got invalid JSON")
    const many = Array.from({ length: 257 }, (_, at) => at)
    expect(made({ n: json(many) })).toBe("jobs: must be at most 256, including jobs of matrices")
    const long = { inputs: { x: "x".repeat(600_000) } }
    expect(made({ n: [expression("inputs.x"), expression("inputs.x")] }, long)).toBe(
      "jobs.a.strategy.matrix: is too long"
    )
    // The length is checked before the text is built.
    const often = Array.from({ length: 2_000 }, () => expression("inputs.x"))
    expect(made({ n: often }, long)).toBe("jobs.a.strategy.matrix: is too long")
    expect(made({ n: [often.join("")] }, long)).toBe("jobs.a.strategy.matrix: its result is too long")
    // The values of each job are limited too.
    const some = Array.from({ length: 200 }, (_, at) => at)
    const each = { n: some, include: [{ x: expression("inputs.x") }] }
    expect(made(each, { inputs: { x: "x".repeat(65_000) } })).toHaveLength(200)
    expect(made(each, long)).toBe("jobs.a.strategy.matrix: the values of a job are too long")
    expect(made({ n: [expression("fromJSON('\"\\u0000\"')")] })).toBe(
      "jobs.a.strategy.matrix: has characters that cannot be stored"
    )
  })

  it("reads its workflow once for all matrices of a run (invariant I25)", () => {
    const plan = { "runs-on": "linux", steps: [{ run: "make" }] }
    const later = { ...plan, needs: ["plan"], strategy: { matrix: expression("fromJSON(needs.plan.outputs.m)") } }
    let reads = 0
    const written = {
      on: "push",
      jobs: { plan, one: later, other: later },
      get name() {
        reads++
        return "CI"
      }
    }
    const slots = ["plan", "one", "other"].map((key, slot) => {
      const rest = { caller: null, calls: "", group: null, matrix: {}, tolerant: false }
      const end = { status: "done", conclusion: "success", outputs: { m: '{"n":[1,2]}' } } as const
      const wait = { status: "blocked", conclusion: null, outputs: {} } as const
      const needs = slot === 0 ? [] : ["plan"]
      return { ...rest, ...(slot === 0 ? end : wait), key, name: key, needs, open: slot > 0, slot }
    })
    const facts = { workflow: written, called: {}, github: {}, vars: {}, inputs: {}, budget: makeBudget() }
    const run = { group: null, ref: "refs/heads/main", trusted: true }
    const names = slots.slice(1).map((job) => {
      const made = expandMatrix(job, slots, facts, run)
      return { names: Result.getOrThrow(made).map(({ name }) => name), reads }
    })
    expect(names.map((each) => each.names)).toEqual([
      ["one (1)", "one (2)"],
      ["other (1)", "other (2)"]
    ])
    expect(names[1]?.reads).toBe(names[0]?.reads)
  })

  it("I21: rejects values with expressions, which its runner would evaluate", () => {
    const github = { event: { title: expression("secrets.KEY") } }
    const refused = "jobs.a.strategy.matrix: has a value with an expression"
    expect(made({ t: [expression("github.event.title")] }, { github })).toBe(refused)
    expect(made({ t: [expression("fromJSON(toJSON(github.event))")] }, { github })).toBe(refused)
  })
})
