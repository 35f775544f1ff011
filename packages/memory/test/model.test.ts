import { assert, describe, it } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import { ApplicationStore, DomainStore } from "@slipway/domain/deploy/apps"
import { layer } from "@slipway/memory/deploy"
import { difference, model } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"

model("memory against memory", layer, layer)

/** Incorrect stores: each has one wrong behaviour, by its name. */
const spoiled: Readonly<
  Record<string, Layer.Layer<ApplicationStore, never, Stores> | Layer.Layer<DomainStore, never, Stores>>
> = {
  "counts one application too few": Layer.effect(
    ApplicationStore,
    Effect.map(ApplicationStore, (store) => ({ ...store, count: Effect.map(store.count, (count) => count - 1) }))
  ),
  "forgets the order of claims": Layer.effect(
    DomainStore,
    Effect.map(DomainStore, (store) => ({
      ...store,
      claims: (keys: Parameters<typeof store.claims>[0]) =>
        Effect.map(store.claims(keys), (claims) => claims.toReversed())
    }))
  )
}

describe("the model test", () => {
  it.live.each(Object.entries(spoiled))("finds a store that %s", ([, part]) =>
    Effect.gen(function* () {
      const found = yield* difference(layer, Layer.provideMerge(part as Layer.Layer<never, never, Stores>, layer))
      assert.match(found ?? "", /^Property falsified/)
    })
  )
})
