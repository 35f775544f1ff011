import { assert } from "@effect/vitest"
import type { Duplicate, ErasedStore, Missing, StoredValues, Values } from "@slipway/domain"

import { Effect } from "effect"
import type { Promised } from "../contract.ts"
import { type KindWithStore, makers, oddText, type Parents, storeOf } from "./make.ts"

/** The input of a test of one resource type: `makers` makes test rows, and `store` stores them. */
export interface Fixture<R> {
  readonly kind: KindWithStore
  readonly store: ErasedStore
  readonly makers: ReturnType<typeof makers<R>>
}

/** A test that runs for each resource type that it applies to. */
export interface KindTest<R> {
  readonly about?: (kind: KindWithStore) => boolean
  readonly test: (fixture: Fixture<R>) => Effect.Effect<void, unknown, R>
}

/** Returns one test for each resource type, by the name of the type. */
export const forKinds = <R>(
  kinds: ReadonlyArray<KindWithStore>,
  all: ReadonlyArray<KindWithStore>,
  parents: Parents<R>,
  { about = () => true, test }: KindTest<R>
): Readonly<Record<string, Promised<R>>> =>
  Object.fromEntries(
    kinds
      .filter(about)
      .map((kind) => [
        kind.name,
        Effect.flatMap(storeOf<R>(kind), (store) => test({ kind, store, makers: makers(all, parents) }))
      ])
  )

/** Asserts deep equality of two values. */
export const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

/** An id that no row has. */
export const nowhere = 404_404

/** Returns the values of the scope fields of a row, such as the id of its parent. */
export const scopeOf = (kind: KindWithStore, row: Values): Values =>
  kind.within[0] === undefined ? {} : { [kind.within[0]]: row[kind.within[0]] }

const isUnique = (kind: KindWithStore) => Object.keys(kind.unique).length > 0
const refused = <A, R>(effect: Effect.Effect<A, Missing | Duplicate, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag, of }) => `${_tag} ${of}`)

/** Returns the texts of some fields in the other letter case, if the field ignores case. Other texts are unchanged. */
const inOtherCase = (kind: KindWithStore, row: Values, fields: ReadonlyArray<string>): Values =>
  Object.fromEntries(
    fields.map((field) => [
      field,
      kind.fields[field]?.ignoringCase === true ? String(row[field]).toUpperCase() : row[field]
    ])
  )

/** Makes a new row in which no field is null. */
const full = <R>({ kind, makers }: Fixture<R>, values: Values = {}) => makers.make(kind, values, true)

const inserted: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    for (let n = 0; n < 4; n++) {
      const row = yield* makers.make(kind)
      const stored = yield* store.insert(row)
      const shown = Object.entries(row).filter(([field]) => !kind.hidden.includes(field))
      const number = kind.numbered === undefined ? [] : [[kind.numbered, 1]]
      assert.isTrue(Number.isSafeInteger(stored.id))
      equal(stored, { id: stored.id, ...Object.fromEntries([...shown, ...number]) })
      equal(yield* store.find(scopeOf(kind, row), stored.id), stored)
    }
  })

const freeTexts = (kind: KindWithStore) =>
  Object.entries(kind.fields).flatMap(([field, { oneOf, type }]) =>
    type === "text" && oneOf === undefined && !kind.hidden.includes(field) ? [field] : []
  )

const unicode: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const texts = Object.fromEntries(freeTexts(kind).map((field) => [field, `${oddText} ${field}`]))
    const stored = yield* store.insert(yield* makers.make(kind, texts))
    const found = yield* store.find(scopeOf(kind, stored), stored.id)
    for (const [field, text] of Object.entries(texts)) assert.strictEqual(found?.[field], text)
  })

const elsewhere: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const row = yield* makers.insert(kind)
    const own = scopeOf(kind, row)
    const others = kind.within.length === 0 ? [] : [[yield* makers.scope(kind), row.id] as const]
    // Invariant I6: the number of a row is invalid in another scope.
    for (const [scope, id] of [...others, ...[nowhere, -1, 0, 1.5, Number.NaN].map((each) => [own, each] as const)]) {
      assert.isUndefined(yield* store.find(scope, id))
      assert.isUndefined(yield* store.lock(scope, id))
      assert.isUndefined(yield* store.patch(scope, id, makers.fresh(kind)))
      assert.isUndefined(yield* store.remove(scope, id))
    }
    equal(yield* store.find(own, row.id), row)
  })

const many: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const scope = yield* makers.scope(kind)
    const rows = yield* Effect.forEach([1, 2, 3], () => makers.make(kind, scope))
    const stored = yield* store.insertMany(rows)
    equal(
      stored.map(({ id }) => id),
      stored.map(({ id }) => id).toSorted((one, other) => one - other)
    )
    for (const [at, row] of rows.entries()) {
      for (const [field, value] of Object.entries(row)) {
        if (!kind.hidden.includes(field)) equal(stored[at]?.[field], value)
      }
      if (kind.numbered !== undefined) equal(stored[at]?.[kind.numbered], at + 1)
    }
    equal(yield* store.insertMany([]), [])
    const unlike = yield* makers.make(kind, scope)
    for (const spoilt of [
      ...(isUnique(kind) ? [yield* full({ kind, makers, store }, scope)].flatMap((row) => [row, row]) : []),
      ...Object.entries(kind.fields).flatMap(([field, { refersTo }]) =>
        refersTo === undefined ? [] : [{ ...unlike, [field]: nowhere }]
      )
    ].slice(0, 2)) {
      const rows = isUnique(kind) && spoilt === unlike ? [unlike, unlike] : [unlike, spoilt, spoilt]
      yield* Effect.flip(store.insertMany(rows))
      equal(yield* store.count(scope), 3)
    }
  })

const duplicates: KindTest<unknown>["test"] = (fixture) =>
  Effect.gen(function* () {
    const { kind, store } = fixture
    for (const [name, fields] of Object.entries(kind.unique)) {
      const row = yield* full(fixture)
      const first = yield* store.insert(row)
      const shared = inOtherCase(kind, row, fields)
      const second = { ...(yield* full(fixture, scopeOf(kind, row))), ...shared }
      equal(yield* refused(store.insert(second)), `Duplicate ${kind.name}.${name}`)
      equal(yield* refused(store.insertMany([second])), `Duplicate ${kind.name}.${name}`)
      equal(yield* store.count(scopeOf(kind, row)), kind.within.length === 0 ? yield* store.count({}) : 1)
      // Rows that differ in one of the fields are distinct.
      for (const field of fields) {
        const others = { ...second, ...inOtherCase(kind, row, fields) }
        const other = yield* store.insert({ ...others, ...(yield* full(fixture)), ...differing(fields, field, shared) })
        yield* store.remove({}, other.id)
      }
      const changed = fields.filter((field) => !kind.within.includes(field))
      if (changed.length > 0) {
        const sameValues = Object.fromEntries(
          fields.flatMap((field) => (changed.includes(field) ? [] : [[field, row[field]]]))
        )
        const third = yield* store.insert(yield* full(fixture, { ...scopeOf(kind, row), ...sameValues }))
        const change = Object.fromEntries(changed.map((field) => [field, shared[field]]))
        equal(yield* refused(store.patch({}, third.id, change)), `Duplicate ${kind.name}.${name}`)
        equal(yield* store.find({}, third.id), third)
        // A row is not a duplicate of itself.
        equal((yield* store.patch({}, first.id, change))?.id, first.id)
      }
    }
    const texts = Object.entries(kind.unique).filter(([, fields]) =>
      fields.some((field) => kind.fields[field]?.type === "text" && kind.fields[field]?.ignoringCase === false)
    )
    for (const [, fields] of texts) {
      const row = yield* full(fixture)
      yield* store.insert(row)
      const upper = fields.flatMap((field) =>
        kind.fields[field]?.type === "text" && kind.fields[field]?.oneOf === undefined
          ? [[field, String(row[field]).toUpperCase()]]
          : []
      )
      const shared = Object.fromEntries(fields.map((field) => [field, row[field]]))
      yield* store.insert({ ...(yield* full(fixture)), ...shared, ...Object.fromEntries(upper) })
    }
  })

const differing = (fields: ReadonlyArray<string>, but: string, shared: Values): Values =>
  Object.fromEntries(fields.flatMap((field) => (field === but ? [] : [[field, shared[field]]])))

const references: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const row = yield* makers.insert(kind)
    for (const [field, { refersTo }] of Object.entries(kind.fields)) {
      if (refersTo === undefined) continue
      const of = `Missing ${kind.name}.${field}`
      equal(yield* refused(store.insert(yield* makers.make(kind, { [field]: nowhere }))), of)
      if (!kind.within.includes(field)) {
        equal(yield* refused(store.patch({}, row.id, { [field]: nowhere })), of)
      }
    }
    equal(yield* store.find({}, row.id), row)
  })

const foundBy: KindTest<unknown>["test"] = (fixture) =>
  Effect.gen(function* () {
    const { kind, makers, store } = fixture
    for (const [name, fields] of Object.entries(kind.unique)) {
      const row = yield* full(fixture)
      const stored = yield* store.insert(row)
      const values = inOtherCase(kind, row, fields)
      equal(yield* store.findBy(name, values), stored)
      for (const field of fields) {
        const odd = kind.fields[field]?.type === "text" ? ["", "\0", "\ud800", "%"] : [nowhere, 1.5]
        for (const other of odd) {
          assert.isUndefined(yield* store.findBy(name, { ...values, [field]: other }))
          assert.isUndefined(yield* store.removeBy(name, { ...values, [field]: other }))
        }
      }
      equal(yield* store.removeBy(name, values), stored)
      assert.isUndefined(yield* store.removeBy(name, values))
      assert.isUndefined(yield* store.findBy(name, values))
    }
    equal(
      yield* makers.insert(kind).pipe(Effect.flatMap(({ id }) => Effect.map(store.find({}, id), (r) => r?.id === id))),
      true
    )
  })

const ifAbsent: KindTest<unknown>["test"] = (fixture) =>
  Effect.gen(function* () {
    const { kind, store } = fixture
    const row = yield* full(fixture)
    assert.isTrue(yield* store.insertIfAbsent(row))
    assert.isFalse(yield* store.insertIfAbsent(row))
    if (kind.within.length > 0) equal(yield* store.count(scopeOf(kind, row)), 1)
    const [next] = yield* store.insertMany([yield* full(fixture, scopeOf(kind, row))])
    if (kind.numbered !== undefined) equal(next?.[kind.numbered], 2)
  })

const patched: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const row = yield* makers.insert(kind)
    const other = yield* makers.insert(kind, scopeOf(kind, row))
    let present: StoredValues = row
    equal(yield* store.patch({}, row.id, {}), row)
    for (const [field, value] of Object.entries(yield* makers.make(kind))) {
      if (kind.within.includes(field)) continue
      const after = yield* store.patch(scopeOf(kind, row), row.id, { [field]: value })
      present = kind.hidden.includes(field) ? present : { ...present, [field]: value }
      equal(after, present)
      equal(yield* store.find({}, row.id), present)
    }
    equal(yield* store.find({}, other.id), other)
  })

const manyIfAbsent: KindTest<unknown>["test"] = (fixture) =>
  Effect.gen(function* () {
    const { kind, store } = fixture
    const there = yield* full(fixture)
    yield* store.insert(there)
    const fresh = yield* full(fixture, scopeOf(kind, there))
    const stored = yield* store.insertManyIfAbsent([there, fresh, fresh])
    assert.strictEqual(stored.length, 1)
    equal(yield* store.find({}, stored[0]?.id ?? 0), stored[0])
    for (const [field, value] of Object.entries(fresh)) {
      if (!kind.hidden.includes(field)) equal(stored[0]?.[field], value)
    }
    const [next] = yield* store.insertMany([yield* full(fixture, scopeOf(kind, there))])
    if (kind.numbered !== undefined) equal(next?.[kind.numbered], 3)
    equal(yield* store.insertManyIfAbsent([]), [])
  })

const changeable = (kind: KindWithStore): ReadonlyArray<string> =>
  Object.keys(kind.fields).filter((field) => field !== kind.numbered && !kind.within.includes(field))

const patchedTogether: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const row = yield* makers.insert(kind)
    const scope = scopeOf(kind, row)
    const other = yield* makers.insert(kind, scope)
    const third = yield* makers.insert(kind, scope)
    const outside = yield* makers.insert(kind)
    const fields = changeable(kind)
    const changeTo = (values: Values, changed: ReadonlyArray<string>) =>
      Object.fromEntries(changed.map((field) => [field, values[field]]))
    const whole = changeTo(yield* makers.make(kind), fields)
    const part = changeTo(yield* makers.make(kind), fields.slice(0, 1))
    const after = (before: StoredValues, change: Values): StoredValues => ({
      ...before,
      ...changeTo(
        change,
        Object.keys(change).filter((field) => !kind.hidden.includes(field))
      )
    })
    const expected = [after(other, part), after(row, whole)]
    const elsewhere = kind.within.length === 0 ? [] : [{ id: outside.id, change: part }]
    equal(
      yield* store.patchMany(scope, [
        { id: other.id, change: part },
        { id: nowhere, change: part },
        ...elsewhere,
        { id: row.id, change: whole }
      ]),
      expected
    )
    equal([yield* store.find({}, other.id), yield* store.find({}, row.id)], expected)
    equal(yield* store.find({}, third.id), third)
    equal(yield* store.find({}, outside.id), outside)
    equal(yield* store.patchMany(scope, [{ id: third.id, change: {} }]), [third])
    equal(yield* store.patchMany(scope, []), [])
  })

const removed: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const row = yield* makers.insert(kind)
    const other = yield* makers.insert(kind, scopeOf(kind, row))
    equal(yield* store.remove(scopeOf(kind, row), row.id), row)
    assert.isUndefined(yield* store.remove(scopeOf(kind, row), row.id))
    assert.isUndefined(yield* store.find({}, row.id))
    equal(yield* store.find({}, other.id), other)
    // Its number isn't reused.
    assert.notStrictEqual((yield* makers.insert(kind, scopeOf(kind, row))).id, row.id)
  })

const removedTogether: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const row = yield* makers.insert(kind)
    const scope = scopeOf(kind, row)
    const other = yield* makers.insert(kind, scope)
    const third = yield* makers.insert(kind, scope)
    const outside = yield* makers.insert(kind)
    const elsewhere = kind.within.length === 0 ? [] : [outside.id]
    equal(yield* store.removeMany(scope, []), 0)
    equal(yield* store.removeMany(scope, [other.id, nowhere, ...elsewhere, row.id]), 2)
    equal([yield* store.find({}, row.id), yield* store.find({}, other.id)], [undefined, undefined])
    equal([yield* store.find({}, third.id), yield* store.find({}, outside.id)], [third, outside])
  })

/** Contract tests of the stores of owned resource types: single rows. */
export const ofRows: Readonly<Record<string, KindTest<unknown>>> = {
  "return a row as inserted, without its hidden fields, and with an id": { test: inserted },
  "store any well-formed Unicode text without NUL": {
    about: (kind) => freeTexts(kind).length > 0,
    test: unicode
  },
  "return nothing for a missing row or one in another scope": { test: elsewhere },
  "insert all rows or none, with ids in their order": { test: many },
  "reject a row that repeats a unique value": { about: isUnique, test: duplicates },
  "reject a row that refers to a missing row": {
    about: ({ fields }) => Object.values(fields).some(({ refersTo }) => refersTo !== undefined),
    test: references
  },
  "find a row by a unique value": { about: isUnique, test: foundBy },
  "insert a row unless a unique value exists, and report whether it was inserted": {
    about: isUnique,
    test: ifAbsent
  },
  "insert those of several rows without an existing unique value, and return them": {
    about: isUnique,
    test: manyIfAbsent
  },
  "change only the given fields of a row": { test: patched },
  "change several rows of a scope in one call, each differently, and return the existing ones": {
    about: (kind) => changeable(kind).length > 0,
    test: patchedTogether
  },
  "remove a row once, and return it": { test: removed },
  "remove several rows of a scope in one call, and return their number": { test: removedTogether }
}
