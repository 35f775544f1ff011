import { type Effect, Schema } from "effect"
import type { Window } from "./Page.ts"

/**
 * The fields of every stored entity: a numeric id in creation order, a public uuid, and its creation and update times
 * in ISO 8601, UTC.
 */
export interface Entity {
  readonly id: number
  readonly uuid: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** An entity that is not stored yet, so it has no id. */
export type New<Row extends Entity> = Omit<Row, "id">

/** The error for a unique name that is already taken; `of` names the field, such as `environment.name`. */
export class Duplicate extends Schema.TaggedError<Duplicate>()("Duplicate", { of: Schema.String }) {}

/**
 * Returns the comparison key of a name. All stores compare names by this key, so they ignore case in the same way.
 *
 * @example
 * nameKey("Straße") === nameKey("STRASSE") // => true
 */
export const nameKey = (name: string): string => name.toUpperCase().toLowerCase()

/** The error for an entity that cannot be removed because entities of the type `by` refer to it. */
export class InUse extends Schema.TaggedError<InUse>()("InUse", { by: Schema.String }) {}

/**
 * Stores one resource type.
 *
 * Must:
 * - return a stored row as inserted, with an id
 * - assign ids in the order of insertion
 * - return nothing for a missing row
 * - list rows in the order of insertion, without gaps or repeats between pages
 * - count the rows that it lists
 * - replace a complete row, and report when it is missing
 * - remove a row once, and report when it is missing
 * - reject the removal of a row that other rows need, and keep it
 * - remove the dependent rows of a removed row
 * - reject a second row with the same unique name, ignoring case
 * - reject a second row with the same uuid
 * - reject a row that refers to a missing row
 * - block changes to a locked row by other transactions until this one ends
 * - store any well-formed Unicode text without NUL
 */
export interface Collection<Row extends Entity> {
  readonly insert: (row: New<Row>) => Effect.Effect<Row, Duplicate>
  readonly find: (uuid: Row["uuid"]) => Effect.Effect<Row | undefined>
  /** Finds a row and locks it until the running transaction ends. */
  readonly lock: (uuid: Row["uuid"]) => Effect.Effect<Row | undefined>
  readonly list: (window: Window) => Effect.Effect<ReadonlyArray<Row>>
  readonly count: Effect.Effect<number>
  readonly replace: (row: Row) => Effect.Effect<boolean, Duplicate>
  readonly remove: (uuid: Row["uuid"]) => Effect.Effect<boolean, InUse>
}
