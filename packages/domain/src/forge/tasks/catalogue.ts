import type { Effect } from "effect"
import { attachmentSweep } from "../attachments/sweeping.ts"
import { gitMaintenance } from "../git/maintenance.ts"
import type { Task } from "./Task.ts"

const all = [attachmentSweep, gitMaintenance] as const

/** The tasks of the code hosting service. */
export const tasks: ReadonlyArray<Task<Effect.Services<(typeof all)[number]["run"]>>> = all
