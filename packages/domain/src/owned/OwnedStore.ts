import { type Effect, Schema } from "effect"
import type { Duplicate } from "../Collection.ts"
import type { PageRequest } from "../Page.ts"
import type { OwnedTypes } from "./OwnedTypes.ts"

/** Reports that a row refers to a resource that does not exist. `of` is the field, such as `label.organizationId`. */
export class Missing extends Schema.TaggedError<Missing>()("Missing", { of: Schema.String }) {}

type Full<T extends OwnedTypes> = T["row"] & T["hidden"]

/** A row to insert: all fields of the type, including hidden ones, without the id. */
export type NewOwned<T extends OwnedTypes> = Omit<Full<T>, "id" | T["numbered"]>

/** The fields of a row that a patch can change: all except its id, its sequence number, and its scopes. */
export type OwnedChange<T extends OwnedTypes> = Partial<Omit<Full<T>, "id" | T["numbered"] | T["within"]>>

/** The change of one row in a call that changes several rows. */
export interface OwnedPatch<T extends OwnedTypes> {
  readonly id: number
  readonly change: OwnedChange<T>
}

/**
 * The value of one of the scope fields of the type, which selects the rows of one parent resource; empty for resources
 * of the whole site.
 */
export type OwnedScope<T extends OwnedTypes> = [T["within"]] extends [never]
  ? Readonly<Record<never, never>>
  : { readonly [F in T["within"]]: { readonly [G in F]: Full<T>[G & keyof Full<T>] } }[T["within"]]

/**
 * The values of a field that match a filter: one value, a list of values, or a range from an included to an excluded
 * value.
 */
export type Match<A> =
  | A
  | { readonly in: ReadonlyArray<A> }
  | { readonly from?: NonNullable<A> | undefined; readonly before?: NonNullable<A> | undefined }

/** A filter of rows by field values; omitted fields match all rows. */
export type OwnedFilter<T extends OwnedTypes> = {
  readonly [F in T["filter"]]?: Match<T["row"][F & keyof T["row"]]> | undefined
}

/** The filter and the order of a list of rows. */
export interface OwnedList<T extends OwnedTypes> {
  readonly filter?: OwnedFilter<T> | undefined
  readonly order?: T["order"] | undefined
}

/** The requested page of a list: by page number, or by the cursor `after` that a list in the same order returned. */
export type OwnedPage = PageRequest | { readonly after?: string | undefined; readonly limit: number }

/** A page of rows, with the total number and the cursor of the next page. */
export interface OwnedRows<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The total number of matching rows; undefined if it exceeds the counting limit `countedUpTo`. */
  readonly total: number | undefined
  /** Whether there are more rows after this page. */
  readonly more: boolean
  /** The cursor of the next page; undefined on the last page. */
  readonly next: string | undefined
}

type Unique<T extends OwnedTypes> = keyof T["unique"] & string

/** The field values by which a unique constraint of the type finds a row. */
export type UniqueValues<T extends OwnedTypes, Name extends Unique<T>> =
  T["unique"][Name] extends ReadonlyArray<infer F>
    ? { readonly [G in F & keyof Full<T>]: NonNullable<Full<T>[G]> }
    : never

/** The errors of an insert or a change; `Duplicate` is possible only if the type has unique constraints. */
export type StoreError<T extends OwnedTypes> = [Unique<T>] extends [never] ? Missing : Missing | Duplicate

/** The counters of the resources that rows refer to by field `F`, by name. */
export type CountsOf<T extends OwnedTypes, F> = {
  readonly [Name in keyof T["counters"] as T["counters"][Name] extends { readonly of: F } ? Name : never]: number
}

type Counted<T extends OwnedTypes> = T["counters"][keyof T["counters"]] extends { readonly of: infer F }
  ? F & string
  : never

/**
 * Stores the rows of an owned type: a resource type with a store, a table and tests that are generated from its
 * declaration.
 *
 * If a row is rejected, the current transaction is aborted, unless the call is wrapped in `Transaction.attempt`.
 *
 * Must:
 * - return a row as inserted, without its hidden fields, and with an id
 * - store any well-formed Unicode text without NUL
 * - return nothing for a missing row or one in another scope
 * - insert all rows or none, with ids in their order
 * - reject a row that repeats a unique value
 * - reject a row that refers to a missing row
 * - find a row by a unique value
 * - find several rows by unique values, in the order of ids, and omit missing ones
 * - insert a row unless a unique value exists, and report whether it was inserted
 * - insert those of several rows without an existing unique value, and return them
 * - list the rows of a scope in each order, without gaps or repeats between pages
 * - count the rows that it lists
 * - list and remove only the rows that match a filter
 * - remove the rows that match a filter in all scopes
 * - list the rows that match a filter in all scopes
 * - list the rows of many scopes in one call, up to a limit per scope
 * - change only the given fields of a row
 * - change several rows of a scope in one call, each differently, and return the existing ones
 * - remove a row once, and return it
 * - remove several rows of a scope in one call, and return their number
 * - remove the rows within a removed resource
 * - clear optional references to a removed resource
 * - number rows within their scope without gaps, also under concurrent inserts
 * - keep counters correct through every change
 * - block changes to a locked row by other transactions until this one ends
 * - lock several rows by unique values, in the order of ids, and omit missing ones
 */
export interface OwnedStore<T extends OwnedTypes> {
  readonly insert: (row: NewOwned<T>) => Effect.Effect<T["row"], StoreError<T>>
  readonly insertMany: (rows: ReadonlyArray<NewOwned<T>>) => Effect.Effect<ReadonlyArray<T["row"]>, StoreError<T>>
  /** Inserts a row and returns true. Returns false if a row with the same unique values exists. */
  readonly insertIfAbsent: (row: NewOwned<T>) => Effect.Effect<boolean, Missing>
  /** Inserts those rows for which no row with the same unique values exists, and returns them in the given order. */
  readonly insertManyIfAbsent: (rows: ReadonlyArray<NewOwned<T>>) => Effect.Effect<ReadonlyArray<T["row"]>, Missing>
  readonly find: (scope: OwnedScope<T>, id: number) => Effect.Effect<T["row"] | undefined>
  readonly findBy: <Name extends Unique<T>>(
    unique: Name,
    values: UniqueValues<T, Name>
  ) => Effect.Effect<T["row"] | undefined>
  readonly findManyBy: <Name extends Unique<T>>(
    unique: Name,
    values: ReadonlyArray<UniqueValues<T, Name>>
  ) => Effect.Effect<ReadonlyArray<T["row"]>>
  /** Finds a row and locks it until the current transaction ends; undefined if it does not exist. */
  readonly lock: (scope: OwnedScope<T>, id: number) => Effect.Effect<T["row"] | undefined>
  /** Finds rows by a unique constraint, and locks them until the current transaction ends. */
  readonly lockManyBy: <Name extends Unique<T>>(
    unique: Name,
    values: ReadonlyArray<UniqueValues<T, Name>>
  ) => Effect.Effect<ReadonlyArray<T["row"]>>
  readonly list: (scope: OwnedScope<T>, page: OwnedPage, list?: OwnedList<T>) => Effect.Effect<OwnedRows<T["row"]>>
  /** Lists rows of all parent resources, in pages like `list`. */
  readonly listEverywhere: (page: OwnedPage, list?: OwnedList<T>) => Effect.Effect<OwnedRows<T["row"]>>
  /**
   * Lists rows of several parent resources in one call, by the scope field `F`: at most `limit` rows per parent. A
   * parent without rows has no entry.
   */
  readonly listFor: <F extends T["within"]>(
    field: F,
    values: ReadonlyArray<T["row"][F & keyof T["row"]]>,
    limit: number,
    list?: OwnedList<T>
  ) => Effect.Effect<ReadonlyMap<T["row"][F & keyof T["row"]], ReadonlyArray<T["row"]>>>
  /** Counts the rows of a scope that match a filter; stops at `numberedUpTo`. */
  readonly count: (scope: OwnedScope<T>, filter?: OwnedFilter<T>) => Effect.Effect<number>
  /** Reads the counters of several resources that rows refer to by a field; every given resource has an entry. */
  readonly counts: <F extends Counted<T>>(
    field: F,
    ids: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyMap<number, CountsOf<T, F>>>
  /** Changes the given fields of a row, and returns the row after the change; undefined if it does not exist. */
  readonly patch: (
    scope: OwnedScope<T>,
    id: number,
    change: OwnedChange<T>
  ) => Effect.Effect<T["row"] | undefined, StoreError<T>>
  /**
   * Changes several rows in one statement, and returns them after the change, in the given order. Each row may occur
   * only once.
   */
  readonly patchMany: (
    scope: OwnedScope<T>,
    changes: ReadonlyArray<OwnedPatch<T>>
  ) => Effect.Effect<ReadonlyArray<T["row"]>, StoreError<T>>
  /** Removes a row, and returns it as it was; undefined if it does not exist. */
  readonly remove: (scope: OwnedScope<T>, id: number) => Effect.Effect<T["row"] | undefined>
  readonly removeBy: <Name extends Unique<T>>(
    unique: Name,
    values: UniqueValues<T, Name>
  ) => Effect.Effect<T["row"] | undefined>
  /** Removes the rows of a scope with the given ids in one statement, and returns their number. */
  readonly removeMany: (scope: OwnedScope<T>, ids: ReadonlyArray<number>) => Effect.Effect<number>
  /** Removes the rows of a scope that match a filter, and returns their number. */
  readonly removeWhere: (scope: OwnedScope<T>, filter?: OwnedFilter<T>) => Effect.Effect<number>
  /** Removes the rows of all scopes that match a filter, and returns their number. */
  readonly removeEverywhere: (filter: OwnedFilter<T>) => Effect.Effect<number>
}
