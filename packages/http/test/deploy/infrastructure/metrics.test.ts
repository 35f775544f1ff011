import { expect } from "@effect/vitest"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { type MetricSample, MetricStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { makeWorld } from "../support/world.ts"

for (const store of storeNames) {
  withApi(store)(`metrics over ${store}`, (it) => {
    it.effect("are enabled with the settings of Coolify's agent", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const path = `/servers/${service.server}/sentinel`
        const disabled = {
          is_sentinel_enabled: false,
          is_metrics_enabled: false,
          is_sentinel_debug_enabled: false,
          sentinel_metrics_refresh_rate_seconds: 60,
          sentinel_metrics_history_days: 7,
          sentinel_push_interval_seconds: 60,
          sentinel_custom_url: null,
          sentinel_updated_at: null
        }
        expect(yield* service.ask(200, "GET", path)).toEqual(disabled)
        const change = {
          is_sentinel_enabled: true,
          sentinel_metrics_refresh_rate_seconds: 10,
          sentinel_metrics_history_days: 2
        }
        const enabled = { ...disabled, ...change, is_metrics_enabled: true }
        expect(yield* service.ask(200, "PATCH", path, change)).toEqual(enabled)
        expect(yield* service.ask(200, "GET", path)).toEqual(enabled)
        const mixed = { is_sentinel_enabled: false, is_metrics_enabled: true }
        expect((yield* service.ask(400, "PATCH", path, mixed)).errors).toEqual({
          is_sentinel_enabled: ["Must equal is_metrics_enabled: the platform samples servers itself."]
        })
        yield* service.ask(400, "PATCH", path, { sentinel_token: "token" })
        expect(yield* service.ask(200, "GET", path)).toEqual(enabled)
      })
    )

    it.effect("are averaged in at most 120 intervals of the last hours", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const world = yield* makeWorld(service)
        const application = yield* world.create("dockerimage")
        const { uuid: server } = yield* service.ask(201, "POST", "/servers", { name: "measured", ip: "10.1.1.1" })
        const { created_at: present } = yield* service.ask(200, "GET", `/servers/${server}`)
        const sample = (minutes: number, cpuPercent: number): MetricSample => ({
          serverUuid: server as ServerUuid,
          applicationUuid: null,
          container: null,
          at: new Date(Date.parse(present) - minutes * 60_000).toISOString(),
          cpuPercent,
          memoryUsed: 100,
          memoryTotal: 200,
          diskUsed: 3,
          diskTotal: 4,
          received: 5,
          sent: 6
        })
        const inside = { ...sample(5, 7), applicationUuid: application as ApplicationUuid, container: "web" }
        const samples = [sample(5, 10), sample(300, 20), sample(3_000, 30), inside]
        yield* service.within(Effect.flatMap(MetricStore, ({ add }) => add(samples)))
        const newest = { sentinel_updated_at: sample(5, 10).at }
        expect(yield* service.ask(200, "GET", `/servers/${server}/sentinel`)).toMatchObject(newest)
        const memoryOf = Effect.map(service.ask(200, "GET", "/servers?per_page=100"), (rows) =>
          rows.flatMap((row: { uuid: string; memory_use: unknown }) => (row.uuid === server ? [row.memory_use] : []))
        )
        expect(yield* memoryOf).toEqual([null])
        yield* service.ask(200, "PATCH", `/servers/${server}/sentinel`, { is_sentinel_enabled: true })
        expect(yield* memoryOf).toEqual([{ percent: 50, at: sample(5, 10).at }])
        const kept = yield* service.ask(200, "PATCH", `/servers/${server}/sentinel`, { is_sentinel_enabled: false })
        expect(kept).toMatchObject(newest)
        const hour = yield* service.ask(200, "GET", `/servers/${server}/metrics`)
        expect(hour).toEqual({
          is_enabled: false,
          interval_seconds: 60,
          points: [
            {
              container: null,
              at: expect.any(String),
              cpu_percent: 10,
              memory_used: 100,
              memory_total: 200,
              disk_used: 3,
              disk_total: 4,
              network_received: 5,
              network_sent: 6
            }
          ]
        })
        const day = yield* service.ask(200, "GET", `/servers/${server}/metrics?hours=24`)
        expect([day.interval_seconds, day.points.map((point: { cpu_percent: number }) => point.cpu_percent)]).toEqual([
          720,
          [20, 10]
        ])
        const { points } = yield* service.ask(200, "GET", `/applications/${application}/metrics`)
        expect(points).toMatchObject([{ container: "web", cpu_percent: 7 }])
        yield* service.ask(400, "GET", `/servers/${server}/metrics?hours=721`)
        const where = { project_uuid: world.project, environment_name: "production", server_uuid: world.server }
        const { uuid: database } = yield* service.ask(201, "POST", "/databases/redis", where)
        const ofDatabase = {
          ...sample(5, 3),
          serverUuid: world.server as ServerUuid,
          applicationUuid: database as ApplicationUuid,
          container: "redis"
        }
        yield* service.within(Effect.flatMap(MetricStore, ({ add }) => add([ofDatabase])))
        expect((yield* service.ask(200, "GET", `/databases/${database}/metrics`)).points).toMatchObject([
          { container: "redis", cpu_percent: 3 }
        ])
        const compose = "services:\n  web:\n    image: nginx\n"
        const { uuid: made } = yield* service.ask(201, "POST", "/services", {
          ...where,
          docker_compose_raw: btoa(compose)
        })
        expect(yield* service.ask(200, "GET", `/services/${made}/metrics`)).toEqual({
          is_enabled: true,
          interval_seconds: 30,
          points: []
        })
      })
    )
  })
}
