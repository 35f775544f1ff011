import { Transaction, timeAgo } from "@slipway/domain"
import { type WorkConclusion, type WorkflowJob, workflowJobs, workflowRuns } from "@slipway/domain/forge/automation"
import type { Task } from "@slipway/domain/forge/background"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { removeExpired } from "../../base/settings/retention.ts"
import { endJobs } from "./advanceRun.ts"
import { endIfUnapproved } from "./approval.ts"
import { startDue } from "./startRuns.ts"

/** The time without a report of its runner after which a running job fails. */
const longestSilence = { minutes: 10 } as const
const longestWait = { days: 3 } as const
/** The maximum time that a run waits for approval. */
const longestUnapproved = { days: 30 } as const
const batchSize = 100

/** Ends a job with the given result, unless it made progress in the meantime. */
const abandon = Effect.fnUntraced(function* (job: WorkflowJob, conclusion: WorkConclusion) {
  const { id, repositoryId, runId } = job
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, runId)
      const repository = yield* (yield* RepositoryStore).find(repositoryId)
      const present = yield* (yield* workflowJobs.store).lock({ runId }, id)
      if (run === undefined || repository === undefined) return
      if (present?.status !== job.status || present.aliveAt !== job.aliveAt) return
      yield* endJobs(repository, run, [present], conclusion, true)
    })
  )
})

const silent = Effect.gen(function* () {
  const aliveAt = { before: yield* timeAgo(longestSilence) }
  const { rows } = yield* (yield* workflowJobs.store).listEverywhere(
    { limit: batchSize },
    { filter: { status: "running", aliveAt }, order: "oldest" }
  )
  for (const job of rows) yield* abandon(job, "failure")
  return rows.length
})

/** Cancels jobs that no runner has taken for too long, measured from when they began to wait for a runner. */
const cancelOverdue = Effect.gen(function* () {
  const before = yield* timeAgo(longestWait)
  const old = { filter: { status: "waiting", createdAt: { before } }, order: "oldest" } as const
  const store = yield* workflowJobs.store
  for (let isMore = true, after: string | undefined; isMore; ) {
    const { next, rows } = yield* store.listEverywhere({ after, limit: batchSize }, old)
    for (const job of rows) if ((job.aliveAt ?? job.createdAt) < before) yield* abandon(job, "cancelled")
    isMore = next !== undefined
    after = next
  }
})

/** Cancels runs that waited too long for approval. */
const unapproved = Effect.gen(function* () {
  const createdAt = { before: yield* timeAgo(longestUnapproved) }
  const filter = { needsApproval: true, status: "blocked", createdAt } as const
  const { rows } = yield* (yield* workflowRuns.store).listEverywhere({ limit: batchSize }, { filter })
  for (const run of rows) yield* endIfUnapproved(run)
  return rows.length
})

/** The scheduled task that starts scheduled workflows. */
export const scheduleStart = {
  name: "start_schedule_tasks",
  schedule: "* * * * *",
  run: startDue
} satisfies Task<unknown>

/**
 * The scheduled task that fails jobs of unresponsive runners, and cancels jobs without a runner and runs without
 * approval.
 */
export const jobCleanup = {
  name: "stop_zombie_tasks",
  schedule: "*/2 * * * *",
  run: Effect.gen(function* () {
    while ((yield* silent) === batchSize) yield* Effect.yieldNow
    yield* cancelOverdue
    while ((yield* unapproved) === batchSize) yield* Effect.yieldNow
  })
} satisfies Task<unknown>

/** The scheduled task that removes runs with their jobs and logs after the site's retention period. */
export const runCleanup = {
  name: "cleanup_actions",
  schedule: "41 3 * * *",
  run: removeExpired("workflowRuns", (before) =>
    Effect.gen(function* () {
      const store = yield* workflowRuns.store
      const filter = { status: "done", createdAt: { before } } as const
      for (let isMore = true; isMore; ) {
        const { rows } = yield* store.listEverywhere({ limit: batchSize }, { filter })
        // Jobs and logs are removed with them, which may take long.
        for (const { id, repositoryId } of rows) yield* store.remove({ repositoryId }, id)
        isMore = rows.length === batchSize
      }
    })
  )
} satisfies Task<unknown>
