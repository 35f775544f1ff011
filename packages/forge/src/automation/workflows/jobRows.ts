import type { WorkflowRun } from "@slipway/domain/forge/automation"
import { type WorkflowJob, waitingStep } from "@slipway/domain/forge/automation"
import type { PlannedJob } from "./expanding.ts"

/** What of a job says that nothing became of it yet. */
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

/** Returns a job that was planned as it is stored, before anything became of it. */
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

/** Returns a job as it is done once more, as nothing had become of it. */
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
