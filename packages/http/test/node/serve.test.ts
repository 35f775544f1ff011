import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { Agent, request, type Server } from "node:http"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { serve } from "@slipway/http/node"
import { type Duration, Effect, Exit, Fiber, Layer, Schedule, Scope, Stream } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { eventStream } from "../../src/server/wire/eventStream.ts"

const part = new Uint8Array(1 << 16)
const answers = {
  "/endless": HttpServerResponse.stream(Stream.forever(Stream.make(part))),
  "/large": HttpServerResponse.uint8Array(new Uint8Array(1 << 26))
}
const routes = Layer.mergeAll(
  HttpRouter.add("GET", "/endless", Effect.succeed(answers["/endless"])),
  HttpRouter.add("GET", "/large", Effect.succeed(answers["/large"]))
)

const serveIn = (scope: Scope.Scope, wanted = routes, timeout: Duration.Input = "200 millis", mostConnections = 100) =>
  Effect.callback<URL>((resume) => {
    const served = serve(wanted, {
      host: "127.0.0.1",
      port: 0,
      portSetting: "PORT",
      largestBody: 1,
      mostConnections,
      timeout,
      onListening: (base) => Effect.sync(() => resume(Effect.succeed(new URL(base))))
    })
    Effect.runFork(Layer.buildWithScope(served, scope))
  })

type Hold = (base: URL) => Effect.Effect<() => void>

const neverReads =
  (path: string): Hold =>
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
        // The server must have read it: an idle connection is closed immediately.
        setTimeout(() => resume(Effect.succeed(() => socket.destroy())), 100)
      })
  })

// Prevents: one client keeps the process running until it is killed.
const answerOf = (address: URL) => fetch(address)

describe("a service exits after its shutdown timeout", () => {
  it.live.each([
    ["reads an endless response", neverReads("/endless")],
    ["reads a complete response", neverReads("/large")],
    ["finishes its request", neverAsks]
  ] as const)("although a client never %s", ([, hold]) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const base = yield* serveIn(scope)
      const letGo = yield* hold(base)
      yield* Scope.close(scope, Exit.void)
      expect((yield* Effect.exit(Effect.tryPromise(() => answerOf(base))))._tag).toBe("Failure")
      letGo()
    }).pipe(Effect.timeout("60 seconds"))
  )
})

describe("I25: connections are limited", () => {
  it.live(
    "a connection above the limit is closed immediately, and a new one is accepted after another one closed",
    () =>
      Effect.gen(function* () {
        const base = yield* serveIn(yield* Effect.scope, routes, "200 millis", 1)
        const letGo = yield* neverAsks(base)
        const asked = Effect.exit(Effect.tryPromise(() => answerOf(new URL("/missing", base))))
        expect(Exit.isFailure(yield* asked)).toBe(true)
        letGo()
        const answer = yield* Effect.repeat(asked, { until: Exit.isSuccess, schedule: Schedule.spaced("50 millis") })
        expect(Exit.isSuccess(answer) && answer.value.status).toBe(404)
      })
  )
})

describe("a service that shuts down under load on kept-alive connections", () => {
  let begun = 0
  const slow = HttpRouter.add(
    "GET",
    "/slow",
    Effect.suspend(() => {
      begun += 1
      return Effect.as(Effect.sleep("20 millis"), HttpServerResponse.text("whole"))
    })
  )

  it.live("announces the last response, aborts no request, and exits after the longest request", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const base = yield* serveIn(scope, slow, "10 seconds")
      const agent = new Agent({ keepAlive: true, maxSockets: 8 })
      const ends: Array<string> = []
      const ask = () =>
        new Promise<string>((resolve) => {
          request(new URL("/slow", base), { agent }, (response) => {
            response.resume().on("end", () => resolve(response.headers.connection ?? "none"))
          })
            .on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            .end()
        })
      const client = async () => {
        for (;;) {
          const answer = await ask()
          ends.push(answer)
          if (answer === "ECONNREFUSED") return
        }
      }
      const load = Promise.all(Array.from({ length: 8 }, client))
      // Each of them got a response, and waits for the next one.
      while (ends.length < 16) yield* Effect.sleep("5 millis")
      const began = performance.now()
      yield* Scope.close(scope, Exit.void)
      expect(performance.now() - began).toBeLessThan(8_000)
      yield* Effect.promise(() => load)
      agent.destroy()
      const answers = ends.filter((end) => end === "close" || end === "keep-alive")
      expect([...new Set(answers)].sort()).toEqual(["close", "keep-alive"])
      // A request may still reach a socket that is no longer read; one that was read is answered.
      expect(answers.length).toBe(begun)
    }).pipe(Effect.timeout("60 seconds"))
  )
})

describe("a stream of events", () => {
  const made = { count: 0 }
  const events = Stream.forever(Stream.make({ event: "message", data: "x".repeat(1_000) })).pipe(
    Stream.tap(() =>
      Effect.sync(() => {
        made.count += 1
      })
    )
  )
  const streams = Layer.mergeAll(
    HttpRouter.add("GET", "/quiet", eventStream(Stream.never)),
    HttpRouter.add("GET", "/busy", eventStream(events))
  )

  it.live("ends immediately at shutdown, completely for clients that read and truncated for other clients", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const base = yield* serveIn(scope, streams, "1 minute")
      const letGo = yield* neverReads("/busy")(base)
      const quiet = yield* Effect.promise(() => answerOf(new URL("/quiet", base)))
      // Until the socket buffers are full.
      yield* Effect.sleep("300 millis")
      const closed = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      expect(yield* Effect.promise(() => quiet.text())).toBe("retry: 2000\n\n")
      yield* Fiber.join(closed)
      letGo()
    }).pipe(Effect.timeout("60 seconds"))
  )

  it.live("is produced as the client reads, so that idle clients take no memory (I25)", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const base = yield* serveIn(scope, streams)
      made.count = 0
      const letGo = yield* neverReads("/busy")(base)
      let before = 0
      do {
        before = made.count
        yield* Effect.sleep("500 millis")
      } while (made.count === 0 || (made.count !== before && made.count < 50_000))
      // No more than two socket buffers hold.
      expect(made.count).toBeLessThan(50_000)
      letGo()
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.timeout("60 seconds"))
  )
})

// Prevents: a git push that takes longer than Node's default of five minutes is cut off.
it.effect("the request timeout allows the longest push, and the header timeout is one minute", () =>
  Effect.gen(function* () {
    const servers: Array<Server> = []
    const note = (message: unknown) => void servers.push((message as { readonly server: Server }).server)
    subscribe("http.server.request.start", note)
    yield* Effect.addFinalizer(() => Effect.sync(() => unsubscribe("http.server.request.start", note)))
    const base = yield* serveIn(yield* Effect.scope)
    yield* Effect.promise(async () => (await answerOf(new URL("/large", base))).arrayBuffer())
    const [server] = servers.filter((each) => (each.address() as { port: number }).port === Number(base.port))
    expect([server?.requestTimeout, server?.headersTimeout]).toEqual([21_600_000, 60_000])
  })
)

/** Sends bytes, and returns the response until the connection closes. */
const exchanged = (base: URL, bytes: string) =>
  Effect.callback<string>((resume) => {
    const socket = connect({ host: base.hostname, port: Number(base.port) })
    let got = ""
    socket
      .on("error", () => {})
      .on("data", (piece) => {
        got += piece.toString()
      })
      .on("close", () => resume(Effect.succeed(got)))
      .write(bytes)
  })

describe("a request with a malformed head", () => {
  it.live("gets a JSON body with the reason", () =>
    Effect.gen(function* () {
      const base = yield* serveIn(yield* Effect.scope)
      const answers = [
        [`X-Long: ${"x".repeat(20_000)}`, 431, "the request head is larger than 16384 bytes"],
        ["Content-Length: ten", 400, "the header Content-Length is not a number of bytes"],
        ["Content-Length: 99999999999999999999", 413, "the body is larger than the service reads"]
      ] as const
      for (const [header, status, message] of answers) {
        const answer = yield* exchanged(base, `POST /large HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
        const [head = "", body = ""] = answer.split("\r\n\r\n")
        expect([header.slice(0, 22), Number(head.split(" ")[1])]).toEqual([header.slice(0, 22), status])
        expect(head).toContain("Content-Type: application/json")
        expect(JSON.parse(body).message).toContain(message)
      }
    }).pipe(Effect.scoped)
  )
})
