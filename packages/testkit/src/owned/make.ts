import {
  type ErasedStore,
  type FieldData,
  type OwnedData,
  type StoredValues,
  timeOf,
  type Values
} from "@slipway/domain"
import { type Context, Effect } from "effect"

/** Makes and removes the referenced resources that are not owned types, such as users. */
export interface Parents<R> {
  readonly make: (kind: string, n: number) => Effect.Effect<number, unknown, R>
  readonly remove: (kind: string, id: number) => Effect.Effect<unknown, unknown, R>
}

/** A resource type together with the key of its store. */
export type KindWithStore = OwnedData & { readonly store: unknown }

/** Returns the store of a resource type, without the types of its rows. */
export const storeOf = <R>(kind: KindWithStore): Effect.Effect<ErasedStore, never, R> =>
  // BOUNDARY: the tests handle types with any rows.
  kind.store as Context.Service<R, ErasedStore>

/** A text with special characters, which stores must return unchanged. */
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

/**
 * Returns null for each field of a row that references its own type. Otherwise the row would need another row of the
 * type.
 */
const firstOf = ({ fields, name }: OwnedData): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, { nullable, refersTo }]) =>
      refersTo === name && nullable ? [[field, null]] : []
    )
  )

/**
 * Returns functions that make unique test rows of resource types, together with the resources that the rows reference.
 */
export const makers = <R>(kinds: ReadonlyArray<KindWithStore>, parents: Parents<R>) => {
  let last = 0

  const makeThing = (kind: string): Effect.Effect<number, unknown, R> => {
    const own = kinds.find((each) => each.name === kind)
    return own === undefined
      ? Effect.suspend(() => parents.make(kind, ++last))
      : Effect.map(insert(own, firstOf(own)), ({ id }) => id)
  }

  /** Makes a new row, with some values replaced. If `isFull` is true, no field is null. */
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

  /** Makes a new scope (a parent resource) of a type, without rows. */
  const scope = (kind: OwnedData, field = kind.within[0]): Effect.Effect<Values, unknown, R> =>
    field === undefined
      ? Effect.succeed({})
      : Effect.map(makeThing(kind.fields[field]?.refersTo ?? ""), (id) => ({ [field]: id }))

  /** Returns the values of the next test row, for all fields that are not references. */
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
