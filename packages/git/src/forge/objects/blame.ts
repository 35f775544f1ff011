import {
  type BlamedLines,
  type GitReader,
  isEntryPath,
  type LineRange,
  largestBlamed,
  type ObjectId
} from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { findEntries } from "./history.ts"
import { orDie, type Store } from "./store.ts"

/**
 * Matches the first line of a group in the output of `git blame --porcelain`: commit, line numbers, number of lines.
 */
const group = /^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$/

/** Parses the output of `git blame --porcelain`; neighbouring groups of one commit become one range. */
const rangesIn = (output: Buffer): ReadonlyArray<BlamedLines> => {
  const ranges: Array<BlamedLines> = []
  for (const line of output.toString("latin1").split("\n")) {
    const [, commit, from, count] = group.exec(line) ?? []
    if (commit === undefined) continue
    const last = ranges.at(-1)
    if (last?.commit === commit) ranges[ranges.length - 1] = { ...last, count: last.count + Number(count) }
    else ranges.push({ commit: commit as ObjectId, from: Number(from), count: Number(count) })
  }
  return ranges
}

const lineCount = (content: Uint8Array): number => {
  let count = content.length > 0 && content.at(-1) !== 10 ? 1 : 0
  for (const byte of content) if (byte === 10) count++
  return count
}

const rangeIn = ({ count, from }: LineRange, total: number): string => `${from},${Math.min(from + count - 1, total)}`

/** Makes the function that returns for each line of a file the commit that last changed it (git blame). */
export const blame = (store: Store): Pick<GitReader["Service"], "blame"> => ({
  blame: (id, commit, path, range) =>
    store.on(id, [], (repository) =>
      Effect.gen(function* () {
        // An argument of the git program is valid text.
        if (!isEntryPath(path) || !path.isWellFormed()) return []
        const [known] = yield* store.commits(repository, [commit])
        if (known === undefined) return []
        const [entry] = yield* findEntries(store, repository, known.tree, [path])
        if (entry?.kind !== "blob" || entry.mode === "120000") return []
        const [blob] = yield* store.objects(repository, [entry.id], largestBlamed)
        if (blob?.content === undefined) return []
        const total = lineCount(blob.content)
        if (range.from < 1 || range.from > total || range.count < 1) return []
        const args = ["blame", "--porcelain", "-L", rangeIn(range, total), commit, "--", path]
        return rangesIn((yield* orDie(store.programs.run({ folder: repository.folder, args }))).output)
      })
    )
})
