import { connect } from "node:net"
import { duplexPair } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Exchange, exchange } from "../src/exchange.ts"
import { freePort, httpServer, upstreamOf } from "./support/world.ts"

const get = (more: Partial<Exchange> = {}): Exchange => ({
  method: "GET",
  path: "/",
  headers: [["Host", ""]],
  timeout: 2_000,
  limit: 1_000,
  ...more
})

describe("an exchange with Caddy", () => {
  it.live("works over any stream, such as an SSH tunnel", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((request, response) => {
        let body = ""
        request.on("data", (chunk) => (body += chunk))
        request.on("end", () => response.end(`${request.method} ${request.headers.host} ${body}`))
      })
      const { host, port } = upstreamOf(server)
      const stream = Effect.sync(() => {
        const [here, there] = duplexPair()
        there.pipe(connect(port, host)).pipe(there)
        return here
      })
      const transport = { address: { _tag: "Tcp", host, port }, connect: stream } as const
      for (const body of ["one", "two"]) {
        const answer = yield* exchange(transport, get({ method: "POST", body }))
        assert.strictEqual(`${answer.status} ${answer.body}`, `200 POST  ${body}`)
      }
    })
  )

  it.live("stops at its size limit and its timeout (invariant I25)", () =>
    Effect.gen(function* () {
      const server = yield* httpServer((request, response) => {
        if (request.url === "/silent") return
        const beat = setInterval(() => response.write("x".repeat(10_000)), 1)
        response.on("close", () => clearInterval(beat))
      })
      const { host, port } = upstreamOf(server)
      const transport = { address: { _tag: "Tcp", host, port }, connect: null } as const
      assert.lengthOf((yield* exchange(transport, get())).body, 1_000)
      const silent = yield* Effect.flip(exchange(transport, get({ path: "/silent", timeout: 200 })))
      assert.strictEqual(silent.because, "it did not respond within 0.2 seconds")
      assert.strictEqual(silent.reason, "other")
    })
  )

  it.live("reports why a response is missing", () =>
    Effect.gen(function* () {
      const nowhere = { address: { _tag: "Tcp", host: "127.0.0.1", port: yield* freePort }, connect: null } as const
      assert.strictEqual((yield* Effect.flip(exchange(nowhere, get()))).because, "nothing listens there")
      const missing = { address: { _tag: "Socket", path: "/nowhere/admin.sock" }, connect: null } as const
      assert.strictEqual((yield* Effect.flip(exchange(missing, get()))).because, "its socket does not exist")
      const server = yield* httpServer((request) => void request.socket.destroy())
      const lost = { address: { _tag: "Tcp", ...upstreamOf(server) }, connect: null } as const
      assert.strictEqual((yield* Effect.flip(exchange(lost, get()))).reason, "lost")
    })
  )
})
