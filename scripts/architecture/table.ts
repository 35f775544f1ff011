/** The house's rules about imports, globals and file lengths, as data. `docs/explanation/architecture.md` says why they are so. */

/** What the files of one part of a package may import. */
export interface Allowed {
  /** Packages and apps of this repository, by the name of their folder. */
  readonly slipway: ReadonlyArray<string> | "all"
  /** Packages from npm; "declared" means any that the part's own package.json lists. */
  readonly npm: ReadonlyArray<string> | "declared"
  /** Whether Node's own modules, and the globals that reach outside the process, may be used. */
  readonly node: boolean
}

/** What a package's sources may import, and what its tests may import besides. */
export interface Row {
  readonly src: Allowed
  readonly test: ReadonlyArray<string> | "all"
}

const pure = (slipway: ReadonlyArray<string>, npm: Allowed["npm"]): Allowed => ({ slipway, npm, node: false })
const adapter: Allowed = { slipway: ["domain"], npm: "declared", node: true }
const composition: Row = { src: { slipway: "all", npm: "declared", node: true }, test: "all" }

/** The dependency table: one row for each folder of packages/ and of apps/. */
export const table: Readonly<Record<string, Row>> = {
  "packages/domain": { src: pure([], ["effect"]), test: [] },
  "packages/testkit": { src: pure(["domain"], ["effect", "@effect/vitest", "yaml"]), test: [] },
  "packages/memory": { src: pure(["domain"], "declared"), test: ["testkit"] },
  "packages/sql": { src: adapter, test: ["testkit", "memory"] },
  "packages/egress": { src: adapter, test: [] },
  "packages/git": {
    src: { slipway: ["domain", "egress", "subprocess", "ssh"], npm: "declared", node: true },
    test: ["testkit", "memory", "docker"]
  },
  "packages/docker": { src: { slipway: ["domain", "ssh"], npm: "declared", node: true }, test: ["testkit", "memory"] },
  "packages/caddy": {
    src: { slipway: ["domain", "ssh"], npm: "declared", node: true },
    test: ["testkit", "memory", "docker"]
  },
  "packages/subprocess": { src: { slipway: [], npm: "declared", node: true }, test: [] },
  "packages/threads": { src: { slipway: [], npm: "declared", node: true }, test: [] },
  "packages/compose": {
    src: { slipway: ["domain", "subprocess", "threads"], npm: "declared", node: true },
    test: ["testkit"]
  },
  "packages/buildpacks": { src: { slipway: ["domain", "subprocess"], npm: "declared", node: true }, test: [] },
  "packages/ssh": { src: adapter, test: ["testkit", "memory"] },
  "packages/signatures": { src: adapter, test: ["testkit"] },
  "packages/blobs": { src: adapter, test: ["testkit"] },
  "packages/credentials": { src: adapter, test: [] },
  "packages/templates": { src: { slipway: ["domain", "threads"], npm: "declared", node: true }, test: [] },
  "packages/avatars": { src: adapter, test: [] },
  "packages/mail": { src: adapter, test: ["testkit", "memory"] },
  "packages/openid": { src: adapter, test: ["testkit", "memory"] },
  "packages/markdown": { src: { slipway: ["domain", "threads"], npm: "declared", node: true }, test: [] },
  "packages/http": {
    src: adapter,
    test: ["testkit", "memory", "sql", "ssh", "git", "signatures", "markdown", "openid"]
  },
  "packages/client": { src: { slipway: [], npm: [], node: true }, test: ["embed"] },
  "packages/embed": composition,
  "packages/bench": composition,
  "apps/forge": composition,
  "apps/deploy": composition,
  "apps/cli": composition
}

/** Folders that never import each other, wherever they lie. */
export const strangers: readonly [string, string] = ["forge", "deploy"]

/** Folders whose files others import without the rest of their package: each may not import the second. */
export const doors: ReadonlyArray<readonly [from: string, to: string, why: string]> = [
  ["packages/http/src/api", "packages/http/src/server", "clients import the endpoint definitions without the server"]
]

/** Where the tests of all packages have what is about the run that they are in. */
export const testTooling = "scripts/vitest/"

/** Globals that a pure package may not use, and what to use for each. */
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

/** The length, in lines, past which a file becomes a folder. Tests and generated files have no limit. */
export const longestFile = 400

/** The files that are longer than that today, with their lengths. This list only shrinks, and so do its numbers. */
export const overlong: Readonly<Record<string, number>> = {}
