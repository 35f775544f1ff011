/** Runs one benchmark of packages/bench by name, or lists them. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "..", "packages", "bench", "src")

/** A benchmark is a file of its own directly in packages/bench/src; what benchmarks share lies in folders beside them. */
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => file.slice(0, -3))
      .sort()
  : []

const help = `usage: npm run bench -- <name> [options of that benchmark]

benchmarks: ${names.join(", ") || "none yet (a file in packages/bench/src is one)"}
`

const [name, ...rest] = process.argv.slice(2)
if (name === undefined || name === "--help" || name === "-h") {
  process.stdout.write(help)
} else if (!names.includes(name)) {
  process.stderr.write(`no benchmark is called \`${name}\`\n\n${help}`)
  process.exitCode = 2
} else {
  // What is said of memory is said of a process with the flags that the services start with; what measures requests shares the processors with the
  // servers, and collects its own garbage as seldom as they do.
  const profile = { memory: "small", http: "server", processes: "server" }[name]
  const flags =
    profile === undefined
      ? []
      : readFileSync(join(import.meta.dirname, "profiles", profile), "utf8")
          .trim()
          .split(" ")
  const run = spawnSync(
    process.execPath,
    [...flags, "--conditions=@slipway/source", join(folder, `${name}.ts`), ...rest],
    { stdio: "inherit" }
  )
  process.exitCode = run.status ?? 1
}
