import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { MergeBlock, RepositoryWithGrants } from "@slipway/domain/forge/code"
import { RepositoryStore, repositoryFacts } from "@slipway/domain/forge/code"
import type { Issue, IssueId } from "@slipway/domain/forge/collaboration"
import {
  isDraft,
  type PullRequest,
  pulls,
  type Review,
  reviewComments,
  reviews
} from "@slipway/domain/forge/collaboration"
import type { IssueSnapshot } from "@slipway/domain/forge/events"
import type { Actor, SeenUser, TeamInOrganization } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { teamsById } from "../../identity/teams/teamsById.ts"
import type { IssueView } from "../issues/views.ts"
import { type PeopleById, peopleOf, refOf, viewOfSnapshot, viewsOf } from "../issues/views.ts"
import { blocksOf } from "./rules.ts"

/** The maximum number of requested reviewers of a pull request that a response contains. */
const mostShownReviewers = 50

/** A pull request with all data that a response contains. */
export interface PullView {
  readonly view: IssueView
  readonly pull: PullRequest
  readonly base: RepositoryWithGrants
  /** The head repository; undefined if it was deleted, or if the viewer may not read its code. */
  readonly head: RepositoryWithGrants | undefined
  readonly people: PeopleById
  readonly askedUsers: ReadonlyArray<SeenUser>
  readonly askedTeams: ReadonlyArray<TeamInOrganization>
  readonly reviewComments: number
  /** The requirements of the base branch's protection that are not met. */
  readonly blocks: ReadonlyArray<MergeBlock>
  /** Whether the pull request has no conflicts, and no branch protection blocks its merge. */
  readonly mergeable: boolean
}

/** Reads the head repositories that are not the base repository and that the viewer may read. */
const headsOf = Effect.fnUntraced(function* (
  actor: Actor,
  base: RepositoryWithGrants,
  all: ReadonlyArray<PullRequest>
) {
  const { switches } = yield* SiteSettings
  const other = new Set(all.flatMap(({ headRepositoryId: id }) => (id === null || id === base.repository.id ? [] : id)))
  const found =
    other.size === 0
      ? new Map<RepositoryId, RepositoryWithGrants>()
      : yield* (yield* RepositoryStore).heldOn(actor.userId, [...other])
  const seen = [...found].filter(([, held]) => allows("git.fetch", repositoryFacts(actor, switches, held)))
  return new Map([[base.repository.id, base], ...seen])
})

type In = RepositoryWithGrants & { readonly actor: Actor }

/**
 * Builds the response data of pull requests from loaded data. `requests` are the open review requests of each pull
 * request.
 */
const assembled = Effect.fnUntraced(function* (
  { actor, ...base }: In,
  views: ReadonlyArray<IssueView>,
  found: ReadonlyMap<IssueId, PullRequest>,
  requests: ReadonlyMap<IssueId, ReadonlyArray<Review>>
) {
  const rows = [...found.values()]
  const asked = [...requests.values()].flat()
  const comments = yield* (yield* reviewComments.store).counts(
    "issueId",
    views.map(({ issue }) => issue.id)
  )
  const people = yield* peopleOf(
    actor,
    [...rows.map(({ mergerId }) => mergerId), ...asked.map(({ reviewerId }) => reviewerId)].flatMap((id) => id ?? [])
  )
  const teams = yield* teamsById(asked.flatMap(({ teamId }) => teamId ?? []))
  const heads = yield* headsOf(actor, base, rows)
  const blocks = yield* blocksOf(base.repository.id, rows)
  const requestsOf = (id: IssueId): ReadonlyArray<Review> => requests.get(id) ?? []
  return views.flatMap((view): ReadonlyArray<PullView> => {
    const { issue } = view
    const pull = found.get(issue.id)
    if (pull === undefined) return []
    const missing = blocks.get(issue.id) ?? []
    return [
      {
        view,
        pull,
        base,
        head: pull.headRepositoryId === null ? undefined : heads.get(pull.headRepositoryId),
        people,
        askedUsers: requestsOf(issue.id).flatMap(({ reviewerId }) =>
          reviewerId === null ? [] : (people.get(reviewerId) ?? [])
        ),
        askedTeams: requestsOf(issue.id).flatMap(({ teamId }) => (teamId === null ? [] : (teams.get(teamId) ?? []))),
        reviewComments: comments.get(issue.id)?.reviewComments ?? 0,
        blocks: missing,
        mergeable: pull.open && pull.check === "fits" && missing.length === 0 && !isDraft(issue.title)
      }
    ]
  })
})

/** Builds the response data of a pull request from a snapshot; undefined if the snapshot is of an issue. */
export const pullViewOfSnapshot = Effect.fnUntraced(function* (resource: In, snapshot: IssueSnapshot) {
  const { issue, pull, requests = [] } = snapshot
  if (pull === undefined) return []
  const view = yield* viewOfSnapshot(resource.actor, refOf(resource.repository), snapshot)
  return yield* assembled(resource, [view], new Map([[issue.id, pull]]), new Map([[issue.id, requests]]))
})

/**
 * Reads the response data of pull requests of a repository. The number of queries does not depend on the number of pull
 * requests.
 */
export const pullViews = Effect.fnUntraced(function* (resource: In, issues: ReadonlyArray<Issue>) {
  if (issues.length === 0) return []
  const ids = issues.map(({ id }) => id)
  const found = yield* (yield* pulls.store).listFor("issueId", ids, 1)
  const rows = new Map(
    [...found].flatMap(([id, [pull]]) => (id === null || pull === undefined ? [] : [[id, pull] as const]))
  )
  const repository = refOf(resource.repository)
  const views = yield* viewsOf(
    resource.actor,
    issues.map((issue) => ({ issue, repository }))
  )
  const asked = yield* (yield* reviews.store).listFor("issueId", ids, mostShownReviewers, {
    filter: { state: "requested" }
  })
  const requests = new Map([...asked].flatMap(([id, each]) => (id === null ? [] : [[id, each] as const])))
  return yield* assembled(resource, views, rows, requests)
})
