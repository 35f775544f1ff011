import type { PlainValue, Workflow } from "@slipway/domain/forge/automation"
import {
  combinationsOf,
  conclusionOf,
  type WorkflowHappening as Happening,
  includesChangedFile,
  interpolate,
  isPersistent,
  type JobState,
  needsChangedFiles,
  readWorkflow,
  releaseJobs,
  runStateOf,
  startedBy,
  valueOf,
  workflowOfJob
} from "@slipway/domain/forge/automation"
import { runSynchronously } from "@slipway/domain/forge/code"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { expression, jobState, problem } from "../../../../scripts/vitest/workflowSupport.ts"
import { jobsOf } from "../../src/automation/workflows/planRun.ts"

const steps = [{ run: "make" }]
const job = { "runs-on": "linux", steps }
const read = (value: PlainValue): Workflow => Result.getOrThrow(readWorkflow(value))
const contexts = { github: { ref_name: "main" }, inputs: { os: "arm" }, vars: { LABELS: "big" } }

describe("workflows", () => {
  it("are read with their events, jobs and shared settings", () => {
    const workflow = read({
      name: "CI",
      "run-name": `of ${expression("github.actor")}`,
      env: { A: 1 },
      on: {
        push: { branches: ["main"], tags: "v*" },
        pull_request: null,
        page_build: {},
        schedule: [{ cron: "30 5 * * 1,3" }],
        workflow_dispatch: { inputs: { dry: { type: "boolean", required: true }, os: null } }
      },
      jobs: { build: { ...job, name: "Build", if: "github.ref_name == 'main'" }, test: { ...job, needs: "build" } }
    })
    expect(workflow).toMatchObject({
      name: "CI",
      runName: `of ${expression("github.actor")}`,
      on: { push: { branches: ["main"], tags: ["v*"] }, pull_request: {}, schedule: {}, workflow_dispatch: {} },
      schedules: [{ cron: "30 5 * * 1,3", timezone: "UTC" }],
      inputs: {
        dry: { type: "boolean", description: "", required: true, default: "", options: [] },
        os: { type: "string", required: false }
      },
      shared: { env: { A: 1 } }
    })
    expect(Object.keys(workflow.on)).not.toContain("page_build")
    expect(workflow.jobs.map(({ key, name, needs, runsOn }) => [key, name, needs, runsOn])).toEqual([
      ["build", "Build", [], ["linux"]],
      ["test", undefined, ["build"], ["linux"]]
    ])
    expect(read({ on: ["push", "issues"], jobs: { a: job } }).on).toEqual({ push: {}, issues: {} })
    expect(
      read({ on: "push", jobs: { a: { ...job, "runs-on": { group: "x", labels: ["a", "b"] } } } }).jobs[0]?.runsOn
    ).toEqual(["a", "b"])
  })

  it("report the place and the reason of an error", () => {
    const of = (jobs: PlainValue) => problem({ on: "push", jobs })
    expect(problem([])).toBe("the file must have a map with `on` and `jobs`")
    expect(problem({ on: "push", jobs: { a: { ...job, name: "\0" } } })).toBe(
      "the file has characters that cannot be stored"
    )
    expect(problem({ on: "push", jobs: { "\ud800": job } })).toBe("the file has characters that cannot be stored")
    expect(problem({ jobs: { a: job } })).toBe("on: must name an event")
    expect(problem({ on: "push" })).toBe("jobs: must be a map with a job")
    expect(problem({ on: { push: { branches: { a: 1 } } }, jobs: { a: job } })).toBe(
      "on.push.branches: must be a string or a list of strings"
    )
    expect(problem({ on: { schedule: [{ cron: "* * * * * *" }] }, jobs: { a: job } })).toBe(
      "on.schedule[0].cron: must be a cron schedule of five fields"
    )
    expect(of({ "a b": job })).toBe(
      "jobs.a b: must begin with a letter or `_` and may only contain letters, digits, `_` and `-`"
    )
    expect(of({ a: { steps } })).toBe("jobs.a.runs-on: must name a label of a runner")
    expect(of({ a: { "runs-on": "x" } })).toBe("jobs.a.steps: must have a step")
    expect(of({ a: { ...job, steps: [{ run: "x", uses: "y" }] } })).toBe(
      "jobs.a.steps[0]: must have either `run` or `uses`"
    )
    expect(of({ a: { uses: "./b.yml" } })).toBe(
      "jobs.a.uses: must be a workflow of the same repository, as `./.forgejo/workflows/x.yml`: workflows of other repositories cannot be called"
    )
    expect(of({ a: { ...job, needs: ["b"] } })).toBe("jobs.a.needs: names `b`, which is not a job")
    expect(of({ a: { ...job, needs: "b" }, b: { ...job, needs: "a" }, c: job })).toBe(
      "jobs: form a circular dependency: a, b"
    )
    expect(of({ a: { ...job, strategy: { matrix: ["x"] } } })).toBe("jobs.a.strategy.matrix: must be a map")
    expect(of({ a: { ...job, strategy: { matrix: { os: "x" } } } })).toBe(
      "jobs.a.strategy.matrix.os: must be a list of values"
    )
    const many = <A>(count: number, of: (n: number) => A) => Array.from({ length: count }, (_, n) => of(n))
    const names = Object.fromEntries(many(51, (n) => [`n${n}`, [n]]))
    expect(of({ a: { ...job, strategy: { matrix: names } } })).toBe(
      "jobs.a.strategy.matrix: must have at most 50 names"
    )
    for (const word of ["include", "exclude"]) {
      expect(of({ a: { ...job, strategy: { matrix: { n: [1], [word]: many(257, (n) => ({ n })) } } } })).toBe(
        `jobs.a.strategy.matrix.${word}: must have at most 256 entries`
      )
    }
    expect(of(Object.fromEntries(Array.from({ length: 257 }, (_, n) => [`j${n}`, job])))).toBe(
      "jobs: must be at most 256"
    )
  })

  it("start only for matching branches, tags and activity types", () => {
    const on = (filter: Workflow["on"]) => ({ on: filter })
    const push = (name: string, tag = false): Happening => ({
      event: "push",
      activity: "",
      branch: tag ? undefined : name,
      tag: tag ? name : undefined
    })
    expect(startedBy(on({ push: {} }), push("a/b"))).toBe(true)
    expect(startedBy(on({ push: {} }), push("v1", true))).toBe(true)
    expect(startedBy(on({ push: { branches: ["main"] } }), push("v1", true))).toBe(false)
    expect(startedBy(on({ push: { tags: ["v*"] } }), push("main"))).toBe(false)
    expect(startedBy(on({ push: { tags: ["v*"] } }), push("v1.2", true))).toBe(true)
    expect(startedBy(on({ push: { "tags-ignore": ["v*"] } }), push("v1.2", true))).toBe(false)
    expect(startedBy(on({ push: { "branches-ignore": ["fix/**"] } }), push("fix/a/b"))).toBe(false)
    expect(startedBy(on({ issues: {} }), push("main"))).toBe(false)
    const pull = (activity: string, branch = "main"): Happening => ({
      event: "pull_request",
      activity,
      branch,
      tag: undefined
    })
    expect(
      ["opened", "synchronize", "reopened", "closed", "edited"].filter((each) =>
        startedBy(on({ pull_request: {} }), pull(each))
      )
    ).toEqual(["opened", "synchronize", "reopened"])
    expect(startedBy(on({ pull_request: { types: ["closed"] } }), pull("closed"))).toBe(true)
    expect(startedBy(on({ pull_request: { branches: ["main"] } }), pull("opened", "other"))).toBe(false)
    const issue: Happening = { event: "issues", activity: "labeled", branch: undefined, tag: undefined }
    expect(startedBy(on({ issues: {} }), issue)).toBe(true)
    expect(startedBy(on({ issues: { types: ["opened"] } }), issue)).toBe(false)
  })

  it("start only for matching changed files", () => {
    const lets = (filter: object, ...files: ReadonlyArray<string>) =>
      runSynchronously(includesChangedFile({ on: { push: filter } }, "push", files))
    expect(lets({ paths: ["**.js"] }, "src/a/b.js")).toBe(true)
    expect(lets({ paths: ["src/*.js"] }, "src/a/b.js")).toBe(false)
    expect(lets({ paths: ["docs/**", "!docs/a.md"] }, "docs/a.md")).toBe(false)
    expect(lets({ paths: ["docs/**", "!docs/a.md"] }, "docs/a.md", "docs/b.md")).toBe(true)
    expect(lets({ "paths-ignore": ["docs/**"] }, "docs/a/b.md")).toBe(false)
    expect(lets({ "paths-ignore": ["docs/**"] }, "docs/a/b.md", "c")).toBe(true)
    expect(lets({ paths: ["{a,b}"] }, "a")).toBe(false)
    expect(lets({ paths: ["{a,b}"] }, "{a,b}")).toBe(true)
    // A change above the file limit starts every workflow.
    const many = Array.from({ length: 3_000 }, (_, n) => `${"x".repeat(200)}/${n}`)
    expect(lets({ paths: Array.from({ length: 10 }, () => "*a*") }, ...many)).toBe(true)
    const branch = { event: "push", activity: "", branch: "main", tag: undefined } as const
    expect(needsChangedFiles({ on: { push: { paths: ["a"] } } }, branch)).toBe(true)
    expect(needsChangedFiles({ on: { push: { paths: ["a"] } } }, { ...branch, branch: undefined, tag: "v1" })).toBe(
      false
    )
    expect(needsChangedFiles({ on: { push: { branches: ["a"] } } }, branch)).toBe(false)
  })

  it("expand a matrix with its excludes and includes", () => {
    const matrix = {
      vectors: [
        ["fruit", ["apple", "pear"]],
        ["animal", ["cat", "dog"]]
      ] as const,
      include: [
        { color: "green" },
        { color: "pink", animal: "cat" },
        { fruit: "apple", shape: "circle" },
        { fruit: "banana" }
      ],
      exclude: [{ fruit: "pear", animal: "dog" }]
    }
    expect(combinationsOf(matrix, 256)).toEqual([
      { fruit: "apple", animal: "cat", color: "pink", shape: "circle" },
      { fruit: "apple", animal: "dog", color: "green", shape: "circle" },
      { fruit: "pear", animal: "cat", color: "pink" },
      { fruit: "banana" }
    ])
    expect(combinationsOf({ vectors: [], include: [{ a: 1 }, { a: 2 }], exclude: [] }, 256)).toEqual([
      { a: 1 },
      { a: 2 }
    ])
    const objects = {
      vectors: [["a", [{ x: 1, y: 2 }, { x: 2 }]]] as const,
      include: [],
      exclude: [{ a: { y: 2, x: 1 } }]
    }
    expect(combinationsOf(objects, 256)).toEqual([{ a: { x: 2 } }])
    const many = Array.from({ length: 20 }, (_, n) => n)
    expect(
      combinationsOf(
        {
          vectors: [
            ["a", many],
            ["b", many]
          ],
          include: [],
          exclude: []
        },
        256
      )
    ).toBeUndefined()
  })

  it("are split into jobs with a name, labels and a separate workflow", () => {
    const written = {
      name: "CI",
      env: { A: "\u2028" },
      jobs: {
        a: {
          name: `On ${expression("matrix.os")}`,
          needs: ["b"],
          "runs-on": [expression("matrix.os"), expression("vars.LABELS")],
          strategy: { "fail-fast": false, matrix: { os: ["x", "y"] } },
          steps: [
            { name: `Build ${expression("matrix.os")}`, run: "x" },
            { uses: "actions/checkout@v4" },
            { run: "two\nlines" }
          ]
        },
        b: { ...job, "runs-on": expression("inputs.os"), if: "always()", strategy: { matrix: { n: [1, { k: 2 }] } } }
      }
    }
    const planned = Result.getOrThrow(jobsOf(read({ on: "push", ...written }), contexts))
    expect(planned.map(({ key, name, persistent, runsOn, slot }) => [slot, key, name, runsOn, persistent])).toEqual([
      [0, "a", "On x", ["x", "big"], false],
      [1, "a", "On y", ["y", "big"], false],
      [2, "b", "b (1)", ["arm"], true],
      [3, "b", 'b ({"k":2})', ["arm"], true]
    ])
    expect(planned[0]?.steps.map(({ name }) => name)).toEqual(["Build x", "Run actions/checkout@v4", "Run two"])
    const text = workflowOfJob(written, planned[1] ?? { key: "", matrix: {}, runsOn: [] })
    expect(text).toContain('"A": "\\u2028"')
    expect(JSON.parse(text ?? "")).toEqual({
      name: "CI",
      env: { A: "\u2028" },
      jobs: {
        a: {
          name: `On ${expression("matrix.os")}`,
          "runs-on": ["y", "big"],
          strategy: { "fail-fast": false, matrix: { os: ["y"] } },
          steps: written.jobs.a.steps
        }
      }
    })
    expect(workflowOfJob(written, { key: "c", matrix: {}, runsOn: [] })).toBeUndefined()
    const unknown = jobsOf(read({ on: "push", jobs: { a: { ...job, "runs-on": expression("matrix.os") } } }), contexts)
    expect(Result.getOrElse(Result.flip(unknown), () => "")).toBe(
      `jobs.a.runs-on: \`${expression("matrix.os")}\` cannot be evaluated before the job has a runner`
    )
  })

  it("evaluate expressions of known values, and leave others to runners", () => {
    const all = { ...contexts, matrix: { labels: ["a", "b"] } }
    expect(interpolate(`${expression("github.ref_name")}-${expression("inputs.os")}`, all)).toBe("main-arm")
    expect(interpolate(expression("github.nothing"), all)).toBeUndefined()
    expect(interpolate(expression("vars['LABELS']"), all)).toBe("big")
    expect(interpolate(expression("secrets.KEY || 'none'"), all)).toBeUndefined()
    expect(interpolate(expression("vars.constructor"), all)).toBeUndefined()
    expect(valueOf(` ${expression("matrix.labels")} `, all)).toEqual(["a", "b"])
    expect(valueOf(`x ${expression("matrix.labels")}`, all)).toBeUndefined()
    expect(
      ["always()", "success() || failure()", "!cancelled()", expression("always()")].filter(isPersistent).length
    ).toBe(4)
    expect(["success()", "github.failure()", "contains('x', 'always')"].filter(isPersistent)).toEqual([])
  })

  it("start, skip and conclude jobs when the jobs that they need end", () => {
    const state = (
      id: number,
      key: string,
      needs: ReadonlyArray<string>,
      ...[status, conclusion, persistent]: readonly [JobState["status"], JobState["conclusion"]?, boolean?]
    ): JobState => jobState(id, { key, needs, status, conclusion: conclusion ?? null, persistent: persistent ?? false })
    const after = (...jobs: ReadonlyArray<JobState>) =>
      releaseJobs(jobs).changes.map(({ conclusion, id, status }) => [id, conclusion ?? status])
    const done = (id: number, key: string, conclusion: JobState["conclusion"]) => state(id, key, [], "done", conclusion)
    expect(after(done(1, "a", "success"), state(2, "b", ["a"], "blocked"))).toEqual([[2, "waiting"]])
    expect(after(done(1, "a", "success"), state(2, "a", [], "running"), state(3, "b", ["a"], "blocked"))).toEqual([])
    expect(
      after(
        done(1, "a", "failure"),
        state(2, "c", ["b"], "blocked"),
        state(3, "b", ["a"], "blocked"),
        state(4, "d", ["c"], "blocked", null, true)
      ).toSorted()
    ).toEqual([
      [2, "skipped"],
      [3, "skipped"],
      [4, "waiting"]
    ])
    expect(conclusionOf(["success", "cancelled", "skipped"])).toBe("cancelled")
    expect(runStateOf([state(1, "a", [], "waiting"), state(2, "b", ["a"], "blocked")]).status).toBe("waiting")
    expect(runStateOf([done(1, "a", "success"), state(2, "b", ["a"], "waiting")]).status).toBe("running")
    expect(runStateOf([done(1, "a", "success"), done(2, "b", "failure")])).toEqual({
      status: "done",
      conclusion: "failure"
    })
  })
})
