import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { CommentId, IssueId } from "./Issue.ts"

/** The source of an issue, a pull request or a comment that was copied from another host. */
export interface Origin {
  readonly id: number
  readonly issueId: IssueId
  readonly repositoryId: RepositoryId
  /** The comment; null if the issue itself was copied. */
  readonly commentId: CommentId | null
  readonly kind: "issue" | "comment"
  /** The number at the other host. */
  readonly originalId: number
  /** The author at that host. */
  readonly author: string
  readonly authorId: number
}

/** The sources of copied issues, pull requests and comments, which make copying idempotent. */
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
