import { expect, it } from "@effect/vitest"
import { Applications, system, systemOn } from "@slipway/domain/deploy"
import { migrations } from "@slipway/sql/deploy"
import { recordStatements } from "@slipway/sql/testing"
import { testLayer } from "@slipway/testkit"
import { plantPlace } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"
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

  it.live("each use case sends the same few statements, however many applications there are", () =>
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
          Applications.list(system("application.list"), { page: 1, perPage: 100 }, "web")
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
      const few = { created: 6, read: 1, listed: 2, found: 2, updated: 9, removed: 7 }
      expect(yield* measure).toEqual(few)
      yield* create(placement)
      yield* multiply(200)
      expect(yield* measure).toEqual(few)
    }).pipe(Effect.provide(layer))
  )
}, migrations)
