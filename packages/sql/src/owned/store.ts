import {
  type Comparable,
  countedUpTo,
  cursorOf,
  Duplicate,
  type ErasedStore,
  type FieldCondition,
  fieldConditionsOf,
  Missing,
  memoize,
  nameKey,
  numberedUpTo,
  type OwnedData,
  type OwnedPage,
  pageWindow,
  readCursor,
  type StoredValues,
  type Values
} from "@slipway/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../collection/collection.ts"
import { orDieSql } from "../SqlErrors.ts"
import { uniqueConstraint } from "./createTable.ts"
import { insertStatement } from "./insert.ts"
import { columnTypes, ownedTable } from "./table.ts"

type Results = ReadonlyArray<ReadonlyArray<unknown>>

/** Returns the domain error for a violated constraint: `Duplicate` or `Missing`; undefined for any other error. */
const refusal = (kind: OwnedData, table: string, error: unknown): Missing | Duplicate | undefined => {
  if (!isSqlError(error)) return undefined
  const { reason } = error
  if (reason._tag === "UniqueViolation") {
    const name = Object.keys(kind.unique).find((each) => uniqueConstraint(kind, each) === reason.constraint)
    return name === undefined ? undefined : new Duplicate({ of: `${kind.name}.${name}` })
  }
  // PostgreSQL reports the violated reference in separate error fields.
  const cause = reason.cause as { readonly code?: string; readonly constraint?: string } | undefined
  if (cause?.code !== "23503") return undefined
  const field = Object.keys(kind.fields).find((each) => {
    const column = ownedTable(kind).column(each).slice(1, -1)
    return `${table.slice(1, -1)}_${column}_fkey` === cause.constraint
  })
  // The numbers within a scope are written before the row, and refer to the same resource.
  return new Missing({ of: `${kind.name}.${field ?? kind.within[0] ?? "id"}` })
}

/** Makes the store of an owned resource type. Internal names in statements start with `_`, as no field name does. */
export const ownedStore = (sql: SqlClient, kind: OwnedData): ErasedStore => {
  const table = ownedTable(kind)
  const name = sql.literal(table.name)
  const all = sql.literal(table.expressions(table.name))
  const [defaultOrder = "id"] = Object.keys(kind.orders)
  const writers = new Map(table.written.map(({ column, write }) => [column, write]))

  // A text that PostgreSQL cannot store is looked up as null, which equals nothing.
  const parameter = (field: string, value: unknown): unknown => {
    if (field === "id") return Number.isSafeInteger(value) ? BigInt(value as number) : null
    if (value === null) return null
    const data = kind.fields[field]
    if (data?.type === "integer" && !Number.isSafeInteger(value)) return null
    if (data?.type !== "text") return writers.get(table.column(field))?.(value)
    return lookup(data.ignoringCase ? nameKey(String(value)) : String(value))
  }
  const typeOf = (field: string): string => columnTypes[kind.fields[field]?.type ?? "integer"]
  const typed = (field: string, value: unknown): Fragment =>
    sql`${parameter(field, value)}::${sql.literal(typeOf(field))}`

  const meets = ([field, asked]: readonly [string, FieldCondition]): Fragment => {
    const key = sql.literal(field === "id" ? "id" : table.key(field))
    if (asked.in === undefined) {
      return sql.and([
        ...(asked.from === undefined ? [] : [sql`${key} >= ${typed(field, asked.from)}`]),
        ...(asked.before === undefined ? [] : [sql`${key} < ${typed(field, asked.before)}`]),
        sql`${key} IS NOT NULL`
      ])
    }
    const values = asked.in.filter((each) => each !== null)
    return sql.or([
      values.length === 0
        ? sql`false`
        : values.length === 1
          ? sql`${key} = ${typed(field, values[0])}`
          : sql`${key} IN (${sql.csv(values.map((each) => typed(field, each)))})`,
      ...(values.length < asked.in.length ? [sql`${key} IS NULL`] : [])
    ])
  }

  /** Returns the column and value that select a scope of a list. The index of each sort order starts with it. */
  const leadOf = (
    asked: ReturnType<typeof fieldConditionsOf>
  ): readonly [column: Fragment, value: Fragment] | undefined => {
    const [only, ...others] = asked
    if (only === undefined || others.length > 0 || !kind.within.includes(only[0])) return undefined
    const [value, ...more] = only[1].in ?? []
    return value == null || more.length > 0 ? undefined : [sql.literal(table.column(only[0])), typed(only[0], value)]
  }
  const matching = (scope: Values, filter?: Values): Fragment =>
    sql.and([sql`true`, ...fieldConditionsOf(scope, filter).map(meets)])
  const one = (scope: Values, id: number): Fragment => matching({ ...scope, id })
  const sharing = (unique: string, values: Values): Fragment =>
    matching(Object.fromEntries((kind.unique[unique] ?? []).map((field) => [field, values[field]])))

  const sharingAny = (unique: string, values: ReadonlyArray<Values>): Fragment => {
    const [field = "", ...more] = kind.unique[unique] ?? []
    return more.length === 0
      ? matching({}, { [field]: { in: values.map((each) => each[field]) } })
      : sql.or(values.map((each) => sharing(unique, each)))
  }

  const rowsOf = (results: Results): ReadonlyArray<StoredValues> => results.map((values) => table.read(values))
  const firstOf = (results: Results): StoredValues | undefined => rowsOf(results)[0]
  const byIds = (results: Results, ids: ReadonlyArray<number>): ReadonlyArray<StoredValues> => {
    const rows = new Map(rowsOf(results).map((row) => [row.id, row]))
    return ids.flatMap((id) => rows.get(id) ?? [])
  }
  const selecting = (where: Fragment) => sql`SELECT ${all} FROM ${name} WHERE ${where}`.values
  const select = (where: Fragment) => orDieSql(Effect.map(selecting(where), firstOf))
  // After waiting for another transaction, a locking statement may mix current rows with its older snapshot.
  const lock = (where: Fragment) =>
    orDieSql(
      Effect.flatMap(
        sql`SELECT float8(id) FROM ${name} WHERE ${where} ORDER BY id FOR NO KEY UPDATE`.values,
        (found) => {
          const ids = found.map(([id]) => Number(id))
          return Effect.map(
            found.length === 0 ? Effect.succeed([]) : selecting(matching({ id: { in: ids } })),
            (results) => byIds(results, ids)
          )
        }
      )
    )
  const remove = (where: Fragment) =>
    orDieSql(Effect.map(sql`DELETE FROM ${name} WHERE ${where} RETURNING ${all}`.values, firstOf))

  const refusable = <A, E>(effect: Effect.Effect<A, E | SqlError>) =>
    orDieSql(
      Effect.catch(
        effect,
        (error): Effect.Effect<never, E | SqlError | Missing | Duplicate> =>
          Effect.fail(refusal(kind, table.name, error) ?? error)
      )
    )

  const orderOf = memoize((order: string) => {
    const { by, descending } = kind.orders[order] ?? { by: [], descending: false }
    const fields = by.filter((field) => field !== "id")
    const direction = descending ? " DESC" : ""
    const places = [...fields.map((field) => table.place(field)), "id"]
    return {
      fields,
      direction: sql.literal(direction),
      places: sql.literal(places.join(", ")),
      sorting: sql.literal(places.map((each) => `${each}${direction}`).join(", ")),
      beyond: sql.literal(descending ? "<" : ">")
    }
  })

  const behind = (order: string, page: OwnedPage): Fragment => {
    if (page.after === undefined) return sql`true`
    const place = readCursor(kind, order, page.after)
    if (place === undefined) return sql`false`
    const { beyond, fields, places } = orderOf(order)
    const values = place.map((value, at) => placed(fields[at], value))
    return sql`(${places}) ${beyond} (${sql.csv(values)})`
  }
  const placed = (field: string | undefined, value: Comparable): Fragment => {
    if (field === undefined) return sql`${BigInt(value as number)}::bigint`
    const data = kind.fields[field]
    // The index replaces null by a substitute; the order uses it too.
    if (value === null) return sql.literal(table.place(field).replace(/^\(coalesce\([^,]*, (.*)\)\)$/, "$1"))
    return sql`${data?.type === "text" ? value : parameter(field, value)}::${sql.literal(typeOf(field))}`
  }

  const pageColumns = sql.literal(table.expressions("page"))
  /** Returns the first part of the statement that reads counters by a field, and the function that reads its rows. */
  const countsOf = memoize((field: string) => {
    const counters = Object.entries(kind.counters).flatMap(([counter, { of }]) => (of === field ? [counter] : []))
    const columns = [field, ...counters].map((each) => `${table.column(each)}::float8`).join(", ")
    const read = (values: ReadonlyArray<unknown>) =>
      Object.fromEntries(counters.map((counter, at) => [counter, Number(values[at + 1] ?? 0)]))
    const selected = sql.literal(`SELECT ${columns} FROM ${table.counts(field)} WHERE ${table.column(field)}`)
    return { selected, read, none: read([]) }
  })
  /** Returns the SQL type of a field, and the expression that compares its values. */
  const comparedBy = memoize((field: string) => ({
    type: sql.literal(typeOf(field)),
    key: sql.literal(`${table.name}.${table.key(field)}`)
  }))

  const inserting = (rows: ReadonlyArray<Values>, onConflict: Fragment) =>
    Effect.map(insertStatement(sql, table, rows, onConflict), rowsOf)
  const isUnique = Object.keys(kind.unique).length > 0
  const refusing = sql`ON CONFLICT DO NOTHING`
  // A number of a row that is not stored would leave a gap.
  const isPlain = kind.numbered === undefined

  const duplicateOf = Effect.fnUntraced(function* (row: Values) {
    for (const [unique, fields] of Object.entries(kind.unique)) {
      // The last one needs no check: all others were unused.
      const isLast = Object.keys(kind.unique).at(-1) === unique
      const values = Object.fromEntries(fields.map((field) => [field, row[field]]))
      if (isLast || (yield* select(sharing(unique, values))) !== undefined) return `${kind.name}.${unique}`
    }
    return `${kind.name}.id`
  })

  const insertMany = (rows: ReadonlyArray<Values>) =>
    rows.length === 0
      ? Effect.succeed([])
      : refusable(isUnique || !isPlain ? sql.withTransaction(inserting(rows, sql``)) : inserting(rows, sql``))

  const insertManyIfAbsent: ErasedStore["insertManyIfAbsent"] = (rows) => {
    const stored =
      isPlain && rows.length > 0
        ? refusable(inserting(rows, refusing))
        : Effect.map(Effect.forEach(rows, insertOneIfAbsent), (each) => each.flat())
    return Effect.catchTag(stored, "Duplicate", Effect.die)
  }
  const insertOneIfAbsent = (row: Values) =>
    Effect.catchTag(insertMany([row]), "Duplicate", () => Effect.succeed<ReadonlyArray<StoredValues>>([]))

  const givenIn = (changes: ReadonlyArray<Values>) =>
    table.written.filter(({ field }) => changes.some((change) => change[field] !== undefined))

  const patchMany: ErasedStore["patchMany"] = (scope, changes) => {
    if (changes.length === 0) return Effect.succeed([])
    const set = givenIn(changes.map(({ change }) => change)).map((written, at) => ({
      ...written,
      value: sql.literal(`changed._value_${at}`),
      isSet: sql.literal(`changed._given_${at}`)
    }))
    const ids = changes.map(({ id }) => id)
    const named = sql.literal(["_sought", ...set.flatMap((_, at) => [`_value_${at}`, `_given_${at}`])].join(", "))
    const values = changes.map(
      ({ change, id }) =>
        sql`(${sql.csv([
          typed("id", id),
          ...set.flatMap(({ field, type, write }) => {
            const isGiven = change[field] !== undefined
            return [sql`${isGiven ? write(change[field]) : null}::${sql.literal(type)}`, sql`${isGiven}::boolean`]
          })
        ])})`
    )
    const statement =
      set.length === 0
        ? sql`SELECT ${all} FROM ${name} WHERE ${matching({ ...scope, id: { in: ids } })}`
        : sql`
            UPDATE ${name}
            SET ${sql.csv(
              set.map(({ column, isSet, value }) => {
                const own = sql.literal(column)
                return sql`${own} = CASE WHEN ${isSet} THEN ${value} ELSE ${name}.${own} END`
              })
            )}
            FROM (VALUES ${sql.csv(values)}) AS changed (${named})
            WHERE ${name}.id = changed._sought AND ${matching(scope)}
            RETURNING ${all}`
    return refusable(Effect.map(statement.values, (results) => byIds(results, ids)))
  }

  const removeWhere: ErasedStore["removeWhere"] = (scope, filter) =>
    orDieSql(
      Effect.map(
        sql`
          WITH removed AS (DELETE FROM ${name} WHERE ${matching(scope, filter)} RETURNING id)
          SELECT count(*)::float8 FROM removed`.values,
        ([values]) => Number(values?.[0])
      )
    )

  const list: ErasedStore["list"] = (scope, page, { filter, order = defaultOrder } = {}) => {
    const { limit, skip } = "page" in page ? pageWindow(page) : { skip: 0, limit: page.limit }
    // Rows after the counting limit have no page number, so nothing is scanned in vain.
    const isReached = limit > 0
    const { direction, sorting } = orderOf(order)
    // Sorted by that column too, although it has one value: otherwise PostgreSQL may scan rows of other resources.
    const lead = leadOf(fieldConditionsOf(scope, filter))
    const where = lead === undefined ? matching(scope, filter) : sql`${lead[0]} BETWEEN ${lead[1]} AND ${lead[1]}`
    const first = lead === undefined ? sql`` : sql`${lead[0]}${direction}, `
    const counting = lead === undefined ? sql`` : sql`ORDER BY ${first}${sorting}`
    return orDieSql(
      Effect.map(
        sql`
          SELECT counted._total, ${pageColumns}
          FROM (
            SELECT count(*)::float8 AS _total
            FROM (SELECT FROM ${name} WHERE ${where} ${counting} LIMIT ${countedUpTo + 1}) known
          ) counted
          LEFT JOIN (
            SELECT * FROM ${name} WHERE ${where} AND ${isReached ? behind(order, page) : sql`false`}
            ORDER BY ${first}${sorting} LIMIT ${limit + 1} OFFSET ${isReached ? skip : 0}
          ) page ON true
          ORDER BY ${sorting}`.values,
        (results) => {
          const found = results.flatMap((values) => (values[1] === null ? [] : [table.read(values, 1)]))
          const rows = found.slice(0, limit)
          const last = found.length > limit ? rows.at(-1) : undefined
          const total = Number(results[0]?.[0])
          return {
            rows,
            total: total > countedUpTo ? undefined : total,
            more: last !== undefined,
            next: last && cursorOf(kind, order, last)
          }
        }
      )
    )
  }

  return {
    insert: (row) =>
      isUnique && isPlain
        ? Effect.flatMap(refusable(inserting([row], refusing)), ([stored]) =>
            stored === undefined
              ? Effect.flatMap(duplicateOf(row), (of) => Effect.fail(new Duplicate({ of })))
              : Effect.succeed(stored)
          )
        : Effect.map(insertMany([row]), ([stored]) => stored as StoredValues),
    insertMany,
    insertIfAbsent: (row) => Effect.map(insertManyIfAbsent([row]), ({ length }) => length > 0),
    insertManyIfAbsent,
    find: (scope, id) => select(one(scope, id)),
    findBy: (unique, values) => select(sharing(unique, values)),
    findManyBy: (unique, values) =>
      values.length === 0
        ? Effect.succeed([])
        : orDieSql(
            Effect.map(sql`SELECT ${all} FROM ${name} WHERE ${sharingAny(unique, values)} ORDER BY id`.values, rowsOf)
          ),
    lock: (scope, id) => Effect.map(lock(one(scope, id)), ([found]) => found),
    lockManyBy: (unique, values) => (values.length === 0 ? Effect.succeed([]) : lock(sharingAny(unique, values))),
    list,
    listEverywhere: (page, asked) => list({}, page, asked),
    listFor: (field, values, limit, { filter, order = defaultOrder } = {}) => {
      const { sorting } = orderOf(order)
      if (values.length === 0) return Effect.succeed(new Map())
      const { key, type } = comparedBy(field)
      return orDieSql(
        Effect.map(
          sql`
            SELECT sought._place::float8, ${pageColumns}
            FROM unnest(${values.map(String)}::text[]::${type}[]) WITH ORDINALITY AS sought (_value, _place)
            CROSS JOIN LATERAL (
              SELECT * FROM ${name}
              WHERE ${key} = sought._value AND ${matching({}, filter)}
              ORDER BY ${sorting} LIMIT ${limit}
            ) page
            ORDER BY sought._place, ${sorting}`.values,
          (results) => {
            const lists = new Map<unknown, Array<StoredValues>>()
            for (const row of results) {
              const value = values[Number(row[0]) - 1]
              const list = lists.get(value) ?? []
              list.push(table.read(row, 1))
              lists.set(value, list)
            }
            return lists
          }
        )
      )
    },
    count: (scope, filter) =>
      orDieSql(
        Effect.map(
          sql`
            SELECT count(*)::float8
            FROM (SELECT FROM ${name} WHERE ${matching(scope, filter)} LIMIT ${numberedUpTo}) known`.values,
          ([values]) => Number(values?.[0])
        )
      ),
    counts: (field, ids) => {
      const { none, read, selected } = countsOf(field)
      return orDieSql(
        Effect.map(sql`${selected} = ANY(${ids.map(String)}::text[]::bigint[])`.values, (results) => {
          const found = new Map(results.map((values) => [Number(values[0]), read(values)]))
          return new Map(ids.map((id) => [id, found.get(id) ?? none]))
        })
      )
    },
    patch: (scope, id, change) => {
      const columns = givenIn([change])
      if (columns.length === 0) return select(one(scope, id))
      const set = columns.map(({ column, field, write }) => sql`${sql.literal(column)} = ${write(change[field])}`)
      return refusable(
        Effect.map(sql`UPDATE ${name} SET ${sql.csv(set)} WHERE ${one(scope, id)} RETURNING ${all}`.values, firstOf)
      )
    },
    patchMany,
    remove: (scope, id) => remove(one(scope, id)),
    removeBy: (unique, values) => remove(sharing(unique, values)),
    removeMany: (scope, ids) => removeWhere({ ...scope, id: { in: ids } }),
    removeWhere,
    removeEverywhere: (filter) => removeWhere({}, filter)
  }
}
