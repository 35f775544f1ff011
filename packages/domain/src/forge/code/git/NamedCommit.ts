import type { ObjectId } from "./objectIds.ts"
import type { RefName } from "./refNames.ts"

/** A commit, and the branch or tag by which a request named it. */
export interface NamedCommit {
  readonly commit: ObjectId
  /** The branch or tag in the request; undefined if the request contained an object id. */
  readonly ref: RefName | undefined
  readonly name: string
}
