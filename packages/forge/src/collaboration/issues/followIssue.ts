import type { Issue } from "@slipway/domain/forge/collaboration"
import {
  betweenOf,
  mergePlans,
  PullBranchGone,
  PullExists,
  PullIsMerged,
  pulls
} from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import { addJob } from "../../base/jobs/addJob.ts"
import { tipsOf } from "../heads/tips.ts"

/**
 * Opens or closes the pull request of an issue when the issue is opened or closed, in the current transaction.
 *
 * Reopening fails if the pull request is merged, if one of its branches is missing, or if another pull request is open
 * between the same branches.
 */
export const followIssue = Effect.fnUntraced(function* ({ id, number, repositoryId, state }: Issue) {
  const store = yield* pulls.store
  const pull = yield* store.findBy("issue", { issueId: id })
  const open = state === "open"
  if (pull === undefined || pull.open === open) return
  if (pull.merged) return yield* new PullIsMerged()
  if (open) {
    const { base, head } = yield* tipsOf(pull, number)
    if (base === undefined) return yield* new PullBranchGone({ branch: pull.baseBranch })
    if (head === undefined) return yield* new PullBranchGone({ branch: pull.headBranch })
  }
  const between = betweenOf(pull)
  yield* Effect.mapError(
    store.patch({ repositoryId }, pull.id, { open, openBetween: open ? between : null }),
    () => new PullExists({ between })
  )
  if (open) yield* addJob({ _tag: "RefreshPull", issueId: id })
  else yield* (yield* mergePlans.store).removeWhere({ issueId: id })
})
