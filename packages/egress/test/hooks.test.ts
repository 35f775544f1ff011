import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { HookSender } from "@slipway/domain"
import { layerEgress, layerHookSender } from "@slipway/egress"
import { Effect, Fiber, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { requestOnceWith } from "../src/client.ts"

const publicAddress = "93.184.216.34"

describe("hostile webhook receivers", () => {
  it.live(
    "are not contacted at loopback, private and link-local addresses, by number, name or DNS rebinding (I14)",
    () =>
      Effect.gen(function* () {
        const server = createServer((_, answer) => answer.end("hello"))
        yield* Effect.acquireRelease(
          Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
          () => Effect.sync(() => server.close())
        )
        const { port } = server.address() as AddressInfo
        const dialled: Array<string> = []
        // The name resolves to another address each time.
        const rebinding = [publicAddress, "127.0.0.1", "169.254.169.254", publicAddress]
        const egress = layerEgress({
          allowPrivate: false,
          lookup: async (name) => [name === "rebinding.dev" ? (rebinding.shift() ?? "") : "10.0.0.1"],
          dial: (address, port) => {
            dialled.push(address)
            return connect(port, "127.0.0.1")
          }
        })
        const sent = yield* Effect.gen(function* () {
          const { send } = yield* HookSender
          const hosts = ["127.0.0.1", "[::1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]", "[fd00::1]"]
          const names = ["localhost", "inward.dev", ...rebinding.map(() => "rebinding.dev")]
          return yield* Effect.forEach([...hosts, ...names], (host) =>
            send({ method: "POST", url: `http://${host}:${port}/`, headers: { Connection: "close" }, body: "{}" }).pipe(
              Effect.match({
                onFailure: ({ refused }) => [host, refused ? "refused" : "none"],
                onSuccess: ({ status }) => [host, String(status)]
              })
            )
          )
        }).pipe(Effect.provide(Layer.provide(layerHookSender, egress)))
        assert.deepStrictEqual(
          sent.filter(([, came]) => came !== "refused"),
          [
            ["rebinding.dev", "200"],
            ["rebinding.dev", "200"]
          ]
        )
        assert.deepStrictEqual([sent.length, dialled], [13, [publicAddress, publicAddress]])
      }).pipe(Effect.scoped)
  )

  const answering = (response: Effect.Effect<Response>) =>
    requestOnceWith(
      HttpClient.make((request) => Effect.map(response, (web) => HttpClientResponse.fromWeb(request, web)))
    )(HttpClientRequest.post("http://receiver.dev/"))

  it.effect("are cut off after five seconds of slow sending, and the bytes so far count as the response (I25)", () =>
    Effect.gen(function* () {
      const dripping = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("a")) })
      const asked = yield* Effect.forkChild(answering(Effect.succeed(new Response(dripping, { status: 202 }))))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(asked)).status, 202)
    })
  )

  it.effect("are dropped after ten seconds without an answer (I25)", () =>
    Effect.gen(function* () {
      const asked = yield* Effect.forkChild(Effect.flip(answering(Effect.never)))
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* Fiber.join(asked), { because: "no answer in time", refused: false })
    })
  )
})
