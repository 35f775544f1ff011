import type { Job, Work } from "@slipway/domain/forge/background"
import { Context, Effect } from "effect"

/** A job with work of the given tag. */
export type JobOf<T extends Work["_tag"]> = Omit<Job, "work"> & { readonly work: Extract<Work, { readonly _tag: T }> }

/** Performs the jobs of one tag. */
export interface JobHandler<T extends Work["_tag"], R> {
  readonly tag: T
  /** Describes the work in a log line or notice, such as "measuring the git repository of repository 7". */
  readonly describe: (work: JobOf<T>["work"]) => string
  /** Returns true if nothing is left to do, false if more is due, and undefined if another process has the job. */
  readonly perform: (job: JobOf<T>) => Effect.Effect<boolean | undefined, never, R>
}

/** Defines the handler of a job that runs in one step. A worker retries it after a crash: it must be idempotent. */
export const defineJob = <T extends Work["_tag"], R>(
  tag: T,
  describe: JobHandler<T, R>["describe"],
  perform: (work: JobOf<T>["work"]) => Effect.Effect<unknown, never, R>
): JobHandler<T, R> => ({ tag, describe, perform: ({ work }) => Effect.as(perform(work), true) })

/** Defines the handler of a job that works in batches and reports whether it is finished. */
export const defineBatchJob = <T extends Work["_tag"], R>(
  tag: T,
  describe: JobHandler<T, R>["describe"],
  perform: JobHandler<T, R>["perform"]
): JobHandler<T, R> => ({ tag, describe, perform })

/**
 * Performs any job, with the handlers that the areas define.
 *
 * Use cases of lower areas run jobs with handlers in higher areas only through this service.
 */
export class JobHandlers extends Context.Service<
  JobHandlers,
  {
    readonly describe: (work: Work) => string
    readonly perform: (job: Job) => Effect.Effect<boolean | undefined>
  }
>()("@slipway/forge/JobHandlers") {}
