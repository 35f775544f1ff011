import { Context, type Effect } from "effect"
import type { Holder } from "../runners/Reach.ts"
import type { RunnerId } from "../runners/Runner.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"

/** The runner that requests a job, and the labels of jobs that it can run. */
export interface JobClaim {
  /** The owner of the jobs that it runs; without one, it runs those of all owners. */
  readonly of: Holder
  readonly labels: ReadonlyArray<string>
  readonly runnerId: RunnerId
  readonly runnerName: string
  readonly at: string
}

/**
 * Hands the waiting jobs of workflows to runners; several processes share it.
 *
 * Must:
 * - give the oldest waiting job whose labels a runner has, and to nobody else
 * - give a runner of a repository or an owner the jobs of that alone
 * - give each of many jobs once, whoever asks at once
 * - note which runner has a job, and since when
 * - find a job by its number for the runner that has it, and for no other
 */
export class WorkflowQueue extends Context.Service<
  WorkflowQueue,
  {
    readonly claim: (claim: JobClaim) => Effect.Effect<WorkflowJob | undefined>
    readonly held: (runnerId: RunnerId, id: number) => Effect.Effect<WorkflowJob | undefined>
  }
>()("@slipway/domain/forge/WorkflowQueue") {}
