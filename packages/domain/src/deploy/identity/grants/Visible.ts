import type { Condition } from "@slipway/access"
import { compile } from "@slipway/access"
import type { Effect } from "effect"
import type { Collection, Entity } from "../../../Collection.ts"
import type { Window } from "../../../Page.ts"
import { rootTeam } from "../teams/Team.ts"
import { type Access, everything, type GrantFacts, grantFactsOf, type Place } from "./Access.ts"

/** The access of a caller, and the condition on the place of a row under which the caller sees the row. */
export interface VisibleRows {
  readonly access: Access
  /** A condition on the facts of each row; those of the caller are known. */
  readonly condition: Condition<GrantFacts>
}

/** The rows that a caller sees: those under a condition, or everything. */
export type Visible = VisibleRows | typeof everything

/** Returns whether a caller sees a row at a place. */
export const sees = (visible: Visible): ((place: Place | undefined) => boolean) => {
  if (visible === everything) return () => true
  const holds = compile(visible.condition)
  return (place) => place !== undefined && holds(grantFactsOf(visible.access, place))
}

/** Returns whether a caller sees every row of the root team. */
export const seesRootTeam = (visible: VisibleRows): boolean => sees(visible)({ teamId: rootTeam })

/**
 * Stores one resource type with lists that contain only what a caller sees.
 *
 * Must:
 * - list and count exactly the rows that a caller sees, in the order of insertion
 * - list the root team alone like every team
 */
export interface VisibleCollection<Row extends Entity> extends Collection<Row> {
  readonly listVisible: (visible: Visible, window: Window) => Effect.Effect<ReadonlyArray<Row>>
  readonly countVisible: (visible: Visible) => Effect.Effect<number>
}
