import { toSql } from "@slipway/access"
import { nameKey } from "@slipway/domain"
import {
  type AvatarName,
  type NewOrganization,
  type Organization,
  type OrganizationId,
  OrganizationStore,
  organizationSettings,
  type UserId,
  type Viewer,
  visibleOrganizations
} from "@slipway/domain/forge/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { integer, nullable, text, time } from "../../collection/columns.ts"
import { settingColumns } from "../../owned/table.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { byName, countedPage } from "../base/pages.ts"
import { readAll, reader, writer } from "../base/rows.ts"
import { containingItself } from "../base/trigrams.ts"
import { userParameter } from "./accounts.ts"
import { memberships } from "./grants.ts"
import { ownerRows } from "./owners.ts"

const set = {
  ...settingColumns(organizationSettings),
  updatedAt: time("updated_at")
}

const createdAt = time("created_at")

/** Reads organizations from column values. */
export const organizationReader = reader<Organization>({
  id: integer<OrganizationId>("id"),
  name: text("name"),
  ...set,
  avatar: nullable(text<AvatarName>("avatar")),
  createdAt
})

/**
 * Returns the SQL source of organizations, with the alias `seen`, and the condition that a viewer can see them.
 *
 * `source` provides the columns of each row. `of` is a user who is a member of all organizations of the source.
 */
const seenOrganizations = (
  sql: SqlClient,
  viewer: Viewer,
  list: Parameters<typeof visibleOrganizations>[1],
  source: Fragment = sql`organization`,
  of?: UserId
) => {
  const { member, owner } = memberships(sql, viewer)
  return {
    from: sql`(
      SELECT each.*, each.visibility AS "organizationVisibility",
        ${of !== undefined && viewer.userId === of ? sql`true` : sql`each.id IN ${member}`} AS "organizationMember",
        each.id IN ${owner} AS "organizationOwner"
      FROM ${source} each
    ) seen`,
    where: sql.literal(toSql(visibleOrganizations(viewer, list), "seen"))
  }
}

/** Stores organizations in PostgreSQL. */
export const layerOrganizations = Layer.effect(
  OrganizationStore,
  Effect.map(SqlClient, (sql) => {
    const { all, columns, named, nameTaken, parameters, store, taking } = ownerRows(
      sql,
      "organization",
      organizationReader,
      writer(set)
    )
    const insert = ({ name, ...row }: NewOrganization) => sql`
      WITH ${taking(name)}
      INSERT INTO organization (id, name, name_key, created_at, ${columns})
      SELECT organization_id, ${name}, ${nameKey(name)}, ${createdAt.write?.(row.createdAt)}, ${parameters(row)} FROM taken
      RETURNING ${all}`

    return {
      ...store,
      insert: (row) =>
        orDieSql(
          Effect.flatMap(insert(row).values, ([values]) => {
            const inserted = values === undefined ? undefined : organizationReader.read(values)
            return inserted === undefined ? Effect.fail(nameTaken) : Effect.succeed(inserted)
          })
        ),
      findMany: (ids) =>
        ids.length === 0
          ? Effect.succeed(new Map())
          : orDieSql(
              Effect.map(
                sql`SELECT ${all} FROM organization WHERE id = ANY(${[...new Set(ids)].map(String)}::bigint[])`.values,
                (rows) => new Map(readAll(organizationReader)(rows).map((row) => [row.id, row]))
              )
            ),
      named: (name) => Effect.map(named(name), (found) => found && { organization: found.row, renamed: found.renamed }),
      directory: (viewer, page, text = "") => {
        const { from, where } = seenOrganizations(sql, viewer, "organizationDirectory")
        const matching = text === "" ? where : sql.and([where, containingItself(sql, ["seen.name_key"], text)])
        return countedPage(
          sql,
          organizationReader,
          { table: "organization", from, where: matching, order: byName },
          page
        )
      },
      ofUser: (viewer, user, { concealedToo }, page) => {
        // The sort key, and the facts that decide who sees an organization, are columns of each membership.
        const { from, where } = seenOrganizations(
          sql,
          viewer,
          "organization",
          sql`(
            SELECT organization_id AS id, organization_key AS name_key, organization_visibility AS visibility
            FROM team_member WHERE user_id = ${userParameter(user)}::bigint
          )`,
          user
        )
        const known = sql`seen.id IN (
          SELECT public_membership.organization_id FROM public_membership
          WHERE public_membership.user_id = ${userParameter(user)}::bigint
        )`
        const insider = viewer.facts.publicOnly ? sql`false` : sql`seen."organizationMember"`
        return countedPage(
          sql,
          organizationReader,
          {
            table: "organization",
            from,
            where: sql`${where} AND ${concealedToo ? sql`true` : sql`(${insider} OR ${known})`}`,
            order: { by: [...byName.by, ["seen.id", "bigint"]] },
            // A member may be in more than one of its teams.
            repeats: true
          },
          page
        )
      },
      lockOwnedAlone: (user) =>
        orDieSql(
          Effect.andThen(
            sql`
              SELECT id FROM organization WHERE id IN ${memberships(sql, { userId: user }).owner}
              ORDER BY id FOR NO KEY UPDATE`,
            Effect.map(
              sql`
                SELECT ${all} FROM organization
                WHERE id IN ${memberships(sql, { userId: user }).owner} AND NOT EXISTS (
                  SELECT FROM team JOIN team_member ON team_member.team_id = team.id
                  WHERE team.organization_id = organization.id AND team.owners
                    AND team_member.user_id <> ${userParameter(user)}
                )
                ORDER BY name_key`.values,
              readAll(organizationReader)
            )
          )
        )
    }
  })
)
