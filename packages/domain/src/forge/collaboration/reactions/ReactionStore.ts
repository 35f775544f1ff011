import { Context, type Effect } from "effect"
import type { UserId } from "../../identity/users/User.ts"
import type { CommentId, IssueId } from "../issues/Issue.ts"

/** The number of reactions with the same content, such as `heart`, to an issue or to one of its comments. */
export interface ReactionCount {
  /** The id of the comment; null for reactions to the issue itself. */
  readonly commentId: CommentId | null
  readonly content: string
  readonly count: number
  /** Whether the user has given this reaction too. */
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
    /**
     * Counts the reactions to an issue and to the given comments, in the order of comments and content. Comments of
     * other issues are omitted.
     */
    readonly counts: (
      issue: IssueId,
      comments: ReadonlyArray<CommentId>,
      user: UserId | undefined
    ) => Effect.Effect<ReadonlyArray<ReactionCount>>
  }
>()("@slipway/domain/forge/ReactionStore") {}
