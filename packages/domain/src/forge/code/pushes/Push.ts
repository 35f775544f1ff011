import { Schema } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { NewEvent } from "../../identity/audit/Event.ts"

/** The schema of the number of a push. */
export const PushId = Schema.Int.pipe(Schema.brand("PushId"))
export type PushId = typeof PushId.Type

/** A commit as the record of a push tells it. */
export const PushedCommit = Schema.Struct({
  id: Schema.String,
  /** The first line of its message. */
  subject: Schema.String,
  author: Schema.String,
  email: Schema.String,
  at: Schema.String
})
export type PushedCommit = typeof PushedCommit.Type

/** A ref that a push changes, from one object to another; nothing stands for one that wasn't there, or is no more. */
export const PushedRef = Schema.Struct({
  ref: Schema.String,
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String),
  forced: Schema.Boolean,
  /** The newest of the commits that are new in the repository. */
  commits: Schema.Array(PushedCommit),
  /** How many there are. */
  commitCount: Schema.Int
})
export type PushedRef = typeof PushedRef.Type

/** How many commits of a ref the record of a push tells of. */
export const commitsTold = 20

/**
 * A push: what somebody was allowed to change, written down before git changes it.
 *
 * It is open until it is known what git changed of it, and settled once, together with its event.
 */
export interface Push {
  readonly id: PushId
  readonly repositoryId: RepositoryId
  readonly at: string
  /** Those that were allowed; once it is settled, those that changed. */
  readonly refs: ReadonlyArray<PushedRef>
  /** How much it brings along that isn't in the repository yet, in bytes. */
  readonly size: number
  /** The event that is added when it is settled with a change. */
  readonly event: NewEvent
  readonly settled: boolean
}
