import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { type CaddySettings, layerCaddy } from "@slipway/caddy"
import { layerContainerEngine } from "@slipway/docker"
import { type PodmanService, sshAccessTo, startPodman, startSshd } from "@slipway/docker/testing"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Proxy, type Route, type ServerAccess, type TcpAccess, type Upstream } from "@slipway/domain/deploy/containers"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { newServer, uuidOf } from "@slipway/testkit/deploy"
import { Context, Effect, Layer, Redacted } from "effect"
import { exchange } from "../src/exchange.ts"
import { access, directory, freePort, httpServer, isFree, settingsIn, upstreamOf, visitOf } from "./support/world.ts"

const shop = uuidOf<ApplicationUuid>("application", 1)
const image = "docker.io/slipway-test/caddy:1"

const at = (host: string, ...upstreams: ReadonlyArray<Upstream>): Route => ({
  address: { scheme: "http", host, port: 80, path: "" },
  answer: { _tag: "Forward", upstreams, auth: null }
})

const named = (name: string) =>
  Effect.map(
    httpServer((_, response) => void response.end(name)),
    upstreamOf
  )

/** Returns the paths of the libraries and the loader that a Debian program needs. */
const librariesOf = (program: string) =>
  [...execFileSync("ldd", [program], { encoding: "utf8" }).matchAll(/(\/\S+) \(0x/g)].map(([, file = ""]) => file)

/** Two consecutive ports that were free a moment ago. */
const freePair: Effect.Effect<number> = Effect.gen(function* () {
  const port = yield* freePort
  return (yield* isFree(port + 1)) ? port : yield* freePair
})

/**
 * Starts a Podman with an image of Debian's Caddy and an admin API on a test port.
 *
 * This version is too old to read that setting from its environment.
 */
const podmanWithCaddy = Effect.gen(function* () {
  const podman = yield* startPodman
  const adminPort = yield* freePair
  const context = join(yield* directory, "image")
  yield* Effect.sync(() => {
    mkdirSync(context)
    const copied = librariesOf("/usr/bin/caddy").map((file) => {
      copyFileSync(file, join(context, basename(file)))
      return `COPY ${basename(file)} ${file}`
    })
    copyFileSync("/usr/bin/caddy", join(context, "caddy"))
    writeFileSync(join(context, "first.json"), JSON.stringify({ admin: { listen: `127.0.0.1:${adminPort}` } }))
    writeFileSync(join(context, "start"), '#!/bin/sh\nexec /usr/bin/caddy "$@" --config /first.json\n', { mode: 0o755 })
    const own = ["COPY caddy /usr/bin/caddy", "COPY first.json /first.json", "COPY start /bin/caddy"]
    const lines = [`FROM ${podman.image}`, ...copied, ...own, "ENV PATH=/bin:/usr/bin"]
    writeFileSync(join(context, "Dockerfile"), `${lines.join("\n")}\n`)
  })
  yield* podman.podman("build", "--tag", image, context)
  return { podman, adminPort }
})

/** One Podman for all tests; each test starts without a proxy. */
class Engine extends Context.Service<Engine, Effect.Success<typeof podmanWithCaddy>>()("test/container/Engine") {
  static readonly layer = Layer.effect(Engine, podmanWithCaddy)
}
const fresh = Effect.gen(function* () {
  const engine = yield* Engine
  yield* engine.podman.podman("rm", "--force", "--ignore", "--time", "0", "slipway-proxy")
  return engine
})

const settings = (adminPort: number) =>
  Effect.gen(function* () {
    const read = yield* settingsIn(yield* directory, { DEPLOY_PROXY: "container", DEPLOY_PROXY_IMAGE: image })
    return { ...read, adminPort, servers: { http: read.http, https: read.https } }
  })

const engines = layerContainerEngine.pipe(Layer.provideMerge(layerSshConnections), Layer.provideMerge(memory))

/** Serves, switches and probes a route, before and after a stop of the container. */
const everything = Effect.fnUntraced(function* (podman: PodmanService, server: ServerAccess, chosen: CaddySettings) {
  const seen = (host: string) =>
    Effect.map(visitOf(chosen)({ scheme: "http", host }), ({ body, status }) => `${status} ${body}`)
  const proxy = yield* (yield* Proxy).open(server)
  const [one, two] = [yield* named("one"), yield* named("two")]
  yield* proxy.apply(shop, [at("a.test", one), at("b.test", one)])
  assert.strictEqual(yield* seen("a.test"), "200 one")
  yield* proxy.apply(shop, [at("a.test", two), at("b.test", two)])
  yield* proxy.apply(shop, [at("a.test", one), at("b.test", two)])
  yield* proxy.apply(shop, [at("a.test", two), at("b.test", two)])
  assert.strictEqual(yield* seen("a.test"), "200 two")
  assert.deepStrictEqual(yield* proxy.read(shop), [at("a.test", two), at("b.test", two)])
  const probed = yield* proxy.probe(one, { scheme: "http", method: "GET", path: "/", host: null, timeout: 5 })
  assert.strictEqual(probed.body, "one")

  yield* podman.podman("stop", "--time", "0", "slipway-proxy")
  const again = yield* (yield* Proxy).open(server)
  assert.strictEqual(yield* seen("a.test"), "200 two")
  yield* (yield* Proxy).restart(server)
  assert.strictEqual(yield* seen("a.test"), "200 two")
  assert.isTrue(yield* again.remove(shop))
  assert.match(yield* seen("a.test"), /^404 /)
})

layer(Engine.layer, { excludeTestServices: true, timeout: "200 seconds" })("a Caddy in a container", (it) => {
  it.effect(
    "runs on the local engine and refuses admin requests from containers of a Dockerfile (invariant I14)",
    () =>
      Effect.gen(function* () {
        const { adminPort, podman } = yield* fresh
        const chosen = yield* settings(adminPort)
        const caddy = Layer.provideMerge(layerCaddy(chosen), engines)
        yield* Effect.provide(everything(podman, podman.access, chosen), caddy)
        // Prevents: a Dockerfile that adds `http://127.0.0.1:2019/config/` reads the routes of all, and the hashes of their passwords.
        const plain = `127.0.0.1:${adminPort}`
        const tell = (method: string, path: string, host: string, body = "") =>
          exchange(
            { address: { _tag: "Tcp", host: "127.0.0.1", port: adminPort }, connect: null },
            {
              method,
              path,
              headers: [
                ["Host", host],
                ["Content-Type", "application/json"]
              ],
              body,
              timeout: 5_000,
              limit: 1_000
            }
          ).pipe(
            Effect.map(({ status }) => status),
            Effect.catch(() => Effect.succeed(0))
          )
        const asked = tell("GET", "/config/", plain)
        assert.strictEqual(yield* asked, 403)
        // A proxy of an earlier version also gets the reserved name, and continues to serve.
        const one = yield* named("one")
        yield* Effect.gen(function* () {
          const proxies = yield* Proxy
          yield* (yield* proxies.open(podman.access)).apply(shop, [at("a.test", one)])
          yield* tell("POST", "/config/admin", "slipway-proxy.invalid", JSON.stringify({ listen: plain }))
          assert.strictEqual(yield* Effect.repeat(asked, { until: (status) => status === 200, times: 100 }), 200)
          yield* proxies.open(podman.access)
          assert.strictEqual(yield* asked, 403)
          assert.strictEqual((yield* visitOf(chosen)({ scheme: "http", host: "a.test" })).body, "one")
        }).pipe(Effect.provide(caddy))
      }),
    400_000
  )

  it.effect(
    "starts without a configuration that is no longer valid, keeps that file, and serves new routes",
    () =>
      Effect.gen(function* () {
        const { adminPort, podman } = yield* fresh
        const chosen = yield* settings(adminPort)
        const inside = (...argv: ReadonlyArray<string>) => podman.podman("exec", "slipway-proxy", ...argv)
        const saved = "/data/config/caddy/autosave.json"
        yield* Effect.gen(function* () {
          const one = yield* named("one")
          const seen = Effect.map(visitOf(chosen)({ scheme: "http", host: "a.test" }), ({ status }) => status)
          const proxy = yield* (yield* Proxy).open(podman.access)
          yield* proxy.apply(shop, [at("a.test", one)])
          assert.strictEqual(yield* seen, 200)
          yield* inside("sed", "-i", "s/reverse_proxy/gone_in_another_version/", saved)
          yield* podman.podman("stop", "--time", "0", "slipway-proxy")
          const again = yield* (yield* Proxy).open(podman.access)
          assert.strictEqual(yield* seen, 404)
          yield* inside("grep", "-q", "gone_in_another_version", `${saved}.unusable`)
          yield* again.apply(shop, [at("a.test", one)])
          // From then on it starts with its last configuration, as before.
          yield* podman.podman("stop", "--time", "0", "slipway-proxy")
          yield* (yield* Proxy).open(podman.access)
          assert.strictEqual(yield* seen, 200)
        }).pipe(Effect.provide(Layer.provideMerge(layerCaddy(chosen), engines)))
      }),
    400_000
  )

  it.effect(
    "keeps its routes after a restart while other processes wait (invariant I28)",
    () =>
      Effect.gen(function* () {
        const { adminPort, podman } = yield* fresh
        const chosen = yield* settings(adminPort)
        yield* Effect.gen(function* () {
          const one = yield* named("one")
          const proxies = yield* Proxy
          yield* (yield* proxies.open(podman.access)).apply(shop, [at("a.test", one)])
          const inside = (...argv: ReadonlyArray<string>) => podman.podman("exec", "slipway-proxy", ...argv)
          // Volumes persist between tests.
          yield* inside("rm", "-f", "/data/config/caddy/autosave.json.unusable")
          const restarts = [1, 2, 3, 4, 5].map((n) =>
            Effect.andThen(Effect.sleep(n * 700), proxies.restart(podman.access))
          )
          yield* Effect.all([proxies.open(podman.access), ...restarts], { concurrency: "unbounded" })
          const { status } = yield* visitOf(chosen)({ scheme: "http", host: "a.test" })
          assert.strictEqual(status, 200)
          // Prevents: a waiting process takes the restart for a rejected configuration, and moves that aside.
          assert.notInclude(yield* inside("ls", "/data/config/caddy"), "unusable")
        }).pipe(Effect.provide(Layer.provideMerge(layerCaddy(chosen), engines)))
      }),
    400_000
  )

  it.effect(
    "is replaced at a restart by a container with the image that its server chooses, and keeps its routes",
    () =>
      Effect.gen(function* () {
        const { adminPort, podman } = yield* fresh
        const chosen = yield* settings(adminPort)
        const other = "docker.io/slipway-test/caddy:2"
        const context = join(yield* directory, "other")
        yield* Effect.sync(() => {
          mkdirSync(context)
          writeFileSync(join(context, "Dockerfile"), `FROM ${image}\nLABEL chosen=yes\n`)
        })
        yield* podman.podman("build", "--tag", other, context)
        yield* Effect.gen(function* () {
          const proxies = yield* Proxy
          const inspected = (format: string) =>
            Effect.map(podman.podman("inspect", "--format", format, "slipway-proxy"), (text) => text.trim())
          yield* (yield* proxies.open(podman.access)).apply(shop, [at("a.test", yield* named("one"))])
          const id = yield* inspected("{{.Id}}")
          yield* proxies.restart(podman.access)
          assert.strictEqual(yield* inspected("{{.Id}}"), id)
          const server = { ...podman.access, proxyImage: other }
          assert.isTrue(proxies.takesImage(server))
          yield* proxies.restart(server)
          assert.notStrictEqual(yield* inspected("{{.Id}}"), id)
          assert.strictEqual(yield* inspected("{{.Config.Labels.chosen}}"), "yes")
          const { status } = yield* visitOf(chosen)({ scheme: "http", host: "a.test" })
          assert.strictEqual(status, 200)
        }).pipe(Effect.provide(Layer.provideMerge(layerCaddy(chosen), engines)))
      }),
    400_000
  )

  it.effect(
    "is started and configured over SSH, independently of the local proxy settings",
    () =>
      Effect.gen(function* () {
        const { adminPort, podman } = yield* fresh
        const sshd = yield* startSshd
        const chosen = { ...(yield* settings(adminPort)), mode: "external" as const }
        const caddy = Layer.provideMerge(layerCaddy(chosen), engines)
        yield* Effect.gen(function* () {
          const { uuid } = yield* (yield* ServerStore).insert(newServer(1, { ip: "127.0.0.1", port: sshd.port }))
          const server = sshAccessTo(sshd, uuid, podman.socket)
          yield* everything(podman, server, chosen)
        }).pipe(Effect.provide(caddy))
      }),
    400_000
  )

  it.effect("is refused for an engine reached by TCP, because its admin API is unreachable", () =>
    Effect.gen(function* () {
      const server: TcpAccess = {
        _tag: "Tcp",
        server: access.server,
        host: "127.0.0.1",
        port: 1,
        authority: "",
        certificate: "",
        privateKey: Redacted.make(""),
        connectionTimeout: 1
      }
      const caddy = Layer.provideMerge(layerCaddy(yield* settings(1)), engines)
      const refused = yield* Effect.provide(
        Effect.flatMap(Proxy, (proxy) => Effect.flip(proxy.open(server))),
        caddy
      )
      assert.strictEqual(
        refused.because,
        "routes cannot be served on servers with a TCP engine: connect to the engine by SSH"
      )
    })
  )
})
