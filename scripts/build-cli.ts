/**
 * Builds the published command `@slipway/cli`: the commands for access rules in one bundle without dependencies.
 *
 * It packs the bundle, unpacks it in an empty project and runs it there. `--out <directory>` keeps the tarball there.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { bundleCommand } from "./bundle/command.ts"

const root = join(import.meta.dirname, "..")
const app = join(root, "apps/cli")
const { out } = parseArgs({ options: { out: { type: "string" } } }).values

/** The limits of the installed package, and of the code that every start loads, in bytes. */
const limits = { installed: 15 * 1024 * 1024, start: 1024 * 1024 }

const run = (command: string, args: ReadonlyArray<string>, cwd: string): string => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${error?.message ?? ""}${stdout}${stderr}`)
  return stdout
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, each) => sum + (each.isFile() ? statSync(join(each.parentPath, each.name)).size : 0),
    0
  )

const world = "user olga\norganization acme private\nrepository acme/site private\nteam acme/Owners: olga\n"
const tried = {
  "company.access": `${world}olga repository.delete acme/site -> allowed by repository.organization-owner\n`,
  "rules.prove": "prove never anonymous repository.delete\n"
}

/** Connects to the MCP server of the installed command, which exits with the input. */
const tryAssistants = (project: string): void => {
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "build", version: "1" } }
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" }
  ]
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("")
  const args = ["mcp", "--forge", "http://127.0.0.1:1", "--tools", "forge_version_read"]
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["node_modules/@slipway/cli/dist/accessMain.js", ...args],
    { cwd: project, encoding: "utf8", input, timeout: 60_000 }
  )
  if (status !== 0 || !stdout.includes('"name":"forge_version_read"')) {
    throw new Error(`slipway ${args.join(" ")} exited with ${status} and printed\n${stdout}${stderr}`)
  }
}

/** Opens the explorer of the installed command, which stops afterwards. */
const tryExplorer = async (project: string): Promise<void> => {
  const args = ["node_modules/@slipway/cli/dist/accessMain.js", "access", "serve", "company.access", "--port", "0"]
  const server = spawn(process.execPath, args, { cwd: project, stdio: ["ignore", "pipe", "inherit"] })
  try {
    const [line] = await once(server.stdout, "data")
    const page = await fetch(String(line).trim())
    const text = await page.text()
    if (page.status !== 200 || !text.includes("<html"))
      throw new Error(`the explorer responds with ${page.status}: ${text}`)
  } finally {
    server.kill()
  }
}

/** Runs the installed command, and returns the shortest of some starts in milliseconds. */
const tryInstalled = (project: string): number => {
  for (const [name, text] of Object.entries(tried)) writeFileSync(join(project, name), text)
  const slipway = (...args: ReadonlyArray<string>) =>
    run(process.execPath, ["node_modules/@slipway/cli/dist/accessMain.js", ...args], project)
  const expected: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [["access", "test", "company.access"], "1 of 1 expectations are met"],
    [["access", "prove", "rules.prove"], "1 of 1 statements are true"],
    [["access", "fmt", "--check", "company.access"], ""],
    [
      ["access", "matrix", "company.access", "--action", "repository.read"],
      "repository.read acme/site  404        yes"
    ],
    [["access", "explain", "company.access", "olga", "repository.read", "acme/site"], "passes visibility"],
    [["access", "diff", "company.access", "company.access"], "no access changes"]
  ]
  for (const [args, part] of expected) {
    const printed = slipway(...args)
    if (!printed.includes(part)) throw new Error(`slipway ${args.join(" ")} printed\n${printed}instead of ${part}`)
  }
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const before = performance.now()
      slipway("access", "test", "company.access")
      return performance.now() - before
    })
  )
}

const temporary = mkdtempSync(join(tmpdir(), "slipway-cli-"))
try {
  const staged = join(temporary, "staged")
  const { homepage, keywords, license, repository, version } = JSON.parse(
    readFileSync(join(app, "package.json"), "utf8")
  )
  mkdirSync(staged)
  const start = await bundleCommand(staged)
  const manifest = {
    name: "@slipway/cli",
    version,
    description: "Test, explain and prove access rules; serve editors and assistants",
    license,
    type: "module",
    bin: { slipway: "./dist/accessMain.js" },
    files: ["dist", "THIRD-PARTY.md"],
    engines: { node: ">=20.16" },
    homepage,
    repository,
    keywords
  }
  writeFileSync(join(staged, "package.json"), JSON.stringify(manifest, undefined, 2))
  copyFileSync(join(app, "README.md"), join(staged, "README.md"))
  copyFileSync(join(root, "LICENSE"), join(staged, "LICENSE"))
  const npm = process.env.npm_execpath
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", temporary]
  const packed = npm === undefined ? run("npm", pack, staged) : run(process.execPath, [npm, ...pack], staged)
  const [{ filename = "" } = {}] = Object.values<{ readonly filename?: string }>(JSON.parse(packed))
  const project = join(temporary, "project")
  const installed = join(project, "node_modules/@slipway/cli")
  mkdirSync(installed, { recursive: true })
  run(
    "tar",
    ["--extract", "--file", join(temporary, filename), "--directory", installed, "--strip-components", "1"],
    project
  )
  const size = sizeOf(installed)
  const milliseconds = tryInstalled(project)
  await tryExplorer(project)
  tryAssistants(project)
  if (size > limits.installed) throw new Error(`${size} bytes are installed, at most ${limits.installed} are allowed`)
  if (start > limits.start) throw new Error(`a start loads ${start} bytes, at most ${limits.start} are allowed`)
  if (out !== undefined && existsSync(join(temporary, filename))) {
    const directory = resolve(root, out)
    mkdirSync(directory, { recursive: true })
    copyFileSync(join(temporary, filename), join(directory, basename(filename)))
  }
  process.stdout.write(
    `@slipway/cli: built, packed and tried: ${size} bytes installed, a start loads ${start} bytes and takes ${Math.round(milliseconds)} ms\n`
  )
} catch (error) {
  process.stderr.write(`@slipway/cli: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
