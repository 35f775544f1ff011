import { describe, expect, it } from "@effect/vitest"
import { Level } from "@slipway/access"
import { newSiteSwitches } from "../../../src/forge/access/facts/defaultFacts.ts"
import { fullScope, scopeOf } from "../../../src/forge/access/facts/Scope.ts"
import type { RepositoryId } from "../../../src/forge/base/names/repositoryId.ts"
import {
  type DecidingRow,
  noRepositoryGrants,
  type RepositoryGrants,
  type RepositoryWithGrants,
  repositoryFacts
} from "../../../src/forge/code/repositories/grants.ts"
import { switchesBut } from "../../../src/forge/code/repositories/switches.ts"
import { levelsFor, levelsOf } from "../../../src/forge/explanation/effective-access/EffectiveAccess.ts"
import { callerFacts } from "../../../src/forge/identity/actors/Actor.ts"
import type { OrganizationId } from "../../../src/forge/identity/organizations/Organization.ts"
import type { User, UserId } from "../../../src/forge/identity/users/User.ts"

const flags = {
  admin: false,
  restricted: false,
  secondFactor: false,
  active: true,
  prohibited: false,
  mustChangePassword: false,
  awaitsApproval: false,
  mayCreateOrganizations: true,
  mayEditGitHooks: false
}
// Other fields of a user have no effect.
const user = (id: number, more: Partial<typeof flags> = {}) => ({ id, ...flags, ...more }) as unknown as User
const how = { withPassword: false, sudo: false }

describe("the facts of callers", () => {
  const facts = callerFacts(user(1), fullScope, how)

  it("are the same object for callers with equal facts", () => {
    expect(callerFacts(user(2), fullScope, { ...how })).toBe(facts)
  })

  it.each([
    ["admin", "siteAdmin"],
    ["restricted", "restricted"],
    ["secondFactor", "secondFactor"],
    ["active", "active"],
    ["awaitsApproval", "awaitsApproval"],
    ["prohibited", "prohibited"],
    ["mustChangePassword", "mustChangePassword"],
    ["mayCreateOrganizations", "mayCreateOrganizations"],
    ["mayEditGitHooks", "mayEditGitHooks"]
  ] as const)("with a changed user field `%s` differ only in the fact `%s`", (flag, fact) => {
    expect(callerFacts(user(1, { [flag]: !flags[flag] }), fullScope, how)).toEqual({ ...facts, [fact]: !flags[flag] })
  })

  it("depend on the sign-in method and on the scope", () => {
    expect(callerFacts(user(1), fullScope, { ...how, withPassword: true })).toEqual({ ...facts, withPassword: true })
    expect(callerFacts(user(1), fullScope, { ...how, sudo: true })).toEqual({ ...facts, sudo: true })
    expect(callerFacts(user(1), scopeOf(["read:user"]), how)).toMatchObject({ scopeUser: 1, scopeRepository: 0 })
  })
})

const units = switchesBut()
const withoutCode = switchesBut("repo.code")
const member = { ...noRepositoryGrants, membership: { member: true, owner: false } }
const heldGrants: ReadonlyArray<RepositoryGrants> = [
  noRepositoryGrants,
  { ...noRepositoryGrants, collaborator: Level.write },
  { ...member, membership: { member: true, owner: true } },
  { ...member, teams: { "repo.issues": Level.write } },
  { ...member, teamAdmin: true }
]
const owners = [
  { kind: "user", id: 1 as UserId },
  { kind: "user", id: 2 as UserId },
  { kind: "organization", id: 1 as OrganizationId }
] as const
const both = [false, true]
/** Rows with every deciding field. The type requires new fields to be varied here. */
const deciding: ReadonlyArray<DecidingRow> = heldGrants.flatMap((grants) =>
  owners.flatMap((owner) =>
    (["public", "limited", "private"] as const).flatMap((visibility) =>
      [units, withoutCode].flatMap((units) =>
        both.flatMap((archived) =>
          both.flatMap((mirror) =>
            both.map((isPrivate) => ({
              grants,
              repository: {
                id: 7 as RepositoryId,
                archived,
                mirror,
                private: isPrivate,
                units,
                owner: { ...owner, visibility }
              }
            }))
          )
        )
      )
    )
  )
)

describe("levels on repositories", () => {
  const grants = noRepositoryGrants
  const held = (more: object, owner: object = {}): RepositoryWithGrants =>
    ({
      grants,
      repository: {
        private: false,
        archived: false,
        mirror: false,
        units,
        owner: { kind: "user", id: 1, visibility: "public", ...owner },
        ...more
      }
    }) as unknown as RepositoryWithGrants
  const levelOf = (id: number, row: RepositoryWithGrants) =>
    levelsFor({ actor: { facts: callerFacts(user(id), fullScope, how), userId: id } } as never, newSiteSwitches)(row)
      .permission

  it("can differ for two users with the same facts object", () => {
    for (let round = 0; round < 2; round++) {
      expect(levelOf(1, held({}))).toBe(Level.owner)
      expect(levelOf(2, held({}))).toBe(Level.read)
      expect(levelOf(1, held({ private: true }))).toBe(Level.owner)
      expect(levelOf(2, held({ private: true }))).toBe(Level.none)
      expect(levelOf(2, held({}, { visibility: "private" }))).toBe(Level.none)
      expect(levelOf(2, { ...held({ private: true }), grants: { ...grants, collaborator: Level.write } })).toBe(
        Level.write
      )
    }
  })

  it("match the facts of each row, independently of earlier decisions", () => {
    for (const row of deciding) {
      const people = [1 as UserId, 2 as UserId].map((id) => ({
        facts: callerFacts(user(id), fullScope, how),
        userId: id
      }))
      const tasks = (
        [
          [7, 1],
          [7, 2],
          [8, 2]
        ] as const
      ).map(([id, level]) => ({
        facts: callerFacts(user(3), fullScope, { ...how, job: true }),
        userId: 3 as UserId,
        task: { jobId: 1, repositoryId: id as RepositoryId, level }
      }))
      for (const viewer of [...people, ...tasks]) {
        const found = row as unknown as RepositoryWithGrants
        expect(levelsFor({ actor: viewer } as never, newSiteSwitches)(found)).toEqual(
          levelsOf(repositoryFacts(viewer, newSiteSwitches, found))
        )
      }
    }
  })

  it("stay correct when more different rows are decided than the cache holds", () => {
    const collaborator = (level: Level) => ({ ...held({ private: true }), grants: { ...grants, collaborator: level } })
    for (let row = 0; row < 100; row++) {
      expect(levelOf(2, collaborator(Level.admin))).toBe(Level.admin)
      expect(levelOf(2, collaborator(Level.none))).toBe(Level.none)
    }
  })
})
