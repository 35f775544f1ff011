import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { median } from "../support/numbers.ts"

const root = join(import.meta.dirname, "../../../..")

const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${error?.message ?? ""}${stdout}${stderr}`)
}

const company = "user olga\nrepository olga/site\nolga repository.delete olga/site -> allowed\n"

/** The measured uses of the published command: a name for each, and its arguments. */
const commands: Readonly<Record<string, ReadonlyArray<string>>> = {
  "`slipway access test`": ["access", "test", "company.access"],
  "`slipway access fmt --check`": ["access", "fmt", "--check", "company.access"],
  "`slipway access explain`": ["access", "explain", "company.access", "olga", "repository.delete", "olga/site"],
  "`slipway mcp --help`": ["mcp", "--help"]
}

/** The durations of one start, in milliseconds. */
export interface CommandTimes {
  readonly name: string
  readonly median: number
  readonly slowest: number
}

/** Builds and unpacks the published command `slipway`, and measures its start-up time a number of times. */
export const commandTimes = (starts: number): ReadonlyArray<CommandTimes> => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-command-"))
  try {
    run(process.execPath, [join(root, "scripts/build-cli.ts"), "--out", folder], join(root, "apps/cli"))
    const [tarball = ""] = readdirSync(folder)
    const installed = join(folder, "installed")
    mkdirSync(installed)
    run(
      "tar",
      ["--extract", "--file", join(folder, tarball), "--directory", installed, "--strip-components", "1"],
      folder
    )
    writeFileSync(join(folder, "company.access"), company)
    const program = join(installed, "dist/accessMain.js")
    const times = Object.entries(commands).map(([name, args]) => ({ name, args, each: [] as Array<number> }))
    // The first start compiles; later ones use its cache, as for a user.
    for (const { args } of times) run(process.execPath, [program, ...args], folder)
    for (let turn = 0; turn < starts; turn++) {
      for (const { args, each } of times) {
        const before = performance.now()
        run(process.execPath, [program, ...args], folder)
        each.push(performance.now() - before)
      }
    }
    return times.map(({ each, name }) => ({ name, median: median(each), slowest: Math.max(...each) }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
