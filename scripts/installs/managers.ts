import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "./run.ts"

/** A package manager as a user runs it, in an empty project. */
export interface Manager {
  readonly name: string
  /** Whether the trial also installs the packages with native dependencies, and bundles. */
  readonly isComplete: boolean
  /** Whether the trial also runs the packages with older versions of Node. */
  readonly hasOlderNodes?: boolean
  /** Writes the settings that lead to the registry of the packages. */
  readonly configure: (project: string, registry: string) => void
  readonly install: (project: string) => Promise<string>
  /** Runs a program of an installed package. */
  readonly exec: (project: string, program: string, args: ReadonlyArray<string>) => Promise<string>
  /** Runs the command of a package that is not installed, as `npx` does. */
  readonly start: (project: string, name: string, args: ReadonlyArray<string>) => Promise<string>
}

const modules = join(import.meta.dirname, "../../node_modules")

/** The registry of all other packages, as npm on this machine has it. */
const other = (): Promise<string> => run("npm", ["config", "get", "registry"], "/").then((text) => text.trim())

const npmrc = (project: string, registry: string): void =>
  writeFileSync(join(project, ".npmrc"), `@slipway:registry=${registry}\n`)

const npm: Manager = {
  name: "npm",
  isComplete: true,
  hasOlderNodes: true,
  configure: npmrc,
  install: (project) => run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], project),
  exec: (project, program, args) => run("npm", ["exec", "--offline", "--", program, ...args], project),
  start: (project, name, args) => run("npm", ["exec", "--yes", `--package=${name}`, "--", "slipway", ...args], project)
}

const pnpmProgram = join(modules, "pnpm/bin/pnpm.mjs")
const pnpm: Manager = {
  name: "pnpm",
  isComplete: true,
  configure: (project, registry) => {
    npmrc(project, registry)
    // The packages are newer than the minimum age that protects from new malicious releases.
    writeFileSync(join(project, "pnpm-workspace.yaml"), 'minimumReleaseAgeExclude:\n  - "@slipway/*"\n')
  },
  install: (project) =>
    run(process.execPath, [pnpmProgram, "install", "--ignore-scripts", "--store-dir", "store"], project),
  exec: (project, program, args) => run(process.execPath, [pnpmProgram, "exec", program, ...args], project),
  start: (project, name, args) =>
    run(process.execPath, [pnpmProgram, "dlx", `--package=${name}`, "slipway", ...args], project)
}

const yarnProgram = join(modules, "@yarnpkg/cli-dist/bin/yarn.js")
const yarn: Manager = {
  name: "yarn",
  isComplete: false,
  configure: (project, registry) => {
    const settings = [
      "enableTelemetry: false",
      "enableScripts: false",
      "nodeLinker: node-modules",
      'unsafeHttpWhitelist: ["127.0.0.1"]',
      'npmPreapprovedPackages: ["@slipway/*"]',
      `npmScopes:\n  slipway:\n    npmRegistryServer: "${registry.replace(/\/$/, "")}"`
    ]
    writeFileSync(join(project, ".yarnrc.yml"), `${settings.join("\n")}\n`)
    writeFileSync(join(project, "yarn.lock"), "")
  },
  install: async (project) =>
    run(process.execPath, [yarnProgram, "install"], project, {
      YARN_NPM_REGISTRY_SERVER: (await other()).replace(/\/$/, ""),
      YARN_GLOBAL_FOLDER: join(project, ".yarn-global"),
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false"
    }),
  exec: (project, program, args) => run(process.execPath, [yarnProgram, "run", program, ...args], project),
  start: (project, _, args) => run(process.execPath, [yarnProgram, "run", "slipway", ...args], project)
}

const bunName = `bun-${process.platform === "win32" ? "windows" : process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`
// The package of the platform has the program, until bun's install script moves it.
const bunProgram =
  [join(modules, "@oven", bunName, "bin/bun"), join(modules, "bun/bin/bun.exe")].find(existsSync) ?? "bun"
const bunSettings = (project: string) => ({ BUN_INSTALL_CACHE_DIR: join(project, ".bun-cache") })
const bun: Manager = {
  name: "bun",
  isComplete: false,
  configure: npmrc,
  install: (project) => run(bunProgram, ["install", "--ignore-scripts"], project, bunSettings(project)),
  exec: (project, program, args) => run(bunProgram, ["run", program, ...args], project),
  start: (project, name, args) =>
    run(bunProgram, ["x", `--package=${name}`, "slipway", ...args], project, bunSettings(project))
}

/** The package managers, in the order of the trials. */
export const managers: ReadonlyArray<Manager> = [npm, pnpm, yarn, bun]
