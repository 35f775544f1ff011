import { assert } from "@effect/vitest"
import { type OwnedData, type StoredValues, Transaction } from "@slipway/domain"
import { Effect } from "effect"
import { equal, type KindTest } from "./rows.ts"

const referring = (kind: OwnedData, onRemove: "removes" | "empties") =>
  Object.entries(kind.fields).flatMap(([field, data]) =>
    data.refersTo !== undefined && data.onRemove === onRemove ? [[field, data.refersTo] as const] : []
  )

const cascade: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    for (const [field, to] of referring(kind, "removes")) {
      const [row, other] = [yield* makers.insert(kind), yield* makers.insert(kind)]
      yield* makers.removeThing(to, row[field] as number)
      assert.isUndefined(yield* store.find({}, row.id))
      equal(yield* store.find({}, other.id), other)
    }
  })

const emptied: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    for (const [field, to] of referring(kind, "empties")) {
      const [row, other] = [yield* makers.insert(kind), yield* makers.insert(kind)]
      yield* makers.removeThing(to, row[field] as number)
      equal(yield* store.find({}, row.id), { ...row, [field]: null })
      equal(yield* store.find({}, other.id), other)
    }
  })

const numbered: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const name = kind.numbered ?? ""
    const scope = yield* makers.scope(kind)
    const insert = Effect.flatMap(makers.make(kind, scope), store.insert)
    const numberOf = (row: StoredValues) => Number(row[name])
    const rows = yield* Effect.all(
      Array.from({ length: 6 }, () => transaction.run(insert)),
      { concurrency: "unbounded" }
    )
    equal(
      rows.map(numberOf).toSorted((one, other) => one - other),
      [1, 2, 3, 4, 5, 6]
    )
    yield* Effect.exit(transaction.run(Effect.andThen(insert, Effect.fail("no"))))
    equal(numberOf(yield* insert), 7)
    const last = yield* insert
    yield* store.remove(scope, last.id)
    // A number is never reused, so that an old link leads to no other row.
    equal(numberOf(yield* insert), 9)
    equal(numberOf(yield* makers.insert(kind)), 1)
  }) as ReturnType<KindTest<unknown>["test"]>

const counters: KindTest<unknown>["test"] = ({ kind, makers, store }) =>
  Effect.gen(function* () {
    for (const [counter, { of, where = {} }] of Object.entries(kind.counters)) {
      const [thing, other] = [
        yield* makers.makeThing(kind.fields[of]?.refersTo ?? ""),
        yield* makers.makeThing(kind.fields[of]?.refersTo ?? "")
      ]
      const rows: Array<StoredValues> = []
      const check = Effect.gen(function* () {
        const counts = yield* store.counts(of, [thing, other])
        for (const id of [thing, other]) {
          const isCounted = (row: StoredValues) =>
            row[of] === id && Object.entries(where).every(([field, value]) => row[field] === value)
          equal(counts.get(id)?.[counter], rows.filter(isCounted).length)
        }
        equal([...counts.keys()], [thing, other])
      })
      yield* check
      for (const id of [thing, other, thing, thing]) rows.push(yield* makers.insert(kind, { [of]: id }))
      yield* check
      const changeable = [...Object.keys(where), ...(kind.within.includes(of) ? [] : [of])]
      for (const field of changeable) {
        for (const value of field === of ? [other, null] : (kind.fields[field]?.oneOf ?? [true, false])) {
          const row = rows[0] as StoredValues
          rows[0] = (yield* store.patch({}, row.id, { [field]: value })) as StoredValues
          yield* check
        }
      }
      const gone = rows.pop() as StoredValues
      yield* store.remove({}, gone.id)
      yield* check
    }
  })

/** Contract tests of the stores of owned resource types: rows and the resources that they reference. */
export const ofRelations: Readonly<Record<string, KindTest<unknown>>> = {
  "remove the rows within a removed resource": {
    about: (kind) => referring(kind, "removes").length > 0,
    test: cascade
  },
  "clear optional references to a removed resource": {
    about: (kind) => referring(kind, "empties").length > 0,
    test: emptied
  },
  "number rows within their scope without gaps, also under concurrent inserts": {
    about: (kind) => kind.numbered !== undefined,
    test: numbered
  },
  "keep counters correct through every change": {
    about: (kind) => Object.keys(kind.counters).length > 0,
    test: counters
  }
}
