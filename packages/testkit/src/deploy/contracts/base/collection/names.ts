import { assert } from "@effect/vitest"
import { Duplicate, Transaction } from "@slipway/domain"
import { type Kind, relations, type UniqueName, uniqueNames } from "@slipway/domain/deploy"
import { rootTeam, TeamStore } from "@slipway/domain/deploy/identity"
import { Effect, Result } from "effect"
import { uuidOf } from "../../../builders.ts"
import { withFact } from "../../../facts.ts"
import { type AnyRow, kinds, type Planted } from "../../../kinds.ts"
import { newTeam } from "../../../people.ts"
import { all, each, equal, type Test, uuids } from "./support.ts"

// A hash contains only hexadecimal digits.
const namesOf = (kind: Kind) =>
  (kind === "token" ? ["ab".repeat(32), "AB".repeat(32)] : ["Straße Ä", "STRASSE ä"]) as [string, string]

const eachName = (title: string, of: ReadonlyArray<UniqueName>, test: (unique: UniqueName, planted: Planted) => Test) =>
  Object.fromEntries(
    of.map((unique) => [
      `${unique.kind}.${unique.fact}${title}`,
      Effect.flatMap(kinds[unique.kind].plant, (planted) => test(unique, planted))
    ])
  )

/** Stores a team, and returns the ids of the root team and of this team. A name may occur once in each of them. */
const twoTeams = Effect.map(
  Effect.flatMap(TeamStore, (store) => store.insert(newTeam(1))),
  ({ id }) => [rootTeam, id] as const
)

/** Returns the uuids of two parent resources: the planted one, and a new one. A name may occur once in each of them. */
const twoParents = Effect.fnUntraced(function* (kind: Kind, within: string) {
  const parent = relations.find((relation) => relation.from === kind && relation.fact === within)
  assert.isDefined(parent)
  const parents = yield* kinds[parent.to].store
  const [present] = yield* parents.list(all)
  const row = { ...present, uuid: uuidOf(parent.to, 50), name: "elsewhere" } as AnyRow
  return [present?.uuid, (yield* parents.insert(row)).uuid] as const
})

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
  ...eachName(", for ten concurrent inserts", uniqueNames, ({ fact, kind }, { full, store }) =>
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
  ...eachName(", in a transaction that continues", uniqueNames, ({ fact, kind }, { full, store }) =>
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
    ", with the same name in another scope",
    uniqueNames.filter((unique) => unique.within !== null),
    ({ fact, kind, within }, { full, store }) =>
      Effect.gen(function* () {
        const [here, elsewhere] = within === "teamId" ? yield* twoTeams : yield* twoParents(kind, String(within))
        const [name] = namesOf(kind)
        const first = yield* store.insert(withFact(full(1), fact, name))
        const second = yield* store.insert(withFact(withFact(full(2), fact, name), String(within), elsewhere))
        equal(yield* store.list(all), [first, second])
        assert.instanceOf(yield* Effect.flip(store.replace(withFact(second, String(within), here))), Duplicate)
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

/** Contract tests of collections for unique names. */
export const namePromises = {
  "reject a second row with the same unique name, ignoring case": refusesNames,
  "reject a second row with the same uuid": refusesUuids
}
