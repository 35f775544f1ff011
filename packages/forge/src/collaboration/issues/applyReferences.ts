import { now, Transaction } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  GitReader,
  type ObjectId,
  type PushId,
  PushStore,
  type Repository,
  RepositoryStore,
  viewerOn
} from "@slipway/domain/forge/code"
import {
  type IssueId,
  type IssueState,
  IssueStore,
  issues,
  type NamedIssue,
  type PlacedIssue,
  pulls,
  type ReferenceAction,
  referencesIn,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import { asJob, asViewer, EffectiveAccessStore, pairFacts } from "@slipway/domain/forge/explanation"
import { mayChangeRepository, type User, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { recordConsequence } from "../../base/events/queueHookEvents.ts"
import { queueNotifications } from "../../base/events/queueNotifications.ts"
import { timelineEvent } from "./insert.ts"
import { factsOfIssue, partsOf } from "./views.ts"

/** The maximum number of commits of a push that are searched for references to issues, the newest ones first. */
const mostCommits = 250
/** The maximum number of references from one push that are stored; each pair of an issue and a commit counts once. */
const mostReferred = 1_000

/**
 * A reference to an issue, with the commit that contains it. The commit is undefined for a reference in the description
 * of a merged pull request.
 */
interface Referral extends NamedIssue {
  readonly commit: ObjectId | undefined
  readonly action: ReferenceAction
}

/** Returns the references to issues in a text, such as `closes #7`. */
const referralsIn = ({ name, owner }: Repository, text: string, commit: ObjectId | undefined) =>
  referencesIn(text).flatMap((each): ReadonlyArray<Referral> => {
    if (each.kind !== "issue") return []
    const [where = owner.name, which = name] = each.repository?.split("/") ?? []
    return [{ owner: where, name: which, index: each.index, commit, action: each.intent ?? "none" }]
  })

/** Reads the references to issues in the commits of a push to the default branch, oldest first. */
const referralsOf = Effect.fnUntraced(function* (
  repository: Repository,
  { after, before }: { readonly after: string; readonly before: string | null }
) {
  const reader = yield* GitReader
  const history = { from: [after as ObjectId], not: before === null ? [] : [before as ObjectId] }
  const ids = yield* reader.log(repository.id, history, { skip: 0, limit: mostCommits })
  const commits = yield* reader.commits(repository.id, ids)
  return commits
    .toReversed()
    .flatMap((commit) => (commit === undefined ? [] : referralsIn(repository, commit.message, commit.id)))
    .slice(0, mostReferred)
})

const isMeant =
  ({ issue, repository }: PlacedIssue) =>
  ({ index, name, owner }: Referral) =>
    index === issue.number &&
    name.toLowerCase() === repository.name.toLowerCase() &&
    owner.toLowerCase() === repository.owner.toLowerCase()

const states: Readonly<Record<Exclude<ReferenceAction, "none">, IssueState>> = { closes: "closed", reopens: "open" }

/**
 * Adds references to the timelines of issues, and closes or reopens issues by keyword, with the permissions of a user.
 *
 * A reference is added only if the user may read the issue; a keyword works only if the user may edit the issue. An
 * actions job has the permissions of its token, in its own repository.
 */
const apply = Effect.fnUntraced(function* (repository: Repository, pusher: User, referrals: ReadonlyArray<Referral>) {
  if (referrals.length === 0) return
  const store = yield* IssueStore
  const { switches } = yield* SiteSettings
  const viewer = pusher.system ? asJob(pusher, repository.id) : asViewer(pusher)
  const found = (yield* store.named(yield* viewerOn(viewer), referrals)).filter((placed) =>
    mayChangeRepository(viewer, placed.repository.id)
  )
  const repositories = [...new Set(found.map((each) => each.repository.id))]
  const pairs = yield* (yield* EffectiveAccessStore).find(
    repositories.map((each) => ({ user: pusher.id, repository: each }))
  )
  const facts = new Map(pairs.map((pair) => [pair.repository.id, pairFacts(switches, pair, viewer)]))
  const mayChange = ({ issue, repository: where }: PlacedIssue) => {
    const held = facts.get(where.id)
    const about = { pull: issue.pull, author: issue.authorId === pusher.id }
    return !issue.pull && held !== undefined && allows("issue.edit", factsOfIssue(held, about))
  }
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      // Two workers may run the job concurrently: the second waits here and then sees the events of the first.
      if ((yield* (yield* RepositoryStore).lock(repository.id)) === undefined) return
      const events = yield* timelineEvents.store
      const ids = found.map(({ issue }) => issue.id)
      const known = yield* events.listFor("issueId", ids, mostReferred, { filter: { type: "commit_ref" } })
      const at = yield* now
      const newReferrals = found.flatMap((placed) => {
        const commits = new Set((known.get(placed.issue.id) ?? []).map(({ details }) => details.commit))
        return referrals
          .filter((each) => isMeant(placed)(each) && (each.commit === undefined || !commits.has(each.commit)))
          .map((referral) => ({ placed, referral }))
      })
      const last = new Map(
        newReferrals.flatMap(({ placed, referral: { action } }) =>
          action === "none" || !mayChange(placed) ? [] : [[placed.issue.id, states[action]] as const]
        )
      )
      const to = (state: IssueState): ReadonlyArray<IssueId> =>
        [...last].filter(([, wanted]) => wanted === state).map(([issue]) => issue)
      const closed = yield* store.setState(to("closed"), "closed", at)
      const opened = yield* store.setState(to("open"), "open", at)
      yield* Effect.orDie(
        events.insertMany([
          ...newReferrals.flatMap(({ placed, referral: { action, commit } }) =>
            commit === undefined
              ? []
              : timelineEvent(placed.issue, "commit_ref", pusher.id, at, {
                  sourceRepositoryId: repository.id,
                  sourceUnit: "repo.code",
                  details: { commit, refAction: action }
                })
          ),
          ...closed.map((issue) => timelineEvent({ id: issue }, "close", pusher.id, at)),
          ...opened.map((issue) => timelineEvent({ id: issue }, "reopen", pusher.id, at))
        ])
      )
      const newsOf = (what: "closed" | "reopened", ids: ReadonlyArray<IssueId>) =>
        found.flatMap(({ issue: { id: issueId, repositoryId } }) =>
          ids.includes(issueId)
            ? [{ repositoryId, issueId, what, commentId: null, audience: "followers" } as const]
            : []
        )
      yield* queueNotifications(pusher.id, [...newsOf("closed", closed), ...newsOf("reopened", opened)])
      const by = { id: pusher.id, name: pusher.name }
      const changed = new Set([...closed, ...opened])
      const details = yield* store.details([...changed])
      for (const { issue } of found) {
        const where = pairs.find((pair) => pair.repository.id === issue.repositoryId)?.repository
        if (where === undefined || !changed.has(issue.id)) continue
        const state = last.get(issue.id) ?? issue.state
        const after = { ...issue, state, closedAt: state === "closed" ? at : null, updatedAt: at }
        yield* recordConsequence(
          "issue.edit",
          where,
          by,
          { issue: issue.number, changed: "state", state },
          { issue },
          { issue: { issue: after, ...partsOf(details.get(issue.id)) } }
        )
      }
    })
  )
})

/**
 * Adds the commits of a push to the timelines of the issues that they refer to, and closes or reopens issues by
 * keyword.
 *
 * Only commits that are pushed to the default branch count. Idempotent.
 */
export const applyPushReferences = Effect.fnUntraced(function* (id: PushId) {
  const push = yield* (yield* PushStore).find(id)
  const repository = push && (yield* (yield* RepositoryStore).find(push.repositoryId))
  const landed = push?.refs.find(({ ref }) => ref === `refs/heads/${repository?.defaultBranch}`)
  const pusher = push?.event.actor && (yield* (yield* UserStore).find(push.event.actor.id))
  if (repository === undefined || !pusher || landed === undefined || landed.after === null) return
  // If resources are exhausted, the job fails and is retried.
  const referrals = yield* Effect.orDie(referralsOf(repository, { after: landed.after, before: landed.before }))
  yield* apply(repository, pusher, referrals)
})

/**
 * Closes or reopens the issues that the title and description of a merged pull request refer to by keyword.
 *
 * The permissions of the user who merged it apply, or those of the author if that user is unknown. It has an effect
 * only if the pull request was merged into the default branch.
 */
export const applyPullReferences = Effect.fnUntraced(function* (issueId: IssueId) {
  const pull = yield* (yield* pulls.store).findBy("issue", { issueId })
  const repository = pull && (yield* (yield* RepositoryStore).find(pull.repositoryId))
  const issue = pull && (yield* (yield* issues.store).find({ repositoryId: pull.repositoryId }, issueId))
  if (repository === undefined || issue === undefined || pull?.merged !== true) return
  if (pull.baseBranch !== repository.defaultBranch) return
  const merger = yield* (yield* UserStore).find(pull.mergerId ?? issue.authorId)
  if (merger === undefined) return
  const referrals = referralsIn(repository, `${issue.title}\n\n${issue.body}`, undefined)
  yield* apply(repository, merger, referrals.slice(0, mostReferred))
})
