/** The rules about imports, globals and file lengths, as data. `docs/explanation/architecture.md` gives the reasons. */

/** Allowed imports of the files of one part of a package. */
export interface Allowed {
  /** Packages and apps of this repository, by the name of their folder. */
  readonly slipway: ReadonlyArray<string> | "all"
  /** Packages from npm; "declared" means any that the part's own package.json lists. */
  readonly npm: ReadonlyArray<string> | "declared"
  /** Whether Node's own modules, and the globals that reach outside the process, may be used. */
  readonly node: boolean
}

/** Allowed imports of a package's sources, and additional ones of its tests. */
export interface Row {
  readonly src: Allowed
  readonly test: ReadonlyArray<string> | "all"
}

const pure = (slipway: ReadonlyArray<string>, npm: Allowed["npm"]): Allowed => ({ slipway, npm, node: false })
/** Allowed imports of every adapter. */
const core = ["access", "domain"] as const
const adapter: Allowed = { slipway: [...core], npm: "declared", node: true }
const composition: Row = { src: { slipway: "all", npm: "declared", node: true }, test: "all" }

/**
 * Packages that a package needs although no source imports them: emitted declarations name them for inferred types of
 * proofs, or browsers receive their modules as assets.
 */
export const neededWithoutImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/console": ["@xterm/addon-fit", "@xterm/xterm"],
  "packages/deploy": ["@slipway/access"]
}

/** The dependency table: one row for each folder of packages/ and of apps/. */
export const table: Readonly<Record<string, Row>> = {
  "packages/access": { src: pure([], []), test: ["domain", "forge"] },
  "packages/domain": { src: pure(["access"], ["effect"]), test: [] },
  "packages/forge": { src: pure([...core], ["effect"]), test: [] },
  "packages/deploy": { src: pure([...core], ["effect"]), test: [] },
  "packages/testkit": { src: pure([...core, "forge", "deploy"], ["effect", "@effect/vitest", "yaml"]), test: [] },
  "packages/memory": { src: pure([...core], "declared"), test: ["testkit", "forge", "deploy"] },
  "packages/sql": { src: adapter, test: ["testkit", "memory", "forge", "deploy"] },
  "packages/egress": { src: adapter, test: [] },
  "packages/git": {
    src: { slipway: [...core, "egress", "subprocess", "ssh"], npm: "declared", node: true },
    test: ["testkit", "memory", "docker", "forge", "deploy"]
  },
  "packages/docker": { src: { slipway: [...core, "ssh"], npm: "declared", node: true }, test: ["testkit", "memory"] },
  "packages/caddy": {
    src: { slipway: [...core, "ssh"], npm: "declared", node: true },
    test: ["testkit", "memory", "docker"]
  },
  "packages/subprocess": { src: { slipway: [], npm: "declared", node: true }, test: [] },
  "packages/threads": { src: { slipway: [], npm: "declared", node: true }, test: [] },
  "packages/compose": {
    src: { slipway: [...core, "subprocess", "threads"], npm: "declared", node: true },
    test: ["testkit"]
  },
  "packages/buildpacks": { src: { slipway: [...core, "subprocess"], npm: "declared", node: true }, test: [] },
  "packages/ssh": {
    src: { slipway: [...core, "forge"], npm: "declared", node: true },
    test: ["testkit", "memory"]
  },
  "packages/signatures": { src: adapter, test: ["testkit"] },
  "packages/blobs": { src: { slipway: [...core, "egress"], npm: "declared", node: true }, test: ["testkit"] },
  "packages/credentials": { src: adapter, test: [] },
  "packages/templates": { src: { slipway: [...core, "threads"], npm: "declared", node: true }, test: [] },
  "packages/avatars": { src: adapter, test: [] },
  "packages/mail": { src: adapter, test: ["testkit", "memory", "forge"] },
  "packages/openid": {
    src: { slipway: [...core, "forge"], npm: "declared", node: true },
    test: ["testkit", "memory"]
  },
  "packages/markdown": { src: { slipway: [...core, "threads"], npm: "declared", node: true }, test: [] },
  "packages/http": {
    src: { slipway: [...core, "forge", "deploy"], npm: "declared", node: true },
    test: ["testkit", "memory", "sql", "ssh", "git", "signatures", "markdown", "openid"]
  },
  "packages/client": { src: { slipway: [], npm: [], node: true }, test: [] },
  // Pages contain no decisions: they use a service only through its typed client.
  "packages/web": { src: { slipway: ["client", "threads"], npm: "declared", node: true }, test: [] },
  "packages/language-server": { src: { slipway: [...core, "testkit"], npm: "declared", node: true }, test: [] },
  "packages/vscode": { src: { slipway: [], npm: "declared", node: true }, test: [] },
  "packages/mcp": { src: { slipway: [], npm: "declared", node: true }, test: ["embed", "http"] },
  "packages/console": { src: { slipway: ["client", "web"], npm: "declared", node: true }, test: [] },
  "packages/embed": composition,
  "packages/bench": composition,
  "packages/demo": composition,
  "apps/forge": composition,
  "apps/deploy": composition,
  "apps/cli": composition
}

/** Modules that a host provides at run time, without a package. */
export const hostModules: Readonly<Record<string, ReadonlyArray<string>>> = { "packages/vscode": ["vscode"] }

/** Folders that never import each other. */
export const separateFolders: readonly [string, string] = ["forge", "deploy"]

/**
 * Folders that clients import without the rest of their package: the first folder of each row must not import the
 * second.
 */
export const doors: ReadonlyArray<readonly [from: string, to: string, why: string]> = [
  ["packages/http/src/api", "packages/http/src/server", "clients import the endpoint definitions without the server"]
]

/** The module with which the tests of all packages read the options of a test run. */
export const testTooling = "scripts/vitest/"

/** Globals that a pure package must not use, with the replacement of each. */
export const impureGlobals: Readonly<Record<string, string>> = {
  Date: "Clock or DateTime from effect",
  Buffer: "Uint8Array, or Encoding from effect",
  console: "Effect.log",
  crypto: "Crypto from effect, or a port",
  fetch: "a port",
  globalThis: "a port",
  performance: "Clock from effect",
  process: "Config from effect, or a port",
  require: "import",
  setImmediate: "Effect.yieldNow",
  setInterval: "Schedule from effect",
  setTimeout: "Effect.sleep",
  "Math.random": "Random from effect"
}

/** The number of lines above which a file must become a folder. Tests and generated files have no limit. */
export const longestFile = 400

/** Files that currently exceed that length. The list and its numbers only shrink. */
export const overlong: Readonly<Record<string, number>> = {}
