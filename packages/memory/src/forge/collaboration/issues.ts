import { millisecondsOf, nameKey, type OwnedData } from "@slipway/domain"
import { type Label, labels, type RepositoryViewer } from "@slipway/domain/forge/code"
import {
  type Assignee,
  assignees,
  type Comment,
  type CountedMilestone,
  comments,
  type Dependency,
  type DetailsWithAssets,
  dependencies,
  type Issue,
  type IssueId,
  type IssueLabel,
  IssueStore,
  issueLabels,
  issues,
  type Mention,
  type Milestone,
  mentions,
  milestones,
  type Origin,
  origins,
  type PlacedIssue,
  type PullRequest,
  pulls,
  type Review,
  reviews,
  type TimelineEntry,
  type TimelineEvent,
  type TrackedTime,
  timelineEvents,
  trackedTimes
} from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import { byCodePoints } from "../../codePoints.ts"
import type { Snapshot } from "../../Database.ts"
import type { Table } from "../../Table.ts"
import { cut } from "../base/pages.ts"
import { inOrderOf, queriesIn } from "../base/queries.ts"
import { attachedKey, pairKey, Tables } from "../base/tables.ts"
import { type IssueFacts, matches, orderedPage } from "./issueSearch.ts"
import { countedMilestone } from "./milestones.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

const isWithin = (
  at: string,
  { before, since }: { readonly since?: string | undefined; readonly before?: string | undefined }
) => (since === undefined || byCodePoints(at, since) >= 0) && (before === undefined || byCodePoints(at, before) < 0)

/** Returns the issues of a snapshot with their related rows. */
const issuesIn = (tables: Tables["Service"], snapshot: Snapshot) => {
  const tableOf = (kind: OwnedData) => {
    const table = tables.owned.get(kind.name)
    if (table === undefined) throw new Error(`${kind.name} has no table`)
    return table
  }
  // BOUNDARY: a declaration says of its table what its rows are.
  const rowsOf = <Row extends { readonly id: number }>(kind: OwnedData) => tableOf(kind).rows as unknown as Table<Row>
  const within = <Row>(kind: OwnedData, field: string, id: number): ReadonlyArray<Row> =>
    (tableOf(kind).scopes.get(field)?.list(snapshot, String(id)) ?? []) as unknown as ReadonlyArray<Row>

  const { canReadUnit, holds, present } = queriesIn(tables, snapshot)
  const issueTable = rowsOf<Issue>(issues)
  const labelTable = rowsOf<Label>(labels)
  const commentTable = rowsOf<Comment>(comments)

  const placed = (issue: Issue): PlacedIssue => {
    const row = tables.repository.get(snapshot, issue.repositoryId)
    if (row === undefined) throw new Error("an issue has no repository")
    const { id, name, owner } = present(row)
    return { issue, repository: { id, name, owner: owner.name } }
  }
  const labelsOf = (id: IssueId): ReadonlyArray<Label> =>
    inOrderOf(
      within<IssueLabel>(issueLabels, "issueId", id)
        .flatMap(({ labelId }) => labelTable.get(snapshot, labelId) ?? [])
        .toSorted((one, other) => one.id - other.id),
      ({ name }) => name
    )
  const milestoneOf = (id: number | null | undefined): CountedMilestone | undefined => {
    const row = id === null || id === undefined ? undefined : rowsOf<Milestone>(milestones).get(snapshot, id)
    if (row === undefined) return undefined
    return countedMilestone(tables, snapshot, row)
  }
  const assigneesOf = (id: IssueId): ReadonlyArray<UserId> =>
    within<Assignee>(assignees, "issueId", id)
      .toSorted((one, other) => one.id - other.id)
      .map(({ userId }) => userId)
  const commentCount = (id: IssueId): number =>
    tableOf(comments).counters.get("comments")?.count(snapshot, String(id)) ?? 0
  const needs = (id: IssueId): ReadonlyArray<IssueId> =>
    within<Dependency>(dependencies, "issueId", id).map(({ dependsOnId }) => dependsOnId)

  const facts: IssueFacts = {
    labelsOf,
    milestoneOf,
    assigneesOf,
    commentCount,
    needs,
    mentionsOf: (id) => within<Mention>(mentions, "issueId", id).map(({ userId }) => userId),
    reviewsOf: (id) => within<Review>(reviews, "issueId", id),
    isMember: (teamId, userId) => tables.teamMember.has(snapshot, pairKey(teamId, userId)),
    ownerOf: ({ repositoryId }) => tables.repository.get(snapshot, repositoryId)?.owner.id,
    isHeldBy: (teamId, { repositoryId }) => {
      const team = tables.team.get(snapshot, teamId)
      const repository = tables.repository.get(snapshot, repositoryId)
      return team !== undefined && repository !== undefined && holds(team, repository)
    }
  }

  const reads = (viewer: RepositoryViewer) => {
    const [readsIssues, readsPulls] = [canReadUnit(viewer, "repo.issues"), canReadUnit(viewer, "repo.pulls")]
    return (issue: Issue) => (issue.pull ? readsPulls : readsIssues)(issue.repositoryId)
  }

  const waitsFor = (id: IssueId, other: IssueId): boolean => {
    const seen = new Set<IssueId>()
    const waiting = [...needs(id)]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === other) return true
      if (seen.has(next)) continue
      seen.add(next)
      waiting.push(...needs(next))
    }
    return false
  }

  const mergeOf = (id: IssueId) => {
    const [pull] = within<PullRequest>(pulls, "issueId", id)
    return pull && { merged: pull.merged, mergedAt: pull.mergedAt }
  }
  const details = (id: IssueId): DetailsWithAssets => ({
    labels: labelsOf(id),
    assigneeIds: assigneesOf(id),
    milestone: milestoneOf(issueTable.get(snapshot, id)?.milestoneId),
    comments: commentCount(id),
    merge: mergeOf(id),
    origin: within<Origin>(origins, "issueId", id).find(({ kind }) => kind === "issue"),
    assets: tables.attachmentsOf.list(snapshot, attachedKey({ kind: "issue", id }))
  })

  return { canReadUnit, commentTable, details, facts, issueTable, labelTable, needs, placed, reads, waitsFor, within }
}

/** Searches issues in memory. */
export const issueStore = Layer.effect(
  IssueStore,
  Effect.map(Tables, (tables) => {
    const { database } = tables
    const reading = <A>(read: (queries: ReturnType<typeof issuesIn>, snapshot: Snapshot) => A) =>
      database.read((snapshot) => read(issuesIn(tables, snapshot), snapshot))

    return {
      search: (scope, filter, order, page) =>
        reading(({ facts, issueTable, placed, reads, within }, snapshot) => {
          const isIn =
            "viewer" in scope ? reads(scope.viewer) : ({ pull }: Issue) => (pull ? scope.pulls : scope.issues)
          const all =
            "viewer" in scope
              ? issueTable.list(snapshot, everything)
              : within<Issue>(issues, "repositoryId", scope.repositoryId)
          const isAsked = matches(facts, filter)
          const found = all.filter((issue) => isIn(issue) && isAsked(issue))
          const { rows, ...rest } = orderedPage(facts, filter, order, found, page)
          return { ...rest, rows: rows.map(placed) }
        }),
      details: (ids) =>
        reading(
          ({ details, issueTable }, snapshot) =>
            new Map(
              ids.flatMap((id) => (issueTable.get(snapshot, id) === undefined ? [] : [[id, details(id)] as const]))
            )
        ),
      named: (viewer, names) =>
        reading(({ placed, reads, within }, snapshot) => {
          const isRead = reads(viewer)
          const found = names.flatMap(({ index, name, owner }) => {
            const named = queriesIn(tables, snapshot).repositoryNamed(owner, name, viewer.userId)
            if (named === undefined || named.renamed) return []
            return within<Issue>(issues, "repositoryId", named.repository.id).filter(({ number }) => number === index)
          })
          return [...new Set(found)]
            .filter(isRead)
            .toSorted((one, other) => one.id - other.id)
            .map(placed)
        }),
      usersNamed: (names) =>
        database.read(
          (snapshot) =>
            new Map(
              names.flatMap((name) => {
                const register = tables.name.find(snapshot, nameKey(name))
                const user =
                  register?.current === true ? tables.user.get(snapshot, register.ownerId as UserId) : undefined
                return user === undefined ? [] : [[name, user.id] as const]
              })
            )
        ),
      mergedAuthors: (repository, users) =>
        reading(({ issueTable, within }, snapshot) => {
          const merged = within<PullRequest>(pulls, "repositoryId", repository).flatMap(
            ({ issueId, merged, mergerId }) =>
              merged && mergerId !== null ? (issueTable.get(snapshot, issueId)?.authorId ?? []) : []
          )
          return new Set(merged.filter((author) => users.includes(author)))
        }),
      labels: ({ organizationId, repositoryId }, { ids, names }) =>
        reading(({ within }) => {
          const keys = names.map(nameKey)
          return [
            ...within<Label>(labels, "repositoryId", repositoryId),
            ...(organizationId === null ? [] : within<Label>(labels, "organizationId", organizationId))
          ]
            .filter(({ id, name }) => ids.includes(id) || keys.includes(nameKey(name)))
            .toSorted((one, other) => one.id - other.id)
        }),
      comments: ({ issues: ofIssues, pulls: ofPulls, repositoryId }, when, page) =>
        reading(({ issueTable, within }, snapshot) => {
          const all = within<Comment>(comments, "repositoryId", repositoryId)
            .flatMap((comment) => {
              const issue = issueTable.get(snapshot, comment.issueId)
              return issue === undefined ? [] : [{ comment, issue: { number: issue.number, pull: issue.pull } }]
            })
            .filter(({ comment, issue }) => (issue.pull ? ofPulls : ofIssues) && isWithin(comment.updatedAt, when))
            .toSorted((one, other) => one.comment.id - other.comment.id)
          return cut(all, page, ({ comment }) => [comment.id])
        }),
      arrangePins: (repository, pull, ids) =>
        database.write((snapshot) => {
          const { issueTable, within } = issuesIn(tables, snapshot)
          for (const issue of within<Issue>(issues, "repositoryId", repository)) {
            const pinOrder = ids.indexOf(issue.id) + 1
            if (issue.pull !== pull || issue.pinOrder === pinOrder) continue
            Result.getOrThrow(issueTable.replace(snapshot, { ...issue, pinOrder }))
          }
          return Result.succeed(undefined)
        }),
      timeline: (viewer, id, when, page) =>
        reading(({ canReadUnit, commentTable, facts, labelTable, within }, snapshot) => {
          const isSeen = ({ sourceRepositoryId, sourceUnit }: TimelineEvent) =>
            sourceRepositoryId === null || (sourceUnit !== null && canReadUnit(viewer, sourceUnit)(sourceRepositoryId))
          const said = within<Comment>(comments, "issueId", id)
            .filter((comment) => isWithin(comment.updatedAt, when))
            .map((comment) => ({
              at: comment.createdAt,
              kind: 0,
              id: comment.id,
              entry: { kind: "comment", comment } as TimelineEntry
            }))
          const happened = within<TimelineEvent>(timelineEvents, "issueId", id)
            .filter((event) => isWithin(event.createdAt, when) && isSeen(event))
            .map((event) => {
              const { labelId, milestoneId, oldMilestoneId, trackedTimeId } = event.details
              const entry: TimelineEntry = {
                kind: "event",
                event,
                label: labelId === undefined ? undefined : labelTable.get(snapshot, labelId),
                milestone: facts.milestoneOf(milestoneId),
                oldMilestone: facts.milestoneOf(oldMilestoneId),
                otherComment:
                  event.otherCommentId === null ? undefined : commentTable.get(snapshot, event.otherCommentId),
                trackedTime: within<TrackedTime>(trackedTimes, "issueId", id).find((time) => time.id === trackedTimeId)
              }
              return { at: event.createdAt, kind: 1, id: event.id, entry }
            })
          const all = [...said, ...happened].sort(
            (one, other) => byCodePoints(one.at, other.at) || one.kind - other.kind || one.id - other.id
          )
          const { rows, ...rest } = cut(all, page, ({ at, id: own, kind }) => [1_000 * millisecondsOf(at), kind, own])
          return { ...rest, rows: rows.map(({ entry }) => entry) }
        }),
      setState: (ids, state, at) =>
        database.write((snapshot) => {
          const { issueTable, needs } = issuesIn(tables, snapshot)
          const isOpen = (id: IssueId) => issueTable.get(snapshot, id)?.state === "open"
          // The waiting issues are determined before any of them changes.
          const changing = ids.flatMap((id) => {
            const issue = issueTable.get(snapshot, id)
            const stays = issue === undefined || issue.state === state || (state === "closed" && needs(id).some(isOpen))
            return stays ? [] : [issue]
          })
          for (const issue of changing) {
            const closedAt = state === "closed" ? at : null
            Result.getOrThrow(issueTable.replace(snapshot, { ...issue, state, closedAt, updatedAt: at }))
          }
          return Result.succeed(changing.map(({ id }) => id).toSorted((one, other) => one - other))
        }),
      waitsFor: (id, other) => reading(({ waitsFor }) => waitsFor(id, other)),
      isWaiting: (id) =>
        reading(({ issueTable, needs }, snapshot) =>
          needs(id).some((each) => issueTable.get(snapshot, each)?.state === "open")
        ),
      // Transactions run one after the other.
      lockDependencies: Effect.void
    }
  })
)
