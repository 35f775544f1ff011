import { assert } from "@effect/vitest"
import type { Stores } from "@slipway/domain/deploy"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { type MetricSample, MetricStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { DateTime, Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { newServer, uuidOf } from "../../builders.ts"

const at = (seconds: number): string => DateTime.formatIso(DateTime.makeUnsafe(1_795_770_000_000 + seconds * 1_000))
const since = at(0)

const plant = Effect.gen(function* () {
  const servers = yield* ServerStore
  const { uuid: serverUuid } = yield* servers.insert(newServer(1))
  const { uuid: other } = yield* servers.insert(newServer(2))
  const host = (seconds: number, facts: Partial<MetricSample> = {}): MetricSample => ({
    serverUuid,
    applicationUuid: null,
    container: null,
    at: at(seconds),
    cpuPercent: 10,
    memoryUsed: 100,
    memoryTotal: 1_000,
    diskUsed: 5,
    diskTotal: 50,
    received: 1_000 + seconds,
    sent: 2_000 + seconds,
    ...facts
  })
  const inside = (n: number, container: string, seconds: number, facts: Partial<MetricSample> = {}): MetricSample =>
    host(seconds, {
      applicationUuid: uuidOf<ApplicationUuid>("application", n),
      container,
      diskUsed: null,
      diskTotal: null,
      ...facts
    })
  return { store: yield* MetricStore, servers, serverUuid, other, host, inside }
})

/** Contract tests of the store of metric samples. Every implementation must pass them. */
export const metrics: Contract<Stores> = {
  port: "MetricStore",
  musts: {
    "average the samples of a server in each interval, oldest first": Effect.gen(function* () {
      const { host, inside, other, serverUuid, store } = yield* plant
      yield* store.add([
        host(70, { cpuPercent: 30, memoryUsed: 300, memoryTotal: 2_000, diskUsed: null, diskTotal: null }),
        host(0),
        host(50, { cpuPercent: null, memoryUsed: 200, diskUsed: 7 }),
        inside(1, "web", 0),
        host(0, { serverUuid: other, cpuPercent: 99 })
      ])
      const window = { since, seconds: 60 }
      const first = { container: null, at: at(0), cpuPercent: 10, memoryUsed: 150, memoryTotal: 1_000 }
      const second = { container: null, at: at(60), cpuPercent: 30, memoryUsed: 300, memoryTotal: 2_000 }
      assert.deepStrictEqual(yield* store.ofServer(serverUuid, window), [
        { ...first, diskUsed: 6, diskTotal: 50, received: 1_050, sent: 2_050 },
        { ...second, diskUsed: null, diskTotal: null, received: 1_070, sent: 2_070 }
      ])
      const later = yield* store.ofServer(serverUuid, { since: at(60), seconds: 60 })
      assert.deepStrictEqual(
        later.map((point) => point.at),
        [at(60)]
      )
    }),
    "return only the samples of the containers of the given application": Effect.gen(function* () {
      const { host, inside, store } = yield* plant
      yield* store.add([host(0), inside(1, "web", 0), inside(1, "db", 0), inside(2, "web", 0), inside(1, "web", 60)])
      const points = yield* store.ofApplication(uuidOf("application", 1), { since, seconds: 30 })
      assert.deepStrictEqual(
        points.map((point) => [point.container, point.at]),
        [
          ["db", at(0)],
          ["web", at(0)],
          ["web", at(60)]
        ]
      )
      assert.deepStrictEqual(yield* store.ofApplication(uuidOf("application", 404), { since, seconds: 30 }), [])
    }),
    "return the newest samples of several servers in one call, without those of containers": Effect.gen(function* () {
      const { host, inside, other, serverUuid, servers, store } = yield* plant
      const { uuid: third } = yield* servers.insert(newServer(3))
      const all = [other, serverUuid, third, uuidOf<typeof third>("server", 404), other]
      assert.deepStrictEqual(yield* store.newestOf(all), new Map())
      const newest = host(9, { cpuPercent: 12.5, memoryUsed: 3, memoryTotal: 4 })
      yield* store.add([host(5), newest, host(7), host(20, { serverUuid: other }), inside(1, "web", 30)])
      const found = yield* store.newestOf(all)
      assert.strictEqual(found.size, 2)
      const { applicationUuid: _, serverUuid: __, ...point } = newest
      assert.deepStrictEqual([found.get(serverUuid), found.get(other)?.at], [point, at(20)])
      assert.deepStrictEqual([...(yield* store.newestOf([serverUuid])).keys()], [serverUuid])
      assert.deepStrictEqual(yield* store.newestOf([]), new Map())
    }),
    "remove the samples of a server before a time": Effect.gen(function* () {
      const { host, other, serverUuid, store } = yield* plant
      yield* store.add([host(5), host(9), host(5, { serverUuid: other })])
      yield* store.forget(serverUuid, at(9))
      const timesOf = (server: typeof serverUuid) =>
        Effect.map(store.ofServer(server, { since, seconds: 1 }), (points) => points.map((point) => point.at))
      assert.deepStrictEqual([yield* timesOf(serverUuid), yield* timesOf(other)], [[at(9)], [at(5)]])
    }),
    "remove the samples of a removed server": Effect.gen(function* () {
      const { host, inside, serverUuid, servers, store } = yield* plant
      yield* store.add([host(5), inside(1, "web", 5)])
      assert.isTrue(yield* servers.remove(serverUuid))
      assert.deepStrictEqual(yield* store.newestOf([serverUuid]), new Map())
      assert.deepStrictEqual(yield* store.ofApplication(uuidOf("application", 1), { since, seconds: 60 }), [])
      yield* store.add([host(6)])
      assert.deepStrictEqual(yield* store.newestOf([serverUuid]), new Map())
    })
  }
}
