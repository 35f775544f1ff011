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

/** A section of a repository with a separate access level. */
export type Unit = (typeof unitKeys)[number]

/** The external units, which can only be read. */
export const externalUnits: ReadonlyArray<Unit> = ["repo.ext_wiki", "repo.ext_issues"]

/** Returns the unit for a key; undefined for an unknown key. */
export const parseUnit = (key: string): Unit | undefined => unitKeys.find((each) => each === key)

/** Returns the maximum level of a unit. */
export const maxLevel = (unit: Unit): Level => (externalUnits.includes(unit) ? Level.read : Level.admin)

/** The level on each unit, which is the only stored form of a team's permissions; an omitted unit is closed. */
export type Units = { readonly [U in Unit]?: Level }

/** Returns the units with each level limited to the ceiling of its unit, without closed units. */
export const normaliseUnits = (units: Units): Units => {
  const limited: { [U in Unit]?: Level } = {}
  for (const unit of unitKeys) {
    const level = lower(units[unit] ?? Level.none, maxLevel(unit))
    if (level > Level.none) limited[unit] = level
  }
  return limited
}

/** Returns every unit at `level`, external units at `read` at most. */
export const everyUnit = (level: Level): Units =>
  normaliseUnits(Object.fromEntries(unitKeys.map((unit) => [unit, level])))

/** Returns whether the units are those of a team at admin level: admin on each, read on the external ones. */
export const isAdminUnits = (units: Units): boolean =>
  unitKeys.every((unit) => (units[unit] ?? Level.none) >= maxLevel(unit))

/**
 * Returns the overall level of a team: admin when every unit is at its ceiling, none when every unit is closed, and
 * otherwise the lowest granted level. Source: decisions, "Team create without units below admin".
 */
export const levelOfUnits = (units: Units): Level => {
  if (isAdminUnits(units)) return Level.admin
  const levels = unitKeys.map((unit) => units[unit] ?? Level.none).filter((level) => level > Level.none)
  return levels.length === 0 ? Level.none : levels.reduce(lower)
}
