/** Executes the blocks of a page as a reader does: in a fresh directory with the contents of a clone. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { type Block, commandsOf } from "./blocks.ts"

const root = join(import.meta.dirname, "..", "..", "..", "..", "..")

/** Entries of a working copy that a fresh clone lacks, or that the page's programs must not share with it. */
const notCloned = new Set([".git", ".slipway", ".turbo", "dist", "packed"])

/** Creates a directory that looks like a fresh clone with installed dependencies: each entry is a symbolic link. */
export const makeClone = (): { readonly directory: string; readonly remove: () => void } => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-page-"))
  for (const name of readdirSync(root)) {
    if (!notCloned.has(name)) symlinkSync(join(root, name), join(directory, name))
  }
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Returns the environment of a reader's shell: the Node of this process, and no settings of Slipway but those given. */
export const environment = (settings: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || /^(?:FORGE|DEPLOY|DATABASE|SLIPWAY|npm)_|^(?:HOST|NODE_OPTIONS)$/.test(name)
        ? []
        : [[name, value]]
    )
  ),
  PATH: dirname(process.execPath) + delimiter + process.env.PATH,
  ...settings
})

// A failed request must fail the block, though curl would exit with 0.
const prelude = `set -e -o pipefail
curl() { command curl --silent --show-error --fail-with-body --max-time 60 "$@"; }
`

/** Runs a script with bash and returns its standard output. Fails with the output if the script fails. */
export const runScript = async (
  script: string,
  directory: string,
  settings: Readonly<Record<string, string>>
): Promise<string> => {
  const child = spawn("bash", ["-c", prelude + script], {
    cwd: directory,
    env: environment(settings),
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  let errors = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (errors += chunk))
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`exit code ${code}\n${output.slice(-2000)}\n${errors.slice(-2000)}`)
  return output
}

const marker = "@@slipway-block@@"

/**
 * Returns a script that executes blocks in order in one shell: `sh` blocks run, `console` commands run, and files of other blocks
 * with a `file` attribute are written. A marker precedes the output of each `console` command. Blocks with a requirement are
 * omitted, unless the caller provides it.
 */
export const scriptOf = (blocks: ReadonlyArray<Block>, provided: ReadonlySet<string> = new Set()): string =>
  blocks
    .flatMap(({ attributes, language, line, text }) => {
      if (attributes.needs !== undefined && !provided.has(attributes.needs)) return []
      const step = `# line ${line}\n`
      if (attributes.file !== undefined) return [`${step}cat >${attributes.file} <<'end of file'\n${text}end of file`]
      if (language === "sh") return [step + text]
      if (language !== "console") return []
      return commandsOf(text).map(({ command }) => `printf '\\n${marker}\\n'; ${command}\nprintf '\\n${marker}\\n'`)
    })
    .join("\n")

/** Returns the `console` commands of blocks with another output than the page shows. */
export const differences = (blocks: ReadonlyArray<Block>, output: string): ReadonlyArray<unknown> => {
  const outputs = output.split(`\n${marker}\n`).filter((_, at) => at % 2 === 1)
  return blocks
    .flatMap(({ language, text }) => (language === "console" ? commandsOf(text) : []))
    .flatMap(({ command, output: expected }, at) => {
      const actual = outputs[at]?.replace(/^\n+|\s+$/g, "")
      return expected === undefined || actual === expected ? [] : [{ command, expected, actual }]
    })
}

/** Starts a command that keeps running, such as `npm start`, and resolves when every address answers requests of a path. */
export const startServices = async (
  script: string,
  directory: string,
  settings: Readonly<Record<string, string>>,
  addresses: ReadonlyArray<string>,
  path = "/healthz"
): Promise<ChildProcess> => {
  const child = spawn("bash", ["-c", script], {
    cwd: directory,
    env: environment(settings),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
  const deadline = Date.now() + 60_000
  for (const address of addresses) {
    while (
      !(await fetch(`${address}${path}`).then(
        ({ ok }) => ok,
        () => false
      ))
    ) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the services did not start:\n${output}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return child
}

/** Stops the processes that `startServices` started, with their children. */
export const stopServices = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null) return
  const closed = once(child, "close")
  process.kill(-child.pid, "SIGTERM")
  const timer = setTimeout(() => process.kill(-(child.pid as number), "SIGKILL"), 30_000)
  await closed
  clearTimeout(timer)
}
