import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { OtherForges } from "@slipway/domain/forge"
import { layerEgress, layerOtherForges } from "@slipway/egress"
import { Effect, Layer, Redacted } from "effect"

const served = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((request, response) => {
      if (request.url === "/html") response.end("<p>")
      else if (request.url === "/missing") response.writeHead(404).end("{}")
      else response.end(JSON.stringify([request.headers.authorization ?? "none"]))
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

const read = (allowPrivate: boolean, url: string, account?: { username: string; password: Redacted.Redacted }) =>
  Effect.flatMap(OtherForges, (forges) => Effect.result(forges.read(url, account))).pipe(
    Effect.map((result) => (result._tag === "Success" ? result.success : result.failure.because)),
    Effect.provide(Layer.provide(layerOtherForges, layerEgress({ allowPrivate })))
  )

describe("the APIs of other hosts", () => {
  it.live("I14: are read as whoever asks for it, and not at addresses that may not be reached", () =>
    Effect.gen(function* () {
      const base = yield* served
      const account = { username: "ann", password: Redacted.make("t0ken!") }
      assert.deepStrictEqual(yield* read(true, base), ["none"])
      assert.deepStrictEqual(yield* read(true, base, account), [`Basic ${btoa("ann:t0ken!")}`])
      assert.strictEqual(yield* read(true, `${base}/html`), "the other host's API answers no JSON")
      assert.include(String(yield* read(true, `${base}/missing`)), "has no such repository")
      const refused = yield* read(false, base, account)
      assert.isString(refused)
      assert.notInclude(String(refused), "t0ken!")
    })
  )
})
