import { builtInRoles, type Capability } from "@slipway/domain/deploy/access"
import {
  type Grant,
  type GrantPlace,
  GrantStore,
  type Invitation,
  InvitationStore,
  type Role,
  RoleStore,
  type TeamId
} from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { integer, json, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable } from "../base/tables.ts"

const roles = deployTable<Role>("role", {
  teamId: integer("team_id"),
  name: text("name"),
  capabilities: json("capabilities")
})

const granted = {
  teamId: integer<TeamId>("team_id"),
  accountUuid: text<Grant["accountUuid"]>("account_uuid"),
  placeType: text<GrantPlace>("place_type"),
  placeUuid: nullable(text("place_uuid")),
  role: nullable(text<NonNullable<Grant["role"]>>("role")),
  roleUuid: nullable(text<NonNullable<Grant["roleUuid"]>>("role_uuid"))
}

const grants = deployTable<Grant>("role_grant", granted)
const invitations = deployTable<Invitation>("invitation", { ...granted, expiresAt: time("expires_at") })

/** Stores custom roles in PostgreSQL. */
export const layerRoles = Layer.effect(
  RoleStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, roles)
    return { ...collection, ofTeam: (team) => collection.select(sql`WHERE team_id = ${team} ORDER BY id`) }
  })
)

/** The teams and grants of an account, as one row. */
interface AccessRow {
  readonly is_disabled: boolean
  readonly is_root: boolean
  readonly teams: ReadonlyArray<TeamId>
  readonly grants: ReadonlyArray<{
    readonly teamId: TeamId
    readonly placeType: GrantPlace
    readonly placeUuid: string | null
    readonly role: keyof typeof builtInRoles | null
    readonly capabilities: ReadonlyArray<Capability> | null
  }>
}

/** Stores grants in PostgreSQL. */
export const layerGrants = Layer.effect(
  GrantStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, grants)
    return {
      ...collection,
      ofTeam: (team) => collection.select(sql`WHERE team_id = ${team} ORDER BY id`),
      accessOf: (account) =>
        orDieSql(
          Effect.map(
            sql<AccessRow>`
              SELECT is_disabled, is_root,
                (SELECT coalesce(json_agg(team_id ORDER BY team_id), '[]') FROM team_member
                  WHERE account_uuid = account.uuid) AS teams,
                (SELECT coalesce(json_agg(json_build_object(
                    'teamId', held.team_id, 'placeType', place_type, 'placeUuid', place_uuid, 'role', held.role,
                    'capabilities', role.capabilities
                  ) ORDER BY held.id), '[]')
                  FROM role_grant held LEFT JOIN role ON role.uuid = held.role_uuid
                  WHERE held.account_uuid = account.uuid) AS grants
              FROM account WHERE uuid = ${lookup(account)}`,
            ([row]) =>
              row && {
                isDisabled: row.is_disabled,
                isRoot: row.is_root,
                teams: row.teams,
                grants: row.grants.map(({ capabilities, placeType, placeUuid, role, teamId }) => ({
                  teamId,
                  placeType,
                  placeUuid,
                  capabilities: role === null ? (capabilities ?? []) : builtInRoles[role]
                }))
              }
          )
        )
    }
  })
)

/** Stores invitations in PostgreSQL. */
export const layerInvitations = Layer.effect(
  InvitationStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, invitations)
    return {
      ...collection,
      ofTeam: (team) => collection.select(sql`WHERE team_id = ${team} ORDER BY id`),
      ofAccount: (account) => collection.select(sql`WHERE account_uuid = ${lookup(account)} ORDER BY id`)
    }
  })
)
