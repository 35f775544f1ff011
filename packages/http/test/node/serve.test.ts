import { request } from "node:http"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { serve } from "@slipway/http/node"
import { Effect, Exit, Layer, Scope, Stream } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

const part = new Uint8Array(1 << 16)
const answers = {
  "/endless": HttpServerResponse.stream(Stream.forever(Stream.make(part))),
  "/large": HttpServerResponse.uint8Array(new Uint8Array(1 << 26))
}
const routes = Layer.mergeAll(
  HttpRouter.add("GET", "/endless", Effect.succeed(answers["/endless"])),
  HttpRouter.add("GET", "/large", Effect.succeed(answers["/large"]))
)

const serveIn = (scope: Scope.Scope) =>
  Effect.callback<URL>((resume) => {
    const served = serve(routes, {
      host: "127.0.0.1",
      port: 0,
      portSetting: "PORT",
      largestBody: 1,
      patience: "200 millis",
      onListening: (base) => Effect.sync(() => resume(Effect.succeed(new URL(base))))
    })
    Effect.runFork(Layer.buildWithScope(served, scope))
  })

type Hold = (base: URL) => Effect.Effect<() => void>

const neverReads =
  (path: keyof typeof answers): Hold =>
  (base) =>
    Effect.callback((resume) => {
      const asked = request(new URL(path, base), (response) => {
        response.pause()
        resume(Effect.succeed(() => asked.destroy()))
      })
      asked.on("error", () => {}).end()
    })

const neverAsks: Hold = (base) =>
  Effect.callback((resume) => {
    const socket = connect({ host: base.hostname, port: Number(base.port) })
    socket
      .on("error", () => {})
      .write("GET /endless HTTP/1.1\r\nHost: x\r\n", () => {
        // The server has to have read it: until then the connection is idle, and closed at once.
        setTimeout(() => resume(Effect.succeed(() => socket.destroy())), 100)
      })
  })

// Prevents: one client keeps the process from ending, until somebody kills it.
const answerOf = (address: URL) => fetch(address)

describe("a service whose patience is over ends", () => {
  it.live.each([
    ["reads its answer, which has no end", neverReads("/endless")],
    ["reads its answer, which has been sent", neverReads("/large")],
    ["finishes its request", neverAsks]
  ] as const)("although a client never %s", ([, hold]) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const base = yield* serveIn(scope)
      const letGo = yield* hold(base)
      yield* Scope.close(scope, Exit.void)
      expect((yield* Effect.exit(Effect.tryPromise(() => answerOf(base))))._tag).toBe("Failure")
      letGo()
    }).pipe(Effect.timeout("10 seconds"))
  )
})
