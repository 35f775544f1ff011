import type { Effect } from "effect"
import { archiveCleanup } from "../contents/keptArchives.ts"
import { gitMaintenance } from "../git/maintenance.ts"
import type { Task } from "./Task.ts"

const all = [archiveCleanup, gitMaintenance] as const

/** What the tasks of the code hosting service work with. */
export type TaskServices = Effect.Services<(typeof all)[number]["run"]>

/** The tasks of the code hosting service. */
export const tasks: ReadonlyArray<Task<TaskServices>> = all
