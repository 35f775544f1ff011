import { assert } from "@effect/vitest"
import { branchRef, GitReader, GitRepositories, GitWriter, isRevision, RefName } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { equal } from "../../base/fixtures.ts"
import { collectBytes, commit, create, fileAt, type Git, one, resolveRevision, text } from "../gitFixtures.ts"

import { all, history, nothing, whole } from "./fixture.ts"

/** Contract tests of `GitReader`: archives, git notes and unusual content. */
export const packs: Contract<Git>["musts"] = {
  "pack the files of a tree": Effect.gen(function* () {
    const { first } = yield* history
    const git = yield* GitReader
    const gzip = yield* collectBytes(git.archive(one, first, "tar.gz", "hello"))
    equal([...gzip.slice(0, 2)], [0x1f, 0x8b])
    const zip = yield* collectBytes(git.archive(one, first, "zip", "hello"))
    equal(new TextDecoder().decode(zip.slice(0, 2)), "PK")
    // The central directory of a zip lists all of its files.
    const names = new TextDecoder("latin1").decode(zip)
    for (const path of ["hello/README.md", "hello/src/a b%.ts", "hello/src/deep/c"]) equal(names.split(path).length, 3)
  }),
  "bundle a branch with its history": Effect.gen(function* () {
    const { merged } = yield* history
    const git = yield* GitReader
    const bundle = yield* collectBytes(git.bundle(one, merged, branchRef("main")))
    const head = new TextDecoder("latin1").decode(bundle.slice(0, 160))
    equal(head.split("\n\n")[0], `# v2 git bundle\n${merged} refs/heads/main\n${merged} HEAD`)
    equal(head.split("\n\n")[1]?.slice(0, 4), "PACK")
  }),
  "find the note of a commit": Effect.gen(function* () {
    const { first, left, merged } = yield* history
    const git = yield* GitReader
    const notes = RefName.make("refs/notes/commits")
    const fanned = `${left.slice(0, 2)}/${left.slice(2)}`
    const commitId = yield* commit({ files: { [first]: "a note\n", [fanned]: "another\n" } })
    yield* (yield* GitWriter).updateRefs(one, [{ ref: notes, to: commitId }])
    const [plain, deep] = [yield* git.note(one, notes, first), yield* git.note(one, notes, left)]
    equal([plain?.path, plain?.commit], [first, commitId])
    equal(text(yield* collectBytes(git.content(one, plain?.blob ?? nothing))), "a note\n")
    equal(deep?.path, fanned)
    assert.isUndefined(yield* git.note(one, notes, merged))
    assert.isUndefined(yield* git.note(one, RefName.make("refs/notes/other"), first))
  }),
  "read repositories with SHA-256 object names": Effect.gen(function* () {
    yield* create(one, "sha256")
    const git = yield* GitReader
    const first = yield* commit({ files: { "a/b": "b\n" }, branch: "main" })
    const next = yield* commit({ parents: [first], at: 1, files: { "a/c": "c\n" }, branch: "main" })
    equal(first, "f908cb7770b1fe9581a19f899e30a3d1f3892aeb5bb494edeb9bddb94acb9dce")
    equal(yield* git.format(one), "sha256")
    equal((yield* resolveRevision("main"))?.id, next)
    equal(yield* git.log(one, { from: [next], path: "a" }, whole), [next, first])
    equal((yield* git.lastCommits(one, next, ["a/b"])).get("a/b"), first)
    equal((yield* git.changesOf(one, [next])).get(next)?.[0]?.after?.path, "a/c")
    equal(yield* fileAt(next, "a/c"), "c\n")
    equal((yield* collectBytes(git.bundle(one, next, branchRef("main")))).length > 100, true)
  }),
  // Invariant I23: user input never reaches a shell or becomes an option.
  "treat hostile texts as plain data": Effect.gen(function* () {
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
    // A new repository with the same id reveals nothing of the previous one.
    yield* repositories.remove(one)
    yield* create()
    equal(yield* git.objects(one, [merged], 10_000), [undefined])
  })
}
