import {
  type ErasedStore,
  type FieldData,
  type OwnedData,
  type StoredValues,
  timeOf,
  type Values
} from "@slipway/domain"
import { type Context, Effect } from "effect"

/** Makes and removes the resources that rows refer to and that are not owned types. */
export interface Parents<R> {
  readonly make: (kind: string, n: number) => Effect.Effect<number, unknown, R>
  readonly remove: (kind: string, id: number) => Effect.Effect<unknown, unknown, R>
}

/** A resource type with a store that a test uses. */
export type KindWithStore = OwnedData & { readonly store: unknown }

/** Returns the store of a resource type, without the types of its rows. */
export const storeOf = <R>(kind: KindWithStore): Effect.Effect<ErasedStore, never, R> =>
  // BOUNDARY: the tests handle types with any rows.
  kind.store as Context.Service<R, ErasedStore>

/** A text that stores must keep unchanged. */
export const oddText = "Ünï\n\t'\"\\ 漢字 😀 \u{10ffff} e\u0301 % _ ;--"

const moment = (n: number): string => timeOf(1_767_225_600_123 + n * 1_007)

const valueOf = ({ nullable, oneOf, type }: FieldData, n: number): unknown => {
  if (nullable && n % 3 === 0) return null
  if (oneOf !== undefined) return oneOf[n % oneOf.length]
  if (type === "boolean") return n % 2 === 0
  if (type === "integer") return n * 7
  if (type === "time") return moment(n)
  return type === "json" ? [`value ${n}`, { n }] : `Text ${n} ß😀`
}

/** Sets a row's references to its own type to null; otherwise the row would need another one. */
const firstOf = ({ fields, name }: OwnedData): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, { nullable, refersTo }]) =>
      refersTo === name && nullable ? [[field, null]] : []
    )
  )

/** Makes rows of resource types, each different from all others, with the resources that they refer to. */
export const makers = <R>(kinds: ReadonlyArray<KindWithStore>, parents: Parents<R>) => {
  let last = 0

  const makeThing = (kind: string): Effect.Effect<number, unknown, R> => {
    const own = kinds.find((each) => each.name === kind)
    return own === undefined
      ? Effect.suspend(() => parents.make(kind, ++last))
      : Effect.map(insert(own, firstOf(own)), ({ id }) => id)
  }

  /** Returns a new row, with some values replaced, and without nulls if it is full. */
  const make = (kind: OwnedData, values: Values = {}, isFull = false): Effect.Effect<Values, unknown, R> =>
    Effect.gen(function* () {
      const n = ++last
      const row: Record<string, unknown> = {}
      for (const [field, data] of Object.entries(kind.fields)) {
        if (field === kind.numbered) continue
        if (field in values) row[field] = values[field]
        else
          row[field] =
            data.refersTo === undefined
              ? valueOf(isFull ? { ...data, nullable: false } : data, n)
              : yield* makeThing(data.refersTo)
      }
      return row
    })

  const insert = (kind: KindWithStore, values: Values = {}): Effect.Effect<StoredValues, unknown, R> =>
    Effect.flatMap(storeOf<R>(kind), (store) => Effect.flatMap(make(kind, values), store.insert))

  /** Removes a resource of any type. */
  const removeThing = (kind: string, id: number): Effect.Effect<unknown, unknown, R> => {
    const own = kinds.find((each) => each.name === kind)
    return own === undefined
      ? parents.remove(kind, id)
      : Effect.flatMap(storeOf<R>(own), (store) => store.remove({}, id))
  }

  /** Returns a new scope of a type, without rows. */
  const scope = (kind: OwnedData, field = kind.within[0]): Effect.Effect<Values, unknown, R> =>
    field === undefined
      ? Effect.succeed({})
      : Effect.map(makeThing(kind.fields[field]?.refersTo ?? ""), (id) => ({ [field]: id }))

  /** Returns the values of the next row, for fields that are not references. */
  const fresh = (kind: OwnedData): Values => {
    const n = ++last
    return Object.fromEntries(
      Object.entries(kind.fields).flatMap(([field, data]) =>
        data.refersTo === undefined && field !== kind.numbered ? [[field, valueOf(data, n)]] : []
      )
    )
  }

  return { make, makeThing, insert, removeThing, scope, fresh }
}
