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
import type { Actor, SeenUser, TeamInOrganization } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { teamsById } from "../../identity/teams/teamsById.ts"
import type { IssueView } from "../issues/views.ts"
import { type PeopleById, peopleOf, refOf, viewsOf } from "../issues/views.ts"
import { blocksOf } from "./rules.ts"

/** Of how many reviewers of a pull request who are asked is told. */
const mostAsked = 50

/** A pull request with all that an answer tells of it. */
export interface PullView {
  readonly view: IssueView
  readonly pull: PullRequest
  readonly base: RepositoryWithGrants
  /** Nothing where it is gone, or whoever looks doesn't see its code. */
  readonly head: RepositoryWithGrants | undefined
  readonly people: PeopleById
  readonly askedUsers: ReadonlyArray<SeenUser>
  readonly askedTeams: ReadonlyArray<TeamInOrganization>
  readonly reviewComments: number
  /** What the protection of the base branch still asks for. */
  readonly blocks: ReadonlyArray<MergeBlock>
  /** Whether its commits fit and nothing blocks it. */
  readonly mergeable: boolean
}

/** Reads the repositories of heads that lie elsewhere, as far as whoever looks reads their code. */
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

/** Reads what hangs on pull requests of a repository, in as many statements for many as for one. */
export const pullViews = Effect.fnUntraced(function* (
  { actor, ...base }: RepositoryWithGrants & { readonly actor: Actor },
  issues: ReadonlyArray<Issue>
) {
  if (issues.length === 0) return []
  const ids = issues.map(({ id }) => id)
  const found = yield* (yield* pulls.store).listFor("issueId", ids, 1)
  const rows = [...found.values()].flat()
  const repository = refOf(base.repository)
  const views = yield* viewsOf(
    actor,
    issues.map((issue) => ({ issue, repository }))
  )
  const asked = yield* (yield* reviews.store).listFor("issueId", ids, mostAsked, { filter: { state: "requested" } })
  const requests = [...asked.values()].flat()
  const comments = yield* (yield* reviewComments.store).counts("issueId", ids)
  const people = yield* peopleOf(
    actor,
    [...rows.map(({ mergerId }) => mergerId), ...requests.map(({ reviewerId }) => reviewerId)].flatMap((id) => id ?? [])
  )
  const teams = yield* teamsById(requests.flatMap(({ teamId }) => teamId ?? []))
  const heads = yield* headsOf(actor, base, rows)
  const blocks = yield* blocksOf(base.repository.id, rows)
  const requestsOf = (id: IssueId): ReadonlyArray<Review> => asked.get(id) ?? []
  return views.flatMap((view): ReadonlyArray<PullView> => {
    const { issue } = view
    const [pull] = found.get(issue.id) ?? []
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
