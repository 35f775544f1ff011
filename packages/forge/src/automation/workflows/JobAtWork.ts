import { now } from "@slipway/domain"
import type { WorkflowRunId } from "@slipway/domain/forge/automation"
import { type WorkflowJobId, workflowJobs } from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { accessTokens, hashOf, taskOf } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** A running job. Its runner sends a request about it. */
export interface JobAtWork {
  readonly jobId: WorkflowJobId
  readonly repositoryId: RepositoryId
  readonly runId: WorkflowRunId
  readonly attempt: number
}

/** Finds the running job by the text of its job token. */
export const jobAtWork = Effect.fnUntraced(function* (text: string) {
  const token = yield* (yield* accessTokens.store).findBy("hash", { hash: yield* hashOf(text) })
  if (token === undefined || (token.expiresAt !== null && token.expiresAt <= (yield* now))) return undefined
  const task = taskOf(token)
  if (task === undefined) return undefined
  const { jobId, repositoryId } = task
  const job = yield* (yield* workflowJobs.store).find({ repositoryId }, jobId)
  if (job?.status !== "running") return undefined
  return { jobId: job.id, repositoryId, runId: job.runId, attempt: job.attempt } satisfies JobAtWork
})
