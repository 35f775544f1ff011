import type { ObjectId } from "./objectIds.ts"
import type { RefName } from "./refNames.ts"

/** A commit, by the name that it was asked for. */
export interface NamedCommit {
  readonly commit: ObjectId
  /** The branch or tag that was named, where it was one. */
  readonly ref: RefName | undefined
  readonly name: string
}
