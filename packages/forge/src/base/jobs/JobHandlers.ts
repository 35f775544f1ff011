import type { Job, Work } from "@slipway/domain/forge/background"
import { Context, Effect } from "effect"

/** A background job of one type; the tag of its work is the type. */
export type JobOf<T extends Work["_tag"]> = Omit<Job, "work"> & { readonly work: Extract<Work, { readonly _tag: T }> }

/** The handler of one type of background job. */
export interface JobHandler<T extends Work["_tag"], R> {
  readonly tag: T
  /**
   * Returns a description of a job for log messages and notices, such as "measuring the git repository of repository
   * 7".
   */
  readonly describe: (work: JobOf<T>["work"]) => string
  /**
   * Performs the job. Returns true if it is finished, false if it must run again, and undefined if another process runs
   * it.
   */
  readonly perform: (job: JobOf<T>) => Effect.Effect<boolean | undefined, never, R>
}

/**
 * Defines the handler of a job that runs in one step. The handler must be idempotent, because a job is retried after a
 * crash.
 */
export const defineJob = <T extends Work["_tag"], R>(
  tag: T,
  describe: JobHandler<T, R>["describe"],
  perform: (work: JobOf<T>["work"]) => Effect.Effect<unknown, never, R>
): JobHandler<T, R> => ({ tag, describe, perform: ({ work }) => Effect.as(perform(work), true) })

/** Defines the handler of a job that runs in several steps; each step returns whether the job is finished. */
export const defineBatchJob = <T extends Work["_tag"], R>(
  tag: T,
  describe: JobHandler<T, R>["describe"],
  perform: JobHandler<T, R>["perform"]
): JobHandler<T, R> => ({ tag, describe, perform })

/**
 * Performs background jobs of any type, with the handler for the type.
 *
 * Use cases of lower areas (groups of modules) run jobs through this service, because they cannot import the handlers
 * of higher areas.
 */
export class JobHandlers extends Context.Service<
  JobHandlers,
  {
    readonly describe: (work: Work) => string
    readonly perform: (job: Job) => Effect.Effect<boolean | undefined>
  }
>()("@slipway/forge/JobHandlers") {}
