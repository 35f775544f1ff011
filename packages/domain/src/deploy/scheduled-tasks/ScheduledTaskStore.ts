import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { Turn } from "../deployments/DeploymentStore.ts"
import type { Execution, ScheduledTask, ScheduledTaskUuid } from "./ScheduledTask.ts"

/**
 * Keeps the scheduled tasks of applications, and what became of them.
 *
 * Must:
 * - list the tasks of one application alone, in the order of their insertion
 * - change what a task is set to, and nothing of who works on it
 * - remove a task of its application alone
 * - forget the tasks of an application that is removed
 * - give each task that is due or asked for to one worker
 * - give out no more tasks of one application at a time than may run
 * - give out again what a worker still has when its lease ends, and all when all leases end
 * - keep the newest executions of a task, and list them newest first
 */
export class ScheduledTaskStore extends Context.Service<
  ScheduledTaskStore,
  {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<ScheduledTask>>
    /** Adds a task; nothing when its application is gone. */
    readonly insert: (task: Omit<ScheduledTask, "id">) => Effect.Effect<ScheduledTask | undefined>
    /** Replaces what a task is set to, and when it is due where its frequency, or whether it is enabled, changes. */
    readonly replace: (task: ScheduledTask) => Effect.Effect<void>
    readonly remove: (application: ApplicationUuid, task: ScheduledTaskUuid) => Effect.Effect<boolean>
    /** Asks for an execution besides those that are due. */
    readonly ask: (task: ScheduledTaskUuid) => Effect.Effect<void>
    /** Takes a task that is due, asked for, or left by a worker whose lease has ended. */
    readonly claim: (turn: Turn) => Effect.Effect<ScheduledTask | undefined>
    /** Says when a task is due next and that nobody asks any more, with the execution that begins; null is none. */
    readonly begin: (task: ScheduledTaskUuid, dueAt: string | null, execution: Execution | null) => Effect.Effect<void>
    /** Puts the end of a lease off; false when the task is another's, or gone. */
    readonly renew: (task: ScheduledTaskUuid, turn: Turn) => Effect.Effect<boolean>
    /** Stores what became of an execution, and forgets those that are too old to be kept. */
    readonly finish: (execution: Execution) => Effect.Effect<void>
    /** Ends the lease of what a worker has; nothing is done to what is another's. */
    readonly giveBack: (task: ScheduledTaskUuid, worker: string) => Effect.Effect<void>
    /** Ends all leases: for a process that has the store to itself, whose predecessor left them. */
    readonly endLeases: Effect.Effect<void>
    readonly executions: (task: ScheduledTaskUuid) => Effect.Effect<ReadonlyArray<Execution>>
  }
>()("@slipway/domain/deploy/ScheduledTaskStore") {}
