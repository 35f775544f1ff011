import { assert } from "@effect/vitest"
import { levelWord } from "@slipway/access"
import { unitKeys } from "@slipway/domain/forge/access"
import type { EffectiveAccess, Levels } from "@slipway/domain/forge/explanation"
import { Entry } from "@slipway/forge/entry"
import { AccessPreview, EffectiveAccesses } from "@slipway/forge/explanation"
import { Effect } from "effect"
import { all } from "../../builders.ts"
import { answer, authorizeAbout, basic, enter, equal, mayAbout, type Scenario, type Sent } from "../support.ts"

import {
  type Attempt,
  addTeamMember,
  attempts,
  deleteTeam,
  editTeam,
  olga,
  removeOrganizationMember,
  removingMember,
  teamRepository
} from "./attempts.ts"
import {
  everyLevel,
  everyResource,
  fixture,
  formatLevels,
  hasStoredAccess,
  repositories,
  users,
  world
} from "./fixture.ts"

const changeText = (change: AccessPreview.Change): readonly [string, string] => {
  const who = change.who.kind === "user" ? change.who.user.name : change.who.audience
  const { name, owner } = change.repository
  const step = (at: "before" | "after") =>
    JSON.stringify([
      levelWord(change.permission[at]),
      ...unitKeys.flatMap((unit) => {
        const each = change.units[unit]
        return each === undefined ? [] : [`${unit} ${levelWord(each[at])}`]
      })
    ])
  return [`${who} ${owner.name}/${name}`, `${step("before")} ${step("after")}`]
}

const difference = (before: Levels | undefined, after: Levels | undefined): string => {
  const at = (one: Levels | undefined, other: Levels | undefined) =>
    JSON.stringify([
      levelWord(one?.permission ?? 0),
      ...unitKeys.flatMap((unit) =>
        one?.units[unit] === other?.units[unit] ? [] : [`${unit} ${levelWord(one?.units[unit] ?? 0)}`]
      )
    ])
  return `${at(before, after)} ${at(after, before)}`
}

const audiences: ReadonlyArray<string> = AccessPreview.audiences

const tellsWhatHappens = Object.fromEntries(
  attempts.map(({ act, named, preview, says }) => [
    says,
    Effect.gen(function* () {
      yield* fixture
      // The first sign-in is recorded.
      for (const sent of [olga, basic("eve")]) yield* enter(sent)
      const before = yield* everyResource
      const changes: Array<readonly [string, string]> = []
      const first = yield* preview({ page: 1, perPage: 5 })
      for (let page = 1; (page - 1) * 5 < (first.total ?? 0); page++) {
        changes.push(...(yield* preview({ page, perPage: 5 })).rows.map(changeText))
      }
      assert.deepStrictEqual(yield* everyResource, before, "a preview changes nothing")
      yield* act
      const after = yield* everyLevel
      const happened = [...after].flatMap(([key, levels]) => {
        const was = before[1].get(key)
        if (was !== undefined && formatLevels(was) === formatLevels(levels)) return []
        const [who = "", path = ""] = key.split(" ")
        const isTold = audiences.includes(who) ? named !== undefined : named === undefined || named(who, path)
        if (!isTold) {
          assert.isFalse(hasStoredAccess(who, path), `${who} has no stored access`)
          return []
        }
        return [[key, difference(was, levels)] as const]
      })
      equal(new Map(changes), new Map(happened))
      equal(changes.length, happened.length)
    })
  ])
)

const accessOf = ({ permission, repository, units, user }: EffectiveAccess) => [
  `${user.name} ${repository.owner.name}/${repository.name}`,
  formatLevels({
    permission,
    units: Object.fromEntries(Object.entries(units).map(([unit, { level }]) => [unit, level]))
  })
]

const ofUser = (organization: string, name: string, sent: Sent = olga) =>
  Effect.flatMap(mayAbout("organization.member.access", { kind: "organization", organization }, sent), (proof) =>
    EffectiveAccesses.ofUser(proof, name, all)
  )

const tellsEffectiveAccess = Effect.gen(function* () {
  yield* fixture
  const levels = yield* everyLevel
  for (const organization of world.organizations.keys()) {
    for (const name of users.filter((each) => each !== "pia" || organization === "acme")) {
      const { rows, total } = yield* ofUser(organization, name)
      const expected = repositories
        .filter((path) => path.startsWith(`${organization}/`))
        .map((path) => `${name} ${path}`)
        .filter((key) => (levels.get(key)?.permission ?? 0) > 0)
        .map((key) => [key, formatLevels(levels.get(key) as Levels)])
      equal(rows.map(accessOf), expected)
      equal(total, expected.length)
      // Each level has a source, and a disabled unit has none.
      for (const { units } of rows) {
        for (const each of Object.values(units)) assert.isAbove(each.by.length, 0)
      }
      for (const path of repositories.filter((each) => each.startsWith(`${organization}/`))) {
        const [owner = "", repository = ""] = path.split("/")
        const entered = yield* authorizeAbout(basic(name), { kind: "repository", owner, repository })
        const reads = yield* Effect.isSuccess(Entry.authorize("repository.read", entered as never))
        equal([name, path, reads], [name, path, rows.some((row) => row.repository.name === repository)])
      }
    }
  }
  equal(yield* answer(ofUser("hush", "pia")), "UserNotFound pia")
  equal(yield* answer(ofUser("hush", "nobody")), "UserNotFound nobody")
  equal(yield* answer(ofUser("acme", "bob", basic("bob"))), "403 Must be an organization owner")
})

const tellsWhy = Effect.gen(function* () {
  yield* fixture
  const why = Effect.fnUntraced(function* (name: string, repository: string) {
    const { rows } = yield* ofUser("acme", name)
    const [row] = rows.filter((each) => each.repository.name === repository)
    return Object.fromEntries(
      Object.entries(row?.units ?? {}).map(([unit, { by, level }]) => [
        unit.slice(5),
        `${levelWord(level)} by ${by.map(({ rule, teams }) => [rule.slice(11), ...teams].join(" ")).join(", ")}`
      ])
    )
  })
  equal(yield* why("bob", "vault"), { code: "write by team builders", issues: "read by team builders" })
  equal(yield* why("cy", "shed"), {})
  const cy = yield* why("cy", "vault")
  equal(
    [cy.code, cy.wiki, cy.ext_wiki],
    [
      "admin by team-admin keepers, team keepers",
      "admin by team-admin keepers, team keepers",
      "read by team-admin keepers, team keepers"
    ]
  )
  equal((yield* why("omar", "vault")).code, "admin by organization-owner Owners")
  equal((yield* why("cleo", "site")).pulls, "write by collaborator")
  equal((yield* why("eve", "site")).code, "read by public")
  equal((yield* why("ann", "vault")).code, "admin by site-admin")
})

const tellsWho = Effect.gen(function* () {
  yield* fixture
  const levels = yield* everyLevel
  for (const path of repositories) {
    const [owner = "", repository = ""] = path.split("/")
    const sent = owner === "eve" ? basic("eve") : olga
    const proof = yield* mayAbout("repository.access.list", { kind: "repository", owner, repository }, sent)
    const { rows, total } = yield* EffectiveAccesses.ofRepository(proof, all)
    const held = world.teams.filter(
      (team) => team.organization === owner && (team.repositories === "all" || team.repositories.includes(repository))
    )
    const people = users.filter(
      (name) =>
        name === owner ||
        world.repositories.some((each) => `${each.owner}/${each.name}` === path && each.collaborators.has(name)) ||
        held.some((team) => team.members.includes(name)) ||
        world.teams.some((team) => team.organization === owner && team.owners && team.members.includes(name))
    )
    equal(
      rows.map(accessOf),
      people.toSorted().map((name) => [`${name} ${path}`, formatLevels(levels.get(`${name} ${path}`) as Levels)])
    )
    equal(total, rows.length)
  }
  const about = { kind: "repository", owner: "acme", repository: "vault" } as const
  equal(
    yield* answer(mayAbout("repository.access.list", about, basic("bob"))),
    "403 user should be an owner or a collaborator with admin write of a repository"
  )
  // An administrator of a repository who doesn't own it sees only visible users.
  const proof = yield* mayAbout("repository.access.list", about, basic("cy"))
  equal(
    (yield* EffectiveAccesses.ofRepository(proof, all)).rows.map(({ user }) => user.name),
    ["bob", "cy", "olga", "omar", "rex"]
  )
})

const refusesEqually = Effect.gen(function* () {
  yield* fixture
  const refused: ReadonlyArray<Attempt> = [
    deleteTeam("acme/Owners"),
    removingMember("inner/Owners", "olga"),
    removingMember("acme/builders", "nobody"),
    addTeamMember("acme/builders", "nobody"),
    removeOrganizationMember("inner", "olga"),
    editTeam("acme/builders", { permission: "owner" }),
    editTeam("acme/Owners", { visibility: "public" }),
    teamRepository("team.repository.add", "acme/builders", "hush/plot"),
    teamRepository("team.repository.remove", "acme/readers", "acme/site")
  ]
  for (const { act, preview, says } of refused) {
    const previewed = yield* answer(preview(all))
    equal([says, previewed], [says, yield* answer(act)])
    assert.typeOf(previewed, "string")
  }
})

/** Tests of access reports, and of previews of permission changes. */
export const effectiveAccess: Scenario = {
  port: "effective access",
  musts: {
    "lists a user's access in an organization, equal to the decisions on requests": tellsEffectiveAccess,
    "names the rules and the teams that grant each level": tellsWhy,
    "lists who can access a repository, for its owners and administrators": tellsWho,
    "previews the effect of a change without changing anything": tellsWhatHappens,
    "rejects the same changes in a preview as in the real request": refusesEqually
  }
}
