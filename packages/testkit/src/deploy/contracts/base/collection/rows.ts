import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { Effect } from "effect"
import { runInTurn } from "../../../../concurrency.ts"
import { moment } from "../../../builders.ts"
import type { AnyRow } from "../../../kinds.ts"
import { all, each, equal, fill } from "./support.ts"

/** Texts that some stores corrupt, such as texts with special characters. */
export const fragileTexts: Readonly<Record<string, string>> = {
  "quotes and backslashes": 'it\'s "a" `b` \\ \\n %s $1 ?',
  accents: "Ünïcödé, decomposed: e\u0301 and composed: \u00e9",
  "characters outside the basic multilingual plane": "𝒜 🚀 👩‍👩‍👧 \u{10ffff}",
  "right to left": "שלום \u202eمرحبا",
  "unusual white space": " \t\r\n\u00a0\u2028\ufeff ",
  "text that looks like JSON": '{"a": [null]}'
}

/** Texts that are not the uuid of any row, such as invalid or very long ones. */
const noUuids = ["", " ", "\0", "\ud800", "'; drop table", "z".repeat(24), "z".repeat(10_000), "🚀".repeat(24)]
const givesBack = each(({ bare, full, store }) =>
  Effect.gen(function* () {
    for (const row of [full(1), bare(2)]) {
      const stored = yield* store.insert(row)
      assert.isTrue(Number.isSafeInteger(stored.id) && stored.id > 0)
      equal(stored, { ...row, id: stored.id })
      equal(yield* store.find(stored.uuid), stored)
      equal(yield* store.lock(stored.uuid), stored)
    }
  })
)

const numbers = each((planted) =>
  Effect.gen(function* () {
    const rows = yield* fill(planted, 5)
    const ids = rows.map((row) => row.id)
    equal(
      ids,
      [...new Set(ids)].sort((a, b) => a - b)
    )
  })
)

const answersNothing = each(({ full, store }) =>
  Effect.gen(function* () {
    const row = yield* store.insert(full(1))
    for (const uuid of [...noUuids, row.uuid.toUpperCase(), ` ${row.uuid}`]) {
      assert.isUndefined(yield* store.find(uuid))
      assert.isUndefined(yield* store.lock(uuid))
    }
  })
)

// With equal times and descending uuids, only the order of insertion is right.
const lists = each(({ full, store }) =>
  Effect.gen(function* () {
    const total = 23
    const rows: Array<AnyRow> = []
    for (let n = total; n > 0; n--) {
      rows.push(yield* store.insert({ ...full(n), createdAt: moment(0), updatedAt: moment(0) }))
    }
    const skipping = yield* Effect.forEach([0, 5, 10, 15, 20, 25], (skip) => store.list({ skip, limit: 5 }))
    equal(skipping.flat(), rows)
    const following: Array<AnyRow> = []
    for (;;) {
      const next = yield* store.list({ after: following.at(-1)?.id, limit: 5 })
      if (next.length === 0) break
      following.push(...next)
    }
    equal(following, rows)
    const [, , , , fifth, , , eighth] = rows
    equal(yield* store.list({ after: fifth?.id, skip: 3, limit: 4 }), rows.slice(8, 12))
    equal(yield* store.list({ skip: total, limit: 5 }), [])
    equal(yield* store.list({ after: rows.at(-1)?.id, limit: 5 }), [])
    assert.isTrue(yield* store.remove(eighth?.uuid ?? ""))
    equal(yield* store.list({ after: eighth?.id, limit: 2 }), rows.slice(8, 10))
    equal(yield* store.list({ skip: 6, limit: 2 }), [rows[6], rows[8]])
  })
)

const counts = each((planted) =>
  Effect.gen(function* () {
    const { store } = planted
    assert.strictEqual(yield* store.count, 0)
    const rows = yield* fill(planted, 3)
    assert.strictEqual(yield* store.count, 3)
    yield* store.remove(rows[1]?.uuid ?? "")
    assert.strictEqual(yield* store.count, 2)
    equal(yield* store.list(all), [rows[0], rows[2]])
  })
)

const replaces = each((planted) =>
  Effect.gen(function* () {
    const { bare, change, full, store } = planted
    const [first, second, third] = yield* fill(planted, 3)
    assert.isDefined(second)
    const changed = change(second)
    assert.isTrue(yield* store.replace(changed))
    equal(yield* store.find(second.uuid), changed)
    const emptied: AnyRow = { ...bare(2), id: second.id } as AnyRow
    assert.isTrue(yield* store.replace(emptied))
    equal(yield* store.list(all), [first, emptied, third])
    assert.isFalse(yield* store.replace({ ...full(9), id: 9_999 } as AnyRow))
    assert.isFalse(yield* store.replace({ ...second, uuid: "\0" }))
    assert.strictEqual(yield* store.count, 3)
  })
)

const removes = each((planted) =>
  Effect.gen(function* () {
    const { store } = planted
    const [first, second] = yield* fill(planted, 2)
    assert.isDefined(first)
    for (const uuid of noUuids) assert.isFalse(yield* store.remove(uuid))
    assert.isTrue(yield* store.remove(first.uuid))
    assert.isUndefined(yield* store.find(first.uuid))
    assert.isUndefined(yield* store.lock(first.uuid))
    assert.isFalse(yield* store.remove(first.uuid))
    assert.isFalse(yield* store.replace(first))
    equal(yield* store.list(all), [second])
  })
)

const keepsLocked = each(({ change, full, store }) =>
  Effect.gen(function* () {
    const transaction = yield* Transaction
    const row = yield* store.insert(full(1))
    const changed = change(row)
    const changedAgain: AnyRow = { ...changed, updatedAt: moment(2_000) }
    const holdThen =
      <A, E>(last: Effect.Effect<A, E>) =>
      (held: Effect.Effect<void>) =>
        transaction.run(store.lock(row.uuid).pipe(Effect.andThen(held), Effect.andThen(last)))
    const [, seen] = yield* runInTurn(
      store.count,
      holdThen(store.replace(changed)),
      transaction.run(store.lock(row.uuid))
    )
    equal(seen, changed)
    yield* runInTurn(store.count, holdThen(store.replace(row)), store.replace(changedAgain))
    equal(yield* store.find(row.uuid), changedAgain)
    const [found] = yield* runInTurn(store.count, holdThen(store.find(row.uuid)), store.remove(row.uuid))
    equal(found, changedAgain)
    assert.isUndefined(yield* store.find(row.uuid))
  })
)

const keepsText = each(({ full, say, store }) =>
  Effect.gen(function* () {
    let n = 0
    for (const text of Object.values(fragileTexts)) {
      n += 1
      const row = say(full(n), text)
      const stored = yield* store.insert(row)
      equal(yield* store.find(row.uuid), { ...row, id: stored.id } as AnyRow)
    }
  })
)

/** Contract tests of collections for single rows. */
export const rowPromises = {
  "return a stored row as inserted, with an id": givesBack,
  "assign ids in the order of insertion": numbers,
  "return nothing for a missing row": answersNothing,
  "list rows in the order of insertion, without gaps or repeats between pages": lists,
  "count the rows that it lists": counts,
  "replace a complete row, and report when it is missing": replaces,
  "remove a row once, and report when it is missing": removes,
  "block changes to a locked row by other transactions until this one ends": keepsLocked,
  "store any well-formed Unicode text without NUL": keepsText
}
