import { millisecondsOf, nameKey } from "@slipway/domain"
import { type RepositoryViewer, watches } from "@slipway/domain/forge/code"
import { comments, issues, releases } from "@slipway/domain/forge/collaboration"
import {
  type Activity,
  EventStore,
  type FeedFilter,
  type FeedPart,
  feedPartOf,
  feedUnits,
  queuedHookEvents
} from "@slipway/domain/forge/events"
import type { Event } from "@slipway/domain/forge/identity"
import { Effect, Layer, Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import { byId, cut } from "../base/pages.ts"
import { queriesIn } from "../base/queries.ts"
import { pairKey, Tables } from "../base/tables.ts"
import { listedTo } from "../identity/relations.ts"

const everything = { limit: Number.POSITIVE_INFINITY }

interface Time {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

// Times in one format, which sorts as text in time order.
const within =
  ({ since, until }: Time) =>
  ({ at }: Event) =>
    (since === undefined || at >= since) && (until === undefined || at < until)

/** Stores events in memory. */
export const eventStore = Layer.effect(
  EventStore,
  Effect.map(Tables, (tables) => {
    const { database, event } = tables
    const hookEvents = tables.owned.get(queuedHookEvents.name)?.rows
    const rowsOf = (kind: string) => {
      const rows = tables.owned.get(kind)?.rows
      if (rows === undefined) throw new Error(`${kind} has no table`)
      return rows
    }
    const [issueRows, commentRows, releaseRows] = [rowsOf(issues.name), rowsOf(comments.name), rowsOf(releases.name)]
    const watchRows = rowsOf(watches.name)
    /** Returns whether the resources of an activity exist; a draft release counts as missing. */
    const isKept = (snapshot: Snapshot, { commentId, issueId, releaseId }: FeedPart): boolean =>
      (issueId === undefined || issueRows.get(snapshot, issueId) !== undefined) &&
      (commentId === undefined || commentRows.get(snapshot, commentId) !== undefined) &&
      (releaseId === undefined || releaseRows.get(snapshot, releaseId)?.draft === false)
    /** Returns the activities of a filter in visible repositories, the latest first. */
    const activitiesOf = (
      snapshot: Snapshot,
      viewer: RepositoryViewer,
      { of, privateToo, ...time }: FeedFilter
    ): ReadonlyArray<Activity> => {
      const { canReadUnit, canSeeRepository, holds, present, withGrants } = queriesIn(tables, snapshot)
      const inTime = within(time)
      const isSeen = canSeeRepository(viewer)
      const seesUser = listedTo(tables, snapshot, viewer)
      const readers = new Map(feedUnits.map((unit) => [unit, canReadUnit(viewer, unit)]))
      const team = "team" in of ? tables.team.get(snapshot, of.team.id) : undefined
      const watched = new Set(
        "receiver" in of
          ? watchRows
              .list(snapshot, everything)
              .flatMap(({ repositoryId, userId, watching }) =>
                userId === of.receiver && watching === true ? [repositoryId] : []
              )
          : []
      )
      return event
        .list(snapshot, everything)
        .toReversed()
        .flatMap(({ uniqueKey: _, ...row }): ReadonlyArray<Activity> => {
          const repository = row.repositoryId === null ? undefined : tables.repository.get(snapshot, row.repositoryId)
          if (repository === undefined || row.outcome !== "done" || !inTime(row)) return []
          const isAbout =
            "organization" in of
              ? row.organizationId === of.organization && repository.owner.id === of.organization
              : "user" in of
                ? row.actor?.id === of.user
                : "receiver" in of
                  ? row.actor?.id === of.receiver || watched.has(repository.id)
                  : "repository" in of
                    ? repository.id === of.repository
                    : team !== undefined && row.organizationId === team.organizationId && holds(team, repository)
          const part = feedPartOf(row)
          const isListed =
            part !== undefined &&
            (part.unit === null || readers.get(part.unit)?.(repository.id) === true) &&
            isKept(snapshot, part) &&
            (privateToo || !repository.private)
          if (!isAbout || !isListed || !isSeen(withGrants(repository, viewer.userId))) return []
          const doer = row.actor === null ? undefined : tables.user.get(snapshot, row.actor.id)
          const person = doer !== undefined && seesUser(doer) ? { id: doer.id, name: doer.name } : undefined
          return [{ event: row, repository: present(repository), person }]
        })
    }
    return {
      append: (row, hookData) =>
        Effect.asVoid(
          Effect.orDie(
            database.write((snapshot) => {
              if (hookData !== undefined && hookEvents !== undefined)
                Result.getOrThrow(hookEvents.insert(snapshot, { ...hookData, event: row }))
              return event.insert(snapshot, { ...row, uniqueKey: `${event.count(snapshot)}` })
            })
          )
        ),
      refuse: (row) =>
        database
          .write((snapshot) => {
            const { id, kind } = row.subject
            const uniqueKey = pairKey(row.actor?.id ?? "", row.action, kind, id ?? "", row.at.slice(0, 16))
            return event.has(snapshot, uniqueKey)
              ? Result.succeed(undefined)
              : event.insert(snapshot, { ...row, uniqueKey })
          })
          .pipe(Effect.orDie, Effect.asVoid),
      forget: (before, most) =>
        Effect.orDie(
          database.write((snapshot) => {
            const old = event
              .list(snapshot, everything)
              .filter(({ at }) => at < before)
              .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : one.id - other.id))
              .slice(0, most)
            return Result.map(Result.all(old.map(({ id }) => event.remove(snapshot, id))), ({ length }) => length)
          })
        ),
      newest: database.read((snapshot) =>
        event.list(snapshot, everything).reduce((id, row) => Math.max(id, row.id), 0)
      ),
      audit: ({ action, actor, organization, ...time }, page) =>
        database.read((snapshot) => {
          const inTime = within(time)
          const name = actor === undefined ? undefined : nameKey(actor)
          const found = event
            .list(snapshot, everything)
            .filter(
              (row) =>
                inTime(row) &&
                (organization === undefined || row.organizationId === organization) &&
                (action === undefined || row.action === action) &&
                (name === undefined ||
                  [row.actor, row.signedInAs].some((each) => each !== null && nameKey(each.name) === name))
            )
            .toReversed()
          return cut(
            found.map(({ uniqueKey: _, ...row }): Event => row),
            page,
            byId,
            { descending: true }
          )
        }),
      activeTimes: (viewer, filter) =>
        database.read((snapshot) => {
          const counts = new Map<number, number>()
          for (const { event: row } of activitiesOf(snapshot, viewer, filter)) {
            const seconds = Math.floor(millisecondsOf(row.at) / 900_000) * 900
            counts.set(seconds, (counts.get(seconds) ?? 0) + 1)
          }
          return [...counts]
            .map(([seconds, count]) => ({ seconds, count }))
            .toSorted((one, other) => one.seconds - other.seconds)
        }),
      feed: (viewer, filter, page) =>
        database.read((snapshot) =>
          cut(activitiesOf(snapshot, viewer, filter), page, (row) => byId(row.event), { descending: true })
        )
    }
  })
)
