import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, branchRef, GitReader, GitRepositories, GitWriter, type ObjectId } from "@slipway/domain/forge/code"
import { layerGitObjects, layerGitRepositories } from "@slipway/git/forge"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { Effect, Fiber, Layer, Stream } from "effect"

const folder = mkdtempSync(join(tmpdir(), "slipway-git-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let roots = 0
const newRoot = () => join(folder, String(roots++))
const at = (root: string) => Layer.mergeAll(layerGitRepositories(root), layerGitObjects(root))

register("git", Layer.unwrap(Effect.sync(() => at(newRoot()))), [Contracts.gitReader, Contracts.gitWriter])

const one = 1 as RepositoryId
const author = { name: "Ann", email: "ann@example.com", seconds: 1_770_000_000, offset: "+0000" }

/** Makes a repository with one commit on disk, and returns its path. */
const made = (root: string, files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const repositories = yield* GitRepositories
    const madeAt = "2026-01-02T03:04:05.000Z"
    yield* repositories.create(one, { defaultBranch: BranchName.make("main"), commit: undefined, madeAt })
    const writer = yield* GitWriter
    const contents = Object.values(files).map((text) => new TextEncoder().encode(text))
    const blobs = yield* writer.writeBlobs(one, contents)
    const edits = Object.keys(files).map((path, at) => {
      const id = blobs[at]
      return { path, to: id && { id, mode: "100644" as const } }
    })
    const tree = yield* writer.writeTree(one, undefined, edits)
    const commit = yield* writer.writeCommit(one, { tree, parents: [], author, committer: author, message: "x" })
    yield* writer.updateRefs(one, [{ ref: branchRef("main"), to: commit, from: null }])
    return { commit, folder: join(root, "repositories", "0", "1.git"), tree }
  })

/** Returns the process ids that read a repository, from /proc. */
const readersOf = (folder: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const line = readFileSync(join("/proc", name, "cmdline"), "utf8")
        return line.includes(folder) && line.includes("cat-file") ? [Number(name)] : []
      } catch {
        return []
      }
    })

const onDisk = <A, E>(
  limits: Parameters<typeof layerGitObjects>[1],
  effect: (root: string) => Effect.Effect<A, E, GitReader | GitRepositories | GitWriter>
) =>
  Effect.suspend(() => {
    const root = newRoot()
    const layer = Layer.mergeAll(layerGitRepositories(root), layerGitObjects(root, limits))
    return Effect.provide(effect(root), layer, { local: true })
  })

describe("git objects on disk", () => {
  it.live("pass the checks of the git program", () =>
    onDisk({}, (root) =>
      Effect.gen(function* () {
        const { folder, tree } = yield* made(root, { "a/b": "b\n", c: "c\n" })
        const git = (...args: ReadonlyArray<string>) =>
          execFileSync("git", [`--git-dir=${folder}`, ...args], { encoding: "utf8" }).trim()
        expect(git("fsck", "--full", "--strict")).toBe("")
        expect(git("log", "--format=%T|%an|%ae|%at|%B", "main").trim()).toBe(`${tree}|Ann|ann@example.com|1770000000|x`)
        expect(git("show", "main:a/b")).toBe("b")
      })
    )
  )

  it.live("are packed as archives for tar and as bundles for git clone", () =>
    onDisk({}, (root) =>
      Effect.gen(function* () {
        const { commit, folder } = yield* made(root, { "a/ü b": "b\n" })
        const git = yield* GitReader
        const file = (name: string) => join(folder, "..", name)
        const save = (name: string, stream: ReturnType<typeof git.bundle>) =>
          Effect.map(Stream.runCollect(stream), (pieces) => writeFileSync(file(name), Buffer.concat([...pieces])))
        yield* save("a.tar.gz", git.archive(one, commit, "tar.gz", "top"))
        expect(execFileSync("tar", ["-xzOf", file("a.tar.gz"), "top/a/ü b"], { encoding: "utf8" })).toBe("b\n")
        yield* save("a.bundle", git.bundle(one, commit, branchRef("main")))
        execFileSync("git", ["clone", "--quiet", file("a.bundle"), file("clone")], { stdio: "pipe" })
        expect(readFileSync(join(file("clone"), "a/ü b"), "utf8")).toBe("b\n")
      })
    )
  )

  // A killed process must not fail a request.
  it.live("can be read again after the reading process was killed", () =>
    onDisk({ remembered: 1 }, (root) =>
      Effect.gen(function* () {
        const { commit, folder } = yield* made(root, { a: "a\n" })
        const git = yield* GitReader
        for (let turn = 0; turn < 3; turn++) {
          const asked = yield* Effect.forkChild(
            Effect.forEach(Array.from({ length: 50 }), () => git.commits(one, [commit]), { concurrency: "unbounded" })
          )
          yield* Effect.yieldNow
          for (const pid of readersOf(folder)) process.kill(pid, "SIGKILL")
          const answers = yield* Fiber.join(asked)
          expect(answers.map(([found]) => found?.id)).toEqual(Array.from({ length: 50 }, () => commit))
        }
      })
    )
  )

  it.live("are read by a limited number of processes, which exit when idle", () =>
    onDisk({ all: 2, each: 1, idle: 50, remembered: 1 }, (root) =>
      Effect.gen(function* () {
        const { commit, folder } = yield* made(root, { a: "a\n" })
        const git = yield* GitReader
        yield* Effect.forEach(Array.from({ length: 300 }), () => git.commits(one, [commit]), {
          concurrency: "unbounded"
        })
        expect(readersOf(folder).length).toBeLessThanOrEqual(1)
        while (readersOf(folder).length > 0) yield* Effect.sleep(10)
        expect((yield* git.commits(one, [commit]))[0]?.id).toBe(commit)
      })
    )
  )

  const asked = (commit: ObjectId, tree: ObjectId) =>
    Effect.gen(function* () {
      const git = yield* GitReader
      const page = { recursive: true, page: 1, perPage: 10 }
      return {
        tree: (yield* git.tree(one, commit, page)).rows.map(({ path }) => path),
        log: yield* git.log(one, { from: [commit] }, { skip: 0, limit: 5 }),
        count: yield* git.count(one, { from: [commit] }),
        last: yield* git.lastCommits(one, commit, ["a/b", "c"]),
        changes: (yield* git.changes(one, { from: undefined, to: tree })).map(({ after }) => after?.path),
        ofCommit: [...(yield* git.changesOf(one, [commit])).values()].flat().map(({ additions }) => additions)
      }
    })

  it.live("are cached after the first read, and are then read without a further program", () =>
    onDisk({}, (root) =>
      Effect.gen(function* () {
        const { commit, folder, tree } = yield* made(root, { "a/b": "b\n", c: "c\n" })
        const expected = {
          tree: ["a", "a/b", "c"],
          log: [commit],
          count: 1,
          last: new Map([
            ["a/b", commit],
            ["c", commit]
          ]),
          changes: ["a/b", "c"],
          ofCommit: [1, 1]
        }
        expect(yield* asked(commit, tree)).toEqual(expected)
        rmSync(join(folder, "objects"), { recursive: true })
        expect(yield* asked(commit, tree)).toEqual(expected)
      })
    )
  )

  it.live("are cached per repository, even if two repositories have the same objects", () =>
    onDisk({}, (root) =>
      Effect.gen(function* () {
        const { commit, folder, tree } = yield* made(root, { "a/b": "b\n", c: "c\n" })
        yield* asked(commit, tree)
        rmSync(folder, { recursive: true })
        const git = yield* GitReader
        yield* (yield* GitRepositories).create(one, {
          defaultBranch: BranchName.make("main"),
          commit: undefined,
          madeAt: "2026-01-02T03:04:06.000Z"
        })
        expect((yield* git.tree(one, commit, { recursive: true, page: 1, perPage: 10 })).rows).toEqual([])
        expect(yield* git.log(one, { from: [commit] }, { skip: 0, limit: 5 })).toEqual([])
        expect(yield* git.changesOf(one, [commit])).toEqual(new Map())
      })
    )
  )
})
