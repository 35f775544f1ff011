/**
 * Tries the packed packages on each Node version that they support, and on both ends of their range of `effect`:
 * `npm run build -- --out <directory>`, then `npm run engines -- <directory>`.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { minVersion, satisfies } from "semver"
import { examples, questions } from "./examples.ts"
import { checked, examplesOf } from "./vitest/examples.ts"

/** The fields of a package's manifest that decide how it is tried. */
export interface Manifest {
  readonly name: string
  readonly engines: { readonly node: string }
  readonly exports?: Readonly<Record<string, unknown>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The maintained release lines of Node. The newest release of each is tried. */
export const lines = ["20", "22", "24", "26"]

/** Returns the first release of each range. */
export const first = (ranges: Iterable<string>): ReadonlyArray<string> => [
  ...new Set([...ranges].map((range) => minVersion(range)?.version ?? range))
]

const there = mkdtempSync(join(tmpdir(), "slipway-engines-"))
const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]

const attempt = (command: string, args: ReadonlyArray<string>, cwd: string): SpawnSyncReturns<string> =>
  spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 26 })

const run = (command: string, args: ReadonlyArray<string>, cwd: string): string => {
  const { error, status, stderr, stdout } = attempt(command, args, cwd)
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}\n${error?.message ?? ""}${stdout}${stderr}`)
  return stdout
}

/** Installs a release of Node, or the newest of a line, and returns its program. */
const node = (version: string): string => {
  const folder = join(there, `node-${version}`)
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), '{ "private": true, "allowScripts": { "node": true } }')
  run("npm", ["install", ...quiet, `node@${version}`], folder)
  return join(folder, "node_modules", "node", "bin", "node")
}

/** Installs all packed packages together with a release of `effect`. */
const project = (tarballs: ReadonlyArray<string>, effect: string): string => {
  const folder = join(there, `effect-${effect}`)
  mkdirSync(folder)
  // The contract suites of the testkit need their optional peer.
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"))
  const dependencies: Record<string, string> = { effect, "@effect/vitest": devDependencies["@effect/vitest"] }
  for (const name of Object.keys(questions)) {
    const own: Record<string, string> = JSON.parse(
      readFileSync(join(examples, name, "package.json"), "utf8")
    ).dependencies
    for (const [each, version] of Object.entries(own)) {
      if (!each.startsWith("@slipway/") && each !== "effect") dependencies[each] = version
    }
    cpSync(join(examples, name), join(folder, name), { recursive: true })
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  run("npm", ["install", ...quiet, "--ignore-scripts", ...tarballs], folder)
  return folder
}

const expecting = `import { deepEqual } from "node:assert"
const expect = (found) => ({ toEqual: (wanted) => deepEqual(found, wanted) })
`

/** The script for a forge on an unsupported Node version. */
const refused = `import { createForge } from "@slipway/embed"
const said = await createForge().then(() => "a forge", ({ message }) => message)
if (!said.startsWith("a forge needs Node 24.7 or later")) throw new Error(said)
`

/** A script to run for a package, and the packages that it needs. */
interface EngineScript {
  readonly file: string
  readonly needs: ReadonlyArray<string>
}

/** Writes the scripts of each package: its entries, and the examples of its README. */
const modulesOf = (folder: string, { exports = {}, name }: Manifest): ReadonlyArray<EngineScript> => {
  const entries = Object.keys(exports).filter((entry) => !/[*]|\.json$/.test(entry))
  const page = readFileSync(join(folder, "node_modules", name, "README.md"), "utf8")
  const sources = [
    entries.map((entry) => `await import("${name}${entry.slice(1)}")\n`).join(""),
    ...examplesOf("README.md", page).map(({ code, line }) =>
      stripTypeScriptTypes(checked(`${name}:${line}`, code).replace(/^import .*? from "vitest"; /, expecting))
    )
  ]
  return sources.map((source, n) => {
    const file = `${name.replace("@slipway/", "")}-${n}.mjs`
    writeFileSync(join(folder, file), source)
    return { file, needs: [...source.matchAll(/"(@slipway\/[\w-]+)/g)].map(([, needed = ""]) => needed) }
  })
}

/** Tries the packages in `packed` and returns the failures. */
const tryAll = (packed: string): ReadonlyArray<string> => {
  const failures: Array<string> = []
  const tell = (what: string, { status, stderr, stdout }: SpawnSyncReturns<string>): void => {
    process.stdout.write(`${what}: ${status === 0 ? "works" : "FAILS"}\n`)
    if (status !== 0) failures.push(`${what}\n${stdout}${stderr}`)
  }
  const tarballs = readdirSync(packed)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(packed, name))
  const manifests = tarballs
    .map(
      (tarball): Manifest =>
        JSON.parse(run("tar", ["--extract", "--to-stdout", "--file", tarball, "package/package.json"], there))
    )
    // The command line has no modules to import; its build tries it.
    .filter(({ exports }) => exports !== undefined)
  const nodes = [...first(manifests.map(({ engines }) => engines.node)), ...lines].map(node)
  const ranges = new Set(manifests.flatMap(({ peerDependencies = {} }) => peerDependencies.effect ?? []))
  const newest = [...ranges].map((range) => run("npm", ["view", `effect@${range}`, "version", "--json"], there))
  const effects = new Set([...first(ranges), ...newest.flatMap((text) => [JSON.parse(text)].flat().at(-1) as string)])
  for (const effect of effects) {
    const folder = project(tarballs, effect)
    const modules = manifests.map((manifest) => modulesOf(folder, manifest))
    const admits = (version: string, name: string): boolean =>
      satisfies(version, manifests.find((each) => each.name === name)?.engines.node ?? "*")
    for (const [name, question] of Object.entries(questions)) writeFileSync(join(folder, name, "ask.mjs"), question)
    writeFileSync(join(folder, "refused.mjs"), refused)
    for (const program of nodes) {
      const version = run(program, ["--version"], there).trim()
      const beside = `Node ${version.slice(1)}, effect ${effect}`
      for (const { file, needs } of modules.flat()) {
        if (!needs.every((name) => admits(version, name))) continue
        tell(`${beside}, ${needs[0]} (${file})`, attempt(program, [file], folder))
      }
      if (!admits(version, "@slipway/embed")) {
        // Modules of an older version import names that it lacks.
        if (!satisfies(version, ">=20.12")) continue
        tell(`${beside}, @slipway/embed says which Node it needs`, attempt(program, ["refused.mjs"], folder))
        continue
      }
      for (const name of Object.keys(questions)) {
        tell(`${beside}, examples/${name}`, attempt(program, ["ask.mjs"], join(folder, name)))
      }
    }
    const modulesHere = join(import.meta.dirname, "../node_modules")
    const sources = modules.map(([first]) => first?.file ?? "")
    const options = [
      "--module",
      "nodenext",
      "--target",
      "esnext",
      "--strict",
      "--noEmit",
      "--allowJs",
      "--types",
      "node"
    ]
    const compiler = [join(modulesHere, "typescript/bin/tsc"), "--typeRoots", join(modulesHere, "@types")]
    tell(`types beside effect ${effect}`, attempt(process.execPath, [...compiler, ...options, ...sources], folder))
  }
  return failures
}

if (import.meta.main) {
  try {
    const failures = tryAll(resolve(process.argv[2] ?? "packed"))
    process.stderr.write(failures.join("\n"))
    if (failures.length > 0) process.exitCode = 1
  } finally {
    rmSync(there, { recursive: true, force: true })
  }
}
