import type { Task } from "./Task.ts"

/** The tasks of the code hosting service. */
export const tasks: ReadonlyArray<Task> = []
