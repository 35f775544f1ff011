import { join } from "node:path"
import { CheckoutFailed } from "@slipway/domain/deploy/apps"
import { Effect, Stream } from "effect"
import { type GitFailed, runGit, streamGit } from "../program.ts"
import type { FetchLimits } from "./limits.ts"

/** A bare repository, filled by a fetch, in which git trees are read and created. */
export interface Trees {
  readonly bare: string
  /** A folder that only this user can enter. */
  readonly folder: string
  readonly limits: FetchLimits
}

const longestPath = 4_096

/** Maximum number of files and folders of a tree, including submodules. */
export const mostFiles = 500_000

/** The git settings for every command on a fetched repository. */
export const treeSettings = ["core.fsync=none", "core.bigFileThreshold=16m", "tar.umask=022"]

/** Makes the error for a repository with too many files. */
export const tooMany = () => new CheckoutFailed({ because: `the repository has more than ${mostFiles} files` })

/** Makes the error for a repository that git can't read. */
export const unreadable = () => new CheckoutFailed({ because: "the repository can't be read" })

/** Returns a path relative to the top folder; undefined if no file of a repository can have it. */
export const withinTop = (path: string): string | undefined => {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".")
  return parts.includes("..") || path.includes("\0") || path.length > longestPath ? undefined : parts.join("/")
}

interface More {
  readonly input?: string | Uint8Array
  readonly environment?: Readonly<Record<string, string>>
  readonly output?: number
}

const usualOutput = 2 * 1_024 * 1_024

const runOf = (bare: string, args: ReadonlyArray<string>, { environment, input = "" }: More) => ({
  args: [`--git-dir=${bare}`, ...args],
  settings: treeSettings,
  input,
  environment: { GIT_LITERAL_PATHSPECS: "1", ...environment }
})

/** Runs git on a repository, with literal paths. */
export const gitIn =
  ({ bare, limits }: Pick<Trees, "bare" | "limits">) =>
  (args: ReadonlyArray<string>, more: More = {}): Effect.Effect<string, GitFailed> =>
    runGit(runOf(bare, args, more), { timeout: limits.timeout, output: more.output ?? usualOutput })

/** Streams git's output, split on NUL bytes; the texts are Latin-1, one character per byte. */
export const piecesOf = ({ bare }: Pick<Trees, "bare">, args: ReadonlyArray<string>, more: More = {}) => {
  let rest = ""
  return streamGit(runOf(bare, args, more)).pipe(
    Stream.mapError(unreadable),
    Stream.map((chunk) => {
      const pieces = `${rest}${Buffer.from(chunk).toString("latin1")}`.split("\0")
      rest = pieces.pop() ?? ""
      return pieces
    })
  )
}

/** Returns git's whole output; the caller must make sure that the output is small. */
export const bytesOf = ({ bare }: Pick<Trees, "bare">, args: ReadonlyArray<string>, more: More = {}) =>
  Effect.map(Stream.mkUint8Array(Stream.mapError(streamGit(runOf(bare, args, more)), unreadable)), (bytes) =>
    Buffer.from(bytes)
  )

let indexes = 0

/** Returns environment variables that make git use a new, separate index file. */
export const freshIndex = ({ folder }: Pick<Trees, "folder">) => ({
  GIT_INDEX_FILE: join(folder, `index-${++indexes}`)
})

/**
 * Counts the files and folders of a tree; fails if there are more than `mostFiles`.
 *
 * Call this before any other use of the tree: repeated subtrees can make a tree practically endless.
 */
export const countIn = Effect.fnUntraced(function* (trees: Pick<Trees, "bare" | "limits">, tree: string) {
  const counted = gitIn(trees)(["ls-tree", "-r", "-t", "--format=f", "--full-tree", tree], { output: 2 * mostFiles })
  return (yield* Effect.mapError(counted, tooMany)).length / 2
})

/**
 * Replaces entries of a tree and returns the new tree; each entry has mode, id and path as `update-index` reads them.
 */
export const withEntries = Effect.fnUntraced(function* (
  trees: Trees,
  tree: string,
  entries: ReadonlyArray<string>,
  below: ReadonlyArray<{ readonly path: string; readonly tree: string }> = []
) {
  const git = gitIn(trees)
  const environment = freshIndex(trees)
  yield* git(["read-tree", tree], { environment })
  const input = Buffer.from(entries.map((entry) => `${entry}\0`).join(""), "latin1")
  yield* git(["update-index", "-z", "--index-info"], { environment, input })
  yield* Effect.forEach(below, (each) => git(["read-tree", "-i", `--prefix=${each.path}/`, each.tree], { environment }))
  return (yield* git(["write-tree"], { environment })).trim()
})
