import { GitReader, type IgnoredWhitespace, type ObjectId } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { equal } from "../../base/fixtures.ts"
import { collectBytes, commit, create, type Git, one, text } from "../gitFixtures.ts"

import { history, lines, nothing } from "./fixture.ts"

/** The output of git 2.39. */
const writtenByGit = {
  diff: `diff --git a/a b/a
index 0079c5a..0376bbf 100644
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
index 63d8dbd..588234a 100644
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
index f2ad6c7..0000000
--- a/gone c\t
+++ /dev/null
@@ -1 +0,0 @@
-c
diff --git a/new b/new
new file mode 100755
index 0000000..7218afe
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+#!
`,
  small: `diff --git a/a b/a
index 0079c5a..0376bbf 100644
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
index af8a489..46a9632 100644
--- a/src/a b%.ts\t
+++ b/src/a b%.ts\t
@@ -18,3 +18,4 @@ line 16
 line 17
 line 18
 line 19
+more
`
} as const

/** Contract tests of `GitReader`: differences between commits. */
export const differences: Contract<Git>["musts"] = {
  "list changed files, with renames and line counts": Effect.gen(function* () {
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
  "count lines without whitespace changes, and omit files without other changes": Effect.gen(function* () {
    yield* create()
    const git = yield* GitReader
    const from = yield* commit({
      files: { both: "a b\nc\n", eol: "x\n", inner: "a b\n", same: "s\n", "old name": lines(9) }
    })
    const to = yield* commit({
      parents: [from],
      files: {
        both: "a  b\nd\n",
        eol: "x \n",
        inner: "ab\n",
        "new name": lines(9, " \t\n"),
        "old name": null
      }
    })
    const files = (whitespace?: IgnoredWhitespace) =>
      Effect.map(git.changes(one, { from, to, whitespace }), (changes) =>
        changes.map(({ additions, after, deletions }) => [after?.path, additions, deletions])
      )
    const both = [["both", 1, 1]] as const
    const moved = ["new name", 1, 0] as const
    equal(yield* files(), [["both", 2, 2], ["eol", 1, 1], ["inner", 1, 1], moved])
    equal(yield* files("eol"), [["both", 2, 2], ["inner", 1, 1], moved])
    equal(yield* files("change"), [...both, ["inner", 1, 1], moved])
    equal(yield* files("all"), [...both, moved])
  }),
  "return the changes of many commits against their first parents": Effect.gen(function* () {
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
  "write diffs as git does": Effect.gen(function* () {
    yield* create()
    const git = yield* GitReader
    const before = yield* commit({ files: { a: lines(9), b: "b", "gone c": "c\n" } })
    const after = yield* commit({
      parents: [before],
      files: { a: lines(9).replace("line 4", "changed"), b: "b\nc", "gone c": null, new: { run: "#!\n" } }
    })
    const patch = (more: object = {}, paths?: ReadonlyArray<string>) =>
      Effect.map(collectBytes(git.patch(one, { from: before, to: after, paths }, { style: "diff", ...more })), text)
    equal(yield* patch(), writtenByGit.diff)
    equal(yield* patch({ context: 0 }, ["a"]), writtenByGit.small)
    equal(yield* patch({}, ["nothing"]), "")
  }),
  "write a history as patch emails, one per commit": Effect.gen(function* () {
    const { first, left, merged } = yield* history
    const git = yield* GitReader
    const mails = text(yield* collectBytes(git.patch(one, { from: first, to: left }, { style: "mails" })))
    equal(mails, writtenByGit.mail)
    const both = text(yield* collectBytes(git.patch(one, { from: first, to: merged }, { style: "mails" }))) ?? ""
    equal(
      both.split("\n").filter((line) => line.startsWith("Subject:")),
      ["Subject: [PATCH 1/2] left", "Subject: [PATCH 2/2] right"]
    )
  })
}
