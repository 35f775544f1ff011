import { assert, describe, it } from "@effect/vitest"
import { ConnectedForges } from "@slipway/domain/deploy/apps"
import { layerConnectedForges } from "@slipway/git/deploy"
import { Effect, Layer, Redacted } from "effect"
import { startForge } from "./support/forge.ts"
import { layerInternet } from "./support/internet.ts"

const forges = Layer.provide(layerConnectedForges, layerInternet())
const client = { id: "client", secret: Redacted.make("slo_a+b") }

/** The header of the client, percent-encoded as RFC 6749 demands. */
const basic = "Basic Y2xpZW50OnNsb19hJTJCYg=="

describe("the OAuth2 client of the platform at a forge", () => {
  it.live("gets the successor of its confirmed secret, unless the forge cannot rotate it", () =>
    Effect.gen(function* () {
      const { confirmClient, rotateClient } = yield* ConnectedForges
      const { access, asked } = yield* startForge((line) =>
        line.endsWith("/confirm") ? [204, ""] : [201, { client_id: "client", client_secret: "successor" }]
      )
      const successor = yield* rotateClient(access, client)
      assert.strictEqual(successor && Redacted.value(successor), "successor")
      yield* confirmClient(access, { ...client, secret: Redacted.make("successor") })
      assert.deepStrictEqual(asked, [
        "POST /api/v1/oauth2-client/rotation/confirm token t0ken",
        "POST /api/v1/oauth2-client/rotation token t0ken",
        "POST /api/v1/oauth2-client/rotation/confirm token t0ken"
      ])
      for (const status of [404, 405]) {
        const foreign = yield* startForge(() => [status, {}])
        assert.isUndefined(yield* rotateClient(foreign.access, client))
        assert.strictEqual(foreign.asked.length, 1)
      }
      const other = yield* startForge(() => [422, {}])
      const refused = yield* Effect.flip(rotateClient(other.access, client))
      assert.include(refused.because, "it answers 422")
      const revoked = yield* startForge(() => [401, {}])
      assert.strictEqual((yield* Effect.flip(rotateClient(revoked.access, client)))._tag, "ForgeTokenRejected")
    }).pipe(Effect.scoped, Effect.provide(forges))
  )

  it.live("is accepted with a right secret and rejected with a wrong one, without the token of the connection", () =>
    Effect.gen(function* () {
      const { acceptsClient } = yield* ConnectedForges
      const answers = yield* Effect.forEach([200, 401], (status) =>
        Effect.gen(function* () {
          const { access, asked } = yield* startForge(() => [status, { active: false }])
          return [yield* acceptsClient(access, client), ...asked]
        })
      )
      assert.deepStrictEqual(answers, [
        [true, `POST /login/oauth/introspect ${basic}`],
        [false, `POST /login/oauth/introspect ${basic}`]
      ])
      const broken = yield* startForge(() => [500, {}])
      assert.strictEqual((yield* Effect.flip(acceptsClient(broken.access, client)))._tag, "GitHostFailed")
    }).pipe(Effect.scoped, Effect.provide(forges))
  )
})
