import { Level, lower } from "@slipway/access"

/** The keys of repository units, as in requests and responses. */
export const unitKeys = [
  "repo.code",
  "repo.issues",
  "repo.pulls",
  "repo.releases",
  "repo.wiki",
  "repo.ext_wiki",
  "repo.ext_issues",
  "repo.projects",
  "repo.packages",
  "repo.actions"
] as const

/** A unit: a section of a repository with its own access level, such as code, issues or wiki. */
export type Unit = (typeof unitKeys)[number]

/** The external units (links to a wiki or issue tracker on another site), for which the highest level is read. */
export const externalUnits: ReadonlyArray<Unit> = ["repo.ext_wiki", "repo.ext_issues"]

/** Returns the unit for a key; undefined for an unknown key. */
export const parseUnit = (key: string): Unit | undefined => unitKeys.find((each) => each === key)

/** Returns the maximum access level of a unit: read for external units, admin for all others. */
export const maxLevel = (unit: Unit): Level => (externalUnits.includes(unit) ? Level.read : Level.admin)

/** The access levels of a team by repository unit; the team has no access to an omitted unit. */
export type Units = { readonly [U in Unit]?: Level }

/** Limits each access level to the maximum of its unit, and removes units without access. */
export const normaliseUnits = (units: Units): Units => {
  const limited: { [U in Unit]?: Level } = {}
  for (const unit of unitKeys) {
    const level = lower(units[unit] ?? Level.none, maxLevel(unit))
    if (level > Level.none) limited[unit] = level
  }
  return limited
}

/** Returns the same access level for every unit, but at most read for external units. */
export const everyUnit = (level: Level): Units =>
  normaliseUnits(Object.fromEntries(unitKeys.map((unit) => [unit, level])))

/** Returns whether the access levels are the maximum on every unit: admin, and read on external units. */
export const isAdminUnits = (units: Units): boolean =>
  unitKeys.every((unit) => (units[unit] ?? Level.none) >= maxLevel(unit))

/**
 * Returns the overall access level of a team: admin if every unit has its maximum level, none if the team has access to
 * no unit, and otherwise the lowest level above none. Source: decisions, "Team create without units below admin".
 */
export const levelOfUnits = (units: Units): Level => {
  if (isAdminUnits(units)) return Level.admin
  const levels = unitKeys.map((unit) => units[unit] ?? Level.none).filter((level) => level > Level.none)
  return levels.length === 0 ? Level.none : levels.reduce(lower)
}
