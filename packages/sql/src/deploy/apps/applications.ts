import { nameKey } from "@slipway/domain"
import { type Application, ApplicationStore, type BuiltFrom } from "@slipway/domain/deploy/apps"
import { everything, type Visible } from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { boolean, json, nullable, text } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable, placement } from "../base/tables.ts"
import { ofPlacement, seenBy, visibleCollection } from "../base/visible.ts"

/** The SQL condition for the applications that lists contain. Lists omit the applications that belong to a service. */
const listed = "application.variant <> 'service'"

const applications = deployTable<Application>(
  "application",
  {
    variant: text("variant"),
    placement,
    forgeAppUuid: nullable(text("forge_app_uuid")),
    privateKeyUuid: nullable(text("private_key_uuid")),
    configuration: json("configuration"),
    secrets: json("secrets"),
    generatedDomain: nullable(text("generated_domain")),
    isDeclared: boolean("is_declared"),
    ownerUuid: nullable(text("owner_uuid"))
  },
  listed
)

/** Stores applications in PostgreSQL. */
export const layerApplications = Layer.effect(
  ApplicationStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, applications), ofPlacement("application"))
    const isSeen = (visible: Visible | undefined) =>
      visible === undefined || visible === everything
        ? sql`true`
        : sql`EXISTS (
            SELECT FROM application WHERE application.id = application_id
            AND ${seenBy(sql, ofPlacement("application"), visible)})`
    const tagged = (tag: string) => sql`(SELECT id FROM tag WHERE name_key = ${lookup(nameKey(tag))})`
    const ofRepository = ({ _tag, key }: NonNullable<BuiltFrom["repository"]>) => {
      const sought = lookup(key)
      const isSame =
        _tag === "Address"
          ? sql`repository_key = ${sought}::text`
          : sql`right(repository_key, length(${sought}::text) + 1) IN ('/' || ${sought}::text, ':' || ${sought}::text)`
      return sql`left(split_part(repository_key, '/', -1), 100) = left(split_part(${sought}::text, '/', -1), 100)
        AND ${isSame}`
    }
    const builtFrom = ({ privateKeyUuid: key, repository, tag }: BuiltFrom, visible: Visible | undefined) => {
      const isOfRepository = repository === undefined ? sql`true` : ofRepository(repository)
      const hasKey = key === undefined ? sql`true` : sql`private_key_uuid = ${lookup(key)}`
      const isTagged =
        tag === undefined
          ? sql`true`
          : sql`EXISTS (
              SELECT FROM application_tag WHERE application_id = application.id AND tag_id IN ${tagged(tag)})`
      return sql`${sql.literal(listed)} AND ${isOfRepository} AND ${hasKey} AND ${isTagged}
        AND ${seenBy(sql, ofPlacement("application"), visible)}`
    }
    const within = {
      Server: (uuid: string) => sql`server_uuid = ${lookup(uuid)}`,
      Project: (uuid: string) =>
        sql`environment_uuid IN (SELECT uuid FROM environment WHERE project_uuid = ${lookup(uuid)})`,
      Environment: (uuid: string) => sql`environment_uuid = ${lookup(uuid)}`
    } as const
    return {
      ...collection,
      placed: ({ _tag, uuid }, { after = 0, limit, skip = 0 }) =>
        collection.select(sql`
          WHERE ${within[_tag](uuid)}
          AND ${sql.literal(listed)} AND application.id > ${after} ORDER BY application.id LIMIT ${limit} OFFSET ${skip}`),
      ofForgeApps: (forgeApps, { after = 0, limit, skip = 0 }) =>
        collection.select(sql`
          WHERE forge_app_uuid = ANY(${forgeApps.map(lookup)}::text[])
          AND ${sql.literal(listed)} AND application.id > ${after} ORDER BY application.id LIMIT ${limit} OFFSET ${skip}`),
      tagged: (tag, { after = 0, limit, skip = 0 }, visible) =>
        collection.select(sql`
          JOIN (
            SELECT application_id FROM application_tag WHERE tag_id IN ${tagged(tag)} AND application_id > ${after}
            AND NOT EXISTS (SELECT FROM application service WHERE service.id = application_id AND service.variant = 'service')
            AND ${isSeen(visible)}
            ORDER BY application_id LIMIT ${limit} OFFSET ${skip}
          ) page ON application.id = page.application_id
          ORDER BY application.id`),
      builtFrom: (filter, { after = 0, limit, skip = 0 }, visible) =>
        collection.select(sql`
          WHERE ${builtFrom(filter, visible)} AND application.id > ${after}
          ORDER BY application.id LIMIT ${limit} OFFSET ${skip}`),
      countBuiltFrom: (filter, visible) =>
        orDieSql(
          Effect.map(
            sql`SELECT count(*)::float8 FROM application WHERE ${builtFrom(filter, visible)}`.values,
            ([counted]) => Number(counted?.[0])
          )
        ),
      named: (uuids, tags, limit) =>
        collection.select(sql`
          WHERE application.id IN (
            SELECT id FROM application WHERE uuid = ANY(${uuids.map(lookup)}::text[])
            UNION
            SELECT application_id FROM application_tag
            WHERE tag_id IN (SELECT id FROM tag WHERE name_key = ANY(${tags.map((tag) => lookup(nameKey(tag)))}::text[]))
          ) ORDER BY application.id LIMIT ${limit}`),
      countTagged: (tag, visible) =>
        orDieSql(
          Effect.map(
            visible === undefined || visible === everything
              ? sql`
                SELECT coalesce(sum(amount), 0)::float8 - (
                  SELECT count(*) FROM application service JOIN application_tag ON application_id = service.id
                  WHERE service.variant = 'service' AND tag_id IN ${tagged(tag)}
                ) FROM scope_count
                WHERE kind = 'application_tag'
                  AND scope IN (SELECT id::text FROM tag WHERE name_key = ${lookup(nameKey(tag))})`.values
              : sql`
                SELECT count(DISTINCT application.id)::float8 FROM application_tag
                JOIN application ON application.id = application_id
                WHERE tag_id IN ${tagged(tag)} AND ${sql.literal(listed)}
                  AND ${seenBy(sql, ofPlacement("application"), visible)}`.values,
            ([counted]) => Number(counted?.[0])
          )
        )
    }
  })
)
