import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Egress, fetchOnly, layerEgress } from "@slipway/egress"
import { Effect } from "effect"

/** Serves requests on a free port, and records them; `/away` redirects to another path. */
const service = Effect.acquireRelease(
  Effect.callback<{ readonly url: URL; readonly received: Array<string>; readonly close: () => void }>((resume) => {
    const received: Array<string> = []
    const server = createServer(async (request: IncomingMessage, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const type = request.headers["content-type"] ?? ""
      received.push([request.method, request.url, type, Buffer.concat(chunks).toString()].join(" "))
      if (request.url === "/away") response.writeHead(302, { location: "/elsewhere" }).end()
      else response.writeHead(201, { "x-answer": "yes" }).end("done")
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed({ url: new URL(`http://127.0.0.1:${port}/base`), received, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const started = Effect.gen(function* () {
  const { received, url } = yield* service
  const fetch = fetchOnly(yield* Egress, url)
  const send = (to: string | URL, options = {}) => Effect.promise(() => fetch(String(to), options))
  const refusal = (to: string) =>
    Effect.promise(() =>
      fetch(to, {}).then(
        () => "sent",
        (error: Error) => error.message
      )
    )
  return { received, refusal, send, url }
})

const egress = layerEgress({ allowPrivate: false })

describe("requests to one service", () => {
  it.live("reach its private host and port, with method, headers and body, and follow no redirect", () =>
    Effect.gen(function* () {
      const { received, send, url } = yield* started
      const sent = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=b" }
      const answer = yield* send(new URL("/token", url), sent)
      const text = yield* Effect.promise(() => answer.text())
      assert.deepStrictEqual([answer.status, answer.headers.get("x-answer"), text], [201, "yes", "done"])
      assert.strictEqual((yield* send(new URL("/away", url))).status, 302)
      assert.deepStrictEqual(received, ["POST /token application/x-www-form-urlencoded a=b", "GET /away  "])
    }).pipe(Effect.scoped, Effect.provide(egress))
  )

  it.live("reach no other host or port, even a public one (invariant I14)", () =>
    Effect.gen(function* () {
      const { received, refusal, url } = yield* started
      for (const to of [
        `http://127.0.0.1:${Number(url.port) + 1}/`,
        `http://localhost:${url.port}/`,
        "http://169.254.169.254/",
        "https://example.com/"
      ]) {
        assert.match(yield* refusal(to), /is not the host of this service$/, to)
      }
      assert.deepStrictEqual(received, [])
    }).pipe(Effect.scoped, Effect.provide(egress))
  )
})
