import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { StoreUnavailable } from "@slipway/domain"
import { errorBodies, Gate, type GateSettings } from "@slipway/http/server"
import { Clock, Effect, Layer, Logger, References } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { IpNetwork } from "effect/net"
import { TestClock } from "effect/testing"
import { layerCryptography } from "../src/node/cryptography.ts"
import { cacheAnswer, encodedFormsOf } from "../src/server/answerCache.ts"
import { encodingIn } from "../src/server/gate/compression.ts"
import { countRequests } from "../src/server/gate/RateLimits.ts"

const long = "a text that is long enough. ".repeat(100)

const answer = (path: string) =>
  HttpRouter.add(
    "GET",
    `/${path}`,
    Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      if (headers.authorization?.endsWith("wrong") === true) return HttpServerResponse.empty({ status: 401 })
      const type = path === "page" ? "text/html" : path === "file" ? "text/plain" : "application/json"
      const kept = path === "file" ? { etag: `"blob"`, "accept-ranges": "bytes" } : { etag: `W/"${path}"` }
      return HttpServerResponse.text(long, { contentType: type, headers: path === "page" ? {} : kept })
    })
  )

const texts = {
  notFound: "not found",
  methodNotAllowed: "not so",
  badRequest: "bad",
  tooLarge: "large",
  internal: "internal",
  unavailable: "unavailable"
}

const page = HttpServerResponse.html(long)

const kept = HttpRouter.use((router) => Effect.sync(() => cacheAnswer(router, "/kept", page)))

const routes = Layer.mergeAll(
  kept,
  answer("thing"),
  answer("page"),
  answer("file"),
  answer("healthz"),
  errorBodies(HttpApi.make("none"), texts, (message) => ({ message }), { pages: ["/thing"] })
)

const off: GateSettings = { rateLimits: undefined, origins: undefined, compresses: false }

/** Serves the routes behind a gate. Web requests have no address: they count as 0.0.0.0. */
const behind = (gate: Partial<GateSettings>, added: Layer.Layer<never, never, HttpRouter.HttpRouter> = Layer.empty) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      HttpRouter.toWebHandler(
        Layer.merge(routes, added).pipe(
          Layer.provide(Layer.succeed(Gate, { ...off, ...gate })),
          Layer.provide(layerCryptography),
          Layer.provideMerge(HttpServer.layerServices)
        ),
        { disableLogger: true }
      )
    ),
    (web) => Effect.promise(() => web.dispose())
  ).pipe(
    Effect.map(
      ({ handler }) =>
        (path: string, headers: Record<string, string> = {}, method = "GET") =>
          Effect.promise(() => handler(new Request(`http://service.test${path}`, { headers, method })))
    )
  )

const limits = (of: { readonly token?: number; readonly address?: number }, trusted: ReadonlyArray<string> = []) => ({
  rateLimits: {
    token: of.token,
    address: of.address,
    trustedProxies: trusted.map((each) => IpNetwork.fromStringUnsafe(each))
  }
})

describe("an unavailable store", () => {
  it.live("causes at most two retries of a read-only request after a lost connection", () =>
    Effect.gen(function* () {
      let asked = 0
      const failing = (times: number) =>
        Effect.suspend(() => {
          if (++asked <= times) throw new StoreUnavailable({ reason: "lost", cause: "gone" })
          return Effect.succeed(HttpServerResponse.text("here"))
        })
      const added = Layer.mergeAll(
        HttpRouter.add("GET", "/once", failing(1)),
        HttpRouter.add("GET", "/always", failing(9)),
        HttpRouter.add("POST", "/once", failing(1))
      )
      const ask = yield* behind({}, added)
      const outcome = Effect.fnUntraced(function* (path: string, method: string) {
        asked = 0
        return [(yield* ask(path, {}, method)).status, asked]
      })
      expect(yield* outcome("/once", "GET")).toEqual([200, 2])
      expect(yield* outcome("/always", "GET")).toEqual([503, 3])
      expect(yield* outcome("/once", "POST")).toEqual([503, 1])
    })
  )

  const unusable = Effect.fnUntraced(function* () {
    const logged: Array<string> = []
    const logger = Logger.make(({ fiber, message }) => {
      const { unavailable } = fiber.getRef(References.CurrentLogAnnotations)
      logged.push(`${unavailable}: ${message}`)
    })
    const added = Layer.mergeAll(
      HttpRouter.add("GET", "/silent", Effect.die(new StoreUnavailable({ reason: "silent", cause: "no answer" }))),
      HttpRouter.add("GET", "/full", HttpServerResponse.text("too much at once", { status: 503 })),
      HttpRouter.add("GET", "/readyz", HttpServerResponse.empty({ status: 503 }))
    )
    const clock = Layer.succeed(Clock.Clock, yield* Clock.Clock)
    const ask = yield* behind({}, Layer.provideMerge(added, Layer.merge(clock, Logger.layer([logger]))))
    return { logged, ask: (path: string) => Effect.map(ask(path), ({ status }) => expect(status).toBe(503)) }
  })

  it.live("is logged with the reason, as is an exceeded limit of this process", () =>
    Effect.gen(function* () {
      const { ask, logged } = yield* unusable()
      for (const path of ["/silent?token=secret", "/full", "/readyz"]) yield* ask(path)
      expect(logged).toEqual([
        "silent: GET /silent: the data store is unavailable: no answer",
        "limit: GET /full: too much at once"
      ])
    })
  )

  it.effect("is logged once a second for each reason, with the number of suppressed entries", () =>
    Effect.gen(function* () {
      const { ask, logged } = yield* unusable()
      const told = Effect.fnUntraced(function* (...paths: ReadonlyArray<string>) {
        for (const path of paths) yield* ask(path)
        return logged.splice(0)
      })
      const silent = "silent: GET /silent: the data store is unavailable: no answer"
      const full = "limit: GET /full: too much at once"
      expect(yield* told("/silent", "/full", "/silent", "/silent", "/full")).toEqual([silent, full])
      yield* TestClock.adjust(999)
      expect(yield* told("/silent", "/full")).toEqual([])
      yield* TestClock.adjust(1)
      expect(yield* told("/silent", "/full", "/silent")).toEqual([
        `${silent} (and 3 more since the last line like this)`,
        `${full} (and 2 more since the last line like this)`
      ])
      yield* TestClock.adjust(1_000)
      expect(yield* told("/full", "/silent")).toEqual([full, `${silent} (and 1 more since the last line like this)`])
    })
  )
})

describe("rate limits", () => {
  it.live("report remaining requests and reset time in both header formats, and reject requests above the limit", () =>
    Effect.gen(function* () {
      const ask = yield* behind(limits({ address: 2 }))
      const first = yield* ask("/thing")
      const reset = Number(first.headers.get("x-ratelimit-reset")) - (yield* Clock.currentTimeMillis) / 1_000
      expect(first.headers.get("ratelimit-policy")).toBe(`"address";q=2;w=60`)
      expect(first.headers.get("ratelimit")).toMatch(/^"address";r=1;t=(?:60|59|5\d|4\d)$/)
      expect(first.headers.get("x-ratelimit-limit")).toBe("2")
      expect(first.headers.get("x-ratelimit-remaining")).toBe("1")
      expect(reset).toBeGreaterThan(20)
      expect(reset).toBeLessThanOrEqual(61)
      expect((yield* ask("/missing")).status).toBe(404)
      const refused = yield* ask("/thing")
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(20)
      expect(refused.headers.get("x-ratelimit-remaining")).toBe("0")
      expect(refused.headers.get("x-request-id")).toMatch(/^\w+$/)
      expect(yield* Effect.promise(() => refused.json())).toEqual({ message: "too many requests: try again later" })
      expect((yield* ask("/healthz")).status).toBe(200)
    })
  )

  it.live("count requests with a valid token by token, and requests with an invalid token by address", () =>
    Effect.gen(function* () {
      const ask = yield* behind(limits({ address: 2, token: 3 }))
      const left = (authorization: string) =>
        Effect.map(ask("/thing", { authorization }), ({ headers, status }) => [
          status,
          headers.get("ratelimit")?.slice(0, -5)
        ])
      expect(yield* left("token right")).toEqual([200, `"token";r=2`])
      expect(yield* left("token 1 wrong")).toEqual([401, `"address";r=1`])
      expect(yield* left("token 2 wrong")).toEqual([401, `"address";r=0`])
      expect(yield* left("token 3 wrong")).toEqual([429, `"address";r=0`])
      expect(yield* left("token right")).toEqual([200, `"token";r=1`])
      expect(yield* left("token right")).toEqual([200, `"token";r=0`])
      expect(yield* left("token right")).toEqual([429, `"token";r=0`])
    })
  )

  it.live("I17: trust X-Forwarded-For from trusted proxies only", () =>
    Effect.gen(function* () {
      const from = (address: string) => ({ "x-forwarded-for": address })
      const open = yield* behind(limits({ address: 1 }))
      expect((yield* open("/thing", from("192.0.2.1"))).status).toBe(200)
      expect((yield* open("/thing", from("192.0.2.2"))).status).toBe(429)
      const proxied = yield* behind(limits({ address: 1 }, ["0.0.0.0/32"]))
      expect((yield* proxied("/thing", from("192.0.2.1"))).status).toBe(200)
      expect((yield* proxied("/thing", from("192.0.2.2"))).status).toBe(200)
      expect((yield* proxied("/thing", from("192.0.2.9, 192.0.2.1"))).status).toBe(429)
    })
  )

  it("reset after a minute, and forget a rejected token", () => {
    const count = countRequests(limits({ address: 1, token: 1 }).rateLimits)
    const request = HttpServerRequest.fromWeb(
      new Request("http://service.test/", { headers: { authorization: "token a" } })
    )
    const asked = (now: number, status: number) => {
      const counted = count(request, now)
      return counted.retryAfter ?? counted.headers(status, now)["x-ratelimit-remaining"]
    }
    expect(asked(0, 200)).toBe("0")
    expect(asked(30_000, 200)).toBe(30)
    expect(asked(60_000, 200)).toBe("0")
    expect(asked(120_000, 401)).toBe("0")
    expect(asked(121_000, 200)).toBe(59)
  })
})

describe("cross-origin requests", () => {
  const origin = "https://app.example"
  const preflight = {
    origin,
    "access-control-request-method": "DELETE",
    "access-control-request-headers": "authorization"
  }
  const shared = (response: Response) => response.headers.get("access-control-allow-origin")

  it.live("get no CORS headers by default", () =>
    Effect.gen(function* () {
      const ask = yield* behind({})
      const asked = yield* ask("/thing", { origin })
      expect([shared(asked), asked.headers.get("vary")]).toEqual([null, null])
      expect((yield* ask("/thing", preflight, "OPTIONS")).status).toBe(405)
    })
  )

  it.live("are accepted from allowed origins, without browser credentials", () =>
    Effect.gen(function* () {
      const ask = yield* behind({ origins: [origin], ...limits({ address: 1 }) })
      const before = yield* ask("/thing", preflight, "OPTIONS")
      expect([before.status, shared(before)]).toEqual([204, origin])
      expect(before.headers.get("access-control-allow-headers")).toBe("*, Authorization")
      expect(before.headers.get("access-control-allow-methods")).toContain("DELETE")
      const asked = yield* ask("/thing", { origin, authorization: "token a" })
      expect([asked.status, shared(asked), asked.headers.get("vary")]).toEqual([200, origin, "Origin"])
      expect(asked.headers.get("access-control-expose-headers")).toContain("X-Total-Count")
      const other = yield* ask("/thing", { origin: "https://evil.example" })
      expect([shared(other), other.headers.get("vary")]).toEqual([null, "Origin"])
      const refused = yield* ask("/thing", { origin })
      expect([refused.status, shared(refused)]).toEqual([429, origin])
      for (const response of [before, asked, refused]) {
        expect(response.headers.has("access-control-allow-credentials")).toBe(false)
      }
    })
  )

  it.live("are rejected if they have a password", () =>
    Effect.gen(function* () {
      const ask = yield* behind({ origins: "*" })
      const asked = yield* ask("/thing", { origin, authorization: "Basic YTpi" })
      expect([asked.status, shared(asked)]).toEqual([403, "*"])
    })
  )
})

describe("compression", () => {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

  it.live.each(["br", "gzip"] as const)("uses %s on request", (encoding) =>
    Effect.gen(function* () {
      const ask = yield* behind({ compresses: true })
      const packed = yield* ask("/thing", { "accept-encoding": encoding })
      const bytes = new Uint8Array(yield* Effect.promise(() => packed.arrayBuffer()))
      expect(decoders[encoding](bytes).toString()).toBe(long)
      expect(bytes.length).toBeLessThan(200)
      expect(packed.headers.get("content-length")).toBe(String(bytes.length))
      expect(packed.headers.get("content-encoding")).toBe(encoding)
      expect([packed.headers.get("vary"), packed.headers.get("etag")]).toEqual(["Accept-Encoding", `W/"thing"`])
      const plain = yield* ask("/thing")
      expect([plain.headers.get("vary"), yield* Effect.promise(() => plain.text())]).toEqual(["Accept-Encoding", long])
    })
  )

  it.live("skips ranges, pages with forms, responses to sessions, and short bodies", () =>
    Effect.gen(function* () {
      const ask = yield* behind({ compresses: true })
      const encodingOf = (path: string, headers = {}) =>
        Effect.map(ask(path, { "accept-encoding": "gzip", ...headers }), (response) =>
          response.headers.get("content-encoding")
        )
      expect(yield* encodingOf("/thing")).toBe("gzip")
      for (const path of ["/file", "/page", "/missing"]) expect([path, yield* encodingOf(path)]).toEqual([path, null])
      expect(yield* encodingOf("/thing", { cookie: "session=1" })).toBe(null)
      expect((yield* ask("/file")).headers.get("vary")).toBe(null)
    })
  )

  it.live("runs once for responses that are cached for all callers, including HTML pages", () =>
    Effect.gen(function* () {
      const ask = yield* behind({ compresses: true })
      const texts: Array<string> = []
      for (const headers of [{}, { cookie: "session=1" }]) {
        const packed = yield* ask("/kept", { "accept-encoding": "gzip", ...headers })
        expect(packed.headers.get("content-encoding")).toBe("gzip")
        texts.push(gunzipSync(new Uint8Array(yield* Effect.promise(() => packed.arrayBuffer()))).toString())
      }
      expect(texts).toEqual([long, long])
      const forms = encodedFormsOf(page.body)
      expect([...(forms?.keys() ?? [])]).toEqual(["gzip"])
      const kept = forms?.get("gzip")
      yield* ask("/kept", { "accept-encoding": "gzip" })
      expect(forms?.get("gzip")).toBe(kept)
    })
  )

  it("follows the weights of Accept-Encoding", () => {
    expect(
      ["gzip, deflate, br", "gzip;q=1, br;q=0.5", "*", "br;q=0, *;q=0.1", "deflate", "gzip;q=0", "gzip; q=high"].map(
        encodingIn
      )
    ).toEqual(["br", "gzip", "br", "gzip", undefined, undefined, undefined])
  })
})
