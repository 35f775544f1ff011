import type { Caller } from "@slipway/domain/deploy/entry"
import {
  type Account,
  type AccountUuid,
  accountAccess,
  type Grant,
  GrantStore,
  GroupStore,
  type GroupWithMembers,
  type HeldGrant,
  RoleStore,
  type TeamId
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { heldGrant } from "../administration/grants/capabilities.ts"

/** A grant to an account or to one of its groups, with its role. */
export interface MemberGrant {
  readonly grant: Grant
  /** The group that has the grant; undefined for a grant to the account itself. */
  readonly group: GroupWithMembers | undefined
  /** The name of the role. */
  readonly role: string
  readonly held: HeldGrant
}

/** Returns the grants of a team by account, oldest first; it reads each list once. */
export const memberGrants = Effect.fnUntraced(function* (teamId: TeamId) {
  const grants = yield* (yield* GrantStore).ofTeam(teamId)
  const groups = new Map((yield* (yield* GroupStore).ofTeam(teamId)).map((each) => [each.uuid, each]))
  const roles = new Map((yield* (yield* RoleStore).ofTeam(teamId)).map((each) => [each.uuid, each]))
  const byAccount = new Map<AccountUuid, Array<MemberGrant>>()
  for (const grant of grants) {
    const { accountUuid, groupUuid, role, roleUuid } = grant
    const custom = roleUuid === null ? undefined : roles.get(roleUuid)
    const held = heldGrant(grant, custom === undefined ? [] : [custom])
    const group = groupUuid === null ? undefined : groups.get(groupUuid)
    const named = { grant, group, role: role ?? custom?.name ?? "", held }
    for (const account of accountUuid === null ? (group?.members ?? []) : [accountUuid]) {
      const earlier = byAccount.get(account)
      if (earlier === undefined) byAccount.set(account, [named])
      else earlier.push(named)
    }
  }
  return byAccount as ReadonlyMap<AccountUuid, ReadonlyArray<MemberGrant>>
})

/** Returns an account with grants in a team as a caller with every ability; the teams are those that it belongs to. */
export const memberCaller = (
  account: Account,
  teamId: TeamId,
  {
    grants,
    isRoot = account.isRoot,
    teams = [teamId]
  }: {
    readonly grants: ReadonlyArray<HeldGrant>
    readonly isRoot?: boolean
    readonly teams?: ReadonlyArray<TeamId>
  }
): Caller => ({
  tokenUuid: "",
  abilities: ["root"],
  accountUuid: account.uuid,
  account,
  access: accountAccess({ isRoot, teams, grants }, teamId)
})
