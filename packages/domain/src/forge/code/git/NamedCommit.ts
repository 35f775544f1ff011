import type { ObjectId } from "./objectIds.ts"
import type { RefName } from "./refNames.ts"

/** A commit, with the revision that resolved to it. */
export interface NamedCommit {
  readonly commit: ObjectId
  /** The named branch or tag, if there was one. */
  readonly ref: RefName | undefined
  readonly name: string
}
