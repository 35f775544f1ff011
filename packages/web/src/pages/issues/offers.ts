import type { Issue, PullRequest, Repository } from "@slipway/client/forge"
import type { Visit } from "../../page/Page.ts"

/**
 * Returns whether the button that opens an issue is shown. Anonymous visitors see it: it leads to the sign-in page.
 */
export const offersNewIssue = ({ archived, has_issues: hasIssues }: Repository): boolean => hasIssues && !archived

/** Returns whether the form that opens a pull request is shown. */
export const offersPull = ({ archived, has_pull_requests: hasPulls }: Repository): boolean => hasPulls && !archived

/** Which forms of a conversation are shown. */
export interface ConversationOffers {
  readonly comment: boolean
  readonly changeState: boolean
}

/**
 * Returns which forms of a conversation are shown, from the facts that the API hands out about it.
 *
 * The forge decides again when a form is sent. A batch of access decisions would make this exact for teams that may
 * write issues and not code.
 */
export const conversationOffers = (
  { viewer }: Visit,
  repository: Repository,
  { is_locked: isLocked, user }: Issue | PullRequest
): ConversationOffers => {
  if (viewer === undefined || repository.archived) return { comment: false, changeState: false }
  const writes = repository.permissions.push
  return { comment: writes || !isLocked, changeState: writes || user.login === viewer.login }
}
