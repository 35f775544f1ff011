import type { CallerFacts } from "../../access/facts/facts.ts"
import type { UserId } from "../users/User.ts"
import type { JobTask } from "./JobTask.ts"

/** The viewer of resources, with the facts that decide which ones are visible. */
export interface Viewer {
  readonly facts: CallerFacts
  readonly userId: UserId | undefined
  /** The permissions of an actions job, for a viewer with a job token. */
  readonly task?: JobTask | undefined
}
