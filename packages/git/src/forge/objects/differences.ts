import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Difference,
  emptyTree,
  type FileChange,
  type GitOverloaded,
  type GitReader,
  hasNonWhitespaceChange,
  isEntryPath,
  type ObjectId,
  type PatchStyle
} from "@slipway/domain/forge/code"
import { Effect, Stream } from "effect"
import type { GitFailed } from "../../program.ts"
import { pathspec } from "./history.ts"
import { changesByCommit, changesIn } from "./records.ts"
import { orDie, type Repository, type Store } from "./store.ts"

/** Options that make a diff independent of a repository's attributes. */
const plain = ["--no-ext-diff", "--no-textconv", "--no-color"]

const whitespace: Readonly<Record<NonNullable<PatchStyle["ignoreWhitespace"]>, string>> = {
  all: "--ignore-all-space",
  change: "--ignore-space-change",
  eol: "--ignore-space-at-eol"
}

const styled = ({ context, ignoreWhitespace }: PatchStyle): ReadonlyArray<string> => [
  ...(context === undefined ? [] : [`--unified=${Math.min(Math.max(Math.trunc(context), 0), 100_000)}`]),
  ...(ignoreWhitespace === undefined ? [] : [whitespace[ignoreWhitespace]])
]

const streamOrDie = <A>(stream: Stream.Stream<A, GitFailed | GitOverloaded>): Stream.Stream<A, GitOverloaded> =>
  Stream.catchTag(stream, "GitFailed", (failed) => Stream.die(failed))

/**
 * Returns the git arguments that limit a diff to paths; skips paths that cannot exist in a tree.
 *
 * Returns undefined if no path is left: the diff is empty then.
 */
const limited = (paths: ReadonlyArray<string> | undefined): ReadonlyArray<string> | undefined => {
  if (paths === undefined) return []
  const possible = paths.filter(isEntryPath)
  return possible.length === 0 ? undefined : ["--", ...possible.map(pathspec)]
}

const isUnder = (path: string | undefined, paths: ReadonlyArray<string>) =>
  path !== undefined && paths.some((each) => path === each || path.startsWith(`${each}/`))

/** Estimates the memory that changes take, in bytes. */
const sizeOf = (changes: ReadonlyArray<FileChange>): number =>
  changes.reduce(
    (size, { after, before }) => size + 400 + 2 * ((before?.path.length ?? 0) + (after?.path.length ?? 0)),
    0
  )

/** Makes a temporary repository with a ref to the commit: `git bundle` accepts refs, but no commit ids. */
const bundled = ({ folder, format }: Repository, of: ObjectId, as: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const directory = await mkdtemp(join(tmpdir(), "slipway-bundle-"))
      await mkdir(join(directory, "objects", "info"), { recursive: true })
      await mkdir(join(directory, "refs"))
      const sha256 = "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"
      await writeFile(join(directory, "config"), format === "sha256" ? sha256 : "[core]\n\tbare = true\n")
      await writeFile(join(directory, "objects", "info", "alternates"), `${join(folder, "objects")}\n`)
      await writeFile(join(directory, "HEAD"), `ref: ${as}\n`)
      await writeFile(join(directory, "packed-refs"), `${of} ${as}\n`)
      return directory
    }),
    (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
  )

const ignoring = {
  all: "--ignore-all-space",
  change: "--ignore-space-change",
  eol: "--ignore-space-at-eol"
} as const

/** Makes the functions that read differences between commits, and that write patches, archives and bundles. */
export const differences = (
  store: Store
): Pick<GitReader["Service"], "archive" | "bundle" | "changes" | "changesOf" | "patch"> => {
  const { programs } = store
  const found = (repository: Repository, ids: ReadonlyArray<ObjectId>) =>
    Effect.map(
      Effect.forEach(ids, (each) => store.treeOf(repository, each)),
      (trees) => trees.every((tree) => tree !== undefined)
    )
  const sides = ({ format }: Repository, { from, to }: Difference) => [from ?? emptyTree[format], to]
  const known = (repository: Repository, { from, to }: Difference) =>
    found(repository, from === undefined ? [to] : [from, to])
  const streamed = (
    id: Parameters<GitReader["Service"]["patch"]>[0],
    work: (repository: Repository) => Effect.Effect<Stream.Stream<Uint8Array, GitFailed | GitOverloaded>, GitOverloaded>
  ) => Stream.unwrap(Effect.map(store.on(id, Stream.empty, work), streamOrDie))

  return {
    changes: (id, of) =>
      store.on(id, [], (repository) =>
        Effect.gen(function* () {
          if (!(yield* known(repository, of))) return []
          const { paths, whitespace } = of
          const specs = limited(paths)
          if (specs === undefined) return []
          const args = ["diff-tree", "-r", "-z", "--raw", "--numstat", "--no-abbrev", "-M", ...plain]
          if (whitespace !== undefined) args.push(ignoring[whitespace])
          const all = [...args, ...sides(repository, of), ...specs]
          const listed = yield* store.answers.remember<ReadonlyArray<FileChange>, GitOverloaded, never>(
            repository,
            all.join("\0"),
            Effect.map(orDie(programs.run({ folder: repository.folder, args: all })), ({ output }) =>
              changesIn(output)
            ),
            sizeOf
          )
          const changes = whitespace === undefined ? listed : listed.filter(hasNonWhitespaceChange)
          return paths === undefined
            ? changes
            : changes.filter(({ after, before }) => isUnder(after?.path, paths) || isUnder(before?.path, paths))
        })
      ),
    changesOf: (id, commits) =>
      store.on(id, new Map<ObjectId, ReadonlyArray<FileChange>>(), (repository) =>
        Effect.gen(function* () {
          const present = (yield* store.commits(repository, commits)).filter((commit) => commit !== undefined)
          const known = new Map(
            present.map(({ id }) => [id, store.answers.get<ReadonlyArray<FileChange>>(repository, `changes ${id}`)])
          )
          const open = present.filter(({ id }) => known.get(id) === undefined)
          const changesOfAll = () => new Map(present.map(({ id }) => [id, known.get(id) ?? []]))
          if (open.length === 0) return changesOfAll()
          const lines = open.map(({ id, parents }) => `${[id, ...parents.slice(0, 1)].join(" ")}\n`)
          const args = [
            "diff-tree",
            "--stdin",
            "--root",
            "-r",
            "-z",
            "--raw",
            "--numstat",
            "--no-abbrev",
            "-M",
            ...plain
          ]
          const { output } = yield* orDie(programs.run({ folder: repository.folder, args, input: lines.join("") }))
          const changed = changesByCommit(output)
          // Git prints nothing for commits that changed nothing.
          for (const { id } of open) {
            const changes = changed.get(id) ?? []
            known.set(id, changes)
            store.answers.set(repository, `changes ${id}`, changes, sizeOf(changes))
          }
          return changesOfAll()
        })
      ),
    patch: (id, of, style) =>
      streamed(id, (repository) =>
        Effect.gen(function* () {
          if (!(yield* known(repository, of))) return Stream.empty
          const specs = limited(of.paths)
          if (specs === undefined) return Stream.empty
          const shared = [...plain, "--abbrev=7", "-M", ...styled(style)]
          const range = of.from === undefined ? ["--root", of.to] : [`${of.from}..${of.to}`]
          const args =
            style.style === "diff"
              ? ["diff-tree", "-p", "-r", ...shared, ...sides(repository, of), ...specs]
              : ["format-patch", "--stdout", "--no-signature", "--binary", ...shared, ...range, ...specs]
          return programs.stream({ folder: repository.folder, args })
        })
      ),
    archive: (id, of, format, prefix) =>
      streamed(id, (repository) =>
        Effect.gen(function* () {
          if (!(yield* found(repository, [of]))) return Stream.empty
          return programs.stream({
            folder: repository.folder,
            args: ["archive", `--format=${format}`, `--prefix=${prefix}/`, of]
          })
        })
      ),
    bundle: (id, of, as) =>
      streamed(id, (repository) =>
        Effect.gen(function* () {
          const [commit] = yield* store.commits(repository, [of])
          if (commit === undefined) return Stream.empty
          return Stream.unwrap(
            Effect.map(bundled(repository, of, as), (folder) =>
              programs.stream({ folder, args: ["bundle", "create", "--quiet", "-", as, "HEAD"] })
            )
          )
        })
      )
  }
}
