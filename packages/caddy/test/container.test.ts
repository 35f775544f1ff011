import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layerCaddy } from "@slipway/caddy"
import { layerContainerEngine } from "@slipway/docker"
import { startPodman } from "@slipway/docker/testing"
import { type ApplicationUuid, Proxy, type Route, type Upstream } from "@slipway/domain/deploy"
import { layer as memory } from "@slipway/memory/deploy"
import { layerSshConnections } from "@slipway/ssh"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"
import { directory, httpServer, settingsIn, upstreamOf, visitOf } from "./support/world.ts"

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

/** The libraries that a program of Debian's is linked with, the one that loads it included. */
const librariesOf = (program: string) =>
  [...execFileSync("ldd", [program], { encoding: "utf8" }).matchAll(/(\/\S+) \(0x/g)].map(([, file = ""]) => file)

describe("a Caddy in a container", () => {
  it.live(
    "is started where there is none, serves, switches, probes, and is there again after its end",
    () =>
      Effect.gen(function* () {
        const podman = yield* startPodman
        const context = join(yield* directory, "image")
        yield* Effect.sync(() => {
          mkdirSync(context)
          const copied = ["/usr/bin/caddy", ...librariesOf("/usr/bin/caddy")].map((file) => {
            copyFileSync(file, join(context, basename(file)))
            return `COPY ${basename(file)} ${file}`
          })
          const lines = [`FROM ${podman.image}`, ...copied, "ENV PATH=/bin:/usr/bin"]
          writeFileSync(join(context, "Dockerfile"), `${lines.join("\n")}\n`)
        })
        yield* podman.podman("build", "--tag", image, context)

        const settings = yield* settingsIn(yield* directory, {
          DEPLOY_PROXY: "container",
          DEPLOY_PROXY_IMAGE: image
        })
        const engines = Layer.provideMerge(layerContainerEngine, Layer.provide(layerSshConnections, memory))
        const seen = (host: string) =>
          Effect.map(visitOf(settings)({ scheme: "http", host }), ({ body, status }) => `${status} ${body}`)
        yield* Effect.gen(function* () {
          const proxy = yield* (yield* Proxy).open(podman.access)
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
          const again = yield* (yield* Proxy).open(podman.access)
          assert.strictEqual(yield* seen("a.test"), "200 two")
          assert.isTrue(yield* again.remove(shop))
          assert.match(yield* seen("a.test"), /^404 /)
        }).pipe(Effect.provide(Layer.provide(layerCaddy(settings), engines)))
      }),
    120_000
  )
})
