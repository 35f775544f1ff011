import type { WorkflowRun } from "@slipway/domain/forge/automation"
import { type WorkflowJob, waitingStep } from "@slipway/domain/forge/automation"
import type { PlannedJob } from "./planRun.ts"

/** The column values of a job that has not started. */
const untouched = {
  latest: true,
  status: "blocked",
  conclusion: null,
  runnerId: null,
  runnerName: "",
  outputs: {},
  startedAt: null,
  stoppedAt: null,
  aliveAt: null,
  logLines: 0,
  logSize: 0,
  logDone: false
} as const

/** Returns the new database row of a planned job. */
export const newJob = (
  { id, ownerId, repositoryId }: Pick<WorkflowRun, "id" | "ownerId" | "repositoryId">,
  job: PlannedJob,
  attempt: number,
  createdAt: string
): Omit<WorkflowJob, "id"> => ({
  ...job,
  repositoryId,
  ownerId,
  runId: id,
  attempt,
  createdAt,
  ...untouched
})

/** Returns the database row of a job for a rerun, with its state reset. */
export const jobAgain = (
  { id: _, ...job }: WorkflowJob,
  attempt: number,
  createdAt: string
): Omit<WorkflowJob, "id"> => ({
  ...job,
  attempt,
  steps: job.steps.map(({ name }) => waitingStep(name)),
  createdAt,
  ...untouched
})
