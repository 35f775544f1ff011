/**
 * Checks the types of every package, app, test and script in one pass, with Effect's diagnostics.
 *
 * Uses the compiler of `@effect/tsgo`, TypeScript with the Effect language service. On platforms without
 * its binary, TypeScript's own compiler checks types without Effect's diagnostics.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import typescript from "typescript/package.json" with { type: "json" }

const root = join(import.meta.dirname, "..")

const platform = `@effect/tsgo-${process.platform}-${process.arch}`
const effectCompiler = join(
  root,
  "node_modules",
  platform,
  "artifacts/typescript",
  typescript.version,
  process.platform === "win32" ? "tsc.exe" : "tsc"
)

const args = ["--project", "tsconfig.json", ...process.argv.slice(2)]
const run = (command: string, ...first: ReadonlyArray<string>): number => {
  const { error, status } = spawnSync(command, [...first, ...args], { cwd: root, stdio: "inherit" })
  if (error !== undefined) process.stderr.write(`${command} did not start: ${error.message}\n`)
  return status ?? 1
}

if (existsSync(effectCompiler)) {
  process.exitCode = run(effectCompiler)
} else {
  const lacking = `${platform} has no compiler for TypeScript ${typescript.version}`
  if (process.env.CI !== undefined) {
    process.stderr.write(`${lacking}: pin a version of @effect/tsgo that has one\n`)
    process.exitCode = 1
  } else {
    process.stderr.write(`${lacking}: checking types without Effect's diagnostics\n`)
    process.exitCode = run(process.execPath, "node_modules/typescript/bin/tsc")
  }
}
