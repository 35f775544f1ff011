import { readFileSync } from "node:fs"
import { createServer, get, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { describe, expect, it } from "@effect/vitest"
import { traced } from "@slipway/domain"
import { layerMetrics, serve } from "@slipway/http/node"
import { ConfigProvider, Console, Deferred, Effect, Layer, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { layerObservability } from "../../src/node/observability/layer.ts"
import { observabilitySettings } from "../../src/node/observability/settings.ts"
import { withRequestId } from "../../src/server/requestId.ts"

const statement = (text: string) =>
  Effect.useSpan("sql.execute", { kind: "client" }, (span) => Effect.sync(() => span.attribute("db.query.text", text)))

const answer = (text: string) =>
  Effect.as(Effect.andThen(statement("SELECT 1"), statement("SELECT 2")), HttpServerResponse.text(text))

const routes = Layer.mergeAll(
  HttpRouter.add("GET", "/things/:secret", answer("one")),
  HttpRouter.add("GET", "/broken", Effect.fail("broken").pipe(traced("git", { command: "fsck" }), Effect.orDie)),
  HttpRouter.middleware((app) => withRequestId("request-1", app), { global: true })
)

const listening = { host: "127.0.0.1", port: 0, portSetting: "PORT" } as const

/** A Node server for a test, and its address. */
const listener = (heard: (request: IncomingMessage, body: string) => void) =>
  Effect.acquireRelease(
    Effect.callback<readonly [ReturnType<typeof createServer>, string]>((resume) => {
      const server = createServer((request, response) => {
        let body = ""
        request.on("data", (chunk) => {
          body += chunk
        })
        request.on("end", () => {
          heard(request, body)
          response.end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed([server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`] as const))
      )
    }),
    ([server]) => Effect.sync(() => server.close())
  ).pipe(Effect.map(([, address]) => address))

/** Serves the routes as a monitored service, and returns its address. */
const served = (environment: Record<string, string>, logged: Array<string> = []) =>
  Effect.gen(function* () {
    const provider = ConfigProvider.fromEnv({ env: environment })
    const observed = yield* Effect.provideService(
      observabilitySettings("TEST"),
      ConfigProvider.ConfigProvider,
      provider
    )
    const [base, metrics] = [yield* Deferred.make<string>(), yield* Deferred.make<string>()]
    const told = (to: Deferred.Deferred<string>) => (address: string) => Effect.asVoid(Deferred.succeed(to, address))
    const gauges = { jobs_due: { description: "Jobs that wait", read: Effect.succeed(7) } }
    const services = Layer.merge(
      serve(routes, { ...listening, largestBody: 1, onListening: told(base) }),
      layerMetrics(gauges, told(metrics))
    )
    const console = { ...globalThis.console, error: (line: string) => void logged.push(line) }
    const built = Layer.provide(services, layerObservability("test", observed))
    yield* Layer.buildWithScope(built, yield* Effect.scope).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, provider),
      Effect.provideService(Console.Console, console)
    )
    return { base: yield* Deferred.await(base), metrics }
  })

// Without an agent its connection is closed, so that no request keeps the test open.
const read = (address: string) =>
  Effect.callback<string>((resume) => {
    get(address, { agent: false }, async (response) => resume(Effect.succeed(await text(response))))
  })

describe("observability", () => {
  it.live("metrics count requests, statements and steps by route, on a separate port", () =>
    Effect.gen(function* () {
      const { base, metrics } = yield* served({ TEST_METRICS_PORT: "0" })
      for (const path of ["/things/a", "/things/b", "/broken", "/nothing"]) yield* read(base + path)
      const metered = yield* read(`${yield* Deferred.await(metrics)}/metrics`)
      const lines = metered.split("\n")
      expect(lines).toContain('slipway_requests_total{method="GET",route="/things/:secret",status="200"} 2')
      expect(lines).toContain('slipway_requests_total{method="GET",route="/broken",status="500"} 1')
      expect(lines).toContain('slipway_requests_total{method="GET",route="none",status="404"} 1')
      expect(lines).toContain('slipway_request_seconds_count{method="GET",route="/things/:secret"} 2')
      expect(lines).toContain('slipway_statement_seconds_count{outcome="ok"} 4')
      expect(lines).toContain('slipway_git_seconds_count{command="fsck",outcome="failed"} 1')
      expect(lines).toContain('slipway_running{of="request"} 0')
      expect(lines).toContain("slipway_jobs_due 7")
      expect(metered).toMatch(/^slipway_process_memory_bytes \d{7,}$/m)
      expect(yield* read(`${base}/metrics`)).not.toContain("slipway_")
    })
  )

  it.live("a slow request is logged with its id, its route and its statements, and without secrets in its path", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const { base } = yield* served({ TEST_SLOW_REQUEST: "1", TEST_LOG_FORMAT: "json" }, logged)
      const slow = Effect.sync(() => logged.find((line) => line.includes("slow request")))
      const line = yield* Effect.repeat(Effect.andThen(read(`${base}/things/hidden`), slow), {
        until: (found) => found !== undefined,
        times: 1_000
      })
      const { annotations, level } = JSON.parse(line ?? "{}")
      expect([level, annotations]).toEqual([
        "WARN",
        {
          request_id: "request-1",
          method: "GET",
          route: "/things/:secret",
          status: "200",
          milliseconds: expect.any(Number),
          statements: 2
        }
      ])
    })
  )

  it.live("traces go to the collector in the standard variables, without addresses of requests", () =>
    Effect.gen(function* () {
      const bodies: Array<string> = []
      const collector = yield* listener(({ url }, body) => bodies.push(`${url} ${body}`))
      const scope = yield* Scope.make()
      const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }
      const { base } = yield* Scope.provide(served(environment), scope)
      yield* read(`${base}/things/hidden?token=hidden`)
      // The remaining spans are sent at the end.
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      const sent = bodies.join("\n")
      expect(sent).toContain("/v1/traces ")
      for (const text of ["slipway-test", "GET /things/:secret", "SELECT 1", "request-1"]) expect(sent).toContain(text)
      expect(sent).not.toContain("hidden")
    })
  )

  it("lists every metric of the dashboard in the reference", () => {
    const names = (file: string) =>
      new Set(
        [
          ...readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), "utf8").matchAll(/slipway_[a-z_]+/g)
        ].map(([name]) => name.replace(/_(?:bucket|count)$/, ""))
      )
    expect([...names("reference/grafana-dashboard.json")].sort()).toEqual([...names("reference/metrics.md")].sort())
  })

  it.effect("invalid settings are rejected", () =>
    Effect.gen(function* () {
      const problem = (env: Record<string, string>) =>
        Effect.map(
          Effect.flip(
            Effect.provideService(
              observabilitySettings("TEST"),
              ConfigProvider.ConfigProvider,
              ConfigProvider.fromEnv({ env })
            )
          ),
          ({ message }) => message
        )
      expect(yield* problem({ TEST_LOG_FORMAT: "xml" })).toBe("the setting `TEST_LOG_FORMAT` must be text or json")
      expect(yield* problem({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector" })).toBe(
        "the setting `OTEL_EXPORTER_OTLP_ENDPOINT` must be an address such as http://127.0.0.1:4318"
      )
    })
  )
})
