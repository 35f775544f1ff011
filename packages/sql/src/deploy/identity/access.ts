import { builtInRoles, type Capability } from "@slipway/domain/deploy/access"
import type { AccountAccess, GrantPlace, TeamId } from "@slipway/domain/deploy/identity"

/** The columns of an account that decide on its access: its teams and its grants. */
export interface AccessRow {
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

/** The SQL expression for the ids of the teams of an account. Uses the current row of the table `account`. */
export const teamsOfAccount = `(
  SELECT coalesce(json_agg(team_id ORDER BY team_id), '[]') FROM team_member WHERE account_uuid = account.uuid)`

/**
 * The SQL expression for the grants of an account: its own grants, then those of its groups. Uses the current row of
 * the table `account`.
 */
export const grantsOfAccount = `(
  SELECT coalesce(json_agg(json_build_object(
      'teamId', held.team_id, 'placeType', place_type, 'placeUuid', place_uuid, 'role', held.role,
      'capabilities', role.capabilities
    ) ORDER BY held.is_of_group, held.id), '[]')
  FROM (
    SELECT own.*, false AS is_of_group FROM role_grant own WHERE own.account_uuid = account.uuid
    UNION ALL
    SELECT shared.*, true FROM account_group_member
    JOIN role_grant shared ON shared.group_uuid = account_group_member.group_uuid
    WHERE account_group_member.account_uuid = account.uuid
  ) held LEFT JOIN role ON role.uuid = held.role_uuid)`

/** Converts a row to the access of an account. */
export const accessIn = ({ grants, is_disabled, is_root, teams }: AccessRow): AccountAccess => ({
  isDisabled: is_disabled,
  isRoot: is_root,
  teams,
  grants: grants.map(({ capabilities, placeType, placeUuid, role, teamId }) => ({
    teamId,
    placeType,
    placeUuid,
    capabilities: role === null ? (capabilities ?? []) : builtInRoles[role]
  }))
})
