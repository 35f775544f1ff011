import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { PushedCommit, PushedObjects, RefChange } from "@slipway/domain/forge/code"
import { Duration, Effect, Option, Stream } from "effect"
import { GitFailed, type GitRun, runGit, streamGit } from "../../program.ts"

const limits = { timeout: Duration.minutes(2), output: 64 * 1024 * 1024 }
/** Maximum number of paths of one change that are read. */
const mostFiles = 50_000
/** Maximum number of new commits of one change that are counted. */
const mostCounted = 100_000
/** For how many commits of one change the signatures are checked. */
const mostChecked = 50_000

/** The exit code of git for "not an ancestor" (`git merge-base --is-ancestor`) and for a missing object. */
const no = 1

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const sizes = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? sizeOf(path) : stat(path).then(({ size }) => size)
    })
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const commitOf = (record: string): ReadonlyArray<PushedCommit> => {
  const [id, at, author, email, subject] = record.split("\0")
  return id === undefined || at === undefined || author === undefined || email === undefined || subject === undefined
    ? []
    : [{ id: id.trim(), at, author, email, subject: subject.slice(0, 500) }]
}

/**
 * Parses commits in the output of `git cat-file --batch`: a line with the id and the size of each, then the object.
 *
 * Parses bytes, not text: sizes are in bytes, and in decoded text an author could forge the end of an object.
 */
function* commitsIn(read: Buffer): Generator<{ readonly id: string; readonly commit: Uint8Array }> {
  for (let at = 0; at < read.length; ) {
    const line = read.indexOf("\n", at)
    const [id = "", , size = ""] = read.toString("latin1", at, line).split(" ")
    const begin = line + 1
    yield { id, commit: read.subarray(begin, begin + Number(size)) }
    at = begin + Number(size) + 1
  }
}

const newline = 0x0a
const zero = 0x30

/** Returns the largest of many numbers, one per line, without collecting the lines. */
const largestOf = <E>(lines: Stream.Stream<Uint8Array, E>): Effect.Effect<number, E> =>
  Stream.runFold(
    lines,
    () => ({ largest: 0, number: 0 }),
    (read, piece) => {
      let { largest, number } = read
      for (const byte of piece) {
        if (byte !== newline) number = number * 10 + byte - zero
        else {
          if (number > largest) largest = number
          number = 0
        }
      }
      return { largest, number }
    }
  ).pipe(Effect.map(({ largest }) => largest))

const tooMany = (what: string) =>
  new GitFailed({ command: what, exitCode: undefined, said: "there is too much to read" })

/**
 * Makes the reader of a push's new objects, which are in git's quarantine folder until the push is accepted.
 *
 * `quarantine` is empty if there is no such folder.
 */
export const pushedObjects = (folder: string, quarantine: string): PushedObjects => {
  const isEmpty = quarantine === ""
  const environment: Readonly<Record<string, string>> = isEmpty
    ? {}
    : {
        GIT_OBJECT_DIRECTORY: quarantine,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: join(folder, "objects"),
        GIT_QUARANTINE_PATH: quarantine
      }
  const run = (args: ReadonlyArray<string>, more: Partial<GitRun> = {}) =>
    runGit({ args: [`--git-dir=${folder}`, ...args], environment, ...more }, limits)
  const bytes = (args: ReadonlyArray<string>, input: string) =>
    streamGit({ args: [`--git-dir=${folder}`, ...args], environment, input }).pipe(
      Stream.runFoldEffect(
        (): { readonly pieces: Array<Uint8Array>; length: number } => ({ pieces: [], length: 0 }),
        (read, piece) => {
          read.length += piece.length
          read.pieces.push(piece)
          return read.length > limits.output ? Effect.fail(tooMany(args[0] ?? "")) : Effect.succeed(read)
        }
      ),
      Effect.map(({ pieces }) => Buffer.concat(pieces)),
      Effect.timeoutOrElse({ duration: limits.timeout, orElse: () => Effect.fail(tooMany(args[0] ?? "")) })
    )
  /** Lists all received objects, one per line; there may be millions. */
  const listed = (format: string) =>
    streamGit({
      args: [`--git-dir=${folder}`, "cat-file", "--batch-all-objects", "--unordered", `--batch-check=${format}`],
      environment: { GIT_OBJECT_DIRECTORY: quarantine }
    })
  const newCommits = ({ after, before }: RefChange): ReadonlyArray<string> => [
    // Each is forty or sixty-four hexadecimal digits, which git can't misinterpret.
    ...(after === undefined ? [] : [after]),
    "--not",
    ...(before === undefined ? [] : [before]),
    "--all"
  ]
  /** Returns the commits of the branches for which `isWanted` returns true. */
  const tipsOf = (isWanted: (branch: string) => boolean) =>
    run(["for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads/"]).pipe(
      Effect.orDie,
      Effect.map((text) =>
        text.split("\n").flatMap((line) => {
          const [id = "", branch = ""] = line.split(" ")
          return branch !== "" && isWanted(branch) ? [id] : []
        })
      )
    )
  const isMissing = ({ exitCode }: GitFailed) => exitCode !== undefined
  return {
    forced: ({ after, before }) =>
      after === undefined || before === undefined
        ? Effect.succeed(false)
        : run(["merge-base", "--is-ancestor", "--end-of-options", before, after]).pipe(
            Effect.as(false),
            Effect.catch((failed) => (failed.exitCode === no ? Effect.succeed(true) : Effect.die(failed)))
          ),
    files: ({ after, before }) => {
      if (after === undefined) return Effect.succeed([])
      // For a new branch, the paths of its new commits: all others are on another branch already.
      const read =
        before === undefined
          ? run([
              "log",
              "--format=",
              "--name-only",
              "-z",
              "--no-renames",
              "-m",
              ...newCommits({ ref: "", after, before })
            ])
          : run(["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--end-of-options", before, after])
      return read.pipe(
        Effect.map((text) => {
          const files = [...new Set(text.split("\0").map((each) => each.replace(/^\n+/, "")))].filter(
            (each) => each !== ""
          )
          return files.length > mostFiles ? undefined : files
        }),
        // Over the size or time limit: the caller assumes the worst.
        Effect.catch((failed) => (isMissing(failed) ? Effect.die(failed) : Effect.undefined))
      )
    },
    commits: Effect.fnUntraced(function* (change, most) {
      if (change.after === undefined) return { commits: [], count: 0 }
      const listed = yield* Effect.orDie(
        run(["log", "-z", `--max-count=${most}`, "--format=%H%x00%cI%x00%an%x00%ae%x00%s%x00", ...newCommits(change)])
      )
      const commits = listed.split("\0\0").flatMap(commitOf)
      if (commits.length < most) return { commits, count: commits.length }
      const counted = yield* Effect.orDie(
        run(["rev-list", "--count", `--max-count=${mostCounted}`, ...newCommits(change)])
      )
      return { commits, count: Number(counted.trim()) }
    }),
    unsigned: Effect.fnUntraced(function* ({ after, before }, { isRequiredOn, isValid }) {
      if (after === undefined) return null
      const known = before === undefined ? yield* tipsOf(isRequiredOn) : [before]
      // One commit per line on standard input, because a repository may have more branches than fit into arguments.
      const input = [after, ...known.map((id) => `^${id}`), ""].join("\n")
      const ids = yield* Effect.orDie(run(["rev-list", `--max-count=${mostChecked + 1}`, "--stdin"], { input }))
      if (ids.split("\n").length - 1 > mostChecked) return undefined
      for (const { commit, id } of commitsIn(yield* Effect.orDie(bytes(["cat-file", "--batch"], ids)))) {
        if (!(yield* isValid(commit))) return id
      }
      return null
    }),
    largerThan: Effect.fnUntraced(function* (most) {
      if (isEmpty) return undefined
      const bounded = Effect.timeoutOrElse({
        duration: limits.timeout,
        orElse: () => Effect.fail(tooMany("cat-file"))
      })
      const largest = yield* listed("%(objectsize)").pipe(largestOf, bounded, Effect.orDie)
      if (largest <= most) return undefined
      const lines = Stream.splitLines(Stream.decodeText(listed("%(objectsize) %(objectname)")))
      const line = yield* Stream.runHead(Stream.filter(lines, (each) => each.startsWith(`${largest} `))).pipe(
        bounded,
        Effect.orDie
      )
      return { object: Option.getOrElse(line, () => "").slice(`${largest} `.length), size: largest }
    }),
    size: isEmpty ? Effect.succeed(0) : Effect.orDie(Effect.tryPromise(() => sizeOf(quarantine)))
  }
}
