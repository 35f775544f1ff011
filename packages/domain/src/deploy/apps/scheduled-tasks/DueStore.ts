import type { Effect } from "effect"
import type { Turn } from "../deployments/DeploymentStore.ts"

/** A recurring job that runs on a cron schedule or on request, such as a backup or a scheduled task. */
export interface Due {
  readonly uuid: string
  readonly frequency: string
  readonly isEnabled: boolean
  /** The next due time; null while the schedule is disabled. */
  readonly dueAt: string | null
  /** Whether an execution outside the schedule was requested. */
  readonly isAsked: boolean
}

/** One execution of a recurring job. */
export interface DueRun {
  readonly uuid: string
  readonly status: "running" | "success" | "failed"
  /** The end of the output, or the reason of the failure; null during the execution. */
  readonly message: string | null
  readonly startedAt: string
  readonly finishedAt: string | null
}

/** The common operations of stores with recurring jobs that workers claim. */
export interface DueStore<Row extends Due, Run extends DueRun> {
  /** Requests an execution outside the schedule. */
  readonly ask: (uuid: Row["uuid"]) => Effect.Effect<void>
  /** Claims a job that is due or requested, or that has an expired lease. */
  readonly claim: (turn: Turn) => Effect.Effect<Row | undefined>
  /** Stores the next due time, clears the request, and stores the new execution; with null, no execution is stored. */
  readonly begin: (uuid: Row["uuid"], dueAt: string | null, run: Run | null) => Effect.Effect<void>
  /** Renews a lease. Returns false if another worker has the lease or the job does not exist. */
  readonly renew: (uuid: Row["uuid"], turn: Turn) => Effect.Effect<boolean>
  /** Stores the result of an execution. */
  readonly finish: (run: Run) => Effect.Effect<void>
  /** Releases the lease of a worker. Does nothing if another worker has the lease. */
  readonly giveBack: (uuid: Row["uuid"], worker: string) => Effect.Effect<void>
  /** Releases all leases of a previous process. Only a process with exclusive use of the store may call it. */
  readonly endLeases: Effect.Effect<void>
  /** Lists the executions of a job, newest first. */
  readonly executions: (uuid: Row["uuid"]) => Effect.Effect<ReadonlyArray<Run>>
}
