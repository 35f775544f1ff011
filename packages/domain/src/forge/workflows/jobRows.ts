import type { PlannedJob } from "./expanding.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkflowRun } from "./WorkflowRun.ts"

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
  latest: true,
  status: "blocked",
  conclusion: null,
  runnerId: null,
  runnerName: "",
  outputs: {},
  createdAt,
  startedAt: null,
  stoppedAt: null,
  aliveAt: null,
  logLines: 0,
  logSize: 0,
  logDone: false
})
