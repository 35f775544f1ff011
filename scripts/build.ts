/**
 * Builds the package in the working directory to dist/, packs it, and checks the tarball for its users:
 * publint and attw find nothing, and a project that installs it can import and type-check every entry.
 * `--out <directory>` keeps the tarball there.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

interface Manifest {
  readonly name: string
  /** Modules with their targets, and patterns for other files. */
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const isModule = (entry: string): boolean => !entry.includes("*")

const root = join(import.meta.dirname, "..")
const here = process.cwd()
const { out } = parseArgs({ options: { out: { type: "string" } } }).values
const manifest: Manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"))
const temporary = mkdtempSync(join(tmpdir(), "slipway-build-"))

class Failure extends Error {}
const fail = (problem: string): never => {
  throw new Failure(problem)
}

const tool = (path: string): string => join(root, "node_modules", path)
const run = (what: string, command: string, args: ReadonlyArray<string>, cwd = here): SpawnSyncReturns<string> => {
  const result = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 26 })
  if (result.status !== 0) fail(`${what}\n${result.error?.message ?? ""}${result.stdout}${result.stderr}`)
  return result
}

/** Compiles src/ to dist/, against the declarations in dist/ of its dependencies. */
const compile = (): void => {
  for (const [entry, targets] of Object.entries(manifest.exports).filter(([entry]) => isModule(entry))) {
    const source = targets["@slipway/source"]
    if (source === undefined) fail(`the entry \`${entry}\` of package.json names no \`@slipway/source\``)
    else if (!existsSync(join(here, source)))
      fail(`the entry \`${entry}\` of package.json names ${source}, which isn't there`)
  }
  rmSync(join(here, "dist"), { recursive: true, force: true })
  run("does not compile", process.execPath, [tool("typescript/bin/tsc"), "--project", "tsconfig.build.json"])
}

const pack = (): string => {
  copyFileSync(join(root, "LICENSE"), join(here, "LICENSE"))
  const npm = process.env.npm_execpath
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", temporary]
  const { stdout } =
    npm === undefined ? run("does not pack", "npm", args) : run("does not pack", process.execPath, [npm, ...args])
  const packed: ReadonlyArray<{ readonly filename: string }> = Object.values(JSON.parse(stdout))
  return join(temporary, packed[0]?.filename ?? "")
}

const lint = async (tarball: string): Promise<void> => {
  const bytes = readFileSync(tarball)
  const { messages } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
    level: "warning"
  })
  if (messages.length > 0) fail(`publint:\n${messages.map((each) => formatMessage(each, manifest)).join("\n")}`)
  run("attw finds its types wrong", process.execPath, [
    tool("@arethetypeswrong/cli/dist/index.js"),
    "--profile",
    "esm-only",
    "--no-color",
    tarball
  ])
}

/**
 * Installs the tarball in a separate project without the condition `@slipway/source`, and uses every entry there.
 *
 * Its dependencies are linked from this repository: the build checks them separately.
 */
const consume = (tarball: string): void => {
  const consumer = join(temporary, "consumer")
  const installed = join(consumer, "node_modules", manifest.name)
  mkdirSync(installed, { recursive: true })
  run("does not unpack", "tar", ["--extract", "--file", tarball, "--directory", installed, "--strip-components", "1"])
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, "@types/node": "" })) {
    const link = join(consumer, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(tool(name), link, "junction")
  }
  const entries = Object.keys(manifest.exports)
    .filter(isModule)
    .map((entry) => manifest.name + entry.slice(1))
  const source = entries.map((entry, n) => `import * as entry${n} from "${entry}"\nvoid entry${n}\n`).join("")
  writeFileSync(join(consumer, "package.json"), '{ "type": "module" }')
  writeFileSync(join(consumer, "index.ts"), source)
  const options = ["--module", "nodenext", "--target", "esnext", "--strict", "--noEmit", "--types", "node"]
  run("can't be imported", process.execPath, ["index.ts"], consumer)
  run(
    "does not type-check where it is used",
    process.execPath,
    [tool("typescript/bin/tsc"), ...options, "index.ts"],
    consumer
  )
}

try {
  compile()
  const tarball = pack()
  await lint(tarball)
  consume(tarball)
  if (out !== undefined) {
    // Relative paths start at the repository's root, wherever turbo runs this.
    const directory = resolve(root, out)
    mkdirSync(directory, { recursive: true })
    copyFileSync(tarball, join(directory, basename(tarball)))
  }
  process.stdout.write(`${manifest.name}: built, packed and tried\n`)
} catch (error) {
  if (!(error instanceof Failure)) throw error
  process.stderr.write(`${manifest.name}: ${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
