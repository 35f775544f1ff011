import { assert, describe, it } from "@effect/vitest"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { Route, RouteAnswer } from "@slipway/domain/deploy/containers"
import { uuidOf } from "@slipway/testkit/deploy"
import { configOf, foreignServersIn, type Json, type Layout, routesIn, secretIn } from "../src/config.ts"

const [shop, blog] = [uuidOf<ApplicationUuid>("application", 1), uuidOf<ApplicationUuid>("application", 2)]

const layout: Layout = {
  http: [
    { address: ":80", port: 80 },
    { address: ":8080", port: 8080 }
  ],
  https: [{ address: ":443", port: 443 }],
  acme: { email: "ops@slipway.dev", directory: "https://ca.slipway.dev/directory" },
  pointers: { root: "/var/lib/slipway/upstreams" },
  outlasts: false,
  probe: { listen: "unix//run/probe.sock", secret: "secret" }
}
const nothing = { _tag: "Forward", upstreams: [], auth: null } satisfies RouteAnswer
const route = (
  scheme: "http" | "https",
  host: string,
  path = "",
  answer: RouteAnswer = nothing,
  port?: number
): Route => ({
  address: { scheme, host, path, port: port ?? (scheme === "http" ? 80 : 443) },
  answer
})
// biome-ignore lint/suspicious/noExplicitAny: a configuration is looked at as deep as it goes
const built = (...routes: ReadonlyArray<Route>): any => configOf(null, layout, new Map([[shop, routes]]))

const texts = (json: Json): ReadonlyArray<string> =>
  typeof json === "string"
    ? [json]
    : typeof json === "object" && json !== null
      ? Object.entries(json).flatMap(([key, value]) => [key, ...texts(value)])
      : []

describe("the configuration of Caddy", () => {
  it("converts back to the routes it was built from", () => {
    const routes = new Map([
      [shop, [route("https", "a.test"), route("http", "a.test", "/x")]],
      [blog, [route("http", "b.test", "", nothing, 8080)]]
    ])
    const config = configOf({ admin: { listen: "unix//x" } }, layout, routes)
    const found = routesIn(JSON.parse(JSON.stringify(config)) as Json)
    assert.deepStrictEqual(
      [...found].map(([application, each]) => [application, each.length]),
      [
        [shop, 2],
        [blog, 1]
      ]
    )
    assert.deepStrictEqual(configOf(config, layout, found), config)
    assert.strictEqual(secretIn(config), "secret")
    assert.deepStrictEqual(foreignServersIn(config), [])
  })

  it("groups many hosts so that a request is matched against few, and converts back to the same routes", () => {
    const many = Array.from({ length: 450 }, (_, n) => route("http", `${n}.test`))
    const config = built(...many, route("http", "7.test", "/long"), route("http", "[::1]"))
    const { routes } = config.apps.http.servers["slipway-http-80"]
    assert.lengthOf(routes, 2 + 4)
    const [found] = [...routesIn(config).values()]
    assert.deepStrictEqual(
      new Set(found?.map(({ address }) => address.host + address.path)),
      new Set([...many.map(({ address }) => address.host), "7.test/long", "[::1]"])
    )
    for (const { handle, match } of routes.slice(1, -1)) {
      const [{ routes: inner }] = handle
      const hosts = new Set(inner.map((each: { match: [{ host: [string] }] }) => each.match[0].host[0]))
      assert.deepStrictEqual(new Set(match[0].host), hosts)
      assert.isAbove(hosts.size, 100)
    }
    assert.deepStrictEqual(configOf(config, layout, routesIn(config)), config)
  })

  it("requests ACME certificates for public hosts only", () => {
    const { tls } = built(
      route("https", "shop.slipway.dev"),
      route("https", "shop.localhost"),
      route("https", "[::1]")
    ).apps
    assert.deepStrictEqual(tls, {
      certificates: { automate: ["::1", "shop.localhost", "shop.slipway.dev"] },
      automation: {
        policies: [
          { subjects: ["::1", "shop.localhost"], issuers: [{ module: "internal" }] },
          {
            subjects: ["shop.slipway.dev"],
            issuers: [{ module: "acme", email: "ops@slipway.dev", ca: "https://ca.slipway.dev/directory" }]
          }
        ]
      }
    })
  })

  it("has no HTTPS listener and no certificates without an HTTPS route", () => {
    const { apps } = built(route("http", "shop.slipway.dev"))
    assert.deepStrictEqual(Object.keys(apps), ["http"])
    assert.deepStrictEqual(Object.keys(apps.http.servers), ["slipway-probe", "slipway-http-80", "slipway-http-8080"])
  })

  it("is equal for equal routes", () => {
    assert.deepStrictEqual(built(route("http", "a.test")), built(route("http", "a.test")))
    assert.notDeepEqual(built(route("http", "a.test")), built(route("http", "b.test")))
  })

  it("escapes Caddy placeholders in values from applications (invariants I22 and I23)", () => {
    const hostile = "{env.HOME}{file./etc/passwd}{http.request.header.Cookie}"
    const answers: ReadonlyArray<RouteAnswer> = [
      { _tag: "Redirect", scheme: "http", host: hostile, port: 80 },
      { _tag: "Forward", upstreams: [], auth: { _tag: "Account", username: hostile, hash: hostile } }
    ]
    for (const answer of answers) {
      const { routes } = built(route("http", hostile, `/${hostile}`, answer)).apps.http.servers["slipway-http-80"]
      const [memory, ...handlers] = routes[1].handle
      assert.strictEqual(memory.handler, "vars")
      // Caddy expands placeholders only in strings. The stored route is an object, so it stays unchanged.
      assert.isObject(memory.slipway)
      for (const text of texts([routes[1].match[0].host, handlers])) {
        assert.notMatch(text, /(?<!\\)\{(env|file|http\.request\.header)/)
      }
    }
  })
})
