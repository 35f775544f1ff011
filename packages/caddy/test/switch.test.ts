import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Proxy, type Route, type Upstream } from "@slipway/domain/deploy/containers"
import { uuidOf } from "@slipway/testkit/deploy"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { access, caddyWorld, httpServer, Settings, upstreamOf } from "./support/world.ts"

const shop = uuidOf<ApplicationUuid>("application", 1)
const blog = uuidOf<ApplicationUuid>("application", 2)

const at = (host: string, ...upstreams: ReadonlyArray<Upstream>): Route => ({
  address: { scheme: "http", host, port: 80, path: "" },
  answer: { _tag: "Forward", upstreams, auth: null }
})

const opened = Effect.gen(function* () {
  const proxy = yield* (yield* Proxy).open(access)
  const { http } = yield* Settings
  return { proxy, port: http[0]?.port ?? 0 }
})

const named = (name: string) =>
  Effect.map(
    httpServer((_, response) => void response.end(name)),
    upstreamOf
  )

/** Sends requests at a steady rate until it is interrupted, and counts the responses. */
const load = (port: number, agent: Agent, perSecond: number) => {
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const one = () => {
    const sent = request({ host: "127.0.0.1", port, headers: { host: "a.test" }, agent }, (response) => {
      let body = ""
      response.on("data", (chunk) => (body += chunk))
      response.on("end", () => count(`${response.statusCode} ${body}`))
    })
    sent.on("error", (cause: NodeJS.ErrnoException) => count(cause.code ?? cause.message))
    sent.end()
  }
  const beat = 20
  const loading = Effect.forever(
    Effect.andThen(
      Effect.sync(() => {
        for (let n = 0; n < (perSecond * beat) / 1000; n++) one()
      }),
      Effect.sleep(beat)
    )
  )
  return { counts, loading }
}

const ended = (counts: ReadonlyMap<string, number>) =>
  Object.fromEntries([...counts].filter(([what]) => what !== "200 one" && what !== "200 two"))

describe("a switch of routes", () => {
  for (const [connections, keepAlive] of [
    ["connections that stay open", true],
    ["a connection for each request", false]
  ] as const) {
    it.live(`fails no request in 50 switches under steady load on ${connections}`, () =>
      Effect.gen(function* () {
        const { port, proxy } = yield* opened
        const containers = [yield* named("one"), yield* named("two")] as const
        yield* proxy.apply(shop, [at("a.test", containers[0])])
        const agent = new Agent({ keepAlive, maxSockets: 20 })
        const { counts, loading } = load(port, agent, 200)
        const fiber = yield* Effect.forkChild(loading)
        for (let n = 1; n <= 50; n++) {
          yield* proxy.apply(shop, [at("a.test", containers[n % 2 === 0 ? 0 : 1])])
          yield* Effect.sleep(20)
        }
        yield* Fiber.interrupt(fiber)
        yield* Effect.sleep(300)
        agent.destroy()
        assert.deepStrictEqual(ended(counts), {})
        assert.isAbove(counts.get("200 one") ?? 0, 20)
        assert.isAbove(counts.get("200 two") ?? 0, 20)
      }).pipe(Effect.provide(caddyWorld()))
    )
  }

  it.live("lets open responses finish: a stream, a WebSocket and a waiting connection", () =>
    Effect.gen(function* () {
      const { port, proxy } = yield* opened
      const old = yield* httpServer((_, response) => {
        response.write("1")
        setTimeout(() => response.end("2"), 500)
      })
      old.on("upgrade", (_request, socket: Socket) => {
        socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        socket.pipe(socket)
      })
      yield* proxy.apply(shop, [at("a.test", upstreamOf(old))])

      const streamed = new Promise<string>((resolve, reject) => {
        const sent = request({ host: "127.0.0.1", port, headers: { host: "a.test" }, agent: false }, (response) => {
          let body = ""
          response.on("data", (chunk) => (body += chunk))
          response.on("end", () => resolve(body))
        })
        sent.on("error", reject)
        sent.end()
      })
      const socket = yield* Effect.promise(
        () =>
          new Promise<Socket>((resolve) => {
            const headers = { host: "a.test", connection: "Upgrade", upgrade: "websocket" }
            const sent = request({ host: "127.0.0.1", port, headers, agent: false })
            sent.on("upgrade", (_: IncomingMessage, upgraded: Socket) => resolve(upgraded))
            sent.end()
          })
      )
      const echoed = (text: string) =>
        Effect.promise(
          () =>
            new Promise<string>((resolve) => {
              socket.once("data", (chunk) => resolve(chunk.toString()))
              socket.once("close", () => resolve("closed"))
              socket.write(text)
            })
        )
      const waiting = connect(port, "127.0.0.1")
      assert.strictEqual(yield* echoed("before"), "before")

      yield* proxy.apply(shop, [at("a.test", yield* named("new"))])
      assert.strictEqual(yield* echoed("after"), "after")
      assert.strictEqual(yield* Effect.promise(() => streamed), "12")
      const answer = yield* Effect.promise(
        () =>
          new Promise<string>((resolve) => {
            waiting.once("data", (chunk) => resolve(chunk.toString()))
            waiting.once("close", () => resolve("closed"))
            waiting.write("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
          })
      )
      assert.match(answer, /^HTTP\/1\.1 200 OK[\s\S]*new$/)
      socket.destroy()
      waiting.destroy()
    }).pipe(Effect.provide(caddyWorld()))
  )

  it.live("lets streaming responses finish when another application is added", () =>
    Effect.gen(function* () {
      const { port, proxy } = yield* opened
      let open: ServerResponse | undefined
      const slow = yield* httpServer((_, response) => {
        response.write("1")
        open = response
      })
      yield* proxy.apply(shop, [at("a.test", upstreamOf(slow))])
      const begun = yield* Deferred.make<void>()
      const streamed = new Promise<string>((resolve, reject) => {
        const sent = request({ host: "127.0.0.1", port, headers: { host: "a.test" }, agent: false }, (response) => {
          let body = ""
          response.once("data", () => Deferred.doneUnsafe(begun, Exit.void))
          response.on("data", (chunk) => (body += chunk))
          response.on("end", () => resolve(body))
        })
        sent.on("error", reject)
        sent.end()
      })
      yield* Deferred.await(begun)
      yield* proxy.apply(blog, [at("b.test", upstreamOf(slow))])
      open?.end("2")
      assert.strictEqual(yield* Effect.promise(() => streamed), "12")
      assert.lengthOf(yield* proxy.read(blog), 1)
    }).pipe(Effect.provide(caddyWorld()))
  )
})
