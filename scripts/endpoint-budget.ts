/**
 * Counts the cost of an endpoint of the forge: lines of HTTP code and compiler instantiations. Fails if either is
 * above `endpoint-budget.json`. Its numbers only shrink.
 *
 * Counts lines from `endpoints(` and `handle(` to their ends: shapes and handlers. Schemas and mapping functions
 * belong to the feature. Compiles twice to subtract the instantiations of the shared code.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "..")
const file = join(import.meta.dirname, "endpoint-budget.json")

interface Budget {
  readonly linesPerEndpoint: number
  readonly instantiationsPerEndpoint: number
}

const sources = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(root, folder, name), "utf8"))

/** Returns the number of lines of a source inside top-level calls of a function. */
const linesIn = (source: string, called: string): ReadonlyArray<string> => {
  const taken: Array<string> = []
  let inside = false
  for (const line of source.split("\n")) {
    if (new RegExp(`^export const \\w+ = ${called}\\(`).test(line)) inside = true
    if (inside) taken.push(line)
    if (inside && /^(\}?\)|.*\)$)/.test(line) && !line.startsWith(" ") && !line.endsWith("(")) inside = false
  }
  return taken
}

const declared = sources("packages/http/src/api/forge").flatMap((source) => linesIn(source, "endpoints"))
const handled = sources("packages/http/src/server/forge").flatMap((source) => linesIn(source, "handle(?:Still)?"))
const endpoints = declared.filter((line) => /^ +"[\w.-]+": /.test(line)).length
const lines = (declared.length + handled.length) / endpoints

/** Returns the number of type instantiations for a program of some files. */
const instantiationsOf = (files: ReadonlyArray<string>): number => {
  const project = join(root, "node_modules/.cache/endpoint-budget.json")
  mkdirSync(dirname(project), { recursive: true })
  const compilerOptions = {
    noEmit: true,
    emitDeclarationOnly: false,
    incremental: false,
    composite: false,
    tsBuildInfoFile: null,
    plugins: []
  }
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions,
      include: [],
      files: files.map((name) => join(root, name))
    })
  )
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const { stdout } = spawnSync(process.execPath, [compiler, "--project", project, "--extendedDiagnostics"], {
    cwd: root,
    encoding: "utf8"
  })
  return Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1] ?? Number.NaN)
}

const forge = "packages/http/src/server/forge"
const mechanism = instantiationsOf([`${forge}/entry/handle.ts`, `${forge}/base/show.ts`])
const instantiations = (instantiationsOf([`${forge}/layer.ts`]) - mechanism) / endpoints

const counted: Budget = {
  linesPerEndpoint: Math.ceil(lines * 100) / 100,
  instantiationsPerEndpoint: Math.ceil(instantiations)
}
const budget = JSON.parse(readFileSync(file, "utf8")) as Budget
process.stdout.write(
  `${endpoints} endpoints of the forge, each ${counted.linesPerEndpoint} lines of HTTP (at most ${budget.linesPerEndpoint}) and ${counted.instantiationsPerEndpoint} instantiations of types (at most ${budget.instantiationsPerEndpoint})\n`
)
const over = (Object.keys(counted) as Array<keyof Budget>).filter((name) => !(counted[name] <= budget[name]))
for (const name of over)
  process.stderr.write(`${name} is over its budget: ${counted[name]}, not at most ${budget[name]}\n`)
process.exitCode = over.length > 0 ? 1 : 0
