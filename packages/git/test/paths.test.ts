import { describe, expect, it } from "@effect/vitest"
import { isWatched, PathMatcher } from "@slipway/domain/deploy/apps"
import { layerPathMatcher } from "@slipway/git/deploy"
import { Effect } from "effect"
import { processorTime } from "../../../scripts/vitest/processor.ts"

const run = <A, E>(effect: Effect.Effect<A, E, PathMatcher>) => Effect.provide(effect, layerPathMatcher)

/** Asserts that a glob matches some paths and none of the others. */
const matches = (glob: string, some: ReadonlyArray<string>, others: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const found = (yield* PathMatcher).compile(glob)
    if (found === undefined) return yield* Effect.die(new Error(`${glob} is no glob`))
    expect(
      some.filter((path) => !found(path)),
      `${glob} matches`
    ).toEqual([])
    expect(others.filter(found), `${glob} doesn't match`).toEqual([])
  })

describe("matchers of repository paths", () => {
  it.effect("match `*` and `?` within a name, and `**` across folders", () =>
    run(
      Effect.gen(function* () {
        yield* matches("*.ts", ["a.ts", "a b.ts"], ["a/b.ts", "a.tsx", "ats"])
        yield* matches("src/?.ts", ["src/a.ts"], ["src/ab.ts", "src/.ts", "src//.ts"])
        yield* matches("src/**", ["src/a", "src/a/b/c.ts"], ["a/src/b", "srcs/a"])
        yield* matches("**/*.md", ["a.md", "a/b.md", "a/b/c.md"], ["a.mdx", "a.md/b"])
        yield* matches("apps/*/src/**/*.ts", ["apps/a/src/b.ts", "apps/a/src/b/c/d.ts"], ["apps/a/b/src/c.ts"])
      })
    )
  )

  it.effect("match one of several alternatives in braces, and one of several characters in brackets", () =>
    run(
      Effect.gen(function* () {
        yield* matches("*.{ts,js}", ["a.ts", "a.js"], ["a.tjs", "a.{ts,js}"])
        yield* matches("[a-c]/[!x]", ["a/y", "c/z"], ["d/y", "a/x"])
      })
    )
  )

  it.effect("match names with a leading dot like all others", () =>
    run(matches("**", [".env", "a/.github/workflows/b.yml"]))
  )

  it.effect("match no path with another case, folder, extension or character", () =>
    run(
      Effect.gen(function* () {
        yield* matches("Dockerfile", ["Dockerfile"], ["dockerfile", "a/Dockerfile", "Dockerfile.dev", "Dockerfile\n"])
        yield* matches("a.b", ["a.b"], ["aXb"])
        yield* matches("a$", ["a$"], ["a"])
      })
    )
  )

  it.effect("match parentheses, plus signs and exclamation marks literally", () =>
    run(
      Effect.gen(function* () {
        yield* matches("src/(group)/+page.*", ["src/(group)/+page.svelte"], ["src/group/page.svelte"])
        yield* matches("@scope/*", ["@scope/a"], ["scope/a"])
        yield* matches("!(a)", ["!(a)"], ["b", "a"])
        yield* matches("{a,aa}+", ["a+", "aa+"], ["aaa"])
        yield* matches("a|b", ["a|b"], ["a", "b"])
      })
    )
  )

  it.effect("return no matcher for an invalid glob", () =>
    run(
      Effect.gen(function* () {
        expect((yield* PathMatcher).compile("")).toBeUndefined()
        expect((yield* PathMatcher).compile("x".repeat(100_000))).toBeUndefined()
      })
    )
  )

  it.effect("are matched in bounded time for all globs and paths (invariant I25)", () =>
    run(
      Effect.gen(function* () {
        const matcher = yield* PathMatcher
        const long = "a".repeat(4_000)
        const deep = "a/".repeat(2_000)
        const many = Array.from({ length: 10_000 }, (_, n) => n.toString(36))
        const hostile: ReadonlyArray<readonly [globs: string, paths: ReadonlyArray<string>]> = [
          [`${"*a".repeat(200)}b`, [long]],
          ["*a*a*a*a*a*b", Array.from({ length: 1_000 }, (_, n) => `${"a".repeat(200)}${n}`)],
          [`${"**/a/".repeat(90)}b`, [deep]],
          ["**/a/**/a/**/a/**/b", [deep, deep]],
          [`${"{a,aa}".repeat(70)}b`, [long]],
          [`${"{a,".repeat(100)}${"}".repeat(100)}b`, [long]],
          ["+(+(+(a)))b\n(a+)+b\n([a]+)+$", [long]],
          ["{a,aa}+{a,aa}+b", [long]],
          ["\\\\(a\\\\+)+b\n\\\\(a|aa)\\\\+b", [long, `\\${long}`]],
          [`${"[a-z]".repeat(90)}b`, [long]],
          [`${"?".repeat(400)}b`, [long]],
          [Array.from({ length: 5_000 }, () => "*").join("\n"), [long]],
          [Array.from({ length: 200 }, () => "**/*x*").join("\n"), Array.from({ length: 10_000 }, (_, n) => `a/${n}`)],
          [Array.from({ length: 200 }, (_, n) => `${"q/".repeat(23)}${n}`).join("\n"), many],
          [Array.from({ length: 200 }, (_, n) => `${"{q,r}".repeat(8)}${n}`).join("\n"), many],
          ["zzz", ["a/".repeat(400_000)]],
          [`${"\\".repeat(400)}\n[[[[\n{{{{\n]]}}`, [long]]
        ]
        for (const [globs, paths] of hostile) {
          const time = processorTime()
          isWatched(globs, paths, matcher)
          expect(time(), globs.slice(0, 40)).toBeLessThan(2_000)
        }
      })
    )
  )
})
