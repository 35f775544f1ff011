import { now, Transaction } from "@slipway/domain"
import { JobLease } from "@slipway/domain/forge/background"
import type { MergeDecision } from "@slipway/domain/forge/code"
import {
  allowsMerge,
  branchRef,
  emptyChangeFacts,
  evaluateRefChange,
  GitReader,
  isObjectId,
  ProtectionStore,
  RepositoryStore
} from "@slipway/domain/forge/code"
import {
  type Issue,
  isDraft,
  type MergePlan,
  type MergeWish,
  mergePlans,
  PullIsClosed,
  PullIsMerged,
  PullNotFound,
  type PullRequest,
  pulls
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { activityDetails } from "@slipway/domain/forge/events"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import { audited, eventOf } from "../../base/events/record.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import * as Jobs from "../../base/jobs/jobWorker.ts"
import type { MergeConflict, MergeImpossible } from "../../code/commits/mergeCommits.ts"
import { factsOn, mayPushTo } from "../../code/commits/mergePeople.ts"
import { refCommit } from "../../code/git/branches.ts"
import { begin, pushCommits } from "../../code/pushes/decidedChange.ts"
import { addTimelineEvent } from "../issues/insert.ts"
import { issueAfter } from "../issues/snapshots.ts"
import { prepareMerge } from "./finishMerge.ts"
import { recordMerge, refreshPull } from "./refresh.ts"
import { changerOf, decideMerge } from "./rules.ts"

/** How often a merge is tried again if the base branch moves at the same time. */
const attempts = 3

/** Reports that the settings of the repository do not allow the requested merge style. */
export class MergeStyleRefused extends Schema.TaggedError<MergeStyleRefused>()("MergeStyleRefused", {
  style: Schema.String
}) {}
/** Reports that a pull request cannot be merged because it is a draft. */
export class PullIsDraft extends Schema.TaggedError<PullIsDraft>()("PullIsDraft", {}) {}
/**
 * Reports that the head of the pull request is not the commit that the request expected, or that a branch kept moving
 * during retries.
 */
export class BranchMoved extends Schema.TaggedError<BranchMoved>()("BranchMoved", {}) {}
/** Reports that a merge of the pull request is already in progress or scheduled. */
export class MergePlanned extends Schema.TaggedError<MergePlanned>()("MergePlanned", {}) {}
/** Reports that no merge of the pull request is scheduled. */
export class NoMergePlanned extends Schema.TaggedError<NoMergePlanned>()("NoMergePlanned", {}) {}
/** Reports that branch protections do not allow the merge, with the requirements that are not met. */
export class MergeBlocked extends Schema.TaggedError<MergeBlocked>()("MergeBlocked", {
  rule: Schema.String,
  blocks: Schema.Array(Schema.String)
}) {}
/** Reports that a pull request cannot be merged because it has conflicts with its base branch. */
export class PullConflicts extends Schema.TaggedError<PullConflicts>()("PullConflicts", {
  paths: Schema.Array(Schema.String)
}) {}
/**
 * Reports that the commits cannot be merged in the requested style, or that a manual merge names a commit that is not
 * in the base branch.
 */
export class NotMergeable extends Schema.TaggedError<NotMergeable>()("NotMergeable", {
  because: Schema.Literals(["diverged", "too-many", "unrelated", "contained", "not-in-base"])
}) {}

/** The options of a merge request, including when to merge. */
export interface MergeInput extends MergeWish {
  /** The commit that the head must be at; if it differs, the merge fails. */
  readonly head?: string | undefined
  /** The commit in the base branch with which the pull request was merged manually. */
  readonly commit?: string | undefined
  /** Whether an administrator merges although requirements are not met. */
  readonly force: boolean
  readonly whenChecksSucceed: boolean
}

/** The result of a merge request: merged, or scheduled until checks succeed. */
export type MergeOutcome = "merged" | "planned"

type MergeProof = Proof<"pull.merge">

const refusalOf = (failure: MergeConflict | MergeImpossible): PullConflicts | NotMergeable =>
  failure._tag === "MergeConflict"
    ? new PullConflicts({ paths: failure.paths })
    : new NotMergeable({ because: failure.because })

const present = Effect.fnUntraced(function* ({ issue }: MergeProof["resource"]) {
  const pull = yield* (yield* pulls.store).findBy("issue", { issueId: issue.id })
  if (pull === undefined) return yield* new PullNotFound({ what: String(issue.number) })
  if (pull.merged) return yield* new PullIsMerged()
  if (!pull.open) return yield* new PullIsClosed()
  return pull
})

/**
 * Returns whether the head branch can be deleted after the merge; the user who merges needs permission to delete it.
 */
const mayDeleteHead = Effect.fnUntraced(function* ({ resource: { actor } }: MergeProof, pull: PullRequest) {
  const { headBranch, headRepositoryId, headSha } = pull
  if (headRepositoryId === null || actor.userId === undefined || !(yield* mayPushTo(actor, headRepositoryId)))
    return false
  const repository = yield* (yield* RepositoryStore).find(headRepositoryId)
  if (repository === undefined) return false
  const protections = yield* (yield* ProtectionStore).branches(headRepositoryId)
  const who = yield* changerOf(actor.userId, yield* factsOn(actor, headRepositoryId), protections)
  const rules = { branches: protections, tags: [], defaultBranch: repository.defaultBranch }
  const change = { ref: branchRef(headBranch), before: headSha, after: undefined }
  return evaluateRefChange(rules, who, change, emptyChangeFacts).allowed
})

const mergeDetails = ({ id, number, title }: Issue, style: string) => ({
  pull: number,
  style,
  ...activityDetails("repo.pulls", { issueId: id }, title)
})

const eventOfMerge = Effect.fnUntraced(function* (
  { resource: { actor, issue, repository } }: MergeProof,
  style: string
) {
  const details = mergeDetails(issue, style)
  return eventOf(actor, "pull.merge", { repository }, yield* now, { outcome: "done", refusedBy: null, details })
})

const planned = Effect.fnUntraced(function* (
  proof: MergeProof,
  pull: PullRequest,
  { deleteBranch, message, style, title }: MergeWish,
  target: Pick<MergePlan, "from" | "to" | "pushId">
) {
  const { issue, repository } = proof.resource
  const store = yield* mergePlans.store
  const row = {
    issueId: issue.id,
    repositoryId: repository.id,
    mergerId: signedInUser(proof.resource).id,
    style,
    title,
    message,
    deleteBranch,
    headSha: pull.headSha,
    ...target,
    event: yield* eventOfMerge(proof, style),
    createdAt: yield* now
  }
  return yield* store.insert(row).pipe(
    Effect.catchTag("Duplicate", () => Effect.fail(new MergePlanned())),
    Effect.catchTag("Missing", () => Effect.fail(new PullNotFound({ what: String(issue.number) })))
  )
})

/** Schedules a merge for the time when all requirements are met. */
const schedule = Effect.fnUntraced(function* (proof: MergeProof, pull: PullRequest, wish: MergeWish) {
  const { issue } = proof.resource
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* planned(proof, pull, wish, { from: null, to: null, pushId: null })
      yield* Effect.orDie(addTimelineEvent(issue, "pull_scheduled_merge", signedInUser(proof.resource).id))
    })
  )
  return "planned" as const
})

/** Records that a pull request was merged with git outside of this service, by a given commit of the base branch. */
const mergedByHand = Effect.fnUntraced(function* (proof: MergeProof, pull: PullRequest, commit: string | undefined) {
  const { issue, repository } = proof.resource
  const tip = yield* refCommit(repository.id, branchRef(pull.baseBranch))
  const found = commit !== undefined && isObjectId(commit) ? commit : undefined
  const [known] = found === undefined ? [] : yield* (yield* GitReader).commits(repository.id, [found])
  if (tip === undefined || known === undefined) return yield* new NotMergeable({ because: "not-in-base" })
  const between = yield* (yield* GitReader).divergence(repository.id, tip, known.id)
  if (between?.ahead !== 0) return yield* new NotMergeable({ because: "not-in-base" })
  const record = audited(
    Effect.fnUntraced(function* (of: MergeProof) {
      const locked = yield* (yield* pulls.store).lock({ repositoryId: repository.id }, pull.id)
      if (locked === undefined || locked.merged) return yield* new PullIsMerged()
      if (!locked.open) return yield* new PullIsClosed()
      if (locked.baseBranch !== pull.baseBranch) return yield* new BranchMoved()
      yield* recordMerge(locked, issue, known.id, signedInUser(of.resource).id)
    }),
    () => ({ details: mergeDetails(issue, "manually-merged") }),
    (proof) => issueAfter(proof.resource.issue)
  )
  yield* record(proof)
  return "merged" as const
})

const blockedBy = ({ blocks, rule }: MergeDecision) => new MergeBlocked({ rule: rule ?? "", blocks })

const mergeAttempt = Effect.fnUntraced(function* (proof: MergeProof, input: MergeInput) {
  const { facts, issue, repository } = proof.resource
  const merger = signedInUser(proof.resource)
  yield* refreshPull(issue.id)
  const pull = yield* present(proof.resource)
  if (input.head !== undefined && input.head !== pull.headSha) return yield* new BranchMoved()
  if (input.style === "manually-merged") return yield* mergedByHand(proof, pull, input.commit)
  const decision = yield* decideMerge(pull, merger.id, facts, input.force)
  if (!decision.allowed) {
    if (input.whenChecksSucceed && !decision.blocks.some((block) => block === "merger")) {
      return yield* schedule(proof, pull, input)
    }
    return yield* blockedBy(decision)
  }
  if (pull.check === "conflicts") return yield* new PullConflicts({ paths: pull.conflicts })
  if (pull.check === "contained") return yield* new NotMergeable({ because: "contained" })
  const deleteBranch = input.deleteBranch && (yield* mayDeleteHead(proof, pull))
  const wish: MergeWish = { style: input.style, title: input.title, message: input.message, deleteBranch }
  const event = yield* eventOfMerge(proof, input.style)
  const plan = { ...wish, id: 0, issueId: issue.id, repositoryId: repository.id, mergerId: merger.id, event }
  const merging = {
    issue,
    pull,
    repository,
    merger,
    plan: { ...plan, headSha: pull.headSha, from: null, to: null, pushId: null, createdAt: event.at }
  }
  const to = yield* Effect.mapError(prepareMerge(merging, input.style, pull.baseSha), (failure) =>
    failure._tag === "MergeConflict" || failure._tag === "MergeImpossible" ? refusalOf(failure) : failure
  )
  // Branch protections apply to merge commits as to pushes: a site without a signing key signs nothing.
  const written = yield* decideMerge(pull, merger.id, facts, input.force, to)
  if (!written.allowed) return yield* blockedBy(written)
  const ref = yield* pushCommits(repository.id, { ref: branchRef(pull.baseBranch), before: pull.baseSha, after: to })
  const job = yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* pulls.store
      const locked = yield* store.lock({ repositoryId: repository.id }, pull.id)
      if (locked === undefined || locked.merged) return yield* new PullIsMerged()
      if (!locked.open) return yield* new PullIsClosed()
      if (locked.headSha !== pull.headSha || locked.baseBranch !== pull.baseBranch) return yield* new BranchMoved()
      // While the commit was written, an approval may have been dismissed or the branch protected.
      if (!(yield* decideMerge(locked, merger.id, facts, input.force)).allowed) return undefined
      const pushId = yield* begin(repository.id, ref, event)
      yield* planned(proof, pull, wish, { from: pull.baseSha, to, pushId })
      return yield* addJob({ _tag: "FinishMerge", issueId: issue.id }, yield* JobLease)
    })
  )
  if (job === undefined) return undefined
  yield* Jobs.runNow(job)
  const after = yield* (yield* pulls.store).findBy("issue", { issueId: issue.id })
  return after?.merged === true ? ("merged" as const) : undefined
})

/**
 * Merges a pull request, or schedules the merge until its requirements are met.
 *
 * If the base branch changes during the merge, the requirements are checked again, and the merge is retried.
 */
export const merge = Effect.fnUntraced(function* (proof: MergeProof, input: MergeInput) {
  const { issue, repository } = proof.resource
  yield* present(proof.resource)
  if (isDraft(issue.title)) return yield* new PullIsDraft()
  if (!allowsMerge(repository.preferences, input.style)) return yield* new MergeStyleRefused({ style: input.style })
  for (let attempt = 0; attempt < attempts; attempt++) {
    const outcome: MergeOutcome | undefined = yield* mergeAttempt(proof, input)
    if (outcome !== undefined) return outcome
  }
  return yield* new BranchMoved()
})

/** Cancels the scheduled merge of a pull request. */
export const cancel = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"pull.merge.cancel">) {
    const { issue } = resource
    const store = yield* mergePlans.store
    const plan = yield* store.findBy("issue", { issueId: issue.id })
    if (plan === undefined || plan.to !== null) return yield* new NoMergePlanned()
    yield* store.remove({ issueId: issue.id }, plan.id)
    yield* Effect.orDie(addTimelineEvent(issue, "pull_cancel_scheduled_merge", signedInUser(resource).id))
    return issue
  }),
  ({ number }) => ({ details: { pull: number } })
)

/** Returns whether a pull request is merged. */
export const isMerged = ({ resource: { pull } }: Proof<"pull.merge.check">): boolean => pull.merged
