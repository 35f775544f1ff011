import { countedUpTo, nameKey, type PageRequest, windowOf } from "@slipway/domain"
import {
  type Comment,
  type CountedMilestone,
  comments as commentKind,
  timelineEvents as eventKind,
  type FoundRows,
  type Issue,
  type IssueDetails,
  type IssueId,
  IssueStore,
  issues as issueKind,
  type Label,
  type Milestone,
  milestones as milestoneKind,
  type Origin,
  origins as originKind,
  type PlacedIssue,
  type RepositoryRef,
  sourceUnits,
  type TimelineEntry,
  type TimelineEvent,
  type TrackedTime,
  trackedTimes as timeKind,
  type UserId
} from "@slipway/domain/forge"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../collection/collection.ts"
import { ownedTable } from "../owned/table.ts"
import { orDieSql } from "../SqlErrors.ts"
import { idArray, matching, searchSource } from "./issueSearch.ts"
import { countedPage } from "./pages.ts"
import { type Reader, readAll } from "./rows.ts"
import { readableRepositories } from "./seenRepositories.ts"
import { idParameter } from "./units.ts"

type Values = ReadonlyArray<unknown>

const issueTable = ownedTable(issueKind)
const originTable = ownedTable(originKind)
const commentTable = ownedTable(commentKind)
const milestoneTable = ownedTable(milestoneKind)
const eventTable = ownedTable(eventKind)
const timeTable = ownedTable(timeKind)

// BOUNDARY: a declaration says of its table what its rows are.
const issueIn = (values: Values, at = 0) => issueTable.read(values, at) as unknown as Issue
const commentIn = (values: Values, at = 0) => commentTable.read(values, at) as unknown as Comment
const eventIn = (values: Values, at = 0) => eventTable.read(values, at) as unknown as TimelineEvent
const timeIn = (values: Values, at = 0) => timeTable.read(values, at) as unknown as TrackedTime

/** The expression for a label as a document. */
const labelDocument = (alias: string): string => `jsonb_build_object(
  'id', ${alias}.id, 'organizationId', ${alias}.organization_id, 'repositoryId', ${alias}.repository_id,
  'name', ${alias}.name, 'color', ${alias}.color, 'description', ${alias}.description,
  'exclusive', ${alias}.exclusive, 'archived', ${alias}.archived
)`

/** The joins and expressions of a milestone with its numbers of issues, under an alias. */
const milestoneJoin = (alias: string, id: string): string => `
  LEFT JOIN milestone ${alias} ON ${alias}.id = ${id}
  LEFT JOIN issue_milestone_id_count ${alias}_count ON ${alias}_count.milestone_id = ${alias}.id`
const milestoneExpressions = (alias: string): string => `${milestoneTable.expressions(alias)},
  coalesce(${alias}_count.open, 0)::float8, coalesce(${alias}_count.closed, 0)::float8`
const milestoneWidth = milestoneTable.width + 2
const milestoneIn = (values: Values, at: number): CountedMilestone | undefined =>
  values[at] === null
    ? undefined
    : {
        ...(milestoneTable.read(values, at) as unknown as Milestone),
        open: Number(values[at + milestoneTable.width]),
        closed: Number(values[at + milestoneTable.width + 1])
      }

/** Joins what `placedReader` reads to issues under an alias. */
const placeJoin = (sql: SqlClient, alias: string): Fragment =>
  sql.literal(`
    LEFT JOIN repository home ON home.id = ${alias}.repository_id
    LEFT JOIN account holder ON holder.id = home.user_id
    LEFT JOIN organization place ON place.id = home.organization_id`)

const placedReader: Reader<PlacedIssue> = {
  width: issueTable.width + 2,
  of: (alias) => `${issueTable.expressions(alias)}, coalesce(holder.name, place.name), home.name`,
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

/** Returns the rows of a page, which asks for one more than it shows, with the number of all of them. */
const pageOf = <Row>(results: ReadonlyArray<Values>, { perPage }: PageRequest, read: (values: Values) => Row) => {
  const total = Number(results[0]?.[0] ?? 0)
  const found = results.filter((values) => values[1] !== null)
  return {
    rows: found.slice(0, perPage).map(read),
    total: total > countedUpTo ? undefined : total,
    more: found.length > perPage
  } satisfies FoundRows<Row>
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
    const counted = (matched: Fragment) => sql`(
      SELECT count(*)::float8 AS total FROM (SELECT ${matched} LIMIT ${countedUpTo + 1}) known
    ) counted`
    const window = (page: PageRequest) => {
      const { skip = 0 } = windowOf(page)
      return sql`LIMIT ${page.perPage + 1} OFFSET ${skip}`
    }
    const run = <A>(
      statement: { readonly values: Effect.Effect<ReadonlyArray<Values>, never> | unknown },
      read: (rows: ReadonlyArray<Values>) => A
    ) => orDieSql(Effect.map(statement.values as Effect.Effect<ReadonlyArray<Values>>, read))

    return {
      search: (scope, filter, order, page) =>
        countedPage(
          sql,
          placedReader,
          { table: "issue", join: placeJoin(sql, "page"), ...searchSource(sql, scope, filter, order) },
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
              ${sql.literal(`${milestoneExpressions("inside")}, ${originTable.expressions("origin")}`)}
            FROM issue
            LEFT JOIN origin ON origin.issue_id = issue.id AND origin.kind = 'issue'
            LEFT JOIN pull_request ON pull_request.issue_id = issue.id
            LEFT JOIN comment_issue_id_count talk ON talk.issue_id = issue.id
            ${sql.literal(milestoneJoin("inside", "issue.milestone_id"))}
            WHERE issue.id = ANY(${idArray(sql, ids)})`,
          (rows) =>
            new Map(
              rows.map((values): readonly [IssueId, IssueDetails] => [
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
                  milestone: milestoneIn(values, 6),
                  origin:
                    values[6 + milestoneWidth] === null
                      ? undefined
                      : (originTable.read(values, 6 + milestoneWidth) as unknown as Origin)
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
            WHERE ${matching(sql, { viewer }, {})}
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
        const matched = sql`
          FROM comment JOIN issue ON issue.id = comment.issue_id
          WHERE comment.repository_id = ${idParameter(scope.repositoryId)} AND issue.pull = ANY(${kinds}::boolean[])
            AND ${during(sql, "comment.updated_at", when)}`
        return run(
          sql`
            SELECT counted.total, page.*
            FROM ${counted(matched)}
            LEFT JOIN (
              SELECT ${sql.literal(commentTable.expressions("comment"))}, issue.number::float8 AS of_number, issue.pull
              ${matched} ORDER BY comment.id ${window(page)}
            ) page ON true
            ORDER BY page.id`,
          (rows) =>
            pageOf(rows, page, (values) => ({
              comment: commentIn(values, 1),
              issue: { number: Number(values[commentTable.width + 1]), pull: values[commentTable.width + 2] === true }
            }))
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
        const homes = sql`
          SELECT DISTINCT source.source_repository_id FROM timeline_event source
          WHERE source.issue_id = ${idParameter(id)} AND source.source_repository_id IS NOT NULL`
        const sources = sql.or([
          sql`event.source_repository_id IS NULL`,
          ...sourceUnits.map(
            (unit) => sql`
              event.source_unit = ${unit} AND event.source_repository_id IN ${readableRepositories(sql, viewer, unit, homes)}`
          )
        ])
        const matched = sql`
          FROM (
            SELECT comment.created_at, 0 AS kind, comment.id FROM comment
            WHERE comment.issue_id = ${idParameter(id)} AND ${during(sql, "comment.updated_at", when)}
            UNION ALL
            SELECT event.created_at, 1 AS kind, event.id FROM timeline_event event
            WHERE event.issue_id = ${idParameter(id)} AND ${during(sql, "event.created_at", when)} AND (${sources})
          ) happened`
        const offsets = {
          comment: 2,
          event: 2 + commentTable.width,
          label: 2 + commentTable.width + eventTable.width,
          milestone: 3 + commentTable.width + eventTable.width,
          oldMilestone: 3 + commentTable.width + eventTable.width + milestoneWidth,
          other: 3 + commentTable.width + eventTable.width + 2 * milestoneWidth,
          time: 3 + 2 * commentTable.width + eventTable.width + 2 * milestoneWidth
        }
        const detail = (name: string) => `(event.details ->> '${name}')::bigint`
        return run(
          sql`
            SELECT counted.total, entry.kind, ${sql.literal(
              [
                commentTable.expressions("comment"),
                eventTable.expressions("event"),
                `CASE WHEN label.id IS NULL THEN NULL ELSE ${labelDocument("label")} END`,
                milestoneExpressions("inside"),
                milestoneExpressions("before"),
                commentTable.expressions("other"),
                timeTable.expressions("worked")
              ].join(", ")
            )}
            FROM ${counted(matched)}
            LEFT JOIN (
              SELECT happened.* ${matched} ORDER BY happened.created_at, happened.kind, happened.id ${window(page)}
            ) entry ON true
            LEFT JOIN comment ON entry.kind = 0 AND comment.id = entry.id
            LEFT JOIN timeline_event event ON entry.kind = 1 AND event.id = entry.id
            LEFT JOIN label ON label.id = ${sql.literal(detail("labelId"))}
            ${sql.literal(milestoneJoin("inside", detail("milestoneId")))}
            ${sql.literal(milestoneJoin("before", detail("oldMilestoneId")))}
            LEFT JOIN comment other ON other.id = event.other_comment_id
            LEFT JOIN tracked_time worked ON worked.id = ${sql.literal(detail("trackedTimeId"))} AND worked.issue_id = event.issue_id
            ORDER BY entry.created_at, entry.kind, entry.id`,
          (rows) =>
            pageOf(rows, page, (values): TimelineEntry => {
              if (values[1] === 0 || values[1] === 0n)
                return { kind: "comment", comment: commentIn(values, offsets.comment) }
              return {
                kind: "event",
                event: eventIn(values, offsets.event),
                label: (values[offsets.label] ?? undefined) as Label | undefined,
                milestone: milestoneIn(values, offsets.milestone),
                oldMilestone: milestoneIn(values, offsets.oldMilestone),
                otherComment: values[offsets.other] === null ? undefined : commentIn(values, offsets.other),
                trackedTime: values[offsets.time] === null ? undefined : timeIn(values, offsets.time)
              }
            })
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
        )
    }
  })
)
