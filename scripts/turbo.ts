/**
 * Runs turbo tasks without telemetry: `node scripts/turbo.ts <task>… [-- arguments]`. On platforms without a turbo binary,
 * runs the same npm scripts sequentially, without a cache.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" }

const separator = process.argv.indexOf("--")
const tasks = process.argv.slice(2, separator === -1 ? undefined : separator)
const rest = separator === -1 ? [] : process.argv.slice(separator + 1)

/** Returns the path of the platform's turbo binary, an optional dependency of `turbo`. */
const binary = (): string | undefined => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const arch = process.arch === "x64" ? "64" : process.arch
  const name = `@turbo/${platform}-${arch}`
  // An emulated binary is slower than running the scripts directly.
  const found = join(root, "node_modules", name, "bin", process.platform === "win32" ? "turbo.exe" : "turbo")
  return process.env.SLIPWAY_WITHOUT_TURBO === undefined && existsSync(found) ? found : undefined
}

const run = (command: string, args: ReadonlyArray<string>): number => {
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: environment })
  if (error !== undefined) process.stderr.write(`${command} did not start: ${error.message}\n`)
  return status ?? 1
}

/** Runs one task without turbo: a root task by its script, another in every workspace that has it. */
const plainly = (task: string): number => {
  const npm = process.env.npm_execpath
  const [command, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]]
  const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts
  const own = task.replace(/^\/\/#/, "")
  const parts = task.startsWith("//#") ? [own] : Object.keys(scripts).filter((name) => name.startsWith(`${task}:`))
  if (parts.length === 0) return run(command, [...first, "run", task, "--workspaces", "--if-present", "--", ...rest])
  return Math.max(...parts.map((name) => run(command, [...first, "run", name, "--", ...rest])))
}

const turbo = binary()
if (turbo === undefined) {
  process.stderr.write(
    `turbo has no binary for ${process.platform}-${process.arch} here: running ${tasks.join(", ")} without its cache\n`
  )
  process.exitCode = Math.max(0, ...tasks.map(plainly))
} else {
  const quiet = ["--ui=stream", "--log-prefix=none", "--output-logs=full", "--continue=dependencies-successful"]
  // Output in a chosen directory is not cached, so a cached run would leave it empty.
  const anew = rest.includes("--out") ? ["--force"] : []
  process.exitCode = run(turbo, ["run", ...tasks, ...quiet, ...anew, ...(rest.length > 0 ? ["--", ...rest] : [])])
}
