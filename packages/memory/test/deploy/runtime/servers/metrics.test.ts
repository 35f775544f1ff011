import { assert, describe, it } from "@effect/vitest"
import { Pipeline } from "@slipway/deploy/runtime"
import { MetricStore } from "@slipway/domain/deploy/infrastructure"
import { EngineSimulation } from "@slipway/memory/deploy"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { pass, place, plantApplication, queue, server, startWorker, world } from "../support/support.ts"

const strain = (busy: number, total: number) => ({
  cpu: { busy, total },
  memory: { used: 400, total: 1_000 },
  network: { received: 10 * busy, sent: 20 * busy }
})

const since = "1970-01-01T00:00:00.000Z"
const points = Effect.flatMap(MetricStore, (store) => store.ofServer(server, { since, seconds: 1 }))

describe("the metrics of a server", () => {
  it.effect("are sampled once an interval by one of several processes, with those of its containers", () =>
    Effect.gen(function* () {
      yield* (yield* EngineSimulation).fill(server, { used: 30, free: 70 })
      const application = yield* plantApplication(yield* place({ isMetricsEnabled: true, metricsInterval: 60 }))
      yield* startWorker()
      yield* queue(1, application)
      yield* pass(20)
      yield* (yield* EngineSimulation).strain(server, strain(10, 100))
      yield* Effect.forkScoped(Pipeline.sampleMetrics)
      yield* Effect.forkScoped(Pipeline.sampleMetrics)
      yield* pass(3)
      yield* (yield* EngineSimulation).strain(server, strain(60, 200))
      yield* TestClock.adjust("1 minute")
      yield* pass(3)
      const all = yield* points
      assert.deepStrictEqual(
        all.map(({ at: _, ...values }) => values),
        [
          {
            container: null,
            cpuPercent: null,
            memoryUsed: 400,
            memoryTotal: 1_000,
            diskUsed: 30,
            diskTotal: 100,
            received: 100,
            sent: 200
          },
          {
            container: null,
            cpuPercent: 50,
            memoryUsed: 400,
            memoryTotal: 1_000,
            diskUsed: 30,
            diskTotal: 100,
            received: 600,
            sent: 1_200
          }
        ]
      )
      const inside = yield* (yield* MetricStore).ofApplication(application.uuid, { since, seconds: 3_600 })
      assert.deepStrictEqual(
        inside.map(({ cpuPercent, memoryUsed }) => [cpuPercent, memoryUsed]),
        [[1, 1_048_576]]
      )
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("are not sampled while they are disabled", () =>
    Effect.gen(function* () {
      yield* place({ isMetricsEnabled: false })
      yield* Effect.forkScoped(Pipeline.sampleMetrics)
      yield* pass(70)
      assert.deepStrictEqual(yield* points, [])
    }).pipe(Effect.scoped, Effect.provide(world))
  )

  it.effect("are removed after the set number of days", () =>
    Effect.gen(function* () {
      yield* place({ isMetricsEnabled: true, metricsInterval: 3_600, metricsDays: 1 })
      yield* Effect.forkScoped(Pipeline.sampleMetrics)
      yield* pass(2)
      assert.strictEqual((yield* points).length, 1)
      yield* TestClock.adjust("25 hours")
      yield* pass(2)
      const kept = yield* points
      assert.isTrue(kept.length > 0 && kept.every(({ at }) => at >= "1970-01-01T01"))
    }).pipe(Effect.scoped, Effect.provide(world))
  )
})
