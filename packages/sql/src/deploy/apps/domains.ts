import {
  type Claim,
  type Claimant,
  type ClaimantType,
  type DomainKey,
  DomainStore,
  instanceName
} from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { orDieSql } from "../../SqlErrors.ts"

interface ClaimRow {
  readonly domain: DomainKey
  readonly type: ClaimantType
  readonly uuid: string | null
  readonly name: string
}

const holderOf = ({ type, uuid }: ClaimRow): Claimant =>
  type === "instance" || uuid === null ? { type: "instance", uuid: null } : { type, uuid }

/**
 * Returns the statement that reads the claims on domains, with the current names of their owners.
 *
 * The statement passes the domains as one array, so that PostgreSQL caches one plan for any number of domains.
 */
export const claimsStatement = (sql: SqlClient, keys: ReadonlyArray<DomainKey>) => sql<ClaimRow>`
  SELECT
    domain_claim.domain_key AS domain,
    CASE
      WHEN domain_claim.application_uuid IS NOT NULL THEN 'application'
      WHEN domain_claim.service_uuid IS NOT NULL THEN 'service'
      ELSE 'instance'
    END AS type,
    coalesce(domain_claim.application_uuid, domain_claim.service_uuid) AS uuid,
    CASE
      WHEN domain_claim.application_uuid IS NOT NULL THEN coalesce(application.configuration ->> 'name', '')
      WHEN domain_claim.service_uuid IS NOT NULL THEN service.name
      ELSE ${instanceName}
    END AS name
  FROM unnest((SELECT ${keys}::text[])) AS sought (domain_key)
  JOIN domain_claim ON domain_claim.domain_key = sought.domain_key
  LEFT JOIN application ON application.uuid = domain_claim.application_uuid
  LEFT JOIN service ON service.uuid = domain_claim.service_uuid
  ORDER BY domain_claim.id`

// PostgreSQL has room for some thousand locks in all, and one request may name ten thousand domains: domains share
// locks, so unrelated requests may wait for each other, which is harmless.
const lockKind = 7_306
const locks = 1024

/** Returns the statement that locks domains in a fixed order, to avoid deadlocks between transactions. */
export const lockStatement = (sql: SqlClient, keys: ReadonlyArray<DomainKey>) => sql`
  SELECT pg_advisory_xact_lock(${lockKind}, number) FROM (
    SELECT DISTINCT (hashtextextended(domain_key, 0) & ${locks - 1})::integer AS number
    FROM unnest(${keys}::text[]) AS sought (domain_key)
    ORDER BY number
  ) numbers`

/** Stores in PostgreSQL which application, service or instance has claimed which domain. */
export const layerDomains = Layer.effect(
  DomainStore,
  Effect.map(SqlClient, (sql) => {
    const claimedBy = ({ type, uuid }: Claimant) =>
      type === "instance"
        ? sql`application_uuid IS NULL AND service_uuid IS NULL`
        : sql`${sql.literal(type === "application" ? "application_uuid" : "service_uuid")} = ${uuid}`
    return {
      lock: (keys) => (keys.length === 0 ? Effect.void : Effect.asVoid(orDieSql(lockStatement(sql, keys)))),
      claims: (keys) =>
        keys.length === 0
          ? Effect.succeed([])
          : Effect.map(orDieSql(claimsStatement(sql, [...new Set(keys)])), (rows) =>
              rows.map((row): Claim => ({ key: row.domain, holder: holderOf(row), holderName: row.name }))
            ),
      // An unchanged claim keeps its age; removed and added claims are disjoint.
      replace: (holder, keys) =>
        Effect.asVoid(
          orDieSql(sql`
            WITH wanted AS (
              SELECT domain_key, min(place) AS place
              FROM unnest(${[...keys]}::text[]) WITH ORDINALITY AS sought (domain_key, place)
              GROUP BY domain_key
            ), dropped AS (
              DELETE FROM domain_claim WHERE ${claimedBy(holder)} AND domain_key NOT IN (SELECT domain_key FROM wanted)
            )
            INSERT INTO domain_claim (domain_key, application_uuid, service_uuid)
            SELECT
              domain_key,
              ${holder.type === "application" ? holder.uuid : null}::text,
              ${holder.type === "service" ? holder.uuid : null}::text
            FROM wanted
            WHERE domain_key NOT IN (SELECT domain_key FROM domain_claim WHERE ${claimedBy(holder)})
            ORDER BY place`)
        )
    }
  })
)
