import { type Effect, Schema } from "effect"
import type { Window } from "./Page.ts"

/** The fields of every stored entity: a number in creation order, a public uuid, and its times in ISO 8601, UTC. */
export interface Entity {
  readonly id: number
  readonly uuid: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** An entity without a number. */
export type New<Row extends Entity> = Omit<Row, "id">

/** Reports that a unique name is taken; `of` names the field, such as `environment.name`. */
export class Duplicate extends Schema.TaggedError<Duplicate>()("Duplicate", { of: Schema.String }) {}

/**
 * Returns the form of a name in which names are compared, so that every store ignores case alike.
 *
 * @example
 * nameKey("Straße") === nameKey("STRASSE") // => true
 */
export const nameKey = (name: string): string => name.toUpperCase().toLowerCase()

/** Reports that an entity cannot be removed because others refer to it; `by` names their type. */
export class InUse extends Schema.TaggedError<InUse>()("InUse", { by: Schema.String }) {}

/**
 * Stores one resource type.
 *
 * Must:
 * - give back a stored row as it was inserted, with a number
 * - number rows in the order of their insertion
 * - answer nothing for a row that is not there
 * - list rows in the order of their insertion, without gaps or repeats from one window to the next
 * - count what it lists
 * - replace a row as a whole, and tell when it isn't there
 * - remove a row once, and tell when it wasn't there
 * - refuse to remove a row that others need, and keep it
 * - remove what belongs to a row together with it
 * - refuse a second row with a name that must be the only one, ignoring case
 * - refuse a second row with a uuid that another has
 * - refuse a row that refers to what is not there
 * - keep other transactions from changing a row it has locked until this one ends
 * - keep any text that is well-formed Unicode without NUL
 */
export interface Collection<Row extends Entity> {
  readonly insert: (row: New<Row>) => Effect.Effect<Row, Duplicate>
  readonly find: (uuid: Row["uuid"]) => Effect.Effect<Row | undefined>
  /** Finds a row and keeps it as it is until the running transaction ends. */
  readonly lock: (uuid: Row["uuid"]) => Effect.Effect<Row | undefined>
  readonly list: (window: Window) => Effect.Effect<ReadonlyArray<Row>>
  readonly count: Effect.Effect<number>
  readonly replace: (row: Row) => Effect.Effect<boolean, Duplicate>
  readonly remove: (uuid: Row["uuid"]) => Effect.Effect<boolean, InUse>
}
