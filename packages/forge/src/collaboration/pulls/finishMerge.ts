import { now, Transaction } from "@slipway/domain"
import type { RepositoryFacts } from "@slipway/domain/forge/access"
import { admit, allows, siteFactsOf } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { branchRef, GitReader, GitWriter, PushStore, RefName, RepositoryStore } from "@slipway/domain/forge/code"
import {
  type Issue,
  type IssueId,
  isDraft,
  issues,
  type MergePlan,
  mergePlans,
  type PullRequest,
  pulls
} from "@slipway/domain/forge/collaboration"
import { EventStore } from "@slipway/domain/forge/events"
import { asViewer } from "@slipway/domain/forge/explanation"
import type { User } from "@slipway/domain/forge/identity"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { hookDataOf } from "../../base/events/queueHookEvents.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import { type JoinStyle, joinCommits } from "../../code/commits/mergeCommits.ts"
import { factsOfUser, identOf } from "../../code/commits/mergePeople.ts"
import { refCommit } from "../../code/git/branches.ts"
import { begin, change, pushCommits } from "../../code/pushes/decidedChange.ts"
import { settle } from "../../code/pushes/Pushes.ts"
import { issueAfter } from "../issues/snapshots.ts"
import { coAuthors, messageOf } from "./messages.ts"
import { recordMerge } from "./refresh.ts"
import { decideMerge } from "./rules.ts"

/** A pull request with its issue and repository, the user who merges it, and the stored merge. */
interface MergeContext {
  readonly repository: Repository
  readonly issue: Issue
  readonly pull: PullRequest
  readonly merger: User
  readonly plan: MergePlan
}

const loaded = Effect.fnUntraced(function* (issueId: IssueId) {
  const plan = yield* (yield* mergePlans.store).findBy("issue", { issueId })
  if (plan === undefined) return undefined
  const pull = yield* (yield* pulls.store).findBy("issue", { issueId })
  const issue = yield* (yield* issues.store).find({ repositoryId: plan.repositoryId }, issueId)
  const repository = yield* (yield* RepositoryStore).find(plan.repositoryId)
  const merger = yield* (yield* UserStore).find(plan.mergerId)
  if (pull === undefined || issue === undefined || repository === undefined || merger === undefined) return undefined
  return { plan, pull, issue, repository, merger } satisfies MergeContext
})

/**
 * Creates the commits of a merge, and returns the new commit of the base branch. No ref points to them yet, so users
 * cannot see them.
 */
export const prepareMerge = Effect.fnUntraced(function* (
  { issue, merger, plan, pull, repository }: MergeContext,
  style: JoinStyle,
  base: ObjectId
) {
  const { host } = yield* SiteSettings
  const at = yield* now
  const users = yield* UserStore
  const poster = yield* users.find(issue.authorId)
  const committer = identOf(merger, host, at)
  const author = poster === undefined ? committer : identOf(poster, host, at)
  const head = pull.headRepositoryId === null ? undefined : yield* (yield* RepositoryStore).find(pull.headRepositoryId)
  const message = yield* messageOf(style, plan, base, {
    pull,
    issue,
    repository,
    headName: head?.name ?? repository.name,
    author: poster?.name ?? ""
  })
  const others = style === "squash" ? yield* coAuthors(pull, base, author) : []
  return yield* joinCommits(style, {
    repository: repository.id,
    base,
    head: pull.headSha,
    committer,
    author,
    message: others.length === 0 ? message : `${message}\n${others.join("\n")}\n`
  })
})

/** Returns the facts for the access decision on a merge, for a user who sends no request now. */
const mergeFacts = (facts: RepositoryFacts) => ({ ...facts, found: true, pull: true, author: false, locked: false })

/**
 * Returns whether the user of a scheduled merge may merge now, by the current permissions and protections. `to` is the
 * merge commit, if it exists.
 */
const mayMergeNow = Effect.fnUntraced(function* ({ issue, merger, pull, repository }: MergeContext, to?: ObjectId) {
  const { switches } = yield* SiteSettings
  if (!admit(siteFactsOf(switches, asViewer(merger).facts)).allowed) return false
  const facts = yield* factsOfUser(merger, repository.id)
  if (!allows("pull.merge", mergeFacts(facts)) || isDraft(issue.title)) return false
  return (yield* decideMerge(pull, merger.id, facts, false, to)).allowed
})

/**
 * Creates the commit of a scheduled merge if all requirements are met, and stores it in the plan. Returns undefined if
 * the merge must wait or was cancelled.
 */
const begun = Effect.fnUntraced(function* (merging: MergeContext) {
  const { plan, pull, repository } = merging
  const store = yield* mergePlans.store
  // Commits pushed since the request were not meant to be merged.
  if (plan.headSha !== pull.headSha) {
    yield* store.removeWhere({ issueId: plan.issueId })
    return undefined
  }
  if (plan.style === "manually-merged" || pull.check !== "fits" || !(yield* mayMergeNow(merging))) return undefined
  const from = yield* refCommit(repository.id, branchRef(pull.baseBranch))
  if (from === undefined) return undefined
  const to = yield* Effect.catchTags(prepareMerge(merging, plan.style, from), {
    MergeConflict: () => Effect.succeed(undefined),
    MergeImpossible: () => Effect.succeed(undefined)
  })
  if (to === undefined) return undefined
  const ref = yield* pushCommits(repository.id, { ref: branchRef(pull.baseBranch), before: from, after: to })
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      // While the commit was written, the facts of the decision may have changed.
      const locked = yield* (yield* pulls.store).lock({ repositoryId: repository.id }, pull.id)
      const present = yield* store.findBy("issue", { issueId: plan.issueId })
      if (!locked?.open || present?.id !== plan.id || present.to !== null) return undefined
      if (locked.headSha !== pull.headSha || locked.baseBranch !== pull.baseBranch) return undefined
      if (!(yield* mayMergeNow({ ...merging, pull: locked }, to))) return undefined
      const pushId = yield* begin(repository.id, ref, plan.event)
      return yield* Effect.orDie(store.patch({ issueId: plan.issueId }, plan.id, { from, to, pushId }))
    })
  )
})

/** Returns whether a branch contains a commit. */
const contains = Effect.fnUntraced(function* (repository: Repository, branch: string, commit: ObjectId) {
  const tip = yield* refCommit(repository.id, branchRef(branch))
  if (tip === undefined) return false
  return (yield* (yield* GitReader).divergence(repository.id, tip, commit))?.ahead === 0
})

/**
 * Moves the base branch to the merge commit. Returns whether the branch contains the commit afterwards, even if another
 * push has moved it.
 *
 * Uses the name of the branch for which the merge was decided, because after a rename other protections may apply
 * (invariant I18).
 */
const moved = Effect.fnUntraced(function* ({ plan, pull, repository }: MergeContext, from: ObjectId, to: ObjectId) {
  const push = plan.pushId === null ? undefined : yield* (yield* PushStore).find(plan.pushId)
  const decided = push?.refs[0]?.ref
  const update = { ref: decided === undefined ? branchRef(pull.baseBranch) : RefName.make(decided), from, to }
  return yield* (yield* GitWriter).updateRefs(repository.id, [update]).pipe(
    Effect.as(true),
    Effect.catchTag("RefsNotMoved", () => contains(repository, pull.baseBranch, to)),
    Effect.catchTag("GitMissing", () => Effect.succeed(false))
  )
})

/** Returns whether a branch is the head or the base of an open pull request. */
const isUsed = Effect.fnUntraced(function* (repositoryId: RepositoryId, branch: string) {
  const store = yield* pulls.store
  const one = { limit: 1 }
  const from = yield* store.list({ headRepositoryId: repositoryId }, one, {
    filter: { headBranch: branch, open: true }
  })
  const into = yield* store.list({ repositoryId }, one, { filter: { baseBranch: branch, open: true } })
  return from.rows.length + into.rows.length > 0
})

const deleteHead = Effect.fnUntraced(function* ({ plan, pull }: MergeContext) {
  const { headBranch, headRepositoryId, headSha } = pull
  if (!plan.deleteBranch || headRepositoryId === null || (yield* isUsed(headRepositoryId, headBranch))) return
  yield* Effect.ignore(
    change(headRepositoryId, { ref: branchRef(headBranch), before: headSha, after: undefined }, plan.event)
  )
})

const recordOnce = Effect.fnUntraced(function* (
  { issue, plan, pull, repository }: MergeContext,
  base: ObjectId,
  commit: ObjectId
) {
  const present = yield* (yield* pulls.store).lock({ repositoryId: repository.id }, pull.id)
  if (present === undefined || present.merged) return
  yield* recordMerge(present, issue, commit, plan.mergerId, base)
  const after = yield* issueAfter(issue)
  yield* (yield* EventStore).append(plan.event, hookDataOf(plan.event, repository, { issue, pull }, after))
})

/**
 * Performs the requested merge of a pull request, or completes its record if git has merged already. Idempotent.
 *
 * The merge commit is stored before the base branch moves. The plan is removed in the transaction that records the
 * merge, so after a crash the next run continues.
 */
export const finishMerge = Effect.fnUntraced(function* (issueId: IssueId) {
  const store = yield* mergePlans.store
  const merging = yield* loaded(issueId)
  if (merging === undefined || !merging.pull.open) {
    yield* store.removeWhere({ issueId })
    return
  }
  const plan = merging.plan.to === null ? yield* begun(merging) : merging.plan
  if (plan === undefined || plan.from === null || plan.to === null) return
  const ready = { ...merging, plan }
  const isMoved = yield* moved(ready, plan.from, plan.to)
  if (isMoved) yield* (yield* Transaction).run(recordOnce(ready, plan.from, plan.to))
  if (plan.pushId !== null) yield* settle(plan.pushId)
  if (isMoved) {
    yield* deleteHead(ready)
    return
  }
  // Another push moved the branch: a scheduled merge keeps waiting, and an immediate one is decided again by its
  // caller.
  if (merging.plan.to === null) {
    yield* Effect.orDie(store.patch({ issueId }, plan.id, { from: null, to: null, pushId: null }))
    yield* addJob({ _tag: "RefreshPull", issueId })
  } else yield* store.removeWhere({ issueId })
})
