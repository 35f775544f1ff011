import type { Effect } from "effect"
import type { Duplicate } from "../Collection.ts"
import type { Missing, OwnedPage, OwnedRows } from "./OwnedStore.ts"

/** The field values of a row of any owned type (a resource type with a generic store), by field name. */
export interface Values {
  readonly [field: string]: unknown
}

/** A stored row of any owned type (a resource type with a generic store). */
export interface StoredValues extends Values {
  readonly id: number
}

/** The order and the filter of a list of any owned type. */
export interface AnyList {
  readonly filter?: Values | undefined
  readonly order?: string | undefined
}

/** An untyped `OwnedStore`, which an adapter implements once for all owned types. */
export interface ErasedStore {
  readonly insert: (row: Values) => Effect.Effect<StoredValues, Missing | Duplicate>
  readonly insertMany: (rows: ReadonlyArray<Values>) => Effect.Effect<ReadonlyArray<StoredValues>, Missing | Duplicate>
  readonly insertIfAbsent: (row: Values) => Effect.Effect<boolean, Missing>
  readonly insertManyIfAbsent: (rows: ReadonlyArray<Values>) => Effect.Effect<ReadonlyArray<StoredValues>, Missing>
  readonly find: (scope: Values, id: number) => Effect.Effect<StoredValues | undefined>
  readonly findBy: (unique: string, values: Values) => Effect.Effect<StoredValues | undefined>
  readonly findManyBy: (unique: string, values: ReadonlyArray<Values>) => Effect.Effect<ReadonlyArray<StoredValues>>
  readonly lock: (scope: Values, id: number) => Effect.Effect<StoredValues | undefined>
  readonly lockManyBy: (unique: string, values: ReadonlyArray<Values>) => Effect.Effect<ReadonlyArray<StoredValues>>
  readonly list: (scope: Values, page: OwnedPage, list?: AnyList) => Effect.Effect<OwnedRows<StoredValues>>
  readonly listEverywhere: (page: OwnedPage, list?: AnyList) => Effect.Effect<OwnedRows<StoredValues>>
  readonly listFor: (
    field: string,
    values: ReadonlyArray<unknown>,
    limit: number,
    list?: AnyList
  ) => Effect.Effect<ReadonlyMap<unknown, ReadonlyArray<StoredValues>>>
  readonly count: (scope: Values, filter?: Values) => Effect.Effect<number>
  readonly counts: (
    field: string,
    ids: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyMap<number, Readonly<Record<string, number>>>>
  readonly patch: (
    scope: Values,
    id: number,
    change: Values
  ) => Effect.Effect<StoredValues | undefined, Missing | Duplicate>
  readonly patchMany: (
    scope: Values,
    changes: ReadonlyArray<{ readonly id: number; readonly change: Values }>
  ) => Effect.Effect<ReadonlyArray<StoredValues>, Missing | Duplicate>
  readonly remove: (scope: Values, id: number) => Effect.Effect<StoredValues | undefined>
  readonly removeBy: (unique: string, values: Values) => Effect.Effect<StoredValues | undefined>
  readonly removeMany: (scope: Values, ids: ReadonlyArray<number>) => Effect.Effect<number>
  readonly removeWhere: (scope: Values, filter?: Values) => Effect.Effect<number>
  readonly removeEverywhere: (filter: Values) => Effect.Effect<number>
}

/**
 * A condition that a filter sets for a field: a list of allowed values, or a range from an included to an excluded
 * value.
 */
export type FieldCondition =
  | { readonly in: ReadonlyArray<unknown> }
  | { readonly in?: undefined; readonly from?: unknown; readonly before?: unknown }

/** Returns the conditions that scopes and filters set, each with its field; fields with an undefined value set none. */
export const fieldConditionsOf = (
  ...parts: ReadonlyArray<Values | undefined>
): ReadonlyArray<readonly [string, FieldCondition]> => {
  const asked: Array<readonly [string, FieldCondition]> = []
  for (const part of parts) {
    for (const field in part) {
      const match = part[field]
      if (match !== undefined)
        asked.push([field, typeof match === "object" && match !== null ? (match as FieldCondition) : { in: [match] }])
    }
  }
  return asked
}
