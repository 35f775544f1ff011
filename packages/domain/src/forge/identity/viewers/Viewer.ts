import type { CallerFacts } from "../../access/facts/facts.ts"
import type { UserId } from "../users/User.ts"
import type { JobTask } from "./JobTask.ts"

/** Who looks at a thing: what decides which of them they see. */
export interface Viewer {
  readonly facts: CallerFacts
  readonly userId: UserId | undefined
  /** The permissions of an actions job, for a viewer with a job token. */
  readonly task?: JobTask | undefined
}
