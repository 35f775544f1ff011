import type { Effect } from "effect"
import type { Turn } from "../deployments/DeploymentStore.ts"

/** A recurring job that runs on a cron schedule or on request. */
export interface Due {
  readonly uuid: string
  readonly frequency: string
  readonly isEnabled: boolean
  /** When it is due next; null while it isn't enabled. */
  readonly dueAt: string | null
  /** Whether an execution outside the schedule was requested. */
  readonly isAsked: boolean
}

/** One execution of it. */
export interface DueRun {
  readonly status: "running" | "success" | "failed"
  /** What it wrote last, and why it failed; null while it runs. */
  readonly message: string | null
  readonly startedAt: string
  readonly finishedAt: string | null
}

/** What stores of what is due have alike, by which workers take it. */
export interface DueStore<Row extends Due, Run extends DueRun> {
  /** Requests an execution outside the schedule. */
  readonly ask: (uuid: Row["uuid"]) => Effect.Effect<void>
  /** Claims a job that is due, requested, or abandoned by a worker with an expired lease. */
  readonly claim: (turn: Turn) => Effect.Effect<Row | undefined>
  /** Stores the next due time, clears the request and records the execution that begins; null records none. */
  readonly begin: (uuid: Row["uuid"], dueAt: string | null, run: Run | null) => Effect.Effect<void>
  /** Renews a lease; false when it is another's, or gone. */
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
