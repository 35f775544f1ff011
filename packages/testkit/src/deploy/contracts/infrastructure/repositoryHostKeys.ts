import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { RepositoryHostKeyStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"

const a = { address: "forge.example:22", fingerprint: "SHA256:a" }
const b = { ...a, fingerprint: "SHA256:b" }

/** Contract tests of the store of SSH host keys of git servers. */
export const repositoryHostKeys: Contract<Stores> = {
  port: "RepositoryHostKeyStore",
  musts: {
    "return the first host key of a machine to every later caller": Effect.gen(function* () {
      const store = yield* RepositoryHostKeyStore
      for (const key of [a, b, a, b]) assert.strictEqual(yield* store.admit(key), a.fingerprint)
    }),
    "accept only one of several host keys that are presented concurrently": Effect.gen(function* () {
      const store = yield* RepositoryHostKeyStore
      const keys = Array.from({ length: 10 }, (_, n) => ({ ...a, fingerprint: `SHA256:${n}` }))
      const admittedKeys = yield* Effect.all(
        keys.map((key) => store.admit(key)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(admittedKeys).size, 1)
      assert.strictEqual(yield* store.admit(b), admittedKeys[0])
    }),
    "keep the host keys of different repository addresses separate": Effect.gen(function* () {
      const store = yield* RepositoryHostKeyStore
      for (const key of [a, { ...b, address: "forge.example:2222" }, { ...b, address: "other.example:22" }]) {
        assert.strictEqual(yield* store.admit(key), key.fingerprint)
      }
    }),
    "list the host keys of machines with repositories, and remove one": Effect.gen(function* () {
      const store = yield* RepositoryHostKeyStore
      assert.deepStrictEqual(yield* store.list(9), [])
      const other = { ...b, address: "a.example:22" }
      for (const key of [a, other]) yield* store.admit(key)
      assert.deepStrictEqual(yield* store.list(9), [other, a])
      assert.deepStrictEqual(yield* store.list(1), [other])
      assert.isTrue(yield* store.forget(a.address))
      assert.isFalse(yield* store.forget(a.address))
      assert.isFalse(yield* store.forget("\0"))
      assert.deepStrictEqual(yield* store.list(9), [other])
      assert.strictEqual(yield* store.admit(b), b.fingerprint)
    })
  }
}
