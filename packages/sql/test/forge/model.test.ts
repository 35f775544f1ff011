import { describe, expect, it } from "@effect/vitest"
import { layer } from "@slipway/memory/forge"
import { migrations } from "@slipway/sql/forge"
import { command, dice, organizationCommand } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { onEachEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

const seeds = [1, 2, 3, 4]
const length = 600
// Whoever is to be in organizations is there first.
const early = 60

onEachEngine((engine) => {
  const stores = layerEmptied(engine)
  describe("the stores in PostgreSQL and in memory", () => {
    for (const seed of seeds) {
      it.live(`answer alike to ${length} commands made up from ${seed}`, () =>
        Effect.gen(function* () {
          const memory = yield* Layer.build(layer)
          const sql = yield* Layer.build(stores)
          const chance = dice(seed)
          const said: Array<string> = []
          let made = 0
          for (let n = 0; n < length; n++) {
            const { answer, text } = (n < early || chance.below(4) === 0 ? command : organizationCommand)(chance, n)
            said.push(text)
            const [one, other] = yield* Effect.all([Effect.provide(answer, memory), Effect.provide(answer, sql)])
            expect({ said: said.slice(-12), answer: other }).toEqual({ said: said.slice(-12), answer: one })
            if (one !== null && typeof one === "object") made++
          }
          // A run in which everything is refused would show nothing.
          expect(made).toBeGreaterThan(length / 4)
        }).pipe(Effect.scoped)
      )
    }
  })
}, migrations)
