import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type CommitData,
  editTree,
  formatCommit,
  formatTag,
  type GitId,
  GitMissing,
  type GitOverloaded,
  GitWriter,
  isEntryPath,
  isObjectId,
  type MergeResult,
  type MergeSides,
  noObject,
  type ObjectId,
  type ObjectKind,
  PatchRefused,
  RefsNotMoved,
  type RefUpdate
} from "@slipway/domain/forge/code"
import { Duration, Effect, type Scope } from "effect"
import { LRUCache } from "lru-cache"
import { unavailableIfFull } from "../../diskFull.ts"
import { removeStaleLocks } from "../locks.ts"
import type { RepositoryLocks } from "../repositoryLocks.ts"
import { makeCheck, makeMaintenance } from "./maintenance.ts"
import type { Command } from "./programs.ts"
import { tokensOf } from "./records.ts"
import { orDie, type Repository, type Store } from "./store.ts"
import { nameOf, treesForGit } from "./trees.ts"

/** The exit codes with which git rejects invalid input. */
const refused = [1, 128]

const fetchTime = Duration.minutes(10)

const nobody = { name: "Slipway", email: "slipway@localhost", seconds: 0, offset: "+0000" }

const temporary: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "slipway-index-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

const line = (output: Buffer) => output.toString("latin1").trim() as ObjectId

/** Makes the `GitWriter` service, which writes objects and refs. */
export const makeWriter = (store: Store, turns: RepositoryLocks): GitWriter["Service"] => {
  const { programs } = store
  /** Caches merge results, because a pull request is test-merged first and merged later. */
  const merges = new LRUCache<string, MergeResult>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: (result) => 500 + (result._tag === "Merged" ? 0 : 2 * result.paths.join().length)
  })
  const maintain = makeMaintenance(programs, turns)
  const check = makeCheck(programs, turns)

  const on = <A, E>(id: GitId, work: (repository: Repository) => Effect.Effect<A, E>) =>
    Effect.flatMap(
      store.find(id),
      (repository): Effect.Effect<A, E | GitMissing> =>
        repository === undefined ? Effect.fail(new GitMissing({ what: "repository" })) : work(repository)
    )
  const run = (repository: Repository, command: Omit<Command, "folder">) =>
    orDie(programs.run({ ...command, folder: repository.folder }))
  /** Fails if an object is missing or does not have the required type. */
  const demand = Effect.fnUntraced(function* (
    repository: Repository,
    wanted: ReadonlyMap<ObjectId, ObjectKind | "any">
  ) {
    const ids = [...wanted.keys()]
    const found = yield* store.ask(
      repository,
      ids.map((name) => ({ name }))
    )
    for (const [at, id] of ids.entries()) {
      const kind = wanted.get(id)
      if (found[at]?.id !== id || (kind !== "any" && found[at]?.kind !== kind))
        return yield* new GitMissing({ what: "object" })
    }
  })
  const commits = (ids: ReadonlyArray<ObjectId>) => new Map(ids.map((id) => [id, "commit" as const]))
  const treeOf = Effect.fnUntraced(function* (repository: Repository, id: ObjectId) {
    const tree = yield* store.treeOf(repository, id)
    return tree ?? (yield* new GitMissing({ what: "object" }))
  })
  const hashObject = (repository: Repository, kind: ObjectKind, content: Uint8Array) =>
    Effect.map(run(repository, { args: ["hash-object", "-t", kind, "-w", "--stdin"], input: content }), ({ output }) =>
      line(output)
    )

  const writeCommit = Effect.fnUntraced(function* (repository: Repository, commit: CommitData) {
    yield* demand(repository, new Map([...commits(commit.parents), [commit.tree, "tree" as const]]))
    return yield* hashObject(repository, "commit", formatCommit(commit))
  })

  const updateRefs = Effect.fnUntraced(function* (repository: Repository, updates: ReadonlyArray<RefUpdate>) {
    if (updates.length === 0) return
    const none = noObject[repository.format]
    yield* demand(repository, new Map(updates.flatMap(({ to }) => (to === null ? [] : [[to, "any" as const]]))))
    const steps = updates.map(({ from, ref, to }) => {
      const before = from === undefined ? "" : (from ?? none)
      return `update ${ref}\0${to ?? none}\0${before}\0`
    })
    yield* removeStaleLocks(
      repository.folder,
      updates.map(({ ref }) => ref)
    )
    yield* programs
      .run({
        folder: repository.folder,
        args: ["update-ref", "--no-deref", "-z", "--stdin"],
        input: `start\0${steps.join("")}prepare\0commit\0`
      })
      .pipe(
        Effect.catchTag("GitFailed", (failed) => {
          const problem = unavailableIfFull(failed)
          return failed.exitCode === undefined || problem !== failed
            ? Effect.die(problem)
            : Effect.flatMap(moved(repository, updates), Effect.fail)
        })
      )
  })

  /** Makes the error with the refs that have changed; with all refs if git rejected the update for another reason. */
  const moved = Effect.fnUntraced(function* (repository: Repository, updates: ReadonlyArray<RefUpdate>) {
    const present = yield* store.ask(
      repository,
      updates.map(({ ref }) => ({ name: ref }))
    )
    const other = updates.filter(({ from }, at) => from !== undefined && (present[at]?.id ?? null) !== from)
    return new RefsNotMoved({ refs: (other.length === 0 ? updates : other).map(({ ref }) => ref) })
  })

  const applyPatch = (repository: Repository, tree: ObjectId, patch: Uint8Array) =>
    Effect.scoped(
      Effect.gen(function* () {
        const folder = yield* temporary
        const environment = { GIT_INDEX_FILE: join(folder, "index") }
        yield* run(repository, { args: ["read-tree", tree], environment })
        yield* programs
          .run({
            folder: repository.folder,
            args: ["apply", "--cached", "--whitespace=nowarn", "-"],
            environment,
            input: patch
          })
          .pipe(
            Effect.catchTag(
              "GitFailed",
              (failed): Effect.Effect<never, PatchRefused> =>
                refused.includes(failed.exitCode ?? -1)
                  ? Effect.fail(new PatchRefused({ said: failed.said.slice(0, 2_000) }))
                  : Effect.die(unavailableIfFull(failed))
            )
          )
        return line((yield* run(repository, { args: ["write-tree"], environment })).output)
      })
    )

  /** Writes temporary commits with the parent `base`, because git 2.39 has no option to set the merge base. */
  const rebased = Effect.fnUntraced(function* (repository: Repository, { base, ours, theirs }: MergeSides) {
    if (base === undefined) return [ours, theirs] as const
    const write = (tree: ObjectId, parents: ReadonlyArray<ObjectId>) =>
      hashObject(repository, "commit", formatCommit({ tree, parents, author: nobody, committer: nobody, message: "" }))
    const below = yield* write(yield* treeOf(repository, base), [])
    const one = yield* write(yield* treeOf(repository, ours), [below])
    // If both had the same tree they would be the same commit, and git would correctly have nothing to do.
    const other = yield* write(yield* treeOf(repository, theirs), [below])
    return [one, other] as const
  })

  const merge = Effect.fnUntraced(function* (repository: Repository, sides: MergeSides) {
    const { base, ours, theirs } = sides
    yield* demand(repository, commits([ours, theirs, ...(base === undefined ? [] : [base])]))
    const key = [repository.key, ours, theirs, base].join(" ")
    const known = merges.get(key)
    if (known?._tag === "Conflicted") return known
    if (known !== undefined) {
      // An unreachable tree may have been removed by maintenance.
      const [tree] = yield* store.ask(repository, [{ name: known.tree }])
      if (tree?.id === known.tree) return known
    }
    const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories"]
    const { exitCode, output } = yield* run(repository, {
      args: [...args, ...(yield* rebased(repository, sides))],
      mayEnd: [1]
    })
    const [tree = "", ...paths] = tokensOf(output)
    const result: MergeResult =
      exitCode === 0
        ? { _tag: "Merged", tree: tree as ObjectId }
        : { _tag: "Conflicted", paths: [...new Set(paths.filter((path) => path !== ""))] }
    merges.set(key, result)
    return result
  })

  /** Removes the pack and the crash report of a failed `git fast-import`; git's message contains their names. */
  const removeImport = (folder: string, said: string) => {
    const packs = [...said.matchAll(/\btmp_pack_\w+/g)].map(([name]) => join(folder, "objects", "pack", name))
    const reports = [...said.matchAll(/\bfast_import_crash_\d+/g)].map(([name]) => join(folder, name))
    return Effect.forEach(
      new Set([...packs, ...reports]),
      (path) => Effect.ignore(Effect.tryPromise(() => rm(path, { force: true }))),
      { discard: true }
    )
  }

  return GitWriter.of({
    writeBlobs: (id, contents) =>
      on(id, (repository) =>
        Effect.gen(function* () {
          const blobs = contents.flatMap((content, at) => [
            Buffer.from(`blob\nmark :${at + 1}\ndata ${content.length}\n`),
            content,
            Buffer.from(`\nget-mark :${at + 1}\n`)
          ])
          if (contents.length === 0) return []
          const importing = programs.run({
            folder: repository.folder,
            args: ["fast-import", "--quiet", "--done"],
            input: Buffer.concat([...blobs, Buffer.from("done\n")])
          })
          const { output } = yield* orDie(
            Effect.tapError(importing, (failed) =>
              failed._tag === "GitFailed" ? removeImport(repository.folder, failed.said) : Effect.void
            )
          )
          return output.toString("latin1").trim().split("\n").filter(isObjectId)
        })
      ),
    writeTree: (id, base, edits) =>
      on(id, (repository) =>
        Effect.gen(function* () {
          const bad = edits.find(({ path }) => !isEntryPath(path))
          if (bad !== undefined) return yield* Effect.die(new Error("a path that a tree cannot contain"))
          const linked = edits.flatMap(({ to }) =>
            to === undefined || to.mode === "160000"
              ? []
              : [[to.id, to.mode === "040000" ? ("tree" as const) : ("blob" as const)] as const]
          )
          yield* demand(repository, new Map(linked))
          const edited = yield* editTree<GitMissing | GitOverloaded>(
            (tree) =>
              Effect.flatMap(store.entries(repository, tree), (entries) =>
                entries === undefined ? Effect.fail(new GitMissing({ what: "object" })) : Effect.succeed(entries)
              ),
            nameOf(repository.format),
            base,
            edits
          )
          yield* run(repository, { args: ["mktree", "--batch", "-z"], input: treesForGit(edited) })
          return edited.id
        })
      ),
    writeCommit: (id, commit) => on(id, (repository) => writeCommit(repository, commit)),
    writeTag: (id, tag) =>
      on(id, (repository) =>
        Effect.gen(function* () {
          yield* demand(repository, new Map([[tag.object, tag.kind]]))
          return yield* hashObject(repository, "tag", formatTag(tag))
        })
      ),
    updateRefs: (id, updates) => on(id, (repository) => updateRefs(repository, updates)),
    applyPatch: (id, base, patch) =>
      on(id, (repository) => Effect.flatMap(treeOf(repository, base), (tree) => applyPatch(repository, tree, patch))),
    merge: (id, sides) => on(id, (repository) => merge(repository, sides)),
    fetchFrom: (id, other, refspecs) =>
      on(id, (repository) =>
        on(other, (source) =>
          Effect.gen(function* () {
            if (refspecs.length === 0) return
            const found = yield* store.ask(
              source,
              refspecs.map(({ from }) => ({ name: from }))
            )
            if (found.some((each) => each === undefined)) return yield* new GitMissing({ what: "object" })
            const args = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"]
            yield* run(repository, {
              args: [...args, "--end-of-options", source.folder, ...refspecs.map(({ from, to }) => `+${from}:${to}`)],
              settings: ["protocol.file.allow=always"],
              timeout: fetchTime
            })
          })
        )
      ),
    maintain: (id) => on(id, (repository) => maintain(id, repository)),
    check: (id) => on(id, (repository) => check(id, repository))
  })
}
