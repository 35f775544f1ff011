import type { Stores } from "@slipway/domain/deploy"
import type { Contract } from "../../contract.ts"
import { refusesNames, refusesUuids } from "./collection/names.ts"
import { keepsNeeded, refusesMissing, takesAlong } from "./collection/references.ts"
import {
<<<<<<< HEAD
  ApplicationStore,
  DomainKey,
  DomainStore,
  relations,
  ServiceStore,
  TagStore,
  uniqueNames
} from "@slipway/domain/deploy"
import { Cause, Effect, Exit, Result } from "effect"
import type { Contract, Promised } from "../../contract.ts"
import { inTurn } from "../../turns.ts"
import { moment, newApplication, newService, newTag, uuidOf } from "../builders.ts"
import { factOf, withFact } from "../facts.ts"
import { type AnyRow, kindNames, kinds, type Planted } from "../kinds.ts"
import { plantPlace } from "../world.ts"

type Test = Promised<Stores>

const each = (test: (planted: Planted, kind: Kind) => Test): Readonly<Record<string, Test>> =>
  Object.fromEntries(
    kindNames.map((kind) => [kind, Effect.flatMap(kinds[kind].plant, (planted) => test(planted, kind))])
  )

const eachRelation = (
  of: ReadonlyArray<Relation>,
  test: (relation: Relation, planted: Planted) => Test
): Readonly<Record<string, Test>> =>
  Object.fromEntries(
    of.map((relation) => [
      `${relation.from}.${relation.fact}`,
      Effect.flatMap(kinds[relation.from].plant, (planted) => test(relation, planted))
    ])
  )

const equal = (actual: unknown, expected: unknown): void => assert.deepStrictEqual(actual, expected)

const fill = (planted: Planted, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index + 1),
    (n) => planted.store.insert(planted.full(n))
  )

const all = { limit: 1_000 }
const uuids = (rows: ReadonlyArray<AnyRow>) => rows.map((row) => row.uuid)

const isDefect = (exit: Exit.Exit<unknown, unknown>): boolean => Exit.isFailure(exit) && Cause.hasDies(exit.cause)

/** Texts that stores are known to spoil. */
export const texts: Readonly<Record<string, string>> = {
  "quotes and backslashes": 'it\'s "a" `b` \\ \\n %s $1 ?',
  accents: "Ünïcödé, decomposed: e\u0301 and composed: \u00e9",
  "letters outside the basic plane": "𝒜 🚀 👩‍👩‍👧 \u{10ffff}",
  "right to left": "שלום \u202eمرحبا",
  "odd white space": " \t\r\n\u00a0\u2028\ufeff ",
  "looks like data": '{"a": [null]}'
}

/** Texts that are the uuid of nothing. */
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

// Equal times and falling uuids: no order but that of insertion is right.
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

const keepsNeeded = {
  ...eachRelation(
    relations.filter((relation) => relation.onRemove === "refused"),
    ({ fact, from, to }, { full, store }) =>
      Effect.gen(function* () {
        const row = yield* store.insert(full(1))
        const others = yield* kinds[to].store
        const needed = yield* others.find(String(factOf(row, fact)))
        assert.isDefined(needed)
        const refusal = yield* Effect.flip(others.remove(needed.uuid))
        equal([refusal._tag, refusal.by], ["InUse", from])
        equal(yield* others.find(needed.uuid), needed)
        equal(yield* store.find(row.uuid), row)
        assert.isTrue(yield* store.remove(row.uuid))
        assert.isTrue(yield* others.remove(needed.uuid))
      })
  ),
  "an application, which keeps all that its environment belongs to": Effect.gen(function* () {
    const { destination, environment, placement, project, server } = yield* plantPlace()
    const applications = yield* ApplicationStore
    const application = yield* applications.insert(newApplication(1, placement))
    assert.strictEqual((yield* Effect.flip((yield* kinds.project.store).remove(project.uuid))).by, "application")
    assert.strictEqual((yield* Effect.flip((yield* kinds.server.store).remove(server.uuid))).by, "application")
    equal(uuids(yield* (yield* kinds.environment.store).list(all)), [environment.uuid])
    equal(uuids(yield* (yield* kinds.destination.store).list(all)), [destination.uuid])
    equal(yield* applications.find(application.uuid), application)
  }),
  "in a transaction that goes on": Effect.gen(function* () {
    const { environment, placement } = yield* plantPlace()
    const applications = yield* ApplicationStore
    yield* applications.insert(newApplication(1, placement))
    const environments = yield* kinds.environment.store
    yield* (yield* Transaction).run(
      Effect.gen(function* () {
        assert.instanceOf(yield* Effect.flip(environments.remove(environment.uuid)), InUse)
        yield* applications.insert(newApplication(2, placement))
      })
    )
    assert.strictEqual(yield* applications.count, 2)
  })
}

const key = DomainKey.make("app.example")

const takesAlong = {
  ...eachRelation(
    relations.filter((relation) => relation.onRemove === "removes"),
    ({ fact, to }, planted) =>
      Effect.gen(function* () {
        const rows = yield* fill(planted, 2)
        const others = yield* kinds[to].store
        assert.isTrue(yield* others.remove(String(factOf(rows[0], fact))))
        equal(yield* planted.store.list(all), [])
      })
  ),
  "the claims of an application": Effect.gen(function* () {
    const { placement } = yield* plantPlace()
    const domains = yield* DomainStore
    const applications = yield* ApplicationStore
    const mine = yield* applications.insert(newApplication(1, placement))
    const other = yield* applications.insert(newApplication(2, placement))
    yield* domains.replace({ type: "application", uuid: mine.uuid }, [key])
    yield* domains.replace({ type: "application", uuid: other.uuid }, [key])
    yield* applications.remove(mine.uuid)
    equal(
      (yield* domains.claims([key])).map((claim) => claim.holder.uuid),
      [other.uuid]
    )
  }),
  "the claims of a service": Effect.gen(function* () {
    const { placement } = yield* plantPlace()
    const domains = yield* DomainStore
    const services = yield* ServiceStore
    const service = yield* services.insert(newService(1, placement))
    yield* domains.replace({ type: "service", uuid: service.uuid }, [key])
    yield* services.remove(service.uuid)
    equal(yield* domains.claims([key]), [])
  }),
  "the tags of an application, but not the tags as such": Effect.gen(function* () {
    const { placement } = yield* plantPlace()
    const applications = yield* ApplicationStore
    const tags = yield* TagStore
    const application = yield* applications.insert(newApplication(1, placement))
    const tag = yield* tags.insert(newTag(1))
    yield* tags.attach(application.uuid, [tag.uuid])
    yield* applications.remove(application.uuid)
    equal(yield* tags.ofApplication(application.uuid), [])
    equal(yield* tags.find(tag.uuid), tag)
    assert.strictEqual(yield* applications.countTagged(tag.name), 0)
  }),
  "a tag of the applications that had it": Effect.gen(function* () {
    const { placement } = yield* plantPlace()
    const applications = yield* ApplicationStore
    const tags = yield* TagStore
    const application = yield* applications.insert(newApplication(1, placement))
    const tag = yield* tags.insert(newTag(1))
    yield* tags.attach(application.uuid, [tag.uuid])
    assert.isTrue(yield* tags.remove(tag.uuid))
    equal(yield* tags.ofApplication(application.uuid), [])
    equal(yield* applications.find(application.uuid), application)
  })
}

// A hash holds no letters but those of hexadecimal digits.
const namesOf = (kind: Kind) =>
  (kind === "token" ? ["ab".repeat(32), "AB".repeat(32)] : ["Straße Ä", "STRASSE ä"]) as [string, string]

const eachName = (title: string, of: ReadonlyArray<UniqueName>, test: (unique: UniqueName, planted: Planted) => Test) =>
  Object.fromEntries(
    of.map((unique) => [
      `${unique.kind}.${unique.fact}${title}`,
      Effect.flatMap(kinds[unique.kind].plant, (planted) => test(unique, planted))
    ])
  )

const refusesNames = {
  ...eachName("", uniqueNames, ({ fact, kind }, { full, store }) =>
    Effect.gen(function* () {
      const [name, sameName] = namesOf(kind)
      const first = yield* store.insert(withFact(full(1), fact, name))
      const second = withFact(full(2), fact, sameName)
      const refusal = yield* Effect.flip(store.insert(second))
      equal([refusal._tag, refusal.of], ["Duplicate", `${kind}.${fact}`])
      assert.isUndefined(yield* store.find(second.uuid))
      const third = yield* store.insert(full(3))
      assert.strictEqual((yield* Effect.flip(store.replace(withFact(third, fact, sameName)))).of, `${kind}.${fact}`)
      equal(yield* store.list(all), [first, third])
      assert.isTrue(yield* store.replace(withFact(first, fact, sameName)))
      assert.isTrue(yield* store.remove(first.uuid))
      yield* store.insert(second)
      equal(uuids(yield* store.list(all)), [third.uuid, second.uuid])
    })
  ),
  ...eachName(", of ten at the same time", uniqueNames, ({ fact, kind }, { full, store }) =>
    Effect.gen(function* () {
      const [name, sameName] = namesOf(kind)
      const results = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, n) => withFact(full(n + 1), fact, n % 2 === 0 ? name : sameName)),
        (row) => Effect.result(store.insert(row)),
        { concurrency: "unbounded" }
      )
      const refusals = results.filter(Result.isFailure)
      assert.strictEqual(refusals.length, 9)
      for (const { failure } of refusals) assert.strictEqual(failure.of, `${kind}.${fact}`)
      assert.strictEqual(yield* store.count, 1)
    })
  ),
  ...eachName(", in a transaction that goes on", uniqueNames, ({ fact, kind }, { full, store }) =>
    Effect.gen(function* () {
      const [name, sameName] = namesOf(kind)
      yield* (yield* Transaction).run(
        Effect.gen(function* () {
          yield* store.insert(withFact(full(1), fact, name))
          assert.instanceOf(yield* Effect.flip(store.insert(withFact(full(2), fact, sameName))), Duplicate)
          const third = yield* store.insert(full(3))
          assert.instanceOf(yield* Effect.flip(store.replace(withFact(third, fact, sameName))), Duplicate)
        })
      )
      assert.strictEqual(yield* store.count, 2)
    })
  ),
  ...eachName(
    ", which others may have elsewhere",
    uniqueNames.filter((unique) => unique.within !== null),
    ({ fact, kind, within }, { full, store }) =>
      Effect.gen(function* () {
        const parent = relations.find((relation) => relation.from === kind && relation.fact === within)
        assert.isDefined(parent)
        const parents = yield* kinds[parent.to].store
        const [present] = yield* parents.list(all)
        const elsewhere = yield* parents.insert({ ...present, uuid: uuidOf(parent.to, 50) } as AnyRow)
        const [name] = namesOf(kind)
        const first = yield* store.insert(withFact(full(1), fact, name))
        const second = yield* store.insert(withFact(withFact(full(2), fact, name), String(within), elsewhere.uuid))
        equal(yield* store.list(all), [first, second])
        assert.instanceOf(yield* Effect.flip(store.replace(withFact(second, String(within), present?.uuid))), Duplicate)
      })
  )
}

const refusesUuids = each(({ full, store }, kind) =>
  Effect.gen(function* () {
    const first = yield* store.insert(full(1))
    const refusal = yield* Effect.flip(store.insert({ ...full(2), uuid: first.uuid }))
    equal([refusal._tag, refusal.of], ["Duplicate", `${kind}.uuid`])
    equal(yield* store.list(all), [first])
  })
)

const refusesMissing = eachRelation(relations, ({ fact, to }, { full, store }) =>
  Effect.gen(function* () {
    const missing = uuidOf(to, 404)
    assert.isTrue(isDefect(yield* Effect.exit(store.insert(withFact(full(1), fact, missing)))))
    equal(yield* store.list(all), [])
    const row = yield* store.insert(full(2))
    assert.isTrue(isDefect(yield* Effect.exit(store.replace(withFact(row, fact, missing)))))
    equal(yield* store.list(all), [row])
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
    const [, seen] = yield* inTurn(store.count, holdThen(store.replace(changed)), transaction.run(store.lock(row.uuid)))
    equal(seen, changed)
    yield* inTurn(store.count, holdThen(store.replace(row)), store.replace(changedAgain))
    equal(yield* store.find(row.uuid), changedAgain)
    const [kept] = yield* inTurn(store.count, holdThen(store.find(row.uuid)), store.remove(row.uuid))
    equal(kept, changedAgain)
    assert.isUndefined(yield* store.find(row.uuid))
  })
)

const keepsText = each(({ full, say, store }) =>
  Effect.gen(function* () {
    let n = 0
    for (const text of Object.values(texts)) {
      n += 1
      const row = say(full(n), text)
      const stored = yield* store.insert(row)
      equal(yield* store.find(row.uuid), { ...row, id: stored.id } as AnyRow)
    }
  })
)
=======
  answersNothing,
  counts,
  givesBack,
  keepsLocked,
  keepsText,
  lists,
  numbers,
  removes,
  replaces
} from "./collection/rows.ts"
>>>>>>> sqlstores

/** What every collection promises, shown on every kind. */
export const collection: Contract<Stores> = {
  port: "Collection",
  musts: {
    "give back a stored row as it was inserted, with a number": givesBack,
    "number rows in the order of their insertion": numbers,
    "answer nothing for a row that is not there": answersNothing,
    "list rows in the order of their insertion, without gaps or repeats from one window to the next": lists,
    "count what it lists": counts,
    "replace a row as a whole, and tell when it isn't there": replaces,
    "remove a row once, and tell when it wasn't there": removes,
    "refuse to remove a row that others need, and keep it": keepsNeeded,
    "remove what belongs to a row together with it": takesAlong,
    "refuse a second row with a name that must be the only one, ignoring case": refusesNames,
    "refuse a second row with a uuid that another has": refusesUuids,
    "refuse a row that refers to what is not there": refusesMissing,
    "keep other transactions from changing a row it has locked until this one ends": keepsLocked,
    "keep any text that is well-formed Unicode without NUL": keepsText
  }
}
