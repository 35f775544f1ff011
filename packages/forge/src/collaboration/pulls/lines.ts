import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId } from "@slipway/domain/forge/code"
import { GitReader } from "@slipway/domain/forge/code"
import type { PullRequest } from "@slipway/domain/forge/collaboration"
import { reviewComments } from "@slipway/domain/forge/collaboration"
import { Effect, Stream } from "effect"

/** The maximum size of one file's diff, in bytes. */
const largestPatch = 1024 * 1024
/** The maximum number of comments of a pull request that are moved when its head changes. */
const mostComments = 1_000

/** A hunk of a diff: its header, and its lines, each with `+`, `-` or a space in front. */
export interface Hunk {
  readonly heading: string
  readonly oldStart: number
  readonly newStart: number
  readonly lines: ReadonlyArray<string>
}

/**
 * Parses the hunks of a file's diff from git.
 *
 * @example
 * hunksIn("@@ -1,2 +1 @@\n a\n-b\n").map(({ lines }) => lines) // => [[" a", "-b"]]
 */
export const hunksIn = (patch: string): ReadonlyArray<Hunk> => {
  const hunks: Array<Hunk & { lines: Array<string> }> = []
  for (const line of patch.split("\n")) {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? []
    if (oldStart !== undefined) {
      hunks.push({ heading: line, oldStart: Number(oldStart), newStart: Number(newStart), lines: [] })
    } else if (/^[ +-]/.test(line)) hunks.at(-1)?.lines.push(line)
  }
  return hunks
}

/** The number of lines that are shown above a commented line. */
const contextLines = 3

/** A line number on the old or the new side of a diff. */
export interface SideLine {
  readonly side: "old" | "new"
  readonly line: number
}

/**
 * Returns for each given line the hunk that contains it, cut after the line; undefined for a line outside of the diff.
 *
 * The diff is read once for all lines.
 *
 * @example
 * hunksAt(hunksIn("@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), [{ side: "new", line: 2 }]) // => ["@@ -1,2 +1,2 @@\n a\n-b\n+c"]
 * hunksAt(hunksIn("@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), [{ side: "old", line: 2 }]) // => ["@@ -1,2 +1,2 @@\n a\n-b"]
 * hunksAt(hunksIn("@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), [{ side: "new", line: 3 }]) // => [undefined]
 */
export const hunksAt = (
  hunks: ReadonlyArray<Hunk>,
  asked: ReadonlyArray<SideLine>
): ReadonlyArray<string | undefined> => {
  const shown = { old: new Map<number, string | undefined>(), new: new Map<number, string | undefined>() }
  for (const { line, side } of asked) shown[side].set(line, undefined)
  const see = (side: SideLine["side"], line: number, { heading, lines }: Hunk, n: number) => {
    if (!shown[side].has(line) || shown[side].get(line) !== undefined) return
    shown[side].set(line, [heading, ...lines.slice(Math.max(0, n - contextLines), n + 1)].join("\n"))
  }
  for (const hunk of hunks) {
    let [old, young] = [hunk.oldStart, hunk.newStart]
    for (const [n, text] of hunk.lines.entries()) {
      if (!text.startsWith("+")) see("old", old++, hunk, n)
      if (!text.startsWith("-")) see("new", young++, hunk, n)
    }
  }
  return asked.map(({ line, side }) => shown[side].get(line))
}

/**
 * Returns a function that converts an old line number to the new one; undefined for a line that was changed.
 *
 * The diff is read once for all lines.
 *
 * @example
 * linesBehind(hunksIn("@@ -1,0 +1,2 @@\n+a\n+b\n"))(4) // => 6
 * linesBehind(hunksIn("@@ -4 +4 @@\n-a\n+b\n"))(4) // => undefined
 * linesBehind(hunksIn("@@ -2,3 +2,2 @@\n a\n-b\n c\n"))(4) // => 3
 */
export const linesBehind = (hunks: ReadonlyArray<Hunk>): ((line: number) => number | undefined) => {
  const removed = new Set<number>()
  // The offsets of line numbers: start line and shift.
  const shifts = [{ from: 0, by: 0 }]
  const shift = (from: number, by: number) => {
    const last = shifts.at(-1)
    if (last?.from === from) last.by += by
    else shifts.push({ from, by: (last?.by ?? 0) + by })
  }
  for (const { lines, oldStart } of hunks) {
    // A hunk without old lines is inserted after the line in its header.
    let at = lines.every((text) => text.startsWith("+")) ? oldStart + 1 : oldStart
    for (const text of lines) {
      if (text.startsWith("+")) {
        shift(at, 1)
        continue
      }
      if (text.startsWith("-")) {
        removed.add(at)
        shift(at + 1, -1)
      }
      at += 1
    }
  }
  return (line) => {
    if (removed.has(line)) return undefined
    let [low, high] = [0, shifts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((shifts[middle]?.from ?? 0) <= line) low = middle
      else high = middle
    }
    return line + (shifts[low]?.by ?? 0)
  }
}

/** Reads the diff of one file between two commits; undefined if it is too large. */
export const filePatch = Effect.fnUntraced(function* (
  repository: RepositoryId,
  from: ObjectId,
  to: ObjectId,
  path: string,
  context?: number
) {
  const stream = (yield* GitReader).patch(repository, { from, to, paths: [path] }, { style: "diff", context })
  const decoder = new TextDecoder()
  let size = 0
  const text = yield* stream.pipe(
    Stream.takeWhile((chunk) => {
      size += chunk.length
      return size <= largestPatch
    }),
    Stream.map((chunk) => decoder.decode(chunk, { stream: true })),
    Stream.mkString
  )
  return hunksIn(text)
})

/** The line number of a comment in the current head. */
export interface MovedComment {
  readonly id: number
  readonly line: number
  readonly commit: ObjectId
}

/** Returns the line numbers of comments in a new head of the pull request; 0 for a comment on a line that changed. */
export const movedComments = Effect.fnUntraced(function* (
  { issueId, repositoryId }: Pick<PullRequest, "issueId" | "repositoryId">,
  head: ObjectId
) {
  const { rows } = yield* (yield* reviewComments.store).list({ issueId }, { limit: mostComments })
  const alive = rows.filter(({ commit, line, side }) => line > 0 && side === "new" && commit !== head)
  const patches = new Map<string, ReturnType<typeof linesBehind> | undefined>()
  for (const { commit, path } of alive) {
    const key = `${commit}:${path}`
    if (patches.has(key)) continue
    const hunks = yield* filePatch(repositoryId, commit, head, path, 0)
    patches.set(key, hunks.length === 0 ? undefined : linesBehind(hunks))
  }
  return alive.flatMap(({ commit, id, line, path }): ReadonlyArray<MovedComment> => {
    const behind = patches.get(`${commit}:${path}`)
    if (behind === undefined) return []
    const moved = behind(line)
    return [moved === undefined ? { id, line: 0, commit } : { id, line: moved, commit: head }]
  })
})

/** Stores the new line numbers of comments, in the current transaction. */
export const moveComments = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  moved: ReadonlyArray<MovedComment>
) {
  const changes = moved.map(({ id, ...change }) => ({ id, change }))
  yield* Effect.orDie((yield* reviewComments.store).patchMany({ repositoryId }, changes))
})
