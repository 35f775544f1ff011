import { connect } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Proxy, routesOf } from "@slipway/domain/deploy/containers"
import { configurationOf, ProxyWorld, uuidOf } from "@slipway/testkit/deploy"
import { Effect, Schedule } from "effect"
import { access, caddyWorld, httpServer, Settings, upstreamOf } from "./support/world.ts"

const shop = uuidOf<ApplicationUuid>("application", 1)

describe("an https domain", () => {
  it.live("gets a certificate from Caddy's own authority if its host is private, and HTTP redirects to HTTPS", () =>
    Effect.gen(function* () {
      const proxy = yield* (yield* Proxy).open(access)
      const { https } = yield* Settings
      const { origin, visit } = yield* ProxyWorld
      const echo = yield* httpServer((request, response) => {
        response.end(`${request.headers["x-forwarded-proto"]} ${request.headers["x-forwarded-host"]} ${request.url}`)
      })
      const routes = routesOf({
        configuration: configurationOf({ domains: "https://shop.localhost,https://shop.localhost/api" }),
        generatedDomain: null,
        passwordHash: null,
        upstreams: () => [upstreamOf(echo)]
      })
      yield* proxy.apply(shop, routes)

      // Caddy issues the certificate while it serves the existing routes.
      const certified = visit({ scheme: "https", host: "shop.localhost" }).pipe(
        Effect.sandbox,
        Effect.retry({ times: 100, schedule: Schedule.spaced(50) })
      )
      yield* certified
      const served = yield* visit({ scheme: "https", host: "shop.localhost", path: "/x?y=1" })
      assert.strictEqual(`${served.status} ${served.body}`, "200 https shop.localhost /x?y=1")
      const plain = yield* visit({ scheme: "http", host: "shop.localhost", path: "/x?y=1" })
      assert.strictEqual(plain.status, 308)
      assert.strictEqual(plain.headers.location, `${origin("https", "shop.localhost")}/x?y=1`)

      const issuer = yield* Effect.promise(
        () =>
          new Promise((resolve, reject) => {
            const options = { host: "127.0.0.1", port: https[0]?.port ?? 0, servername: "shop.localhost" }
            const socket = connect({ ...options, rejectUnauthorized: false }, () => {
              resolve(socket.getPeerCertificate().issuer.CN)
              socket.destroy()
            })
            socket.on("error", reject)
          })
      )
      assert.match(String(issuer), /^Caddy Local Authority/)
    }).pipe(Effect.provide(caddyWorld()))
  )
})
