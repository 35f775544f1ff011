import { assert } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, type FirstCommit, GitRepositories, wikiOf } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { equal } from "../base/fixtures.ts"

const main = BranchName.make("main")
const other = BranchName.make("release/v1.0")
const id = (n: number) => n as RepositoryId

const commit = (files: FirstCommit["files"], more: Partial<FirstCommit> = {}): FirstCommit => ({
  files,
  author: { name: "Ann", email: "ann@example.com" },
  message: "Initial commit",
  at: "2026-01-02T03:04:05.000Z",
  ...more
})

const hostile = [
  "--upload-pack=touch pwned",
  "$(touch pwned)",
  "`touch pwned`",
  "a\nM 100644 inline b",
  "\u0000\u001b[2J",
  "<evil> <b@x> 1 +0000",
  "Ünïcödé 😀 'quoted' \"twice\" \\ back"
]

/** Branch names at the limits: with the maximum length of a part, and with the maximum total length. */
const longestNames = ["a".repeat(250), `${"ü".repeat(125)}/b`, `${"a/".repeat(127)}b`, "$(touch)", "a';b", "feature/-x"]

const madeAt = "2026-01-02T03:04:05.000Z"

const store = GitRepositories

/** Contract tests of the store of git repositories. Every implementation must pass them. */
export const gitRepositories: Contract<GitRepositories> = {
  port: "GitRepositories",
  musts: {
    "create a bare repository without a commit, with the requested default branch": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: other, commit: undefined, madeAt })
      equal(yield* git.defaultBranch(id(1)), "release/v1.0")
      equal(yield* git.branches(id(1)), [])
    }),
    "create a first commit of the given files, with its author and time": Effect.gen(function* () {
      const git = yield* store
      const files = { "README.md": "# Hello\n", ".gitignore": "", LICENSE: "no end of line" }
      yield* git.create(id(1), { defaultBranch: main, commit: commit(files), madeAt })
      const [branch, ...rest] = yield* git.branches(id(1))
      equal([branch?.name, rest], ["main", []])
      // The commit id is the same as that of the git program.
      equal(branch?.commit, "ef7c2d54162e22772fb5e7ec263d84f35bc005a1")
      for (const [name, text] of Object.entries(files)) equal(yield* git.file(id(1), "main", name), text)
      assert.isUndefined(yield* git.file(id(1), "main", "nothing"))
      assert.isUndefined(yield* git.file(id(1), "nothing", "README.md"))
      // The same files with another author or time give another commit.
      yield* git.create(id(2), {
        defaultBranch: main,
        commit: commit(files, { author: { name: "Bob", email: "bob@example.com" } }),
        madeAt
      })
      yield* git.create(id(3), {
        defaultBranch: main,
        commit: commit(files, { at: "2026-01-02T03:04:06.000Z" }),
        madeAt
      })
      yield* git.create(id(4), { defaultBranch: main, commit: commit(files), madeAt })
      const names = yield* Effect.forEach([1, 2, 3, 4], (n) =>
        Effect.map(git.branches(id(n)), (branches) => branches[0]?.commit)
      )
      equal(new Set(names).size, 3)
      equal(names[0], names[3])
    }),
    "name commits by SHA-1, or by SHA-256 on request": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: main, commit: commit({ a: "b" }), madeAt })
      yield* git.create(id(2), { defaultBranch: main, commit: commit({ a: "b" }), madeAt, objectFormat: "sha256" })
      const lengths = yield* Effect.forEach([1, 2], (n) =>
        Effect.map(git.branches(id(n)), (branches) =>
          branches.map(({ commit }) => commit.replace(/[0-9a-f]/g, "").length + commit.length)
        )
      )
      equal(lengths, [[40], [64]])
    }),
    "keep a repository unchanged when it is created again": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: main, commit: commit({ a: "first" }), madeAt })
      yield* git.create(id(1), { defaultBranch: other, commit: commit({ a: "second" }), madeAt })
      equal(yield* git.defaultBranch(id(1)), "main")
      equal(yield* git.file(id(1), "main", "a"), "first")
    }),
    // Invariant I6: the id of a repository names another one in another or a restored database.
    "move aside leftovers of another repository with the same id": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: other, commit: commit({ secret: "of another" }), madeAt })
      const later = { defaultBranch: main, commit: undefined, madeAt: "2026-01-02T03:04:06.000Z" }
      yield* git.create(id(1), later)
      equal([yield* git.defaultBranch(id(1)), yield* git.branches(id(1))], ["main", []])
      assert.isUndefined(yield* git.file(id(1), "release/v1.0", "secret"))
      yield* git.setDefaultBranch(id(1), other)
      yield* git.create(id(1), later)
      equal(yield* git.defaultBranch(id(1)), "release/v1.0")
      equal(yield* git.list, [1])
    }),
    "copy only the branches and tags of another repository, or one branch": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: other, commit: commit({ a: "first" }), madeAt })
      assert.isTrue(yield* git.copy(id(2), { from: id(1), only: undefined, madeAt }))
      equal(yield* git.branches(id(2)), yield* git.branches(id(1)))
      equal([yield* git.defaultBranch(id(2)), yield* git.file(id(2), "release/v1.0", "a")], ["release/v1.0", "first"])
      assert.isTrue(yield* git.copy(id(3), { from: id(1), only: other, madeAt }))
      equal(yield* git.branches(id(3)), yield* git.branches(id(1)))
      // Existing content is kept, and an empty repository can be copied too.
      assert.isTrue(yield* git.copy(id(2), { from: id(3), only: undefined, madeAt }))
      yield* git.create(id(4), { defaultBranch: main, commit: undefined, madeAt })
      assert.isTrue(yield* git.copy(id(5), { from: id(4), only: undefined, madeAt }))
      equal([yield* git.defaultBranch(id(5)), yield* git.branches(id(5))], ["main", []])
    }),
    "keep a copy complete after its source is removed": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: main, commit: commit({ a: "first" }), madeAt })
      yield* git.copy(id(2), { from: id(1), only: undefined, madeAt })
      yield* git.remove(id(1))
      equal(yield* git.file(id(2), "main", "a"), "first")
    }),
    "report when there is nothing to copy": Effect.gen(function* () {
      const git = yield* store
      assert.isFalse(yield* git.copy(id(2), { from: id(1), only: undefined, madeAt }))
      equal(yield* git.list, [])
    }),
    "set another default branch, even one that does not exist yet": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: main, commit: commit({ a: "b" }), madeAt })
      assert.isTrue(yield* git.setDefaultBranch(id(1), other))
      equal(yield* git.defaultBranch(id(1)), "release/v1.0")
      equal(
        (yield* git.branches(id(1))).map(({ name }) => name),
        ["main"]
      )
    }),
    "return nothing for a missing repository": Effect.gen(function* () {
      const git = yield* store
      assert.isUndefined(yield* git.defaultBranch(id(7)))
      assert.isFalse(yield* git.setDefaultBranch(id(7), main))
      equal(yield* git.branches(id(7)), [])
      assert.isUndefined(yield* git.file(id(7), "main", "a"))
      equal(yield* git.size(id(7)), 0)
    }),
    "return the objects of the existing refs among the given ones": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: main, commit: commit({ a: "b" }), madeAt })
      const [branch] = yield* git.branches(id(1))
      const names = ["refs/heads/main", "refs/heads/mai", "refs/heads/", "refs/heads/*", "main", "--all", "\0"]
      equal([...(yield* git.refs(id(1), names))], [["refs/heads/main", branch?.commit]])
      equal([...(yield* git.refs(id(1), [])), ...(yield* git.refs(id(7), names))], [])
    }),
    "report the size of a repository": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: main, commit: undefined, madeAt })
      const noise = Array.from({ length: 20_000 }, (_, at) => ((at * 7_919) % 65_521).toString(36)).join("")
      yield* git.create(id(2), { defaultBranch: main, commit: commit({ noise }), madeAt })
      const [empty, full] = [yield* git.size(id(1)), yield* git.size(id(2))]
      assert.isAbove(empty, 0)
      assert.isAbove(full, empty + 10)
    }),
    "remove a repository once, and report when it is missing": Effect.gen(function* () {
      const git = yield* store
      yield* git.create(id(1), { defaultBranch: main, commit: commit({ a: "b" }), madeAt })
      yield* git.create(id(2), { defaultBranch: main, commit: undefined, madeAt })
      assert.isTrue(yield* git.remove(id(1)))
      assert.isFalse(yield* git.remove(id(1)))
      assert.isUndefined(yield* git.defaultBranch(id(1)))
      equal(yield* git.list, [2])
      // Its id may be reused in a restored database.
      yield* git.create(id(1), { defaultBranch: other, commit: undefined, madeAt })
      equal(yield* git.branches(id(1)), [])
    }),
    "list existing repositories, by id": Effect.gen(function* () {
      const git = yield* store
      equal(yield* git.list, [])
      for (const n of [2_500, 3, 10, 999_999])
        yield* git.create(id(n), { defaultBranch: main, commit: undefined, madeAt })
      equal(yield* git.list, [3, 10, 2_500, 999_999])
    }),
    "keep the git repository of a wiki separate from that of its repository, and omit it from the list": Effect.gen(
      function* () {
        const git = yield* store
        const wiki = wikiOf(id(1_003))
        yield* git.create(id(1_003), { defaultBranch: main, commit: commit({ a: "code" }), madeAt })
        equal(yield* git.defaultBranch(wiki), undefined)
        yield* git.create(wiki, { defaultBranch: other, commit: commit({ a: "words" }), madeAt })
        equal([yield* git.file(id(1_003), "main", "a"), yield* git.file(wiki, other, "a")], ["code", "words"])
        equal(yield* git.list, [1_003])
        equal(yield* git.remove(id(1_003)), true)
        equal([yield* git.remove(wiki), yield* git.remove(wiki)], [true, false])
      }
    ),
    // Invariant I23: user input never reaches a shell or becomes an option.
    "accept every branch name that the domain accepts": Effect.gen(function* () {
      const git = yield* store
      for (const [n, name] of longestNames.entries()) {
        const branch = BranchName.make(name)
        yield* git.create(id(n + 1), { defaultBranch: branch, commit: commit({ a: "b" }), madeAt })
        equal(
          (yield* git.branches(id(n + 1))).map((each) => each.name),
          [name]
        )
        equal(yield* git.defaultBranch(id(n + 1)), name)
        equal(yield* git.file(id(n + 1), name, "a"), "b")
      }
    }),
    "keep texts with any characters unchanged": Effect.gen(function* () {
      const git = yield* store
      for (const [n, text] of hostile.entries()) {
        const files = { "README.md": text, LICENSE: `${text}\n` }
        const author = { name: text, email: text }
        yield* git.create(id(n + 1), { defaultBranch: main, commit: commit(files, { author, message: text }), madeAt })
        for (const [name, content] of Object.entries(files)) equal(yield* git.file(id(n + 1), "main", name), content)
      }
      for (const text of hostile) {
        assert.isUndefined(yield* git.file(id(1), text, "README.md"))
        assert.isUndefined(yield* git.file(id(1), "main", text))
      }
      equal((yield* git.list).length, hostile.length)
    }),
    "create repositories concurrently": Effect.gen(function* () {
      const git = yield* store
      const same = { defaultBranch: main, commit: commit({ a: "b" }), madeAt }
      yield* Effect.forEach([1, 1, 1, 2, 3, 4], (n) => git.create(id(n), same), { concurrency: "unbounded" })
      equal(yield* git.list, [1, 2, 3, 4])
      for (const n of [1, 2, 3, 4]) equal(yield* git.file(id(n), "main", "a"), "b")
    })
  }
}
