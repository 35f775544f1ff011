import { Context } from "effect"
import type { Field, FieldData } from "./fields.ts"
import type { OwnedFilter, OwnedStore } from "./OwnedStore.ts"
import type { OwnedRow, OwnedTypes } from "./OwnedTypes.ts"

/** An order in which rows are listed: by fields, then by number; nulls are last when it ascends. */
export interface Order<Name extends string = string> {
  readonly by: ReadonlyArray<Name>
  readonly descending: boolean
}

/** Orders rows by fields, smallest first, and those that are alike by number. */
export const ascending = <const Name extends string = never>(...by: ReadonlyArray<Name>): Order<Name> => ({
  by: by.filter((field) => field !== "id"),
  descending: false
})

/** Orders rows by fields, greatest first, and those that are alike by number, the latest first. */
export const descending = <const Name extends string = never>(...by: ReadonlyArray<Name>): Order<Name> => ({
  by: by.filter((field) => field !== "id"),
  descending: true
})

/** A row counter of a resource: of all rows that refer to it by a field, or of those with certain values. */
export interface Counter<Name extends string = string> {
  readonly of: Name
  readonly where?: Readonly<Record<string, string | number | boolean>> | undefined
}

/** The declaration of an owned kind, as data: all that a store needs to keep it. */
export interface OwnedData {
  readonly name: string
  /** Every field but `id`, hidden ones too. */
  readonly fields: Readonly<Record<string, FieldData>>
  /** The fields that stores take and never give back. */
  readonly hidden: ReadonlyArray<string>
  /**
   * The fields of the scopes that a row lies in; each of them is a scope by itself. Empty for resources of the site.
   */
  readonly within: ReadonlyArray<string>
  /** The first order is the one that lists have unless they ask for another. */
  readonly orders: Readonly<Record<string, Order>>
  /** The fields by which lists are filtered. */
  readonly filters: ReadonlyArray<string>
  /** Fields with values that no two rows share, under the name that `Duplicate` reports: `kind.name`. */
  readonly unique: Readonly<Record<string, ReadonlyArray<string>>>
  /** The field that numbers the rows within the first scope from 1, without gaps. */
  readonly numbered: string | undefined
  readonly counters: Readonly<Record<string, Counter>>
}

/** The tag that distinguishes the stores of owned kinds among the requirements of an effect. */
export interface OwnedStoreOf<Name extends string> {
  readonly "~slipway/OwnedStore": Name
}

/** A resource type within another, such as the labels of an organization, or within the site. */
export interface Owned<T extends OwnedTypes> extends OwnedData {
  readonly name: T["name"]
  /** The key of the store that keeps it. */
  readonly store: Context.Service<OwnedStoreOf<T["name"]>, OwnedStore<T>>
}

/** The filter of the lists of a kind. */
export type FilterOf<Kind> = Kind extends Owned<infer T> ? OwnedFilter<T> : never

/** The declaration of any owned kind. */
// BOUNDARY: a store handles rows of any type, so no single row type fits all of them.
// biome-ignore lint/suspicious/noExplicitAny: a kind of any row
export type AnyOwned = Owned<any>

/** The identifiers of the stores of some kinds. */
export type StoresOf<Kinds extends ReadonlyArray<OwnedData>> = OwnedStoreOf<Kinds[number]["name"]>

type Fields<Row> = { readonly [Name in keyof Omit<Row, "id">]-?: Field<Row[Name]> }

type NameIn<Row> = keyof Row & string

/**
 * Declares an owned kind: `owned<Label>()("label", { within: ["organizationId"], fields: { … } })`.
 *
 * Both stores, their tables and their tests are made from the declaration. `Hidden` has the facts that are stored and
 * compared, and never given back, such as the hash of a secret.
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
