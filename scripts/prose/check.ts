/** Finds words to avoid in prose, and compares their numbers with the ratchet. */
import type { Prose } from "./texts.ts"
import words from "./words.json" with { type: "json" }

const rules = words.rules.map(({ avoid, use }) => ({ pattern: new RegExp(avoid, "i"), use }))

/** A word to avoid in a file, with what to use instead. */
export interface Finding {
  readonly path: string
  readonly line: number
  readonly found: string
  readonly use: string
}

/** Returns the words to avoid in the prose of a file, at most one for each rule and line. */
export const findingsIn = (path: string, prose: ReadonlyArray<Prose>): ReadonlyArray<Finding> =>
  prose.flatMap(({ line, text }) =>
    rules.flatMap(({ pattern, use }) => {
      const match = pattern.exec(text)
      return match === null ? [] : [{ path, line, found: match[0].trim(), use }]
    })
  )

/** Returns the folder that the ratchet counts a file in: its package, app or top folder, with `src` or `test`. */
export const folderOf = (path: string): string => {
  const parts = path.split("/")
  const depth = /^(?:packages|apps)$/.test(parts[0] ?? "") ? 3 : 1
  return parts.slice(0, Math.min(depth, parts.length - 1)).join("/") || "."
}

/** The number of findings for each folder; folders without findings are left out. */
export type Counts = Readonly<Record<string, number>>

/** Counts findings by folder. */
export const countsOf = (findings: ReadonlyArray<Finding>): Counts =>
  Object.fromEntries(
    [...Map.groupBy(findings, ({ path }) => folderOf(path))]
      .map(([folder, members]) => [folder, members.length] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
  )

/** Returns the folders with more findings than the ratchet allows, and those with a too high allowance. */
export const compare = (counts: Counts, allowed: Counts) => {
  const folders = [...new Set([...Object.keys(counts), ...Object.keys(allowed)])].sort()
  const differing = folders.map((folder) => ({ folder, found: counts[folder] ?? 0, allowed: allowed[folder] ?? 0 }))
  return {
    above: differing.filter(({ allowed, found }) => found > allowed),
    below: differing.filter(({ allowed, found }) => found < allowed)
  }
}
