import { assert } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import {
  ApplicationStore,
  type Claim,
  type Claimant,
  DomainKey,
  DomainStore,
  instanceName,
  ServiceStore
} from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { runInTurn } from "../../../concurrency.ts"
import type { Contract } from "../../../contract.ts"
import { configurationOf, newApplication, newService } from "../../builders.ts"
import { plantPlace } from "../../world.ts"

const a = DomainKey.make("a.example")
const b = DomainKey.make("b.example:8080/path")
const c = DomainKey.make("c.example")
const all = [a, b, c]

const instance: Claimant = { type: "instance", uuid: null }

const holders = Effect.gen(function* () {
  const { placement } = yield* plantPlace()
  const store = yield* DomainStore
  const application = yield* (yield* ApplicationStore).insert(newApplication(1, placement))
  const service = yield* (yield* ServiceStore).insert(newService(1, placement))
  return {
    store,
    application,
    service,
    mine: { type: "application", uuid: application.uuid } as const,
    theirs: { type: "service", uuid: service.uuid } as const
  }
})

const held = (claims: ReadonlyArray<Claim>) => claims.map(({ holder, key }) => `${key} ${holder.type}`)

/** Contract tests of the store of domain claims. Every implementation must pass them. */
export const domains: Contract<Stores> = {
  port: "DomainStore",
  musts: {
    "let only one transaction hold a locked domain at a time": {
      "for one of several domains": Effect.gen(function* () {
        const { mine, store, theirs } = yield* holders
        const transaction = yield* Transaction
        const [, seen] = yield* runInTurn(
          store.claims(all),
          (locked) =>
            transaction.run(store.lock([a, b]).pipe(Effect.andThen(locked), Effect.andThen(store.replace(mine, [b])))),
          transaction.run(store.lock([b, c]).pipe(Effect.andThen(store.claims(all))))
        )
        assert.deepStrictEqual(held(seen), [`${b} application`])
        yield* transaction.run(Effect.andThen(store.lock([b]), store.replace(theirs, [b])))
        assert.strictEqual((yield* store.claims([b])).length, 2)
      }),
      "for domains in any order": Effect.gen(function* () {
        const { store } = yield* holders
        const transaction = yield* Transaction
        const orders = [[a, b, c], [c, b, a], [b, a, c], [c, a, b], [], [a, a]]
        const locking = Array.from({ length: 12 }, (_, n) =>
          transaction.run(Effect.andThen(store.lock(orders[n % orders.length] ?? []), store.claims(all)))
        )
        const seen = yield* Effect.all(locking, { concurrency: "unbounded" })
        assert.deepStrictEqual(seen.flat(), [])
      }),
      "twice in the same transaction": Effect.gen(function* () {
        const { mine, store } = yield* holders
        yield* (yield* Transaction).run(
          store.lock([a]).pipe(Effect.andThen(store.lock([a, b])), Effect.andThen(store.replace(mine, [a])))
        )
        assert.deepStrictEqual(held(yield* store.claims(all)), [`${a} application`])
      })
    },
    "list the claims on the given domains, oldest first": Effect.gen(function* () {
      const { application, mine, service, store, theirs } = yield* holders
      yield* store.replace(theirs, [c, a])
      yield* store.replace(instance, [b])
      yield* store.replace(mine, [a])
      const claims = yield* store.claims([b, a, a])
      assert.deepStrictEqual(claims, [
        { key: a, holder: theirs, holderName: service.name },
        { key: b, holder: instance, holderName: instanceName },
        { key: a, holder: mine, holderName: "application 1" }
      ])
      yield* (yield* ApplicationStore).replace({ ...application, configuration: configurationOf({ name: "renamed" }) })
      assert.strictEqual((yield* store.claims([a]))[1]?.holderName, "renamed")
      assert.deepStrictEqual(yield* store.claims([]), [])
      assert.deepStrictEqual(yield* store.claims([DomainKey.make("d.example"), DomainKey.make("A.example")]), [])
    }),
    "replace all claims of a holder in one call": Effect.gen(function* () {
      const { mine, store, theirs } = yield* holders
      yield* store.replace(mine, [a, b, a])
      yield* store.replace(theirs, [b])
      yield* store.replace(instance, [b])
      yield* store.replace(mine, [c, c])
      assert.deepStrictEqual(held(yield* store.claims(all)).sort(), [
        `${b} instance`,
        `${b} service`,
        `${c} application`
      ])
      yield* store.replace(mine, [])
      yield* store.replace(instance, [])
      assert.deepStrictEqual(held(yield* store.claims(all)), [`${b} service`])
    }),
    "keep the age of a claim when its holder claims the domain again": Effect.gen(function* () {
      const { mine, store, theirs } = yield* holders
      yield* store.replace(mine, [a])
      yield* store.replace(theirs, [a])
      yield* store.replace(mine, [b, a])
      assert.deepStrictEqual(held(yield* store.claims([a])), [`${a} application`, `${a} service`])
      yield* store.replace(mine, [b])
      yield* store.replace(mine, [a])
      assert.deepStrictEqual(held(yield* store.claims([a])), [`${a} service`, `${a} application`])
    }),
    "let two holders claim one domain": Effect.gen(function* () {
      const { mine, store, theirs } = yield* holders
      yield* store.replace(mine, [a])
      yield* store.replace(theirs, [a])
      yield* store.replace(instance, [a])
      assert.deepStrictEqual(held(yield* store.claims([a])), [`${a} application`, `${a} service`, `${a} instance`])
    }),
    "remove the claims of a removed resource": Effect.gen(function* () {
      const { mine, store, theirs } = yield* holders
      yield* store.replace(mine, [a, b])
      yield* store.replace(theirs, [b])
      yield* store.replace(instance, [b])
      yield* (yield* ApplicationStore).remove(mine.uuid)
      assert.deepStrictEqual(held(yield* store.claims(all)), [`${b} service`, `${b} instance`])
      yield* (yield* ServiceStore).remove((yield* (yield* ServiceStore).list({ limit: 1 }))[0]?.uuid ?? theirs.uuid)
      assert.deepStrictEqual(held(yield* store.claims(all)), [`${b} instance`])
    })
  }
}
