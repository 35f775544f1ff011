import type { New } from "@slipway/domain"
import {
  type Account,
  type AccountGroup,
  type Grant,
  type Invitation,
  type NewTeam,
  type Role,
  type RoleUuid,
  rootTeam
} from "@slipway/domain/deploy/identity"
import { type Build, moment, stamps, uuidOf } from "./builders.ts"

/** Makes test team number `n`. */
export const newTeam = (n: number, facts?: Partial<NewTeam>): NewTeam => ({
  name: `team ${n}`,
  description: `the team ${n}`,
  tokenDays: null,
  ...stamps(n),
  ...facts
})

/** Makes test role number `n`, a custom role. */
export const newRole: Build<New<Role>> = (n, facts) => ({
  uuid: uuidOf("role", n),
  teamId: rootTeam,
  name: `role ${n}`,
  capabilities: ["view", "operate"],
  ...stamps(n),
  ...facts
})

/** Makes test group number `n`, a group of accounts. */
export const newGroup: Build<New<AccountGroup>> = (n, facts) => ({
  uuid: uuidOf("accountGroup", n),
  teamId: rootTeam,
  name: `group ${n}`,
  ...stamps(n),
  ...facts
})

/** Makes test grant number `n`: an account gets the role `viewer` on the root team. */
export const newGrant = (n: number, of: Pick<Account, "uuid">, facts?: Partial<New<Grant>>): New<Grant> => ({
  uuid: uuidOf("roleGrant", n),
  teamId: rootTeam,
  accountUuid: of.uuid,
  groupUuid: null,
  placeType: "team",
  placeUuid: null,
  role: "viewer",
  roleUuid: null,
  ...stamps(n),
  ...facts
})

/** Makes test invitation number `n`: an account is invited to the root team. */
export const newInvitation = (
  n: number,
  of: Pick<Account, "uuid">,
  facts?: Partial<New<Invitation>>
): New<Invitation> => ({
  uuid: uuidOf("invitation", n),
  teamId: rootTeam,
  accountUuid: of.uuid,
  placeType: "team",
  placeUuid: null,
  role: "deployer",
  roleUuid: null,
  expiresAt: moment(n + 100),
  ...stamps(n),
  ...facts
})

/**
 * Returns the place and the role of a grant in a random test. Unless the name is `a`, the place is a project. If the
 * name is `b`, the role is a custom role.
 */
export const grantedOn = (
  name: string,
  parent: number
): Partial<Pick<Grant, "placeType" | "placeUuid" | "role" | "roleUuid">> => ({
  ...(name === "a" ? {} : { placeType: "project" as const, placeUuid: uuidOf<string>("project", parent) }),
  ...(name === "b" ? { role: null, roleUuid: uuidOf<RoleUuid>("role", parent) } : {})
})
