import { Context } from "effect"
import type { Field, FieldData } from "./fields.ts"
import type { OwnedFilter, OwnedStore } from "./OwnedStore.ts"
import type { OwnedRow, OwnedTypes } from "./OwnedTypes.ts"

/** The sort order of a list: by the fields in `by`, then by id. Null values are last in ascending order. */
export interface Order<Name extends string = string> {
  readonly by: ReadonlyArray<Name>
  readonly descending: boolean
}

/** Returns the order of rows by the given fields, ascending; rows with equal values are ordered by id. */
export const ascending = <const Name extends string = never>(...by: ReadonlyArray<Name>): Order<Name> => ({
  by: by.filter((field) => field !== "id"),
  descending: false
})

/**
 * Returns the order of rows by the given fields, descending; rows with equal values are ordered by id, latest first.
 */
export const descending = <const Name extends string = never>(...by: ReadonlyArray<Name>): Order<Name> => ({
  by: by.filter((field) => field !== "id"),
  descending: true
})

/**
 * A counter of a resource: the number of rows that refer to the resource by field `of`; with `where`, only rows with
 * these values.
 */
export interface Counter<Name extends string = string> {
  readonly of: Name
  readonly where?: Readonly<Record<string, string | number | boolean>> | undefined
}

/**
 * The untyped declaration of an owned type: a resource type with a store, a table and tests that are generated from the
 * declaration.
 */
export interface OwnedData {
  readonly name: string
  /** All fields except `id`, by name; hidden fields are included. */
  readonly fields: Readonly<Record<string, FieldData>>
  /** The names of fields that are stored and compared, but never returned. */
  readonly hidden: ReadonlyArray<string>
  /**
   * The fields that a row can be found by as part of another resource, such as `repositoryId`; each field is a separate
   * scope. Empty for resources of the whole site.
   */
  readonly within: ReadonlyArray<string>
  /** The sort orders of lists, by name; the first one is the default. */
  readonly orders: Readonly<Record<string, Order>>
  /** The fields that lists can be filtered by. */
  readonly filters: ReadonlyArray<string>
  /** The unique constraints: lists of fields by name. The error `Duplicate` contains the constraint as `type.name`. */
  readonly unique: Readonly<Record<string, ReadonlyArray<string>>>
  /**
   * The field with the sequence number of a row within its first scope, such as the number of an issue; it starts at 1
   * and has no gaps.
   */
  readonly numbered: string | undefined
  readonly counters: Readonly<Record<string, Counter>>
}

/** The identifier of the store of an owned type in the requirements of an effect. */
export interface OwnedStoreOf<Name extends string> {
  readonly "~slipway/OwnedStore": Name
}

/**
 * The typed declaration of an owned type: a resource type within another resource (such as labels of an organization)
 * or the site.
 */
export interface Owned<T extends OwnedTypes> extends OwnedData {
  readonly name: T["name"]
  /** The key by which effects require the store of the type. */
  readonly store: Context.Service<OwnedStoreOf<T["name"]>, OwnedStore<T>>
}

/** The filter type of the lists of an owned type. */
export type FilterOf<Kind> = Kind extends Owned<infer T> ? OwnedFilter<T> : never

/** The declaration of any owned type. */
// BOUNDARY: a store handles rows of any type, so no single row type fits all of them.
// biome-ignore lint/suspicious/noExplicitAny: a kind of any row
export type AnyOwned = Owned<any>

/** The identifiers of the stores of several owned types, as requirements of an effect. */
export type StoresOf<Kinds extends ReadonlyArray<OwnedData>> = OwnedStoreOf<Kinds[number]["name"]>

type Fields<Row> = { readonly [Name in keyof Omit<Row, "id">]-?: Field<Row[Name]> }

type NameIn<Row> = keyof Row & string

/**
 * Declares an owned type, for example: `owned<Label>()("label", { within: ["organizationId"], fields: { … } })`.
 *
 * Both store adapters, their tables and their tests are derived from the declaration. `Hidden` are fields that are
 * stored and can be compared, but are never returned, such as the hash of a secret.
 */
export const owned =
  <Row extends OwnedRow, Hidden extends object = Record<never, never>>() =>
  <
    const Name extends string,
    Within extends NameIn<Row> = never,
    Ordering extends string = never,
    Filter extends NameIn<Row> = never,
    const Unique extends Readonly<Record<string, ReadonlyArray<NameIn<Row & Hidden>>>> = Record<never, never>,
    Numbered extends NameIn<Row> = never,
    const Counters extends Readonly<Record<string, Counter<NameIn<Row>>>> = Record<never, never>
  >(
    name: Name,
    declared: {
      readonly fields: Fields<Row>
      readonly hidden?: Fields<Hidden>
      readonly within: ReadonlyArray<Within>
      readonly orders?: Readonly<Record<Ordering, Order<NameIn<Row>>>>
      readonly filters?: ReadonlyArray<Filter>
      readonly unique?: Unique
      readonly numbered?: Numbered
      readonly counters?: Counters
    }
  ): Owned<{
    readonly name: Name
    readonly row: Row
    readonly hidden: Hidden
    readonly within: Within
    readonly order: Ordering
    readonly filter: Filter
    readonly unique: Unique
    readonly numbered: Numbered
    readonly counters: Counters
  }> => ({
    name,
    // BOUNDARY: the types of fields exist only for the compiler; stores iterate over the data.
    fields: { ...declared.hidden, ...declared.fields } as unknown as OwnedData["fields"],
    hidden: Object.keys(declared.hidden ?? {}),
    within: declared.within,
    orders: (declared.orders as OwnedData["orders"] | undefined) ?? { id: ascending() },
    filters: declared.filters ?? [],
    unique: declared.unique ?? {},
    numbered: declared.numbered,
    counters: declared.counters ?? {},
    store: Context.Service(`@slipway/domain/OwnedStore/${name}`)
  })
