import { describe, expect, it } from "@effect/vitest"
import type { Stores } from "@slipway/domain/forge"
import { layer } from "@slipway/memory/forge"
import { migrations } from "@slipway/sql/forge"
import {
  type Command,
  command,
  dice,
  issueCommand,
  issueFixture,
  organizationCommand,
  organizationFixture,
  pullCommand
} from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { runs, seed } from "../../../../scripts/vitest/runs.ts"
import { onOneEngine } from "../support/engines.ts"
import { layerEmptied } from "./stores.ts"

const seeds = (usual: number) => Array.from({ length: runs(usual) }, (_, at) => seed + at)
const usual = { seeds: seeds(2), length: 400 }

type Story = (chance: ReturnType<typeof dice>, n: number) => Command

/**
 * Stories about users, organizations with changing members, issues with their comments and labels, and pull requests.
 */
const stories: Readonly<
  Record<
    string,
    {
      readonly fixture: Effect.Effect<void, unknown, Stores>
      readonly next: Story
      readonly seeds: ReadonlyArray<number>
      readonly length: number
    }
  >
> = {
  users: { ...usual, fixture: Effect.void, next: command },
  organizations: {
    ...usual,
    fixture: organizationFixture,
    next: (chance, n) => (chance.below(30) === 0 ? command : organizationCommand)(chance, n)
  },
  // Each command takes several statements, so the environment sets their number.
  issues: {
    fixture: issueFixture,
    next: issueCommand,
    seeds: seeds(1),
    length: 250
  },
  // They use the world of issues.
  pulls: {
    fixture: issueFixture,
    next: pullCommand,
    seeds: seeds(1),
    length: 230
  }
}

onOneEngine((engine) => {
  const stores = layerEmptied(engine)
  describe("the stores in PostgreSQL and memory", () => {
    for (const [about, { fixture, length, next, seeds }] of Object.entries(stories)) {
      for (const from of seeds) {
        it.live(`give equal results for ${length} random commands about ${about}, seed ${from}`, () =>
          Effect.gen(function* () {
            const memory = yield* Layer.build(layer)
            const sql = yield* Layer.build(stores)
            for (const each of [memory, sql]) yield* Effect.provide(fixture, each)
            const chance = dice(from)
            const said: Array<string> = []
            let made = 0
            for (let n = 0; n < length; n++) {
              const { answer, text } = next(chance, n)
              said.push(text)
              const [one, other] = yield* Effect.all([Effect.provide(answer, memory), Effect.provide(answer, sql)])
              expect({ said: said.slice(-12), answer: other }).toEqual({ said: said.slice(-12), answer: one })
              if (one !== null && typeof one === "object") made++
            }
            // A run with refusals only would prove nothing.
            expect(made).toBeGreaterThan(length / 4)
          }).pipe(Effect.scoped)
        )
      }
    }
  })
}, migrations)
