import { Context, type Effect } from "effect"
import type { Holder } from "../runners/Reach.ts"
import type { RunnerId } from "../runners/Runner.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"

/** A runner's request for a job: the runner, the owner of the jobs, and the labels of jobs that it can execute. */
export interface JobClaim {
  /** The repository, organization or user of the runner's jobs; if all fields are null, jobs of all owners. */
  readonly of: Holder
  readonly labels: ReadonlyArray<string>
  readonly runnerId: RunnerId
  readonly runnerName: string
  readonly at: string
}

/**
 * Assigns the waiting jobs of workflows to runners; several processes share it.
 *
 * Must:
 * - assign the oldest waiting job with matching labels, to one runner only
 * - assign to a runner of a repository or an owner only jobs of that repository or owner
 * - assign each job once to concurrent runners
 * - store which runner has a job, and since when
 * - find a job by id only for the runner that has it
 */
export class WorkflowQueue extends Context.Service<
  WorkflowQueue,
  {
    readonly claim: (claim: JobClaim) => Effect.Effect<WorkflowJob | undefined>
    readonly held: (runnerId: RunnerId, id: number) => Effect.Effect<WorkflowJob | undefined>
  }
>()("@slipway/domain/forge/WorkflowQueue") {}
