import { assert } from "@effect/vitest"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import {
  BasicAuthHasher,
  type ProbeRequest,
  Proxy,
  type Route,
  type ServedCertificate,
  type ServerProxy,
  type Upstream
} from "@slipway/domain/deploy/containers"
import { Effect, Redacted, Ref } from "effect"
import { Base64 } from "effect/encoding"
import type { Contract } from "../../../contract.ts"
import { uuidOf } from "../../builders.ts"
import { type ProxyUnderTest, ProxyWorld, type VisitorRequest } from "../../proxyWorld.ts"

const application = (n: number): ApplicationUuid => uuidOf("application", n)
const [shop, blog] = [application(1), application(2)]

const opened = Effect.gen(function* () {
  const world = yield* ProxyWorld
  return { world, proxy: yield* (yield* Proxy).open(world.access) }
})

/** Starts a container that responds to every request with its own name. */
const named = (name: string) => Effect.flatMap(ProxyWorld, ({ container }) => container(() => ({ body: name })))

type Forward = Extract<Route["answer"], { readonly _tag: "Forward" }>

const to = (...upstreams: ReadonlyArray<Upstream>): Forward => ({ _tag: "Forward", upstreams, auth: null })
const at = (host: string, answer: Route["answer"], path = ""): Route => ({
  address: { scheme: "http", host, port: 80, path },
  answer
})

const visit = (host: string, path = "/", more: Partial<VisitorRequest> = {}) =>
  Effect.flatMap(ProxyWorld, (world) => world.visit({ scheme: "http", host, path, ...more }))
const seen = (host: string, path?: string, more?: Partial<VisitorRequest>) =>
  Effect.map(visit(host, path, more), ({ body, status }) => `${status} ${body}`)
const statusOf = (host: string, path?: string) => Effect.map(visit(host, path), ({ status }) => status)

const sorted = (routes: ReadonlyArray<Route>) =>
  routes.toSorted((one, other) => (JSON.stringify(one.address) < JSON.stringify(other.address) ? -1 : 1))

const assertHas = Effect.fnUntraced(function* (
  proxy: ServerProxy,
  of: ApplicationUuid,
  expected: ReadonlyArray<Route>
) {
  assert.deepStrictEqual(sorted(yield* proxy.read(of)), sorted(expected))
})

const basic = (text: string) => ({ headers: { authorization: `Basic ${Base64.encode(text)}` } })
const get: ProbeRequest = { scheme: "http", method: "GET", path: "/", host: null, timeout: 5 }

/** Contract tests of the reverse proxies of servers. Every implementation must pass them. */
export const proxy: Contract<ProxyUnderTest> = {
  port: "Proxy",
  musts: {
    "serve the routes of an application after they are applied": Effect.gen(function* () {
      const { proxy } = yield* opened
      const [one, two] = [yield* named("one"), yield* named("two")]
      yield* proxy.apply(shop, [at("a.test", to(one)), at("b.test", to(two)), at("c.test", to(one, one))])
      assert.strictEqual(yield* seen("a.test"), "200 one")
      assert.strictEqual(yield* seen("b.test"), "200 two")
      assert.strictEqual(yield* seen("c.test"), "200 one")
      assert.strictEqual(yield* seen("A.Test", "/any/path?x=1"), "200 one")
    }),
    "replace the routes of an application atomically": {
      "with new containers, without a failed request": Effect.gen(function* () {
        const { proxy } = yield* opened
        const containers = [yield* named("one"), yield* named("two")] as const
        yield* proxy.apply(shop, [at("a.test", to(containers[0]))])
        const switching = Effect.gen(function* () {
          for (let n = 1; n <= 10; n++) yield* proxy.apply(shop, [at("a.test", to(containers[n % 2 === 0 ? 0 : 1]))])
        })
        const visiting = Effect.forEach(Array.from({ length: 50 }), () => seen("a.test"))
        const [, answers] = yield* Effect.all([switching, visiting], { concurrency: 2 })
        assert.deepStrictEqual(
          [...new Set(answers)].filter((answer) => !/^200 (one|two)$/.test(answer)),
          []
        )
        assert.strictEqual(yield* seen("a.test"), "200 one")
      }),
      "with new addresses": Effect.gen(function* () {
        const { proxy } = yield* opened
        const [one, two] = [yield* named("one"), yield* named("two")]
        yield* proxy.apply(shop, [at("a.test", to(one)), at("b.test", to(one))])
        yield* proxy.apply(shop, [at("b.test", to(two)), at("c.test", to(two))])
        assert.strictEqual(yield* statusOf("a.test"), 404)
        assert.strictEqual(yield* seen("b.test"), "200 two")
        assert.strictEqual(yield* seen("c.test"), "200 two")
      })
    },
    "change nothing when routes cannot be served": Effect.gen(function* () {
      const { proxy } = yield* opened
      const [one, two] = [yield* named("one"), yield* named("two")]
      const [mine, theirs] = [[at("a.test", to(one))], [at("b.test", to(two))]]
      yield* proxy.apply(shop, mine)
      yield* proxy.apply(blog, theirs)
      yield* Effect.flip(proxy.apply(shop, [at("a.test", to(two)), at("c.test", to(two)), at("b.test", to(two))]))
      const nowhere = {
        ...at("a.test", to(two)),
        address: { scheme: "http", host: "a.test", port: 7, path: "" }
      } as const
      const refused = yield* Effect.flip(proxy.apply(shop, [at("a.test", to(two)), nowhere]))
      assert.strictEqual(refused._tag, "ProxyRefused")
      const unreadable = yield* Effect.flip(proxy.apply(shop, [at("a.test", to(two)), at("c.test", to(two), "/%FF")]))
      assert.strictEqual(unreadable._tag, "ProxyRefused")
      yield* assertHas(proxy, shop, mine)
      yield* assertHas(proxy, blog, theirs)
      assert.strictEqual(yield* seen("a.test"), "200 one")
      assert.strictEqual(yield* seen("b.test"), "200 two")
      assert.strictEqual(yield* statusOf("c.test"), 404)
    }),
    "keep the routes of other applications unchanged": Effect.gen(function* () {
      const { proxy } = yield* opened
      const [one, two] = [yield* named("one"), yield* named("two")]
      yield* proxy.apply(shop, [at("a.test", to(one))])
      yield* proxy.apply(blog, [at("b.test", to(two)), at("a.test", to(two), "/blog")])
      yield* proxy.apply(shop, [at("c.test", to(one))])
      yield* proxy.remove(shop)
      assert.strictEqual(yield* seen("b.test"), "200 two")
      assert.strictEqual(yield* seen("a.test", "/blog/x"), "200 two")
      assert.strictEqual(yield* statusOf("a.test"), 404)
    }),
    "lose no routes when several are applied concurrently": Effect.gen(function* () {
      const { proxy, world } = yield* opened
      const one = yield* named("one")
      const another = yield* (yield* Proxy).open(world.access)
      const all = Array.from({ length: 12 }, (_, n) => n)
      yield* Effect.forEach(
        all,
        (n) => (n % 2 === 0 ? proxy : another).apply(application(n), [at(`${n}.test`, to(one))]),
        { concurrency: "unbounded", discard: true }
      )
      for (const n of all) assert.strictEqual(yield* seen(`${n}.test`), "200 one")
    }),
    "reject a route of another application": {
      "I28: route claims are unique across tenants": Effect.gen(function* () {
        const { proxy } = yield* opened
        const [one, two] = [yield* named("one"), yield* named("two")]
        yield* proxy.apply(shop, [at("a.test", to(one), "/x/y")])
        const taken = yield* Effect.flip(proxy.apply(blog, [at("b.test", to(two)), at("a.test", to(two), "/x/y")]))
        assert.strictEqual(
          taken._tag === "RouteTaken" ? `${taken.address} ${taken.holder}` : taken,
          `http://a.test/x/y ${shop}`
        )
        const same = yield* Effect.flip(proxy.apply(blog, [at("a.test", to(two), "/x%2Fy")]))
        assert.strictEqual(same._tag, "RouteTaken")
        assert.strictEqual(yield* seen("a.test", "/x/y"), "200 one")
        assert.strictEqual(yield* statusOf("b.test"), 404)
      }),
      "until the other application releases it": Effect.gen(function* () {
        const { proxy } = yield* opened
        const [one, two] = [yield* named("one"), yield* named("two")]
        yield* proxy.apply(shop, [at("a.test", to(one)), at("b.test", to(one))])
        yield* proxy.apply(shop, [at("b.test", to(one))])
        yield* proxy.apply(blog, [at("a.test", to(two))])
        yield* proxy.remove(shop)
        yield* proxy.apply(blog, [at("b.test", to(two))])
        assert.strictEqual(yield* seen("b.test"), "200 two")
      })
    },
    "return the routes as applied": Effect.gen(function* () {
      const { proxy } = yield* opened
      const one = yield* named("one")
      const routes: ReadonlyArray<Route> = [
        at("a.test", to(one)),
        at("a.test", to(one, { host: "10.0.0.1", port: 1 }), "/two"),
        at("a.test", to(), "/none"),
        at("{env.HOME}.test", { ...to(one), auth: { _tag: "Nobody" } }),
        at(
          "b.test",
          { ...to(one), auth: { _tag: "Account", username: "{env.HOME}", hash: "$2b$04$x" } },
          "/[*]/(a|b)%7B"
        ),
        at("www.b.test", { _tag: "Redirect", scheme: "https", host: "b.test", port: 443 })
      ]
      yield* proxy.apply(shop, routes)
      yield* assertHas(proxy, shop, routes)
      assert.deepStrictEqual(yield* proxy.read(blog), [])
    }),
    "remove the routes of an application": Effect.gen(function* () {
      const { proxy } = yield* opened
      const one = yield* named("one")
      yield* proxy.apply(shop, [at("a.test", to(one))])
      assert.isTrue(yield* proxy.remove(shop))
      assert.isFalse(yield* proxy.remove(shop))
      assert.strictEqual(yield* statusOf("a.test"), 404)
      yield* assertHas(proxy, shop, [])
      yield* proxy.apply(blog, [at("a.test", to(one))])
      yield* proxy.apply(blog, [])
      assert.isFalse(yield* proxy.remove(blog))
    }),
    "prefer the longest path across all applications": Effect.gen(function* () {
      const { proxy } = yield* opened
      const [one, two, three] = [yield* named("one"), yield* named("two"), yield* named("three")]
      yield* proxy.apply(shop, [at("a.test", to(one)), at("a.test", to(three), "/docs/api")])
      yield* proxy.apply(blog, [at("a.test", to(two), "/docs")])
      assert.strictEqual(yield* seen("a.test", "/doc"), "200 one")
      assert.strictEqual(yield* seen("a.test", "/docs/x"), "200 two")
      assert.strictEqual(yield* seen("a.test", "/docs/api/x"), "200 three")
    }),
    "match a path literally, and the paths below it": Effect.gen(function* () {
      const { proxy } = yield* opened
      const echo = yield* (yield* ProxyWorld).container(({ path }) => ({ body: path }))
      yield* proxy.apply(shop, [at("a.test", to(echo), "/x.y"), at("a.test", to(echo), "/f%C3%BC*")])
      assert.strictEqual(yield* seen("a.test", "/x.y"), "200 /x.y")
      assert.strictEqual(yield* seen("a.test", "/x.y/z?q=1"), "200 /x.y/z?q=1")
      assert.strictEqual(yield* seen("a.test", "/f%c3%bc*/z"), "200 /f%c3%bc*/z")
      for (const path of ["/xzy", "/x.yz", "/X.Y", "/", "/z/x.y", "/f%C3%BCf"]) {
        assert.strictEqual(yield* statusOf("a.test", path), 404, path)
      }
    }),
    "respond with 404 without a route, and with 503 without a running container": Effect.gen(function* () {
      const { proxy, world } = yield* opened
      yield* proxy.apply(shop, [at("a.test", to()), at("b.test", to(yield* world.nowhere))])
      assert.strictEqual(yield* statusOf("a.test"), 503)
      assert.strictEqual(yield* statusOf("b.test"), 503)
      assert.strictEqual(yield* statusOf("c.test"), 404)
      yield* proxy.apply(shop, [at("a.test", to(yield* named("one")))])
      assert.strictEqual(yield* seen("a.test"), "200 one")
      yield* proxy.apply(shop, [at("a.test", to())])
      assert.strictEqual(yield* statusOf("a.test"), 503)
    }),
    "redirect with path and query": Effect.gen(function* () {
      const { proxy, world } = yield* opened
      yield* proxy.apply(shop, [
        at("a.test", { _tag: "Redirect", scheme: "https", host: "a.test", port: 443 }),
        at("www.b.test", { _tag: "Redirect", scheme: "http", host: "b.test", port: 80 }, "/x")
      ])
      const secured = yield* visit("a.test", "/p/q?r=%20s&t=%7Bu%7D")
      assert.strictEqual(secured.status, 308)
      assert.strictEqual(secured.headers.location, `${world.origin("https", "a.test")}/p/q?r=%20s&t=%7Bu%7D`)
      const moved = yield* visit("www.b.test", "/x/y", { method: "POST" })
      assert.strictEqual(`${moved.status} ${moved.headers.location}`, `308 ${world.origin("http", "b.test")}/x/y`)
    }),
    "allow only callers with the right password, and no caller when none is set": Effect.gen(function* () {
      const { proxy } = yield* opened
      const one = yield* named("one")
      const hash = yield* (yield* BasicAuthHasher).hash(shop, Redacted.make("pass:wörd{env.HOME}"))
      yield* proxy.apply(shop, [
        at("a.test", { ...to(one), auth: { _tag: "Account", username: "{env.USER}ann\\", hash } }),
        at("b.test", { ...to(one), auth: { _tag: "Nobody" } })
      ])
      assert.strictEqual(yield* seen("a.test", "/", basic("{env.USER}ann\\:pass:wörd{env.HOME}")), "200 one")
      const asked = yield* visit("a.test")
      assert.strictEqual(asked.status, 401)
      assert.match(asked.headers["www-authenticate"] ?? "", /^Basic /)
      for (const wrong of [
        "{env.USER}ann\\:pass",
        "ann:pass:wörd{env.HOME}",
        "{env.USER}ann\\8:pass:wörd{env.HOME}",
        "{env.USER}ann\\:",
        ":"
      ]) {
        assert.strictEqual((yield* visit("a.test", "/", basic(wrong))).status, 401)
      }
      for (const any of ["", ":", "a:b"]) assert.strictEqual((yield* visit("b.test", "/", basic(any))).status, 401)
      assert.strictEqual((yield* visit("b.test")).status, 401)
    }),
    "strip the path of a route, and exclude it from search engines, on request": Effect.gen(function* () {
      const { proxy } = yield* opened
      const echo = yield* (yield* ProxyWorld).container(({ path }) => ({ body: path }))
      const stripping = { ...to(echo), stripsPath: true, noindex: true, gzip: true } as const
      const routes = [at("a.test", stripping, "/api/v1"), at("a.test", to(echo))]
      yield* proxy.apply(shop, routes)
      const answer = yield* visit("a.test", "/api/v1/users?x=1")
      assert.deepStrictEqual([answer.body, answer.headers["x-robots-tag"]], ["/users?x=1", "noindex, nofollow"])
      assert.strictEqual(yield* seen("a.test", "/api/v1"), "200 /")
      const plain = yield* visit("a.test", "/other/api/v1")
      assert.deepStrictEqual([plain.body, plain.headers["x-robots-tag"]], ["/other/api/v1", undefined])
      yield* assertHas(proxy, shop, routes)
    }),
    "replace forwarded headers of the caller with true values": Effect.gen(function* () {
      const { proxy, world } = yield* opened
      const echo = yield* world.container(({ headers }) => ({ body: JSON.stringify(headers) }))
      yield* proxy.apply(shop, [at("a.test", to(echo))])
      const forged = {
        "x-forwarded-for": "203.0.113.9",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "evil.test"
      }
      const got = JSON.parse((yield* visit("a.test", "/", { headers: forged })).body) as Record<string, string>
      assert.match(got["x-forwarded-for"] ?? "", /^(127\.0\.0\.1|::1)$/)
      assert.strictEqual(got["x-forwarded-proto"], "http")
      assert.strictEqual(got["x-forwarded-host"]?.split(":")[0], "a.test")
      assert.strictEqual(got.host?.split(":")[0], "a.test")
    }),
    "add an id to each request, unless it has one": Effect.gen(function* () {
      const { proxy, world } = yield* opened
      const echo = yield* world.container(({ headers }) => ({ body: headers["x-request-id"] ?? "" }))
      yield* proxy.apply(shop, [at("a.test", to(echo))])
      const [one, other] = [yield* visit("a.test"), yield* visit("a.test")]
      assert.isAbove(one.body.length, 15)
      assert.notStrictEqual(one.body, other.body)
      assert.strictEqual(yield* seen("a.test", "/", { headers: { "x-request-id": "mine-1" } }), "200 mine-1")
    }),
    "skip a queued change that its caller no longer wants": Effect.gen(function* () {
      const { proxy } = yield* opened
      const [one, two] = [yield* named("one"), yield* named("two")]
      yield* proxy.apply(shop, [at("a.test", to(one))], Effect.succeed(true))
      yield* proxy.apply(shop, [at("a.test", to(two))], Effect.succeed(false))
      assert.strictEqual(yield* proxy.remove(shop, Effect.succeed(false)), false)
      assert.strictEqual(yield* seen("a.test"), "200 one")
      // The target of a switch is stored first: the queued operation sees it, in either order.
      const stored = yield* Ref.make("one")
      const stale = proxy.apply(
        shop,
        [at("a.test", to(one))],
        Effect.andThen(
          Effect.sleep("20 millis"),
          Effect.map(Ref.get(stored), (name) => name === "one")
        )
      )
      const switched = Effect.andThen(Ref.set(stored, "two"), proxy.apply(shop, [at("a.test", to(two))]))
      yield* Effect.all([stale, switched], { concurrency: 2 })
      assert.strictEqual(yield* seen("a.test"), "200 two")
      assert.strictEqual(yield* proxy.remove(shop, Effect.succeed(true)), true)
      assert.strictEqual(yield* statusOf("a.test"), 404)
    }),
    "return the certificates of hosts with HTTPS, and none of other hosts": Effect.gen(function* () {
      const { proxy } = yield* opened
      yield* proxy.apply(blog, [at("blog.test", to(yield* named("blog")))])
      const address = { scheme: "https", host: "shop.test", port: 443, path: "" } as const
      const answer = to(yield* named("shop"))
      yield* proxy.apply(shop, [
        { address, answer },
        { address: { ...address, path: "/api" }, answer }
      ])
      // A proxy obtains the certificate of a new host in the background.
      const isPending = (certificates: ReadonlyArray<ServedCertificate>) =>
        certificates.some(({ validity }) => validity === null)
      const certificates = yield* Effect.repeat(proxy.certificates, { while: isPending, times: 200 })
      assert.deepStrictEqual(
        certificates.map(({ application, host }) => [application, host]),
        [[shop, "shop.test"]]
      )
      const { from, until } = certificates[0]?.validity ?? { from: "", until: "" }
      assert.isTrue(from < until)
      yield* proxy.remove(shop)
      assert.deepStrictEqual(yield* proxy.certificates, [])
    }),
    "probe a container without a route": {
      "with method, path and host": Effect.gen(function* () {
        const { proxy, world } = yield* opened
        const echo = yield* world.container(({ headers, method, path }) => ({
          status: 418,
          body: `${method} ${path} ${headers.host}`
        }))
        const answer = yield* proxy.probe(echo, { ...get, method: "POST", path: "/h?x=1", host: "health.test" })
        assert.deepStrictEqual(answer, { status: 418, body: "POST /h?x=1 health.test" })
        const own = yield* proxy.probe(echo, get)
        assert.strictEqual(own.body, `GET / ${echo.host}:${echo.port}`)
      }),
      "while a route leads to another container": Effect.gen(function* () {
        const { proxy } = yield* opened
        const [one, two] = [yield* named("one"), yield* named("two")]
        yield* proxy.apply(shop, [at("a.test", to(one))])
        assert.strictEqual((yield* proxy.probe(two, { ...get, host: "a.test" })).body, "two")
        assert.strictEqual(yield* seen("a.test"), "200 one")
      }),
      "with every response, including errors": Effect.gen(function* () {
        const { proxy, world } = yield* opened
        const broken = yield* world.container(() => ({ status: 502, body: "x".repeat(100_000) }))
        const answer = yield* proxy.probe(broken, get)
        assert.strictEqual(answer.status, 502)
        assert.strictEqual(answer.body.length, 65_536)
      }),
      "with the reason for a missing response": Effect.gen(function* () {
        const { proxy, world } = yield* opened
        const failed = yield* Effect.flip(proxy.probe(yield* world.nowhere, get))
        assert.strictEqual(failed._tag, "ProbeFailed")
        assert.isNotEmpty(failed.because)
      })
    },
    "serve the same routes after a restart": Effect.gen(function* () {
      const { proxy, world } = yield* opened
      const one = yield* named("one")
      yield* proxy.apply(shop, [at("a.test", to(one))])
      yield* (yield* Proxy).restart(world.access)
      assert.strictEqual(yield* seen("a.test"), "200 one")
      yield* proxy.apply(shop, [at("b.test", to(one))])
      assert.deepStrictEqual([yield* statusOf("a.test"), yield* statusOf("b.test")], [404, 200])
    })
  }
}
