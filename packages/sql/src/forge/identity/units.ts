import { PgTypes } from "@effect/sql-pg"
import { Level } from "@slipway/access"
import { memoize } from "@slipway/domain"
import { everyUnit, type Unit, type Units, unitKeys } from "@slipway/domain/forge/access"
import type { Switches } from "@slipway/domain/forge/code"

/** Returns the bit that represents a unit (a part of a repository, such as issues) in a bit set of units. */
export const bitOf = (unit: Unit): number => 1 << unitKeys.indexOf(unit)

/** The number of possible bit sets of units. A unit is a part of a repository, such as issues. */
export const everySet = 1 << unitKeys.length

const bits = (units: ReadonlyArray<Unit>): number => units.reduce((set, unit) => set | bitOf(unit), 0)

const atLeast = (units: Units, level: Level): number =>
  bits(unitKeys.filter((unit) => (units[unit] ?? Level.none) >= level))

/**
 * The access of a team to units (parts of a repository, such as issues) as three bit sets: units with at least read
 * level, with at least write level, and with admin level.
 */
export type UnitSets = readonly [readable: number, writable: number, administered: number]

/** Returns the bit sets for the access of a team to units. */
export const setsOf = (units: Units): UnitSets => [
  atLeast(units, Level.read),
  atLeast(units, Level.write),
  atLeast(units, Level.admin)
]

/** Returns the access of a team to units from its bit sets. */
export const unitsOfSets = ([readable, writable, administered]: UnitSets): Units => {
  const levelOf = (bit: number): Level =>
    (administered & bit) !== 0
      ? Level.admin
      : (writable & bit) !== 0
        ? Level.write
        : (readable & bit) !== 0
          ? Level.read
          : Level.none
  return Object.fromEntries(
    unitKeys.flatMap((unit) => {
      const level = levelOf(bitOf(unit))
      return level === Level.none ? [] : [[unit, level]]
    })
  )
}

const [everyReadable, , everyAdministered] = setsOf(everyUnit(Level.admin))

/** Returns the SQL expression for whether a team has admin level. */
export const isAdminTeam = (team: string): string =>
  `(${team}.readable = ${everyReadable} AND ${team}.administered = ${everyAdministered})`

/** Returns the bit set of the enabled units (parts such as issues or wiki) of a repository. */
export const setOfSwitches = (switches: Switches): number => bits(unitKeys.filter((unit) => switches[unit]))

/** Returns the enabled units of a repository from their bit set; the same object for the same set. */
export const switchesOfSet = memoize(
  (set: number): Switches => Object.fromEntries(unitKeys.map((unit) => [unit, (set & bitOf(unit)) !== 0])) as Switches
)

/**
 * Returns an id as an SQL parameter. For a value that is not an integer, the parameter is null, which equals no row.
 */
export const idParameter = (id: number | undefined): unknown =>
  id === undefined || !Number.isSafeInteger(id) ? null : PgTypes.int8(BigInt(id))
