import { Schema } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { NewEvent } from "../../identity/audit/Event.ts"

/** The schema of the id of a push. */
export const PushId = Schema.Int.pipe(Schema.brand("PushId"))
export type PushId = typeof PushId.Type

/** A commit in the record of a push. */
export const PushedCommit = Schema.Struct({
  id: Schema.String,
  /** The first line of its message. */
  subject: Schema.String,
  author: Schema.String,
  email: Schema.String,
  at: Schema.String
})
export type PushedCommit = typeof PushedCommit.Type

/** A ref that a push changes. `before` is null if the push creates the ref, `after` is null if it deletes the ref. */
export const PushedRef = Schema.Struct({
  ref: Schema.String,
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String),
  forced: Schema.Boolean,
  /** The newest of the new commits. */
  commits: Schema.Array(PushedCommit),
  /** The total number of new commits. */
  commitCount: Schema.Int
})
export type PushedRef = typeof PushedRef.Type

/** The maximum number of commits per ref in the record of a push. */
export const mostRecordedCommits = 20

/**
 * A push: the allowed changes, recorded before git applies them.
 *
 * It is open until the changes that git applied are known, and settled once, together with its event.
 */
export interface Push {
  readonly id: PushId
  readonly repositoryId: RepositoryId
  readonly at: string
  /** The allowed changes; after the push is settled, the applied ones. */
  readonly refs: ReadonlyArray<PushedRef>
  /** The size of its new objects, in bytes. */
  readonly size: number
  /** The event that is added when the push is settled with a change. */
  readonly event: NewEvent
  readonly settled: boolean
}
