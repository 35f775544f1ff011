import { spawn } from "node:child_process"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type CaddySettings, layerLocalCaddy } from "@slipway/caddy"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { Proxy, type Route, type Upstream } from "@slipway/domain/deploy/containers"
import { uuidOf } from "@slipway/testkit/deploy"
import { Effect, Schedule } from "effect"
import {
  access,
  caddyWorld,
  directory,
  endCaddy,
  freePort,
  httpServer,
  Settings,
  settingsIn,
  upstreamOf,
  visitOf
} from "./support/world.ts"

const shop = uuidOf<ApplicationUuid>("application", 1)
const blog = uuidOf<ApplicationUuid>("application", 2)

const at = (host: string, ...upstreams: ReadonlyArray<Upstream>): Route => ({
  address: { scheme: "http", host, port: 80, path: "" },
  answer: { _tag: "Forward", upstreams, auth: null }
})

/** Opens the proxy again, like a second process. */
const open = (settings: CaddySettings) =>
  Effect.scoped(
    Effect.provide(
      Effect.flatMap(Proxy, (proxy) => proxy.open(access)),
      layerLocalCaddy(settings),
      { local: true }
    )
  )

const seen = (settings: CaddySettings, host: string) =>
  Effect.map(visitOf(settings)({ scheme: "http", host }), ({ body, status }) => `${status} ${body}`)

const named = (name: string) =>
  Effect.map(
    httpServer((_, response) => void response.end(name)),
    upstreamOf
  )

const searchPath = () => process.env.PATH
const pidIn = (path: string) => Number(readFileSync(join(path, "pid"), "utf8"))

describe("a Caddy that the service starts", () => {
  it.live("restores its routes after a kill, and accepts new ones", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const settings = yield* settingsIn(path)
      const [one, two] = [yield* named("one"), yield* named("two")]
      const first = yield* open(settings)
      yield* first.apply(shop, [at("a.test", one)])
      yield* first.apply(shop, [at("a.test", two)])
      yield* endCaddy(path)

      const again = yield* open(settings)
      assert.strictEqual(yield* seen(settings, "a.test"), "200 two")
      yield* again.apply(shop, [at("a.test", one)])
      assert.strictEqual(yield* seen(settings, "a.test"), "200 one")
    })
  )

  it.live("starts when its saved configuration is broken, and serves new routes", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const settings = yield* settingsIn(path)
      yield* open(settings)
      yield* endCaddy(path)
      writeFileSync(join(path, "config/caddy/autosave.json"), "{")
      const again = yield* open(settings)
      yield* again.apply(shop, [at("a.test", yield* named("one"))])
      assert.strictEqual(yield* seen(settings, "a.test"), "200 one")
    })
  )

  it.live("starts without a saved configuration that Caddy rejects, and serves new routes", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const settings = yield* settingsIn(path)
      const one = yield* named("one")
      yield* (yield* open(settings)).apply(shop, [at("a.test", one)])
      yield* endCaddy(path)
      const saved = join(path, "config/caddy/autosave.json")
      writeFileSync(saved, readFileSync(saved, "utf8").replaceAll('"reverse_proxy"', '"gone_in_another_version"'))
      const again = yield* open(settings)
      assert.match(yield* seen(settings, "a.test"), /^404 /)
      yield* again.apply(shop, [at("a.test", one)])
      assert.strictEqual(yield* seen(settings, "a.test"), "200 one")
    })
  )

  // Prevents: a proxy that listens but exits, because it rejects its routes, counts as started.
  it.live("does not count as started while it listens without accepting a configuration", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const program = join(path, "caddy-that-ends")
      const answers = `
        const fs = require("node:fs")
        const socket = JSON.parse(fs.readFileSync(process.argv[1])).admin.listen.slice("unix/".length)
        fs.rmSync(socket)
        require("node:net").createServer(() => setTimeout(() => process.exit(1), 300)).listen(socket)`
      writeFileSync(
        program,
        `#!/bin/sh\nif grep -q '"apps"' "$3"; then exec "${process.execPath}" -e '${answers}' "$3"; fi\nexec caddy "$@"\n`
      )
      chmodSync(program, 0o700)
      const settings = { ...(yield* settingsIn(path)), program }
      yield* (yield* open(settings)).apply(shop, [at("a.test", yield* named("one"))])
      yield* endCaddy(path)
      yield* open(settings)
      assert.match(yield* seen(settings, "a.test"), /^404 /)
    })
  )

  it.live("is restarted when it exits while the service runs", () =>
    Effect.gen(function* () {
      const settings = yield* Settings
      const proxy = yield* (yield* Proxy).open(access)
      yield* proxy.apply(shop, [at("a.test", yield* named("one"))])
      yield* endCaddy(settings.directory ?? "")
      const back = Effect.sandbox(seen(settings, "a.test"))
      assert.strictEqual(yield* Effect.retry(back, { times: 150, schedule: Schedule.spaced(100) }), "200 one")
    }).pipe(Effect.provide(caddyWorld()))
  )

  it.live("is restarted on request, even with an endless request or when it hangs", () =>
    Effect.gen(function* () {
      const settings = yield* Settings
      const proxies = yield* Proxy
      const proxy = yield* proxies.open(access)
      const path = settings.directory ?? ""
      const endless = yield* httpServer((_, response) => void response.write("…"))
      yield* proxy.apply(shop, [at("a.test", yield* named("one")), at("b.test", upstreamOf(endless))])
      const streaming = request({ host: "127.0.0.1", port: settings.http[0]?.port, headers: { host: "b.test" } })
      streaming.on("error", () => {})
      yield* Effect.callback<void>((resume) => {
        streaming.on("response", (response) => {
          response.on("error", () => {})
          response.once("data", () => resume(Effect.void))
        })
        streaming.end()
      })
      const pids = [pidIn(path)]
      yield* proxies.restart(access)
      pids.push(pidIn(path))
      assert.strictEqual(yield* seen(settings, "a.test"), "200 one")
      yield* Effect.sync(() => process.kill(pidIn(path), "SIGSTOP"))
      yield* proxies.restart(access)
      pids.push(pidIn(path))
      assert.strictEqual(yield* seen(settings, "a.test"), "200 one")
      assert.strictEqual(new Set(pids).size, 3)
    }).pipe(Effect.provide(caddyWorld()))
  )

  it.live("is not restarted when another process has started Caddy", () =>
    Effect.gen(function* () {
      const settings = yield* settingsIn(yield* directory, { DEPLOY_PROXY: "external" })
      const refused = yield* Effect.flip(
        Effect.provide(
          Effect.flatMap(Proxy, (proxy) => proxy.restart(access)),
          layerLocalCaddy(settings)
        )
      )
      assert.deepStrictEqual(
        [refused._tag, refused.because],
        ["ProxyRefused", "DEPLOY_PROXY is external: another process starts this proxy"]
      )
    })
  )

  it.live("is a single process when several processes open it concurrently, and keeps all their routes", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const settings = yield* settingsIn(path)
      const one = yield* named("one")
      const hosts = ["a", "b", "c", "d", "e", "f"]
      yield* Effect.forEach(
        hosts,
        (name, n) =>
          Effect.flatMap(open(settings), (proxy) =>
            proxy.apply(uuidOf<ApplicationUuid>("application", n), [at(`${name}.test`, one)])
          ),
        { concurrency: "unbounded" }
      )
      const pid = pidIn(path)
      yield* open(settings)
      assert.strictEqual(pidIn(path), pid)
      for (const name of hosts) assert.strictEqual(yield* seen(settings, `${name}.test`), "200 one")
    })
  )

  it.live("does not inherit the service's environment with its secrets (invariant I15)", () =>
    Effect.gen(function* () {
      const path = yield* directory
      yield* open(yield* settingsIn(path))
      const environment = readFileSync(`/proc/${pidIn(path)}/environ`, "utf8")
      const names = environment.split("\0").flatMap((each) => (each === "" ? [] : [each.split("=")[0]]))
      assert.deepStrictEqual(names.sort(), ["HOME", "PATH", "XDG_CONFIG_HOME", "XDG_DATA_HOME"])
    })
  )

  it.live("fails with a reason when the program is missing or a port is taken", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const settings = yield* settingsIn(path)
      const missing = yield* Effect.flip(open({ ...settings, program: "caddy-that-is-not-there" }))
      assert.strictEqual(
        missing.because,
        "the program `caddy-that-is-not-there` isn't installed (Debian's package is caddy)"
      )

      const taken = yield* httpServer((_, response) => void response.end())
      const { port } = upstreamOf(taken)
      const refused = yield* Effect.flip(open({ ...settings, http: [{ address: `127.0.0.1:${port}`, port }] }))
      assert.match(refused.because, /address already in use/)

      const proxy = yield* open(settings)
      yield* proxy.apply(shop, [at("a.test", yield* named("one"))])
      assert.strictEqual(yield* seen(settings, "a.test"), "200 one")
    })
  )

  it.live("uses changed settings at the next start, and keeps its routes", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const settings = yield* settingsIn(path)
      yield* (yield* open(settings)).apply(shop, [at("a.test", yield* named("one"))])
      const port = yield* freePort
      const moved = { ...settings, http: [{ address: `127.0.0.1:${port}`, port }] }
      yield* open(moved)
      assert.strictEqual(yield* seen(moved, "a.test"), "200 one")
    })
  )

  it.live("routes 300 hosts correctly, the longest path first", () =>
    Effect.gen(function* () {
      const settings = yield* settingsIn(yield* directory)
      const proxy = yield* open(settings)
      const [one, two] = [yield* named("one"), yield* named("two")]
      const routes = Array.from({ length: 300 }, (_, n) => at(`${n}.test`, one))
      const longer = at("299.test", two)
      yield* proxy.apply(shop, routes)
      yield* proxy.apply(blog, [{ ...longer, address: { ...longer.address, path: "/blog" } }])
      for (const host of ["0.test", "150.test", "299.test"]) assert.strictEqual(yield* seen(settings, host), "200 one")
      const blogged = yield* visitOf(settings)({ scheme: "http", host: "299.test", path: "/blog/x" })
      assert.strictEqual(blogged.body, "two")
      assert.match(yield* seen(settings, "300.test"), /^404 /)
      assert.lengthOf(yield* proxy.read(shop), 300)
      yield* proxy.apply(shop, [at("0.test", two)])
      assert.strictEqual(yield* seen(settings, "0.test"), "200 two")
      assert.match(yield* seen(settings, "1.test"), /^404 /)
    })
  )

  it.live("exposes neither its admin API nor its health endpoint to visitors (invariant I22)", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const settings = yield* settingsIn(path)
      const proxy = yield* open(settings)
      const [one, secret] = [yield* named("one"), yield* named("secret")]
      yield* proxy.apply(shop, [at("a.test", one)])
      const forged = {
        "x-slipway-probe": "guess",
        "x-slipway-upstream": `${secret.host}:${secret.port}`,
        "x-slipway-scheme": "http"
      }
      const visit = visitOf(settings)
      // Caddy may answer one more request with the old configuration.
      yield* Effect.repeat(visit({ scheme: "http", host: "a.test" }), {
        until: ({ body }) => body === "one",
        schedule: Schedule.spaced("50 millis")
      })
      assert.strictEqual((yield* visit({ scheme: "http", host: "a.test", headers: forged })).body, "one")
      assert.strictEqual((yield* visit({ scheme: "http", host: "a.test", path: "/config/" })).body, "one")
      const status = yield* Effect.promise(
        () =>
          new Promise((resolve) => {
            const sent = request({ socketPath: join(path, "probe.sock"), path: "/", headers: forged }, (response) => {
              response.resume()
              resolve(response.statusCode)
            })
            sent.end()
          })
      )
      assert.strictEqual(status, 403)
    })
  )
})

describe("an externally started Caddy", () => {
  const answerOf = (address: string): Promise<unknown> => fetch(address)

  /** Starts a Caddy with a configuration, until the scope closes. */
  const started = (config: { readonly admin: { readonly listen: string }; readonly [more: string]: unknown }) =>
    Effect.acquireRelease(
      Effect.gen(function* () {
        const path = yield* directory
        const child = spawn("caddy", ["run", "--config", "-"], {
          stdio: ["pipe", "ignore", "ignore"],
          env: { PATH: searchPath(), HOME: path, XDG_CONFIG_HOME: path, XDG_DATA_HOME: path }
        })
        const failed = Effect.callback<never, Error>((resume) => {
          child.once("error", (error) => resume(Effect.fail(error)))
        })
        // A missing program reads no input either; it is reported once.
        child.stdin.on("error", () => {}).end(JSON.stringify(config))
        const answers = Effect.retry(
          Effect.tryPromise(() => answerOf(`http://${config.admin.listen}/config/`)),
          Schedule.spaced("50 millis")
        )
        yield* Effect.raceFirst(answers, failed)
        return child
      }),
      (child) =>
        Effect.callback<void>((resume) => {
          child.on("exit", () => resume(Effect.void))
          child.kill("SIGKILL")
        })
    )

  it.live("is configured through its admin address, without a shared directory", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      yield* started({ admin: { listen: `127.0.0.1:${port}` }, logging: { logs: { default: { level: "ERROR" } } } })
      const settings = yield* settingsIn("/nowhere", {
        DEPLOY_PROXY: "external",
        DEPLOY_PROXY_ADMIN: `http://127.0.0.1:${port}`
      }).pipe(Effect.map((read) => ({ ...read, directory: null })))
      const proxy = yield* open(settings)
      const [one, two] = [yield* named("one"), yield* named("two")]
      yield* proxy.apply(shop, [at("a.test", one)])
      yield* proxy.apply(blog, [at("b.test", one)])
      yield* proxy.apply(shop, [at("a.test", two)])
      assert.strictEqual(yield* seen(settings, "a.test"), "200 two")
      assert.deepStrictEqual(yield* proxy.read(shop), [at("a.test", two)])
      const probed = yield* proxy.probe(one, { scheme: "http", method: "GET", path: "/", host: null, timeout: 5 })
      assert.deepStrictEqual(probed, { status: 200, body: "one" })
      yield* proxy.apply(shop, [at("a.test")])
      assert.match(yield* seen(settings, "a.test"), /^503 /)
    })
  )

  it.live("keeps its configuration, and is rejected, when it serves other routes", () =>
    Effect.gen(function* () {
      const [port, other] = [yield* freePort, yield* freePort]
      const routes = [{ handle: [{ handler: "static_response", body: "mine" }] }]
      const servers = { srv0: { listen: [`127.0.0.1:${other}`], automatic_https: { disable: true }, routes } }
      yield* started({ admin: { listen: `127.0.0.1:${port}` }, apps: { http: { servers } } })
      const settings = yield* settingsIn("/nowhere", {
        DEPLOY_PROXY: "external",
        DEPLOY_PROXY_ADMIN: `http://127.0.0.1:${port}`
      }).pipe(Effect.map((read) => ({ ...read, directory: null })))
      const refused = yield* Effect.flip(open(settings))
      assert.strictEqual(
        refused.because,
        "this Caddy already serves other routes (srv0): use a separate Caddy for Slipway"
      )
      const there = { ...settings, http: [{ address: "", port: other }] }
      assert.strictEqual(yield* seen(there, "any.test"), "200 mine")
    })
  )

  it.live("fails with a reason when it does not respond", () =>
    Effect.gen(function* () {
      const settings = yield* settingsIn("/nowhere", {
        DEPLOY_PROXY: "external",
        DEPLOY_PROXY_ADMIN: `http://127.0.0.1:${yield* freePort}`
      }).pipe(Effect.map((read) => ({ ...read, directory: null })))
      const refused = yield* Effect.flip(open(settings))
      assert.strictEqual(refused.because, "Caddy doesn't answer: nothing listens there")
    })
  )
})
