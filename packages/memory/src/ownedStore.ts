import {
  type Comparable,
  comparable,
  countedUpTo,
  cursorOf,
  type Duplicate,
  type ErasedStore,
  type FieldCondition,
  fieldConditionsOf,
  Missing,
  numberedUpTo,
  type OwnedData,
  type OwnedPage,
  pageWindow,
  placeOf,
  readCursor,
  type StoredValues,
  type Values
} from "@slipway/domain"
import { Effect, Result } from "effect"
import { byCodePoints } from "./codePoints.ts"
import type { Database, Snapshot } from "./Database.ts"
import { type Referred, type Row, Table } from "./Table.ts"

interface NumberRow extends Row {
  readonly within: string
  readonly last: number
}

type Index = ReturnType<Table<StoredValues>["index"]>

/** The table of an owned resource type (a type with a generated store), with the indexes for its lists and counters. */
export interface OwnedTable {
  readonly kind: OwnedData
  readonly rows: Table<StoredValues>
  readonly numbers: Table<NumberRow>
  readonly scopes: ReadonlyMap<string, Index>
  readonly counters: ReadonlyMap<string, Index>
  /** The referenced resource type of each field. */
  readonly references: ReadonlyMap<string, { readonly has: (snapshot: Snapshot, key: string) => boolean }>
}

const keyOf = (kind: OwnedData, fields: ReadonlyArray<string>, row: Values): string | null => {
  const values = fields.map((field) => comparable(kind, field, row[field]))
  return values.includes(null) ? null : JSON.stringify(values)
}

/** Returns the unique constraints of a resource type: the declared ones, and the number within the first scope. */
const alone = ({ numbered, unique, within }: OwnedData): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const [scope] = within
  const number = numbered === undefined || scope === undefined ? [] : [[numbered, [scope, numbered]] as const]
  return [...Object.entries(unique), ...number]
}

// Rows of the site have no parent; they are indexed under one key.
const scopeKey = (row: Values, field: string | undefined): string | null => {
  const value = field === undefined ? "" : row[field]
  return value === null ? null : String(value)
}

/**
 * Makes the tables of owned resource types (types with generated stores). A table is made after the tables that its
 * fields refer to.
 *
 * `tableOf` returns a referenced table that is not in this list.
 */
export const ownedTables = (
  kinds: ReadonlyArray<OwnedData>,
  tableOf: (kind: string) => Referred | undefined
): ReadonlyMap<string, OwnedTable> => {
  const rowsOf = new Map(
    kinds.map((kind) => [
      kind.name,
      new Table<StoredValues>(kind.name, [
        { of: `${kind.name}.id`, key: (row) => String(row.id) },
        ...alone(kind).map(([name, fields]) => ({
          of: `${kind.name}.${name}`,
          key: (row: StoredValues) => keyOf(kind, fields, row)
        }))
      ])
    ])
  )
  return new Map(
    kinds.map((kind) => {
      const { counters, fields, name, within } = kind
      const rows = rowsOf.get(name) as Table<StoredValues>
      const numbers = new Table<NumberRow>(`${name}Number`, [{ of: name, key: (row) => row.within }])
      const references = new Map<string, Referred>()
      for (const [field, { onRemove, refersTo }] of Object.entries(fields)) {
        if (refersTo === undefined) continue
        const to = rowsOf.get(refersTo) ?? tableOf(refersTo)
        if (to === undefined) throw new Error(`${name}.${field} refers to ${refersTo}, which is not a resource type`)
        references.set(field, to)
        rows.refer(
          (row) => scopeKey(row, field),
          to,
          onRemove === "removes" ? "removes" : (row) => ({ ...row, [field]: null })
        )
        if (field === within[0]) numbers.refer((row) => row.within, to, "removes")
      }
      const scopes = (within.length === 0 ? [undefined] : within).map(
        (field) => [field ?? "", rows.index({ key: (row) => scopeKey(row, field) })] as const
      )
      const counting = Object.entries(counters).map(
        ([counter, { of, where = {} }]) =>
          [
            counter,
            rows.index({
              key: (row) =>
                Object.entries(where).every(([field, value]) => row[field] === value) ? scopeKey(row, of) : null
            })
          ] as const
      )
      return [
        name,
        { kind, rows, numbers, references, scopes: new Map(scopes), counters: new Map(counting) } satisfies OwnedTable
      ]
    })
  )
}

const compare = (one: Comparable, other: Comparable): number => {
  if (one === other) return 0
  if (one === null) return 1
  if (other === null) return -1
  return typeof one === "string" ? byCodePoints(one, String(other)) : Number(one) - Number(other)
}

const comparePlaces = (one: ReadonlyArray<Comparable>, other: ReadonlyArray<Comparable>): number =>
  one.reduce<number>((found, value, at) => found || compare(value, other[at] ?? null), 0)

const meets = (kind: OwnedData, row: Values, field: string, asked: FieldCondition): boolean => {
  const value = comparable(kind, field, row[field])
  const of = (each: unknown) => comparable(kind, field, each)
  if (asked.in !== undefined) return asked.in.some((each) => of(each) === value)
  if (value === null) return false
  return (
    (asked.from === undefined || compare(value, of(asked.from)) >= 0) &&
    (asked.before === undefined || compare(value, of(asked.before)) < 0)
  )
}

/** Finds a row by its id, or by the fields of a unique constraint. */
export const ownedRowBy = (
  snapshot: Snapshot,
  { kind, rows }: OwnedTable,
  values: Values
): StoredValues | undefined => {
  const isMeant = (row: StoredValues | undefined) =>
    row !== undefined &&
    Object.entries(values).every(
      ([field, value]) => comparable(kind, field, row[field]) === comparable(kind, field, value)
    )
      ? row
      : undefined
  if (typeof values["id"] === "number") return isMeant(rows.get(snapshot, values["id"]))
  const keys = alone(kind).map(([, fields]) => fields)
  const at = keys.findIndex((fields) => fields.every((field) => values[field] !== undefined))
  if (at < 0) throw new Error(`${kind.name} has no unique constraint on these fields`)
  const key = keyOf(kind, keys[at] ?? [], values)
  return key === null ? undefined : isMeant(rows.find(snapshot, key, at + 1))
}

/** Returns a row without the fields that the resource type declares as hidden. */
export const shownRow = ({ hidden }: OwnedData, row: StoredValues): StoredValues =>
  hidden.length === 0
    ? row
    : (Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name))) as unknown as StoredValues)

/** Makes the store of an owned resource type (a type with a generated store) from its table. */
export const ownedStore = (database: Database, table: OwnedTable): ErasedStore => {
  const { counters, kind, numbers, references, rows, scopes } = table
  const [defaultOrder = "id"] = Object.keys(kind.orders)
  const [first] = kind.within
  const uniqueNames = Object.keys(kind.unique)

  const shown = (row: StoredValues): StoredValues => shownRow(kind, row)

  const isIn = (scope: Values, row: StoredValues): boolean =>
    Object.entries(scope).every(([field, value]) => row[field] === value)

  const found = (snapshot: Snapshot, scope: Values, id: number): StoredValues | undefined => {
    const row = rows.get(snapshot, id)
    return row !== undefined && isIn(scope, row) ? row : undefined
  }

  const foundBy = (snapshot: Snapshot, unique: string, values: Values): StoredValues | undefined => {
    const key = keyOf(kind, kind.unique[unique] ?? [], values)
    return key === null ? undefined : rows.find(snapshot, key, uniqueNames.indexOf(unique) + 1)
  }

  const matching = (snapshot: Snapshot, scope: Values, filter: Values | undefined): ReadonlyArray<StoredValues> => {
    const [field = "", value = ""] = Object.entries(scope)[0] ?? []
    const within =
      scopes.get(field)?.list(snapshot, String(value)) ?? rows.list(snapshot, { limit: Number.POSITIVE_INFINITY })
    const asked = fieldConditionsOf(filter)
    return within.filter((row) => asked.every(([name, each]) => meets(kind, row, name, each)))
  }

  const sorted = (found: ReadonlyArray<StoredValues>, order: string) => {
    const sign = kind.orders[order]?.descending === true ? -1 : 1
    return found
      .map((row) => ({ row, place: placeOf(kind, order, row) }))
      .sort((one, other) => sign * comparePlaces(one.place, other.place))
  }

  const missing = (snapshot: Snapshot, row: Values): Missing | undefined => {
    for (const [field, to] of references) {
      const value = row[field]
      if (value !== undefined && value !== null && !to.has(snapshot, String(value))) {
        return new Missing({ of: `${kind.name}.${field}` })
      }
    }
    return undefined
  }

  const numbered = (snapshot: Snapshot, row: Values): Values => {
    if (kind.numbered === undefined) return row
    const within = String(first === undefined ? "" : row[first])
    const present = numbers.find(snapshot, within)
    const last = (present?.last ?? 0) + 1
    if (present === undefined) Result.getOrThrow(numbers.insert(snapshot, { within, last }))
    else Result.getOrThrow(numbers.replace(snapshot, { ...present, last }))
    return { ...row, [kind.numbered]: last }
  }

  const inserted = (snapshot: Snapshot, row: Values): Result.Result<StoredValues, Missing | Duplicate> => {
    const gone = missing(snapshot, row)
    return gone === undefined
      ? Result.map(rows.insert(snapshot, numbered(snapshot, row) as StoredValues), shown)
      : Result.fail(gone)
  }

  const isThere = (snapshot: Snapshot, row: Values): boolean =>
    uniqueNames.some((unique) => foundBy(snapshot, unique, row) !== undefined)

  const insertManyIfAbsent: ErasedStore["insertManyIfAbsent"] = (all) =>
    database
      .write((snapshot) => Result.all(all.flatMap((row) => (isThere(snapshot, row) ? [] : [inserted(snapshot, row)]))))
      .pipe(Effect.catchTag("Duplicate", Effect.die))

  const patched = (
    snapshot: Snapshot,
    scope: Values,
    id: number,
    change: Values
  ): Result.Result<StoredValues | undefined, Missing | Duplicate> => {
    const before = found(snapshot, scope, id)
    if (before === undefined) return Result.succeed(undefined)
    const gone = missing(snapshot, change)
    if (gone !== undefined) return Result.fail(gone)
    const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const after = { ...before, ...changes }
    return Result.map(rows.replace(snapshot, after), () => shown(rows.get(snapshot, id) ?? after))
  }

  const removed = (snapshot: Snapshot, row: StoredValues | undefined) => {
    if (row === undefined) return undefined
    Result.getOrThrow(rows.remove(snapshot, row.id))
    return shown(row)
  }
  const removing = (row: (snapshot: Snapshot) => StoredValues | undefined) =>
    database.write((snapshot) => Result.succeed(removed(snapshot, row(snapshot))))

  const removingAll = (those: (snapshot: Snapshot) => ReadonlyArray<StoredValues>) =>
    database.write((snapshot) => {
      const all = those(snapshot)
      for (const row of all) removed(snapshot, row)
      return Result.succeed(all.length)
    })

  const removeWhere: ErasedStore["removeWhere"] = (scope, filter) =>
    removingAll((snapshot) => matching(snapshot, scope, filter))

  const find: ErasedStore["find"] = (scope, id) =>
    database.read((snapshot) => {
      const row = found(snapshot, scope, id)
      return row && shown(row)
    })

  const findManyBy: ErasedStore["findManyBy"] = (unique, values) =>
    database.read((snapshot) =>
      values
        .flatMap((each) => foundBy(snapshot, unique, each) ?? [])
        .toSorted((one, other) => one.id - other.id)
        .map(shown)
    )

  const list: ErasedStore["list"] = (scope, page, { filter, order = defaultOrder } = {}) =>
    database.read((snapshot) => {
      const all = matching(snapshot, scope, filter)
      const behind = sorted(all, order).filter(isBehind(kind, order, page))
      const { limit, skip } = cutOf(page)
      const cut = behind.slice(skip, skip + limit)
      const last = behind.length > skip + limit ? cut.at(-1) : undefined
      return {
        rows: cut.map(({ row }) => shown(row)),
        total: all.length > countedUpTo ? undefined : all.length,
        more: last !== undefined,
        next: last && cursorOf(kind, order, last.row)
      }
    })

  return {
    find,
    // Transactions run one after the other, so this needs no lock.
    lock: find,
    insert: (row) => database.write((snapshot) => inserted(snapshot, row)),
    insertMany: (all) => database.write((snapshot) => Result.all(all.map((row) => inserted(snapshot, row)))),
    insertIfAbsent: (row) => Effect.map(insertManyIfAbsent([row]), ({ length }) => length > 0),
    insertManyIfAbsent,
    findBy: (unique, values) =>
      database.read((snapshot) => {
        const row = foundBy(snapshot, unique, values)
        return row && shown(row)
      }),
    findManyBy,
    lockManyBy: findManyBy,
    list,
    listEverywhere: (page, asked) => list({}, page, asked),
    listFor: (field, values, limit, { filter, order = defaultOrder } = {}) =>
      database.read(
        (snapshot) =>
          new Map(
            values.flatMap((value) => {
              const cut = sorted(matching(snapshot, { [field]: value }, filter), order).slice(0, limit)
              return cut.length === 0 ? [] : [[value, cut.map(({ row }) => shown(row))] as const]
            })
          )
      ),
    count: (scope, filter) =>
      database.read((snapshot) => Math.min(matching(snapshot, scope, filter).length, numberedUpTo)),
    counts: (field, ids) =>
      database.read((snapshot) => {
        const of = [...counters].filter(([name]) => kind.counters[name]?.of === field)
        return new Map(
          ids.map((id) => [
            id,
            Object.fromEntries(of.map(([name, index]) => [name, index.count(snapshot, String(id))]))
          ])
        )
      }),
    patch: (scope, id, change) => database.write((snapshot) => patched(snapshot, scope, id, change)),
    patchMany: (scope, changes) =>
      database.write((snapshot) =>
        Result.map(Result.all(changes.map(({ change, id }) => patched(snapshot, scope, id, change))), (after) =>
          after.filter((row) => row !== undefined)
        )
      ),
    remove: (scope, id) => removing((snapshot) => found(snapshot, scope, id)),
    removeBy: (unique, values) => removing((snapshot) => foundBy(snapshot, unique, values)),
    removeMany: (scope, ids) => removingAll((snapshot) => ids.flatMap((id) => found(snapshot, scope, id) ?? [])),
    removeWhere,
    removeEverywhere: (filter) => removeWhere({}, filter)
  }
}

const cutOf = (page: OwnedPage): { readonly skip: number; readonly limit: number } =>
  "page" in page ? pageWindow(page) : { skip: 0, limit: page.limit }

const isBehind = (kind: OwnedData, order: string, page: OwnedPage) => {
  if (page.after === undefined) return () => true
  const place = readCursor(kind, order, page.after)
  const sign = kind.orders[order]?.descending === true ? -1 : 1
  return (each: { readonly place: ReadonlyArray<Comparable> }) =>
    place !== undefined && sign * comparePlaces(each.place, place) > 0
}
