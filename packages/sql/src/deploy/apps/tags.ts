import { PgTypes } from "@effect/sql-pg"
import { nameKey } from "@slipway/domain"
import { type Tag, TagStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { integer, text } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable } from "../base/tables.ts"
import { ofTeam, visibleCollection } from "../base/visible.ts"

const tags = deployTable<Tag>("tag", { teamId: integer("team_id"), name: text("name") })

/** Stores tags and the tags of applications in PostgreSQL. */
export const layerTags = Layer.effect(
  TagStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, tags), ofTeam("tag.team_id"))
    return {
      ...collection,
      // In the order of the keys, so that no two transactions wait for each other's tags.
      ensure: (wanted) => {
        if (wanted.length === 0) return Effect.succeed([])
        const times = (name: "createdAt" | "updatedAt") => wanted.map((tag) => new Date(tag[name]))
        const team = PgTypes.int8(BigInt(wanted[0]?.teamId ?? 0))
        const keys = wanted.map((tag) => nameKey(tag.name))
        return Effect.andThen(
          orDieSql(sql`
            INSERT INTO tag (uuid, team_id, name, name_key, created_at, updated_at)
            SELECT uuid, ${team}, name, name_key, created_at, updated_at FROM unnest(
              ${wanted.map((tag) => tag.uuid)}::text[],
              ${wanted.map((tag) => tag.name)}::text[],
              ${keys}::text[],
              ${times("createdAt")}::timestamptz[],
              ${times("updatedAt")}::timestamptz[]
            ) WITH ORDINALITY AS wanted (uuid, name, name_key, created_at, updated_at, place)
            ORDER BY name_key COLLATE "C", place
            ON CONFLICT (team_id, name_key) DO NOTHING`),
          collection.select(sql`WHERE team_id = ${team} AND name_key = ANY (${keys}::text[]) ORDER BY id`)
        )
      },
      ofApplication: (owner) =>
        collection.select(sql`
          WHERE tag.id = ANY (ARRAY(
            SELECT tag_id FROM application_tag JOIN application ON application.id = application_id
            WHERE application.uuid = ${lookup(owner)}
            UNION ALL
            SELECT tag_id FROM database_tag JOIN database ON database.id = database_id
            WHERE database.uuid = ${lookup(owner)}
          ))
          ORDER BY tag.name_key`),
      attach: (owner, uuids) =>
        Effect.asVoid(
          orDieSql(sql`
            WITH wanted AS MATERIALIZED (
              SELECT id FROM tag WHERE uuid = ANY (${[...uuids]}::text[]) ORDER BY id
            ), of_application AS (
              INSERT INTO application_tag (tag_id, application_id)
              SELECT wanted.id, application.id FROM wanted, application WHERE application.uuid = ${owner}
              ORDER BY wanted.id
              ON CONFLICT DO NOTHING
            )
            INSERT INTO database_tag (tag_id, database_id)
            SELECT wanted.id, database.id FROM wanted, database WHERE database.uuid = ${owner}
            ORDER BY wanted.id
            ON CONFLICT DO NOTHING`)
        ),
      detach: (owner, tag) =>
        Effect.map(
          orDieSql(sql`
            WITH of_application AS (
              DELETE FROM application_tag USING tag, application
              WHERE tag_id = tag.id AND application_id = application.id
                AND tag.uuid = ${lookup(tag)} AND application.uuid = ${lookup(owner)}
              RETURNING tag_id
            ), of_database AS (
              DELETE FROM database_tag USING tag, database
              WHERE tag_id = tag.id AND database_id = database.id
                AND tag.uuid = ${lookup(tag)} AND database.uuid = ${lookup(owner)}
              RETURNING tag_id
            )
            SELECT tag_id FROM of_application UNION ALL SELECT tag_id FROM of_database`),
          (rows) => rows.length > 0
        )
    }
  })
)
