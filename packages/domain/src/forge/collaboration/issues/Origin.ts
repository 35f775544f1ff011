import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { CommentId, IssueId } from "./Issue.ts"

/** The original of an issue, a pull request or a comment that was copied from another host (migration). */
export interface Origin {
  readonly id: number
  readonly issueId: IssueId
  readonly repositoryId: RepositoryId
  /** The copied comment; null if the row is about the issue itself. */
  readonly commentId: CommentId | null
  readonly kind: "issue" | "comment"
  /** The number of the original issue, or the id of the original comment, at the other host. */
  readonly originalId: number
  /** The user name of the author at the other host. */
  readonly author: string
  readonly authorId: number
}

/** The table of originals of copied issues, pull requests and comments, which makes a repeated copy idempotent. */
export const origins = owned<Origin>()("origin", {
  within: ["issueId", "repositoryId", "commentId"],
  fields: {
    issueId: Fields.reference("issue"),
    repositoryId: Fields.reference("repository"),
    commentId: Fields.nullable(Fields.reference("comment")),
    kind: Fields.text<"issue" | "comment">(),
    originalId: Fields.integer(),
    author: Fields.text(),
    authorId: Fields.integer()
  },
  filters: ["kind"],
  unique: { original: ["repositoryId", "kind", "originalId"] }
})
