import type { Effect } from "effect"
import { attachmentSweep } from "../attachments/sweeping.ts"
import { archiveCleanup } from "../contents/keptArchives.ts"
import { gitMaintenance } from "../git/maintenance.ts"
import type { Task } from "./Task.ts"

const all = [archiveCleanup, attachmentSweep, gitMaintenance] as const

/** What the tasks of the code hosting service work with. */
export type TaskServices = Effect.Services<(typeof all)[number]["run"]>

/** The tasks of the code hosting service. */
export const tasks: ReadonlyArray<Task<TaskServices>> = all
