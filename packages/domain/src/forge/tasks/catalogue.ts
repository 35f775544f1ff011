import { gitMaintenance } from "../git/maintenance.ts"

/** The tasks of the code hosting service. */
export const tasks = [gitMaintenance] as const
