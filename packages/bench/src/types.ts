// Measures the processor time of `npm run check:types`: with an empty cache, without a change, and after a change of one line in
// packages of each layer. Adds the line to a source file and removes it again; refuses files with uncommitted changes. Exits
// with code 1 when a change of one line takes more than 15 seconds. Linux only.
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { print, printProgress } from "./support/output.ts"

const root = join(import.meta.dirname, "../../..")
const mostSeconds = 15
const files = [
  "packages/access/src/Rules.ts",
  "packages/domain/src/forge/code/repositories/Repository.ts",
  "packages/forge/src/code/repositories/Collaborators.ts",
  "packages/http/src/server/forge/layer.ts",
  "apps/forge/src/main.ts"
]

/** Returns the processor time of all exited child processes, in seconds. */
const processorOfChildren = (): number => {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? []
  return fields.slice(13, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
}

/** Runs the TypeScript type check, and returns its processor time in seconds. */
const check = (): number => {
  const before = processorOfChildren()
  const { status, stderr, stdout } = spawnSync(process.execPath, ["scripts/check-types.ts"], {
    cwd: root,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`the type check failed:\n${stdout}${stderr}`)
  return processorOfChildren() - before
}

/** Runs the type check while a file has an additional line, and returns the processor time in seconds. */
const checkWithLine = (file: string): number => {
  const path = join(root, file)
  const content = readFileSync(path, "utf8")
  try {
    writeFileSync(path, `${content}const addedLine = 1; void addedLine\n`)
    return check()
  } finally {
    writeFileSync(path, content)
  }
}

const changed = execFileSync("git", ["status", "--porcelain", "--", ...files], { cwd: root, encoding: "utf8" })
if (changed !== "") {
  printProgress(`commit these files first, since one line is added to them and removed again:\n${changed}`)
  process.exitCode = 2
} else {
  rmSync(join(root, "node_modules/.cache/slipway/check.tsbuildinfo"), { force: true })
  printProgress("checking everything once")
  const whole = check()
  const rows = [
    ["nothing", check()] as const,
    ...files.map((file) => [`a line of \`${file}\``, checkWithLine(file)] as const)
  ]
  print("| changed | CPU seconds | at most |")
  print("|---|---:|---:|")
  print(`| everything (empty cache) | ${whole.toFixed(0)} | |`)
  for (const [name, seconds] of rows) print(`| ${name} | ${seconds.toFixed(1)} | ${mostSeconds} |`)
  process.exitCode = rows.some(([, seconds]) => seconds > mostSeconds) ? 1 : 0
}
