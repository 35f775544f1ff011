import { type BlamedLines, isEntryPath, type LineRange, largestBlamed, type ObjectId } from "@slipway/domain/forge/code"
import { diffArrays } from "diff"
import { changesBetween } from "./changes.ts"
import type { MemoryRepository } from "./repository.ts"

const linesOf = (text: string): ReadonlyArray<string> => text.split(/(?<=\n)/).filter((line) => line !== "")

/**
 * Compares two versions of a text. Returns a map from the unchanged lines of the newer version to their lines in the
 * older version.
 */
const unchanged = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyMap<number, number> => {
  const found = new Map<number, number>()
  let [old, now] = [0, 0]
  for (const { added, count, removed } of diffArrays([...before], [...after])) {
    if (!added && !removed) for (let at = 0; at < count; at++) found.set(now + at, old + at)
    if (!added) old += count
    if (!removed) now += count
  }
  return found
}

/**
 * A version of a file that blame examines. `lines` maps the line numbers that have no commit yet to line numbers of the
 * result.
 */
interface Version {
  readonly commit: ObjectId
  readonly path: string
  readonly lines: ReadonlyMap<number, number>
}

const fileAt = (repository: MemoryRepository, commit: ObjectId, path: string) => {
  const tree = repository.treeOf(commit)
  const entry = tree === undefined ? undefined : repository.entry(tree, path)
  return entry?.kind === "blob" && entry.mode !== "120000" ? entry : undefined
}

/** Returns the path that a file has in a parent commit, also if the commit renamed the file. */
const pathBefore = (repository: MemoryRepository, parent: ObjectId, { commit, path }: Version): string | undefined => {
  if (fileAt(repository, parent, path) !== undefined) return path
  const changes = changesBetween(repository, repository.treeOf(parent), repository.treeOf(commit))
  return changes.find(({ after }) => after?.path === path)?.before?.path
}

/** Passes lines that a parent already has to that parent, and returns the lines that the commit itself changed. */
const passedOn = (
  repository: MemoryRepository,
  version: Version,
  open: Array<Version>
): ReadonlyMap<number, number> => {
  const entry = fileAt(repository, version.commit, version.path)
  const parents = (repository.commit(version.commit)?.parents ?? []).flatMap((parent) => {
    const path = pathBefore(repository, parent, version)
    const file = path === undefined ? undefined : fileAt(repository, parent, path)
    return path === undefined || file === undefined ? [] : [{ commit: parent, path, file }]
  })
  const same = parents.find(({ file }) => file.id === entry?.id)
  if (same !== undefined) {
    open.push({ commit: same.commit, path: same.path, lines: version.lines })
    return new Map()
  }
  const after = entry === undefined ? [] : linesOf(repository.text(entry))
  let left = version.lines
  for (const { commit, file, path } of parents) {
    const unchangedLines = unchanged(linesOf(repository.text(file)), after)
    const passed = new Map<number, number>()
    const rest = new Map<number, number>()
    for (const [line, result] of left) {
      const old = unchangedLines.get(line)
      if (old === undefined) rest.set(line, result)
      else passed.set(old, result)
    }
    if (passed.size > 0) open.push({ commit, path, lines: passed })
    left = rest
  }
  return left
}

/** Attributes lines of a file to the commits that last changed them, as `git blame` does. */
export const blameLines = (
  repository: MemoryRepository,
  commit: ObjectId,
  path: string,
  { count, from }: LineRange
): ReadonlyArray<BlamedLines> => {
  const file = isEntryPath(path) && path.isWellFormed() ? fileAt(repository, commit, path) : undefined
  if (repository.commit(commit) === undefined || file === undefined || from < 1) return []
  if ((repository.objects.get(file.id)?.content.length ?? 0) > largestBlamed) return []
  const total = linesOf(repository.text(file)).length
  const wanted = Array.from({ length: Math.max(Math.min(count, total - from + 1), 0) }, (_, at) => from - 1 + at)
  const open: Array<Version> = [{ commit, path, lines: new Map(wanted.map((line) => [line, line])) }]
  const found = new Map<number, ObjectId>()
  for (let version = open.pop(); version !== undefined; version = open.pop())
    for (const line of passedOn(repository, version, open).values()) found.set(line, version.commit)
  const ranges: Array<BlamedLines> = []
  for (const line of wanted) {
    const by = found.get(line)
    const last = ranges.at(-1)
    if (by === undefined) continue
    if (last?.commit === by) ranges[ranges.length - 1] = { ...last, count: last.count + 1 }
    else ranges.push({ commit: by, from: line + 1, count: 1 })
  }
  return ranges
}
