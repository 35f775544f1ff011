import { assert } from "@effect/vitest"
import { branchRef, GitReader, GitWriter, type ObjectId, RefName, Revision, tagRef } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { equal } from "../../base/fixtures.ts"
import { bytes, collectBytes, commit, create, fileAt, type Git, one, resolveRevision, text } from "../gitFixtures.ts"

import { all, history, nothing, nowhere, tag, whole } from "./fixture.ts"

/** Contract tests of `GitReader`: refs, objects and trees. */
export const objects: Contract<Git>["musts"] = {
  "resolve branches, tags, refs, HEAD, object names, their abbreviations, and steps from them": Effect.gen(
    function* () {
      const { first, left, merged, right } = yield* history
      const annotated = yield* tag("v1", first)
      equal(yield* resolveRevision("main"), { id: merged, kind: "commit", commit: merged, ref: branchRef("main") })
      equal(yield* resolveRevision("v1"), { id: annotated, kind: "tag", commit: first, ref: tagRef("v1") })
      equal(yield* resolveRevision("refs/heads/main"), {
        id: merged,
        kind: "commit",
        commit: merged,
        ref: branchRef("main")
      })
      for (const revision of ["HEAD", merged, merged.slice(0, 10), merged.slice(0, 10).toUpperCase()])
        equal(yield* resolveRevision(revision), { id: merged, kind: "commit", commit: merged, ref: undefined })
      const steps = ["main~1", "main^2", "HEAD^", "HEAD~2", "main^^", `${merged.slice(0, 12)}^2~1`, "main~0", "v1~0"]
      const found = yield* Effect.forEach(steps, (each) => resolveRevision(each))
      equal(
        found.map((each) => each?.id),
        [left, right, left, first, first, first, merged, first]
      )
      const [file] = yield* (yield* GitReader).entries(one, first, ["README.md"])
      equal(yield* resolveRevision(file?.id ?? ""), { id: file?.id, kind: "blob", commit: undefined, ref: undefined })
    }
  ),
  "prefer a full object name to a branch, a branch to a tag, and a tag to an abbreviated object name": Effect.gen(
    function* () {
      const { first, left, right } = yield* history
      const writer = yield* GitWriter
      const like = first.slice(0, 8)
      yield* writer.updateRefs(one, [
        { ref: tagRef("same"), to: left },
        { ref: branchRef("same"), to: right },
        { ref: tagRef(like), to: left },
        { ref: branchRef(first), to: right },
        { ref: tagRef("0".repeat(first.length)), to: left }
      ])
      equal(yield* resolveRevision(first), { id: first, kind: "commit", commit: first, ref: undefined })
      equal((yield* resolveRevision(first.toUpperCase()))?.id, first)
      equal((yield* resolveRevision(branchRef(first)))?.id, right)
      equal((yield* resolveRevision("0".repeat(first.length)))?.id, left)
      equal((yield* resolveRevision("same"))?.ref, branchRef("same"))
      equal((yield* resolveRevision(like))?.id, left)
      equal((yield* resolveRevision("refs/tags/same"))?.id, left)
    }
  ),
  "hide the internal refs of the forge": Effect.gen(function* () {
    const { first } = yield* history
    const [git, writer] = [yield* GitReader, yield* GitWriter]
    const names = (prefix: string) =>
      Effect.map(git.refs(one, prefix, { page: 1, perPage: 50 }), ({ rows, total }) => [
        rows.map(({ name }) => name),
        total
      ])
    const before = yield* names("refs/")
    yield* writer.updateRefs(one, [{ ref: RefName.make(`refs/slipway/${first}`), to: first }])
    equal(yield* names("refs/"), before)
    equal(yield* names("refs/slipway/"), [[], 0])
  }),
  "return nothing for missing objects and repositories": Effect.gen(function* () {
    const git = yield* GitReader
    yield* create()
    for (const id of [one, nowhere]) {
      for (const revision of ["main", "HEAD", "v1", nothing, "1234567", "HEAD~1"])
        assert.isUndefined(yield* git.resolve(id, Revision.make(revision)))
      equal(yield* git.refs(id, "refs/", all), { rows: [], total: 0 })
      equal(yield* git.objects(id, [nothing], 10), [undefined])
      equal(yield* git.commits(id, [nothing]), [undefined])
      equal(yield* git.sizes(id, [nothing]), [undefined])
      equal(text(yield* collectBytes(git.content(id, nothing))), "")
      equal(yield* git.tree(id, nothing, { recursive: true, ...all }), { rows: [], total: 0 })
      equal(yield* git.tree(id, nothing, { recursive: false, ...all }), { rows: [], total: 0 })
      equal(yield* git.entries(id, nothing, ["a", ""]), [undefined, undefined])
      equal((yield* git.lastCommits(id, nothing, ["a"])).size, 0)
      equal(yield* git.log(id, { from: [nothing] }, whole), [])
      equal(yield* git.count(id, { from: [nothing] }), 0)
      assert.isUndefined(yield* git.divergence(id, nothing, nothing))
      equal(yield* git.changes(id, { from: undefined, to: nothing }), [])
      equal((yield* git.changesOf(id, [nothing])).size, 0)
      equal(text(yield* collectBytes(git.patch(id, { from: undefined, to: nothing }, { style: "diff" }))), "")
      equal(text(yield* collectBytes(git.archive(id, nothing, "zip", "a"))), "")
      equal(text(yield* collectBytes(git.bundle(id, nothing, branchRef("main")))), "")
      assert.isUndefined(yield* git.note(id, RefName.make("refs/notes/commits"), nothing))
    }
    equal([yield* git.format(one), yield* git.format(nowhere)], ["sha1", undefined])
  }),
  "list refs below a prefix by name, in pages, with the objects of tags": Effect.gen(function* () {
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
    // The second list may come from a cache.
    for (const page of [all, all]) {
      equal((yield* git.refs(one, "refs/", page)).rows.slice(-3), [
        { name: branchRef("main"), id: merged, kind: "commit", peeled: undefined },
        { name: tagRef("v1"), id: inner, kind: "tag", peeled: { id: first, kind: "commit" } },
        { name: tagRef("v1-again"), id: outer, kind: "tag", peeled: { id: first, kind: "commit" } }
      ])
    }
  }),
  "list refs with names that contain a text": Effect.gen(function* () {
    const { left } = yield* history
    const git = yield* GitReader
    const names = ["fix/Door", "door", "window"]
    yield* (yield* GitWriter).updateRefs(
      one,
      names.map((name) => ({ ref: branchRef(name), to: left }))
    )
    const found = (containing: string, page = all) =>
      Effect.map(git.refs(one, "refs/heads/", page, containing), ({ rows, total }) => [
        rows.map(({ name }) => name.slice(11)),
        total
      ])
    equal(yield* found("DOOR"), [["door", "fix/Door"], 2])
    equal(yield* found("door", { page: 2, perPage: 1 }), [["fix/Door"], 2])
    equal(yield* found("heads"), [[], 0])
    equal((yield* found(""))[1], 4)
  }),
  "read objects of each type as git stores them, and omit contents above the limit": Effect.gen(function* () {
    const { first } = yield* history
    const git = yield* GitReader
    const annotated = yield* tag("v1", first)
    // The ids are from git 2.39.
    equal(first, "bb509d01fb53c9680959846330fca38a6a79468e")
    const [readme] = yield* git.entries(one, first, ["README.md"])
    const [commitObject] = yield* git.commits(one, [first])
    const ids = [first, annotated, commitObject?.tree ?? nothing, readme?.id ?? nothing, nothing]
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
  "read all fields of commits, in any encoding": Effect.gen(function* () {
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
  "stream contents, completely and in part": Effect.gen(function* () {
    yield* create()
    const git = yield* GitReader
    const large = new Uint8Array(1_500_000).map((_, at) => (at * 7_919) % 251)
    const [small, big] = yield* (yield* GitWriter).writeBlobs(one, [bytes("0123456789"), large])
    const read = (blob: ObjectId | undefined, offset: number, length: number) =>
      collectBytes(git.content(one, blob ?? nothing, { offset, length }))
    equal(text(yield* collectBytes(git.content(one, small ?? nothing))), "0123456789")
    equal(text(yield* read(small, 3, 4)), "3456")
    equal(text(yield* read(small, 8, 100)), "89")
    equal(text(yield* read(small, 50, 1)), "")
    const streamed = yield* collectBytes(git.content(one, big ?? nothing))
    equal(streamed.length, large.length)
    assert.isTrue(streamed.every((byte, at) => byte === large[at]))
    equal([...(yield* read(big, 1_400_000, 3))], [...large.slice(1_400_000, 1_400_003)])
  }),
  "list trees, also recursively, in pages": Effect.gen(function* () {
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
  "find entries by path, through folders, and distinguish links and submodules": Effect.gen(function* () {
    yield* create()
    const git = yield* GitReader
    const commitId = yield* commit({
      files: { "a/b/c": "c", "a/link": { link: "b" }, "a/run": { run: "#!" }, "a/module": { submodule: nothing } }
    })
    const paths = ["a/b/c", "a", "a/link", "a/run", "a/module", "a/link/c", "a/module/x", "a/b/c/d", "b", "a/../a"]
    const found = yield* git.entries(one, commitId, paths)
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
    const [root] = yield* git.entries(one, commitId, [""])
    const [data] = yield* git.commits(one, [commitId])
    equal([root?.id, root?.kind], [data?.tree, "tree"])
  }),
  "keep names of files that are not text": Effect.gen(function* () {
    yield* create()
    const git = yield* GitReader
    const odd = ["caf\udce9", "ü😀", "a\nb", "tab\t'\"", "-rf", "x\udcff/y"]
    const commitId = yield* commit({
      files: Object.fromEntries(odd.map((path, at) => [path, `${at}`])),
      branch: "main"
    })
    const entries = yield* git.entries(one, commitId, odd)
    equal(
      entries.map((each) => each?.path),
      odd
    )
    const { rows } = yield* git.tree(one, commitId, { recursive: true, ...all })
    equal(rows.map(({ path }) => path).toSorted(), [...odd, "x\udcff"].toSorted())
    equal((yield* git.changes(one, { from: undefined, to: commitId })).length, odd.length)
    for (const path of ["caf\udce9", "x\udcff", "ü😀", "-rf"]) {
      equal(yield* git.log(one, { from: [commitId], path }, whole), [commitId])
      equal((yield* git.lastCommits(one, commitId, [path])).get(path), commitId)
    }
    equal(yield* fileAt(commitId, "caf\udce9"), "0")
  }),
  "return the sizes of many blobs in one call": Effect.gen(function* () {
    yield* create()
    const git = yield* GitReader
    const sizes = Array.from({ length: 200 }, (_, at) => at)
    const blobs = yield* (yield* GitWriter).writeBlobs(
      one,
      sizes.map((size) => new Uint8Array(size))
    )
    equal(yield* git.sizes(one, [...blobs, nothing]), [...sizes, undefined])
  })
}
