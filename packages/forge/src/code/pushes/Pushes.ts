import { now, Transaction } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import type { Job } from "@slipway/domain/forge/background"
import { JobLease } from "@slipway/domain/forge/background"
import {
  BranchName,
  type ChangeContents,
  CommitSignatures,
  contentsNeeded,
  decideRefChange,
  emptyChangeFacts,
  type GitId,
  GitRepositories,
  mostRecordedCommits,
  type ProposedPush,
  ProtectionStore,
  type Push,
  type PushedRef,
  type PushId,
  PushLimits,
  PushStore,
  type PushVerdict,
  type RefChange,
  type RefChanger,
  type RefRules,
  RepositoryStore,
  readPatterns,
  refusalText,
  requiresSignatures,
  wikiOf
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { EventStore } from "@slipway/domain/forge/events"
import type { Details, NewEvent } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { hookDataOf } from "../../base/events/queueHookEvents.ts"
import { eventOf } from "../../base/events/record.ts"
import { addJob, addJobs } from "../../base/jobs/addJob.ts"
import { Subscribers } from "../../base/subscribers/Subscribers.ts"
import { usualBranch } from "../repositories/creation.ts"

/** The number of refs of one push for which the new commits are recorded. */
export const reportedRefs = 20
const heads = "refs/heads/"

/** The actions that change refs of a wiki repository. Wikis have no branch protections. */
export type WikiPushAction =
  | "git.wiki.push"
  | "repository.wiki.page.create"
  | "repository.wiki.page.delete"
  | "repository.wiki.page.edit"

/** All actions that change refs. Each is decided by the same rules and recorded in the same way as a push. */
export type PushAction =
  | "git.push"
  | WikiPushAction
  | "repository.branch.create"
  | "repository.branch.delete"
  | "repository.branch.move"
  | "repository.branch.rename"
  | "repository.contents.change"
  | "repository.contents.create"
  | "repository.contents.delete"
  | "repository.contents.edit"
  | "repository.merge-upstream"
  | "repository.patch.apply"
  | "repository.release.create"
  | "repository.release.edit"
  | "repository.tag.create"
  | "repository.tag.delete"

type PushProof = Proof<PushAction>

const isOfWiki = (action: string): boolean => action.includes(".wiki.")

/** Returns the git repository that an action changes: that of the repository, or that of its wiki. */
export const gitOf = ({
  action,
  resource: { repository }
}: Proof<PushAction> | Proof<"git.fetch"> | Proof<"git.wiki.fetch"> | Proof<"pull.create">): GitId =>
  isOfWiki(action) ? wikiOf(repository.id) : repository.id

/**
 * Reads the branch and tag protections of a repository, and the actor's identity by which their allow lists are
 * checked.
 */
export const rulesOf = Effect.fnUntraced(function* ({
  resource: { actor, facts, lent, repository }
}: Proof<PushAction | "repository.branch.list" | "repository.branch.read">) {
  const store = yield* ProtectionStore
  const branches = yield* readPatterns(yield* store.branches(repository.id))
  const tags = yield* readPatterns(yield* store.tags(repository.id))
  const named = [
    ...branches.flatMap(({ approvals, forcePush, merge, push }) =>
      [approvals, forcePush, merge, push].flatMap(({ allowed }) => allowed.teams)
    ),
    ...tags.flatMap(({ allowed }) => allowed.teams)
  ]
  const teams = actor.userId === undefined || named.length === 0 ? [] : [...new Set(named)]
  const who: RefChanger = {
    userId: actor.userId,
    teams: actor.userId === undefined ? [] : yield* store.teamsAmong(actor.userId, teams),
    deployKey: actor.key?.holder.kind === "repository",
    administers: allows("repository.edit", facts),
    lent
  }
  return { rules: { branches, tags, defaultBranch: repository.defaultBranch } satisfies RefRules, who }
})

const contentsOf = Effect.fnUntraced(function* (rules: RefRules, change: RefChange, { objects }: ProposedPush) {
  const needed = contentsNeeded(rules, change)
  const signatures = yield* CommitSignatures
  return {
    forced: needed.forced ? yield* objects.forced(change) : undefined,
    files: needed.files ? yield* objects.files(change) : undefined,
    unsigned: needed.signatures
      ? yield* objects.unsigned(change, {
          isValid: signatures.count,
          isRequiredOn: (branch) => requiresSignatures(rules, branch)
        })
      : undefined
  } satisfies ChangeContents
})

const mebibytes = (bytes: number): string => `${Math.round((bytes / 1024 ** 2) * 10) / 10} MiB`

/** Returns the protections for an action. For a wiki, the only rule is that its default branch cannot be deleted. */
const rulesFor = Effect.fnUntraced(function* (proof: PushProof) {
  if (!isOfWiki(proof.action)) return yield* rulesOf(proof)
  const defaultBranch = (yield* (yield* GitRepositories).defaultBranch(gitOf(proof))) ?? ""
  const who: RefChanger = { userId: proof.resource.actor.userId, teams: [], deployKey: false, administers: false }
  return { rules: { branches: [], tags: [], defaultBranch } satisfies RefRules, who }
})

/** Returns the error message if a pushed object is larger than the limit for objects; otherwise undefined. */
export const tooLarge = Effect.fnUntraced(function* ({ objects }: ProposedPush) {
  const limit = (yield* PushLimits).object
  if (limit === undefined) return undefined
  const large = yield* objects.largerThan(limit)
  return large && `the object ${large.object} has ${mebibytes(large.size)}; the limit is ${mebibytes(limit)}`
})

/**
 * Returns the error message if a push would make the repository larger than its limit; otherwise undefined.
 *
 * Locks the repository until the current transaction ends, which must also begin the push. Pushes in progress are
 * included in the size, so concurrent pushes cannot exceed the limit together.
 */
export const noRoom = Effect.fnUntraced(function* (proof: PushProof | Proof<"pull.create">, brought: number) {
  const limit = (yield* PushLimits).repository
  if (limit === undefined) return undefined
  const { id } = proof.resource.repository
  yield* (yield* RepositoryStore).lock(id)
  const pending = yield* (yield* PushStore).pending(id)
  // The stored size is updated some time after a push.
  const size = (yield* (yield* GitRepositories).size(gitOf(proof))) * 1024 + pending + brought
  return size > limit ? `the repository would have ${mebibytes(size)}; the limit is ${mebibytes(limit)}` : undefined
})

/** Returns the record of a ref change. If `isTold`, it includes the number of new commits, and the newest ones. */
export const pushedRef = Effect.fnUntraced(function* (change: RefChange, { objects }: ProposedPush, isTold: boolean) {
  const { commits, count, forced } =
    isTold && change.ref.startsWith(heads)
      ? { ...(yield* objects.commits(change, mostRecordedCommits)), forced: yield* objects.forced(change) }
      : { commits: [], count: 0, forced: false }
  return {
    ref: change.ref,
    before: change.before ?? null,
    after: change.after ?? null,
    forced,
    commits,
    commitCount: count
  } satisfies PushedRef
})

/** A push that was allowed and begun, with the job that determines its result if this process crashes. */
export interface AllowedPush {
  readonly push: Push
  readonly job: Job
}

/** The decision on a push. `begun` is the record of the allowed part; undefined if all refs were refused. */
export interface DecidedPush {
  readonly verdict: PushVerdict
  readonly begun: AllowedPush | undefined
}

/**
 * Decides each ref change of a push by the branch or tag protections. Returns the records of the allowed ref changes,
 * and the messages for the refused ones.
 */
export const decideRefs = Effect.fnUntraced(function* (
  proof: PushProof,
  proposed: ProposedPush,
  defaultBranch?: string
) {
  const { rules: present, who } = yield* rulesFor(proof)
  const rules = defaultBranch === undefined ? present : { ...present, defaultBranch }
  const refused = new Set<string>()
  const messages: Array<string> = []
  const allowed: Array<RefChange> = []
  for (const change of proposed.changes) {
    yield* Effect.yieldNow
    // Checks that need no reading come first: a refused name costs nothing.
    const contents = yield* contentsOf(rules, change, proposed)
    const decision = yield* decideRefChange(rules, who, change, { ...emptyChangeFacts, ...contents })
    if (decision.allowed) allowed.push(change)
    else {
      refused.add(change.ref)
      messages.push(refusalText(decision))
    }
  }
  const refs = yield* Effect.forEach(allowed, (change, at) => pushedRef(change, proposed, at < reportedRefs))
  return { refs, verdict: { refused, messages } satisfies PushVerdict }
})

/**
 * Decides a push, ref by ref, by the branch and tag protections (invariant I18).
 *
 * Allowed changes are recorded before git applies them, with a job that later records the event. So even after a crash,
 * each change has an event, and each event a change.
 */
export const decide = Effect.fnUntraced(function* (
  proof: PushProof,
  proposed: ProposedPush,
  defaultBranch?: string,
  details: Details = {}
) {
  const { actor, repository } = proof.resource
  const refusal = (why: string): DecidedPush => ({
    verdict: { refused: new Set(proposed.changes.map(({ ref }) => ref)), messages: [why] },
    begun: undefined
  })
  // Both read all pushed objects, so they run concurrently.
  const [large, { refs, verdict }] = yield* Effect.all(
    [tooLarge(proposed), decideRefs(proof, proposed, defaultBranch)],
    {
      concurrency: 2
    }
  )
  if (large !== undefined) return refusal(large)
  if (refs.length === 0) return { verdict, begun: undefined } satisfies DecidedPush
  const at = yield* now
  const action = isOfWiki(proof.action) ? "git.wiki.push" : "git.push"
  const event = eventOf(actor, action, { repository }, at, { outcome: "done", refusedBy: null, details })
  const size = yield* proposed.objects.size
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const full = yield* noRoom(proof, size)
      if (full !== undefined) return refusal(full)
      const push = yield* (yield* PushStore).begin({ repositoryId: repository.id, at, refs, size, event })
      const job = yield* addJob({ _tag: "SettlePush", pushId: push.id }, yield* JobLease)
      return { verdict, begun: { push, job } } satisfies DecidedPush
    })
  )
})

/**
 * Returns the refs of a push that git has changed: each ref that is at its new commit, or from which a later push
 * started.
 */
const changedOf = Effect.fnUntraced(function* ({ id, refs }: Push, git: GitId) {
  const present = yield* (yield* GitRepositories).refs(
    git,
    refs.map(({ ref }) => ref)
  )
  const followed = new Set(yield* (yield* PushStore).followed(id))
  return refs.filter(({ after, ref }) => (present.get(ref) ?? null) === after || followed.has(ref))
})

/** The maximum number of commits that the event of a push contains. */
const mostListed = 5
const longestListed = 200

const shortened = (text: string): string => text.slice(0, longestListed).toWellFormed()

/**
 * Returns the newest commits of a push as JSON, to store them in its event. So activity feeds show them even if the
 * branch changes later.
 */
const listedCommits = ({ commits }: PushedRef): string =>
  JSON.stringify(
    commits.slice(0, mostListed).map(({ at, author, email, id, subject }) => ({
      id,
      at,
      subject: shortened(subject),
      author: shortened(author),
      email: shortened(email)
    }))
  )

const detailsOf = ({ event, id }: Push, changed: ReadonlyArray<PushedRef>, first: PushedRef): Details => ({
  ...event.details,
  push: id,
  ref: first.ref,
  before: first.before,
  after: first.after,
  forced: first.forced,
  refs: changed.length,
  commits: changed.reduce((sum, { commitCount }) => sum + commitCount, 0),
  listed: listedCommits(first)
})

const branchesOf = (refs: ReadonlyArray<PushedRef>): ReadonlyArray<string> =>
  refs.flatMap(({ after, ref }) => (after !== null && ref.startsWith(heads) ? [ref.slice(heads.length)] : []))

/**
 * Returns the new default branch after the first push to an empty repository: the current one if it was pushed,
 * otherwise a pushed branch.
 */
const firstBranch = (present: string, pushed: ReadonlyArray<string>): string =>
  [present, "main", "master"].find((name) => pushed.includes(name)) ?? pushed[0] ?? present

/** Completes the record of a push to a wiki. The first branch of an empty wiki becomes its default branch. */
const settleWiki = Effect.fnUntraced(function* (push: Push) {
  const git = yield* GitRepositories
  const wiki = wikiOf(push.repositoryId)
  const changed = yield* changedOf(push, wiki)
  const present = (yield* git.defaultBranch(wiki)) ?? usualBranch
  const branches = (yield* git.branches(wiki)).map(({ name }) => name)
  if (branches.length > 0 && !branches.includes(present)) {
    yield* git.setDefaultBranch(wiki, BranchName.make(firstBranch(present, branches)))
  }
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const repository = yield* (yield* RepositoryStore).lock(push.repositoryId)
      const isFirst = yield* (yield* PushStore).settle(
        push.id,
        changed.map(({ ref }) => ref)
      )
      const [first] = changed
      if (!isFirst || repository === undefined || first === undefined) return
      const happened: NewEvent = { ...push.event, details: detailsOf(push, changed, first) }
      yield* (yield* EventStore).append(happened, hookDataOf(happened, repository))
    })
  )
})

/** Completes the record of a push: finds out which refs git has changed, and records the event. Idempotent. */
export const settle = Effect.fnUntraced(function* (id: PushId) {
  const store = yield* PushStore
  const push = yield* store.find(id)
  if (push === undefined || push.settled) return
  if (push.event.action === "git.wiki.push") return yield* settleWiki(push)
  const changed = yield* changedOf(push, push.repositoryId)
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const repositories = yield* RepositoryStore
      const repository = yield* repositories.lock(push.repositoryId)
      const isFirst = yield* store.settle(
        id,
        changed.map(({ ref }) => ref)
      )
      const [first] = changed
      if (!isFirst || repository === undefined || first === undefined) return
      const branches = branchesOf(changed)
      const begins = repository.empty && branches.length > 0
      const defaultBranch = begins ? firstBranch(repository.defaultBranch, branches) : repository.defaultBranch
      const pushedTo = { ...repository, defaultBranch, empty: repository.empty && !begins, updatedAt: yield* now }
      yield* repositories.replace(pushedTo)
      const happened: NewEvent = { ...push.event, details: detailsOf(push, changed, first) }
      yield* (yield* EventStore).append(happened, hookDataOf(happened, pushedTo))
      if (defaultBranch !== repository.defaultBranch) {
        yield* addJob({ _tag: "PointHead", repositoryId: repository.id })
      }
      yield* (yield* Subscribers).pushed({
        repositoryId: repository.id,
        actor: push.event.actor,
        details: push.event.details,
        changed
      })
      const pushed = changed.filter(({ ref }) => ref.startsWith(heads)).map(({ ref }) => ref.slice(heads.length))
      if (pushed.includes(defaultBranch)) yield* (yield* Subscribers).defaultBranchMoved(repository.id)
      yield* addJobs([
        ...pushed.map((branch) => ({ _tag: "RefreshPulls" as const, repositoryId: repository.id, branch })),
        { _tag: "MeasureGit", repositoryId: repository.id },
        ...(branches.includes(defaultBranch) ? [{ _tag: "LandCommits" as const, pushId: id }] : [])
      ])
    })
  )
})
