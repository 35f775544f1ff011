import { expect, it } from "@effect/vitest"
import { PathExpressions } from "@slipway/domain/forge/collaboration"
import { ownershipRules, ownersOf } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { pathExpressions } from "../src/forge/pathExpressions.ts"

const owners = (text: string, ...paths: ReadonlyArray<string>) =>
  Effect.provideService(ownersOf(ownershipRules(text), paths), PathExpressions, pathExpressions)

it.effect("the owners of a path are those of every rule that matches the whole path", () =>
  Effect.gen(function* () {
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
      ["docs/(aws|azure)/[^/]*\\\\.(md|txt) @a @org/team", ["docs/aws/a.md"], ["a", "org/team"]],
      ["docs/(aws|azure)/[^/]*\\\\.(md|txt) @a @org/team", ["docs/aws/b/a.md", "docs/aws/aamd"], []],
      ["a\\ b\\#c @a", ["a b#c"], ["a"]],
      ["a.ts @a\nb.ts @b # @c\n.* @a", ["a.ts", "b.ts"], ["a", "b"]],
      ["!src/.* @a", ["src/a.ts"], []],
      ["!src/.* @a", ["src/a.ts", "a.ts"], ["a"]],
      ["/src/.* @a", ["src/a.ts"], ["a"]],
      ["src @a", ["src/a.ts"], []],
      // Invalid expressions match nothing, negated or not; so do backreferences and lookaheads.
      ["( @a\n!( @b\n(a)\\\\1 @c\n(?=a)a @d", ["a", "aa"], []]
    ]
    for (const [text, paths, expected] of cases) expect([text, yield* owners(text, ...paths)]).toEqual([text, expected])
  })
)

it.effect("I25: slow expressions are stopped and do not delay other requests", () =>
  Effect.gen(function* () {
    const paths = Array.from({ length: 200 }, (_, n) => `${"a".repeat(2_000)}${n}`)
    expect(yield* owners("((a*)*)*b @a\n(.{1000}){1000} @b\n.* @c", ...paths)).toEqual(["c"])
    // Rules after the step limit are ignored.
    expect(yield* owners(`${".{500}x @a\n".repeat(300)}.* @c`, ...paths)).toEqual([])
  })
)
