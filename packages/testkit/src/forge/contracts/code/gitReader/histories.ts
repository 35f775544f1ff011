import { GitReader, largestBlamed } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import type { Contract } from "../../../../contract.ts"
import { equal } from "../../base/fixtures.ts"
import { commit, type Git, ident, one } from "../gitFixtures.ts"

import { history, nothing, nowhere, whole } from "./fixture.ts"

/** Contract tests of `GitReader`: commit histories. */
export const histories: Contract<Git>["musts"] = {
  "return the last commit of each path": Effect.gen(function* () {
    const { first, left, merged, right } = yield* history
    const git = yield* GitReader
    const paths = ["README.md", "src", "src/a b%.ts", "src/deep", "src/deep/c", "docs", "docs/d"]
    const found = yield* git.lastCommits(one, merged, [...paths, "missing"])
    equal(
      paths.map((path) => found.get(path)),
      [first, left, left, first, first, right, right]
    )
    equal(found.size, paths.length)
    // The content was restored: the last commit counts, not the first one with that content.
    const away = yield* commit({ parents: [merged], at: 4, files: { "README.md": "else\n" } })
    const back = yield* commit({ parents: [away], at: 5, files: { "README.md": "# Hello\n" } })
    equal((yield* git.lastCommits(one, back, ["README.md"])).get("README.md"), back)
  }),
  "list commits newest first, by path, author and time, without excluded ones": Effect.gen(function* () {
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
  "list the commits of several branches, each before its parents, also with wrong clocks": Effect.gen(function* () {
    const { first, left, merged, right } = yield* history
    const git = yield* GitReader
    // The clock of the first child is behind that of its parent.
    const late = yield* commit({ parents: [merged], at: 9, files: { a: "a" } })
    const early = yield* commit({ parents: [late], at: 1, files: { b: "b" } })
    const side = yield* commit({ parents: [left], at: 8, files: { c: "c" } })
    const found = yield* git.log(one, { from: [side, early], childrenFirst: true }, whole)
    equal(new Set(found), new Set([early, late, merged, right, left, first, side]))
    const places = new Map<string, number>(found.map((id, at) => [id, at]))
    const isBefore = (one: string, other: string) => (places.get(one) ?? 9) < (places.get(other) ?? -1)
    equal(
      [
        isBefore(early, late),
        isBefore(late, merged),
        isBefore(merged, left),
        isBefore(merged, right),
        isBefore(side, left),
        isBefore(left, first),
        isBefore(right, first)
      ],
      Array.from({ length: 7 }, () => true)
    )
    const [start, next] = yield* git.log(one, { from: [side, early], childrenFirst: true }, { skip: 1, limit: 2 })
    equal([start, next], [found[1], found[2]])
  }),
  "count the commits of a history": Effect.gen(function* () {
    const { left, merged } = yield* history
    const git = yield* GitReader
    equal(yield* git.count(one, { from: [merged] }), 4)
    equal(yield* git.count(one, { from: [merged], path: "src" }), 2)
    equal(yield* git.count(one, { from: [merged], not: [left] }), 2)
  }),
  "return how far two commits are ahead of and behind each other": Effect.gen(function* () {
    const { first, left, merged, right } = yield* history
    const git = yield* GitReader
    equal(yield* git.divergence(one, left, right), { mergeBase: first, ahead: 1, behind: 1 })
    equal(yield* git.divergence(one, first, merged), { mergeBase: first, ahead: 3, behind: 0 })
    equal(yield* git.divergence(one, merged, merged), { mergeBase: merged, ahead: 0, behind: 0 })
    const stranger = yield* commit({ files: { a: "a" } })
    equal(yield* git.divergence(one, first, stranger), { mergeBase: undefined, ahead: 1, behind: 1 })
  }),
  "name the commit that last changed each line of a file": Effect.gen(function* () {
    const { first, left, merged } = yield* history
    const git = yield* GitReader
    const path = "src/a b%.ts"
    const all = { from: 1, count: 1_000 }
    equal(yield* git.blame(one, merged, path, all), [
      { commit: first, from: 1, count: 20 },
      { commit: left, from: 21, count: 1 }
    ])
    equal(yield* git.blame(one, merged, path, { from: 20, count: 1 }), [{ commit: first, from: 20, count: 1 }])
    equal(yield* git.blame(one, merged, path, { from: 22, count: 5 }), [])
    // A changed line is that of the change, and a renamed file keeps its lines.
    const changed = yield* commit({ parents: [merged], at: 4, files: { "README.md": "# Hello\nand\n" } })
    const moved = yield* commit({
      parents: [changed],
      at: 5,
      files: { "README.md": null, "b.md": "# Hello\nand\nmore" }
    })
    equal(yield* git.blame(one, moved, "b.md", all), [
      { commit: first, from: 1, count: 1 },
      { commit: changed, from: 2, count: 1 },
      { commit: moved, from: 3, count: 1 }
    ])
    equal(yield* git.blame(one, moved, "README.md", all), [])
    equal(yield* git.blame(one, nothing, path, all), [])
    equal(yield* git.blame(nowhere, merged, path, all), [])
  }),
  "name no commit for the lines of a large file, a folder or a link": Effect.gen(function* () {
    yield* history
    const git = yield* GitReader
    const at = yield* commit({
      files: { large: `${"x".repeat(largestBlamed)}\n`, link: { link: "src" }, "--output=x": "a\n", "d/e": "e\n" }
    })
    const all = { from: 1, count: 10 }
    equal(yield* git.blame(one, at, "large", all), [])
    equal(yield* git.blame(one, at, "link", all), [])
    equal(yield* git.blame(one, at, "d", all), [])
    equal(yield* git.blame(one, at, "--output=x", all), [{ commit: at, from: 1, count: 1 }])
  })
}
