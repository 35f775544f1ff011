/** Runs one benchmark of packages/bench by name, or lists them; `--save` stores its tables for the performance page. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { type BenchmarkResult, resultFolder } from "./reference/performance.ts"

const folder = join(import.meta.dirname, "..", "packages", "bench", "src")

/** Each file directly in packages/bench/src is a benchmark; folders next to them hold shared code. */
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => file.slice(0, -3))
      .sort()
  : []

const help = `usage: npm run bench -- <name> [--save] [options of that benchmark]

--save stores the printed tables in docs/reference/benchmarks; \`npm run reference\` then updates docs/reference/performance.md

benchmarks: ${names.join(", ") || "none yet (a file in packages/bench/src is one)"}
`

/** Returns the Markdown tables in the output of a benchmark, each as its lines. */
export const tablesIn = (output: string): ReadonlyArray<ReadonlyArray<string>> =>
  output
    .split(/\n(?!\|)/)
    .map((part) => part.split("\n").filter((line) => line.startsWith("|")))
    .filter((lines) => lines.length > 2)

/** Returns the name of a result file: the benchmark and the part of it that was run, such as `http-half`. */
export const resultName = (name: string, options: ReadonlyArray<string>): string =>
  [name, ...options.map((option) => option.replace(/^--/, "")).filter((option) => /^[a-z]+$/.test(option))].join("-")

/** Returns the V8 flags of a benchmark: those that the services start with, where it measures memory or shares their cores. */
const flagsOf = (name: string): ReadonlyArray<string> => {
  const profile = { memory: "small", http: "server", processes: "server" }[name]
  if (profile === undefined) return []
  return readFileSync(join(import.meta.dirname, "profiles", profile), "utf8")
    .trim()
    .split(" ")
}

const run = async (name: string, options: ReadonlyArray<string>, isSaved: boolean): Promise<number> => {
  const args = [...flagsOf(name), "--conditions=@slipway/source", join(folder, `${name}.ts`), ...options]
  const child = spawn(process.execPath, args, { stdio: ["inherit", "pipe", "inherit"] })
  let output = ""
  child.stdout.on("data", (chunk) => {
    process.stdout.write(chunk)
    output += chunk
  })
  const [code] = await once(child, "close")
  const exitCode = code ?? 1
  const tables = tablesIn(output)
  if (isSaved && tables.length > 0) {
    const cores = cpus().length
    const result: BenchmarkResult = {
      command: `npm run bench -- ${[name, ...options].join(" ")}`,
      date: new Date().toISOString().slice(0, 10),
      environment: `Node ${process.versions.node}, ${cores} cores`,
      exitCode,
      tables
    }
    mkdirSync(resultFolder, { recursive: true })
    writeFileSync(join(resultFolder, `${resultName(name, options)}.json`), `${JSON.stringify(result, null, 2)}\n`)
  }
  return exitCode
}

if (import.meta.main) {
  const [name, ...rest] = process.argv.slice(2)
  const options = rest.filter((option) => option !== "--save")
  if (name === undefined || name === "--help" || name === "-h") {
    process.stdout.write(help)
  } else if (!names.includes(name)) {
    process.stderr.write(`no benchmark is called \`${name}\`\n\n${help}`)
    process.exitCode = 2
  } else process.exitCode = await run(name, options, rest.includes("--save"))
}
