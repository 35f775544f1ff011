import type { Issue, PullRequest, Repository } from "@slipway/client/forge"
import type { Visit } from "../../page/Page.ts"

export { offersNewIssue, offersPull, offersWriting } from "../../layout/offers.ts"

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
