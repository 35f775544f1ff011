import type { StoredValues } from "@slipway/domain"
import { type WorkflowJob, WorkflowQueue, workflowJobs } from "@slipway/domain/forge/automation"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { Tables } from "../base/tables.ts"

/** Assigns queued workflow jobs to runners, in memory. */
export const workflowQueue = Layer.effect(
  WorkflowQueue,
  Effect.map(Tables, ({ database, owned }) => {
    const rows = owned.get(workflowJobs.name)?.rows
    // BOUNDARY: the rows of a kind are those that its declaration describes.
    const jobs = (snapshot: Snapshot) =>
      (rows?.list(snapshot, { limit: Number.POSITIVE_INFINITY }) ?? []) as unknown as ReadonlyArray<WorkflowJob>
    return {
      claim: ({ at, labels, of, runnerId, runnerName }) =>
        Effect.orDie(
          database.write((snapshot) => {
            const job = jobs(snapshot).find(
              ({ ownerId, repositoryId, runsOn, status }) =>
                status === "waiting" &&
                (of.repositoryId === null || of.repositoryId === repositoryId) &&
                (of.organizationId === null || of.organizationId === ownerId) &&
                (of.userId === null || of.userId === ownerId) &&
                runsOn.every((label) => labels.includes(label))
            )
            if (job === undefined || rows === undefined) return Result.succeed(undefined)
            const taken: WorkflowJob = { ...job, status: "running", runnerId, runnerName, startedAt: at, aliveAt: at }
            return Result.map(rows.replace(snapshot, taken as unknown as StoredValues), () => taken)
          })
        ),
      held: (runnerId, id) =>
        database.read((snapshot) => jobs(snapshot).find((job) => job.id === id && job.runnerId === runnerId))
    }
  })
)
