import { type Unit, unitKeys } from "../../access/facts/Unit.ts"

/** The unit switches of a repository: which units, such as issues and wiki, are enabled. */
export type Switches = { readonly [U in Unit]: boolean }

/** Returns the unit switches of a repository with all units enabled except the given ones. */
export const switchesBut = (...off: ReadonlyArray<Unit>): Switches =>
  Object.fromEntries(unitKeys.map((unit) => [unit, !off.includes(unit)])) as Switches
