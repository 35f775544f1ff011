import { dirname, join, resolve } from "node:path"
import { Data, Result } from "effect"

/** The address of Caddy's admin API: a unix socket or a TCP address. */
export type AdminAddress =
  | { readonly _tag: "Socket"; readonly path: string }
  | { readonly _tag: "Tcp"; readonly host: string; readonly port: number }

/**
 * Returns the address of the probe server, by which the platform tests its proxy. It is derived from the address of the
 * admin API. Containers cannot reach the probe server.
 */
export const probeAddressOf = (admin: AdminAddress): AdminAddress =>
  admin._tag === "Socket"
    ? { _tag: "Socket", path: join(dirname(admin.path), "probe.sock") }
    : { ...admin, port: admin.port + 1 }

const anyAddress: ReadonlyArray<string> = ["0.0.0.0", "::", "[::]"]

/** An address at which Caddy accepts client connections, such as `:80` or `127.0.0.1:8080`, and its port. */
export interface Listener {
  readonly address: string
  readonly port: number
}

/**
 * Returns the address at which the machine itself reaches the first HTTPS listener; null if there is no HTTPS listener.
 */
export const secureAddressOf = (https: ReadonlyArray<Listener>): AdminAddress | null => {
  const [listener] = https
  if (listener === undefined) return null
  const host = listener.address.slice(0, listener.address.lastIndexOf(":")).replace(/^\[|\]$/g, "")
  const isAny = host === "" || anyAddress.includes(host)
  return { _tag: "Tcp", host: isAny ? "127.0.0.1" : host, port: listener.port }
}

/** How Caddy requests certificates for public hosts; null in a field means Caddy's default. */
export interface Acme {
  readonly email: string | null
  /** The URL of the certificate authority's ACME directory; null for Caddy's default. */
  readonly directory: string | null
}

/** The settings of the proxy on the platform's own machine. */
export interface CaddySettings {
  /**
   * How Caddy is started on the platform's own machine. With `spawn` or `container`, the service starts a program or
   * container that outlives the service; with `external`, a supervisor starts it.
   */
  readonly mode: "spawn" | "container" | "external"
  /** The Caddy program to start. */
  readonly program: string
  /** The image of the proxy containers; a server can select another image. */
  readonly image: string
  readonly admin: AdminAddress
  /**
   * The directory of pointer files (files that name the container of a route), shared by the service and Caddy; null if
   * there is none.
   */
  readonly directory: string | null
  /** The HTTP listeners. The first listener serves route addresses without a port; the same applies to `https`. */
  readonly http: ReadonlyArray<Listener>
  readonly https: ReadonlyArray<Listener>
  /**
   * The port of the admin API of proxy containers on the loopback address of the server. The next port serves probes.
   */
  readonly adminPort: number
  /** The listeners of Caddy on servers that are reached over SSH. */
  readonly servers: { readonly http: ReadonlyArray<Listener>; readonly https: ReadonlyArray<Listener> }
  readonly acme: Acme
}

/** The error for an invalid proxy setting. It names the setting, but never contains its value. */
export class CaddySettingInvalid extends Data.TaggedError("CaddySettingInvalid")<{
  readonly variable: string
  readonly problem: string
}> {}

// The operating system doesn't support longer socket paths.
const longestSocketPath = 100
const plainPath = /^[^{}*?[\]\\]+$/

/**
 * Parses the address of an admin API: `unix/<path>` or `http://<host>:<port>`.
 *
 * @example
 * readAdmin("unix//run/caddy/admin.sock") // => { _tag: "Socket", path: "/run/caddy/admin.sock" }
 * readAdmin("http://127.0.0.1:2019") // => { _tag: "Tcp", host: "127.0.0.1", port: 2019 }
 * readAdmin("2019") // => null
 */
export const readAdmin = (text: string): AdminAddress | null => {
  const [, path] = /^unix\/(?:\/\/)?(.+)$/.exec(text) ?? []
  if (path !== undefined) return { _tag: "Socket", path: resolve(path) }
  const [, host = "", port = ""] = /^http:\/\/(\[[0-9a-f:]+\]|[a-z0-9.-]+):(\d{1,5})\/?$/i.exec(text) ?? []
  if (host === "" || Number(port) < 1 || Number(port) > 65_535) return null
  return { _tag: "Tcp", host: host.replace(/^\[|\]$/g, ""), port: Number(port) }
}

/**
 * Parses a comma-separated list of addresses to listen at, `[host]:port`.
 *
 * @example
 * readListeners(":80, 127.0.0.1:8080") // => [{ address: ":80", port: 80 }, { address: "127.0.0.1:8080", port: 8080 }]
 * readListeners("80") // => null
 */
export const readListeners = (text: string): ReadonlyArray<Listener> | null => {
  const listeners = text.split(",").map((part) => {
    const [, address = "", port = ""] = /^\s*((?:\[[0-9a-f:.]+\]|[a-z0-9.-]+)?:(\d{1,5}))\s*$/i.exec(part) ?? []
    return { address, port: Number(port) }
  })
  const ports = new Set(listeners.map(({ port }) => port))
  const areRight = listeners.every(({ address, port }) => address !== "" && port >= 1 && port <= 65_535)
  return areRight && ports.size === listeners.length ? listeners : null
}

/** Returns the host of a listener's address in the normalized form; empty means all addresses of the machine. */
const hostOfListener = (host: string | undefined): string => {
  if (host === undefined || anyAddress.includes(host)) return ""
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host
}

const wrong = (variable: CaddyVariable, problem: string) => Result.fail(new CaddySettingInvalid({ variable, problem }))

/** The environment variables of the proxy's settings. */
export const caddyVariables = [
  "DEPLOY_PROXY",
  "DEPLOY_PROXY_ACME",
  "DEPLOY_PROXY_ADMIN",
  "DEPLOY_PROXY_DIRECTORY",
  "DEPLOY_PROXY_EMAIL",
  "DEPLOY_PROXY_HTTP",
  "DEPLOY_PROXY_HTTPS",
  "DEPLOY_PROXY_IMAGE",
  "HOST"
] as const
/** The name of an environment variable of the proxy's settings. */
export type CaddyVariable = (typeof caddyVariables)[number]

/** A function that returns the value of an environment variable; undefined if it is unset. */
export type CaddyVariables = (variable: CaddyVariable) => string | undefined

/**
 * Reads the settings of the proxy from the environment; docs/operations.md describes the variables.
 *
 * By default, Caddy is started on demand, with its files in `.slipway/proxy`.
 */
export const readCaddySettings = (of: CaddyVariables): Result.Result<CaddySettings, CaddySettingInvalid> =>
  Result.gen(function* () {
    const mode = of("DEPLOY_PROXY") ?? "spawn"
    if (mode !== "spawn" && mode !== "container" && mode !== "external") {
      return yield* wrong("DEPLOY_PROXY", "must be spawn, container or external")
    }

    const directory = of("DEPLOY_PROXY_DIRECTORY") ?? (mode === "spawn" ? ".slipway/proxy" : null)
    if (directory !== null && !plainPath.test(directory)) {
      return yield* wrong("DEPLOY_PROXY_DIRECTORY", "must be a path without braces, brackets, stars and backslashes")
    }
    const place = directory === null ? null : resolve(directory)

    const admin = readAdmin(
      of("DEPLOY_PROXY_ADMIN") ??
        (mode === "spawn" ? `unix/${join(place ?? "", "admin.sock")}` : "http://127.0.0.1:2019")
    )
    if (admin === null) return yield* wrong("DEPLOY_PROXY_ADMIN", "must be unix/<path> or http://<host>:<port>")
    if (admin._tag === "Socket" && Buffer.byteLength(admin.path) > longestSocketPath) {
      return yield* wrong(
        of("DEPLOY_PROXY_ADMIN") === undefined ? "DEPLOY_PROXY_DIRECTORY" : "DEPLOY_PROXY_ADMIN",
        `must be a shorter path: a socket path has at most ${longestSocketPath} characters`
      )
    }
    if (mode === "spawn" && admin._tag === "Tcp") {
      return yield* wrong("DEPLOY_PROXY_ADMIN", "must be unix/<path> unless DEPLOY_PROXY is external")
    }
    if (mode === "container" && of("DEPLOY_PROXY_ADMIN") !== undefined) {
      return yield* wrong("DEPLOY_PROXY_ADMIN", "must not be set while DEPLOY_PROXY is container")
    }

    // By default, visitors reach the address that the service listens on.
    const host = mode === "container" ? "" : hostOfListener(of("HOST"))
    const problem = "must be comma-separated addresses, such as :80 or 127.0.0.1:8080, without duplicate ports"
    const http = readListeners(of("DEPLOY_PROXY_HTTP") ?? `${host}:80`)
    if (http === null) return yield* wrong("DEPLOY_PROXY_HTTP", problem)
    const https = readListeners(of("DEPLOY_PROXY_HTTPS") ?? `${host}:443`)
    if (https === null) return yield* wrong("DEPLOY_PROXY_HTTPS", problem)
    if (https.some(({ port }) => http.some((each) => each.port === port))) {
      return yield* wrong("DEPLOY_PROXY_HTTPS", "must not repeat a port of DEPLOY_PROXY_HTTP")
    }

    const acme = of("DEPLOY_PROXY_ACME") ?? null
    if (acme !== null && !(URL.canParse(acme) && acme.startsWith("https://"))) {
      return yield* wrong("DEPLOY_PROXY_ACME", "must be the https:// address of an ACME directory")
    }
    return {
      mode,
      program: "caddy",
      image: of("DEPLOY_PROXY_IMAGE") ?? "docker.io/library/caddy:2",
      admin,
      directory: place,
      http,
      https,
      adminPort: 2019,
      servers: { http: [{ address: ":80", port: 80 }], https: [{ address: ":443", port: 443 }] },
      acme: { email: of("DEPLOY_PROXY_EMAIL") ?? null, directory: acme }
    }
  })
