import type { Scenario } from "../support.ts"
import { belonging } from "./belonging.ts"
import { founding } from "./founding.ts"
import { things } from "./resources.ts"

/** The scenario of organizations, their members, labels and avatars. */
export const organizations: Scenario = { port: "organizations", musts: { ...founding, ...belonging, ...things } }
