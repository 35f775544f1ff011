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

/** One execution of it. */
export interface DueRun {
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
  /** Claims a job that is due, requested, or abandoned by a worker with an expired lease. */
  readonly claim: (turn: Turn) => Effect.Effect<Row | undefined>
  /** Stores the next due time, clears the request and records the execution that begins; null records none. */
  readonly begin: (uuid: Row["uuid"], dueAt: string | null, run: Run | null) => Effect.Effect<void>
  /** Renews a lease; false when another worker has it, or the row is gone. */
  readonly renew: (uuid: Row["uuid"], turn: Turn) => Effect.Effect<boolean>
  /** Stores what became of an execution. */
  readonly finish: (run: Run) => Effect.Effect<void>
  /** Ends the lease of what a worker has; nothing is done to what is another's. */
  readonly giveBack: (uuid: Row["uuid"], worker: string) => Effect.Effect<void>
  /** Releases all leases that a previous process left; for a process with exclusive use of the store. */
  readonly endLeases: Effect.Effect<void>
  /** Lists the executions of one, newest first. */
  readonly executions: (uuid: Row["uuid"]) => Effect.Effect<ReadonlyArray<Run>>
}
