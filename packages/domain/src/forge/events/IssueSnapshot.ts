import type { Attachment } from "../code/attachments/Attachment.ts"
import type { Issue } from "../collaboration/issues/Issue.ts"
import type { IssueDetails } from "../collaboration/issues/IssueStore.ts"
import type { PullRequest } from "../collaboration/pulls/PullRequest.ts"
import type { Review } from "../collaboration/pulls/Review.ts"

/**
 * The state of an issue or a pull request at the time of an event. It contains all data for the webhook payload, except
 * the profiles of users.
 */
export interface IssueSnapshot {
  readonly issue: Issue
  readonly details: IssueDetails
  readonly assets: ReadonlyArray<Attachment>
  /** The fields that only a pull request has; undefined for an issue. */
  readonly pull?: PullRequest | undefined
  /** The open review requests of a pull request. */
  readonly requests?: ReadonlyArray<Review> | undefined
}
