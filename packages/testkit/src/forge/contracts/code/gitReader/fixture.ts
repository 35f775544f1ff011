import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitWriter, ObjectId, tagRef } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { commit, create, ident, one } from "../gitFixtures.ts"

/** The id of a repository that does not exist. */
export const nowhere = 7 as RepositoryId
/** The id of a git object that does not exist. */
export const nothing = ObjectId.make("12".repeat(20))
/** A page request that is large enough for all rows. */
export const all = { page: 1, perPage: 100 }
/** A window that is large enough for all commits of a test repository. */
export const whole = { skip: 0, limit: 100 }
/** Returns a text with the given number of lines, followed by the text `more`. */
export const lines = (count: number, more = "") =>
  Array.from({ length: count }, (_, at) => `line ${at}\n`).join("") + more

/** Writes four commits: a first one, two children of it, and their merge. */
export const history = Effect.gen(function* () {
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

/** Writes an annotated tag, and its ref. */
export const tag = Effect.fnUntraced(function* (name: string, object: ObjectId, kind: "commit" | "tag" = "commit") {
  const writer = yield* GitWriter
  const tagId = yield* writer.writeTag(one, { object, kind, name, tagger: ident(5), message: `${name}\n` })
  yield* writer.updateRefs(one, [{ ref: tagRef(name), to: tagId }])
  return tagId
})
