import type { Effect } from "effect"
import type { Turn } from "../deployments/DeploymentStore.ts"

/** A recurring job that runs on a cron schedule or on request. */
export interface Due {
  readonly uuid: string
  readonly frequency: string
  readonly isEnabled: boolean
  /** The next due time; null while it is disabled. */
  readonly dueAt: string | null
  /** Whether an execution outside the schedule was requested. */
  readonly isAsked: boolean
}

/** One execution of the job. */
export interface DueRun {
  readonly uuid: string
  readonly status: "running" | "success" | "failed"
  /** Its last output, or the reason of the failure; null while it runs. */
  readonly message: string | null
  readonly startedAt: string
  readonly finishedAt: string | null
}

/** The common part of stores with due rows that workers claim. */
export interface DueStore<Row extends Due, Run extends DueRun> {
  /** Requests an execution outside the schedule. */
  readonly ask: (uuid: Row["uuid"]) => Effect.Effect<void>
  /** Claims a due or requested job, or one with an expired lease. */
  readonly claim: (turn: Turn) => Effect.Effect<Row | undefined>
  /** Stores the next due time, clears the request and records the new execution; null records none. */
  readonly begin: (uuid: Row["uuid"], dueAt: string | null, run: Run | null) => Effect.Effect<void>
  /** Renews a lease; false if another worker has it or the row does not exist. */
  readonly renew: (uuid: Row["uuid"], turn: Turn) => Effect.Effect<boolean>
  /** Stores the result of an execution. */
  readonly finish: (run: Run) => Effect.Effect<void>
  /** Releases the lease of a worker; does nothing if another worker has it. */
  readonly giveBack: (uuid: Row["uuid"], worker: string) => Effect.Effect<void>
  /** Releases all leases of a previous process; for a process with exclusive use of the store. */
  readonly endLeases: Effect.Effect<void>
  /** Lists the executions of a job, newest first. */
  readonly executions: (uuid: Row["uuid"]) => Effect.Effect<ReadonlyArray<Run>>
}
