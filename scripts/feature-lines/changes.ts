/** Applies a change of the sources, given as data, to a copy of the repository, and runs tests there. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** Lines that are added to a file: at its end, or next to the only line with that text. */
export interface Change {
  readonly file: string
  readonly after?: string
  readonly before?: string
  readonly add: ReadonlyArray<string>
}

const root = join(import.meta.dirname, "../..")

/** Returns the numbers of files and lines of a change. */
export const sizeOf = (changes: ReadonlyArray<Change>): { readonly files: number; readonly lines: number } => ({
  files: new Set(changes.map(({ file }) => file)).size,
  lines: changes.reduce((all, { add }) => all + add.length, 0)
})

/** Returns the text of a file after a change; fails if the line next to it is missing or not the only one. */
export const changed = (text: string, { add, after, before, file }: Change): string => {
  const beside = after ?? before
  if (beside === undefined) return [text, ...add].filter((each) => each !== "").join("\n")
  const lines = text.split("\n")
  const at = lines.indexOf(beside)
  if (at === -1 || lines.indexOf(beside, at + 1) !== -1) {
    throw new Error(`${file} needs exactly one line \`${beside}\`: update scripts/feature-lines/`)
  }
  return lines.toSpliced(after === undefined ? at : at + 1, 0, ...add).join("\n")
}

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Returns the text of each changed file. */
export const filesAfter = (changes: ReadonlyArray<Change>): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const change of changes) {
    texts.set(change.file, changed(texts.get(change.file) ?? readOrEmpty(join(root, change.file)), change))
  }
  return texts
}

/** Copies the repository, with links to its installed packages. */
const copy = (to: string) => {
  const left = new Set(["node_modules", ".git", ".turbo", ".slipway", "dist"])
  for (const each of readdirSync(root)) {
    if (!left.has(each)) {
      cpSync(join(root, each), join(to, each), {
        recursive: true,
        filter: (path) => !/\/(node_modules|dist)$/.test(path)
      })
    }
  }
  mkdirSync(join(to, "node_modules/@slipway"), { recursive: true })
  for (const each of readdirSync(join(root, "node_modules"))) {
    if (each !== "@slipway") symlinkSync(join(root, "node_modules", each), join(to, "node_modules", each))
  }
  for (const each of readdirSync(join(root, "packages"))) {
    symlinkSync(join("../../packages", each), join(to, "node_modules/@slipway", each))
    const own = join(root, "packages", each, "node_modules")
    if (readdirSync(dirname(own)).includes("node_modules")) symlinkSync(own, join(to, "packages", each, "node_modules"))
  }
}

/** Runs tests on a copy of the repository with a change; returns whether each of them ran and passed. */
export const passWith = (
  changes: ReadonlyArray<Change>,
  tests: ReadonlyArray<readonly [file: string, title: string]>
): boolean => {
  const directory = mkdtempSync(join(tmpdir(), "slipway-change-"))
  try {
    copy(directory)
    for (const [file, text] of filesAfter(changes)) {
      mkdirSync(dirname(join(directory, file)), { recursive: true })
      writeFileSync(join(directory, file), text)
    }
    return tests.every(([file, title]) => {
      const { status, stderr, stdout } = spawnSync("npx", ["vitest", "run", file, "-t", title, "--reporter=dot"], {
        cwd: directory,
        encoding: "utf8"
      })
      const passed = status === 0 && !/\b0 passed/.test(stdout)
      if (!passed) process.stderr.write(`${stdout}\n${stderr}\n`.slice(-5_000))
      return passed
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
