import type { Page } from "@slipway/domain"
import type { IssueFacts, RepositoryFacts } from "@slipway/domain/forge/access"
import { allows } from "@slipway/domain/forge/access"
import type { Attachment, Repository } from "@slipway/domain/forge/code"
import type { Origin } from "@slipway/domain/forge/collaboration"
import {
  type CountedMilestone,
  type DetailsWithAssets,
  type IssueDetails,
  IssueStore,
  type LabelHome,
  type PlacedIssue,
  type RepositoryRef,
  type RepositoryScope
} from "@slipway/domain/forge/collaboration"
import type { Actor, SeenUser, UserId, Viewer } from "@slipway/domain/forge/identity"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The users that a response contains, by id; deleted users are missing. */
export type PeopleById = ReadonlyMap<UserId, SeenUser>

/** An issue or a pull request with all data that a response contains. */
export interface IssueView extends PlacedIssue {
  readonly details: IssueDetails
  readonly assets: ReadonlyArray<Attachment>
  readonly people: PeopleById
  /** The origin of the issue, if it was imported from another host. */
  readonly origin: Origin | undefined
}

/** The details of an issue that has no labels, assignees, milestone or comments. */
export const emptyDetails: IssueDetails = {
  labels: [],
  assigneeIds: [],
  milestone: undefined,
  comments: 0,
  merge: undefined,
  origin: undefined
}

/** Returns the details of an issue without its attachments, and the attachments. */
export const partsOf = (found: DetailsWithAssets | undefined): Pick<IssueView, "assets" | "details"> => {
  if (found === undefined) return { details: emptyDetails, assets: [] }
  const { assets, ...details } = found
  return { details, assets }
}

/** Reads users by id; each id is read once. */
export const peopleOf = Effect.fnUntraced(function* (viewer: Viewer, ids: ReadonlyArray<UserId>) {
  return yield* (yield* UserStore).findMany(viewer, [...new Set(ids)])
})

/**
 * Reads the data that responses show with issues and pull requests, with one query per type of data.
 *
 * `others` are ids of additional users that the response contains.
 */
export const viewsOf = Effect.fnUntraced(function* (
  viewer: Viewer,
  placed: ReadonlyArray<PlacedIssue>,
  others: ReadonlyArray<UserId> = []
) {
  if (placed.length === 0) return []
  const ids = placed.map(({ issue }) => issue.id)
  const details = yield* (yield* IssueStore).details(ids)
  const people = yield* peopleOf(viewer, [
    ...placed.map(({ issue }) => issue.authorId),
    ...[...details.values()].flatMap(({ assigneeIds }) => assigneeIds),
    ...others
  ])
  return placed.map((each): IssueView => {
    const found = partsOf(details.get(each.issue.id))
    return { ...each, ...found, people, origin: found.details.origin }
  })
})

/** Builds the response data of an issue from a snapshot. Only the users are read from the database. */
export const viewOfSnapshot = Effect.fnUntraced(function* (
  viewer: Viewer,
  repository: RepositoryRef,
  { assets, details, issue }: Pick<IssueView, "assets" | "details" | "issue">
) {
  const people = yield* peopleOf(viewer, [issue.authorId, ...details.assigneeIds])
  return { issue, repository, details, assets, people, origin: details.origin } satisfies IssueView
})

/**
 * Reads the response data of a new issue. With `isPlain`, the issue has no labels or assignees, so they are not read.
 */
export const viewOfNew = Effect.fnUntraced(function* (viewer: Viewer, placed: PlacedIssue, isPlain: boolean) {
  const { issue } = placed
  const known = isPlain ? undefined : (yield* (yield* IssueStore).details([issue.id])).get(issue.id)
  const { assets, details } = partsOf(known)
  const people = yield* peopleOf(viewer, [issue.authorId, ...details.assigneeIds])
  const view: IssueView = { ...placed, people, details, assets, origin: undefined }
  return view
})

/** Reads the response data of one issue or pull request. */
export const viewOf = (viewer: Viewer, placed: PlacedIssue) =>
  Effect.map(viewsOf(viewer, [placed]), ([view]) => view as IssueView)

/** Reads the response data of a page of issues. */
export const viewerPage = Effect.fnUntraced(function* (viewer: Viewer, found: Page<PlacedIssue>) {
  return { ...found, rows: yield* viewsOf(viewer, found.rows) }
})

/** Returns the id and the names that identify a repository. */
export const refOf = ({ id, name, owner }: Repository): RepositoryRef => ({ id, name, owner: owner.name })

/** Returns the repository and the organization from which labels can be used for the repository's issues. */
export const labelHomeOf = ({ id, owner }: Repository): LabelHome => ({
  repositoryId: id,
  organizationId: owner.kind === "organization" ? owner.id : null
})

/** Returns the facts for access decisions about an issue in a repository. */
export const factsOfIssue = (
  facts: RepositoryFacts,
  issue: { readonly pull: boolean; readonly author?: boolean; readonly locked?: boolean }
): IssueFacts => ({ author: false, locked: false, ...facts, ...issue, found: true }) as IssueFacts

/**
 * Returns whether the actor may read the issues, and the pull requests, of a repository. It applies the same rule as to
 * reading a single issue.
 */
export const readableIn = (repository: Pick<Repository, "id">, facts: RepositoryFacts): RepositoryScope => ({
  repositoryId: repository.id,
  issues: allows("issue.read", factsOfIssue(facts, { pull: false })),
  pulls: allows("issue.read", factsOfIssue(facts, { pull: true }))
})

/** Whether a caller may read the issues, and the pull requests, of a repository. */
export type ReadKinds = Pick<RepositoryScope, "issues" | "pulls">

/**
 * Returns the numbers of open and closed items of a milestone. Issues and pull requests count only if the caller may
 * read them.
 */
export const countsOf = (milestone: CountedMilestone, { issues, pulls }: ReadKinds) => ({
  open: (issues ? milestone.issuesOpen : 0) + (pulls ? milestone.pullsOpen : 0),
  closed: (issues ? milestone.issuesClosed : 0) + (pulls ? milestone.pullsClosed : 0)
})

/** Returns the id of the actor as the author of new content. The action must require sign-in. */
export const authorOf = ({ user }: Actor): UserId => {
  if (user === undefined) throw new Error("an action that needs a sign-in was allowed without one")
  return user.id
}
