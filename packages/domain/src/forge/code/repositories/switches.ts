import { type Unit, unitKeys } from "../../access/facts/Unit.ts"

/** The enabled units of a repository. */
export type Switches = { readonly [U in Unit]: boolean }

/** Returns the unit switches of a repository with all units enabled except the given ones. */
export const switchesBut = (...off: ReadonlyArray<Unit>): Switches =>
  Object.fromEntries(unitKeys.map((unit) => [unit, !off.includes(unit)])) as Switches
