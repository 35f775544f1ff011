import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { homeRoutes, layerStoreCheck } from "../src/server/index.ts"

const ask = (routes: ReturnType<typeof homeRoutes>, store: Effect.Effect<void, string>, path = "/") =>
  Effect.promise(async () => {
    const check = layerStoreCheck({ answer: store, room: Effect.void }, { maySilence: false })
    const web = HttpRouter.toWebHandler(
      routes.pipe(Layer.provide(check), Layer.provideMerge(HttpServer.layerServices)),
      {
        disableLogger: true
      }
    )
    const response = await web.handler(new Request(`http://service.test${path}`))
    const text = await response.text()
    await web.dispose()
    return { status: response.status, headers: response.headers, text }
  })

const page = { title: "Slipway test", what: "A service for tests." }

it.live("the home page shows a browser the service's name, health and reference", () =>
  Effect.gen(function* () {
    const { headers, status, text } = yield* ask(homeRoutes(page), Effect.void)
    expect(status).toBe(200)
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(text).toContain("<h1>Slipway test</h1>")
    expect(text).toContain("A service for tests.")
    expect(text).toContain("It is healthy.")
    expect(text).toContain(`<a href="/docs">`)
  })
)

it.live("the home page links to the pages of its service", () =>
  Effect.gen(function* () {
    const links = [{ path: "/explore", name: "Access explorer", what: "which shows who may do what, and why" }]
    const { text } = yield* ask(homeRoutes({ ...page, links }), Effect.void)
    expect(text).toContain(`<li><a href="/explore">Access explorer</a>, which shows who may do what, and why</li>`)
  })
)

it.live("the home page reports an unreachable database, and omits the link to a disabled API reference", () =>
  Effect.gen(function* () {
    const { status, text } = yield* ask(homeRoutes({ ...page, reference: false }), Effect.fail("away"))
    expect(status).toBe(503)
    expect(text).toContain("cannot reach its database")
    expect(text).not.toContain(`"/docs"`)
  })
)

it.live("the service serves a favicon", () =>
  Effect.gen(function* () {
    const { headers, status, text } = yield* ask(homeRoutes(page), Effect.void, "/favicon.ico")
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"])
    expect(text).toMatch(/^<svg /)
  })
)
