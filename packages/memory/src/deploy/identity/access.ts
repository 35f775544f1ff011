import { builtInRoles } from "@slipway/domain/deploy/access"
import type { AccountAccess, AccountUuid } from "@slipway/domain/deploy/identity"
import type { Snapshot } from "../../Database.ts"
import type { Tables } from "../base/tables.ts"

const all = { limit: Number.POSITIVE_INFINITY }

/** Returns the teams and grants of an account; undefined if the account does not exist. */
export const accessIn = (
  { account, groupMember, member, role, roleGrant }: Tables["Service"],
  snapshot: Snapshot,
  uuid: AccountUuid
): AccountAccess | undefined => {
  const found = account.find(snapshot, uuid)
  if (found === undefined) return undefined
  const mine = <R extends { readonly accountUuid: string | null }>(rows: ReadonlyArray<R>) =>
    rows.filter(({ accountUuid }) => accountUuid === uuid)
  const groups = mine(groupMember.list(snapshot, all)).map(({ groupUuid }) => groupUuid)
  const grants = roleGrant.list(snapshot, all)
  const shared = grants.filter(({ groupUuid }) => groupUuid !== null && groups.includes(groupUuid))
  return {
    isDisabled: found.isDisabled,
    isRoot: found.isRoot,
    teams: mine(member.list(snapshot, all))
      .map(({ teamId }) => teamId)
      .toSorted((one, other) => one - other),
    grants: [...mine(grants), ...shared].map(({ placeType, placeUuid, role: builtIn, roleUuid, teamId }) => ({
      teamId,
      placeType,
      placeUuid,
      capabilities:
        builtIn === null
          ? ((roleUuid === null ? undefined : role.find(snapshot, roleUuid))?.capabilities ?? [])
          : builtInRoles[builtIn]
    }))
  }
}
