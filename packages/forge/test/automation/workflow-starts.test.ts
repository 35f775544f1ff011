import type { PlainRecord, WorkflowRunId } from "@slipway/domain/forge/automation"
import {
  githubContext,
  type WorkflowHappening as Happening,
  readWorkflow,
  startedBy,
  triggersOf,
  typedValues
} from "@slipway/domain/forge/automation"
import type { ApprovalPolicy } from "@slipway/domain/forge/base"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { isKnown } from "../../src/automation/workflows/approval.ts"

describe("workflow triggers", () => {
  it("are derived from events like webhooks", () => {
    const [one, two] = ["1".repeat(40), "2".repeat(40)]
    const told = (event: Parameters<typeof triggersOf>[0]["event"], payload: Record<string, unknown>) =>
      triggersOf({ event, payload }).map(({ payload: _, ...trigger }) => trigger)
    const plain = {
      activity: "",
      branch: undefined,
      tag: undefined,
      workflowsAt: undefined,
      files: undefined,
      trusted: true
    }
    const push = { ref: "refs/heads/a/b", before: one, after: two, head_commit: { message: "Do\n\nmore" } }
    expect(told("push", push)).toEqual([
      {
        ...plain,
        event: "push",
        branch: "a/b",
        title: "Do",
        ref: "refs/heads/a/b",
        commit: two,
        files: { from: one, to: two }
      }
    ])
    expect(told("push", { ...push, after: "0".repeat(40) })).toEqual([])
    expect(told("push", { ...push, head_commit: { message: "x [CI skip]" } })).toEqual([])
    expect(told("create", { ref: "v1", ref_type: "tag", sha: one })).toEqual([
      { ...plain, event: "create", title: "tag v1 created", ref: "refs/tags/v1", commit: one }
    ])
    const sides = { base: { sha: one, ref: "main", repo_id: 1 }, head: { sha: two, ref: "door", repo_id: 2 } }
    const pull = { action: "synchronized", number: 7, pull_request: { title: "A door", merge_base: one, ...sides } }
    expect(told("pull_request_sync", pull)).toEqual([
      {
        ...plain,
        event: "pull_request",
        activity: "synchronize",
        branch: "main",
        title: "A door",
        ref: "refs/pull/7/head",
        commit: two,
        workflowsAt: one,
        files: { from: one, to: two },
        trusted: false
      },
      {
        ...plain,
        event: "pull_request_target",
        activity: "synchronize",
        branch: "main",
        title: "A door",
        ref: "refs/heads/main",
        commit: one,
        files: { from: one, to: two }
      }
    ])
    expect(told("pull_request_comment", { action: "created", issue: { title: "x" } })).toEqual([
      { ...plain, event: "issue_comment", activity: "created", title: "x", ref: undefined, commit: undefined }
    ])
    expect(told("status", {})).toEqual([])
    expect(told("pull_request_review_approved", { action: "reviewed" })).toEqual([])
  })

  it("provide the `github` context of the run", () => {
    const payload = { pull_request: { base: { ref: "main" }, head: { ref: "door" } } }
    const context = githubContext(
      {
        attempt: 2,
        commit: "1".repeat(40) as never,
        event: "pull_request",
        id: 9 as WorkflowRunId,
        number: 3,
        path: ".github/workflows/ci.yml",
        ref: "refs/pull/7/head"
      },
      {
        server: "https://f.example",
        repository: "a/b",
        repositoryId: 5,
        owner: "a",
        actor: "ann",
        workflowName: "CI",
        payload
      }
    )
    expect(context).toMatchObject({
      actor: "ann",
      api_url: "https://f.example/api/v1",
      base_ref: "main",
      event: payload,
      event_name: "pull_request",
      head_ref: "door",
      ref: "refs/pull/7/head",
      ref_name: "7/head",
      repositoryUrl: "https://f.example/a/b.git",
      run_attempt: "2",
      run_id: "9",
      run_number: "3",
      workflow: "CI",
      workflow_ref: "a/b/.github/workflows/ci.yml@refs/pull/7/head"
    })
  })

  it("accept only valid values of declared inputs", () => {
    const input = (type: "boolean" | "choice" | "number" | "string", more: object = {}) => ({
      type,
      required: false,
      default: "",
      description: "",
      options: [],
      ...more
    })
    const inputs = {
      text: input("string", { default: "x" }),
      dry: input("boolean"),
      n: input("number", { default: "2" }),
      level: input("choice", { options: ["low", "high"], required: true })
    }
    expect(Result.getOrThrow(typedValues(inputs, { level: "low", dry: "true" }))).toEqual({
      text: "x",
      dry: true,
      n: 2,
      level: "low"
    })
    const refusedBy = (given: Record<string, string>) =>
      Result.getOrElse(Result.flip(typedValues(inputs, given)), () => "")
    expect(refusedBy({})).toBe("level")
    expect(refusedBy({ level: "other" })).toBe("level")
    expect(refusedBy({ level: "low", n: "many" })).toBe("n")
    expect(refusedBy({ level: "low", dry: "yes" })).toBe("dry")
    expect(refusedBy({ level: "low", other: "x" })).toBe("other")
    expect(refusedBy({ level: "low", constructor: "x" })).toBe("constructor")
  })
})

describe("approval of workflow runs (invariant I21)", () => {
  const [merged, nothing] = [
    { writes: false, restricted: false, merged: true },
    { writes: false, restricted: false, merged: false }
  ]
  it("is required for first-time contributors, for all external contributors, or never", () => {
    const known = (policy: ApprovalPolicy) =>
      [{ ...nothing, writes: true }, merged, nothing, { ...merged, restricted: true }].map((each) =>
        isKnown(policy, each)
      )
    expect(known("first-time-contributors")).toEqual([true, true, false, false])
    expect(known("external-contributors")).toEqual([true, false, false, false])
    expect(known("never")).toEqual([true, true, true, true])
    expect(isKnown("first-time-contributors", { writes: true, restricted: true, merged: false })).toBe(true)
  })
})

describe("the workflow_run trigger", () => {
  const of = (on: PlainRecord) =>
    readWorkflow({ on: { workflow_run: on }, jobs: { a: { "runs-on": "linux", steps: [{ run: "make" }] } } })
  const happening = {
    event: "workflow_run",
    activity: "completed",
    branch: "main",
    tag: undefined,
    workflow: "CI"
  } as const
  const starts = (on: PlainRecord, more: Partial<Happening> = {}) =>
    Result.map(of(on), (workflow) => startedBy(workflow, { ...happening, ...more }))

  it("matches workflow names literally, special characters included", () => {
    expect(starts({ workflows: ["CI"] })).toEqual(Result.succeed(true))
    expect(starts({ workflows: ["ci"] })).toEqual(Result.succeed(false))
    expect(starts({ workflows: ["CI*", "[x"] })).toEqual(Result.succeed(false))
    expect(starts({ workflows: ["[x"] }, { workflow: "[x" })).toEqual(Result.succeed(true))
    expect(starts({ workflows: ["CI"], types: ["requested"] })).toEqual(Result.succeed(false))
    expect(starts({ workflows: ["CI"], branches: ["release/*"] })).toEqual(Result.succeed(false))
    expect(starts({})).toEqual(Result.fail("on.workflow_run.workflows: must name a workflow"))
  })
})
