import { Schema } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { NewEvent } from "../../identity/audit/Event.ts"

/** The schema of the id of a push. */
export const PushId = Schema.Int.pipe(Schema.brand("PushId"))
export type PushId = typeof PushId.Type

/** The schema of a commit in a stored push. */
export const PushedCommit = Schema.Struct({
  id: Schema.String,
  /** The first line of the commit message. */
  subject: Schema.String,
  author: Schema.String,
  email: Schema.String,
  at: Schema.String
})
export type PushedCommit = typeof PushedCommit.Type

/** The schema of a ref change in a push. `before` is null if the ref is created, `after` is null if it is deleted. */
export const PushedRef = Schema.Struct({
  ref: Schema.String,
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String),
  forced: Schema.Boolean,
  /** The newest of the new commits, at most {@link mostRecordedCommits}. */
  commits: Schema.Array(PushedCommit),
  /** The total number of new commits. */
  commitCount: Schema.Int
})
export type PushedRef = typeof PushedRef.Type

/** The maximum number of commits that are stored for each ref of a push. */
export const mostRecordedCommits = 20

/**
 * A push, which is stored with its allowed ref changes before git applies them.
 *
 * A push is open until it is known which changes git applied. Then it is settled (`settled`), once, and its event is
 * added in the same transaction.
 */
export interface Push {
  readonly id: PushId
  readonly repositoryId: RepositoryId
  readonly at: string
  /** The allowed ref changes; after the push is settled, only the changes that git applied. */
  readonly refs: ReadonlyArray<PushedRef>
  /** The size of the new objects, in bytes. */
  readonly size: number
  /** The event that is added when the push is settled and at least one ref changed. */
  readonly event: NewEvent
  readonly settled: boolean
}
