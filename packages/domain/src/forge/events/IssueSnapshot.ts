import type { Attachment } from "../code/attachments/Attachment.ts"
import type { Issue } from "../collaboration/issues/Issue.ts"
import type { IssueDetails } from "../collaboration/issues/IssueStore.ts"
import type { PullRequest } from "../collaboration/pulls/PullRequest.ts"
import type { Review } from "../collaboration/pulls/Review.ts"

/**
 * An issue or a pull request at the time of an event: all that its webhook payload needs, except the users' profiles.
 */
export interface IssueSnapshot {
  readonly issue: Issue
  readonly details: IssueDetails
  readonly assets: ReadonlyArray<Attachment>
  /** Only for pull requests. */
  readonly pull?: PullRequest | undefined
  /** The open review requests of a pull request. */
  readonly requests?: ReadonlyArray<Review> | undefined
}
