import { assert } from "@effect/vitest"
import { nameKey, type OwnedData, type StoredValues, Transaction, type Values } from "@slipway/domain"
import { Effect } from "effect"
import { runInTurn } from "../concurrency.ts"
import { equal, type Fixture, type KindTest, scopeOf } from "./rows.ts"

/** Compares two rows by a field, as sorted lists do: nulls last, texts by code points. */
const comparison = (kind: OwnedData, field: string, one: StoredValues, other: StoredValues): number => {
  const key = (row: StoredValues) => {
    const value = row[field]
    return kind.fields[field]?.ignoringCase === true ? nameKey(String(value)) : value
  }
  const [a, b] = [key(one), key(other)]
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return typeof a === "string" ? byteOrder(a, String(b)) : Number(a) - Number(b)
}

// UTF-8 sorts in the order of code points.
const byteOrder = (one: string, other: string): number => {
  const [ones, others] = [new TextEncoder().encode(one), new TextEncoder().encode(other)]
  const at = ones.findIndex((byte, place) => byte !== others[place])
  return at === -1 ? ones.length - others.length : (ones[at] ?? -1) - (others[at] ?? -1)
}

const inOrder = (kind: OwnedData, order: string, rows: ReadonlyArray<StoredValues>): Array<number> => {
  const { by = [], descending = false } = kind.orders[order] ?? {}
  const compared = [...rows].sort(
    (one, other) =>
      by.map((field) => comparison(kind, field, one, other)).find((each) => each !== 0) ?? one.id - other.id
  )
  return (descending ? compared.reverse() : compared).map(({ id }) => id)
}

const idsOf = (rows: ReadonlyArray<StoredValues>) => rows.map(({ id }) => id)

/** Inserts rows, some with equal sort and filter values, and one row in another scope. */
/** The scopes with several rows; no two scopes share an identifying value. */
const shared = ({ unique, within }: OwnedData): ReadonlyArray<string> =>
  within.filter((field) => !Object.values(unique).some((fields) => fields.length === 1 && fields[0] === field))

const alike = ({ kind, makers, store }: Fixture<unknown>, amount: number, field = kind.within[0]) =>
  Effect.gen(function* () {
    const scope = yield* makers.scope(kind, field)
    const rows: Array<StoredValues> = []
    const unique = new Set(Object.values(kind.unique).flat())
    const repeated = [...new Set([...Object.values(kind.orders).flatMap(({ by }) => by), ...kind.filters])].filter(
      (name) =>
        name in kind.fields && !unique.has(name) && name !== kind.numbered && kind.fields[name]?.refersTo === undefined
    )
    for (let n = 0; n < amount; n++) {
      const before = rows[n - 2]
      const same =
        n % 3 === 2 && before !== undefined ? Object.fromEntries(repeated.map((name) => [name, before[name]])) : {}
      rows.push(yield* store.insert(yield* makers.make(kind, { ...same, ...scope })))
    }
    if (kind.within.length > 0) yield* makers.insert(kind)
    return { scope, rows }
  })

const scopes = (kind: OwnedData): ReadonlyArray<string | undefined> =>
  kind.within.length === 0 ? [undefined] : shared(kind)

const listed: KindTest<unknown>["test"] = (fixture) =>
  Effect.gen(function* () {
    const { kind, store } = fixture
    for (const field of scopes(kind)) {
      const earlier = field === undefined ? (yield* store.list({}, { page: 1, perPage: 100 })).rows : []
      const { rows, scope } = yield* alike(fixture, 7, field)
      const all = [...earlier, ...rows]
      for (const order of Object.keys(kind.orders)) {
        const expected = inOrder(kind, order, all)
        const whole = yield* store.list(scope, { page: 1, perPage: 100 }, { order })
        equal(idsOf(whole.rows), expected)
        equal([whole.next, whole.more], [undefined, false])
        for (const row of whole.rows)
          equal(
            row,
            all.find(({ id }) => id === row.id)
          )
        const paged: Array<number> = []
        for (const page of [1, 2, 3, 4, 5]) {
          const cut = yield* store.list(scope, { page, perPage: 3 }, { order })
          equal(cut.total, all.length)
          paged.push(...idsOf(cut.rows))
        }
        equal(paged, expected.slice(0, 15))
        const followed: Array<number> = []
        let after: string | undefined
        do {
          const cut = yield* store.list(scope, { after, limit: 2 }, { order })
          followed.push(...idsOf(cut.rows))
          after = cut.next
        } while (after !== undefined)
        equal(followed, expected)
        for (const odd of ["", "[]", "x", "[null]", `["\\u0000",1]`, "[1,2,3,4]"]) {
          equal((yield* store.list(scope, { after: odd, limit: 2 }, { order })).rows, [])
        }
      }
      if (field === undefined) return
    }
  })

const counted: KindTest<unknown>["test"] = (fixture) =>
  Effect.gen(function* () {
    const { kind, makers, store } = fixture
    const { rows, scope } = yield* alike(fixture, 4)
    const total = (yield* store.list(scope, { page: 1, perPage: 1 })).total
    equal([total, yield* store.count(scope)], [rows.length, rows.length])
    equal((yield* store.list(scope, { page: 9, perPage: 3 })).total, total)
    const empty = yield* makers.scope(kind)
    if (kind.within.length > 0) {
      equal(yield* store.list(empty, { page: 1, perPage: 3 }), { rows: [], total: 0, more: false, next: undefined })
    }
  })

const filtered: KindTest<unknown>["test"] = (fixture) =>
  Effect.gen(function* () {
    const { kind, makers, store } = fixture
    const { rows, scope } = yield* alike(fixture, 6)
    const shownBy = (filter: Values) =>
      Effect.map(store.list(scope, { page: 1, perPage: 100 }, { filter }), ({ rows, total }) => {
        equal(total, rows.length)
        return idsOf(rows).toSorted((one, other) => one - other)
      })
    for (const field of kind.filters) {
      const values = rows.map((row) => row[field])
      const [first, second] = [values[0], values.find((value) => value !== values[0])]
      const matching = (...sought: ReadonlyArray<unknown>) => idsOf(rows.filter((row) => sought.includes(row[field])))
      equal(yield* shownBy({ [field]: first }), matching(first))
      const both = second === undefined ? [first] : [first, second]
      equal(yield* shownBy({ [field]: { in: both } }), matching(...both))
      equal(yield* shownBy({ [field]: { in: [] } }), [])
      equal(yield* shownBy({ [field]: undefined }), idsOf(rows))
      if (kind.fields[field]?.nullable === true) equal(yield* shownBy({ [field]: null }), matching(null))
      if (kind.fields[field]?.ignoringCase === true) {
        equal(yield* shownBy({ [field]: String(first).toUpperCase() }), matching(first))
      }
      equal(yield* store.count(scope, { [field]: first }), matching(first).length)
      if (typeof first === "boolean") continue
      const sorted = rows
        .filter((row) => row[field] !== null)
        .toSorted((one, other) => comparison(kind, field, one, other))
      const [low, high] = [sorted[1]?.[field], sorted.at(-1)?.[field]]
      const between = sorted.filter(
        (row) =>
          comparison(kind, field, row, sorted[1] as StoredValues) >= 0 &&
          comparison(kind, field, row, sorted.at(-1) as StoredValues) < 0
      )
      equal(
        yield* shownBy({ [field]: { from: low, before: high } }),
        idsOf(between).toSorted((one, other) => one - other)
      )
    }
    const [field] = kind.filters
    if (field === undefined) {
      equal(yield* store.removeWhere(scope), rows.length)
    } else {
      const gone = rows.filter((row) => row[field] === rows[0]?.[field])
      equal(yield* store.removeWhere(scope, { [field]: rows[0]?.[field] }), gone.length)
      equal(yield* shownBy({}), idsOf(rows.filter((row) => !gone.includes(row))))
      equal(yield* store.removeWhere(scope, { [field]: rows[0]?.[field] }), 0)
    }
    if (kind.within.length > 0) {
      const other = yield* makers.insert(kind)
      yield* store.removeWhere(scope)
      equal([yield* store.count(scope), yield* store.find({}, other.id)], [0, other])
    }
  })

const everywhere: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const [field = ""] = kind.filters
    const [row, other] = [yield* makers.insert(kind), yield* makers.insert(kind)]
    const filter = { [field]: row[field] }
    const isLike = comparison(kind, field, row, other) === 0
    equal((yield* store.removeEverywhere(filter)) >= (isLike ? 2 : 1), true)
    equal([yield* store.removeEverywhere(filter), yield* store.find({}, row.id)], [0, undefined])
    equal(yield* store.find({}, other.id), isLike ? undefined : other)
  })

const listedEverywhere: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const [field = ""] = kind.filters
    const [row, other] = [yield* makers.insert(kind), yield* makers.insert(kind)]
    const filter = { [field]: { in: [row[field], other[field]] } }
    const [order = ""] = Object.keys(kind.orders)
    const known = yield* store.listEverywhere({ page: 1, perPage: 100 }, { filter })
    for (const each of [row, other])
      equal(
        known.rows.find(({ id }) => id === each.id),
        each
      )
    equal(idsOf(known.rows), inOrder(kind, order, known.rows))
    equal(known.total, known.rows.length)
    equal((yield* store.listEverywhere({ page: 1, perPage: 1 }, { filter })).rows, known.rows.slice(0, 1))
  })

const together: KindTest<unknown>["test"] = (fixture) =>
  Effect.gen(function* () {
    const { kind, makers, store } = fixture
    for (const field of shared(kind)) {
      const [none, one, three] = [
        yield* makers.scope(kind, field),
        yield* alike(fixture, 1, field),
        yield* alike(fixture, 3, field)
      ] as const
      const ids = [three.scope[field], none[field], one.scope[field], 404_404]
      const lists = yield* store.listFor(field, ids, 2)
      const [order = ""] = Object.keys(kind.orders)
      equal(
        [...lists].map(([id, rows]) => [id, idsOf(rows)]),
        [
          [three.scope[field], inOrder(kind, order, three.rows).slice(0, 2)],
          [one.scope[field], idsOf(one.rows)]
        ]
      )
      equal([...(yield* store.listFor(field, [], 2))], [])
    }
  })

type Lock = (store: Fixture<unknown>["store"], row: StoredValues) => Effect.Effect<unknown>

const keeps = ({ kind, makers, store }: Fixture<unknown>, lock: Lock) =>
  Effect.gen(function* () {
    const { run } = yield* Transaction
    const row = yield* makers.insert(kind)
    const scope = scopeOf(kind, row)
    const [seen] = yield* runInTurn(
      Effect.asVoid(store.count({})),
      (held) =>
        run(
          Effect.gen(function* () {
            yield* lock(store, row)
            yield* held
            return yield* store.find(scope, row.id)
          })
        ),
      store.remove(scope, row.id)
    )
    equal(seen, row)
    assert.isUndefined(yield* store.find(scope, row.id))
  }) as ReturnType<KindTest<unknown>["test"]>

const locked: KindTest<unknown>["test"] = (fixture) =>
  keeps(fixture, (store, row) => store.lock(scopeOf(fixture.kind, row), row.id))

/**
 * Returns the name and the fields of the first unique key without hidden or nullable fields. Tests can look up every
 * row by it.
 */
const shownUnique = ({ fields, hidden, unique }: OwnedData) =>
  Object.entries(unique).find(([, of]) =>
    of.every((field) => !hidden.includes(field) && fields[field]?.nullable !== true)
  )

const severalBy = (fixture: Fixture<unknown>, find: "findManyBy" | "lockManyBy") =>
  Effect.gen(function* () {
    const { kind, makers, store } = fixture
    const [name = "", fields = []] = shownUnique(kind) ?? []
    const valuesOf = (row: StoredValues): Values => Object.fromEntries(fields.map((field) => [field, row[field]]))
    if (find === "lockManyBy") yield* keeps(fixture, (from, row) => from.lockManyBy(name, [valuesOf(row)]))
    const [first, second, gone] = [yield* makers.insert(kind), yield* makers.insert(kind), yield* makers.insert(kind)]
    yield* store.remove(scopeOf(kind, gone), gone.id)
    equal(yield* store[find](name, [second, gone, first].map(valuesOf)), [first, second])
    equal(yield* store[find](name, []), [])
  })

/** Contract tests of the stores of owned resource types: lists and concurrent use. */
export const ofLists: Readonly<Record<string, KindTest<unknown>>> = {
  "list the rows of a scope in each order, without gaps or repeats between pages": { test: listed },
  "count the rows that it lists": { test: counted },
  "list and remove only the rows that match a filter": { test: filtered },
  "remove the rows that match a filter in all scopes": {
    about: ({ filters }) => filters.length > 0,
    test: everywhere
  },
  "list the rows that match a filter in all scopes": {
    about: ({ filters }) => filters.length > 0,
    test: listedEverywhere
  },
  "list the rows of many scopes in one call, up to a limit per scope": {
    about: ({ within }) => within.length > 0,
    test: together
  },
  "block changes to a locked row by other transactions until this one ends": { test: locked },
  "find several rows by unique values, in the order of ids, and omit missing ones": {
    about: (kind) => shownUnique(kind) !== undefined,
    test: (fixture) => severalBy(fixture, "findManyBy")
  },
  "lock several rows by unique values, in the order of ids, and omit missing ones": {
    about: (kind) => shownUnique(kind) !== undefined,
    test: (fixture) => severalBy(fixture, "lockManyBy")
  }
}
