import type { Placement } from "@slipway/domain/deploy/apps"
import { AccountStore, GrantStore, GroupStore, rootTeam, TeamStore, TokenStore } from "@slipway/domain/deploy/identity"
import { hashOf } from "@slipway/domain/sign-in"
import { moment, newAccount, newGrant, newGroup, newToken } from "@slipway/testkit/deploy"
import { Effect } from "effect"

/** The plain text of a token of the root team with the ability `root`. */
export const rootToken = "1|root-token-of-the-benchmark"
/** The plain text of a token of a team member with direct grants and grants through a group. */
export const memberToken = "2|member-token-of-the-benchmark"

/** Creates a root token, and a team member with three grants and a token. */
export const seedCallers = Effect.fnUntraced(function* (places: ReadonlyArray<Placement>) {
  const account = yield* (yield* AccountStore).insert(newAccount(1))
  const member = { teamId: rootTeam, accountUuid: account.uuid }
  yield* (yield* TeamStore).addMember({ ...member, createdAt: moment(1) })
  const groups = yield* GroupStore
  const group = yield* groups.insert(newGroup(1))
  yield* groups.addMember({ ...member, groupUuid: group.uuid })
  const grants = yield* GrantStore
  yield* grants.insert(newGrant(1, account))
  const [place] = places
  if (place === undefined) return yield* Effect.die(new Error("there is no place"))
  const inProject = { placeType: "project", placeUuid: place.projectUuid } as const
  yield* grants.insert(newGrant(2, account, { ...inProject, role: "developer" }))
  yield* grants.insert(
    newGrant(3, account, { ...inProject, role: "deployer", accountUuid: null, groupUuid: group.uuid })
  )
  const tokens = yield* TokenStore
  yield* tokens.insert(newToken(1, { abilities: ["root"], hash: yield* hashOf(rootToken) }))
  yield* tokens.insert(
    newToken(2, { abilities: ["read"], accountUuid: account.uuid, hash: yield* hashOf(memberToken) })
  )
})
