import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { ForgeAppTokens } from "@slipway/domain/deploy/apps"
import type { ForgeApp } from "@slipway/domain/deploy/infrastructure"
import { layerForgeAppTokens } from "@slipway/git/deploy"
import { DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { jwtVerify } from "jose"
import { appAt } from "./support/forgeApps.ts"
import { layerInternet } from "./support/internet.ts"

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" }
})
const key = Redacted.make(privateKey)

interface Asked {
  readonly line: string
  readonly authorization: string
}

/** The API of a git host. It numbers its tokens; each is valid for an hour. */
const startApi = (answer?: (request: IncomingMessage, answer: ServerResponse) => void) =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const server = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, sent) => {
          asked.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization ?? "" })
          if (answer !== undefined) return answer(request, sent)
          const { exp = 0 } = JSON.parse(atob(request.headers.authorization?.split(".")[1] ?? "")) as { exp?: number }
          const end = new Date((exp - 540 + 3_600) * 1_000).toISOString()
          sent.writeHead(201).end(JSON.stringify({ token: `t${asked.length}`, expires_at: end, permissions: {} }))
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    return { asked, url: `http://forge.dev:${(server.address() as AddressInfo).port}/api/v3` }
  })

const tokens = Layer.provide(layerForgeAppTokens, layerInternet())
const tokenOf = (app: ForgeApp, privateKey = key) =>
  Effect.flatMap(ForgeAppTokens, (tokens) => Effect.map(tokens.token(app, privateKey), Redacted.value))
const reason = (app: ForgeApp, privateKey = key) =>
  Effect.map(Effect.flip(tokenOf(app, privateKey)), ({ because }) => because)

describe("tokens of app installations", () => {
  it.effect("are requested with a JWT signed by the app, and cached until five minutes before they expire", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* startApi()
      yield* TestClock.setTime(1_770_000_000_000)
      const app = appAt(`${url}/`)
      assert.strictEqual(yield* tokenOf(app), "t1")
      assert.strictEqual(asked[0]?.line, "POST /api/v3/app/installations/8/access_tokens")
      const jwt = asked[0]?.authorization.replace("Bearer ", "") ?? ""
      const { payload, protectedHeader } = yield* Effect.promise(() =>
        jwtVerify(jwt, createPublicKey(publicKey), {
          currentDate: DateTime.toDateUtc(DateTime.makeUnsafe(1_770_000_000_000))
        })
      )
      assert.deepStrictEqual(payload, { iss: "7", iat: 1_769_999_940, exp: 1_770_000_540 })
      assert.strictEqual(protectedHeader.alg, "RS256")
      yield* TestClock.adjust(Duration.minutes(54))
      assert.strictEqual(yield* tokenOf(app), "t1")
      yield* TestClock.adjust(Duration.minutes(2))
      assert.strictEqual(yield* tokenOf(app), "t2")
      assert.strictEqual(asked.length, 2)
    }).pipe(Effect.provide(tokens, { local: true }))
  )

  it.live("are cached per installation and key", () =>
    Effect.gen(function* () {
      const { url } = yield* startApi()
      const other = generateKeyPairSync("rsa", { modulusLength: 2048 })
      const otherKey = Redacted.make(String(other.privateKey.export({ type: "pkcs8", format: "pem" })))
      assert.strictEqual(yield* tokenOf(appAt(url)), "t1")
      assert.strictEqual(yield* tokenOf(appAt(url, { installationId: 9 })), "t2")
      assert.strictEqual(yield* tokenOf(appAt(url), otherKey), "t3")
      assert.strictEqual(yield* tokenOf(appAt(url)), "t1")
    }).pipe(Effect.provide(tokens, { local: true }))
  )

  it.live(
    "are not created if the host fails or the key is invalid, and the error contains no secret (invariants I14, I15)",
    () =>
      Effect.gen(function* () {
        const answering = (status: number, body = "") =>
          Effect.map(
            startApi((request, answer) => answer.writeHead(status).end(body || request.headers.authorization)),
            ({ url }) => appAt(url)
          )
        for (const [app, because] of [
          [yield* answering(401), "no token for the app `shop`: the key isn't the app's, or has been revoked"],
          [yield* answering(404), "no token for the app `shop`: there is no such installation of the app"],
          [yield* answering(500), "no token for the app `shop`: its host answers 500"],
          [yield* answering(201, "{}"), "no token for the app `shop`: its host answers something else"],
          [
            appAt("http://169.254.169.254/latest"),
            "no token for the app `shop`: the host's address 169.254.169.254 is not an allowed target"
          ],
          [appAt("file:///etc/passwd"), "no token for the app `shop`: only http and https addresses are supported"]
        ] as const) {
          assert.strictEqual(yield* reason(app), because)
        }
        const failed = yield* reason(appAt("http://forge.dev"), Redacted.make("nonsense"))
        assert.strictEqual(failed, "the key of the app `shop` isn't an RSA key in PEM form")
      }).pipe(Effect.provide(tokens, { local: true }))
  )
})
