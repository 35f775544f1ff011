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

/** The team permissions in a request, in the request's words; omitted ones are undefined. */
export interface UnitsInput {
  readonly permission?: string | undefined
  readonly units?: ReadonlyArray<string> | undefined
  readonly unitsMap?: Readonly<Record<string, string>> | undefined
}

type Read<A> = Result.Result<A, TeamFieldInvalid>

const invalid = (field: TeamFieldInvalid["field"], problem: string) =>
  Result.fail(new TeamFieldInvalid({ field, problem }))

/** Reads a level that can be granted to a team: never `owner`, which only the Owners team has (invariant I13). */
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
  /** Undefined without a permission, or with an empty one. */
  readonly level: Level | undefined
  readonly units: ReadonlyArray<Unit>
  /** Undefined without a map, or with an empty one. */
  readonly map: Units | undefined
}

/** Reads all words, even those that another field overrides, so that an unknown one is always reported. */
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
 * Returns the units of a new team.
 *
 * At admin level it has every unit. Below, it has the map if given, otherwise the listed units at the level of the
 * permission, which is `read` or `write`. Source: "Team rules", 1.
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
 * Returns the units of a team after an edit.
 *
 * A map replaces the current map. Units without a map get the level of the permission if given, otherwise that of the
 * team, and all other units are closed. A permission without units promotes any team when it is `admin`, and otherwise
 * moves every open unit to its level. Omitted or empty fields change nothing, so an edit with the values that were read
 * changes nothing. Source: decisions, "Team edit, with one stored form".
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

/** The permissions of a user in an organization through one of the user's teams. */
export interface TeamPermissions {
  readonly owners: boolean
  readonly units: Units
}

/**
 * Returns the level of a user in an organization: the level on a repository that all of the user's teams have access
 * to.
 *
 * Admin requires a team at admin level; single units never suffice. Site administrators and owners have `owner`.
 */
export const levelInOrganization = (teams: ReadonlyArray<TeamPermissions>, siteAdmin: boolean): Level => {
  if (siteAdmin || teams.some((team) => team.owners)) return Level.owner
  if (teams.some((team) => isAdminUnits(team.units))) return Level.admin
  const best = Math.max(0, ...teams.flatMap((team) => Object.values(team.units)))
  return Math.min(best, Level.write) as Level
}

/** Returns the word for the level of a team. Source: decisions, "Team create without units below admin". */
export const permissionOf = (team: TeamPermissions): LevelWord =>
  team.owners ? "owner" : levelWord(levelOfUnits(team.units))

/** Returns the open units of a team. */
export const unitsOf = (team: Pick<TeamPermissions, "units">): ReadonlyArray<Unit> =>
  Object.keys(normaliseUnits(team.units)) as ReadonlyArray<Unit>

/**
 * Returns the word for the level of a team on each enabled unit. The Owners team has `owner` on each unit, but `read`
 * on external units.
 */
export const unitsMapOf = (team: TeamPermissions): { readonly [U in Unit]?: LevelWord } =>
  Object.fromEntries(
    unitsOf(team).map((unit) => {
      const level = team.units[unit] ?? Level.none
      return [unit, levelWord(team.owners && level === Level.admin ? Level.owner : level)]
    })
  )
