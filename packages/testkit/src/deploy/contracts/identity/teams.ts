import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { EnvironmentStore, ProjectStore } from "@slipway/domain/deploy/apps"
import {
  AccountStore,
  type AccountUuid,
  AuditStore,
  GrantStore,
  GroupStore,
  InvitationStore,
  type NewAuditRecord,
  RoleStore,
  rootTeam,
  TeamId,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { S3StorageStore, TeamNotificationStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import { moment, newAccount, newEnvironment, newProject, newS3Storage, uuidOf } from "../../builders.ts"
import { newGrant, newGroup, newInvitation, newRole, newTeam } from "../../people.ts"

const account = (n: number) => Effect.flatMap(AccountStore, (store) => store.insert(newAccount(n)))
const joined = (teamId: TeamId, accountUuid: AccountUuid, n: number) => ({ teamId, accountUuid, createdAt: moment(n) })
const missing = TeamId.make(404)

/** Contract tests of the store of teams. Every implementation must pass them. */
export const teams: Contract<Stores> = {
  port: "TeamStore",
  musts: {
    "return the root team before any other is created": Effect.gen(function* () {
      const store = yield* TeamStore
      const root = (yield* store.find(rootTeam)) ?? assert.fail("no root team")
      assert.deepStrictEqual([Number(root.id), root.name, root.tokenDays], [0, "Slipway", null])
      assert.deepStrictEqual(yield* store.list, [root])
      assert.deepStrictEqual(yield* store.lock(rootTeam), root)
      assert.isUndefined(yield* store.find(missing))
      assert.isUndefined(yield* store.lock(missing))
    }),
    "assign ids above 0 to new teams, in the order of insertion": Effect.gen(function* () {
      const store = yield* TeamStore
      const one = yield* store.insert(newTeam(1, { tokenDays: 30 }))
      const two = yield* store.insert(newTeam(2))
      assert.isAbove(one.id, 0)
      assert.isAbove(two.id, one.id)
      assert.deepStrictEqual(one, { ...newTeam(1, { tokenDays: 30 }), id: one.id })
      assert.deepStrictEqual(yield* store.find(two.id), { ...newTeam(2), id: two.id })
    }),
    "list every team, or those of an account, by id": Effect.gen(function* () {
      const store = yield* TeamStore
      const [one, two] = [yield* store.insert(newTeam(1)), yield* store.insert(newTeam(2))]
      const [ann, bob] = [yield* account(1), yield* account(2)]
      yield* store.addMember(joined(two.id, ann.uuid, 1))
      yield* store.addMember(joined(rootTeam, ann.uuid, 2))
      yield* store.addMember(joined(one.id, bob.uuid, 3))
      const ids = (rows: ReadonlyArray<{ readonly id: TeamId }>) => rows.map(({ id }) => id)
      assert.deepStrictEqual(ids(yield* store.list), [rootTeam, one.id, two.id])
      assert.deepStrictEqual(ids(yield* store.ofAccount(ann.uuid)), [rootTeam, two.id])
      assert.deepStrictEqual(ids(yield* store.ofAccount(uuidOf("account", 404))), [])
    }),
    "replace a team, and report when it is missing": Effect.gen(function* () {
      const store = yield* TeamStore
      const team = yield* store.insert(newTeam(1))
      const changed = { ...team, name: "another", description: "x", tokenDays: 7, updatedAt: moment(9) }
      assert.isTrue(yield* store.replace(changed))
      assert.deepStrictEqual(yield* store.find(team.id), changed)
      const root = (yield* store.find(rootTeam)) ?? assert.fail("no root team")
      assert.isTrue(yield* store.replace({ ...root, name: "Acme" }))
      assert.strictEqual((yield* store.find(rootTeam))?.name, "Acme")
      yield* store.replace(root)
      assert.isFalse(yield* store.replace({ ...team, id: missing }))
    }),
    "remove a team with its members, roles, grants, invitations and channels, unless resources belong to it":
      Effect.gen(function* () {
        const store = yield* TeamStore
        const team = yield* store.insert(newTeam(1))
        const ann = yield* account(1)
        yield* store.addMember(joined(team.id, ann.uuid, 1))
        const role = yield* (yield* RoleStore).insert(newRole(1, { teamId: team.id }))
        const grant = yield* (yield* GrantStore).insert(newGrant(1, ann, { teamId: team.id }))
        yield* (yield* InvitationStore).insert(newInvitation(1, ann, { teamId: team.id }))
        const otherRole = yield* (yield* RoleStore).insert(newRole(2))
        const projects = yield* ProjectStore
        const project = yield* projects.insert(newProject(1, { teamId: team.id }))
        assert.strictEqual((yield* Effect.flip(store.remove(team.id))).by, "project")
        assert.deepStrictEqual(yield* (yield* GrantStore).find(grant.uuid), grant)
        yield* projects.remove(project.uuid)
        const storages = yield* S3StorageStore
        const storage = yield* storages.insert(newS3Storage(1, { teamId: team.id }))
        assert.strictEqual((yield* Effect.flip(store.remove(team.id))).by, "s3Storage")
        yield* storages.remove(storage.uuid)
        const notifications = yield* TeamNotificationStore
        const stored = { teamId: team.id, channel: "slack", values: {}, secrets: {}, updatedAt: moment(1) } as const
        yield* notifications.write(stored)
        assert.isTrue(yield* store.remove(team.id))
        assert.deepStrictEqual(yield* notifications.settings(team.id), [])
        assert.isUndefined(yield* (yield* RoleStore).find(role.uuid))
        assert.deepStrictEqual(yield* (yield* GrantStore).ofTeam(team.id), [])
        assert.deepStrictEqual(yield* (yield* InvitationStore).ofTeam(team.id), [])
        assert.deepStrictEqual(yield* store.members(team.id), [])
        assert.deepStrictEqual(yield* (yield* RoleStore).find(otherRole.uuid), otherRole)
        assert.isFalse(yield* store.remove(team.id))
      }),
    "block changes to a locked team by other transactions until this one ends": Effect.gen(function* () {
      const store = yield* TeamStore
      const { run } = yield* Transaction
      const team = yield* store.insert(newTeam(1))
      const renamed = (suffix: string) =>
        Effect.gen(function* () {
          const present = (yield* store.lock(team.id)) ?? assert.fail("no team")
          yield* store.replace({ ...present, name: `${present.name}${suffix}` })
        })
      yield* runInTurn(store.list, (held) => run(Effect.tap(renamed(" one"), () => held)), run(renamed(" two")))
      assert.strictEqual((yield* store.find(team.id))?.name, "team 1 one two")
    }),
    "add an account to a team once": Effect.gen(function* () {
      const store = yield* TeamStore
      const [ann, bob] = [yield* account(1), yield* account(2)]
      assert.isTrue(yield* store.addMember(joined(rootTeam, bob.uuid, 1)))
      assert.isTrue(yield* store.addMember(joined(rootTeam, ann.uuid, 2)))
      assert.isFalse(yield* store.addMember(joined(rootTeam, bob.uuid, 3)))
      assert.deepStrictEqual(yield* store.members(rootTeam), [bob, ann])
      assert.deepStrictEqual(yield* store.members(missing), [])
    }),
    "remove a member with its grants in that team, and report when it was none": Effect.gen(function* () {
      const store = yield* TeamStore
      const team = yield* store.insert(newTeam(1))
      const [ann, bob] = [yield* account(1), yield* account(2)]
      for (const [teamId, { uuid }] of [
        [rootTeam, ann],
        [team.id, ann],
        [team.id, bob]
      ] as const) {
        yield* store.addMember(joined(teamId, uuid, 1))
      }
      const grants = yield* GrantStore
      yield* grants.insert(newGrant(1, ann, { teamId: team.id }))
      const other = yield* grants.insert(newGrant(2, ann))
      const theirs = yield* grants.insert(newGrant(3, bob, { teamId: team.id }))
      assert.isTrue(yield* store.removeMember(team.id, ann.uuid))
      assert.deepStrictEqual(yield* store.members(team.id), [bob])
      assert.deepStrictEqual(yield* grants.ofTeam(team.id), [theirs])
      assert.deepStrictEqual(yield* grants.ofTeam(rootTeam), [other])
      assert.isFalse(yield* store.removeMember(team.id, ann.uuid))
      assert.isFalse(yield* store.removeMember(team.id, uuidOf("account", 404)))
    }),
    "remove the memberships of a removed account": Effect.gen(function* () {
      const store = yield* TeamStore
      const ann = yield* account(1)
      yield* store.addMember(joined(rootTeam, ann.uuid, 1))
      yield* (yield* AccountStore).remove(ann.uuid)
      assert.deepStrictEqual(yield* store.members(rootTeam), [])
    })
  }
}

/** Contract tests of the store of custom roles, in addition to the contract of every collection. */
export const roles: Contract<Stores> = {
  port: "RoleStore",
  musts: {
    "list only the roles of the given team, in the order of insertion": Effect.gen(function* () {
      const store = yield* RoleStore
      const team = yield* (yield* TeamStore).insert(newTeam(1))
      const two = yield* store.insert(newRole(2, { teamId: team.id }))
      yield* store.insert(newRole(3))
      const one = yield* store.insert(newRole(1, { teamId: team.id, name: "role 3" }))
      assert.deepStrictEqual(yield* store.ofTeam(team.id), [two, one])
      assert.deepStrictEqual(yield* store.ofTeam(missing), [])
    })
  }
}

/** Contract tests of the store of invitations, in addition to the contract of every collection. */
export const invitations: Contract<Stores> = {
  port: "InvitationStore",
  musts: {
    "list only the invitations of the given team, in the order of insertion": Effect.gen(function* () {
      const store = yield* InvitationStore
      const team = yield* (yield* TeamStore).insert(newTeam(1))
      const ann = yield* account(1)
      const two = yield* store.insert(newInvitation(2, ann, { teamId: team.id }))
      yield* store.insert(newInvitation(3, ann))
      const one = yield* store.insert(newInvitation(1, ann, { teamId: team.id }))
      assert.deepStrictEqual(yield* store.ofTeam(team.id), [two, one])
    }),
    "list only the invitations of the given account, in the order of insertion": Effect.gen(function* () {
      const store = yield* InvitationStore
      const [ann, bob] = [yield* account(1), yield* account(2)]
      const two = yield* store.insert(newInvitation(2, ann))
      yield* store.insert(newInvitation(3, bob))
      const one = yield* store.insert(newInvitation(1, ann))
      assert.deepStrictEqual(yield* store.ofAccount(ann.uuid), [two, one])
      assert.deepStrictEqual(yield* store.ofAccount(uuidOf("account", 404)), [])
    })
  }
}

/** Contract tests of the store of grants, in addition to the contract of every collection. */
export const grants: Contract<Stores> = {
  port: "GrantStore",
  musts: {
    "list only the grants of the given team, in the order of insertion": Effect.gen(function* () {
      const store = yield* GrantStore
      const team = yield* (yield* TeamStore).insert(newTeam(1))
      const ann = yield* account(1)
      const two = yield* store.insert(newGrant(2, ann, { teamId: team.id }))
      yield* store.insert(newGrant(3, ann))
      const one = yield* store.insert(newGrant(1, ann, { teamId: team.id }))
      assert.deepStrictEqual(yield* store.ofTeam(team.id), [two, one])
    }),
    "return the teams of an account and its grants with their capabilities in one call": Effect.gen(function* () {
      const store = yield* GrantStore
      const members = yield* TeamStore
      const team = yield* members.insert(newTeam(1))
      const ann = yield* (yield* AccountStore).insert(newAccount(1, { isRoot: true }))
      const bob = yield* (yield* AccountStore).insert(newAccount(2, { isDisabled: true }))
      const project = yield* (yield* ProjectStore).insert(newProject(1))
      const role = yield* (yield* RoleStore).insert(newRole(1, { capabilities: ["operate", "members"] }))
      yield* members.addMember(joined(team.id, ann.uuid, 1))
      yield* members.addMember(joined(rootTeam, ann.uuid, 2))
      yield* store.insert(
        newGrant(1, ann, { placeType: "project", placeUuid: project.uuid, role: null, roleUuid: role.uuid })
      )
      yield* store.insert(newGrant(2, bob))
      yield* store.insert(newGrant(3, ann, { teamId: team.id, role: "deployer" }))
      assert.deepStrictEqual(yield* store.accessOf(ann.uuid), {
        isDisabled: false,
        isRoot: true,
        teams: [rootTeam, team.id],
        grants: [
          { teamId: rootTeam, placeType: "project", placeUuid: project.uuid, capabilities: ["operate", "members"] },
          { teamId: team.id, placeType: "team", placeUuid: null, capabilities: ["view", "operate"] }
        ]
      })
      assert.deepStrictEqual(yield* store.accessOf(bob.uuid), {
        isDisabled: true,
        isRoot: false,
        teams: [],
        grants: [{ teamId: rootTeam, placeType: "team", placeUuid: null, capabilities: ["view"] }]
      })
    }),
    "return the grants of the groups of an account after its own": Effect.gen(function* () {
      const store = yield* GrantStore
      const groupStore = yield* GroupStore
      const [ann, bob] = [yield* account(1), yield* account(2)]
      const role = yield* (yield* RoleStore).insert(newRole(1, { capabilities: ["operate"] }))
      const [one, two] = [yield* groupStore.insert(newGroup(1)), yield* groupStore.insert(newGroup(2))]
      for (const { uuid } of [ann, bob]) yield* (yield* TeamStore).addMember(joined(rootTeam, uuid, 1))
      yield* groupStore.addMember({ groupUuid: one.uuid, teamId: rootTeam, accountUuid: ann.uuid })
      yield* groupStore.addMember({ groupUuid: two.uuid, teamId: rootTeam, accountUuid: bob.uuid })
      const ofGroup = { accountUuid: null, groupUuid: one.uuid }
      yield* store.insert(newGrant(1, ann, { ...ofGroup, role: null, roleUuid: role.uuid }))
      yield* store.insert(newGrant(2, ann, { accountUuid: null, groupUuid: two.uuid, role: "admin" }))
      yield* store.insert(newGrant(3, ann))
      const on = { teamId: rootTeam, placeType: "team", placeUuid: null } as const
      assert.deepStrictEqual((yield* store.accessOf(ann.uuid))?.grants, [
        { ...on, capabilities: ["view"] },
        { ...on, capabilities: ["operate"] }
      ])
      assert.strictEqual((yield* store.accessOf(bob.uuid))?.grants.length, 1)
    }),
    "return nothing for a missing account": Effect.gen(function* () {
      const store = yield* GrantStore
      for (const uuid of [uuidOf<AccountUuid>("account", 404), "" as AccountUuid, "\0" as AccountUuid]) {
        assert.isUndefined(yield* store.accessOf(uuid))
      }
    }),
    "remove the grants of a removed place, role or account": Effect.gen(function* () {
      const store = yield* GrantStore
      const [ann, bob] = [yield* account(1), yield* account(2)]
      const project = yield* (yield* ProjectStore).insert(newProject(1))
      const environment = yield* (yield* EnvironmentStore).insert(newEnvironment(1, project))
      const role = yield* (yield* RoleStore).insert(newRole(1))
      const teamGrant = yield* store.insert(newGrant(1, ann))
      yield* store.insert(newGrant(2, ann, { placeType: "environment", placeUuid: environment.uuid }))
      yield* store.insert(newGrant(3, ann, { placeType: "project", placeUuid: project.uuid }))
      yield* store.insert(newGrant(4, ann, { role: null, roleUuid: role.uuid }))
      yield* store.insert(newGrant(5, bob))
      const left = Effect.map(store.ofTeam(rootTeam), (rows) => rows.length)
      // A project is removed with its environments.
      yield* (yield* ProjectStore).remove(project.uuid)
      assert.strictEqual(yield* left, 3)
      yield* (yield* RoleStore).remove(role.uuid)
      assert.strictEqual(yield* left, 2)
      yield* (yield* AccountStore).remove(bob.uuid)
      assert.deepStrictEqual(yield* store.ofTeam(rootTeam), [teamGrant])
    })
  }
}

const recorded = (n: number, facts?: Partial<NewAuditRecord>): NewAuditRecord => ({
  teamId: rootTeam,
  at: moment(n),
  outcome: "done",
  action: "grant.create",
  accountUuid: null,
  tokenUuid: uuidOf("token", n),
  object: null,
  detail: `record ${n}`,
  ...facts
})

/** Contract tests of the store of the audit log. Every implementation must pass them. */
export const audit: Contract<Stores> = {
  port: "AuditStore",
  musts: {
    "list only records of the given team, the newest first": Effect.gen(function* () {
      const store = yield* AuditStore
      yield* store.append(recorded(1, { accountUuid: uuidOf("account", 1), object: "thing 🚀" }), 10)
      yield* store.append(recorded(2, { teamId: missing }), 10)
      yield* store.append(recorded(3), 10)
      const rows = yield* store.list({ teamId: rootTeam, limit: 10 })
      assert.deepStrictEqual(
        rows.map(({ id: _, ...row }) => row),
        [recorded(3), recorded(1, { accountUuid: uuidOf("account", 1), object: "thing 🚀" })]
      )
      assert.deepStrictEqual(yield* store.list({ teamId: rootTeam, limit: 10, before: rows[0]?.id }), rows.slice(1))
      assert.deepStrictEqual(yield* store.list({ teamId: rootTeam, limit: 1 }), rows.slice(0, 1))
    }),
    "list only records with the given outcome": Effect.gen(function* () {
      const store = yield* AuditStore
      for (const [n, outcome] of [
        [1, "done"],
        [2, "denied"],
        [3, "done"]
      ] as const) {
        yield* store.append(recorded(n, { outcome }), 10)
      }
      const details = (outcome: "denied" | "done") =>
        Effect.map(store.list({ teamId: rootTeam, outcome, limit: 10 }), (rows) => rows.map(({ detail }) => detail))
      assert.deepStrictEqual(yield* details("done"), ["record 3", "record 1"])
      assert.deepStrictEqual(yield* details("denied"), ["record 2"])
    }),
    "keep only the newest records of each team": Effect.gen(function* () {
      const store = yield* AuditStore
      yield* store.append(recorded(1, { teamId: missing }), 2)
      for (const n of [2, 3, 4, 5]) yield* store.append(recorded(n), 2)
      const details = (teamId: TeamId) =>
        Effect.map(store.list({ teamId, limit: 10 }), (rows) => rows.map(({ detail }) => detail))
      assert.deepStrictEqual(yield* details(rootTeam), ["record 5", "record 4"])
      assert.deepStrictEqual(yield* details(missing), ["record 1"])
    })
  }
}
