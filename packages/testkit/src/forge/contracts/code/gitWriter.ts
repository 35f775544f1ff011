import { assert } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { branchRef, GitReader, GitWriter, ObjectId, RefName, tagRef } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../contract.ts"
import { equal } from "../base/fixtures.ts"
import {
  bytes,
  collectBytes,
  commit,
  create,
  fileAt,
  type Git,
  ident,
  one,
  resolveRevision,
  text,
  tree,
  two
} from "./gitFixtures.ts"

const nowhere = 7 as RepositoryId
const nothing = ObjectId.make("12".repeat(20))
const main = branchRef("main")

const listed = (of: ObjectId) =>
  Effect.flatMap(GitReader, (git) =>
    Effect.map(git.tree(one, of, { recursive: true, page: 1, perPage: 100 }), ({ rows }) =>
      rows.map(({ path }) => path)
    )
  )

/** Returns the tag of an effect's error. */
const refusal = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const alphabet = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
const poem = (changed: Readonly<Record<string, string>> = {}) =>
  alphabet.map((character) => `${changed[character] ?? character}\n`).join("")

/** Writes a commit and two children of it. */
const fork = (left: Parameters<typeof tree>[0], right: Parameters<typeof tree>[0]) =>
  Effect.gen(function* () {
    yield* create()
    const base = yield* commit({ files: { poem: poem(), other: "other\n", third: "third\n" } })
    const ours = yield* commit({ parents: [base], at: 1, files: left })
    const theirs = yield* commit({ parents: [base], at: 2, files: right })
    return { base, ours, theirs }
  })

/** Contract tests of the writer to git repositories. Every implementation must pass them. */
export const gitWriter: Contract<Git> = {
  port: "GitWriter",
  musts: {
    "write blobs under the same names as git": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const contents = [bytes("hello\n"), new Uint8Array(), Uint8Array.of(0, 255, 10), bytes("hello\n")]
      const ids = yield* writer.writeBlobs(one, contents)
      equal(ids, [
        "ce013625030ba8dba906f756967f9e9ca394464a",
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "506cd141ad4a679eee22d6a21dd267cca5734b92",
        "ce013625030ba8dba906f756967f9e9ca394464a"
      ])
      const found = yield* (yield* GitReader).objects(one, ids, 100)
      equal(
        found.map((each) => [...(each?.content ?? [])]),
        contents.map((content) => [...content])
      )
      equal(yield* writer.writeBlobs(one, []), [])
    }),
    "write trees by editing another tree, and omit folders that become empty": Effect.gen(function* () {
      yield* create()
      const first = yield* tree({ "a/b/c": "c", "a/d": "d", e: "e" })
      equal(first, "587425375dd776b25c87e4358e11f7f8275e93b7")
      const next = yield* tree({ "a/b/c": null, "a/f": "f", "x/y": "y", missing: null, "no/where": null }, first)
      equal(yield* listed(next), ["a", "a/d", "a/f", "e", "x", "x/y"])
      equal(
        yield* tree({ "a/d": null, "a/f": null, "x/y": null, e: null }, next),
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
      )
      equal(yield* tree({}), "4b825dc642cb6eb9a060e54bf8d69288fbee4904")
    }),
    "replace a folder with a file, and a file with a folder": Effect.gen(function* () {
      yield* create()
      const first = yield* tree({ "a/b": "b", c: "c" })
      equal(yield* listed(yield* tree({ a: "a", "c/d": "d" }, first)), ["a", "c", "c/d"])
      equal(yield* fileAt(yield* tree({ "c/d": "d" }, first), "c/d"), "d")
    }),
    "write commits under the same names as git, also signed ones": Effect.gen(function* () {
      yield* create()
      const signature = "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n\n-----END SSH SIGNATURE-----\n"
      const plain = yield* commit({ files: { a: "a\n" }, message: "no end" })
      const signed = yield* commit({ parents: [plain], by: "Evil <x>\n", data: { signature } })
      equal([plain, signed], ["53d4852b9a9154153ebc4385b3b9d531a24d1883", "8da6a4d57252ce58c2c96a326342cc57dd7cc198"])
      const [found] = yield* (yield* GitReader).commits(one, [plain])
      equal(found?.message, "no end\n")
    }),
    "write annotated tags": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const commitId = yield* commit({})
      const tag = { object: commitId, kind: "commit", name: "v1.0", tagger: ident(1), message: "One\n" } as const
      equal(yield* writer.writeTag(one, tag), "4ba8ad735bb94e56fd757b729abfdc481f887f3d")
      equal(yield* refusal(writer.writeTag(one, { ...tag, kind: "tree" })), "GitMissing")
    }),
    "move all refs or none": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const [a, b] = [yield* commit({ message: "a\n" }), yield* commit({ message: "b\n" })]
      yield* writer.updateRefs(one, [
        { ref: main, to: a, from: null },
        { ref: tagRef("v1"), to: b }
      ])
      const stale = writer.updateRefs(one, [
        { ref: tagRef("v2"), to: a, from: null },
        { ref: main, to: b, from: b },
        { ref: tagRef("v1"), to: null, from: b }
      ])
      const failed = yield* Effect.flip(stale)
      equal([failed._tag, "refs" in failed && failed.refs], ["RefsNotMoved", [main]])
      equal(
        [(yield* resolveRevision("main"))?.id, (yield* resolveRevision("v1"))?.id, yield* resolveRevision("v2")],
        [a, b, undefined]
      )
      yield* writer.updateRefs(one, [
        { ref: main, to: b, from: a },
        { ref: tagRef("v1"), to: null, from: b }
      ])
      equal([(yield* resolveRevision("main"))?.id, yield* resolveRevision("v1")], [b, undefined])
      equal(yield* refusal(writer.updateRefs(one, [{ ref: main, to: a, from: null }])), "RefsNotMoved")
      yield* writer.updateRefs(one, [])
    }),
    "accept one of several concurrent updates of a ref": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const first = yield* commit({ branch: "main" })
      const next = yield* Effect.forEach([1, 2, 3, 4], (at) => commit({ at, parents: [first] }))
      const exits = yield* Effect.forEach(
        next,
        (to) => Effect.exit(writer.updateRefs(one, [{ ref: main, to, from: first }])),
        { concurrency: "unbounded" }
      )
      const won = next.filter((_, at) => exits[at]?._tag === "Success")
      equal(won.length, 1)
      equal((yield* resolveRevision("main"))?.id, won[0])
    }),
    "reject refs with conflicting names": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const commitId = yield* commit({ branch: "a/b" })
      for (const name of ["a", "a/b/c"])
        equal(
          yield* refusal(writer.updateRefs(one, [{ ref: branchRef(name), to: commitId, from: null }])),
          "RefsNotMoved"
        )
    }),
    "reject a branch that would not point to a commit": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const treeId = yield* tree({ a: "a" })
      equal(yield* refusal(writer.updateRefs(one, [{ ref: main, to: treeId }])), "RefsNotMoved")
      yield* writer.updateRefs(one, [{ ref: tagRef("tree"), to: treeId }])
      equal((yield* resolveRevision("tree"))?.kind, "tree")
    }),
    "apply a patch to a tree": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const git = yield* GitReader
      const from = yield* commit({ files: { poem: poem(), "gone away": "x\n", old: "o\n" } })
      const to = yield* commit({
        parents: [from],
        files: { poem: poem({ e: "E" }), "gone away": null, "new/file": { run: "n\n" } }
      })
      const patch = yield* collectBytes(git.patch(one, { from, to }, { style: "diff" }))
      equal(yield* writer.applyPatch(one, from, patch), (yield* git.commits(one, [to]))[0]?.tree)
      // The file differs in the context lines of the patch.
      const moved = yield* tree({ poem: `0\n${poem({ i: "I" })}` }, from)
      equal(yield* fileAt(yield* writer.applyPatch(one, moved, patch), "poem"), `0\n${poem({ e: "E", i: "I" })}`)
    }),
    "reject a patch that does not apply": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const base = yield* tree({ a: "1\n" })
      const patch = (path: string, line: string) =>
        bytes(`diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${line}\n+2\n`)
      equal(yield* fileAt(yield* writer.applyPatch(one, base, patch("a", "1")), "a"), "2\n")
      const bad = [patch("a", "3"), patch("b", "1"), patch("../a", "1"), bytes("hello"), bytes("")]
      for (const each of bad) equal(yield* refusal(writer.applyPatch(one, base, each)), "PatchRefused")
      const added = bytes(
        "diff --git a/.git/x b/.git/x\nnew file mode 100644\n--- /dev/null\n+++ b/.git/x\n@@ -0,0 +1 @@\n+2\n"
      )
      equal(yield* refusal(writer.applyPatch(one, base, added)), "PatchRefused")
    }),
    "merge changes of both sides": Effect.gen(function* () {
      const { ours, theirs } = yield* fork(
        { poem: poem({ a: "A" }), other: null, "new/ours": "o\n" },
        { poem: poem({ i: "I" }), third: { run: "third\n" }, "new/theirs": "t\n" }
      )
      const writer = yield* GitWriter
      const merged = yield* writer.merge(one, { ours, theirs })
      const expected = yield* tree({
        poem: poem({ a: "A", i: "I" }),
        third: { run: "third\n" },
        "new/ours": "o\n",
        "new/theirs": "t\n"
      })
      equal(merged, { _tag: "Merged", tree: expected })
      equal(yield* writer.merge(one, { ours, theirs: ours }), {
        _tag: "Merged",
        tree: (yield* (yield* GitReader).commits(one, [ours]))[0]?.tree
      })
    }),
    "return the files with conflicts between both sides": Effect.gen(function* () {
      const { ours, theirs } = yield* fork(
        { poem: poem({ e: "E" }), other: null, third: "same\n", both: "1\n" },
        { poem: poem({ e: "è" }), other: "changed\n", third: "same\n", both: "2\n" }
      )
      const merged = yield* (yield* GitWriter).merge(one, { ours, theirs })
      equal(
        [merged._tag, merged._tag === "Conflicted" && merged.paths.toSorted()],
        ["Conflicted", ["both", "other", "poem"]]
      )
    }),
    "merge from the given base": Effect.gen(function* () {
      const { base, ours, theirs } = yield* fork({ poem: poem({ a: "A" }) }, { poem: poem({ e: "E" }) })
      const writer = yield* GitWriter
      const later = yield* commit({ parents: [theirs], at: 3, files: { poem: poem({ e: "E", i: "I" }) } })
      // Only the changes of the last commit are applied on the other branch.
      equal(yield* writer.merge(one, { ours, theirs: later, base: theirs }), {
        _tag: "Merged",
        tree: yield* tree({ poem: poem({ a: "A", i: "I" }) }, base)
      })
      // The changes are then reverted.
      equal(yield* writer.merge(one, { ours: later, theirs: base, base: theirs }), {
        _tag: "Merged",
        tree: yield* tree({ poem: poem({ i: "I" }) }, base)
      })
    }),
    "merge unrelated histories": Effect.gen(function* () {
      yield* create()
      const [ours, theirs] = [yield* commit({ files: { a: "a" } }), yield* commit({ files: { b: "b" } })]
      equal(yield* (yield* GitWriter).merge(one, { ours, theirs }), {
        _tag: "Merged",
        tree: yield* tree({ a: "a", b: "b" })
      })
    }),
    "fetch refs and their objects from another repository": Effect.gen(function* () {
      yield* create()
      yield* create(two)
      const writer = yield* GitWriter
      const commitId = yield* commit({ files: { "a/b": "b" }, branch: "topic" })
      const head = RefName.make("refs/pull/1/head")
      const specs = [{ from: branchRef("topic"), to: head }]
      yield* writer.fetchFrom(two, one, specs)
      equal((yield* resolveRevision("refs/pull/1/head", two))?.id, commitId)
      equal(yield* fileAt(commitId, "a/b", two), "b")
      // The update accepts any previous value.
      const other = yield* commit({ message: "other\n", branch: "topic" })
      yield* writer.fetchFrom(two, one, specs)
      equal((yield* resolveRevision("refs/pull/1/head", two))?.id, other)
      equal(yield* refusal(writer.fetchFrom(two, one, [{ from: branchRef("none"), to: head }])), "GitMissing")
      equal((yield* (yield* GitReader).refs(two, "refs/", { page: 1, perPage: 10 })).total, 1)
    }),
    "run maintenance on a repository without losing data": Effect.gen(function* () {
      yield* create()
      const git = yield* GitReader
      const commitId = yield* commit({ files: { a: "a" }, branch: "main" })
      const [loose] = yield* (yield* GitWriter).writeBlobs(one, [bytes("nobody's yet")])
      yield* (yield* GitWriter).maintain(one)
      equal((yield* resolveRevision("main"))?.id, commitId)
      equal(yield* fileAt(commitId, "a"), "a")
      equal(text(yield* collectBytes(git.content(one, loose ?? nothing))), "nobody's yet")
      const next = yield* commit({ parents: [commitId], at: 1, files: { b: "b" }, branch: "main" })
      equal(yield* git.log(one, { from: [next] }, { skip: 0, limit: 9 }), [next, commitId])
    }),
    "report an intact repository as sound": Effect.gen(function* () {
      yield* create()
      yield* commit({ files: { a: "a" }, branch: "main" })
      equal(yield* (yield* GitWriter).check(one), "sound")
    }),
    "write to repositories with SHA-256 object names": Effect.gen(function* () {
      yield* create(one, "sha256")
      const writer = yield* GitWriter
      const base = yield* commit({ files: { a: poem() }, branch: "main" })
      const ours = yield* commit({ parents: [base], at: 1, files: { a: poem({ a: "A" }) } })
      const theirs = yield* commit({ parents: [base], at: 2, files: { a: poem({ i: "I" }), "x/y": "y" } })
      const merged = yield* writer.merge(one, { ours, theirs })
      assert.isTrue(merged._tag === "Merged" && merged.tree.length === 64)
      const tagger = ident(1)
      const tag = yield* writer.writeTag(one, { object: ours, kind: "commit", name: "v", tagger, message: "v\n" })
      yield* writer.updateRefs(one, [
        { ref: main, to: ours, from: base },
        { ref: tagRef("v"), to: tag, from: null }
      ])
      equal((yield* resolveRevision("v"))?.commit, ours)
      yield* writer.updateRefs(one, [{ ref: main, to: null, from: ours }])
      assert.isUndefined(yield* resolveRevision("main"))
    }),
    "reject missing objects and repositories": Effect.gen(function* () {
      yield* create()
      const writer = yield* GitWriter
      const commitId = yield* commit({})
      const [blob = nothing] = yield* writer.writeBlobs(one, [bytes("b")])
      const empty = yield* tree({})
      const data = { parents: [], author: ident(0), committer: ident(0), message: "m" }
      const edit = (id: ObjectId) => [{ path: "a", to: { id, mode: "100644" as const } }]
      const refusals: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        writer.writeBlobs(nowhere, [bytes("x")]),
        writer.writeTree(nowhere, undefined, []),
        writer.writeTree(one, nothing, []),
        writer.writeTree(one, blob, []),
        writer.writeTree(one, undefined, edit(nothing)),
        writer.writeTree(one, undefined, edit(commitId)),
        writer.writeCommit(nowhere, { ...data, tree: empty }),
        writer.writeCommit(one, { ...data, tree: nothing }),
        writer.writeCommit(one, { ...data, tree: blob }),
        writer.writeCommit(one, { ...data, tree: empty, parents: [nothing] }),
        writer.writeTag(one, { object: nothing, kind: "commit", name: "v", tagger: undefined, message: "" }),
        writer.updateRefs(nowhere, []),
        writer.updateRefs(one, [{ ref: main, to: nothing }]),
        writer.applyPatch(one, nothing, bytes("x")),
        writer.merge(one, { ours: commitId, theirs: nothing }),
        writer.merge(one, { ours: commitId, theirs: commitId, base: nothing }),
        writer.fetchFrom(one, nowhere, []),
        writer.fetchFrom(nowhere, one, []),
        writer.maintain(nowhere),
        writer.check(nowhere)
      ]
      for (const each of refusals) equal(yield* refusal(each), "GitMissing")
    })
  }
}
