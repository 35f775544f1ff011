import { Level, type LevelWord, levelWord, parseLevel } from "@slipway/access"
import { Result } from "effect"
import {
  everyUnit,
  isAdminUnits,
  levelOfUnits,
  normaliseUnits,
  parseUnit,
  type Unit,
  type Units
} from "../../access/facts/Unit.ts"
import { TeamFieldInvalid, UnitsEmpty } from "./Team.ts"

/** The permissions of a team as given in a request, not yet parsed; omitted fields are undefined. */
export interface UnitsInput {
  readonly permission?: string | undefined
  readonly units?: ReadonlyArray<string> | undefined
  readonly unitsMap?: Readonly<Record<string, string>> | undefined
}

type Read<A> = Result.Result<A, TeamFieldInvalid>

const invalid = (field: TeamFieldInvalid["field"], problem: string) =>
  Result.fail(new TeamFieldInvalid({ field, problem }))

/** Parses the level of a team. Fails for `owner`, which only the Owners team has (invariant I13). */
const levelIn = (field: "permission" | "units_map", word: string): Read<Level> => {
  const level = parseLevel(word)
  return level === undefined || level > Level.admin
    ? invalid(field, "must be none, read, write or admin")
    : Result.succeed(level)
}

const unitIn = (field: "units" | "units_map", key: string): Read<Unit> => {
  const unit = parseUnit(key)
  return unit === undefined ? invalid(field, "must only have units as keys") : Result.succeed(unit)
}

interface Words {
  /** The parsed permission; undefined if it is omitted or empty. */
  readonly level: Level | undefined
  readonly units: ReadonlyArray<Unit>
  /** The parsed level of each unit; undefined if the map is omitted or empty. */
  readonly map: Units | undefined
}

/** Parses all fields, even those that another field overrides, so that every unknown word is reported. */
const wordsOf = ({ permission = "", units = [], unitsMap = {} }: UnitsInput): Read<Words> =>
  Result.gen(function* () {
    const level = permission === "" ? undefined : yield* levelIn("permission", permission)
    const listed: Array<Unit> = []
    for (const key of units) listed.push(yield* unitIn("units", key))
    const map: { [U in Unit]?: Level } = {}
    for (const [key, word] of Object.entries(unitsMap)) {
      map[yield* unitIn("units_map", key)] = yield* levelIn("units_map", word)
    }
    return { level, units: listed, map: Object.keys(unitsMap).length === 0 ? undefined : normaliseUnits(map) }
  })

const at = (units: ReadonlyArray<Unit>, level: (unit: Unit) => Level): Units =>
  normaliseUnits(Object.fromEntries(units.map((unit) => [unit, level(unit)])))

const unitsNeedLevel = "must be read or write if units are listed without a map"

/**
 * Returns the permission level of a new team on each unit (a repository feature, such as code or issues).
 *
 * With the permission `admin`, the team gets every unit at admin level. Otherwise `unitsMap` applies if given; if not,
 * the listed units get the level of the permission (`read` or `write`). Source: "Team rules", 1.
 */
export const unitsOfNewTeam = (input: UnitsInput): Result.Result<Units, TeamFieldInvalid | UnitsEmpty> =>
  Result.gen(function* () {
    const { level = Level.none, map, units } = yield* wordsOf(input)
    if (level === Level.admin) return everyUnit(Level.admin)
    if (map !== undefined) return map
    if (units.length === 0) return yield* Result.fail(new UnitsEmpty())
    if (level === Level.none) return yield* invalid("permission", unitsNeedLevel)
    return at(units, () => level)
  })

/**
 * Returns the permission level of a team on each unit after an edit.
 *
 * - `unitsMap` replaces all current levels.
 * - `units` without a map: these units get the level of `permission`, or else the team's current level; all other units
 *   are removed.
 * - `permission` without units: `admin` gives admin level on every unit; another level applies to every current unit.
 * - Omitted or empty fields change nothing, so an edit with unchanged values has no effect.
 *
 * Source: decisions, "Team edit, with one stored form".
 */
export const unitsOfEditedTeam = (before: Units, input: UnitsInput): Read<Units> =>
  Result.gen(function* () {
    const { level, map, units } = yield* wordsOf(input)
    if (map !== undefined) return map
    if (units.length === 0) {
      if (level === undefined) return before
      return level === Level.admin ? everyUnit(Level.admin) : at(Object.keys(before) as Array<Unit>, () => level)
    }
    const teamLevel = level ?? levelOfUnits(before)
    return teamLevel === Level.none ? yield* invalid("permission", unitsNeedLevel) : at(units, () => teamLevel)
  })

/** The permissions of one team in an organization. */
export interface TeamPermissions {
  readonly owners: boolean
  readonly units: Units
}

/**
 * Returns the level of a user in an organization, as on a repository that all of the user's teams have access to.
 *
 * Admin level requires a team at admin level; admin on single units counts as write. Site administrators and owners
 * have `owner`.
 */
export const levelInOrganization = (teams: ReadonlyArray<TeamPermissions>, siteAdmin: boolean): Level => {
  if (siteAdmin || teams.some((team) => team.owners)) return Level.owner
  if (teams.some((team) => isAdminUnits(team.units))) return Level.admin
  const best = Math.max(0, ...teams.flatMap((team) => Object.values(team.units)))
  return Math.min(best, Level.write) as Level
}

/**
 * Returns the name of a team's permission level, such as `write`. Source: decisions, "Team create without units below
 * admin".
 */
export const permissionOf = (team: TeamPermissions): LevelWord =>
  team.owners ? "owner" : levelWord(levelOfUnits(team.units))

/** Returns the units (repository features, such as code or issues) that a team has access to. */
export const unitsOf = (team: Pick<TeamPermissions, "units">): ReadonlyArray<Unit> =>
  Object.keys(normaliseUnits(team.units)) as ReadonlyArray<Unit>

/**
 * Returns the name of a team's permission level on each unit it has access to. The Owners team has `owner` on every
 * unit, except `read` on external units, such as an external wiki.
 */
export const unitsMapOf = (team: TeamPermissions): { readonly [U in Unit]?: LevelWord } =>
  Object.fromEntries(
    unitsOf(team).map((unit) => {
      const level = team.units[unit] ?? Level.none
      return [unit, levelWord(team.owners && level === Level.admin ? Level.owner : level)]
    })
  )
