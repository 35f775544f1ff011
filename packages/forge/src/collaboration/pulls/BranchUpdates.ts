import { now, Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import { branchRef, evaluateRefChange, ProtectionStore, RepositoryStore, refusalText } from "@slipway/domain/forge/code"
import { HeadNotYours, PullIsClosed, PullNotFound, type PullRequest, pulls } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import { eventOf, record } from "../../base/events/record.ts"
import { joinCommits } from "../../code/commits/mergeCommits.ts"
import { factsOn, identOf } from "../../code/commits/mergePeople.ts"
import { refCommit, withCommitsOf } from "../../code/git/branches.ts"
import { change } from "../../code/pushes/decidedChange.ts"
import { BranchMoved, NotMergeable, PullConflicts } from "./Merges.ts"
import { mayPushToBranch } from "./maintainerEdits.ts"
import { refreshPull } from "./refresh.ts"
import { changerOf } from "./rules.ts"

/** Reports that the head branch of a pull request cannot be updated from its base, with the reason. */
export class HeadProtected extends Schema.TaggedError<HeadProtected>()("HeadProtected", { text: Schema.String }) {}
/** Reports that the repository does not allow updating the head of a pull request by rebase. */
export class RebaseRefused extends Schema.TaggedError<RebaseRefused>()("RebaseRefused", {}) {}

/**
 * Returns the message with which a branch protection refuses an update of the head branch; undefined if it is allowed.
 */
const refusal = Effect.fnUntraced(function* (
  { actor }: Pick<Proof<"pull.update">["resource"], "actor">,
  { headBranch, headRepositoryId, headSha }: PullRequest,
  after: string,
  forced: boolean
) {
  if (headRepositoryId === null || actor.userId === undefined) return "the head is gone"
  const head = yield* (yield* RepositoryStore).find(headRepositoryId)
  if (head === undefined) return "the head is gone"
  const branches = yield* (yield* ProtectionStore).branches(headRepositoryId)
  const facts = yield* factsOn(actor, headRepositoryId)
  const who = yield* changerOf(actor.userId, facts, branches)
  const decision = evaluateRefChange(
    { branches, tags: [], defaultBranch: head.defaultBranch },
    who,
    { ref: branchRef(headBranch), before: headSha, after },
    { forced, files: undefined, unsigned: undefined }
  )
  return decision.allowed ? undefined : refusalText(decision)
})

type UpdateStyle = "merge" | "rebase"

/** Merges or rebases head and base of a pull request in the head repository, and moves the head branch. */
const join = Effect.fnUntraced(function* (
  { actor }: Proof<"pull.update">["resource"],
  pull: PullRequest,
  home: RepositoryId,
  style: UpdateStyle
) {
  const { host } = yield* SiteSettings
  const who = identOf(signedInUser({ actor }), host, yield* now)
  const message = `Merge branch '${pull.baseBranch}' into ${pull.headBranch}\n`
  const shared = { repository: home, committer: who, author: who, message }
  const sides =
    style === "merge" ? { base: pull.headSha, head: pull.baseSha } : { base: pull.baseSha, head: pull.headSha }
  const to = yield* joinCommits(style, { ...shared, ...sides }).pipe(
    Effect.catchTag("MergeConflict", ({ paths }) => Effect.fail(new PullConflicts({ paths }))),
    Effect.catchTag("MergeImpossible", ({ because }) => Effect.fail(new NotMergeable({ because })))
  )
  const refused = yield* refusal({ actor }, pull, to, style === "rebase")
  if (refused !== undefined) return yield* new HeadProtected({ text: refused })
  const present = yield* refCommit(home, branchRef(pull.headBranch))
  if (present !== pull.headSha) return yield* new BranchMoved()
  const head = yield* (yield* RepositoryStore).find(home)
  const done = eventOf(actor, "pull.update", { repository: head }, yield* now, {
    outcome: "done",
    refusedBy: null,
    details: {}
  })
  const decided = { ref: branchRef(pull.headBranch), before: pull.headSha, after: to }
  yield* Effect.mapError(change(home, decided, done), () => new BranchMoved())
})

const updated = Effect.fnUntraced(function* ({ resource }: Proof<"pull.update">, style: UpdateStyle) {
  const { issue, repository } = resource
  yield* refreshPull(issue.id)
  const pull = yield* (yield* pulls.store).findBy("issue", { issueId: issue.id })
  if (pull === undefined) return yield* new PullNotFound({ what: String(issue.number) })
  if (!pull.open) return yield* new PullIsClosed()
  if (pull.headRepositoryId === null) return yield* new HeadNotYours()
  if (!(yield* mayPushToBranch(resource.actor, pull.headRepositoryId, pull.headBranch))) {
    return yield* new HeadNotYours()
  }
  if (style === "rebase" && !repository.preferences.allow_rebase_update) return yield* new RebaseRefused()
  if (pull.behind === 0) return issue
  const home = pull.headRepositoryId
  const base = { repository: repository.id, branch: pull.baseBranch, commit: pull.baseSha }
  yield* withCommitsOf(home, base, join(resource, pull, home, style))
  return issue
})

const recordedUpdate = Effect.fnUntraced(function* (proof: Proof<"pull.update">, style: UpdateStyle) {
  const issue = yield* updated(proof, style)
  yield* (yield* Transaction).run(record(proof, { details: { pull: issue.number, style } }))
  return issue
})

/** Updates the head branch of a pull request with the commits of the base branch, by merge or rebase. */
export const update = Effect.fnUntraced(function* (proof: Proof<"pull.update">, style: UpdateStyle) {
  const { id } = yield* recordedUpdate(proof, style)
  yield* refreshPull(id)
})
