import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import {
  AccountStore,
  type AccountUuid,
  GrantStore,
  GroupStore,
  rootTeam,
  TeamId,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { moment, newAccount, uuidOf } from "../../builders.ts"
import { newGrant, newGroup, newTeam } from "../../people.ts"

const account = (n: number) => Effect.flatMap(AccountStore, (store) => store.insert(newAccount(n)))
const joined = (teamId: TeamId, accountUuid: AccountUuid, n: number) => ({ teamId, accountUuid, createdAt: moment(n) })
const missing = TeamId.make(404)

/** Contract tests of the store of account groups, in addition to the contract of every collection. */
export const groups: Contract<Stores> = {
  port: "GroupStore",
  musts: {
    "list only the groups of the given team with their members, both in the order of insertion": Effect.gen(
      function* () {
        const store = yield* GroupStore
        const team = yield* (yield* TeamStore).insert(newTeam(1))
        const [ann, bob] = [yield* account(1), yield* account(2)]
        for (const { uuid } of [ann, bob]) yield* (yield* TeamStore).addMember(joined(team.id, uuid, 1))
        const two = yield* store.insert(newGroup(2, { teamId: team.id }))
        yield* store.insert(newGroup(3))
        const one = yield* store.insert(newGroup(1, { teamId: team.id }))
        for (const { uuid } of [bob, ann]) {
          yield* store.addMember({ groupUuid: one.uuid, teamId: team.id, accountUuid: uuid })
        }
        assert.deepStrictEqual(yield* store.ofTeam(team.id), [
          { ...two, members: [] },
          { ...one, members: [bob.uuid, ann.uuid] }
        ])
        assert.deepStrictEqual(yield* store.ofTeam(missing), [])
      }
    ),
    "add an account to a group once, and only a member of the team": Effect.gen(function* () {
      const store = yield* GroupStore
      const ann = yield* account(1)
      const group = yield* store.insert(newGroup(1))
      const member = { groupUuid: group.uuid, teamId: rootTeam, accountUuid: ann.uuid }
      assert.isFalse(yield* store.addMember(member))
      yield* (yield* TeamStore).addMember(joined(rootTeam, ann.uuid, 1))
      assert.isTrue(yield* store.addMember(member))
      assert.isFalse(yield* store.addMember(member))
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [{ ...group, members: [ann.uuid] }])
    }),
    "remove an account from a group, and report when it was none": Effect.gen(function* () {
      const store = yield* GroupStore
      const ann = yield* account(1)
      yield* (yield* TeamStore).addMember(joined(rootTeam, ann.uuid, 1))
      const [one, two] = [yield* store.insert(newGroup(1)), yield* store.insert(newGroup(2))]
      for (const { uuid } of [one, two]) {
        yield* store.addMember({ groupUuid: uuid, teamId: rootTeam, accountUuid: ann.uuid })
      }
      const member = { groupUuid: one.uuid, accountUuid: ann.uuid }
      assert.isTrue(yield* store.removeMember(member))
      assert.isFalse(yield* store.removeMember(member))
      assert.isFalse(yield* store.removeMember({ ...member, accountUuid: uuidOf("account", 404) }))
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [
        { ...one, members: [] },
        { ...two, members: [ann.uuid] }
      ])
    }),
    "remove an account that leaves the team, or is removed, from its groups": Effect.gen(function* () {
      const store = yield* GroupStore
      const members = yield* TeamStore
      const [ann, bob] = [yield* account(1), yield* account(2)]
      const group = yield* store.insert(newGroup(1))
      for (const { uuid } of [ann, bob]) {
        yield* members.addMember(joined(rootTeam, uuid, 1))
        yield* store.addMember({ groupUuid: group.uuid, teamId: rootTeam, accountUuid: uuid })
      }
      yield* members.removeMember(rootTeam, ann.uuid)
      yield* members.addMember(joined(rootTeam, ann.uuid, 2))
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [{ ...group, members: [bob.uuid] }])
      yield* (yield* AccountStore).remove(bob.uuid)
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [{ ...group, members: [] }])
    }),
    "remove the memberships and grants of a removed group": Effect.gen(function* () {
      const store = yield* GroupStore
      const grants = yield* GrantStore
      const ann = yield* account(1)
      yield* (yield* TeamStore).addMember(joined(rootTeam, ann.uuid, 1))
      const group = yield* store.insert(newGroup(1))
      yield* store.addMember({ groupUuid: group.uuid, teamId: rootTeam, accountUuid: ann.uuid })
      const grant = yield* grants.insert(newGrant(1, ann))
      yield* grants.insert(newGrant(2, ann, { accountUuid: null, groupUuid: group.uuid, role: "owner" }))
      yield* store.remove(group.uuid)
      assert.deepStrictEqual(yield* grants.ofTeam(rootTeam), [grant])
      assert.deepStrictEqual((yield* grants.accessOf(ann.uuid))?.grants.length, 1)
      // The same uuid starts without members.
      yield* store.insert(newGroup(1))
      assert.deepStrictEqual((yield* store.ofTeam(rootTeam))[0]?.members, [])
    })
  }
}
