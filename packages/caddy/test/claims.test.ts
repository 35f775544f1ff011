import { assert, it } from "@effect/vitest"
import { claimOf, type DomainAddress, parseDomains } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Proxy, type Route, routeAddressOf } from "@slipway/domain/deploy/containers"
import { ProxyWorld, uuidOf } from "@slipway/testkit/deploy"
import { Effect } from "effect"
import { caddyWorld, Settings } from "./support/world.ts"

const shop = uuidOf<ApplicationUuid>("application", 1)

/** Pseudorandom numbers, the same in every run. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const parts = [
  "a",
  "%61",
  "b",
  "%2F",
  "%2f",
  "/",
  "//",
  "@",
  "%40",
  ":",
  "%3A",
  "%3a",
  ".",
  "..",
  "%2E",
  "%2e%2e",
  "%25",
  "%3F",
  "+",
  "%C3%BC",
  "A",
  ";"
]

const spelled = (port: number) => {
  const next = numbers(11)
  const pick = <A>(list: ReadonlyArray<A>) => list[next(list.length)] as A
  return Array.from({ length: 160 }, () => {
    const path = Array.from({ length: 1 + next(4) }, () => pick(parts)).join("")
    return `http://${pick(["a.test", "A.Test"])}${pick(["", `:${port}`])}/${path}`
  })
}

it.live("different spellings of one Caddy route need the same domain claim (invariant I28)", () =>
  Effect.gen(function* () {
    const world = yield* ProxyWorld
    const { http, https } = yield* Settings
    const ports = { http: http[0]?.port ?? 0, https: https[0]?.port ?? 0 }
    const addresses = spelled(ports.http).flatMap((each) => parseDomains(each).addresses)
    const claims = new Map<string, DomainAddress>()
    for (const address of addresses) claims.set(claimOf(address, ports), address)
    // Enough spellings per claim, and enough claims.
    assert.isAbove(addresses.length, claims.size + 20)
    assert.isAbove(claims.size, 40)

    const routes = yield* Effect.forEach(claims, ([claim, address]) =>
      Effect.map(
        world.container(() => ({ body: claim })),
        (upstream): Route => ({
          address: routeAddressOf(address),
          answer: { _tag: "Forward", upstreams: [upstream], auth: null }
        })
      )
    )
    yield* (yield* (yield* Proxy).open(world.access)).apply(shop, routes)
    for (const address of addresses) {
      const path = /^http:\/\/[^/]+(.*)$/.exec(address.written)?.[1] ?? ""
      const { body } = yield* world.visit({ scheme: "http", host: "a.test", path })
      assert.strictEqual(body, claimOf(address, ports), address.written)
    }
  }).pipe(Effect.scoped, Effect.provide(caddyWorld()))
)
