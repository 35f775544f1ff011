import type { PullRequest, PullReviewComment } from "@slipway/client/forge"
import type { Question } from "../../page/decisions.ts"
import type { Visit } from "../../page/Page.ts"
import { type Asked, type Offers, resourceOf } from "../code/loadRepository.ts"
import { repositoryIn } from "../code/revision.ts"

/** The access checks that decide which forms of a pull request are shown. */
export const pullOffers = {
  changeState: ["pull.edit", "pull"],
  merge: ["pull.merge", "pull"],
  revert: ["pull.revert", "pull"],
  review: ["pull.review.create", "pull"]
} as const satisfies Record<string, Asked>

/** The results of the access checks that decide which forms of a pull request are shown. */
export type PullOffers = Offers<keyof typeof pullOffers | keyof ReturnType<typeof pullQuestions>>

/** Returns the access checks for the head branch of a pull request and for its conversations on lines. */
export const pullQuestions = (
  visit: Visit,
  { head, number: index, state }: PullRequest,
  comments: ReadonlyArray<PullReviewComment>,
  pendingReview: number | undefined
) => {
  const { name, owner } = repositoryIn(visit)
  const onHead = (action: string): Question | undefined =>
    state === "open" && head.repo !== null
      ? [action, resourceOf("repo", head.repo.owner.login, head.repo.name)]
      : undefined
  // A decision depends on the pull request, and on whether the review is pending: one submitted comment stands for all.
  const submitted = comments.find((each) => each.pull_request_review_id !== pendingReview)
  const onComment = (action: string): Question | undefined =>
    submitted && [action, resourceOf("reviewComment", owner, name, submitted.id)]
  return {
    pushHead: onHead("git.push"),
    editHead: onHead("repository.contents.edit"),
    resolve: onComment("pull.comment.resolve"),
    unresolve: onComment("pull.comment.unresolve"),
    reply:
      submitted &&
      ([`pull.comment.reply`, resourceOf("reviewThread", owner, name, `${index}/${submitted.id}`)] as const)
  }
}
