import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DueStore } from "./DueStore.ts"
import type { Execution, ScheduledTask, ScheduledTaskUuid } from "./ScheduledTask.ts"

/**
 * Stores the scheduled tasks of applications, and their executions.
 *
 * Must:
 * - list only the tasks of the given application, in the order of insertion
 * - change the settings of a task without affecting the worker that runs it
 * - remove a task only through its application
 * - remove the tasks of a removed application
 * - assign each due or requested task to one worker
 * - limit the concurrent tasks of one application
 * - reassign work after its lease expires, and all work after all leases are released
 * - keep the newest executions of a task, and list them newest first
 */
export class ScheduledTaskStore extends Context.Service<
  ScheduledTaskStore,
  DueStore<ScheduledTask, Execution> & {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<ScheduledTask>>
    /** Adds a task; does nothing if its application does not exist. */
    readonly insert: (task: Omit<ScheduledTask, "id">) => Effect.Effect<ScheduledTask | undefined>
    /** Replaces the settings of a task. Also replaces its due time if its schedule or its enabled state changes. */
    readonly replace: (task: ScheduledTask) => Effect.Effect<void>
    readonly remove: (application: ApplicationUuid, task: ScheduledTaskUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/ScheduledTaskStore") {}
