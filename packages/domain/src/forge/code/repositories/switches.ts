import { type Unit, unitKeys } from "../../access/facts/Unit.ts"

/** Which of the units of a repository are switched on. */
export type Switches = { readonly [U in Unit]: boolean }

/** Returns the switches of a repository on which all units but those named are on. */
export const switchesBut = (...off: ReadonlyArray<Unit>): Switches =>
  Object.fromEntries(unitKeys.map((unit) => [unit, !off.includes(unit)])) as Switches
