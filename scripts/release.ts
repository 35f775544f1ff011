/**
 * Prepares a release: `npm run release` consumes the pending changesets, sets one version for every package and adds a section
 * to CHANGELOG.md. `npm run release -- --dry-run` prints the version and the section and changes nothing.
 */
import { spawnSync } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
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

if (import.meta.main) {
  const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } })
  await main(join(import.meta.dirname, ".."), values["dry-run"])
}
