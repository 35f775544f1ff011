import { Context, type Effect } from "effect"
import type { UserId } from "../../identity/users/User.ts"
import type { CommentId, IssueId } from "../issues/Issue.ts"

/** The number of reactions with the same content, such as `heart`, to an issue or to one of its comments. */
export interface ReactionCount {
  /** Null for the issue. */
  readonly commentId: CommentId | null
  readonly content: string
  readonly count: number
  /** Whether one of them is the user's own. */
  readonly own: boolean
}

/**
 * Counts reactions.
 *
 * Must:
 * - count the reactions to an issue and to the given ones of its comments by content, the issue's first
 * - report the contents with which the user reacted
 */
export class ReactionStore extends Context.Service<
  ReactionStore,
  {
    /** The rows are ordered by comment and by content; comments of other issues are omitted. */
    readonly counts: (
      issue: IssueId,
      comments: ReadonlyArray<CommentId>,
      user: UserId | undefined
    ) => Effect.Effect<ReadonlyArray<ReactionCount>>
  }
>()("@slipway/domain/forge/ReactionStore") {}
