import { expect, it } from "@effect/vitest"
import { Applications, Clones, Variables } from "@slipway/deploy/apps"
import { systemOn } from "@slipway/deploy/entry"
import { system } from "@slipway/domain/deploy/entry"
import { migrations } from "@slipway/sql/deploy"
import { recordStatements } from "@slipway/sql/testing"
import { testLayer } from "@slipway/testkit"
import { plantPlace } from "@slipway/testkit/deploy"
import { Effect, Layer, Redacted } from "effect"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"
import { create, multiply } from "./support.ts"

const flags = {
  deleteConfigurations: true,
  deleteVolumes: true,
  dockerCleanup: true,
  deleteConnectedNetworks: true
}

onOneEngine((engine) => {
  const layer = Layer.mergeAll(layerEmptied(engine), testLayer)

  it.live("each use case sends the same number of statements for any number of applications", () =>
    Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      let run = 0
      const measure = Effect.gen(function* () {
        run += 1
        const domains = Array.from({ length: 20 }, (_, index) => `https://${run}-${index}.example`).join()
        const [{ uuid }, created] = yield* recordStatements(create(placement, { domains, instant_deploy: true }))
        const [, read] = yield* recordStatements(systemOn("application.read", { uuid }))
        const [, listed] = yield* recordStatements(
          Applications.list(system("application.list"), { page: 1, perPage: 100 })
        )
        const [, found] = yield* recordStatements(
          Applications.list(system("application.list"), { page: 1, perPage: 100 }, { tag: "web" })
        )
        const [, updated] = yield* recordStatements(
          Effect.flatMap(systemOn("application.update", { uuid }), (proof) =>
            Applications.update(proof, { description: "changed", instant_deploy: true })
          )
        )
        const [, removed] = yield* recordStatements(
          Effect.flatMap(systemOn("application.delete", { uuid }), (proof) => Applications.remove(proof, flags))
        )
        const all = { created, read, listed, found, updated, removed }
        return Object.fromEntries(Object.entries(all).map(([name, statements]) => [name, statements.length]))
      })
      const few = { created: 10, read: 1, listed: 1, found: 2, updated: 15, removed: 9 }
      expect(yield* measure).toEqual(few)
      yield* create(placement)
      yield* multiply(200)
      expect(yield* measure).toEqual(few)
    }).pipe(Effect.provide(layer))
  )

  // Prevents: one statement per variable when a thousand variables are set or cloned.
  it.live("setting and cloning variables takes the same number of statements for any number of variables", () =>
    Effect.gen(function* () {
      const { placement } = yield* plantPlace()
      const { destinationUuid } = placement
      const measure = Effect.fnUntraced(function* (amount: number) {
        const { uuid } = yield* create(placement)
        const inputs = Array.from({ length: amount }, (_, n) => ({ key: `KEY_${n}`, value: Redacted.make(`${n}`) }))
        const set = Effect.flatMap(systemOn("application.update", { uuid }), (proof) => Variables.bulk(proof, inputs))
        const [, added] = yield* recordStatements(set)
        const [changed, replaced] = yield* recordStatements(set)
        const [, cloned] = yield* recordStatements(
          Effect.flatMap(systemOn("application.clone", { uuid }), (proof) => Clones.clone(proof, { destinationUuid }))
        )
        expect(changed.length).toBe(amount)
        return [added.length, replaced.length, cloned.length]
      })
      const few = yield* measure(2)
      expect(yield* measure(40)).toEqual(few)
    }).pipe(Effect.provide(layer))
  )
}, migrations)
