import type { Condition } from "@slipway/access"
import { compile } from "@slipway/access"
import type { Effect } from "effect"
import type { Collection, Entity } from "../../../Collection.ts"
import type { PageRows } from "../../../Collections.ts"
import type { Window } from "../../../Page.ts"
import { rootTeam } from "../teams/Team.ts"
import { type Access, everything, type GrantFacts, grantFactsOf, type Place } from "./Access.ts"

/** A filter of lists: a caller's permissions, and the condition that a row (by its team, project…) must satisfy. */
export interface VisibleRows {
  readonly access: Access
  /** The condition on the caller's grants on a row; facts about the caller itself are already replaced by values. */
  readonly condition: Condition<GrantFacts>
}

/** The rows of a list that a caller sees: all rows, or those that satisfy a condition. */
export type Visible = VisibleRows | typeof everything

/** Returns a predicate that decides, by the team, project and environment of a row, whether the caller sees it. */
export const sees = (visible: Visible): ((place: Place | undefined) => boolean) => {
  if (visible === everything) return () => true
  const holds = compile(visible.condition)
  return (place) => place !== undefined && holds(grantFactsOf(visible.access, place))
}

/** Returns whether a filter lets a caller see every row of the root team. */
export const seesRootTeam = (visible: VisibleRows): boolean => sees(visible)({ teamId: rootTeam })

/**
 * Stores one resource type; its lists contain only rows that the caller may see.
 *
 * Must:
 * - list and count exactly the rows that a caller sees, in the order of insertion
 * - list the root team alone like every team
 */
export interface VisibleCollection<Row extends Entity> extends Collection<Row> {
  readonly listVisible: (visible: Visible, window: Window) => Effect.Effect<ReadonlyArray<Row>>
  readonly countVisible: (visible: Visible) => Effect.Effect<number>
  /** Lists rows like `listVisible`, and counts them too where this takes no other statement. */
  readonly pageVisible?: ((visible: Visible, window: Window) => Effect.Effect<PageRows<Row>>) | undefined
}
