import { Context } from "effect"
import type { Field, FieldData } from "./fields.ts"
import type { OwnedFilter, OwnedStore } from "./OwnedStore.ts"
import type { OwnedRow, OwnedTypes } from "./OwnedTypes.ts"

/** The sort order of a list: by fields, then by id; nulls are last in ascending order. */
export interface Order<Name extends string = string> {
  readonly by: ReadonlyArray<Name>
  readonly descending: boolean
}

/** Sorts rows by fields in ascending order, and equal ones by id. */
export const ascending = <const Name extends string = never>(...by: ReadonlyArray<Name>): Order<Name> => ({
  by: by.filter((field) => field !== "id"),
  descending: false
})

/** Sorts rows by fields in descending order, and equal ones by id, latest first. */
export const descending = <const Name extends string = never>(...by: ReadonlyArray<Name>): Order<Name> => ({
  by: by.filter((field) => field !== "id"),
  descending: true
})

/** A row counter of a resource: of all rows that refer to it by a field, or of those with certain values. */
export interface Counter<Name extends string = string> {
  readonly of: Name
  readonly where?: Readonly<Record<string, string | number | boolean>> | undefined
}

/** The declaration of an owned resource type, as data: everything that a store needs. */
export interface OwnedData {
  readonly name: string
  /** Every field except `id`, including hidden ones. */
  readonly fields: Readonly<Record<string, FieldData>>
  /** The write-only fields of a store. */
  readonly hidden: ReadonlyArray<string>
  /** The fields of the scopes of a row; each of them is a scope by itself. Empty for resources of the site. */
  readonly within: ReadonlyArray<string>
  /** The first order is the default. */
  readonly orders: Readonly<Record<string, Order>>
  /** The fields that lists can be filtered by. */
  readonly filters: ReadonlyArray<string>
  /** Fields with unique values, under the name that `Duplicate` reports: `kind.name`. */
  readonly unique: Readonly<Record<string, ReadonlyArray<string>>>
  /** The field that numbers the rows within the first scope from 1, without gaps. */
  readonly numbered: string | undefined
  readonly counters: Readonly<Record<string, Counter>>
}

/** The tag that distinguishes the stores of owned types among the requirements of an effect. */
export interface OwnedStoreOf<Name extends string> {
  readonly "~slipway/OwnedStore": Name
}

/** A resource type within another, such as the labels of an organization, or within the site. */
export interface Owned<T extends OwnedTypes> extends OwnedData {
  readonly name: T["name"]
  /** The key of its store. */
  readonly store: Context.Service<OwnedStoreOf<T["name"]>, OwnedStore<T>>
}

/** The list filter of an owned type. */
export type FilterOf<Kind> = Kind extends Owned<infer T> ? OwnedFilter<T> : never

/** The declaration of any owned type. */
// BOUNDARY: a store handles rows of any type, so no single row type fits all of them.
// biome-ignore lint/suspicious/noExplicitAny: a kind of any row
export type AnyOwned = Owned<any>

/** The identifiers of the stores of some owned types. */
export type StoresOf<Kinds extends ReadonlyArray<OwnedData>> = OwnedStoreOf<Kinds[number]["name"]>

type Fields<Row> = { readonly [Name in keyof Omit<Row, "id">]-?: Field<Row[Name]> }

type NameIn<Row> = keyof Row & string

/**
 * Declares an owned resource type: `owned<Label>()("label", { within: ["organizationId"], fields: { … } })`.
 *
 * The declaration determines both stores, their tables and their tests. `Hidden` has the facts that are stored and
 * compared but never returned, such as the hash of a secret.
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
