import { createServer, type RequestListener, request } from "node:http"
import { type AddressInfo, connect as connectTo, createServer as createTcpServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Egress, type EgressOptions, layerEgress } from "@slipway/egress"
import { Effect, Redacted, type Scope } from "effect"
import { HttpClientRequest } from "effect/http"

const serve = (listener: RequestListener): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/** Serves one raw response to every request. */
const speaking = (answer: string): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createTcpServer>>((resume) => {
      const server = createTcpServer((socket) => {
        socket.on("error", () => {})
        socket.once("data", () => socket.write(answer))
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

const publicAddress = "93.184.216.34"
const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "good.dev": [publicAddress],
  "other.dev": ["93.184.216.35"],
  "inward.dev": ["10.0.0.1"],
  "both.dev": [publicAddress, "127.0.0.1"],
  "metadata.dev": ["169.254.169.254"]
}

/** The internet of a test: all addresses map to ports of this machine, and connections are recorded. */
const internet = (options: Partial<EgressOptions> = {}) => {
  const dialled: Array<string> = []
  const layer = layerEgress({
    allowPrivate: false,
    lookup: (name) => {
      const found = names[name]
      return found === undefined ? Promise.reject(new Error("unknown")) : Promise.resolve(found)
    },
    dial: (address, port) => {
      dialled.push(address)
      return connectTo(port, "127.0.0.1")
    },
    ...options
  })
  const on = <A, E>(effect: Effect.Effect<A, E, Egress | Scope.Scope>) =>
    Effect.provide(Effect.scoped(effect), layer, { local: true })
  return { dialled, on }
}

const ask = (url: string, request: Partial<Record<string, string>> = {}) =>
  Effect.flatMap(Egress, (egress) =>
    egress.ask(HttpClientRequest.get(url, { headers: request })).pipe(
      Effect.match({
        onFailure: ({ because }) => because,
        onSuccess: ({ body, status }) => `${status} ${body}`
      })
    )
  )

/** Sends a request through a proxy, like a program with that setting. */
const through = (proxy: string, to: string, credential?: string) =>
  Effect.callback<string>((resume) => {
    const { hostname, password, port, username } = new URL(proxy)
    const shown = credential ?? `${username}:${password}`
    const headers = { host: new URL(to).host, "proxy-authorization": `Basic ${btoa(shown)}`, authorization: "mine" }
    const sent = request({ host: hostname, port, path: to, headers, agent: false }, (answer) => {
      let body = ""
      answer.on("data", (chunk) => {
        body += String(chunk)
      })
      answer.on("end", () => resume(Effect.succeed(`${answer.statusCode} ${answer.headers.location ?? body}`)))
    })
    sent.on("error", ({ message }) => resume(Effect.succeed(message)))
    sent.end()
  })

/** Opens a tunnel through a proxy, sends a word and returns the response. */
const tunnelled = (proxy: string, to: string) =>
  Effect.callback<string>((resume) => {
    const { hostname, password, port, username } = new URL(proxy)
    const authorization = `Basic ${btoa(`${username}:${password}`)}`
    const sent = request({
      host: hostname,
      port,
      method: "CONNECT",
      path: to,
      headers: { "proxy-authorization": authorization }
    })
    sent.on("connect", (answer, socket) => {
      if (answer.statusCode !== 200) return resume(Effect.succeed(String(answer.statusCode)))
      socket.once("data", (chunk) => {
        resume(Effect.succeed(String(chunk)))
        socket.destroy()
      })
      socket.write("hello")
    })
    sent.on("error", ({ message }) => resume(Effect.succeed(message)))
    sent.end()
  })

const once = (url: string) =>
  Effect.flatMap(Egress, (egress) =>
    egress.askOnce(HttpClientRequest.post(url)).pipe(
      Effect.match({
        onFailure: ({ because, refused }) => `${refused ? "refused" : "none"}: ${because}`,
        onSuccess: ({ body, status }) => `${status} ${body.length}`
      })
    )
  )

describe("a single request", () => {
  it.live(
    "follows no redirect, reads only the start of the response, and distinguishes refused from unreachable hosts (I14, I25)",
    () =>
      internet().on(
        Effect.gen(function* () {
          const target = yield* serve((_, answer) => answer.end("inside"))
          const port = yield* serve(({ url }, answer) => {
            if (url === "/away") answer.writeHead(302, { location: `http://inward.dev:${target}/` }).end()
            else answer.end("x".repeat(10_000_000))
          })
          assert.strictEqual(yield* once(`http://good.dev:${port}/away`), "302 0")
          assert.strictEqual(yield* once(`http://good.dev:${port}/`), "200 65536")
          assert.strictEqual(
            yield* once(`http://inward.dev:${port}/`),
            "refused: the address 10.0.0.1 of the host `inward.dev` is private and this instance doesn't allow that"
          )
          assert.strictEqual(yield* once(`http://nowhere.dev:${port}/`), "none: the host `nowhere.dev` isn't known")
        })
      )
  )
})

describe("the HTTP client for outbound requests", () => {
  it.live("rejects a name with any private address, and does not connect (invariant I14)", () => {
    const { dialled, on } = internet()
    return on(
      Effect.gen(function* () {
        const port = yield* serve((_, answer) => answer.end("hello"))
        assert.strictEqual(yield* ask(`http://good.dev:${port}/`), "200 hello")
        assert.deepStrictEqual(dialled, [publicAddress])
        for (const [host, because] of [
          [
            "inward.dev",
            "the address 10.0.0.1 of the host `inward.dev` is private and this instance doesn't allow that"
          ],
          ["both.dev", "the address 127.0.0.1 of the host `both.dev` is private and this instance doesn't allow that"],
          ["metadata.dev", "the address 169.254.169.254 of the host `metadata.dev` is not an allowed target"],
          ["127.0.0.1", "the host's address 127.0.0.1 is private and this instance doesn't allow that"],
          ["2130706433", "the host's address 127.0.0.1 is private and this instance doesn't allow that"],
          ["0x7f.1", "the host's address 127.0.0.1 is private and this instance doesn't allow that"],
          ["[::1]", "the host's address ::1 is private and this instance doesn't allow that"],
          ["[::ffff:127.0.0.1]", "the host's address ::ffff:7f00:1 is private and this instance doesn't allow that"],
          ["nowhere.dev", "the host `nowhere.dev` isn't known"]
        ]) {
          assert.strictEqual(yield* ask(`http://${host}:${port}/`), because, host)
        }
        // A name that looks like an address is dialled without DNS: the system reads this one as 10.0.0.1.
        const { because } = yield* Effect.flip(Effect.flatMap(Egress, ({ connect }) => connect("012.0.0.1", port)))
        assert.strictEqual(because, "the host `012.0.0.1` isn't known")
        assert.strictEqual(yield* ask("file:///etc/passwd"), "only http and https addresses are supported")
        assert.deepStrictEqual(dialled, [publicAddress])
      })
    )
  })

  it.live(
    "checks the target of each redirect, limits their number, and keeps credentials to their origin (invariant I14)",
    () => {
      const { on } = internet()
      return on(
        Effect.gen(function* () {
          let port = 0
          port = yield* serve(({ headers, url }, answer) => {
            const to = new URL(url ?? "", "http://x").searchParams.get("to")
            if (to === null) answer.end(headers.authorization ?? "none")
            else answer.writeHead(302, { location: to }).end()
          })
          const at = (host: string, to?: string) =>
            `http://${host}:${port}/${to === undefined ? "" : `?to=${encodeURIComponent(to)}`}`
          const mine = { authorization: "mine" }
          assert.strictEqual(yield* ask(at("good.dev", at("good.dev")), mine), "200 mine")
          assert.strictEqual(yield* ask(at("good.dev", at("other.dev")), mine), "200 none")
          for (const inward of ["inward.dev", "127.0.0.1", "169.254.169.254", "metadata.dev"]) {
            assert.match(yield* ask(at("good.dev", at(inward))), /private|is not an allowed target/, inward)
          }
          assert.match(yield* ask(at("good.dev", "file:///etc/passwd")), /only http/)
          const loop = yield* serve((_, answer) => answer.writeHead(302, { location: "/" }).end())
          assert.strictEqual(yield* ask(`http://good.dev:${loop}/`), "302 ")
        })
      )
    }
  )

  it.live("stops reading at its limit (invariant I25)", () => {
    const { on } = internet()
    return on(
      Effect.gen(function* () {
        const port = yield* serve((_, answer) => {
          const more = () => {
            while (!answer.destroyed && answer.write("x".repeat(65_536)));
          }
          answer.on("drain", more)
          more()
        })
        assert.match(yield* ask(`http://good.dev:${port}/`), /size|larger|exceeded/i)
      })
    )
  })

  it.live("limits concurrent DNS lookups, because each occupies a thread of the file system (invariant I25)", () => {
    let [running, most, begun] = [0, 0, 0]
    const { on } = internet({
      lookup: () => {
        begun++
        most = Math.max(most, ++running)
        return new Promise((resolve) => setTimeout(() => resolve(["10.0.0.1"]), 50)).then((found) => {
          running--
          return found as ReadonlyArray<string>
        })
      }
    })
    return on(
      Effect.gen(function* () {
        const connect = Effect.flatMap(Egress, (egress) => Effect.flip(egress.connect("slow.dev", 1)))
        const eight = Array.from({ length: 8 }, () => connect)
        yield* Effect.all(eight, { concurrency: "unbounded" })
        assert.deepStrictEqual([most, begun], [2, 8])
        // Interrupted callers are skipped.
        yield* Effect.timeoutOption(Effect.all(eight, { concurrency: "unbounded" }), "10 millis")
        yield* connect
        assert.strictEqual(begun, 11)
      })
    )
  })

  it.live("reaches private networks when the instance allows them, but never metadata services", () => {
    const { on } = internet({ allowPrivate: true })
    return on(
      Effect.gen(function* () {
        const port = yield* serve((_, answer) => answer.end("hello"))
        for (const host of ["inward.dev", "127.0.0.1", "both.dev"]) {
          assert.strictEqual(yield* ask(`http://${host}:${port}/`), "200 hello")
        }
        assert.match(yield* ask(`http://metadata.dev:${port}/`), /is not an allowed target/)
      })
    )
  })

  it.live("reaches an allowed host and port of a private network, and no other port or host there", () => {
    const { on } = internet({
      isAllowed: (host, port) => Effect.succeed(host === "inward.dev" && port === allowed.port)
    })
    const allowed = { port: 0 }
    return on(
      Effect.gen(function* () {
        allowed.port = yield* serve(({ url }, answer) =>
          url === "/away"
            ? answer.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end()
            : answer.end("hello")
        )
        const other: number = yield* serve((_, answer) => answer.end("inside"))
        assert.strictEqual(yield* ask(`http://inward.dev:${allowed.port}/`), "200 hello")
        assert.match(yield* ask(`http://inward.dev:${other}/`), /10\.0\.0\.1 .* is private/)
        assert.match(yield* ask(`http://127.0.0.1:${allowed.port}/`), /127\.0\.0\.1 is private/)
        assert.match(yield* ask(`http://inward.dev:${allowed.port}/away`), /127\.0\.0\.1 is private/)
      })
    )
  })

  it.live("sends one request to an exact private address, and follows no redirect from it", () =>
    internet().on(
      Effect.gen(function* () {
        const egress = yield* Egress
        const port = yield* serve(({ url }, answer) =>
          url === "/away" ? answer.writeHead(302, { location: "http://127.0.0.1/" }).end("moved") : answer.end("hello")
        )
        const exactly = (host: string, path: string) =>
          egress.askExactly({ host: "inward.dev", port }, HttpClientRequest.get(`http://${host}:${port}${path}`)).pipe(
            Effect.match({
              onFailure: ({ because }) => because,
              onSuccess: ({ body, status }) => `${status} ${body}`
            })
          )
        assert.strictEqual(yield* exactly("inward.dev", "/"), "200 hello")
        assert.strictEqual(yield* exactly("inward.dev", "/away"), "302 moved")
        assert.match(yield* exactly("127.0.0.1", "/"), /127\.0\.0\.1 is private/)
        assert.match(yield* exactly("metadata.dev", "/"), /is not an allowed target/)
      })
    )
  )
})

describe("the proxy for outbound requests", () => {
  it.live("forwards requests to allowed hosts, and reports the refused ones (invariants I14, I28)", () => {
    const { dialled, on } = internet()
    return on(
      Effect.gen(function* () {
        const port = yield* serve(({ headers, url }, answer) => {
          if (url === "/inward") answer.writeHead(302, { location: "http://10.0.0.1/" }).end()
          else answer.end(`${url} ${headers.host} ${headers.authorization} ${headers["proxy-authorization"]}`)
        })
        const proxy = yield* (yield* Egress).openProxy
        const url = Redacted.value(proxy.url)
        const good = `http://good.dev:${port}`
        assert.strictEqual(yield* through(url, `${good}/a?b=c`), `200 /a?b=c good.dev:${port} mine undefined`)
        assert.strictEqual(yield* through(url, `${good}/inward`), "302 http://10.0.0.1/")
        assert.isUndefined(proxy.failure())
        for (const host of ["10.0.0.1", "inward.dev", "both.dev", "169.254.169.254", "127.0.0.1", "[::1]"]) {
          assert.strictEqual(yield* through(url, `http://${host}:${port}/`), "403 ", host)
          assert.strictEqual(yield* tunnelled(url, `${host}:${port}`), "403", host)
        }
        assert.match(proxy.failure()?.because ?? "", /the host's address ::1 is private/)
        assert.strictEqual(yield* through(url, "https://good.dev/"), "400 ")
        assert.deepStrictEqual(new Set(dialled), new Set([publicAddress]))
      })
    )
  })

  it.live("survives a response without a status, which would crash the process (invariant I25)", () => {
    const { on } = internet()
    return on(
      Effect.gen(function* () {
        for (const head of [
          "HTTP/1.1 000 Zero",
          "HTTP/1.1 099 Early",
          "HTTP/1.1 101 Other\r\nUpgrade: x\r\nConnection: upgrade"
        ]) {
          const port = yield* speaking(`${head}\r\nContent-Length: 0\r\n\r\n`)
          const proxy = yield* (yield* Egress).openProxy
          assert.strictEqual(yield* through(Redacted.value(proxy.url), `http://good.dev:${port}/`), "502 ", head)
        }
      })
    )
  })

  it.live("opens tunnels to allowed hosts", () => {
    const { on } = internet()
    return on(
      Effect.gen(function* () {
        const echo = yield* Effect.acquireRelease(
          Effect.callback<ReturnType<typeof createTcpServer>>((resume) => {
            const server = createTcpServer((socket) => {
              socket.on("data", (chunk) => socket.write(`got ${chunk}`))
              socket.on("error", () => {})
            })
            server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const { port } = echo.address() as AddressInfo
        const proxy = yield* (yield* Egress).openProxy
        assert.strictEqual(yield* tunnelled(Redacted.value(proxy.url), `good.dev:${port}`), "got hello")
        assert.strictEqual(yield* tunnelled(Redacted.value(proxy.url), "good.dev"), "400")
      })
    )
  })

  it.live("rejects clients without its credential, and stops with its scope", () => {
    const { dialled, on } = internet()
    return on(
      Effect.gen(function* () {
        const port = yield* serve((_, answer) => answer.end("hello"))
        const egress = yield* Egress
        const url = yield* Effect.scoped(
          Effect.gen(function* () {
            const url = Redacted.value((yield* egress.openProxy).url)
            for (const credential of ["", "slipway:", `slipway:${"x".repeat(32)}`]) {
              assert.strictEqual(yield* through(url, `http://good.dev:${port}/`, credential), "407 ")
            }
            return url
          })
        )
        assert.match(yield* through(url, `http://good.dev:${port}/`), /ECONNREFUSED/)
        assert.deepStrictEqual(dialled, [])
      })
    )
  })
})
