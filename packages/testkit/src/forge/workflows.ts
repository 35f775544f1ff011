import { type WorkflowJob, type WorkflowRun, workflowJobs, workflowRuns } from "@slipway/domain/forge/automation"
import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { moment } from "./builders.ts"

let runs = 0

/** Stores a workflow run of a repository. */
export const newRunOf = Effect.fnUntraced(function* (
  { id, owner }: Pick<Repository, "id" | "owner">,
  facts: Partial<WorkflowRun> & { readonly cause?: string } = {}
) {
  return yield* (yield* workflowRuns.store).insert({
    repositoryId: id,
    ownerId: owner.id,
    name: "CI",
    workflow: "ci.yml",
    path: ".github/workflows/ci.yml",
    title: "Change a word",
    event: "push",
    ref: "refs/heads/main",
    commit: "1".repeat(40) as ObjectId,
    actorId: null,
    trusted: true,
    needsApproval: false,
    approverId: null,
    depth: 0,
    group: null,
    cancels: false,
    status: "waiting",
    conclusion: null,
    attempt: 1,
    createdAt: moment(0),
    startedAt: null,
    stoppedAt: null,
    cause: `test ${++runs}`,
    ...facts
  })
})

/** Stores jobs of a workflow run, each with some fields replaced. */
export const newJobsOf = Effect.fnUntraced(function* (
  { id, ownerId, repositoryId }: WorkflowRun,
  ...jobs: ReadonlyArray<Partial<WorkflowJob>>
) {
  return yield* (yield* workflowJobs.store).insertMany(
    jobs.map((facts, slot) => ({
      repositoryId,
      ownerId,
      runId: id,
      attempt: 1,
      latest: true,
      slot,
      key: `job${slot}`,
      name: `job ${slot}`,
      caller: null,
      calls: "",
      needs: [],
      runsOn: ["linux"],
      matrix: {},
      open: false,
      persistent: false,
      failFast: false,
      maxParallel: null,
      tolerant: false,
      group: null,
      cancels: false,
      status: "waiting",
      conclusion: null,
      runnerId: null,
      runnerName: "",
      steps: [],
      outputs: {},
      createdAt: moment(0),
      startedAt: null,
      stoppedAt: null,
      aliveAt: null,
      logLines: 0,
      logSize: 0,
      logDone: false,
      ...facts
    }))
  )
})
