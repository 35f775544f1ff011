import { nameKey, pageWindow } from "@slipway/domain"
import type { Label } from "@slipway/domain/forge/code"
import {
  type Comment,
  comments as commentKind,
  type DetailsWithAssets,
  timelineEvents as eventKind,
  type Issue,
  type IssueId,
  IssueStore,
  issues as issueKind,
  type Origin,
  origins as originKind,
  type PlacedComment,
  type PlacedIssue,
  type RepositoryRef,
  sourceUnits,
  type TimelineEntry,
  type TimelineEvent,
  type TrackedTime,
  trackedTimes as timeKind
} from "@slipway/domain/forge/collaboration"
import type { UserId } from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { ownedTable } from "../../owned/table.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { afterCursor, countedPage, type Order } from "../base/pages.ts"
import { idArray } from "../base/parameters.ts"
import { type Reader, readAll } from "../base/rows.ts"
import { attachmentDocument, attachmentsIn } from "../code/attachments.ts"
import { matchesFilter, mergedAuthors, placeJoin, searchSource } from "../code/issueSearch.ts"
import { joinReading } from "../code/seenRepositories.ts"
import { idParameter } from "../identity/units.ts"
import { milestoneJoin, milestoneReader } from "./milestones.ts"

type Values = ReadonlyArray<unknown>
const issueTable = ownedTable(issueKind)
const originTable = ownedTable(originKind)
const commentTable = ownedTable(commentKind)
const eventTable = ownedTable(eventKind)
const timeTable = ownedTable(timeKind)

// BOUNDARY: a declaration says of its table what its rows are.
const issueIn = (values: Values, at = 0) => issueTable.read(values, at) as unknown as Issue
const commentIn = (values: Values, at = 0) => commentTable.read(values, at) as unknown as Comment
const eventIn = (values: Values, at = 0) => eventTable.read(values, at) as unknown as TimelineEvent
const timeIn = (values: Values, at = 0) => timeTable.read(values, at) as unknown as TrackedTime

/** Returns the SQL expression for a label as a JSON document. */
const labelDocument = (alias: string): string => `jsonb_build_object(
  'id', ${alias}.id, 'organizationId', ${alias}.organization_id, 'repositoryId', ${alias}.repository_id,
  'name', ${alias}.name, 'color', ${alias}.color, 'description', ${alias}.description,
  'exclusive', ${alias}.exclusive, 'archived', ${alias}.archived
)`

const placedReader: Reader<PlacedIssue> = {
  width: issueTable.width + 2,
  of: (alias) => `${issueTable.expressions(alias)}, place.owner, place.name`,
  read: (values, at = 0) => {
    if (values[at] === null) return undefined
    const issue = issueIn(values, at)
    const repository: RepositoryRef = {
      id: issue.repositoryId,
      owner: String(values[at + issueTable.width]),
      name: String(values[at + issueTable.width + 1])
    }
    return { issue, repository }
  }
}

const placedCommentReader: Reader<PlacedComment> = {
  width: commentTable.width + 2,
  of: (alias) => `${commentTable.expressions(alias)}, below.number::float8, below.pull`,
  read: (values, at = 0) =>
    values[at] === null
      ? undefined
      : {
          comment: commentIn(values, at),
          issue: { number: Number(values[at + commentTable.width]), pull: values[at + commentTable.width + 1] === true }
        }
}

/** Returns the SQL expression for a number in the details of an event. The event has the alias `page`. */
const detail = (name: string): string => `(page.details ->> '${name}')::bigint`

/** The position of each joined table in the column values of a timeline entry. Position 0 is the type of the entry. */
const entryPlaces = {
  comment: 1,
  event: 1 + commentTable.width,
  label: 1 + commentTable.width + eventTable.width,
  milestone: 2 + commentTable.width + eventTable.width,
  oldMilestone: 2 + commentTable.width + eventTable.width + milestoneReader.width,
  other: 2 + commentTable.width + eventTable.width + 2 * milestoneReader.width,
  time: 2 + 2 * commentTable.width + eventTable.width + 2 * milestoneReader.width
}

const entryReader: Reader<TimelineEntry> = {
  width: entryPlaces.time + timeTable.width,
  of: (alias) =>
    [
      "ids.place_1::integer",
      commentTable.expressions("comment"),
      eventTable.expressions(alias),
      `CASE WHEN label.id IS NULL THEN NULL ELSE ${labelDocument("label")} END`,
      milestoneReader.of("inside"),
      milestoneReader.of("before"),
      commentTable.expressions("other"),
      timeTable.expressions("worked")
    ].join(", "),
  read: (values, at = 0) => {
    const { comment, event, label, milestone, oldMilestone, other, time } = entryPlaces
    if (values[at] === null) return undefined
    if (values[at] === 0) return { kind: "comment", comment: commentIn(values, at + comment) }
    return {
      kind: "event",
      event: eventIn(values, at + event),
      label: (values[at + label] ?? undefined) as Label | undefined,
      milestone: milestoneReader.read(values, at + milestone),
      oldMilestone: milestoneReader.read(values, at + oldMilestone),
      otherComment: values[at + other] === null ? undefined : commentIn(values, at + other),
      trackedTime: values[at + time] === null ? undefined : timeIn(values, at + time)
    }
  }
}

const during = (
  sql: SqlClient,
  column: string,
  { before, since }: { readonly since?: string | undefined; readonly before?: string | undefined }
): Fragment =>
  sql.and([
    sql`true`,
    ...(since === undefined ? [] : [sql`${sql.literal(column)} >= ${since}::text::timestamptz`]),
    ...(before === undefined ? [] : [sql`${sql.literal(column)} < ${before}::text::timestamptz`])
  ])

/** Searches issues in PostgreSQL. */
export const layerIssues = Layer.effect(
  IssueStore,
  Effect.map(SqlClient, (sql) => {
    const run = <A>(
      statement: { readonly values: Effect.Effect<ReadonlyArray<Values>, never> | unknown },
      read: (rows: ReadonlyArray<Values>) => A
    ) => orDieSql(Effect.map(statement.values as Effect.Effect<ReadonlyArray<Values>>, read))

    return {
      search: (scope, filter, order, page) =>
        countedPage(
          sql,
          placedReader,
          {
            table: "issue",
            join: placeJoin(sql, "page", "viewer" in scope ? undefined : scope.repositoryId),
            ...searchSource(sql, scope, filter, order)
          },
          page
        ),
      details: (ids) =>
        run(
          sql`
            SELECT
              issue.id::float8,
              (
                SELECT coalesce(jsonb_agg(${sql.literal(labelDocument("label"))} ORDER BY label.name_key, label.id), '[]')
                FROM issue_label JOIN label ON label.id = issue_label.label_id WHERE issue_label.issue_id = issue.id
              ),
              (
                SELECT coalesce(jsonb_agg(assignee.user_id ORDER BY assignee.id), '[]')
                FROM assignee WHERE assignee.issue_id = issue.id
              ),
              coalesce(talk.comments, 0)::float8,
              pull_request.merged,
              pull_request.merged_at,
              (
                SELECT jsonb_agg(${sql.literal(attachmentDocument)} ORDER BY attachment.id)
                FROM attachment WHERE attachment.issue_id = issue.id
              ),
              ${sql.literal(`${milestoneReader.of("inside")}, ${originTable.expressions("origin")}`)}
            FROM issue
            LEFT JOIN origin ON origin.issue_id = issue.id AND origin.kind = 'issue'
            LEFT JOIN pull_request ON pull_request.issue_id = issue.id
            LEFT JOIN comment_issue_id_count talk ON talk.issue_id = issue.id
            ${sql.literal(milestoneJoin("inside", "issue.milestone_id"))}
            WHERE issue.id = ANY(${idArray(sql, ids)})`,
          (rows) =>
            new Map(
              rows.map((values): readonly [IssueId, DetailsWithAssets] => [
                values[0] as IssueId,
                {
                  labels: values[1] as ReadonlyArray<Label>,
                  assigneeIds: values[2] as ReadonlyArray<UserId>,
                  comments: Number(values[3]),
                  merge:
                    values[4] === null
                      ? undefined
                      : {
                          merged: values[4] === true,
                          mergedAt: values[5] instanceof Date ? values[5].toISOString() : null
                        },
                  assets: attachmentsIn(values[6]),
                  milestone: milestoneReader.read(values, 7),
                  origin:
                    values[7 + milestoneReader.width] === null
                      ? undefined
                      : (originTable.read(values, 7 + milestoneReader.width) as unknown as Origin)
                }
              ])
            )
        ),
      named: (viewer, names) => {
        const sought = names.filter(({ name, owner }) => lookup(owner) !== null && lookup(name) !== null)
        if (sought.length === 0) return Effect.succeed([])
        const parts = (pick: (name: (typeof sought)[number]) => string) => sql`${sought.map(pick)}::text[]`
        return run(
          sql`
            SELECT ${sql.literal(placedReader.of("issue"))}
            FROM (
              SELECT DISTINCT repository_name.repository_id, sought.index
              FROM unnest(${parts(({ owner }) => nameKey(owner))}, ${parts(({ name }) => nameKey(name))},
                ${parts(({ index }) => String(index))}::bigint[]) AS sought (owner, name, index)
              JOIN owner_name ON owner_name.name_key = sought.owner AND owner_name.current
              JOIN repository_name ON repository_name.owner_id = coalesce(owner_name.user_id, owner_name.organization_id)
                AND repository_name.name_key = sought.name AND repository_name.current
            ) meant
            JOIN issue ON issue.repository_id = meant.repository_id AND issue.number = meant.index
            ${placeJoin(sql, "issue")}
            WHERE ${matchesFilter(sql, { viewer }, {})}
            ORDER BY issue.id`,
          readAll(placedReader)
        )
      },
      usersNamed: (names) =>
        run(
          sql`
            SELECT owner_name.name_key, owner_name.user_id::float8 FROM owner_name
            WHERE owner_name.user_id IS NOT NULL AND owner_name.current
              AND owner_name.name_key = ANY(${names.flatMap((name) => lookup(nameKey(name)) ?? [])}::text[])`,
          (rows) => {
            const known = new Map(rows.map(([key, id]) => [key, id as UserId]))
            return new Map(
              names.flatMap((name) => {
                const id = known.get(nameKey(name))
                return id === undefined ? [] : [[name, id] as const]
              })
            )
          }
        ),
      mergedAuthors: (repository, users) =>
        run(mergedAuthors(sql, repository, users), (rows) => new Set(rows.map(([id]) => id as UserId))),
      labels: ({ organizationId, repositoryId }, { ids, names }) =>
        run(
          sql`
            SELECT ${sql.literal(labelDocument("label"))} FROM label
            WHERE (label.repository_id = ${idParameter(repositoryId)}
                OR label.organization_id = ${idParameter(organizationId ?? undefined)}::bigint)
              AND (label.id = ANY(${idArray(sql, ids.filter(Number.isSafeInteger))})
                OR label.name_key = ANY(${names.flatMap((name) => lookup(nameKey(name)) ?? [])}::text[]))
            ORDER BY label.id`,
          (rows) => rows.map(([label]) => label as Label)
        ),
      comments: (scope, when, page) => {
        const kinds = [...(scope.issues ? [false] : []), ...(scope.pulls ? [true] : [])]
        return countedPage(
          sql,
          placedCommentReader,
          {
            table: "comment",
            id: "comment.id",
            from: sql`comment JOIN issue ON issue.id = comment.issue_id`,
            where: sql`comment.repository_id = ${idParameter(scope.repositoryId)}
              AND issue.pull = ANY(${kinds}::boolean[]) AND ${during(sql, "comment.updated_at", when)}`,
            order: { by: [["comment.id", "bigint"]] },
            join: sql`LEFT JOIN issue below ON below.id = page.issue_id`
          },
          page
        )
      },
      arrangePins: (repository, pull, ids) =>
        run(
          sql`
            UPDATE issue SET pin_order = coalesce(array_position(${idArray(sql, ids)}, issue.id), 0)
            WHERE issue.repository_id = ${idParameter(repository)} AND issue.pull = ${pull}
              AND (issue.pin_order > 0 OR issue.id = ANY(${idArray(sql, ids)}))`,
          () => undefined
        ),
      timeline: (viewer, id, when, page) => {
        const { join, reads } = joinReading(sql, viewer, "event.source_repository_id")
        const isRead = sql`CASE event.source_unit ${sql.join(
          " ",
          false
        )(sourceUnits.map((unit) => sql`WHEN ${unit} THEN ${reads(unit).sql}`))} END`
        // The first rows of each part suffice for the first ones of all.
        const part = (table: string, kind: number, changed: string, from: Fragment, where: Fragment) => {
          const order: Order = {
            by: [
              [`${table}.created_at`, "timestamptz"],
              [String(kind), "bigint"],
              [`${table}.id`, "bigint"]
            ]
          }
          return sql`(
            SELECT ${sql.literal(`${table}.created_at, ${kind} AS kind, ${table}.id`)} FROM ${from}
            WHERE ${sql.literal(table)}.issue_id = ${idParameter(id)}::bigint AND ${during(sql, `${table}.${changed}`, when)}
              AND ${afterCursor(sql, order, page.after)} AND ${where}
            ORDER BY ${sql.literal(`${table}.created_at, ${table}.id LIMIT ${pageWindow(page).most}`)}
          )`
        }
        return countedPage(
          sql,
          entryReader,
          {
            // Rows other than events are comments: the last part of their place is their number.
            table: "timeline_event",
            id: "CASE happened.kind WHEN 1 THEN happened.id END",
            from: sql`(
              ${part("comment", 0, "updated_at", sql`comment`, sql`true`)}
              UNION ALL
              ${part("event", 1, "created_at", sql`timeline_event event`, sql`event.source_repository_id IS NULL`)}
              UNION ALL
              ${part("event", 1, "created_at", sql`timeline_event event ${join}`, sql`event.source_repository_id IS NOT NULL AND ${isRead}`)}
            ) happened`,
            where: sql`true`,
            order: {
              by: [
                ["happened.created_at", "timestamptz"],
                ["happened.kind", "bigint"],
                ["happened.id", "bigint"]
              ]
            },
            join: sql.literal(`
              LEFT JOIN comment ON ids.place_1 = 0 AND comment.id = ids.place_2
              LEFT JOIN label ON label.id = ${detail("labelId")}
              ${milestoneJoin("inside", detail("milestoneId"))}
              ${milestoneJoin("before", detail("oldMilestoneId"))}
              LEFT JOIN comment other ON other.id = page.other_comment_id
              LEFT JOIN tracked_time worked ON worked.id = ${detail("trackedTimeId")} AND worked.issue_id = page.issue_id`)
          },
          page
        )
      },
      setState: (ids, state, at) =>
        ids.length === 0
          ? Effect.succeed([])
          : run(
              sql`
                UPDATE issue SET state = ${state}, updated_at = ${at}::text::timestamptz,
                  closed_at = CASE WHEN ${state === "closed"} THEN ${at}::text::timestamptz END
                WHERE issue.id = ANY(${idArray(sql, ids)}) AND issue.state <> ${state}
                  AND (${state === "open"} OR NOT EXISTS (
                    SELECT FROM dependency JOIN issue other ON other.id = dependency.depends_on_id AND other.state = 'open'
                    WHERE dependency.issue_id = issue.id
                  ))
                RETURNING issue.id::float8`,
              (rows) => rows.map(([id]) => id as IssueId).toSorted((one, other) => one - other)
            ),
      waitsFor: (id, other) =>
        run(
          sql`
            WITH RECURSIVE needed (id) AS (
              SELECT depends_on_id FROM dependency WHERE issue_id = ${idParameter(id)}
              UNION
              SELECT dependency.depends_on_id FROM needed JOIN dependency ON dependency.issue_id = needed.id
            )
            SELECT 1 FROM needed WHERE id = ${idParameter(other)} LIMIT 1`,
          (rows) => rows.length > 0
        ),
      isWaiting: (id) =>
        run(
          sql`
            SELECT 1 FROM dependency JOIN issue ON issue.id = dependency.depends_on_id AND issue.state = 'open'
            WHERE dependency.issue_id = ${idParameter(id)} LIMIT 1`,
          (rows) => rows.length > 0
        ),
      lockDependencies: orDieSql(
        Effect.asVoid(
          sql`SELECT pg_advisory_xact_lock(hashtextextended('slipway dependencies ' || current_schema(), 0))`
        )
      )
    }
  })
)
