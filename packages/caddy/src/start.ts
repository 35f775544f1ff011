import { spawn } from "node:child_process"
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ProxyUnreachable } from "@slipway/domain/deploy"
import { Effect } from "effect"
import type { Json } from "./config.ts"
import { exchange, hostOf, type Way } from "./exchange.ts"

const patience = 15_000
const pause = 50

/** Tells whether a Caddy answers. */
export const answers = (admin: Way): Effect.Effect<boolean> =>
  exchange(admin, {
    method: "GET",
    path: "/config/admin",
    headers: [["Host", hostOf(admin.address)]],
    timeout: 5_000,
    limit: 65_536
  }).pipe(
    Effect.as(true),
    Effect.catch(() => Effect.succeed(false))
  )

const readJson = (file: string): Json => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Json
  } catch {
    return null
  }
}

// What Caddy served last, without what says where and how it is reached and writes.
const lastApps = (file: string): { readonly [app: string]: Json } => {
  const last = readJson(file)
  return typeof last === "object" && last !== null && "apps" in last ? { apps: last.apps } : {}
}

const lastLines = (file: string): string => {
  try {
    const lines = readFileSync(file, "utf8").trim().split("\n")
    return lines.at(-1)?.slice(-500) ?? ""
  } catch {
    return ""
  }
}

/** What a Caddy is started with. */
export interface Start {
  readonly program: string
  readonly directory: string
  readonly socket: string
}

/**
 * Starts a Caddy that goes on when this process ends, with the routes that it served last, and waits until it answers.
 *
 * It gets a directory of its own for certificates and everything else, and nothing of this process's environment, where
 * the platform's secrets are.
 */
export const start = ({ directory, program, socket }: Start): Effect.Effect<void, ProxyUnreachable> =>
  Effect.gen(function* () {
    const [config, log, pid] = ["start.json", "start.log", "pid"].map((name) => join(directory, name)) as [
      string,
      string,
      string
    ]
    const admin: Way = { address: { _tag: "Socket", path: socket }, connect: null }
    const failed = { because: "" }
    yield* Effect.sync(() => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const writer = { output: "file", filename: join(directory, "caddy.log"), roll_size_mb: 10, roll_keep: 3 }
      const first = {
        admin: { listen: `unix/${socket}` },
        logging: { logs: { default: { level: "WARN", writer } } },
        ...lastApps(join(directory, "config/caddy/autosave.json"))
      }
      writeFileSync(config, JSON.stringify(first), { mode: 0o600 })
      const output = openSync(log, "w", 0o600)
      const child = spawn(program, ["run", "--config", config], {
        cwd: directory,
        detached: true,
        stdio: ["ignore", output, output],
        env: {
          PATH: process.env.PATH ?? "",
          HOME: directory,
          XDG_CONFIG_HOME: join(directory, "config"),
          XDG_DATA_HOME: join(directory, "data")
        }
      })
      closeSync(output)
      child.on("error", (cause: NodeJS.ErrnoException) => {
        failed.because =
          cause.code === "ENOENT"
            ? `the program \`${program}\` isn't installed (Debian's package is caddy)`
            : `\`${program}\` can't be run: ${cause.message}`
      })
      child.on("exit", (code) => {
        failed.because = `Caddy ended with ${code}: ${lastLines(log)}`
      })
      if (child.pid !== undefined) writeFileSync(pid, `${child.pid}\n`)
      child.unref()
    })
    for (let waited = 0; waited < patience; waited += pause) {
      if (yield* answers(admin)) return
      if (failed.because !== "") break
      yield* Effect.sleep(pause)
    }
    const because = failed.because === "" ? "Caddy was started and doesn't answer" : failed.because
    return yield* new ProxyUnreachable({ because })
  })
