import { spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ProxyUnreachable } from "@slipway/domain/deploy/containers"
import { Effect } from "effect"
import type { Json } from "./config.ts"
import { exchange, hostAt, type Transport } from "./exchange.ts"

const timeout = 15_000
const pause = 50

const ask = (admin: Transport, timeout = 5_000) =>
  exchange(admin, {
    method: "GET",
    path: "/config/admin",
    headers: [["Host", hostAt(admin)]],
    timeout,
    limit: 65_536
  })

/** Returns whether Caddy listens at its admin address, even if it is too busy to respond. */
export const isThere = (admin: Transport, timeout?: number): Effect.Effect<boolean> =>
  ask(admin, timeout).pipe(
    Effect.as(true),
    Effect.catch(({ reason }) => Effect.succeed(reason !== "absent"))
  )

/**
 * Returns whether Caddy has loaded its initial configuration, or is too busy to respond.
 *
 * Caddy listens before it loads the configuration. If it rejects the configuration, it exits, and a pending request
 * fails.
 */
const hasTaken = (admin: Transport): Effect.Effect<boolean> =>
  ask(admin).pipe(
    Effect.map(({ body, status }) => status === 200 && body.trim() !== "null"),
    Effect.catch(({ reason }) => Effect.succeed(reason === "other"))
  )

const readJson = (file: string): Json => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Json
  } catch {
    return null
  }
}

// Caddy's last apps, without the settings of the admin API, logging and storage.
const lastApps = (directory: string): { readonly [app: string]: Json } => {
  const last = readJson(join(directory, "config/caddy/autosave.json"))
  return typeof last === "object" && last !== null && "apps" in last ? { apps: last.apps } : {}
}

const lastLine = (file: string): string => {
  try {
    const lines = readFileSync(file, "utf8").trim().split("\n")
    return lines.at(-1)?.slice(-500) ?? ""
  } catch {
    return ""
  }
}

/** The parameters for starting Caddy as a program. */
export interface Start {
  readonly program: string
  readonly directory: string
  readonly socket: string
}

const searchPath = () => process.env.PATH ?? ""
const pidFile = (directory: string) => join(directory, "pid")

/** Returns whether Caddy was ever started from a directory. */
export const wasStarted = (directory: string): boolean => existsSync(pidFile(directory))

const startWith = Effect.fnUntraced(function* (
  { directory, program, socket }: Start,
  apps: { readonly [app: string]: Json }
) {
  const [config, log] = [join(directory, "start.json"), join(directory, "start.log")]
  const admin: Transport = { address: { _tag: "Socket", path: socket }, connect: null }
  let failure = ""
  yield* Effect.sync(() => {
    const writer = { output: "file", filename: join(directory, "caddy.log"), roll_size_mb: 10, roll_keep: 3 }
    const logging = { logs: { default: { level: "WARN", writer } } }
    writeFileSync(config, JSON.stringify({ admin: { listen: `unix/${socket}` }, logging, ...apps }), { mode: 0o600 })
    const output = openSync(log, "w", 0o600)
    const child = spawn(program, ["run", "--config", config], {
      cwd: directory,
      detached: true,
      stdio: ["ignore", output, output],
      env: {
        PATH: searchPath(),
        HOME: directory,
        XDG_CONFIG_HOME: join(directory, "config"),
        XDG_DATA_HOME: join(directory, "data")
      }
    })
    closeSync(output)
    child.on("error", (cause: NodeJS.ErrnoException) => {
      failure =
        cause.code === "ENOENT"
          ? `the program \`${program}\` isn't installed (Debian's package is caddy)`
          : `\`${program}\` can't be run: ${cause.message}`
    })
    child.on("exit", (code) => {
      failure = `Caddy exited with ${code}: ${lastLine(log)}`
    })
    if (child.pid !== undefined) writeFileSync(pidFile(directory), `${child.pid}\n`)
    child.unref()
  })
  for (let waited = 0; waited < timeout; waited += pause) {
    // A failed one may have left the socket of an older one, at which nothing listens.
    if (failure !== "") return yield* new ProxyUnreachable({ because: failure })
    if (yield* hasTaken(admin)) return
    yield* Effect.sleep(pause)
  }
  return yield* new ProxyUnreachable({ because: "Caddy was started and doesn't answer" })
})

const pidIn = (directory: string): number | null => {
  try {
    return Number(readFileSync(pidFile(directory), "utf8")) || null
  } catch {
    return null
  }
}

/** Sends a signal to a process; returns false if the process does not exist. */
const signalled = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

const patience = 1_500

/** Stops the Caddy that was started from a directory; kills it if it does not stop in time. */
export const end = Effect.fnUntraced(function* ({ directory, socket }: Pick<Start, "directory" | "socket">) {
  const admin: Transport = { address: { _tag: "Socket", path: socket }, connect: null }
  const pid = pidIn(directory)
  // The process id of an exited Caddy may have been reused.
  if (pid === null || !(yield* isThere(admin, patience))) return
  const asked = { method: "POST", path: "/stop", headers: [["Host", ""]], timeout: patience, limit: 65_536 } as const
  const heeds = yield* Effect.isSuccess(exchange(admin, asked))
  // It waits for open requests, which have no time limit.
  for (let waited = heeds ? 0 : patience; signalled(pid, waited < patience ? 0 : "SIGKILL"); waited += pause) {
    yield* Effect.sleep(pause)
  }
})

/**
 * Starts a Caddy that outlives this process, with its last routes, and waits until it responds.
 *
 * Caddy gets its own directory for all of its files. It gets no environment variables of this process, since those
 * contain the platform's secrets. If Caddy rejects the last routes, it is started without routes, and the caller must
 * restore them.
 */
export const start = (what: Start): Effect.Effect<void, ProxyUnreachable> =>
  Effect.suspend(() => {
    const apps = lastApps(what.directory)
    const started = startWith(what, apps)
    return "apps" in apps ? Effect.catch(started, () => startWith(what, {})) : started
  })
