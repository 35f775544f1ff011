import { assert, describe, it } from "@effect/vitest"
import { layerBasicAuthHasher } from "@slipway/caddy"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { BasicAuthHasher } from "@slipway/domain/deploy/containers"
import { uuidOf } from "@slipway/testkit/deploy"
import bcrypt from "bcryptjs"
import { Effect, Redacted } from "effect"

const [shop, blog] = [uuidOf<ApplicationUuid>("application", 1), uuidOf<ApplicationUuid>("application", 2)]

describe("the hash of a basic-auth password", () => {
  it.effect("is a bcrypt hash: stable for one application, different for another", () =>
    Effect.gen(function* () {
      const hasher = yield* BasicAuthHasher
      const password = Redacted.make("pässword")
      const hash = yield* hasher.hash(shop, password)
      assert.match(hash, /^\$2b\$10\$[./A-Za-z0-9]{53}$/)
      assert.isTrue(yield* Effect.promise(() => bcrypt.compare("pässword", hash)))
      assert.strictEqual(yield* hasher.hash(shop, password), hash)
      const [salt, other] = [hash, yield* hasher.hash(blog, password)].map((each) => each.slice(0, 29))
      assert.notStrictEqual(salt, other)
    }).pipe(Effect.provide(layerBasicAuthHasher))
  )
})
