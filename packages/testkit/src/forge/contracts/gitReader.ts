import { assert } from "@effect/vitest"
import {
  branchRef,
  GitReader,
  GitRepositories,
  GitWriter,
  isRevision,
  ObjectId,
  RefName,
  type RepositoryId,
  Revision,
  tagRef
} from "@slipway/domain/forge"
import { Effect } from "effect"
import type { Contract } from "../../contract.ts"
import { bytes, collected, commit, create, fileAt, type Git, ident, one, resolved, text } from "./gitGround.ts"
import { equal } from "./ground.ts"

const nowhere = 7 as RepositoryId
const nothing = ObjectId.make("12".repeat(20))
const all = { page: 1, perPage: 100 }
const whole = { skip: 0, limit: 100 }
const lines = (count: number, more = "") => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("") + more

/** What git 2.39 wrote. */
const writtenByGit = {
  diff: `diff --git a/a b/a
index 0079c5a0104c3fa9e5078d56bf8de4e84c511d8c..0376bbfe6f2aba464f963066c1c3bb7d14be13b8 100644
--- a/a
+++ b/a
@@ -2,7 +2,7 @@ line 0
 line 1
 line 2
 line 3
-line 4
+changed
 line 5
 line 6
 line 7
diff --git a/b b/b
index 63d8dbd40c23542e740659a7168a0ce3138ea748..588234ab440fd2d75e7baa493942190bea99182a 100644
--- a/b
+++ b/b
@@ -1 +1,2 @@
-b
\\ No newline at end of file
+b
+c
\\ No newline at end of file
diff --git a/gone c b/gone c
deleted file mode 100644
index f2ad6c76f0115a6ba5b00456a849810e7ec0af20..0000000000000000000000000000000000000000
--- a/gone c\t
+++ /dev/null
@@ -1 +0,0 @@
-c
diff --git a/new b/new
new file mode 100755
index 0000000000000000000000000000000000000000..7218afe77e9bf34f86390549f3008309e31dd9a6
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+#!
`,
  small: `diff --git a/a b/a
index 0079c5a0104c3fa9e5078d56bf8de4e84c511d8c..0376bbfe6f2aba464f963066c1c3bb7d14be13b8 100644
--- a/a
+++ b/a
@@ -5 +5 @@ line 3
-line 4
+changed
`,
  mail: `From 4b7586ed252a833eb7716de01d27c478a03f189b Mon Sep 17 00:00:00 2001
From: Ann <ann@example.com>
Date: Thu, 1 Jan 2026 02:00:00 +0100
Subject: [PATCH] left

---
 src/a b%.ts | 1 +
 1 file changed, 1 insertion(+)

diff --git a/src/a b%.ts b/src/a b%.ts
index af8a489dcd5fafd865d2779c644a9fb1ed226224..46a9632f710319a50cf3f2e835edc5fd89084409 100644
--- a/src/a b%.ts\t
+++ b/src/a b%.ts\t
@@ -18,3 +18,4 @@ line 16
 line 17
 line 18
 line 19
+more
`
} as const

/** Three commits, two of them beside each other, and their merge. */
const history = Effect.gen(function* () {
  yield* create()
  const first = yield* commit({
    files: { "README.md": "# Hello\n", "src/a b%.ts": lines(20), "src/deep/c": "c\n" },
    message: "first\n\nwith a body\n"
  })
  const left = yield* commit({
    parents: [first],
    at: 1,
    files: { "src/a b%.ts": lines(20, "more\n") },
    message: "left\n"
  })
  const right = yield* commit({ parents: [first], at: 2, by: "Bob", files: { "docs/d": "d\n" }, message: "right\n" })
  const merged = yield* commit({
    parents: [left, right],
    at: 3,
    files: { "docs/d": "d\n" },
    message: "merge\n",
    branch: "main"
  })
  return { first, left, right, merged }
})

const tag = Effect.fnUntraced(function* (name: string, object: ObjectId, kind: "commit" | "tag" = "commit") {
  const writer = yield* GitWriter
  const made = yield* writer.writeTag(one, { object, kind, name, tagger: ident(5), message: `${name}\n` })
  yield* writer.updateRefs(one, [{ ref: tagRef(name), to: made }])
  return made
})

/** What the reader of git repositories promises. */
export const gitReader: Contract<Git> = {
  port: "GitReader",
  musts: {
    "resolve branches, tags, refs, HEAD, names of objects, the beginnings of these, and steps from them": Effect.gen(
      function* () {
        const { first, left, merged, right } = yield* history
        const annotated = yield* tag("v1", first)
        equal(yield* resolved("main"), { id: merged, kind: "commit", commit: merged, ref: branchRef("main") })
        equal(yield* resolved("v1"), { id: annotated, kind: "tag", commit: first, ref: tagRef("v1") })
        equal(yield* resolved("refs/heads/main"), {
          id: merged,
          kind: "commit",
          commit: merged,
          ref: branchRef("main")
        })
        for (const revision of ["HEAD", merged, merged.slice(0, 10), merged.slice(0, 10).toUpperCase()])
          equal(yield* resolved(revision), { id: merged, kind: "commit", commit: merged, ref: undefined })
        const steps = ["main~1", "main^2", "HEAD^", "HEAD~2", "main^^", `${merged.slice(0, 12)}^2~1`, "main~0", "v1~0"]
        const found = yield* Effect.forEach(steps, (each) => resolved(each))
        equal(
          found.map((each) => each?.id),
          [left, right, left, first, first, first, merged, first]
        )
        const [file] = yield* (yield* GitReader).entries(one, first, ["README.md"])
        equal(yield* resolved(file?.id ?? ""), { id: file?.id, kind: "blob", commit: undefined, ref: undefined })
      }
    ),
    "prefer a branch to a tag, and a tag to the name of an object": Effect.gen(function* () {
      const { first, left, right } = yield* history
      const writer = yield* GitWriter
      const like = first.slice(0, 8)
      yield* writer.updateRefs(one, [
        { ref: tagRef("same"), to: left },
        { ref: branchRef("same"), to: right },
        { ref: tagRef(like), to: left }
      ])
      equal((yield* resolved("same"))?.ref, branchRef("same"))
      equal((yield* resolved(like))?.id, left)
      equal((yield* resolved("refs/tags/same"))?.id, left)
    }),
    "answer nothing for what is not there": Effect.gen(function* () {
      const git = yield* GitReader
      yield* create()
      for (const id of [one, nowhere]) {
        for (const revision of ["main", "HEAD", "v1", nothing, "1234567", "HEAD~1"])
          assert.isUndefined(yield* git.resolve(id, Revision.make(revision)))
        equal(yield* git.refs(id, "refs/", all), { rows: [], total: 0 })
        equal(yield* git.objects(id, [nothing], 10), [undefined])
        equal(yield* git.commits(id, [nothing]), [undefined])
        equal(yield* git.sizes(id, [nothing]), [undefined])
        equal(text(yield* collected(git.content(id, nothing))), "")
        equal(yield* git.tree(id, nothing, { recursive: true, ...all }), { rows: [], total: 0 })
        equal(yield* git.tree(id, nothing, { recursive: false, ...all }), { rows: [], total: 0 })
        equal(yield* git.entries(id, nothing, ["a", ""]), [undefined, undefined])
        equal((yield* git.lastCommits(id, nothing, ["a"])).size, 0)
        equal(yield* git.log(id, { from: [nothing] }, whole), [])
        equal(yield* git.count(id, { from: [nothing] }), 0)
        assert.isUndefined(yield* git.divergence(id, nothing, nothing))
        equal(yield* git.changes(id, { from: undefined, to: nothing }), [])
        equal((yield* git.changesOf(id, [nothing])).size, 0)
        equal(text(yield* collected(git.patch(id, { from: undefined, to: nothing }, { style: "diff" }))), "")
        equal(text(yield* collected(git.archive(id, nothing, "zip", "a"))), "")
        equal(text(yield* collected(git.bundle(id, nothing, branchRef("main")))), "")
        assert.isUndefined(yield* git.note(id, RefName.make("refs/notes/commits"), nothing))
      }
      equal([yield* git.format(one), yield* git.format(nowhere)], ["sha1", undefined])
    }),
    "list refs below a prefix by name, a page at a time, with what tags lead to": Effect.gen(function* () {
      const { first, left, merged } = yield* history
      const git = yield* GitReader
      const writer = yield* GitWriter
      yield* writer.updateRefs(
        one,
        ["b/2", "b/10", "b/1", "bc"].map((name) => ({ ref: branchRef(name), to: left }))
      )
      const inner = yield* tag("v1", first)
      const outer = yield* tag("v1-again", inner, "tag")
      const names = (prefix: string, page = all) =>
        Effect.map(git.refs(one, prefix, page), ({ rows, total }) => [rows.map(({ name }) => name.slice(5)), total])
      equal(yield* names("refs/heads/"), [["heads/b/1", "heads/b/10", "heads/b/2", "heads/bc", "heads/main"], 5])
      equal(yield* names("refs/heads/b"), [["heads/b/1", "heads/b/10", "heads/b/2", "heads/bc"], 4])
      equal(yield* names("refs/heads/b", { page: 2, perPage: 3 }), [["heads/bc"], 4])
      equal(yield* names("refs/heads/*"), [[], 0])
      equal((yield* git.refs(one, "refs/", all)).rows.slice(-3), [
        { name: branchRef("main"), id: merged, kind: "commit", peeled: undefined },
        { name: tagRef("v1"), id: inner, kind: "tag", peeled: { id: first, kind: "commit" } },
        { name: tagRef("v1-again"), id: outer, kind: "tag", peeled: { id: first, kind: "commit" } }
      ])
    }),
    "read objects of each kind as git keeps them, and leave out contents past the limit": Effect.gen(function* () {
      const { first } = yield* history
      const git = yield* GitReader
      const annotated = yield* tag("v1", first)
      // Named by git 2.39.
      equal(first, "bb509d01fb53c9680959846330fca38a6a79468e")
      const [readme] = yield* git.entries(one, first, ["README.md"])
      const [made] = yield* git.commits(one, [first])
      const ids = [first, annotated, made?.tree ?? nothing, readme?.id ?? nothing, nothing]
      const found = yield* git.objects(one, ids, 1_000)
      equal(
        found.map((each) => each && [each.kind, each.size, each.content?.length]),
        [["commit", 161, 161], ["tag", 117, 117], ["tree", 67, 67], ["blob", 8, 8], undefined]
      )
      equal(text(found[3]?.content), "# Hello\n")
      equal(
        text(found[1]?.content),
        `object ${first}\ntype commit\ntag v1\ntagger Ann <ann@example.com> 1767243600 +0100\n\nv1\n`
      )
      equal(
        (yield* git.objects(one, ids, 100)).map((each) => each && [each.size, each.content?.length]),
        [[161, undefined], [117, undefined], [67, 67], [8, 8], undefined]
      )
      equal(
        (yield* git.objects(one, [first, first], 1_000)).map((each) => each?.size),
        [161, 161]
      )
    }),
    "read commits with all that they say, whatever their encoding": Effect.gen(function* () {
      const { left, merged, right } = yield* history
      const git = yield* GitReader
      const signature = "-----BEGIN PGP SIGNATURE-----\n\nabc\n=x\n-----END PGP SIGNATURE-----"
      const signed = yield* commit({ at: 9, message: "Grüße 😀\n", by: "Zoë", data: { signature } })
      const [found, sealed] = yield* git.commits(one, [merged, signed])
      equal(
        { ...found, tree: undefined },
        {
          id: merged,
          tree: undefined,
          parents: [left, right],
          author: { name: "Ann", email: "ann@example.com", seconds: 1_767_236_400, offset: "+0100" },
          committer: { name: "Ann", email: "ann@example.com", seconds: 1_767_236_400, offset: "+0100" },
          message: "merge\n"
        }
      )
      equal(
        [sealed?.signature, sealed?.message, sealed?.author.name, sealed?.parents],
        [signature, "Grüße 😀\n", "Zoë", []]
      )
    }),
    "stream contents, whole and in part": Effect.gen(function* () {
      yield* create()
      const git = yield* GitReader
      const large = new Uint8Array(1_500_000).map((_, at) => (at * 7_919) % 251)
      const [small, big] = yield* (yield* GitWriter).writeBlobs(one, [bytes("0123456789"), large])
      const read = (blob: ObjectId | undefined, offset: number, length: number) =>
        collected(git.content(one, blob ?? nothing, { offset, length }))
      equal(text(yield* collected(git.content(one, small ?? nothing))), "0123456789")
      equal(text(yield* read(small, 3, 4)), "3456")
      equal(text(yield* read(small, 8, 100)), "89")
      equal(text(yield* read(small, 50, 1)), "")
      const streamed = yield* collected(git.content(one, big ?? nothing))
      equal(streamed.length, large.length)
      assert.isTrue(streamed.every((byte, at) => byte === large[at]))
      equal([...(yield* read(big, 1_400_000, 3))], [...large.slice(1_400_000, 1_400_003)])
    }),
    "list trees, also with all below them, a page at a time": Effect.gen(function* () {
      const { first } = yield* history
      const git = yield* GitReader
      const paths = (recursive: boolean, page = all) =>
        Effect.map(git.tree(one, first, { recursive, ...page }), ({ rows, total }) => [
          rows.map(({ kind, path }) => `${kind} ${path}`),
          total
        ])
      equal(yield* paths(false), [["blob README.md", "tree src"], 2])
      const everything = ["blob README.md", "tree src", "blob src/a b%.ts", "tree src/deep", "blob src/deep/c"]
      equal(yield* paths(true), [everything, 5])
      equal(yield* paths(true, { page: 2, perPage: 2 }), [everything.slice(2, 4), 5])
      equal(yield* paths(true, { page: 4, perPage: 2 }), [[], 5])
      const [found] = yield* git.commits(one, [first])
      equal((yield* git.tree(one, found?.tree ?? nothing, { recursive: false, ...all })).total, 2)
    }),
    "find entries by path, through folders, links and submodules apart": Effect.gen(function* () {
      yield* create()
      const git = yield* GitReader
      const made = yield* commit({
        files: { "a/b/c": "c", "a/link": { link: "b" }, "a/run": { run: "#!" }, "a/module": { submodule: nothing } }
      })
      const paths = ["a/b/c", "a", "a/link", "a/run", "a/module", "a/link/c", "a/module/x", "a/b/c/d", "b", "a/../a"]
      const found = yield* git.entries(one, made, paths)
      equal(
        found.map((each) => each && [each.path, each.mode, each.kind]),
        [
          ["a/b/c", "100644", "blob"],
          ["a", "040000", "tree"],
          ["a/link", "120000", "blob"],
          ["a/run", "100755", "blob"],
          ["a/module", "160000", "commit"],
          ...Array.from({ length: 5 }, () => undefined)
        ]
      )
      const [root] = yield* git.entries(one, made, [""])
      const [data] = yield* git.commits(one, [made])
      equal([root?.id, root?.kind], [data?.tree, "tree"])
    }),
    "keep names of files that are not text": Effect.gen(function* () {
      yield* create()
      const git = yield* GitReader
      const odd = ["caf\udce9", "ü😀", "a\nb", "tab\t'\"", "-rf", "x\udcff/y"]
      const made = yield* commit({ files: Object.fromEntries(odd.map((path, at) => [path, `${at}`])), branch: "main" })
      const entries = yield* git.entries(one, made, odd)
      equal(
        entries.map((each) => each?.path),
        odd
      )
      const { rows } = yield* git.tree(one, made, { recursive: true, ...all })
      equal(rows.map(({ path }) => path).toSorted(), [...odd, "x\udcff"].toSorted())
      equal((yield* git.changes(one, { from: undefined, to: made })).length, odd.length)
      for (const path of ["caf\udce9", "x\udcff", "ü😀", "-rf"]) {
        equal(yield* git.log(one, { from: [made], path }, whole), [made])
        equal((yield* git.lastCommits(one, made, [path])).get(path), made)
      }
      equal(yield* fileAt(made, "caf\udce9"), "0")
    }),
    "tell sizes of many blobs at once": Effect.gen(function* () {
      yield* create()
      const git = yield* GitReader
      const sizes = Array.from({ length: 200 }, (_, at) => at)
      const blobs = yield* (yield* GitWriter).writeBlobs(
        one,
        sizes.map((size) => new Uint8Array(size))
      )
      equal(yield* git.sizes(one, [...blobs, nothing]), [...sizes, undefined])
    }),
    "name the commit that last touched each path": Effect.gen(function* () {
      const { first, left, merged, right } = yield* history
      const git = yield* GitReader
      const paths = ["README.md", "src", "src/a b%.ts", "src/deep", "src/deep/c", "docs", "docs/d"]
      const found = yield* git.lastCommits(one, merged, [...paths, "missing"])
      equal(
        paths.map((path) => found.get(path)),
        [first, left, left, first, first, right, right]
      )
      equal(found.size, paths.length)
      // Back as it was: the last commit counts, not the first that had it so.
      const away = yield* commit({ parents: [merged], at: 4, files: { "README.md": "else\n" } })
      const back = yield* commit({ parents: [away], at: 5, files: { "README.md": "# Hello\n" } })
      equal((yield* git.lastCommits(one, back, ["README.md"])).get("README.md"), back)
    }),
    "list commits newest first, by path, author, time and what is left out": Effect.gen(function* () {
      const { first, left, merged, right } = yield* history
      const git = yield* GitReader
      const log = (more: object, window = whole) => git.log(one, { from: [merged], ...more }, window)
      equal(yield* log({}), [merged, right, left, first])
      equal(yield* log({}, { skip: 1, limit: 2 }), [right, left])
      equal(yield* log({ firstParent: true }), [merged, left, first])
      equal(yield* log({ path: "src/a b%.ts" }), [left, first])
      equal(yield* log({ path: "src" }), [left, first])
      equal(yield* log({ path: "nothing" }), [])
      equal(yield* log({ author: "BOB@exam" }), [right])
      equal(yield* log({ author: "B.b" }), [])
      equal(yield* log({ not: [left] }), [merged, right])
      equal(yield* log({ since: ident(2).seconds }), [merged, right])
      equal(yield* log({ until: ident(1).seconds }), [left, first])
      equal(yield* git.log(one, { from: [left, right] }, whole), [right, left, first])
    }),
    "count the commits of a history": Effect.gen(function* () {
      const { left, merged } = yield* history
      const git = yield* GitReader
      equal(yield* git.count(one, { from: [merged] }), 4)
      equal(yield* git.count(one, { from: [merged], path: "src" }), 2)
      equal(yield* git.count(one, { from: [merged], not: [left] }), 2)
    }),
    "tell how two commits lie to each other": Effect.gen(function* () {
      const { first, left, merged, right } = yield* history
      const git = yield* GitReader
      equal(yield* git.divergence(one, left, right), { mergeBase: first, ahead: 1, behind: 1 })
      equal(yield* git.divergence(one, first, merged), { mergeBase: first, ahead: 3, behind: 0 })
      equal(yield* git.divergence(one, merged, merged), { mergeBase: merged, ahead: 0, behind: 0 })
      const stranger = yield* commit({ files: { a: "a" } })
      equal(yield* git.divergence(one, first, stranger), { mergeBase: undefined, ahead: 1, behind: 1 })
    }),
    "tell which files differ, with renames and lines": Effect.gen(function* () {
      const { first } = yield* history
      const git = yield* GitReader
      const next = yield* commit({
        parents: [first],
        files: {
          "README.md": { link: "src" },
          "src/a b%.ts": null,
          "src/moved.ts": lines(20, "more\n"),
          "src/deep/c": "c\nd\n",
          binary: Uint8Array.of(0, 1, 2)
        }
      })
      const changes = yield* git.changes(one, { from: first, to: next })
      equal(
        changes.map(({ additions, after, before, binary, deletions, status }) => [
          status,
          before?.path,
          after?.path,
          after?.mode,
          additions,
          deletions,
          binary
        ]),
        [
          ["changed", "README.md", "README.md", "120000", 1, 1, false],
          ["added", undefined, "binary", "100644", 0, 0, true],
          ["modified", "src/deep/c", "src/deep/c", "100644", 1, 0, false],
          ["renamed", "src/a b%.ts", "src/moved.ts", "100644", 1, 0, false]
        ]
      )
      equal((yield* git.changes(one, { from: next, to: first, paths: ["src/deep"] })).length, 1)
      const [gone] = yield* git.changes(one, { from: next, to: first, paths: ["binary"] })
      equal([gone?.status, gone?.before?.path, gone?.after], ["deleted", "binary", undefined])
      equal(
        (yield* git.changes(one, { from: undefined, to: first })).map(({ additions, status }) => [status, additions]),
        [
          ["added", 1],
          ["added", 20],
          ["added", 1]
        ]
      )
    }),
    "tell what each of many commits changed against its first parent": Effect.gen(function* () {
      const { first, left, merged } = yield* history
      const git = yield* GitReader
      const empty = yield* commit({ parents: [merged], at: 6 })
      const found = yield* git.changesOf(one, [first, merged, left, empty, nothing])
      const paths = (id: ObjectId) => found.get(id)?.map(({ after }) => after?.path)
      equal(
        [paths(first), paths(merged), paths(left), paths(empty), found.size],
        [["README.md", "src/a b%.ts", "src/deep/c"], ["docs/d"], ["src/a b%.ts"], [], 4]
      )
      equal(found.get(left)?.[0]?.additions, 1)
    }),
    "write differences as git does": Effect.gen(function* () {
      yield* create()
      const git = yield* GitReader
      const before = yield* commit({ files: { a: lines(9), b: "b", "gone c": "c\n" } })
      const after = yield* commit({
        parents: [before],
        files: { a: lines(9).replace("line 4", "changed"), b: "b\nc", "gone c": null, new: { run: "#!\n" } }
      })
      const patch = (more: object = {}, paths?: ReadonlyArray<string>) =>
        Effect.map(collected(git.patch(one, { from: before, to: after, paths }, { style: "diff", ...more })), text)
      equal(yield* patch(), writtenByGit.diff)
      equal(yield* patch({ context: 0 }, ["a"]), writtenByGit.small)
      equal(yield* patch({}, ["nothing"]), "")
    }),
    "write a mail for each commit": Effect.gen(function* () {
      const { first, left, merged } = yield* history
      const git = yield* GitReader
      const mails = text(yield* collected(git.patch(one, { from: first, to: left }, { style: "mails" })))
      equal(mails, writtenByGit.mail)
      const both = text(yield* collected(git.patch(one, { from: first, to: merged }, { style: "mails" }))) ?? ""
      equal(
        both.split("\n").filter((line) => line.startsWith("Subject:")),
        ["Subject: [PATCH 1/2] left", "Subject: [PATCH 2/2] right"]
      )
    }),
    "pack the files of a tree": Effect.gen(function* () {
      const { first } = yield* history
      const git = yield* GitReader
      const gzip = yield* collected(git.archive(one, first, "tar.gz", "hello"))
      equal([...gzip.slice(0, 2)], [0x1f, 0x8b])
      const zip = yield* collected(git.archive(one, first, "zip", "hello"))
      equal(new TextDecoder().decode(zip.slice(0, 2)), "PK")
      // The directory at the end of a zip names all that it holds.
      const names = new TextDecoder("latin1").decode(zip)
      for (const path of ["hello/README.md", "hello/src/a b%.ts", "hello/src/deep/c"])
        equal(names.split(path).length, 3)
    }),
    "bundle a branch with its history": Effect.gen(function* () {
      const { merged } = yield* history
      const git = yield* GitReader
      const bundle = yield* collected(git.bundle(one, merged, branchRef("main")))
      const head = new TextDecoder("latin1").decode(bundle.slice(0, 160))
      equal(head.split("\n\n")[0], `# v2 git bundle\n${merged} refs/heads/main\n${merged} HEAD`)
      equal(head.split("\n\n")[1]?.slice(0, 4), "PACK")
    }),
    "find the note of a commit": Effect.gen(function* () {
      const { first, left, merged } = yield* history
      const git = yield* GitReader
      const notes = RefName.make("refs/notes/commits")
      const fanned = `${left.slice(0, 2)}/${left.slice(2)}`
      const made = yield* commit({ files: { [first]: "a note\n", [fanned]: "another\n" } })
      yield* (yield* GitWriter).updateRefs(one, [{ ref: notes, to: made }])
      const [plain, deep] = [yield* git.note(one, notes, first), yield* git.note(one, notes, left)]
      equal([plain?.path, plain?.commit], [first, made])
      equal(text(yield* collected(git.content(one, plain?.blob ?? nothing))), "a note\n")
      equal(deep?.path, fanned)
      assert.isUndefined(yield* git.note(one, notes, merged))
      assert.isUndefined(yield* git.note(one, RefName.make("refs/notes/other"), first))
    }),
    "read repositories that name objects by SHA-256": Effect.gen(function* () {
      yield* create(one, "sha256")
      const git = yield* GitReader
      const first = yield* commit({ files: { "a/b": "b\n" }, branch: "main" })
      const next = yield* commit({ parents: [first], at: 1, files: { "a/c": "c\n" }, branch: "main" })
      equal(first, "f908cb7770b1fe9581a19f899e30a3d1f3892aeb5bb494edeb9bddb94acb9dce")
      equal(yield* git.format(one), "sha256")
      equal((yield* resolved("main"))?.id, next)
      equal(yield* git.log(one, { from: [next], path: "a" }, whole), [next, first])
      equal((yield* git.lastCommits(one, next, ["a/b"])).get("a/b"), first)
      equal((yield* git.changesOf(one, [next])).get(next)?.[0]?.after?.path, "a/c")
      equal(yield* fileAt(next, "a/c"), "c\n")
      equal((yield* collected(git.bundle(one, next, branchRef("main")))).length > 100, true)
    }),
    // Invariant I23: no shell and no option is ever made of what users say.
    "take hostile texts for what they are": Effect.gen(function* () {
      const { merged } = yield* history
      const git = yield* GitReader
      const hostile = [
        "--all",
        "-n1",
        "$(touch x)",
        "`x`",
        "a\0b",
        "a\nb",
        ":/",
        ":(exclude)src",
        "*",
        "\ud800",
        "../x",
        ""
      ]
      for (const each of hostile) {
        equal((yield* git.refs(one, each === "" ? "refs/x" : each, all)).total, 0)
        equal((yield* git.lastCommits(one, merged, [each])).size, 0)
        equal(yield* git.changes(one, { from: undefined, to: merged, paths: [each === "" ? "x" : each] }), [])
        equal((yield* git.log(one, { from: [merged], author: each === "" ? "zz\0" : each }, whole)).length, 0)
        if (each !== "") equal(yield* git.log(one, { from: [merged], path: each }, whole), [])
      }
      equal(hostile.filter(isRevision), ["$(touch x)", "`x`"].filter(isRevision))
      const repositories = yield* GitRepositories
      // Another repository under the same number shows nothing of the first.
      yield* repositories.remove(one)
      yield* create()
      equal(yield* git.objects(one, [merged], 10_000), [undefined])
    })
  }
}
