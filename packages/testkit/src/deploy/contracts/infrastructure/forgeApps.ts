import { assert } from "@effect/vitest"
import type { Sealed, Window } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { ForgeAppStore, isConnected, PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { newForgeApp, newPrivateKey } from "../../builders.ts"

const connection = {
  account: "robot",
  token: "sealed" as Sealed,
  platformUrl: "https://deploy.example",
  sshPort: 2_222,
  rejection: null,
  tokenSince: null,
  rotation: null,
  clientSince: null,
  clientRotation: null
}

/**
 * Contract tests of the store of app installations and forge connections, in addition to the contract of every
 * collection.
 */
export const forgeApps: Contract<Stores> = {
  port: "ForgeAppStore",
  musts: {
    "list and count the connections to forges only, oldest first, that a caller sees": Effect.gen(function* () {
      const key = yield* (yield* PrivateKeyStore).insert(newPrivateKey(1))
      const store = yield* ForgeAppStore
      const rows = yield* Effect.forEach([5, 4, 3, 2, 1], (n) =>
        store.insert(newForgeApp(n, key, n % 2 === 0 ? {} : { connection, privateKeyUuid: null, clientSecret: null }))
      )
      const [first, second, third] = rows.filter(isConnected)
      const listed = (window: Window) => Effect.map(store.connected(window), (found) => found.map(({ uuid }) => uuid))
      assert.deepStrictEqual(yield* store.connected({ limit: 10 }), rows.filter(isConnected))
      assert.deepStrictEqual(yield* listed({ limit: 10 }), [first?.uuid, second?.uuid, third?.uuid])
      assert.deepStrictEqual(yield* listed({ skip: 1, limit: 1 }), [second?.uuid])
      assert.deepStrictEqual(yield* listed({ after: second?.id, limit: 10 }), [third?.uuid])
      assert.strictEqual(yield* store.countConnected(), 3)
    }),
    "find the oldest connection to a forge that has the platform as a client": Effect.gen(function* () {
      const key = yield* (yield* PrivateKeyStore).insert(newPrivateKey(1))
      const store = yield* ForgeAppStore
      assert.isUndefined(yield* store.firstClient)
      yield* store.insert(newForgeApp(5, key))
      yield* store.insert(newForgeApp(4, key, { connection, privateKeyUuid: null, clientSecret: null }))
      assert.isUndefined(yield* store.firstClient)
      const first = yield* store.insert(newForgeApp(3, key, { connection, privateKeyUuid: null }))
      yield* store.insert(newForgeApp(2, key, { connection, privateKeyUuid: null }))
      assert.deepStrictEqual(yield* store.firstClient, first)
    }),
    "list and count only the app installations with the given private key, in the order of insertion, that a caller sees":
      Effect.gen(function* () {
        const keys = yield* PrivateKeyStore
        const [key, unused] = [yield* keys.insert(newPrivateKey(1)), yield* keys.insert(newPrivateKey(2))]
        const store = yield* ForgeAppStore
        const one = yield* store.insert(newForgeApp(5, key))
        yield* store.insert(newForgeApp(4, key, { connection, privateKeyUuid: null }))
        const two = yield* store.insert(newForgeApp(3, key))
        assert.deepStrictEqual(yield* store.withKey(key.uuid, { limit: 10 }), [one, two])
        assert.deepStrictEqual(yield* store.withKey(key.uuid, { skip: 1, limit: 10 }), [two])
        assert.deepStrictEqual(yield* store.withKey(key.uuid, { after: one.id, limit: 10 }), [two])
        assert.strictEqual(yield* store.countWithKey(key.uuid), 2)
        assert.deepStrictEqual(yield* store.withKey(unused.uuid, { limit: 10 }), [])
        assert.strictEqual(yield* store.countWithKey(unused.uuid), 0)
      })
  }
}
