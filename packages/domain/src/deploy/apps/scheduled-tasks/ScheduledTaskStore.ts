import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DueStore } from "./DueStore.ts"
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
  DueStore<ScheduledTask, Execution> & {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<ScheduledTask>>
    /** Adds a task; nothing when its application is gone. */
    readonly insert: (task: Omit<ScheduledTask, "id">) => Effect.Effect<ScheduledTask | undefined>
    /** Replaces the settings of a task, and its due time if its frequency or its enabled state changes. */
    readonly replace: (task: ScheduledTask) => Effect.Effect<void>
    readonly remove: (application: ApplicationUuid, task: ScheduledTaskUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/ScheduledTaskStore") {}
