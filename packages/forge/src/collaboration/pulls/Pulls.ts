import type { PageRequest } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import {
  betweenOf,
  HeadNotYours,
  type IssueFilter,
  type IssueOrder,
  type IssueState,
  IssueStore,
  issueLabels,
  issues,
  mergePlans,
  PullBranchNotFound,
  PullExists,
  PullImpossible,
  PullIsMerged,
  PullNotFound,
  type PullRequest,
  pulls
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { activityDetails } from "@slipway/domain/forge/events"
import type { Actor } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import { addJobs } from "../../base/jobs/addJob.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import { mayPushTo } from "../../code/commits/mergePeople.ts"
import { headName, headRepository, tipOf } from "../../code/heads/heads.ts"
import { changeIssue } from "../issues/change.ts"
import { followIssue } from "../issues/followIssue.ts"
import { assign, assignOnly } from "../issues/Issues.ts"
import { addTimelineEvent, insertIssue } from "../issues/insert.ts"
import { findAssignees, findLabels, findMilestone, withAdded } from "../issues/issueInput.ts"
import { issueAfter } from "../issues/snapshots.ts"
import { trace } from "../issues/texts.ts"
import { authorOf, factsOfIssue } from "../issues/views.ts"
import { compareCommits, readPullCommits } from "./pullCommits.ts"
import type { KnownCommitFacts } from "./refresh.ts"
import { addReviewRequests, findReviewers } from "./reviewers.ts"
import { pullViews } from "./views.ts"

type InRepository = Parameters<typeof pullViews>[0]

const viewOf = Effect.fnUntraced(function* (resource: InRepository, id: PullRequest["issueId"]) {
  const issue = yield* (yield* issues.store).find({ repositoryId: resource.repository.id }, id)
  const [view] = issue === undefined ? [] : yield* pullViews(resource, [issue])
  return view ?? (yield* new PullNotFound({ what: String(id) }))
})

/** The fields of a new pull request. */
export interface PullInput {
  readonly title: string
  readonly body: string
  readonly head: string
  readonly base: string
  readonly milestone?: number | undefined
  readonly labels?: ReadonlyArray<number> | undefined
  readonly assignees?: ReadonlyArray<string> | undefined
  readonly dueAt?: string | undefined
  readonly reviewers?: ReadonlyArray<string> | undefined
  readonly teamReviewers?: ReadonlyArray<string> | undefined
  readonly allowMaintainerEdit?: boolean | undefined
}

/** The head of a new pull request: its branch and repository, and the facts about its commits. */
export type OpenedHead = Pick<PullRequest, "headBranch" | "headOwner" | "headRepositoryId" | "pushedBy"> & {
  readonly known: KnownCommitFacts
}

/** Inserts a new pull request in the current transaction, and queues the jobs that follow. */
export const insertPull = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"pull.create">, input: PullInput, { known, ...head }: OpenedHead) {
    const { actor, facts, repository } = resource
    const sorts = allows("issue.label.add", factsOfIssue(facts, { pull: true, author: true }))
    const labels = sorts ? withAdded([], yield* findLabels(repository, input.labels ?? [])) : []
    const people = sorts ? yield* findAssignees(repository, true, input.assignees ?? []) : []
    const milestone = sorts && input.milestone ? yield* findMilestone(repository, input.milestone) : undefined
    const lends =
      (input.allowMaintainerEdit ?? repository.preferences.default_allow_maintainer_edit) &&
      head.headRepositoryId !== null &&
      (yield* mayPushTo(actor, head.headRepositoryId))
    const authorId = authorOf(actor)
    const asked = yield* findReviewers(
      repository,
      { authorId },
      { users: input.reviewers ?? [], teams: input.teamReviewers ?? [] }
    )
    const issue = yield* Effect.orDie(
      insertIssue({
        repositoryId: repository.id,
        pull: true,
        authorId,
        title: input.title,
        body: input.body,
        milestoneId: milestone?.id ?? null,
        dueAt: sorts ? (input.dueAt ?? null) : null
      })
    )
    const sides = { ...head, baseBranch: input.base }
    const pull = yield* (yield* pulls.store)
      .insert({
        issueId: issue.id,
        repositoryId: repository.id,
        ...sides,
        ...known,
        baseVersion: 0,
        open: true,
        openBetween: betweenOf(sides),
        allowMaintainerEdit: lends,
        lenderId: lends ? authorId : null,
        merged: false,
        mergedAt: null,
        mergerId: null,
        mergeCommit: null
      })
      .pipe(
        Effect.catchTag("Duplicate", () => Effect.fail(new PullExists({ between: `${input.head}...${input.base}` }))),
        Effect.catchTag("Missing", () => Effect.fail(new PullBranchNotFound({ field: "head" })))
      )
    const chosen = labels.map(({ id }) => ({ issueId: issue.id, labelId: id }))
    yield* Effect.orDie((yield* issueLabels.store).insertMany(chosen))
    yield* assignOnly(issue, authorId, people)
    yield* addReviewRequests(authorId, issue, pull, asked)
    yield* trace(actor, repository, issue, `${issue.title}\n\n${issue.body}`)
    const jobs = yield* addJobs([
      { _tag: "RefreshPull", issueId: issue.id },
      { _tag: "AskOwners", issueId: issue.id }
    ])
    return { issue, jobs }
  }),
  ({ issue }) => ({
    details: {
      pull: issue.number,
      id: issue.id,
      ...activityDetails("repo.pulls", { issueId: issue.id }, issue.title)
    },
    notification: { issueId: issue.id, what: "opened", commentId: null, audience: "followers" }
  }),
  (_, { issue }) => issueAfter(issue)
)

/** Opens a pull request. */
export const create = Effect.fnUntraced(function* (proof: Proof<"pull.create">, input: PullInput) {
  const { branch, home, known } = yield* readPullCommits(proof, input)
  const head = { headRepositoryId: home.id, headOwner: home.owner.name, headBranch: branch, pushedBy: null }
  const { issue, jobs } = yield* insertPull(proof, input, { ...head, known })
  yield* Effect.forEach(jobs, Jobs.runNow, { discard: true })
  return yield* viewOf(proof.resource, issue.id)
})

/** Reads a pull request. */
export const read = ({ resource }: Proof<"pull.read">) => viewOf(resource, resource.issue.id)

/** The filters of a list of pull requests. */
export interface PullSearch {
  readonly state?: IssueState | undefined
  readonly baseBranch?: string | undefined
  readonly milestone?: number | undefined
  readonly labels?: ReadonlyArray<number> | undefined
  readonly poster?: string | undefined
}

/** The maximum number of pull requests into one base branch that are listed. */
const mostOfBranch = 10_000

/** Lists the pull requests of a repository. */
export const list = Effect.fnUntraced(function* (
  { resource }: Proof<"pull.list">,
  { baseBranch, labels = [], milestone, poster, state }: PullSearch,
  order: IssueOrder,
  page: PageRequest
) {
  const { repository } = resource
  const store = yield* IssueStore
  const author = poster === undefined ? undefined : (yield* store.usersNamed([poster])).get(poster)
  const nothing = { rows: [], total: 0 as number | undefined, more: false }
  if (poster !== undefined && author === undefined) return nothing
  const found = labels.length === 0 ? [] : yield* findLabels(repository, labels)
  const within =
    baseBranch === undefined
      ? undefined
      : (yield* (yield* pulls.store).list(
          { repositoryId: repository.id },
          { limit: mostOfBranch },
          { filter: { baseBranch } }
        )).rows.map(({ issueId }) => issueId)
  const filter: IssueFilter = {
    state,
    labels: found.length === 0 ? undefined : found.map(({ name }) => name),
    milestones: milestone === undefined ? undefined : [String(milestone)],
    authorId: author,
    ids: within
  }
  const scope = { repositoryId: repository.id, issues: false, pulls: true }
  const rows = yield* store.search(scope, filter, order, page)
  return {
    ...rows,
    rows: yield* pullViews(
      resource,
      rows.rows.map(({ issue }) => issue)
    )
  }
})

/** Lists the pinned pull requests of a repository in their order. */
export const listPinned = Effect.fnUntraced(function* ({ resource }: Proof<"pull.list-pinned">) {
  const scope = { repositoryId: resource.repository.id, issues: false, pulls: true }
  const { rows } = yield* (yield* IssueStore).search(scope, { pinned: true }, "pinned", { page: 1, perPage: 50 })
  return yield* pullViews(
    resource,
    rows.map(({ issue }) => issue)
  )
})

/** Reads the pull request between two branches: the open one; if none is open, the newest one. */
export const byBranches = Effect.fnUntraced(function* (
  { resource }: Proof<"pull.read-by-branches">,
  base: string,
  head: string
) {
  const name = headName(head)
  const home = yield* Effect.catchTag(
    headRepository(resource.actor, resource.repository, name),
    "PullBranchNotFound",
    () => Effect.fail(new PullNotFound({ what: head }))
  )
  const { rows } = yield* (yield* pulls.store).list(
    { repositoryId: resource.repository.id },
    { limit: mostOfBranch },
    { filter: { baseBranch: base, headBranch: name.branch } }
  )
  const own = rows.filter(({ headRepositoryId }) => headRepositoryId === home.id)
  const found = own.find(({ open }) => open) ?? own[0]
  return yield* found === undefined ? new PullNotFound({ what: head }) : viewOf(resource, found.issueId)
})

/** Reads the merged pull request that brought a commit into the base branch. */
export const ofCommit = Effect.fnUntraced(function* ({ resource }: Proof<"repository.commit.pull">, sha: string) {
  const missing = new PullNotFound({ what: sha })
  if (!allows("pull.list", resource.facts)) return yield* missing
  const { rows } = yield* (yield* pulls.store).list(
    { repositoryId: resource.repository.id },
    { limit: 1 },
    { filter: { mergeCommit: sha as ObjectId } }
  )
  return yield* rows[0] === undefined ? missing : viewOf(resource, rows[0].issueId)
})

/** The fields of a pull request that an edit changes; omitted ones stay unchanged. */
export interface PullEdit {
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly contentVersion?: number | undefined
  readonly state?: IssueState | undefined
  readonly base?: string | undefined
  readonly allowMaintainerEdit?: boolean | undefined
  readonly dueAt?: string | null | undefined
  readonly milestone?: number | undefined
  readonly labels?: ReadonlyArray<number> | undefined
  readonly assignees?: ReadonlyArray<string> | undefined
}

/**
 * Changes the base branch of a pull request. Reviews that were given for the old base do not count any more (invariant
 * I20).
 */
const retarget = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  { issueId, ...pull }: PullRequest,
  branch: string
) {
  if (pull.merged || !pull.open) return yield* new PullIsMerged()
  if (branch === pull.baseBranch) return
  // A merge in progress moves the branch that it was decided for.
  const plan = yield* (yield* mergePlans.store).findBy("issue", { issueId })
  if (plan !== undefined && plan.to !== null) return yield* new PullIsMerged()
  const base = yield* tipOf(repository, branch, "base")
  if (pull.headRepositoryId === repository.id && pull.headBranch === branch) {
    return yield* new PullImpossible({ because: "same-branch" })
  }
  const known = yield* compareCommits(repository, base, pull.headSha)
  const openBetween = betweenOf({ ...pull, baseBranch: branch })
  yield* (yield* pulls.store)
    .patch({ repositoryId: repository.id }, pull.id, {
      ...known,
      baseBranch: branch,
      baseVersion: pull.baseVersion + 1,
      openBetween
    })
    .pipe(Effect.mapError(() => new PullExists({ between: openBetween })))
  // A scheduled merge was requested for the old base branch, so a change of the base cancels it.
  if (plan !== undefined) {
    yield* (yield* mergePlans.store).removeWhere({ issueId })
    yield* Effect.orDie(addTimelineEvent({ id: issueId }, "pull_cancel_scheduled_merge", authorOf(actor)))
  }
  yield* Effect.orDie(
    addTimelineEvent({ id: issueId }, "change_target_branch", authorOf(actor), {
      details: { oldRef: pull.baseBranch, newRef: branch }
    })
  )
})

/** Replaces the labels of a pull request. */
const labelOnly = Effect.fnUntraced(function* (issueId: PullRequest["issueId"], ids: ReadonlyArray<number>) {
  const store = yield* issueLabels.store
  yield* store.removeWhere({ issueId })
  yield* Effect.orDie(store.insertMany(ids.map((labelId) => ({ issueId, labelId: labelId as never }))))
})

const edited = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"pull.edit">, edit: PullEdit) {
    const { actor, facts, repository } = resource
    const { allowMaintainerEdit, assignees, base, dueAt, labels, milestone, ...own } = edit
    const sorts = allows("issue.label.add", facts)
    const scope = { repositoryId: repository.id }
    const locked = yield* (yield* issues.store).lock(scope, resource.issue.id)
    const pull = yield* (yield* pulls.store).lock(scope, resource.pull.id)
    if (locked === undefined || pull === undefined) {
      return yield* new PullNotFound({ what: String(resource.issue.number) })
    }
    if (pull.merged && own.state === "open") return yield* new PullIsMerged()
    if (allowMaintainerEdit !== undefined) {
      const isTheirs = pull.headRepositoryId !== null && (yield* mayPushTo(actor, pull.headRepositoryId))
      if (!isTheirs && allowMaintainerEdit !== pull.allowMaintainerEdit) return yield* new HeadNotYours()
      const lenderId = allowMaintainerEdit ? authorOf(actor) : null
      if (isTheirs) yield* Effect.orDie((yield* pulls.store).patch(scope, pull.id, { allowMaintainerEdit, lenderId }))
    }
    if (base !== undefined) yield* retarget(actor, repository, pull, base)
    const inside = sorts && milestone ? yield* findMilestone(repository, milestone) : null
    const issue = yield* changeIssue(actor, repository, locked, {
      ...own,
      ...(sorts && dueAt !== undefined ? { dueAt } : {}),
      ...(sorts && milestone !== undefined ? { milestone: inside } : {})
    })
    if (issue.state !== locked.state) {
      yield* followIssue(issue)
    }
    if (sorts && labels !== undefined) {
      const chosen = withAdded([], yield* findLabels(repository, labels))
      yield* labelOnly(
        issue.id,
        chosen.map(({ id }) => id)
      )
    }
    if (sorts && assignees !== undefined) {
      yield* assign(actor, issue, yield* findAssignees(repository, true, assignees))
    }
    return { issue, before: { issue: locked, pull } }
  }),
  ({ before, issue: { id, number, state, title } }, edit) => ({
    details: {
      pull: number,
      changed: Object.keys(edit).join(", "),
      ...(edit.state === undefined ? {} : { state: edit.state }),
      ...(state === before.issue.state ? {} : activityDetails("repo.pulls", { issueId: id }, title))
    },
    before
  }),
  (proof) => issueAfter(proof.resource.issue)
)

/** Edits a pull request; omitted fields stay unchanged. */
export const edit = Effect.fnUntraced(function* (proof: Proof<"pull.edit">, change: PullEdit) {
  return yield* viewOf(proof.resource, (yield* edited(proof, change)).issue.id)
})
