import type { CallerFacts } from "../../access/facts/facts.ts"
import type { UserId } from "../users/User.ts"
import type { JobTask } from "./JobTask.ts"

/** The viewer of resources, with the facts from which the visibility of resources is decided. */
export interface Viewer {
  readonly facts: CallerFacts
  readonly userId: UserId | undefined
  /** The actions job of a viewer with a job token; undefined for other viewers. */
  readonly task?: JobTask | undefined
}
