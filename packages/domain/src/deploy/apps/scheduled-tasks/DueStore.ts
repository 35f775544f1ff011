import type { Effect } from "effect"
import type { Turn } from "../deployments/DeploymentStore.ts"

/** Something that is done again and again, as cron says or when somebody asks. */
export interface Due {
  readonly uuid: string
  readonly frequency: string
  readonly isEnabled: boolean
  /** When it is due next; null while it isn't enabled. */
  readonly dueAt: string | null
  /** Whether somebody has asked for an execution besides. */
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
  /** Asks for an execution besides those that are due. */
  readonly ask: (uuid: Row["uuid"]) => Effect.Effect<void>
  /** Takes what is due, asked for, or left by a worker whose lease has ended. */
  readonly claim: (turn: Turn) => Effect.Effect<Row | undefined>
  /** Says when it is due next and that nobody asks any more, with the execution that begins; null is none. */
  readonly begin: (uuid: Row["uuid"], dueAt: string | null, run: Run | null) => Effect.Effect<void>
  /** Puts the end of a lease off; false when it is another's, or gone. */
  readonly renew: (uuid: Row["uuid"], turn: Turn) => Effect.Effect<boolean>
  /** Stores what became of an execution. */
  readonly finish: (run: Run) => Effect.Effect<void>
  /** Ends the lease of what a worker has; nothing is done to what is another's. */
  readonly giveBack: (uuid: Row["uuid"], worker: string) => Effect.Effect<void>
  /** Ends all leases: for a process that has the store to itself, whose predecessor left them. */
  readonly endLeases: Effect.Effect<void>
  /** Lists the executions of one, newest first. */
  readonly executions: (uuid: Row["uuid"]) => Effect.Effect<ReadonlyArray<Run>>
}
