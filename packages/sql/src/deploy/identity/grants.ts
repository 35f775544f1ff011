import {
  type AccountGroup,
  type AccountUuid,
  type Grant,
  type GrantPlace,
  GrantStore,
  GroupStore,
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
import { type AccessRow, accessIn, grantsOfAccount, teamsOfAccount } from "./access.ts"

const roles = deployTable<Role>("role", {
  teamId: integer("team_id"),
  name: text("name"),
  capabilities: json("capabilities")
})

const granted = {
  teamId: integer<TeamId>("team_id"),
  accountUuid: text<AccountUuid>("account_uuid"),
  placeType: text<GrantPlace>("place_type"),
  placeUuid: nullable(text("place_uuid")),
  role: nullable(text<NonNullable<Grant["role"]>>("role")),
  roleUuid: nullable(text<NonNullable<Grant["roleUuid"]>>("role_uuid"))
}

const grants = deployTable<Grant>("role_grant", {
  ...granted,
  accountUuid: nullable(granted.accountUuid),
  groupUuid: nullable(text<NonNullable<Grant["groupUuid"]>>("group_uuid"))
})
const groups = deployTable<AccountGroup>("account_group", {
  teamId: integer<TeamId>("team_id"),
  name: text("name")
})
const invitations = deployTable<Invitation>("invitation", { ...granted, expiresAt: time("expires_at") })

/** Stores custom roles in PostgreSQL. */
export const layerRoles = Layer.effect(
  RoleStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, roles)
    return { ...collection, ofTeam: (team) => collection.select(sql`WHERE team_id = ${team} ORDER BY id`) }
  })
)

/** Stores grants (permissions of accounts and groups on resources) in PostgreSQL. */
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
              SELECT is_disabled, is_root, ${sql.literal(teamsOfAccount)} AS teams, ${sql.literal(grantsOfAccount)} AS grants
              FROM account WHERE uuid = ${lookup(account)}`,
            ([row]) => row && accessIn(row)
          )
        )
    }
  })
)

interface GroupRow {
  readonly uuid: AccountGroup["uuid"]
  readonly members: ReadonlyArray<AccountUuid>
}

/** Stores groups of accounts in PostgreSQL. */
export const layerGroups = Layer.effect(
  GroupStore,
  Effect.map(SqlClient, (sql) => {
    const collection = makeCollection(sql, groups)
    return {
      ...collection,
      ofTeam: (team) =>
        Effect.gen(function* () {
          const rows = yield* collection.select(sql`WHERE team_id = ${team} ORDER BY id`)
          if (rows.length === 0) return []
          const found = yield* orDieSql(sql<GroupRow>`
            SELECT group_uuid AS uuid, json_agg(account_uuid ORDER BY id) AS members FROM account_group_member
            WHERE team_id = ${team} GROUP BY group_uuid`)
          const members = new Map(found.map((row) => [row.uuid, row.members]))
          return rows.map((row) => ({ ...row, members: members.get(row.uuid) ?? [] }))
        }),
      addMember: ({ accountUuid, groupUuid, teamId }) =>
        orDieSql(
          Effect.map(
            sql`
              INSERT INTO account_group_member (group_uuid, team_id, account_uuid)
              SELECT ${lookup(groupUuid)}, team_id, account_uuid FROM team_member
              WHERE team_id = ${teamId} AND account_uuid = ${lookup(accountUuid)}
              ON CONFLICT DO NOTHING RETURNING id`.values,
            (rows) => rows.length > 0
          )
        ),
      removeMember: ({ accountUuid, groupUuid }) =>
        orDieSql(
          Effect.map(
            sql`
              DELETE FROM account_group_member
              WHERE group_uuid = ${lookup(groupUuid)} AND account_uuid = ${lookup(accountUuid)} RETURNING id`.values,
            (rows) => rows.length > 0
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
