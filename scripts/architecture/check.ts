/** Checks a repository's files against the table, and says how to fix each violation. */
import { builtinModules } from "node:module"
import { posix } from "node:path"
import { folderCycles, largeFolders, unlistedAreas, upwardImports } from "./folders.ts"
import { type Module, readModule } from "./module.ts"
import * as house from "./table.ts"

/** The texts of a repository's source files and package.json files, by path from its root, with forward slashes. */
export type Repository = ReadonlyMap<string, string>

/** The rules to check a repository against: the table, or the rules of a test. */
export type Rules = Pick<typeof house, "table" | "overlong">

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** A file of a package or an app: where it belongs, and whether it is a source that others get, or a test or benchmark. */
interface Member {
  readonly path: string
  readonly part: string
  readonly source: boolean
  readonly module: Module
}

const builtins = new Set(builtinModules)
const isNode = (specifier: string) => specifier.startsWith("node:") || builtins.has(specifier.split("/")[0] ?? "")
const isRelative = (specifier: string) => specifier.startsWith(".")

/** Returns the package of a specifier: `@scope/name/a/b` belongs to `@scope/name`. */
const packageOf = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

/** Returns which of two independent folders a path or specifier belongs to, if any. */
const sideOf = (path: string): string | undefined =>
  path
    .split("/")
    .map((segment) => segment.replace(/\.ts$/, ""))
    .find((segment) => house.separateFolders.includes(segment))

/** Returns every violation of the rules as one line: the location, then how to fix it. */
export const breaches = (repository: Repository, rules: Rules = house): ReadonlyArray<string> => {
  const found: Array<string> = []
  const manifest = (part: string): Manifest =>
    JSON.parse(repository.get(part === "" ? "package.json" : `${part}/package.json`) ?? "{}")
  const root = manifest("")

  const parts = [...repository.keys()]
    .filter((path) => /^(packages|apps)\/[^/]+\/package\.json$/.test(path))
    .map((path) => posix.dirname(path))
  const partOfName = new Map(parts.map((part) => [manifest(part).name, part]))

  const members: Array<Member> = []
  for (const [path, text] of repository) {
    if (!path.endsWith(".ts")) continue
    const match = /^((?:packages|apps)\/[^/]+)\/(src|test|bench)\//.exec(path)
    const module = readModule(path, text)
    if (match?.[1] !== undefined) members.push({ path, part: match[1], source: match[2] === "src", module })
    if (match?.[2] === "src" || path.startsWith("scripts/")) found.push(...lengthOf(path, module.lines, rules.overlong))
  }
  for (const path of Object.keys(rules.overlong)) {
    if (!repository.has(path)) found.push(`${path} is gone: take it off \`overlong\` in scripts/architecture/table.ts`)
  }

  for (const part of parts) {
    const row = rules.table[part]
    if (row === undefined) {
      found.push(`${part} has no row in scripts/architecture/table.ts: add one that says what it may import`)
      continue
    }
    const own = members.filter((member) => member.part === part)
    for (const member of own) found.push(...importsOf(member, row, partOfName, manifest(part), root))
    if (own.length > 0) found.push(...unused(part, manifest(part), own))
  }
  for (const { path, part, source, module } of members) {
    if (source && part.startsWith("packages/")) {
      for (const { name, line, sentence } of module.exports) {
        if (sentence === undefined) {
          found.push(
            `${path}:${line} exports \`${name}\` without a docstring: begin one with a sentence that stands alone and ends in a full stop`
          )
        }
      }
    }
    if (source && rules.table[part]?.src.node === false) {
      for (const { name, line } of module.impure) {
        found.push(`${path}:${line} uses \`${name}\`, and ${part} is pure: use ${house.impureGlobals[name]}`)
      }
    }
  }
  const imports = members
    .filter(({ source }) => source)
    .flatMap(({ module, path }) =>
      module.imports
        .filter(({ name }) => isRelative(name))
        .map(({ name }) => ({ from: path, to: posix.join(posix.dirname(path), name) }))
    )
  return [
    ...found,
    ...cycles(members),
    ...folderCycles(imports),
    ...upwardImports(imports),
    ...unlistedAreas(members.flatMap(({ path, source }) => (source ? [path] : []))),
    ...largeFolders(members.map(({ path }) => path))
  ]
}

/** Returns each cycle of sources that import each other, type imports included. */
const cycles = (members: ReadonlyArray<Member>): ReadonlyArray<string> => {
  const imported = new Map(
    members
      .filter(({ source }) => source)
      .map(({ module, path }) => [
        path,
        module.imports.filter(({ name }) => isRelative(name)).map(({ name }) => posix.join(posix.dirname(path), name))
      ])
  )
  const found: Array<string> = []
  const done = new Set<string>()
  const visit = (path: string, above: ReadonlyArray<string>): void => {
    const start = above.indexOf(path)
    if (start >= 0) {
      const circle = above.slice(start)
      found.push(
        `${path} imports itself by way of ${circle.slice(1).join(", ") || "nothing"}: move what both need to a file of its own`
      )
    }
    if (start >= 0 || done.has(path)) return
    for (const next of imported.get(path) ?? []) visit(next, [...above, path])
    done.add(path)
  }
  for (const path of imported.keys()) visit(path, [])
  return found
}

const lengthOf = (path: string, lines: number, overlong: Rules["overlong"]): ReadonlyArray<string> => {
  if (/(^|\/)(test|generated)\/|\.generated\.ts$/.test(path)) return []
  const listed = overlong[path]
  if (listed === undefined) {
    return lines > house.longestFile
      ? [
          `${path} has ${lines} lines, more than ${house.longestFile}: make it a folder of that name, one file a concern`
        ]
      : []
  }
  if (lines <= house.longestFile) {
    return [
      `${path} is within ${house.longestFile} lines now: take it off \`overlong\` in scripts/architecture/table.ts`
    ]
  }
  if (lines > listed) return [`${path} grew from ${listed} to ${lines} lines, and \`overlong\` only shrinks: split it`]
  if (lines < listed) return [`${path} shrank to ${lines} lines: lower its number in \`overlong\` from ${listed}`]
  return []
}

const importsOf = (
  { path, part, source, module }: Member,
  row: house.Row,
  partOfName: ReadonlyMap<string, string>,
  manifest: Manifest,
  root: Manifest
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const declaredForUse = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies }
  const declaredForTests = { ...declaredForUse, ...manifest.devDependencies, ...root.devDependencies }
  const side = sideOf(path)

  for (const { name, line } of module.imports) {
    const at = `${path}:${line}`
    const say = (problem: string) => found.push(`${at} imports \`${name}\`${problem}`)
    const target = isRelative(name) ? posix.join(posix.dirname(path), name) : undefined

    const other = sideOf(target ?? name)
    if (side !== undefined && other !== undefined && side !== other) {
      say(`, and ${side}/ and ${other}/ never import each other: move what both need to a file outside the two`)
    }
    if (target !== undefined) {
      const isForTests = !source && target.startsWith(house.testTooling)
      if (!isForTests && !target.startsWith(`${part}/`))
        say(", a file of another package: import that package by its name")
      else if (source && !target.startsWith(`${part}/src/`)) say(", and sources import only sources: move it to src/")
      if (!/\.(ts|json)$/.test(name)) say(", which Node can't run without a build: end a relative import in .ts")
      for (const [from, to, why] of house.doors) {
        if (path.startsWith(`${from}/`) && target.startsWith(`${to}/`)) {
          say(`: ${from} never imports ${to}, because ${why}; move what both need to ${from}`)
        }
      }
      continue
    }
    if (isNode(name)) {
      if (source && !row.src.node) say(`, and ${part} is pure: make it a port, which an adapter implements`)
      continue
    }
    const dependency = packageOf(name)
    if (house.hostModules[part]?.includes(dependency)) continue
    if (dependency === manifest.name) {
      if (source) say(", its own package by name: import the file by its relative path")
      continue
    }
    const neighbour = partOfName.get(dependency)
    if (neighbour !== undefined) {
      const allowed =
        source || row.test === "all" || row.src.slipway === "all" ? row.src.slipway : [...row.src.slipway, ...row.test]
      const short = posix.basename(neighbour)
      if (allowed !== "all" && !(neighbour.startsWith("packages/") && allowed.includes(short))) {
        say(
          `, and ${part}${source ? "" : "'s tests"} may import only ${allowed.join(", ") || "no other package"} of this repository: ` +
            "move the code to where it may, or change the table in scripts/architecture/table.ts and say why in docs/explanation/architecture.md"
        )
      }
    } else if (source && row.src.npm !== "declared" && !row.src.npm.includes(dependency)) {
      say(
        `, and ${part} may import only ${row.src.npm.join(", ")} from npm: make it a port, which an adapter implements`
      )
    }
    if (source && !Object.hasOwn(declaredForUse, dependency)) {
      say(`, which ${part}/package.json does not declare: add ${dependency} to its \`dependencies\``)
    }
    if (!source && !Object.hasOwn(declaredForTests, dependency)) {
      say(`, which ${part}/package.json does not declare: add ${dependency} to its \`devDependencies\``)
    }
  }
  return found
}

const unused = (part: string, manifest: Manifest, members: ReadonlyArray<Member>): ReadonlyArray<string> => {
  const importedBy = (some: ReadonlyArray<Member>) =>
    new Set(some.flatMap(({ module }) => module.imports.map(({ name }) => packageOf(name))))
  const bySources = importedBy(members.filter(({ source }) => source))
  const byAll = importedBy(members)
  const found: Array<string> = []
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (house.neededWithoutImport[part]?.includes(name)) continue
    if (!byAll.has(name)) found.push(`${part}/package.json declares ${name}, which nothing imports: remove it`)
    else if (!bySources.has(name)) {
      found.push(`${part}/package.json declares ${name}, which only tests import: move it to \`devDependencies\``)
    }
  }
  for (const name of Object.keys(manifest.devDependencies ?? {})) {
    if (name.startsWith("@types/") || Object.hasOwn(manifest.peerDependencies ?? {}, name)) continue
    if (!byAll.has(name)) found.push(`${part}/package.json declares ${name}, which nothing imports: remove it`)
  }
  return found
}
