import { assert, describe, it } from "@effect/vitest"
import { Pipeline } from "@slipway/deploy/runtime"
import { EngineUnreachable } from "@slipway/domain/deploy/containers"
import { type Server, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { pass, place, server, world } from "./support/support.ts"

const warnings: Array<string> = []
const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
  if (logLevel === "Warn" || logLevel === "Info") warnings.push(`${logLevel} ${message}`)
})
const watched = Layer.merge(world, Logger.layer([logger]))

const looked = Effect.flatMap(ServerStore, (store) => Effect.map(store.find(server), (found) => found?.diskCheck))
const hourly: Partial<Server> = {
  diskCheckFrequency: "hourly",
  cleanupFrequency: "yearly",
  createdAt: "1970-01-01T00:00:00.000Z"
}
const nextHour = Effect.andThen(TestClock.adjust("1 hour"), pass(7))

describe("the disk usage of a server", () => {
  it.effect("is checked on schedule by one of several processes, with one warning per crossed threshold", () =>
    Effect.gen(function* () {
      warnings.length = 0
      yield* place(hourly)
      const { fill, onCall } = yield* EngineSimulation
      let looks = 0
      yield* onCall((_, operation) =>
        Effect.sync(() => {
          if (operation === "diskSpace") looks += 1
        })
      )
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* fill(server, { used: 801, free: 199 })
      yield* pass(7)
      assert.strictEqual(yield* looked, null)
      yield* nextHour
      assert.deepInclude(yield* looked, { percent: 81, because: null })
      yield* nextHour
      assert.strictEqual(looks, 2)
      yield* fill(server, { used: 800, free: 200 })
      yield* nextHour
      assert.deepInclude(yield* looked, { percent: 80 })
      assert.deepStrictEqual(warnings, [
        "Warn the disk of the server server 1 is 81 % full",
        "Info the disk of the server server 1 has free space again: it is 80 % full"
      ])
    }).pipe(Effect.scoped, Effect.provide(watched))
  )

  it.effect("is unknown when the engine does not report it, and the reason is stored", () =>
    Effect.gen(function* () {
      warnings.length = 0
      yield* place(hourly)
      const { fill, onCall } = yield* EngineSimulation
      yield* fill(server, null)
      yield* Effect.forkScoped(Pipeline.sweep)
      yield* nextHour
      assert.deepInclude(yield* looked, {
        percent: null,
        because: "the connection to its engine does not report disk usage"
      })
      yield* onCall(() => Effect.fail(new EngineUnreachable({ because: "no route" })))
      yield* nextHour
      assert.deepInclude(yield* looked, { percent: null, because: "the engine cannot be reached: no route" })
      assert.deepStrictEqual(warnings, [])
    }).pipe(Effect.scoped, Effect.provide(watched))
  )
})
