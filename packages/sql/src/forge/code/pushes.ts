import { PgTypes } from "@effect/sql-pg"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type Push, PushedRef, type PushId, PushStore } from "@slipway/domain/forge/code"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { boolean, integer, json, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { countedPage, newestFirst } from "../base/pages.ts"
import { reader } from "../base/rows.ts"
import { idParameter } from "../identity/units.ts"

const decodeRefs = Schema.decodeUnknownSync(Schema.Array(PushedRef))

const pushes = reader<Push>({
  id: integer<PushId>("id"),
  repositoryId: integer<RepositoryId>("repository_id"),
  at: time("at"),
  refs: { ...json<Push["refs"]>("refs"), read: (stored) => decodeRefs(stored) },
  size: integer("size"),
  event: json<Push["event"]>("event"),
  settled: boolean("settled")
})

/** Stores pushes in PostgreSQL. */
export const layerPushes = Layer.effect(
  PushStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(pushes.of("push"))
    const first = (rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
      rows[0] === undefined ? undefined : pushes.read(rows[0])
    return {
      begin: (push) =>
        orDieSql(
          Effect.map(
            sql`
              INSERT INTO push (repository_id, at, refs, size, event)
              VALUES (${idParameter(push.repositoryId)}, ${time("").write?.(push.at)}, ${PgTypes.jsonb(push.refs)},
                ${idParameter(push.size)}, ${PgTypes.jsonb(push.event)})
              RETURNING ${all}`.values,
            (rows) => first(rows) as Push
          )
        ),
      find: (id) => orDieSql(Effect.map(sql`SELECT ${all} FROM push WHERE id = ${idParameter(id)}`.values, first)),
      settle: (id, changed) =>
        orDieSql(
          Effect.map(
            sql`
              UPDATE push SET settled = true, refs = (
                SELECT coalesce(jsonb_agg(each.part ORDER BY each.place), '[]'::jsonb)
                FROM jsonb_array_elements(push.refs) WITH ORDINALITY AS each (part, place)
                WHERE jsonb_exists(${PgTypes.jsonb(changed)}, each.part ->> 'ref')
              )
              WHERE id = ${idParameter(id)} AND NOT settled RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      pending: (repository) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT coalesce(sum(size), 0)::float8 FROM push
              WHERE repository_id = ${idParameter(repository)} AND NOT settled`.values,
            ([row]) => row?.[0] as number
          )
        ),
      followed: (id) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT DISTINCT part ->> 'ref'
              FROM push, jsonb_array_elements(push.refs) AS part
              WHERE push.id = ${idParameter(id)} AND EXISTS (
                SELECT 1 FROM push later, jsonb_array_elements(later.refs) AS next
                WHERE later.repository_id = push.repository_id AND later.id > push.id
                  AND next ->> 'ref' = part ->> 'ref' AND next -> 'before' = part -> 'after'
              )`.values,
            (rows) => rows.map(([ref]) => ref as string)
          )
        ),
      isChanging: (repository, ref) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT 1 FROM push, jsonb_array_elements(push.refs) AS part
              WHERE push.repository_id = ${idParameter(repository)} AND NOT push.settled AND part ->> 'ref' = ${ref}
              LIMIT 1`.values,
            (rows) => rows.length > 0
          )
        ),
      list: (repository, page) =>
        countedPage(
          sql,
          pushes,
          {
            table: "push",
            from: sql`push seen`,
            where: sql`seen.repository_id = ${idParameter(repository)} AND seen.settled AND seen.refs <> '[]'::jsonb`,
            order: newestFirst
          },
          page
        )
    }
  })
)
