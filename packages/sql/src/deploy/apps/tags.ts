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
      ofApplication: (application) =>
        collection.select(sql`
          JOIN application_tag ON application_tag.tag_id = tag.id
          JOIN application ON application.id = application_tag.application_id
          WHERE application.uuid = ${lookup(application)}
          ORDER BY tag.name_key`),
      attach: (application, uuids) =>
        Effect.asVoid(
          orDieSql(sql`
            INSERT INTO application_tag (tag_id, application_id)
            SELECT tag.id, application.id FROM tag, application
            WHERE tag.uuid = ANY (${[...uuids]}::text[]) AND application.uuid = ${application}
            ORDER BY tag.id
            ON CONFLICT DO NOTHING`)
        ),
      detach: (application, tag) =>
        Effect.map(
          orDieSql(sql`
            DELETE FROM application_tag USING tag, application
            WHERE tag_id = tag.id AND application_id = application.id
              AND tag.uuid = ${lookup(tag)} AND application.uuid = ${lookup(application)}
            RETURNING tag_id`),
          (rows) => rows.length > 0
        )
    }
  })
)
