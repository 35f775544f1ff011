import { Level } from "@slipway/access"
import { Transaction } from "@slipway/domain"
import { unitLevel } from "@slipway/domain/forge/access"
import type { Trigger } from "@slipway/domain/forge/automation"
import { isRecord, type WorkflowRun, workflowRuns } from "@slipway/domain/forge/automation"
import type { ApprovalPolicy, RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { branchRef, PushStore, RepositoryStore } from "@slipway/domain/forge/code"
import { IssueStore, issues, pulls } from "@slipway/domain/forge/collaboration"
import { EffectiveAccessStore, pairFacts } from "@slipway/domain/forge/explanation"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { cancelJobs } from "./advanceRun.ts"

/** The facts about a contributor from which it is decided whether a run of a fork's pull request needs approval. */
export interface Contributor {
  /**
   * Whether the contributor has write permission on the actions unit of the base repository, and so could approve runs.
   */
  readonly writes: boolean
  readonly restricted: boolean
  /** Whether a pull request of the contributor was already merged into the base repository. */
  readonly merged: boolean
}

/**
 * Returns whether the code of a contributor may run without approval (invariant I21).
 *
 * A contributor becomes known by a merged pull request, not by an approved run (CVE-2026-58424).
 *
 * @example
 * isKnown("first-time-contributors", { writes: false, restricted: false, merged: true }) // => true
 * isKnown("external-contributors", { writes: false, restricted: false, merged: true }) // => false
 * isKnown("first-time-contributors", { writes: false, restricted: true, merged: true }) // => false
 */
export const isKnown = (policy: ApprovalPolicy, { merged, restricted, writes }: Contributor): boolean =>
  policy === "never" || writes || (policy === "first-time-contributors" && merged && !restricted)

/** The number of recent pushes that are searched for the one that pushed the head of a pull request. */
const lookedThrough = 50

/**
 * Finds the user who pushed the current head of a branch; undefined if the push is not among the 50 most recent ones.
 */
export const pusherOf = Effect.fnUntraced(function* (repositoryId: RepositoryId, branch: string, head: string) {
  const { rows } = yield* (yield* PushStore).list(repositoryId, { page: 1, perPage: lookedThrough })
  const ref = branchRef(branch)
  const push = rows.find(({ refs }) => refs.some((each) => each.ref === ref && each.after === head))
  return push === undefined ? undefined : { id: push.event.actor?.id as UserId | undefined }
})

/**
 * Returns the contributors to a pull request from a fork: its author, the user who pushed its head, and the actor of
 * the event.
 */
const partakers = Effect.fnUntraced(function* (
  { id: repositoryId }: Pick<Repository, "id">,
  { activity, commit, payload }: Trigger,
  actorId: UserId | undefined
) {
  const { id } = isRecord(payload.pull_request) ? payload.pull_request : {}
  const issue = typeof id === "number" ? yield* (yield* issues.store).find({ repositoryId }, id) : undefined
  const pull = issue && (yield* (yield* pulls.store).findBy("issue", { issueId: issue.id }))
  if (issue === undefined || pull === undefined) return [undefined]
  const { headBranch, headRepositoryId, headSha, pushedBy } = pull
  // The run is of the commit in the event, wherever the head is now.
  const head = commit ?? headSha
  const ofBranch = headRepositoryId === null ? undefined : yield* pusherOf(headRepositoryId, headBranch, head)
  const pusher = typeof pushedBy === "number" ? { id: pushedBy } : ofBranch
  // The author who opens a pull request answers for earlier pushes, but not for later ones.
  const isSeen = pusher !== undefined || activity === "opened"
  return [issue.authorId, actorId, ...(isSeen ? [] : [undefined]), ...(pusher === undefined ? [] : [pusher.id])]
})

/** Returns whether a run of a pull request from a fork needs approval, because a contributor is not known yet. */
export const waitsForApproval = Effect.fnUntraced(function* (
  repository: Pick<Repository, "id">,
  trigger: Trigger,
  actorId: UserId | undefined
) {
  const { switches, workflows } = yield* SiteSettings
  if (workflows.approval === "never") return false
  const all = new Set(yield* partakers(repository, trigger, actorId))
  const ids = [...all].flatMap((id) => id ?? [])
  const pairs = yield* (yield* EffectiveAccessStore).find(ids.map((user) => ({ user, repository: repository.id })))
  const merged = yield* (yield* IssueStore).mergedAuthors(repository.id, ids)
  const known = pairs.filter((pair) =>
    isKnown(workflows.approval, {
      writes: unitLevel(pairFacts(switches, pair), "repo.actions") >= Level.write,
      restricted: pair.user.restricted,
      merged: merged.has(pair.user.id)
    })
  )
  return known.length < all.size
})

/** Cancels a run that still waits for approval. */
export const endIfUnapproved = Effect.fnUntraced(function* ({ id, repositoryId }: WorkflowRun) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, id)
      const repository = yield* (yield* RepositoryStore).find(repositoryId)
      if (run?.needsApproval === true && repository !== undefined) yield* cancelJobs(repository, run)
    })
  )
})
