import { nameKey, type PageRequest, pageWindow } from "@slipway/domain"
import type { RepositoryViewer } from "@slipway/domain/forge/code"
import {
  type Activity,
  type ActivityReceiver,
  type ActivitySource,
  type AuditFilter,
  EventStore,
  type FeedFilter,
  feedUnits,
  type HookEventData,
  queuedHookEvents
} from "@slipway/domain/forge/events"
import type { Event, NewEvent, OrganizationId, Person, Team, UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { integer, json, nullable, readFromTable, text, time } from "../../collection/columns.ts"
import { ownedTable } from "../../owned/table.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { afterCursor, anyOf, countedPage, newestFirst, type Order, type PageSource } from "../base/pages.ts"
import { type Reader, reader } from "../base/rows.ts"
import { repositoryReader } from "../code/repositories.ts"
import { seenRepositoriesReading } from "../code/seenRepositories.ts"
import { seenUsers } from "../identity/accounts.ts"
import { bitOf, idParameter } from "../identity/units.ts"

/** A row of the table of events, with the parts of the event as columns. */
interface Row
  extends Pick<
    Event,
    | "id"
    | "at"
    | "action"
    | "outcome"
    | "refusedBy"
    | "address"
    | "organizationId"
    | "teamId"
    | "repositoryId"
    | "details"
  > {
  readonly actorId: number | null
  readonly actorName: string | null
  readonly signedInId: number | null
  readonly signedInName: string | null
  readonly credential: Event["signedInWith"]["kind"]
  readonly tokenId: number | null
  readonly tokenName: string | null
  readonly subjectKind: Event["subject"]["kind"]
  readonly subjectId: number | null
  readonly subjectName: string
}

const columns = {
  id: integer("id"),
  at: time("at"),
  action: text<Event["action"]>("action"),
  outcome: text<Event["outcome"]>("outcome"),
  refusedBy: nullable(text("refused_by")),
  actorId: nullable(integer("actor_id")),
  actorName: nullable(text("actor_name")),
  signedInId: nullable(integer("signed_in_id")),
  signedInName: nullable(text("signed_in_name")),
  credential: text<Row["credential"]>("credential"),
  tokenId: nullable(integer("token_id")),
  tokenName: nullable(text("token_name")),
  address: text("address"),
  subjectKind: text<Row["subjectKind"]>("subject_kind"),
  subjectId: nullable(integer("subject_id")),
  subjectName: text("subject_name"),
  organizationId: nullable(integer<NonNullable<Event["organizationId"]>>("organization_id")),
  teamId: nullable(integer<NonNullable<Event["teamId"]>>("team_id")),
  repositoryId: nullable(integer<NonNullable<Event["repositoryId"]>>("repository_id")),
  details: json<Event["details"]>("details")
}

const rows = reader<Row>(columns)

const person = (id: number | null, name: string | null): Person | null =>
  id === null || name === null ? null : { id: id as UserId, name }

const eventOf = ({ actorId, actorName, credential, signedInId, signedInName, subjectId, ...row }: Row): Event => {
  const { subjectKind, subjectName, tokenId, tokenName, ...rest } = row
  return {
    ...rest,
    actor: person(actorId, actorName),
    signedInAs: person(signedInId, signedInName),
    signedInWith:
      credential === "token" || credential === "key"
        ? { kind: credential, id: tokenId ?? 0, name: tokenName ?? "" }
        : { kind: credential },
    subject: { kind: subjectKind, id: subjectId, name: subjectName }
  }
}

const events: Reader<Event> = {
  width: rows.width,
  of: rows.of,
  read: (values, place) => {
    const row = rows.read(values, place)
    return row && eventOf(row)
  }
}

const rowOf = (event: NewEvent): Omit<Row, "id"> => {
  const { actor, signedInAs, signedInWith, subject, ...rest } = event
  const token = "id" in signedInWith ? signedInWith : undefined
  return {
    ...rest,
    actorId: actor?.id ?? null,
    actorName: actor?.name ?? null,
    signedInId: signedInAs?.id ?? null,
    signedInName: signedInAs?.name ?? null,
    credential: signedInWith.kind,
    tokenId: token?.id ?? null,
    tokenName: token?.name ?? null,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name
  }
}

const { id: _, ...written } = columns
const names = [...Object.values(written).map((column) => column.name), "actor_key", "signed_in_key", "once"].join(", ")

const queuedHookEventTable = ownedTable(queuedHookEvents)

const people = reader<Person>({ id: integer<UserId>("id"), name: readFromTable("name", (user) => `${user}.name`) })

const activities: Reader<Activity> = {
  width: events.width + repositoryReader.width + people.width,
  of: (alias) => [events.of(alias), repositoryReader.of("repository"), people.of("doer")].join(", "),
  read: (values, place = 0) => {
    const event = events.read(values, place)
    const repository = repositoryReader.read(values, place + events.width)
    const person = people.read(values, place + events.width + repositoryReader.width)
    return event === undefined || repository === undefined ? undefined : { event, repository, person }
  }
}

/** Returns the minute of a time. */
const minuteOf = (at: string): string => at.slice(0, 16)

const at = (moment: string) => columns.at.write?.(moment)

const newestActivity: Order = { by: [["seen.event_id", "bigint"]], descending: true }

/** Stores events in PostgreSQL. A trigger rejects updates, and rejects deletions except those of expired events. */
export const layerEvents = Layer.effect(
  EventStore,
  Effect.map(SqlClient, (sql) => {
    const key = (name: string | null) => (name === null ? null : nameKey(name))
    const telling = (event: NewEvent, hookData: HookEventData | undefined) => {
      if (hookData === undefined) return sql``
      const values: Readonly<Record<string, unknown>> = { ...hookData, event }
      const columns = sql.literal(queuedHookEventTable.written.map(({ column }) => column).join(", "))
      const typedValues = queuedHookEventTable.written.map(
        ({ field, type, write }) => sql`${write(values[field])}::${sql.literal(type)}`
      )
      return sql`WITH told AS (INSERT INTO ${sql.literal(queuedHookEventTable.name)} (${columns}) VALUES (${sql.csv(typedValues)}))`
    }
    const insert = (event: NewEvent, uniqueKey: string | null, hookData?: HookEventData) => {
      const row = rowOf(event)
      // BOUNDARY: each column is given the fact it is declared for.
      const values = Object.entries(written).map(([name, column]) =>
        (column.write as (value: unknown) => unknown)(row[name as keyof typeof row])
      )
      const all = [...values, key(row.actorName), key(row.signedInName), uniqueKey]
      return orDieSql(sql`
        ${telling(event, hookData)} INSERT INTO event (${sql.literal(names)}) VALUES (${sql.csv(all.map((value) => sql`${value}`))})
        ON CONFLICT (once) DO NOTHING`)
    }
    const within = ({ since, until }: Pick<AuditFilter, "since" | "until">) => [
      ...(since === undefined ? [] : [sql`seen.at >= ${at(since)}`]),
      ...(until === undefined ? [] : [sql`seen.at < ${at(until)}`])
    ]
    /** The condition on activities, and the column that has one value in all of them. */
    type About = readonly [lead: string, condition: Fragment]
    /** The source of feeds and counts of activities: the events of a filter in visible repositories. */
    const activityAbout = (
      viewer: RepositoryViewer,
      { privateToo, ...time }: Omit<FeedFilter, "of">,
      [lead, about]: About
    ) => {
      // The facts that decide who sees a repository are columns of each activity in it.
      const { from, reads, where } = seenRepositoriesReading(
        sql,
        viewer,
        sql`(
          SELECT activity.repository_id AS id, activity.event_id, activity.at, activity.action, activity.actor_id,
            activity.organization_id AS place_id, activity.private, activity.owner_visibility,
            activity.owner_user_id AS user_id, activity.owner_organization_id AS organization_id, activity.units,
            activity.unit, activity.release_id
          FROM activity
        ) seen`
      )
      const conditions = [
        where,
        about,
        sql.or([
          sql`seen.unit = 0`,
          ...feedUnits.map((unit) => sql`(seen.unit = ${sql.literal(String(bitOf(unit)))} AND ${reads(unit)})`)
        ]),
        // A release that became a draft again is not shown.
        sql`(seen.release_id IS NULL OR NOT EXISTS (
          SELECT FROM release WHERE release.id = seen.release_id AND release.draft
        ))`,
        ...(privateToo ? [] : [sql`NOT seen.private`]),
        ...within(time)
      ]
      return {
        from,
        where: sql.and(conditions),
        order: { ...newestActivity, lead } satisfies Order
      }
    }
    const alike = (column: string, id: number) => sql`${sql.literal(column)} = ${anyOf(sql, idParameter(id))}`
    const ofOrganization = (id: OrganizationId) =>
      sql`${alike("seen.place_id", id)} AND seen.organization_id = ${idParameter(id)}::bigint`
    const ofTeam = ({ id, organizationId }: Pick<Team, "id" | "organizationId">) => sql`
      ${ofOrganization(organizationId)} AND ((SELECT team.includes_all FROM team WHERE team.id = ${idParameter(id)}) OR seen.id IN (
        SELECT held.repository_id FROM team_repository held WHERE held.team_id = ${idParameter(id)}
      ))`
    const ofUser = (id: UserId): About => ["seen.actor_id", alike("seen.actor_id", id)]
    const activity = (viewer: RepositoryViewer, { of, ...filter }: FeedFilter<ActivitySource>) =>
      activityAbout(
        viewer,
        filter,
        "organization" in of
          ? ["seen.place_id", ofOrganization(of.organization)]
          : "team" in of
            ? ["seen.place_id", ofTeam(of.team)]
            : "user" in of
              ? ofUser(of.user)
              : ["seen.id", alike("seen.id", of.repository)]
      )
    /** Reads the newest activities of a user and of each watched repository, as many as a page and the count need. */
    const received = (
      viewer: RepositoryViewer,
      { of, ...filter }: FeedFilter<ActivityReceiver>,
      page: PageRequest
    ): Pick<PageSource, "from" | "where" | "order"> => {
      const newest = (about: About) => {
        const { from, order, where } = activityAbout(viewer, filter, about)
        return sql`(
          SELECT seen.event_id FROM ${from} WHERE ${where} AND ${afterCursor(sql, order, page.after)}
          ORDER BY ${sql.literal(`${order.lead}, seen.event_id DESC LIMIT ${pageWindow(page).most}`)}
        )`
      }
      return {
        from: sql`(
          ${newest(ofUser(of.receiver))}
          UNION
          SELECT newest.event_id FROM (
            SELECT watch.repository_id FROM watch WHERE watch.user_id = ${idParameter(of.receiver)} AND watch.watching
          ) watched CROSS JOIN LATERAL ${newest(["seen.id", sql`seen.id = watched.repository_id`])} newest
        ) seen`,
        where: sql`true`,
        order: newestActivity
      }
    }
    return {
      append: (event, hookData) => Effect.asVoid(insert(event, null, hookData)),
      refuse: (event) => {
        const { kind, id } = event.subject
        const uniqueKey = JSON.stringify([event.actor?.id ?? null, event.action, kind, id, minuteOf(event.at)])
        return Effect.asVoid(insert(event, uniqueKey))
      },
      forget: (before, most) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT set_config('slipway.forgetting', 'on', true)`
              const forgotten = yield* sql`
                DELETE FROM event WHERE id IN (
                  SELECT id FROM event WHERE at < ${at(before)} ORDER BY at, id LIMIT ${sql.literal(String(most))}
                ) RETURNING id`.values
              yield* sql`SELECT set_config('slipway.forgetting', 'off', true)`
              return forgotten.length
            })
          )
        ),
      newest: orDieSql(
        Effect.map(sql`SELECT coalesce(max(id), 0)::float8 FROM event`.values, ([row]) => (row?.[0] ?? 0) as number)
      ),
      audit: ({ action, actor, organization, ...time }, page) => {
        const name = actor === undefined ? undefined : lookup(nameKey(actor))
        const asked = {
          ...(name === undefined ? {} : { actor_key: sql`${name}::text` }),
          ...(organization === undefined ? {} : { organization_id: sql`${idParameter(organization)}::bigint` }),
          ...(action === undefined ? {} : { action: sql`${lookup(action)}::text` })
        }
        const [leading] = Object.keys(asked)
        // Sorted by the column too, although it has one value: only the index that begins with it has that order.
        const by = (column: string, value: Fragment) => {
          const lead = sql.literal(`seen.${column}`)
          const others = Object.entries(asked).filter(([each]) => each !== leading)
          return sql`(
            SELECT seen.id FROM event seen
            WHERE ${lead} BETWEEN ${value} AND ${value} AND ${afterCursor(sql, newestFirst, page.after)} AND ${sql.and([
              ...others.map(([each, one]) => sql`${sql.literal(`seen.${each}`)} = ${one}`),
              ...within(time),
              sql`true`
            ])}
            ORDER BY ${lead} DESC, seen.id DESC LIMIT ${sql.literal(String(pageWindow(page).most))}
          )`
        }
        const from =
          asked.actor_key !== undefined
            ? // The signed-in user and the user that they act for are in different columns.
              sql`(${by("actor_key", asked.actor_key)} UNION ${by("signed_in_key", asked.actor_key)}) seen`
            : asked.organization_id !== undefined
              ? sql`(${by("organization_id", asked.organization_id)}) seen`
              : asked.action !== undefined
                ? sql`(${by("action", asked.action)}) seen`
                : undefined
        return countedPage(
          sql,
          events,
          {
            table: "event",
            from: from ?? sql`event seen`,
            where: from === undefined ? sql.and([sql`true`, ...within(time)]) : sql`true`,
            order: newestFirst,
            planned: true
          },
          page
        )
      },
      activeTimes: (viewer, filter) => {
        const { from, where } = activity(viewer, filter)
        return orDieSql(
          Effect.map(
            sql`
              SELECT floor(extract(epoch FROM seen.at) / 900)::float8 * 900 AS seconds, count(*)::float8
              FROM ${from} WHERE ${where} GROUP BY seconds ORDER BY seconds`.values,
            (found) => found.map(([seconds, count]) => ({ seconds: Number(seconds), count: Number(count) }))
          )
        )
      },
      feed: (viewer, filter, page) => {
        const seen = seenUsers(sql, viewer, "doer")
        return countedPage(
          sql,
          activities,
          {
            table: "event",
            ...("receiver" in filter.of
              ? received(viewer, { ...filter, of: filter.of }, page)
              : activity(viewer, { ...filter, of: filter.of })),
            id: "seen.event_id",
            join: sql`
              LEFT JOIN repository ON repository.id = page.repository_id
              LEFT JOIN (SELECT doer.id, doer.name FROM ${seen.from} WHERE ${seen.where}) doer ON doer.id = page.actor_id`
          },
          page
        )
      }
    }
  })
)
