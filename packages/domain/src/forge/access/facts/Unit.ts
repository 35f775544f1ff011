import { Level, lower } from "@slipway/access"

/** The keys of repository units, as requests and answers spell them. */
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

/** A section of a repository that access is given on. */
export type Unit = (typeof unitKeys)[number]

/** The units that live outside the service and can only be read. */
export const externalUnits: ReadonlyArray<Unit> = ["repo.ext_wiki", "repo.ext_issues"]

/** Returns the unit that a key names, or nothing when the key names none. */
export const parseUnit = (key: string): Unit | undefined => unitKeys.find((each) => each === key)

/** Returns the highest level that a unit can be given. */
export const ceiling = (unit: Unit): Level => (externalUnits.includes(unit) ? Level.read : Level.admin)

/** The level on each unit, which is the one stored form of what a team may do; a unit that is left out is closed. */
export type Units = { readonly [U in Unit]?: Level }

/** Returns the units with each level brought below the ceiling of its unit and closed units left out. */
export const normaliseUnits = (units: Units): Units => {
  const kept: { [U in Unit]?: Level } = {}
  for (const unit of unitKeys) {
    const level = lower(units[unit] ?? Level.none, ceiling(unit))
    if (level > Level.none) kept[unit] = level
  }
  return kept
}

/** Returns every unit at `level`, external units at `read` at most. */
export const everyUnit = (level: Level): Units =>
  normaliseUnits(Object.fromEntries(unitKeys.map((unit) => [unit, level])))

/** Returns whether the units are those of a team at admin level: admin on each, read on the external ones. */
export const isAdminUnits = (units: Units): boolean =>
  unitKeys.every((unit) => (units[unit] ?? Level.none) >= ceiling(unit))

/**
 * Returns the level of a team as a whole: admin when every unit is at its ceiling, none when every unit is closed, and
 * otherwise the lowest level that is given. Source: decisions, "Team create without units below admin".
 */
export const levelOfUnits = (units: Units): Level => {
  if (isAdminUnits(units)) return Level.admin
  const given = unitKeys.map((unit) => units[unit] ?? Level.none).filter((level) => level > Level.none)
  return given.length === 0 ? Level.none : given.reduce(lower)
}
