import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { AvatarStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { avatarNamed } from "../../builders.ts"
import { equal } from "../base/fixtures.ts"

/** Contract tests of the store of avatars. Every implementation must pass them. */
export const avatars: Contract<Stores> = {
  port: "AvatarStore",
  musts: {
    "return an avatar as stored, only by its name": Effect.gen(function* () {
      const store = yield* AvatarStore
      const bytes = Uint8Array.from({ length: 5_000 }, (_, n) => (n * 31) % 256)
      yield* store.put(avatarNamed(1), bytes)
      yield* store.put(avatarNamed(2), new Uint8Array([0]))
      equal([...((yield* store.find(avatarNamed(1))) ?? [])], [...bytes])
      equal([...((yield* store.find(avatarNamed(2))) ?? [])], [0])
    }),
    "remove an avatar once, and report when it is missing": Effect.gen(function* () {
      const store = yield* AvatarStore
      yield* store.put(avatarNamed(1), new Uint8Array([1]))
      assert.isTrue(yield* store.remove(avatarNamed(1)))
      assert.isFalse(yield* store.remove(avatarNamed(1)))
      assert.isUndefined(yield* store.find(avatarNamed(1)))
    }),
    "remove many avatars in one call": Effect.gen(function* () {
      const store = yield* AvatarStore
      for (const n of [1, 2, 3]) yield* store.put(avatarNamed(n), new Uint8Array([n]))
      yield* store.removeMany([avatarNamed(1), avatarNamed(3), avatarNamed(9)])
      const left = yield* Effect.forEach([1, 2, 3], (n) => store.find(avatarNamed(n)))
      equal(
        left.map((each) => each !== undefined),
        [false, true, false]
      )
    }),
    "return nothing for a missing avatar": Effect.gen(function* () {
      const store = yield* AvatarStore
      for (const name of ["", "\0", "\ud800", "%", avatarNamed(9)]) assert.isUndefined(yield* store.find(name))
    })
  }
}
