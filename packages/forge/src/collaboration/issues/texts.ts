import { now } from "@slipway/domain"
import type { Repository } from "@slipway/domain/forge/code"
import { viewerOn } from "@slipway/domain/forge/code"
import {
  type Comment,
  contentRevisions,
  type Issue,
  IssueStore,
  mentions,
  type Reference,
  referencesIn,
  type SourceUnit,
  StaleContent,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import type { Actor, UserId, Viewer } from "@slipway/domain/forge/identity"
import { mayChangeRepository, TeamStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { timelineEvent } from "./insert.ts"
import { authorOf } from "./views.ts"

/** The maximum number of users that one text can mention through their teams. */
const mostMembers = 1_000

/** The maximum number of timeline entries that the texts of one issue or pull request can add to other issues. */
const mostTraces = 10_000

/** Returns the unit (the feature with separate permissions) that an issue or a pull request belongs to. */
export const unitOf = ({ pull }: Pick<Issue, "pull">): SourceUnit => (pull ? "repo.pulls" : "repo.issues")

/**
 * Finds the teams that a text mentions. Only teams of the repository's organization that its author sees are found.
 *
 * A mention of a team that the author does not see stays plain text, because the notifications would disclose its
 * members.
 */
const teamsNamed = Effect.fnUntraced(function* (
  actor: Viewer,
  { owner }: Repository,
  references: ReadonlyArray<Reference>
) {
  if (owner.kind !== "organization") return []
  const home = owner.name.toLowerCase()
  const names = references.flatMap((each) =>
    each.kind === "team" && each.organization.toLowerCase() === home ? [each.team] : []
  )
  if (names.length === 0) return []
  const page = { page: 1, perPage: names.length }
  return (yield* (yield* TeamStore).list(actor, owner.id, { names }, page)).rows.map(({ id }) => id)
})

/** Finds the users that references mention by name, or through a team that the author sees. */
const peopleNamed = Effect.fnUntraced(function* (
  author: Viewer,
  repository: Repository,
  references: ReadonlyArray<Reference>
) {
  const names = references.flatMap((each) => (each.kind === "user" ? [each.name] : []))
  const teams = yield* teamsNamed(author, repository, references)
  const members = teams.length === 0 ? [] : yield* (yield* TeamStore).memberIds(teams, mostMembers)
  const people = names.length === 0 ? [] : (yield* (yield* IssueStore).usersNamed(names)).values()
  return new Set<UserId>([...people, ...members])
})

/** Finds the users that a text mentions by name, or through a team that its author sees. */
export const namedIn = (author: Viewer, repository: Repository, text: string) =>
  peopleNamed(author, repository, referencesIn(text))

/**
 * Stores the mentions and references of a text: mentioned users, and timeline entries on the issues that it refers to.
 *
 * A timeline entry is added only if the author may read the other issue; it is shown only to readers of this issue.
 * After an edit, references that the text already had add no second entry.
 */
export const trace = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  issue: Issue,
  text: string,
  comment?: Comment
) {
  const references = referencesIn(text)
  if (references.length === 0) return
  const store = yield* IssueStore
  const author = authorOf(actor)
  const at = yield* now
  const named = yield* peopleNamed(actor, repository, references)
  if (named.size > 0) {
    const users = yield* mentions.store
    const known = (yield* users.listFor("issueId", [issue.id], mostTraces)).get(issue.id) ?? []
    for (const { userId } of known) named.delete(userId)
    // A writer locks the issue's row, so that no concurrent request mentions the same user.
    yield* Effect.orDie(users.insertMany([...named].map((userId) => ({ issueId: issue.id, userId }))))
  }
  const issues = references.flatMap((each) => {
    if (each.kind !== "issue") return []
    const [owner = repository.owner.name, name = repository.name] = each.repository?.split("/") ?? []
    return [{ owner, name, index: each.index, pull: each.pull, intent: each.intent }]
  })
  if (issues.length === 0) return
  const found = (yield* store.named(yield* viewerOn(actor), issues)).filter((placed) =>
    mayChangeRepository(actor, placed.repository.id)
  )
  const events = yield* timelineEvents.store
  const { rows: before } = yield* events.list({ otherIssueId: issue.id }, { limit: mostTraces })
  const left = new Set(
    before.filter((each) => each.otherCommentId === (comment?.id ?? null)).map((each) => each.issueId)
  )
  const type = comment !== undefined ? "comment_ref" : issue.pull ? "pull_ref" : "issue_ref"
  yield* Effect.orDie(
    events.insertMany(
      found.flatMap((placed) => {
        const { issue: other, repository: where } = placed
        const said = issues.find(
          ({ index, name, owner }) =>
            index === other.number &&
            name.toLowerCase() === where.name.toLowerCase() &&
            owner.toLowerCase() === where.owner.toLowerCase()
        )
        if (other.id === issue.id || left.has(other.id) || (said?.pull === true && !other.pull)) return []
        // Only a merge closes an issue: the text of a pull request states the intent.
        const refAction = issue.pull && comment === undefined ? (said?.intent ?? "none") : "none"
        return [
          timelineEvent(other, type, author, at, {
            otherIssueId: issue.id,
            otherCommentId: comment?.id ?? null,
            sourceRepositoryId: repository.id,
            sourceUnit: unitOf(issue),
            details: { refAction }
          })
        ]
      })
    )
  )
})

/**
 * Stores the previous version of an edited text, and returns the new version number.
 *
 * Fails with `StaleContent` if the edit is based on an older version.
 */
export const revise = Effect.fnUntraced(function* (
  actor: Actor,
  issue: Pick<Issue, "id">,
  before: Pick<Issue, "body" | "contentVersion">,
  edit: { readonly body?: string | undefined; readonly contentVersion?: number | undefined },
  comment?: Pick<Comment, "id">
) {
  const { body, contentVersion: version } = before
  if (edit.contentVersion !== undefined && edit.contentVersion !== version) return yield* new StaleContent({ version })
  if (edit.body === undefined || edit.body === body) return version
  yield* Effect.orDie(
    (yield* contentRevisions.store).insert({
      issueId: issue.id,
      commentId: comment?.id ?? null,
      version,
      editorId: authorOf(actor),
      body,
      replacedAt: yield* now
    })
  )
  return version + 1
})
