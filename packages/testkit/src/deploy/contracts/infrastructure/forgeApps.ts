import { assert } from "@effect/vitest"
import type { Sealed } from "@slipway/domain"
import type { Stores } from "@slipway/domain/deploy"
import { ForgeAppStore, PrivateKeyStore } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { newForgeApp, newPrivateKey } from "../../builders.ts"

const connection = {
  account: "robot",
  token: "sealed" as Sealed,
  platformUrl: "https://deploy.example",
  rejection: null
}

/** The contract of the store of app installations and forge connections, in addition to that of every collection. */
export const forgeApps: Contract<Stores> = {
  port: "ForgeAppStore",
  musts: {
    "list and count the connections to forges only, oldest first": Effect.gen(function* () {
      const key = yield* (yield* PrivateKeyStore).insert(newPrivateKey(1))
      const store = yield* ForgeAppStore
      const rows = yield* Effect.forEach([5, 4, 3, 2, 1], (n) =>
        store.insert(newForgeApp(n, key, n % 2 === 0 ? {} : { connection, privateKeyUuid: null, clientSecret: null }))
      )
      const [first, , second, , third] = rows
      assert.deepStrictEqual(yield* store.connected({ limit: 10 }), [first, second, third])
      assert.deepStrictEqual(yield* store.connected({ skip: 1, limit: 1 }), [second])
      assert.deepStrictEqual(yield* store.connected({ after: second?.id, limit: 10 }), [third])
      assert.strictEqual(yield* store.countConnected, 3)
    })
  }
}
