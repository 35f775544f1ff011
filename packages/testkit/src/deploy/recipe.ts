import type { Collection, Duplicate, Entity, New } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { type Context, Effect } from "effect"

/** A row of any resource type. Its fields are accessed by name. */
export type AnyRow = Entity & Readonly<Record<string, unknown>>
/** A row of any type without an id. */
export type AnyNew = Omit<Entity, "id"> & Readonly<Record<string, unknown>>
/** A collection of rows of any type. */
export type AnyCollection = Omit<Collection<AnyRow>, "insert"> & {
  readonly insert: (row: AnyNew) => Effect.Effect<AnyRow, Duplicate>
}

type RowOf<S> = S extends Collection<infer Row> ? Row : never

/** The functions that make test rows of a resource type. `W` is the type of the rows that they reference. */
export interface Recipe<Row extends Entity, W> {
  /** Stores the rows that the test rows reference, and returns them. */
  readonly world: Effect.Effect<W, unknown, Stores>
  /** Makes row number `n` with a value for every field. */
  readonly full: (n: number, world: W) => New<Row>
  /** Makes a row without its optional facts. */
  readonly bare: (n: number, world: W) => New<Row>
  /** Changes every mutable fact, except references. */
  readonly change: (row: Row) => Row
  /** Puts a text into every free-text field. */
  readonly say: (row: New<Row>, text: string) => New<Row>
}

/** A resource type in a test, after the rows that its rows reference were stored. */
export interface Planted {
  readonly store: AnyCollection
  readonly full: (n: number) => AnyNew
  readonly bare: (n: number) => AnyNew
  readonly change: (row: AnyRow) => AnyRow
  readonly say: (row: AnyNew, text: string) => AnyNew
}

/** A resource type: its store, and the effect that stores the rows that its rows reference. */
export interface AnyKind {
  readonly store: Effect.Effect<AnyCollection, never, Stores>
  readonly plant: Effect.Effect<Planted, unknown, Stores>
}

/** Makes a resource type from its store and the functions that make its test rows. */
export const kindOf = <I extends Stores, S, W>(
  key: Context.Key<I, S>,
  recipe: Recipe<RowOf<S> & Entity, W>
): AnyKind => {
  const plant = Effect.gen(function* () {
    const store = yield* key
    const world = yield* recipe.world
    return {
      ...recipe,
      store,
      full: (n: number) => recipe.full(n, world),
      bare: (n: number) => recipe.bare(n, world)
    }
  })
  // BOUNDARY: the contracts access the fields of all types by name, which the type of no single one allows.
  return { store: Effect.service(key), plant } as unknown as AnyKind
}
