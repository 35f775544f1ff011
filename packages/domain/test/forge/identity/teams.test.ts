import { describe, expect, it } from "@effect/vitest"
import { Level, type LevelWord, levels, levelWord } from "@slipway/access"
import { everyUnit, maxLevel, type Unit, type Units, unitKeys } from "@slipway/domain/forge/access"
import {
  levelInOrganization,
  permissionOf,
  teamNameProblem,
  type UnitsInput,
  unitsMapOf,
  unitsOf,
  unitsOfEditedTeam,
  unitsOfNewTeam
} from "@slipway/domain/forge/identity"
import { Result } from "effect"
import { isThorough, isTried } from "../../../../../scripts/vitest/runs.ts"

const shown = (units: Units) => {
  const team = { owners: false, units }
  return { permission: permissionOf(team), units: unitsOf(team), unitsMap: unitsMapOf(team) }
}
const created = (input: UnitsInput) => Result.getOrThrow(unitsOfNewTeam(input))
const edited = (before: Units, input: UnitsInput) => Result.getOrThrow(unitsOfEditedTeam(before, input))
const problem = (result: Result.Result<unknown, { readonly _tag: string; readonly field?: string }>) =>
  Result.isFailure(result) ? [result.failure._tag, result.failure.field] : undefined

/** A regular run tries a share of the quarter million maps. The share is odd, so each unit gets different levels. */
const share = 25

/** All maps of the ten units to their possible levels, or the share of this run. */
function* everyMap(): Generator<{ [U in Unit]?: Level }> {
  const choices = unitKeys.map((unit) => levels.filter((level) => level <= maxLevel(unit) && level < Level.owner))
  const count = choices.reduce((product, { length }) => product * length, 1)
  for (let place = 0; place < count; place++) {
    if (!isTried(share, place)) continue
    const map: { [U in Unit]?: Level } = {}
    let rest = place
    for (const [n, unit] of unitKeys.entries()) {
      const choice = choices[n] ?? []
      map[unit] = choice[rest % choice.length] ?? Level.none
      rest = Math.floor(rest / choice.length)
    }
    yield map
  }
}

const same = (one: Units, other: Units) => unitKeys.every((unit) => (one[unit] ?? 0) === (other[unit] ?? 0))

describe("the units of a team, from create to read to edit to read", () => {
  it("stay the same for all combinations of levels on all ten units", () => {
    let count = 0
    for (const map of everyMap()) {
      count += 1
      const words = Object.fromEntries(unitKeys.map((unit) => [unit, levelWord(map[unit] ?? 0)]))
      const stored = created({ permission: "read", unitsMap: words })
      const { permission, units, unitsMap } = shown(stored)
      const whole = edited(stored, { permission, units, unitsMap })
      if (
        !same(stored, map) ||
        !same(whole, map) ||
        edited(stored, {}) !== stored ||
        !same(edited(stored, { unitsMap }), map)
      ) {
        expect.unreachable(JSON.stringify({ map, stored, whole }))
      }
    }
    expect(count).toBe(Math.ceil((4 ** 8 * 2 ** 2) / (isThorough ? 1 : share)))
  })

  it("report the lowest level as permission, `admin` at the maximum, and `none` without units", () => {
    expect(shown(created({ unitsMap: { "repo.code": "write", "repo.wiki": "read", "repo.pulls": "none" } }))).toEqual({
      permission: "read",
      units: ["repo.code", "repo.wiki"],
      unitsMap: { "repo.code": "write", "repo.wiki": "read" }
    })
    expect(shown({}).permission).toBe("none")
    expect(shown(everyUnit(Level.admin)).permission).toBe("admin")
  })
})

describe("a new team (rule 1 of the specification)", () => {
  it("gets every unit at admin level, external ones at read", () => {
    const { unitsMap } = shown(created({ permission: "admin", unitsMap: { "repo.code": "read" } }))
    for (const unit of unitKeys) expect(unitsMap[unit]).toBe(unit.startsWith("repo.ext_") ? "read" : "admin")
    expect(Object.keys(unitsMap)).toHaveLength(10)
  })

  it("gets its units from the map if one is sent, else from the list of units at the permission's level", () => {
    const units = ["repo.code", "repo.ext_wiki"]
    expect(created({ permission: "write", units })).toEqual({ "repo.code": 2, "repo.ext_wiki": 1 })
    expect(created({ permission: "write", units, unitsMap: { "repo.wiki": "read" } })).toEqual({ "repo.wiki": 1 })
  })

  it("is rejected if it has no units and a permission below admin", () => {
    for (const permission of [undefined, "", "none", "read", "write"]) {
      for (const rest of [{}, { units: [] }, { unitsMap: {} }]) {
        expect(problem(unitsOfNewTeam({ permission, ...rest }))).toEqual(["UnitsEmpty", undefined])
      }
    }
    expect(problem(unitsOfNewTeam({ units: ["repo.code"] }))).toEqual(["TeamFieldInvalid", "permission"])
  })

  it("I13: is rejected for `owner` or a word outside the closed lists, even in an overridden field", () => {
    for (const word of ["owner", "Admin", "4", " read", "constructor"]) {
      const inPermission = { permission: word, unitsMap: { "repo.code": "read" } }
      const inMap = { permission: "admin", unitsMap: { "repo.code": word } }
      for (const read of [unitsOfNewTeam, (input: UnitsInput) => unitsOfEditedTeam({}, input)]) {
        expect(problem(read(inPermission))).toEqual(["TeamFieldInvalid", "permission"])
        expect(problem(read(inMap))).toEqual(["TeamFieldInvalid", "units_map"])
        expect(problem(read({ permission: "admin", units: [`repo.${word}`] }))).toEqual(["TeamFieldInvalid", "units"])
        expect(problem(read({ unitsMap: { [`repo.${word}`]: "read" } }))).toEqual(["TeamFieldInvalid", "units_map"])
      }
    }
  })
})

describe("an edited team (rule 2 of the specification)", () => {
  const before: Units = { "repo.code": 2, "repo.issues": 1 }

  it("moves every granted unit to the new level, and gets all units at admin level", () => {
    expect(edited(before, { permission: "write" })).toEqual({ "repo.code": 2, "repo.issues": 2 })
    expect(edited(before, { permission: "read" })).toEqual({ "repo.code": 1, "repo.issues": 1 })
    expect(edited(before, { permission: "none" })).toEqual({})
    expect(edited(before, { permission: "admin" })).toEqual(everyUnit(Level.admin))
  })

  it("lowers every unit of a team that loses admin level", () => {
    const after = edited(everyUnit(Level.admin), { permission: "write", units: [], unitsMap: {} })
    expect(after).toEqual(everyUnit(Level.write))
  })

  it("keeps its units if all its current fields are sent, and gets all units with admin permission only", () => {
    const code: Units = { "repo.code": 3 }
    const read = shown(code)
    expect(read.permission).toBe("admin")
    expect(edited(code, read)).toEqual(code)
    expect(edited(code, { permission: "admin" })).toEqual(everyUnit(Level.admin))
    expect(edited(everyUnit(Level.admin), { permission: "admin", unitsMap: { "repo.wiki": "read" } })).toEqual({
      "repo.wiki": 1
    })
    expect(edited({ "repo.code": 2 }, { permission: "admin" })).toEqual(everyUnit(Level.admin))
  })

  it("gets the listed units at the sent permission or at the team's level, and loses all other units", () => {
    expect(edited(before, { units: ["repo.wiki", "repo.code"] })).toEqual({ "repo.code": 1, "repo.wiki": 1 })
    expect(edited(everyUnit(Level.admin), { units: ["repo.code"] })).toEqual({ "repo.code": 3 })
    expect(edited(before, { permission: "admin", units: ["repo.code"] })).toEqual({ "repo.code": 3 })
    expect(edited(before, { permission: "read", units: ["repo.code"] })).toEqual({ "repo.code": 1 })
    expect(problem(unitsOfEditedTeam({}, { units: ["repo.code"] }))).toEqual(["TeamFieldInvalid", "permission"])
  })
})

describe("the level of a user in an organization", () => {
  const held = (units: Units) => ({ owners: false, units })
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<Units>, LevelWord]> = [
    ["none without teams", [], "none"],
    ["none in a team that opens nothing", [{}], "none"],
    ["the best level on any unit", [{ "repo.code": 2 }, { "repo.issues": 1 }], "write"],
    ["write when single units are at admin", [{ "repo.code": 3 }], "write"],
    ["admin in a team at admin level", [{ "repo.code": 1 }, everyUnit(Level.admin)], "admin"]
  ]
  for (const [title, teams, word] of cases) {
    it(`I13: is ${title}`, () => expect(levelWord(levelInOrganization(teams.map(held), false))).toBe(word))
  }

  it("is owner for owners and site administrators", () => {
    const owners = { owners: true, units: everyUnit(Level.admin) }
    expect(levelInOrganization([owners], false)).toBe(Level.owner)
    expect(levelInOrganization([], true)).toBe(Level.owner)
    expect([permissionOf(owners), unitsMapOf(owners)["repo.code"], unitsMapOf(owners)["repo.ext_wiki"]]).toEqual([
      "owner",
      "owner",
      "read"
    ])
  })
})

describe("names of teams", () => {
  it("have at most 255 characters, and follow the rules of all names", () => {
    expect(teamNameProblem("a".repeat(255))).toBeUndefined()
    expect(teamNameProblem("a".repeat(256))).toBe("must have at most 255 characters")
    expect(teamNameProblem("a..b")).toBe("must not have two separators in a row")
  })
})
