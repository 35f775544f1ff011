/**
 * Prepares a release: `npm run release` consumes the pending changesets, sets one version for every package and adds a section
 * to CHANGELOG.md. `npm run release -- --dry-run` prints the version and the section and changes nothing.
 *
 * `npm run release -- --registry <url>` builds and publishes the current version to any npm registry, with the token of `.npmrc`.
 * `--packed <directory>` publishes packages that `npm run build -- --out <directory>` wrote. Published versions are skipped.
 */
import { spawnSync } from "node:child_process"
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import readChangesets from "@changesets/read"
import { inc } from "semver"

/** The part of a changeset file that the changelog needs. */
export interface PendingChange {
  readonly summary: string
  readonly releases: ReadonlyArray<{ readonly type: "major" | "minor" | "patch" | "none" }>
}

const bumps = ["major", "minor", "patch"] as const

const titles = { major: "Breaking changes", minor: "Added and changed", patch: "Fixed" } as const

const bumpOf = ({ releases }: PendingChange) => bumps.find((bump) => releases.some(({ type }) => type === bump))

/** Returns the next version of every package, or undefined if no change is pending. */
export const nextVersion = (current: string, changes: ReadonlyArray<PendingChange>): string | undefined => {
  const bump = bumps.find((each) => changes.some((change) => bumpOf(change) === each))
  return bump === undefined ? undefined : (inc(current, bump) ?? undefined)
}

/** Returns the section of CHANGELOG.md for a release, with one list item for each change. */
export const changelogSection = (version: string, date: string, changes: ReadonlyArray<PendingChange>): string => {
  const parts = bumps.flatMap((bump) => {
    const items = changes
      .filter((change) => bumpOf(change) === bump)
      .map(({ summary }) => `- ${summary.trim().replaceAll("\n", "\n  ")}`)
      .sort()
    return items.length === 0 ? [] : [`### ${titles[bump]}\n\n${items.join("\n")}\n`]
  })
  return `## ${version} (${date})\n\n${parts.join("\n")}`
}

/** Returns the changelog with a section before those of earlier releases. */
export const withSection = (changelog: string, section: string): string => {
  const first = changelog.search(/^## /m)
  return first === -1
    ? `${changelog.trimEnd()}\n\n${section}`
    : `${changelog.slice(0, first)}${section}\n${changelog.slice(first)}`
}

const run = (command: string, args: ReadonlyArray<string>, cwd: string): void => {
  const { status } = spawnSync(command, args, { cwd, stdio: "inherit" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${status}`)
}

const main = async (root: string, isDryRun: boolean): Promise<void> => {
  const { version: current } = JSON.parse(readFileSync(join(root, "packages/http/package.json"), "utf8"))
  const changes = await readChangesets(root)
  const version = nextVersion(current, changes)
  if (version === undefined) {
    process.stdout.write(`nothing to release: no changeset is pending, the current version is ${current}\n`)
    return
  }
  const section = changelogSection(version, new Date().toISOString().slice(0, 10), changes)
  if (isDryRun) {
    process.stdout.write(`would release ${version} (now ${current}) and add to CHANGELOG.md:\n\n${section}`)
    return
  }
  run("npx", ["changeset", "version"], root)
  run("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"], root)
  for (const example of globSync("examples/*/package.json", { cwd: root })) {
    const manifest = join(root, example)
    const text = readFileSync(manifest, "utf8")
    writeFileSync(manifest, text.replaceAll(new RegExp(`("@slipway/[a-z]+": )"${current}"`, "g"), `$1"${version}"`))
  }
  const path = join(root, "CHANGELOG.md")
  writeFileSync(path, withSection(readFileSync(path, "utf8"), section))
  process.stdout.write(`prepared ${version}: edit its section of CHANGELOG.md, then commit and tag v${version}\n`)
}

/** The manifest of a packed package, as far as its publication needs it. */
export interface Packed {
  readonly file: string
  readonly name: string
  readonly version: string
  readonly repository?: { readonly url: string }
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Returns packages in an order in which each follows its dependencies, so that a published one can be installed. */
export const publishOrder = (packages: ReadonlyArray<Packed>): ReadonlyArray<Packed> => {
  const byName = new Map(packages.map((each) => [each.name, each]))
  const ordered = new Set<Packed>()
  const visit = (each: Packed): void => {
    if (ordered.has(each)) return
    for (const name of Object.keys(each.dependencies ?? {})) {
      const dependency = byName.get(name)
      if (dependency !== undefined) visit(dependency)
    }
    ordered.add(each)
  }
  for (const each of packages) visit(each)
  return [...ordered]
}

/** Returns why packages must not be published to a registry; undefined if they may be. */
export const obstacle = (packages: ReadonlyArray<Packed>, registry: string): string | undefined => {
  if (!URL.canParse(registry) || !/^https?:$/.test(new URL(registry).protocol)) {
    return `${registry} is not the address of a registry, such as https://git.example/api/packages/acme/npm/`
  }
  if (packages.length === 0) return "there is no packed package"
  const versions = new Set(packages.map(({ version }) => version))
  if (versions.size > 1) return `the packages have different versions: ${[...versions].join(", ")}`
  const names = new Set(packages.map(({ name }) => name))
  for (const { dependencies = {}, name } of packages) {
    const missing = Object.keys(dependencies).find((each) => each.startsWith("@slipway/") && !names.has(each))
    if (missing !== undefined) return `${name} depends on ${missing}, which is not among the packages`
  }
  return undefined
}

const manifestIn = (file: string): Packed => {
  const { error, status, stderr, stdout } = spawnSync("tar", ["-xzOf", file, "package/package.json"], {
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`${file} can't be read: ${error?.message ?? ""}${stderr}`)
  return { ...JSON.parse(stdout), file }
}

const npm = (args: ReadonlyArray<string>, cwd: string) =>
  process.env.npm_execpath === undefined
    ? spawnSync("npm", args, { cwd, encoding: "utf8" })
    : spawnSync(process.execPath, [process.env.npm_execpath, ...args], { cwd, encoding: "utf8" })

/** Publishes packed packages to a registry; skips versions that it has. */
const publish = (folder: string, registry: string): void => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  const packages = publishOrder(files.map((name) => manifestIn(join(folder, name))))
  const why = obstacle(packages, registry)
  if (why !== undefined) throw new Error(why)
  if (packages.some(({ repository }) => /\.example\b/.test(repository?.url ?? ".example"))) {
    process.stderr.write("note: `repository` in package.json is an example; set its address before a public release\n")
  }
  const from = [`--registry=${registry}`, `--@slipway:registry=${registry}`]
  for (const { file, name, version } of packages) {
    const known = npm(["view", `${name}@${version}`, "version", "--json", ...from], folder)
    if (known.status === 0 && known.stdout.trim() !== "") {
      process.stdout.write(`${name} ${version} is already published\n`)
      continue
    }
    const tag = version.includes("-") ? "next" : "latest"
    const { error, status, stderr } = npm(
      ["publish", file, "--access", "public", "--tag", tag, "--ignore-scripts", ...from],
      folder
    )
    if (status !== 0) throw new Error(`${name} ${version} was not published: ${error?.message ?? ""}${stderr}`)
    process.stdout.write(`${name} ${version} published\n`)
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..")
  const { values } = parseArgs({
    options: {
      "dry-run": { type: "boolean", default: false },
      registry: { type: "string" },
      packed: { type: "string" }
    }
  })
  const { packed, registry } = values
  if (registry === undefined) await main(root, values["dry-run"])
  else {
    const temporary = packed === undefined ? mkdtempSync(join(tmpdir(), "slipway-release-")) : undefined
    try {
      if (temporary !== undefined) run("npm", ["run", "build", "--", "--out", temporary], root)
      publish(temporary ?? resolve(packed ?? ""), registry)
    } catch (problem) {
      process.stderr.write(`${problem instanceof Error ? problem.message : problem}\n`)
      process.exitCode = 1
    } finally {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
    }
  }
}
