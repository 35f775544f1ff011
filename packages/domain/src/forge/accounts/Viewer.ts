import type { CallerFacts } from "../access/facts.ts"
import type { UserId } from "./User.ts"

/** Who looks at a thing: what decides which of them they see. */
export interface Viewer {
  readonly facts: CallerFacts
  readonly userId: UserId | undefined
}
