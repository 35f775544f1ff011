import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, type RequestListener, request as sendHttp } from "node:http"
import { request as sendHttps } from "node:https"
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CaddySettings, layerBasicAuthHasher, layerLocalCaddy, readCaddySettings } from "@slipway/caddy"
import type { Upstream } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { ProxyWorld, uuidOf, type VisitorAnswer } from "@slipway/testkit/deploy"
import { Context, Effect, Layer, Result } from "effect"

const listening = <S extends Server>(server: S, port = 0) =>
  Effect.callback<S>((resume) => {
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
  })
const portOf = (server: Server) => (server.address() as AddressInfo).port
const closed = (server: Server & { closeAllConnections?: () => void }) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections?.()
  })

/** A port that was free a moment ago. */
export const freePort = Effect.gen(function* () {
  const server = yield* listening(createTcpServer())
  const port = portOf(server)
  yield* closed(server)
  return port
})

/** Returns whether a port is free. */
export const isFree = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const server = createTcpServer()
    server.on("error", () => resume(Effect.succeed(false)))
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(true))))
  })

/** Starts an HTTP server until the scope closes. */
export const httpServer = (listener: RequestListener) =>
  Effect.acquireRelease(listening(createServer(listener)), closed)

/** Returns the address of a server. */
export const upstreamOf = (server: Server): Upstream => ({ host: "127.0.0.1", port: portOf(server) })

const plain = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Stops the Caddy of a directory. */
export const endCaddy = (directory: string) =>
  Effect.promise(async () => {
    const pid = (() => {
      try {
        return Number(readFileSync(join(directory, "pid"), "utf8"))
      } catch {
        return null
      }
    })()
    if (pid === null) return
    for (let signal: NodeJS.Signals | 0 = "SIGKILL"; ; signal = 0) {
      try {
        process.kill(pid, signal)
      } catch {
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })

/** A directory for one test, with at most one Caddy. */
export const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-caddy-"))),
  (path) =>
    Effect.andThen(
      endCaddy(path),
      Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
)

/** The settings of one test's Caddy. */
export const settingsIn = (path: string, more: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const variables: Record<string, string> = {
      DEPLOY_PROXY_DIRECTORY: path,
      DEPLOY_PROXY_HTTP: `127.0.0.1:${yield* freePort}`,
      DEPLOY_PROXY_HTTPS: `127.0.0.1:${yield* freePort}`,
      ...more
    }
    return Result.getOrThrow(readCaddySettings((variable) => variables[variable]))
  })

/** The settings of the Caddy under test. */
export class Settings extends Context.Service<Settings, CaddySettings>()("test/Settings") {}

/** The connection to the platform's machine. */
export const access = {
  _tag: "Local",
  server: uuidOf<ServerUuid>("server", 1),
  connectionTimeout: 5,
  socket: null
} as const

/** Sends a request to one of Caddy's listeners. */
export const visitOf =
  (settings: CaddySettings): ProxyWorld["Service"]["visit"] =>
  ({ headers, host, method = "GET", path = "/", port, scheme }) =>
    Effect.callback<VisitorAnswer>((resume) => {
      const send = scheme === "http" ? sendHttp : sendHttps
      const request = send(
        {
          host: "127.0.0.1",
          port: port ?? settings[scheme][0]?.port,
          method,
          path,
          headers: { host, ...headers },
          agent: false,
          ...(scheme === "https" ? { rejectUnauthorized: false, servername: host } : {})
        },
        (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("end", () =>
            resume(
              Effect.succeed({
                status: response.statusCode ?? 0,
                headers: plain(response.headers),
                body: Buffer.concat(chunks).toString()
              })
            )
          )
        }
      )
      request.on("error", (cause) => resume(Effect.die(cause)))
      request.end()
    })

const world = Layer.effect(
  ProxyWorld,
  Effect.map(Settings, (settings) => ({
    access,
    nowhere: Effect.map(freePort, (port) => ({ host: "127.0.0.1", port })),
    container: (answer) =>
      Effect.map(
        httpServer((request, response) => {
          const { body, status } = answer({
            method: request.method ?? "",
            path: request.url ?? "",
            headers: plain(request.headers)
          })
          response.statusCode = status ?? 200
          response.end(body)
        }),
        upstreamOf
      ),
    visit: visitOf(settings),
    origin: (scheme, host) => `${scheme}://${host}:${settings[scheme][0]?.port}`
  }))
)

/** Provides the Caddy of one test, its settings, and the other services that a test needs. */
export const caddyWorld = (more?: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.map(
      Effect.flatMap(directory, (path) => settingsIn(path, more)),
      (settings) =>
        Layer.mergeAll(layerLocalCaddy(settings, "500 millis"), layerBasicAuthHasher, world).pipe(
          Layer.provideMerge(Layer.succeed(Settings, settings))
        )
    )
  )
