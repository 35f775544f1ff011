import { type Effect, Schema } from "effect"
import type { Duplicate } from "../Collection.ts"
import type { PageRequest } from "../Page.ts"
import type { OwnedTypes } from "./OwnedTypes.ts"

/** Reports that a row refers to a missing resource; `of` names the field, such as `label.organizationId`. */
export class Missing extends Schema.TaggedError<Missing>()("Missing", { of: Schema.String }) {}

type Full<T extends OwnedTypes> = T["row"] & T["hidden"]

/** A row of an owned type without an id, with its hidden facts. */
export type NewOwned<T extends OwnedTypes> = Omit<Full<T>, "id" | T["numbered"]>

/** The changeable fields of a row: all except its ids and its scopes. */
export type OwnedChange<T extends OwnedTypes> = Partial<Omit<Full<T>, "id" | T["numbered"] | T["within"]>>

/** The changes of one of several rows in one call. */
export interface OwnedPatch<T extends OwnedTypes> {
  readonly id: number
  readonly change: OwnedChange<T>
}

/** The scope of rows: one of the type's scopes; empty for resources of the site. */
export type OwnedScope<T extends OwnedTypes> = [T["within"]] extends [never]
  ? Readonly<Record<never, never>>
  : { readonly [F in T["within"]]: { readonly [G in F]: Full<T>[G & keyof Full<T>] } }[T["within"]]

/** The values that a field must have to match: one value, one of several, or one in a half-open range. */
export type Match<A> =
  | A
  | { readonly in: ReadonlyArray<A> }
  | { readonly from?: NonNullable<A> | undefined; readonly before?: NonNullable<A> | undefined }

/** The filter of the rows of a scope; omitted fields match all. */
export type OwnedFilter<T extends OwnedTypes> = {
  readonly [F in T["filter"]]?: Match<T["row"][F & keyof T["row"]]> | undefined
}

/** A query for rows of a scope. */
export interface OwnedList<T extends OwnedTypes> {
  readonly filter?: OwnedFilter<T> | undefined
  readonly order?: T["order"] | undefined
}

/** A query for a page of rows, by its number or by a cursor from a list in the same order. */
export type OwnedPage = PageRequest | { readonly after?: string | undefined; readonly limit: number }

/** Some rows of a list, with the known facts about the others. */
export interface OwnedRows<Row> {
  readonly rows: ReadonlyArray<Row>
  /** The total number of rows; undefined if there are more than `countedUpTo`. */
  readonly total: number | undefined
  /** Whether there are further rows. */
  readonly more: boolean
  /** The cursor of the next page; undefined at the end. */
  readonly next: string | undefined
}

type Unique<T extends OwnedTypes> = keyof T["unique"] & string

/** The unique values of a row. */
export type UniqueValues<T extends OwnedTypes, Name extends Unique<T>> =
  T["unique"][Name] extends ReadonlyArray<infer F>
    ? { readonly [G in F & keyof Full<T>]: NonNullable<Full<T>[G]> }
    : never

/** The errors of storing a row; `Duplicate` only if the resource type declares unique fields. */
export type StoreError<T extends OwnedTypes> = [Unique<T>] extends [never] ? Missing : Missing | Duplicate

/** The counters of resources that rows refer to by a field. */
export type CountsOf<T extends OwnedTypes, F> = {
  readonly [Name in keyof T["counters"] as T["counters"][Name] extends { readonly of: F } ? Name : never]: number
}

type Counted<T extends OwnedTypes> = T["counters"][keyof T["counters"]] extends { readonly of: infer F }
  ? F & string
  : never

/**
 * Stores an owned resource type, according to its declaration.
 *
 * A rejected row aborts its transaction, unless the failure is caught around `Transaction.attempt`.
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
  /** Inserts a row, or returns false when an equal one exists. */
  readonly insertIfAbsent: (row: NewOwned<T>) => Effect.Effect<boolean, Missing>
  /** Inserts the rows without an equal existing one, and returns them in their order. */
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
  /** Finds a row and locks it until the running transaction ends. */
  readonly lock: (scope: OwnedScope<T>, id: number) => Effect.Effect<T["row"] | undefined>
  /** Finds rows by a unique value, and locks them like `lock`. */
  readonly lockManyBy: <Name extends Unique<T>>(
    unique: Name,
    values: ReadonlyArray<UniqueValues<T, Name>>
  ) => Effect.Effect<ReadonlyArray<T["row"]>>
  readonly list: (scope: OwnedScope<T>, page: OwnedPage, list?: OwnedList<T>) => Effect.Effect<OwnedRows<T["row"]>>
  /** Lists rows of all scopes, like `list`. */
  readonly listEverywhere: (page: OwnedPage, list?: OwnedList<T>) => Effect.Effect<OwnedRows<T["row"]>>
  /** Lists rows of many scopes, named by one field: at most `limit` of each, and no entry for those that have none. */
  readonly listFor: <F extends T["within"]>(
    field: F,
    values: ReadonlyArray<T["row"][F & keyof T["row"]]>,
    limit: number,
    list?: OwnedList<T>
  ) => Effect.Effect<ReadonlyMap<T["row"][F & keyof T["row"]], ReadonlyArray<T["row"]>>>
  /** Counts the rows of a scope that match a filter, up to `numberedUpTo`. */
  readonly count: (scope: OwnedScope<T>, filter?: OwnedFilter<T>) => Effect.Effect<number>
  /** Reads the counters of many resources that rows refer to by a field; each resource has an entry. */
  readonly counts: <F extends Counted<T>>(
    field: F,
    ids: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyMap<number, CountsOf<T, F>>>
  /** Changes the given fields of a row, and returns the changed row; undefined when it does not exist. */
  readonly patch: (
    scope: OwnedScope<T>,
    id: number,
    change: OwnedChange<T>
  ) => Effect.Effect<T["row"] | undefined, StoreError<T>>
  /** Changes rows, each named once, in one statement; returns them after the change, in the given order. */
  readonly patchMany: (
    scope: OwnedScope<T>,
    changes: ReadonlyArray<OwnedPatch<T>>
  ) => Effect.Effect<ReadonlyArray<T["row"]>, StoreError<T>>
  /** Removes a row and returns its last state; undefined when it did not exist. */
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
