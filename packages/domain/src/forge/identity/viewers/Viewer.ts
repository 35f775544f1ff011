import type { CallerFacts } from "../../access/facts/facts.ts"
import type { UserId } from "../users/User.ts"
import type { JobTask } from "./JobTask.ts"

/** Who looks at a thing: what decides which of them they see. */
export interface Viewer {
  readonly facts: CallerFacts
  readonly userId: UserId | undefined
  /** What a job of the actions service may do, where one looks by its token. */
  readonly task?: JobTask | undefined
}
