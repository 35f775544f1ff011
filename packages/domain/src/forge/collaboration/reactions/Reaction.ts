import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { CommentId, IssueId } from "../issues/Issue.ts"

/** The reaction of a user to an issue or a comment, such as `heart`; the site's settings list the allowed reactions. */
export interface Reaction {
  readonly id: number
  readonly userId: UserId
  readonly content: string
  readonly createdAt: string
}

/** A reaction to an issue or a pull request. */
export interface IssueReaction extends Reaction {
  readonly issueId: IssueId
}

/** A reaction to a comment. */
export interface CommentReaction extends Reaction {
  readonly commentId: CommentId
}

const fields = {
  userId: Fields.reference<UserId>("user"),
  content: Fields.text<string>(),
  createdAt: Fields.time()
}

/** The reactions to issues and pull requests, in the order of their creation. */
export const issueReactions = owned<IssueReaction>()("issueReaction", {
  within: ["issueId"],
  fields: { issueId: Fields.reference("issue"), ...fields },
  unique: { once: ["issueId", "userId", "content"] }
})

/** The reactions to comments, in the order of their creation. */
export const commentReactions = owned<CommentReaction>()("commentReaction", {
  within: ["commentId"],
  fields: { commentId: Fields.reference("comment"), ...fields },
  unique: { once: ["commentId", "userId", "content"] }
})

/** Reports that the reaction is not in the site's list of allowed reactions. */
export class ReactionNotAllowed extends Schema.TaggedError<ReactionNotAllowed>()("ReactionNotAllowed", {
  content: Schema.String
}) {}
