import { PgTypes } from "@effect/sql-pg"
import { type Job, JobStore, type Lane, type Notice, NoticeStore, Work } from "@slipway/domain/forge/background"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { integer, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { countedPage, newestFirst } from "../base/pages.ts"
import { reader } from "../base/rows.ts"
import { idParameter } from "../identity/units.ts"

const decode = Schema.decodeUnknownSync(Work)

// Rows of an older version of the program are validated like any other external input.
const jobs = reader<Job>({
  id: integer("id"),
  work: { _tag: "Column", name: "work", expression: undefined, write: undefined, read: (stored) => decode(stored) },
  attempts: integer("attempts"),
  dueAt: time("due_at")
})

const at = (moment: string) => time("").write?.(moment)

/** Stores jobs in PostgreSQL. */
export const layerJobs = Layer.effect(
  JobStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(jobs.of("job"))
    const ofLane = (lane: Lane | undefined) => sql.literal(lane === undefined ? "" : `AND lane = '${lane}'`)
    const first = (rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
      rows[0] === undefined ? undefined : jobs.read(rows[0])
    const addMany = (works: ReadonlyArray<Work>, dueAt: string) => {
      const values = sql.csv(works.map((work) => sql`(${PgTypes.jsonb(work)}, ${at(dueAt)})`))
      return works.length === 0
        ? Effect.succeed([])
        : orDieSql(
            Effect.map(sql`INSERT INTO job (work, due_at) VALUES ${values} RETURNING ${all}`.values, (rows) =>
              rows.map((values) => jobs.read(values) as Job)
            )
          )
    }
    return {
      add: (work, dueAt) => Effect.map(addMany([work], dueAt), ([added]) => added as Job),
      addMany,
      take: (which, until) => {
        // Skips rows that another worker has locked, so that no worker waits and no two take the same job.
        const wanted =
          "id" in which
            ? sql`WHERE id = ${idParameter(which.id)}`
            : sql`WHERE due_at <= ${at(which.dueBy)} ${ofLane(which.lane)} ORDER BY due_at, id LIMIT 1`
        return orDieSql(
          Effect.map(
            sql`
              UPDATE job SET attempts = attempts + 1, due_at = ${at(until)}
              WHERE id = (SELECT id FROM job ${wanted} FOR UPDATE SKIP LOCKED)
              RETURNING ${all}`.values,
            first
          )
        )
      },
      finish: (id) => Effect.asVoid(orDieSql(sql`DELETE FROM job WHERE id = ${idParameter(id)}`)),
      putOff: (id, dueAt) =>
        Effect.asVoid(orDieSql(sql`UPDATE job SET due_at = ${at(dueAt)} WHERE id = ${idParameter(id)}`)),
      keep: ({ attempts, id }, work) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE job SET work = ${PgTypes.jsonb(work)}
              WHERE id = ${idParameter(id)} AND attempts = ${attempts} RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      countDue: (dueBy) =>
        orDieSql(
          Effect.map(
            sql`SELECT count(*)::int4 FROM (SELECT FROM job WHERE due_at <= ${at(dueBy)} LIMIT 1000) due`.values,
            ([row]) => row?.[0] as number
          )
        )
    }
  })
)

const notices = reader<Notice>({ id: integer("id"), text: text("text"), createdAt: time("created_at") })

/** Stores notices in PostgreSQL. */
export const layerNotices = Layer.effect(
  NoticeStore,
  Effect.map(SqlClient, (sql) => ({
    add: (text, createdAt) =>
      Effect.asVoid(
        orDieSql(sql`
          INSERT INTO notice (text, created_at) VALUES (${text}, ${at(createdAt)}) ON CONFLICT (text) DO NOTHING`)
      ),
    list: (page) =>
      countedPage(
        sql,
        notices,
        { table: "notice", from: sql`notice seen`, where: sql`true`, order: newestFirst },
        page
      ),
    remove: (id) =>
      orDieSql(
        Effect.map(sql`DELETE FROM notice WHERE id = ${idParameter(id)} RETURNING id`.values, (rows) => rows.length > 0)
      ),
    removeBefore: (moment) =>
      orDieSql(
        Effect.map(sql`DELETE FROM notice WHERE created_at < ${at(moment)} RETURNING id`.values, (rows) => rows.length)
      )
  }))
)
