import {
  comparePaths,
  type FileChange,
  type FileStatus,
  hasNonWhitespaceChange,
  type IgnoredWhitespace,
  type ObjectId,
  type TreeEntry
} from "@slipway/domain/forge/code"
import { structuredPatch } from "diff"
import type { MemoryRepository } from "./repository.ts"

const kindOf = (mode: string) => mode.slice(0, 2)

/** Returns whether git treats a file as binary: its first 8,000 bytes contain a NUL byte. */
export const isBinary = (text: string): boolean => text.slice(0, 8_000).includes("\0")

/** Returns the hunks of the difference of two texts. `context` is the number of unchanged lines around each change. */
export const hunksOf = (before: string, after: string, context: number, ignoreWhitespace = false) =>
  structuredPatch("", "", before, after, undefined, undefined, { context, ignoreWhitespace }).hunks

const lines = (text: string) => text.split(/(?<=\n)/)

/** Returns the similarity of two texts, from 0 to 1. */
const similarity = (before: string, after: string): number => {
  const counts = new Map<string, number>()
  for (const line of lines(before)) counts.set(line, (counts.get(line) ?? 0) + 1)
  let shared = 0
  for (const line of lines(after)) {
    const left = counts.get(line) ?? 0
    if (left === 0) continue
    counts.set(line, left - 1)
    shared += line.length
  }
  return shared / Math.max(before.length, after.length, 1)
}

/** A changed file; if it was renamed, with the similarity of both versions. */
export interface MemoryChange extends FileChange {
  readonly similarity: number
}

// Line breaks stay, since lines are compared.
const ignored = { all: /[^\S\n]+/g, change: /[^\S\n]+(\n|$)|[^\S\n]+/g, eol: /[^\S\n]+(?=\n|$)/g } as const
const exactWhitespace = {
  all: () => "",
  change: (_: string, end: string | undefined) => end ?? " ",
  eol: () => ""
} as const

const counted = (
  repository: MemoryRepository,
  status: FileStatus,
  before: TreeEntry | undefined,
  after: TreeEntry | undefined,
  similar = 0,
  whitespace?: IgnoredWhitespace
): MemoryChange => {
  const version = (entry: TreeEntry | undefined) => entry && { path: entry.path, mode: entry.mode, id: entry.id }
  const texts = [before, after].map((entry) => (entry === undefined ? "" : repository.text(entry)))
  const [from = "", to = ""] = texts
  const binary = from !== to && texts.some(isBinary)
  const compared = (text: string) =>
    whitespace === undefined ? text : text.replace(ignored[whitespace], exactWhitespace[whitespace])
  const changed = binary ? [] : hunksOf(compared(from), compared(to), 0).flatMap((hunk) => hunk.lines)
  return {
    status,
    before: version(before),
    after: version(after),
    additions: changed.filter((line) => line.startsWith("+")).length,
    deletions: changed.filter((line) => line.startsWith("-")).length,
    binary,
    similarity: similar
  }
}

/** The minimum similarity (0 to 1) at which a removed file and an added file count as a rename. */
const renamed = 0.5

/** Finds renames: pairs of a removed file and an added file with similar content. */
const renames = (
  repository: MemoryRepository,
  gone: ReadonlyArray<TreeEntry>,
  come: ReadonlyArray<TreeEntry>
): ReadonlyMap<TreeEntry, readonly [TreeEntry, number]> => {
  const pairs = come.flatMap((after) =>
    gone.flatMap((before) => {
      if (kindOf(before.mode) !== kindOf(after.mode)) return []
      const score = before.id === after.id ? 1 : similarity(repository.text(before), repository.text(after))
      return score >= renamed && repository.text(before) !== "" ? [{ before, after, score }] : []
    })
  )
  const found = new Map<TreeEntry, readonly [TreeEntry, number]>()
  const taken = new Set<TreeEntry>()
  for (const { after, before, score } of pairs.sort((one, other) => other.score - one.score)) {
    if (found.has(after) || taken.has(before)) continue
    found.set(after, [before, score])
    taken.add(before)
  }
  return found
}

/** Returns the files that differ between two trees, sorted by path. */
export const changesBetween = (
  repository: MemoryRepository,
  from: ObjectId | undefined,
  to: ObjectId | undefined,
  paths?: ReadonlyArray<string>,
  whitespace?: IgnoredWhitespace
): ReadonlyArray<MemoryChange> => {
  const within = (path: string) =>
    paths === undefined || paths.some((each) => path === each || path.startsWith(`${each}/`))
  const [before, after] = [repository.files(from), repository.files(to)]
  const chosen = [...new Set([...before.keys(), ...after.keys()])].filter(within)
  const gone: Array<TreeEntry> = []
  const come: Array<TreeEntry> = []
  const changes: Array<MemoryChange> = []
  for (const path of chosen) {
    const [was, is] = [before.get(path), after.get(path)]
    if (was === undefined) {
      if (is !== undefined) come.push(is)
    } else if (is === undefined) gone.push(was)
    else if (was.id !== is.id || was.mode !== is.mode) {
      const status = kindOf(was.mode) === kindOf(is.mode) ? "modified" : "changed"
      changes.push(counted(repository, status, was, is, 0, whitespace))
    }
  }
  const moved = renames(repository, gone, come)
  const movedAway = new Set([...moved.values()].map(([was]) => was))
  for (const is of come) {
    const [was, score] = moved.get(is) ?? []
    changes.push(counted(repository, was === undefined ? "added" : "renamed", was, is, score, whitespace))
  }
  for (const was of gone)
    if (!movedAway.has(was)) changes.push(counted(repository, "deleted", was, undefined, 0, whitespace))
  const pathOf = ({ after: is, before: was }: MemoryChange) => is?.path ?? was?.path ?? ""
  const shown = whitespace === undefined ? changes : changes.filter(hasNonWhitespaceChange)
  return shown.sort((one, other) => comparePaths(pathOf(one), pathOf(other)))
}
