import { now, Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId } from "@slipway/domain/forge/code"
import { branchRef, GitReader, GitWriter, PushStore, RefName, RepositoryStore } from "@slipway/domain/forge/code"
import {
  type Issue,
  type IssueId,
  issues,
  mergePlans,
  type PullRequest,
  pullRef,
  pulls
} from "@slipway/domain/forge/collaboration"
import { activityDetails } from "@slipway/domain/forge/events"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { recordConsequence, recordFoundAction } from "../../base/events/queueHookEvents.ts"
import { queueNotifications } from "../../base/events/queueNotifications.ts"
import { addJob, addJobs } from "../../base/jobs/addJob.ts"
import { refCommit, type Sides, sidesOf } from "../../code/git/branches.ts"
import { type Tips, tipsOf } from "../heads/tips.ts"
import { addTimelineEvent } from "../issues/insert.ts"
import { issueAfter } from "../issues/snapshots.ts"
import { type MovedComment, moveComments, movedComments } from "./lines.ts"
import { findOutsideMerge, type OutsideMerge } from "./outsideMerge.ts"

/** The number of pull requests that are processed in one batch. */
const batch = 200

/** Queues a job for each open pull request from or into a branch, which updates its state from git. */
export const refreshBranch = Effect.fnUntraced(function* (repositoryId: RepositoryId, branch: string) {
  const store = yield* pulls.store
  const scopes = [
    { scope: { repositoryId }, filter: { baseBranch: branch, open: true } },
    { scope: { headRepositoryId: repositoryId }, filter: { headBranch: branch, open: true } }
  ] as const
  for (const { filter, scope } of scopes) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: { rows: ReadonlyArray<PullRequest>; next: string | undefined } = yield* store.list(
        scope,
        { limit: batch, ...(after === "" ? {} : { after }) },
        { filter }
      )
      yield* addJobs(page.rows.map(({ issueId }) => ({ _tag: "RefreshPull", issueId })))
      after = page.next
    }
  }
})

/** The maximum number of open pull requests that are closed when their head repository is deleted. */
const mostLeft = 1_000

/** Queues jobs that close the open pull requests from deleted repositories. */
export const closePullsFrom = Effect.fnUntraced(function* (heads: ReadonlyArray<RepositoryId>) {
  const from = yield* (yield* pulls.store).listFor("headRepositoryId", heads, mostLeft, { filter: { open: true } })
  const going = new Set(heads)
  const left = [...from.values()].flat().filter(({ repositoryId }) => !going.has(repositoryId))
  yield* addJobs(left.map(({ issueId }) => ({ _tag: "RefreshPull", issueId })))
})

/** Stores the head of a pull request under a ref in the base repository, so that its commits are kept. */
export const keepHead = Effect.fnUntraced(function* (
  {
    headBranch,
    headRepositoryId,
    pushedBy,
    repositoryId
  }: Pick<PullRequest, "headBranch" | "headRepositoryId" | "pushedBy" | "repositoryId">,
  number: number,
  head: ObjectId
) {
  const writer = yield* GitWriter
  const to = RefName.make(pullRef(number))
  const present = yield* refCommit(repositoryId, to)
  if (present === head) return
  if (pushedBy !== null) {
    // A pushed head has no other ref, so an existing one is newer.
    if (present === undefined)
      yield* Effect.ignore(writer.updateRefs(repositoryId, [{ ref: to, from: null, to: head }]))
    return
  }
  if (headRepositoryId === null) return
  if (headRepositoryId === repositoryId) yield* Effect.orDie(writer.updateRefs(repositoryId, [{ ref: to, to: head }]))
  else yield* Effect.orDie(writer.fetchFrom(repositoryId, headRepositoryId, [{ from: branchRef(headBranch), to }]))
})

/** Deletes the ref that keeps the head of a deleted pull request, so that its commits cannot be fetched any more. */
export const forgetHead = Effect.fnUntraced(function* (repository: RepositoryId, number: number) {
  const ref = RefName.make(pullRef(number))
  if ((yield* refCommit(repository, ref)) === undefined) return
  yield* Effect.orDie((yield* GitWriter).updateRefs(repository, [{ ref, to: null }]))
})

/** The facts about base and head of a pull request that were stored at the last refresh. */
export type KnownCommitFacts = Pick<
  PullRequest,
  "headSha" | "baseSha" | "mergeBase" | "check" | "conflicts" | "behind" | "additions" | "deletions" | "changedFiles"
>

type Size = Pick<KnownCommitFacts, "additions" | "changedFiles" | "deletions">

/** Returns the number of added and deleted lines, and of changed files, between two commits. */
export const sizeOf = Effect.fnUntraced(function* (repository: RepositoryId, from: ObjectId, to: ObjectId) {
  const changes = yield* (yield* GitReader).changes(repository, { from, to })
  return {
    additions: changes.reduce((sum, { additions }) => sum + additions, 0),
    deletions: changes.reduce((sum, { deletions }) => sum + deletions, 0),
    changedFiles: changes.length
  } satisfies Size
})

/**
 * Returns the base and head commit of a pull request after the base branch got all commits of the head.
 *
 * After a merge, the base before the merge is kept, so that commits, files and diff can still be shown. A head that was
 * force-pushed to a commit of the base counts as not merged, and has no changes.
 */
const containedSince = Effect.fnUntraced(function* (repository: RepositoryId, before: KnownCommitFacts, sides: Sides) {
  const { base, head } = sides
  const isMerge = before.headSha === head || (yield* sidesOf(repository, base, before.headSha))?.ahead === 0
  const refreshed = (isMerge ? yield* sidesOf(repository, before.baseSha, head) : undefined) ?? sides
  return refreshed
})

/** Returns whether the base branch contains the head now, but did not at the last refresh. */
const isMergedNow = (
  before: Pick<KnownCommitFacts, "check">,
  { check, headSha, mergeBase }: KnownCommitFacts
): boolean => check === "contained" && before.check !== "contained" && mergeBase !== headSha

/**
 * Compares base and head of a pull request in one repository; undefined if their histories are unrelated.
 *
 * Stored facts are reused if both commits are unchanged.
 */
export const lookAt = Effect.fnUntraced(function* (
  repository: RepositoryId,
  base: ObjectId,
  head: ObjectId,
  before?: KnownCommitFacts
) {
  const present = yield* sidesOf(repository, base, head)
  if (present === undefined) return undefined
  const sides = present.ahead > 0 || before === undefined ? present : yield* containedSince(repository, before, present)
  const isSame = before?.headSha === head && before.mergeBase === sides.mergeBase
  const { additions, changedFiles, deletions } = isSame ? before : yield* sizeOf(repository, sides.mergeBase, head)
  const result =
    present.ahead === 0
      ? undefined
      : yield* Effect.orDie((yield* GitWriter).merge(repository, { ours: base, theirs: head }))
  return {
    headSha: head,
    baseSha: sides.base,
    mergeBase: sides.mergeBase,
    check: result === undefined ? "contained" : result._tag === "Merged" ? "fits" : "conflicts",
    conflicts: result?._tag === "Conflicted" ? result.paths : [],
    behind: sides.behind,
    additions,
    deletions,
    changedFiles
  } satisfies KnownCommitFacts
})

const issueOf = Effect.fnUntraced(function* ({ issueId, repositoryId }: PullRequest) {
  return yield* (yield* issues.store).find({ repositoryId }, issueId)
})

/** Queues the webhook event of a pull request that changed because its head or base branch changed. */
export const queuePullHooks = Effect.fnUntraced(function* (
  action: Parameters<typeof recordConsequence>[0],
  pull: PullRequest,
  issue: Issue,
  details: Parameters<typeof recordConsequence>[3] = {},
  actorId = issue.authorId
) {
  const repository = yield* (yield* RepositoryStore).find(pull.repositoryId)
  const actor = yield* (yield* UserStore).find(actorId)
  const by = actor === undefined ? null : { id: actor.id, name: actor.name }
  if (repository !== undefined) {
    yield* recordConsequence(
      action,
      repository,
      by,
      { pull: issue.number, ...details },
      { issue, pull },
      yield* issueAfter(issue)
    )
  }
})

/** Returns whether a pull request is still open between the same branches as when it was read. */
const isAsSeen = (pull: PullRequest | undefined, seen: PullRequest): pull is PullRequest =>
  pull?.open === true && pull.baseBranch === seen.baseBranch && pull.headBranch === seen.headBranch

/**
 * Closes a pull request because its branch was deleted, in the current transaction. Does nothing if the pull request
 * changed in the meantime.
 *
 * While a push to one of its branches is in progress (for example a rename), the pull request stays open.
 */
const closeFor = Effect.fnUntraced(function* (
  seen: PullRequest,
  issue: Issue,
  gone: ReadonlyArray<readonly [RepositoryId | null, string]>
) {
  const pull = yield* (yield* pulls.store).lock({ repositoryId: seen.repositoryId }, seen.id)
  if (!isAsSeen(pull, seen)) return
  const pushes = yield* PushStore
  const isChanging = ([repository, branch]: (typeof gone)[number]) =>
    repository === null ? Effect.succeed(false) : pushes.isChanging(repository, branchRef(branch))
  if ((yield* Effect.forEach(gone, isChanging)).includes(true)) return
  const at = yield* now
  yield* Effect.orDie(
    (yield* issues.store).patch({ repositoryId: pull.repositoryId }, issue.id, {
      state: "closed",
      closedAt: at,
      updatedAt: at
    })
  )
  yield* Effect.orDie(
    (yield* pulls.store).patch({ repositoryId: pull.repositoryId }, pull.id, { open: false, openBetween: null })
  )
  yield* (yield* mergePlans.store).removeWhere({ issueId: issue.id })
  yield* Effect.orDie(
    addTimelineEvent(issue, "delete_branch", issue.authorId, { details: { oldRef: pull.headBranch } })
  )
  yield* Effect.orDie(addTimelineEvent(issue, "close", issue.authorId))
  const notification = { issueId: issue.id, what: "closed", commentId: null, audience: "followers" } as const
  yield* queueNotifications(null, [{ repositoryId: pull.repositoryId, ...notification }])
  yield* queuePullHooks("pull.edit", pull, issue, { changed: "state", state: "closed" })
})

/** Returns whether a repository is configured to detect merges that were made with git. */
const detectsMerges = Effect.fnUntraced(function* (id: RepositoryId) {
  return (yield* (yield* RepositoryStore).find(id))?.preferences.autodetect_manual_merge === true
})

/**
 * Records that a pull request was merged, in the current transaction. `base` is the commit of the base branch before
 * the merge.
 */
export const recordMerge = Effect.fnUntraced(function* (
  pull: PullRequest,
  issue: Issue,
  commit: ObjectId,
  mergerId: PullRequest["mergerId"],
  base: ObjectId = pull.baseSha
) {
  const at = yield* now
  const { repositoryId } = pull
  yield* Effect.orDie(
    (yield* pulls.store).patch({ repositoryId }, pull.id, {
      open: false,
      openBetween: null,
      merged: true,
      mergedAt: at,
      mergerId,
      mergeCommit: commit,
      baseSha: base
    })
  )
  yield* Effect.orDie(
    (yield* issues.store).patch({ repositoryId }, issue.id, { state: "closed", closedAt: at, updatedAt: at })
  )
  yield* Effect.orDie(addTimelineEvent(issue, "merge_pull", mergerId ?? issue.authorId, { details: { commit } }))
  yield* (yield* mergePlans.store).removeWhere({ issueId: issue.id })
  const notification = { issueId: issue.id, what: "merged", commentId: null, audience: "followers" } as const
  yield* queueNotifications(mergerId, [{ repositoryId, ...notification }])
  yield* addJob({ _tag: "LandPull", issueId: issue.id })
})

/**
 * Records the event of a merge that was made with git. If the user who merged is unknown, only webhooks are notified.
 */
const recordOutsideMerge = Effect.fnUntraced(function* (
  pull: PullRequest,
  issue: Issue,
  mergerId: OutsideMerge["mergerId"]
) {
  const repository = yield* (yield* RepositoryStore).find(pull.repositoryId)
  const merger = mergerId === null ? undefined : yield* (yield* UserStore).find(mergerId)
  if (repository === undefined || merger === undefined) return yield* queuePullHooks("pull.merge", pull, issue)
  const { id, number, title } = issue
  yield* recordFoundAction(
    "pull.merge",
    repository,
    { id: merger.id, name: merger.name },
    { pull: number, style: "manually-merged", ...activityDetails("repo.pulls", { issueId: id }, title) },
    { issue, pull },
    yield* issueAfter(issue)
  )
})

/**
 * Stores the result of a refresh, including a detected merge. Does nothing if the pull request was closed in the
 * meantime.
 */
const note = Effect.fnUntraced(function* (
  seen: PullRequest,
  known: KnownCommitFacts,
  moved: ReadonlyArray<MovedComment>,
  merge: OutsideMerge | undefined
) {
  const store = yield* pulls.store
  const pull = yield* store.lock({ repositoryId: seen.repositoryId }, seen.id)
  const issue = pull && (yield* issueOf(pull))
  if (!isAsSeen(pull, seen) || issue === undefined) return
  yield* Effect.orDie(store.patch({ repositoryId: pull.repositoryId }, pull.id, known))
  if (pull.headSha !== known.headSha) {
    yield* Effect.orDie(
      addTimelineEvent(issue, "pull_push", issue.authorId, {
        details: { commit: known.headSha, oldRef: pull.headSha, newRef: known.headSha }
      })
    )
    yield* moveComments(pull.repositoryId, moved)
    yield* queuePullHooks("pull.update", pull, issue)
    yield* addJob({ _tag: "AskOwners", issueId: issue.id })
  }
  if (merge !== undefined) {
    const merged = { ...pull, ...known }
    yield* recordMerge(merged, issue, merge.commit, merge.mergerId)
    yield* recordOutsideMerge(merged, issue, merge.mergerId)
  }
  const plan = yield* (yield* mergePlans.store).findBy("issue", { issueId: issue.id })
  if (plan !== undefined) yield* addJob({ _tag: "FinishMerge", issueId: issue.id })
})

/**
 * Returns the merge with git that brought the head into the base branch; undefined if there is none or detection is
 * disabled.
 *
 * Returns `unsettled` while a push to the base branch is in progress: it may be a merge by this service, and a new
 * refresh follows the push.
 */
const mergeOf = Effect.fnUntraced(function* (pull: PullRequest, known: KnownCommitFacts, base: ObjectId) {
  if (!isMergedNow(pull, known) || !(yield* detectsMerges(pull.repositoryId))) return undefined
  if (yield* (yield* PushStore).isChanging(pull.repositoryId, branchRef(pull.baseBranch))) return "unsettled" as const
  return yield* findOutsideMerge(pull, base, known.headSha)
})

/**
 * Updates the state of an open pull request from git: stores its head, and checks whether it can be merged into the
 * current base.
 *
 * Repeats if a branch moves during the refresh, so that the newest result is stored.
 */
export const refreshPull = Effect.fnUntraced(function* (issueId: IssueId) {
  const store = yield* pulls.store
  const transaction = yield* Transaction
  for (let seen: Tips | undefined; ; ) {
    const pull = yield* store.findBy("issue", { issueId })
    const issue = pull && (yield* issueOf(pull))
    if (pull === undefined || issue === undefined || !pull.open) return
    const { base, head } = yield* tipsOf(pull, issue.number)
    if (seen !== undefined && seen.base === base && seen.head === head) return
    seen = { base, head }
    if (base === undefined || head === undefined) {
      // A branch deleted right after its merge counts as merged, not as abandoned.
      const known = base && (yield* lookAt(pull.repositoryId, base, pull.headSha, pull))
      const merge = base && known && (yield* mergeOf(pull, known, base))
      if (merge === "unsettled") return
      if (known !== undefined && merge !== undefined) {
        yield* transaction.run(note(pull, known, [], merge))
        return
      }
      const gone = [
        ...(base === undefined ? [[pull.repositoryId, pull.baseBranch] as const] : []),
        ...(head === undefined ? [[pull.headRepositoryId, pull.headBranch] as const] : [])
      ]
      yield* transaction.run(closeFor(pull, issue, gone))
      return
    }
    yield* keepHead(pull, issue.number, head)
    const known = yield* lookAt(pull.repositoryId, base, head, pull)
    if (known === undefined) return
    const merge = yield* mergeOf(pull, known, base)
    if (merge === "unsettled") return
    const moved = head === pull.headSha ? [] : yield* movedComments(pull, head)
    yield* transaction.run(note(pull, known, moved, merge))
  }
})
