import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { type ForgeRequest, OtherForges, type RemoteFailed } from "@slipway/domain/forge/integrations"
import { layerEgress, layerOtherForges } from "@slipway/egress"
import { Effect, Layer, Redacted, Stream } from "effect"

const served = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((request, response) => {
      if (request.url === "/html") response.end("<p>")
      else if (request.url === "/missing") response.writeHead(404).end("{}")
      else if (request.url === "/moved") {
        response.writeHead(302, { location: `http://localhost:${request.socket.localPort}/` }).end()
      } else if (request.url === "/large") response.end("x".repeat(5_000_000))
      else {
        let body = ""
        request.on("data", (chunk) => {
          body += chunk
        })
        request.on("end", () =>
          response.end(JSON.stringify([request.headers.authorization ?? "none", request.method, body]))
        )
      }
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

const authorization = Redacted.make("Bearer t0ken!")

const within = <A>(allowPrivate: boolean, asked: Effect.Effect<A, RemoteFailed>) =>
  Effect.result(asked).pipe(
    Effect.map((result) => (result._tag === "Success" ? result.success : result.failure.because)),
    Effect.provide(Layer.provide(layerOtherForges, layerEgress({ allowPrivate })))
  )

const read = (allowPrivate: boolean, request: ForgeRequest) =>
  within(
    allowPrivate,
    Effect.flatMap(OtherForges, (forges) => forges.read(request))
  )

const sizeOf = (allowPrivate: boolean, request: ForgeRequest) =>
  within(
    allowPrivate,
    Effect.flatMap(OtherForges, (forges) =>
      Stream.runFold(
        forges.download(request),
        () => 0,
        (size, chunk) => size + chunk.length
      )
    )
  )

describe("the APIs of other hosts", () => {
  it.live("I14: are read with the given credentials, and refused at private addresses", () =>
    Effect.gen(function* () {
      const base = yield* served
      assert.deepStrictEqual(yield* read(true, { url: base }), ["none", "GET", ""])
      assert.deepStrictEqual(yield* read(true, { url: base, authorization }), ["Bearer t0ken!", "GET", ""])
      assert.deepStrictEqual(yield* read(true, { url: base, body: { a: 1 }, accept: "x/y" }), [
        "none",
        "POST",
        '{"a":1}'
      ])
      // A redirect to another host drops the credentials.
      assert.deepStrictEqual(yield* read(true, { url: `${base}/moved`, authorization }), ["none", "GET", ""])
      assert.strictEqual(yield* read(true, { url: `${base}/html` }), "the API of the other host does not return JSON")
      assert.include(String(yield* read(true, { url: `${base}/missing` })), "does not exist on the other host")
      const refused = yield* read(false, { url: base, authorization })
      assert.isString(refused)
      assert.notInclude(String(refused), "t0ken!")
    })
  )

  it.live("I14: return files larger than API responses, but not from private addresses", () =>
    Effect.gen(function* () {
      const url = `${yield* served}/large`
      assert.strictEqual(yield* sizeOf(true, { url }), 5_000_000)
      assert.isString(yield* sizeOf(false, { url }))
      assert.strictEqual(yield* sizeOf(true, { url: url.replace("large", "missing") }), "the answer has the status 404")
    })
  )
})
