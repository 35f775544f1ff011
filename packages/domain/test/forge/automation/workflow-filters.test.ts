import { describe, expect, it } from "vitest"
import { job, problem } from "../../../../../scripts/vitest/workflowSupport.ts"
import {
  filterPattern,
  filterPatternProblem,
  includedAmong,
  isIncluded,
  matchesFilter
} from "../../../src/forge/automation/workflows/triggers/filterPatterns.ts"
import { includesChangedFile, startedBy } from "../../../src/forge/automation/workflows/triggers/triggers.ts"
import { runSynchronously } from "../../../src/forge/code/patterns/patterns.ts"

const pushOf = (name: string, tag = false) =>
  ({ event: "push", activity: "", branch: tag ? undefined : name, tag: tag ? name : undefined }) as const

const matched = (pattern: string, ...names: ReadonlyArray<string>) =>
  names.filter((name) => matchesFilter(filterPattern(pattern), name))

describe("filter patterns of workflows", () => {
  it("match the pushed tag v1.2.4 with `v[0-9]+.[0-9]+.[0-9]+`", () => {
    const on = { push: { tags: ["v[0-9]+.[0-9]+.[0-9]+"] } }
    const starts = (name: string) => startedBy({ on }, pushOf(name, true))
    expect(["v1.2.4", "v10.20.30"].filter(starts)).toEqual(["v1.2.4", "v10.20.30"])
    expect(["v1.2", "v1.2.x", "v1.2.4-rc", "v1x2x4", "1.2.4"].filter(starts)).toEqual([])
  })

  it("match page.js and page.jsx with `*.jsx?`, and nothing else", () => {
    const lets = (file: string) =>
      runSynchronously(includesChangedFile({ on: { push: { paths: ["*.jsx?"] } } }, "push", [file]))
    const files = ["page.js", "page.jsx", "page.jsxx", "page.jsy", "src/page.js", "page.j"]
    expect(files.filter(lets)).toEqual(["page.js", "page.jsx"])
  })

  // The examples of the filter pattern cheat sheet of GitHub Actions.
  it.each([
    ["feature/*", ["feature/my-branch", "feature/your-branch"], ["feature/beta-a/my-branch"]],
    ["feature/**", ["feature/beta-a/my-branch", "feature/your-branch"], ["feature"]],
    ["main", ["main"], ["Main", "main2"]],
    ["*", ["main", "releases"], ["all/the/branches"]],
    ["**", ["all/the/branches", "every/tag"], []],
    ["*feature", ["mona-feature", "feature", "ver-10-feature"], ["feature-x", "a/feature"]],
    ["v2*", ["v2", "v2.0", "v2.9"], ["v1", "v2/a"]],
    ["v[12].[0-9]+.[0-9]+", ["v1.10.1", "v2.0.0"], ["v3.0.0", "v1.1"]],
    ["*.jsx?", ["page.js", "page.jsx"], ["page.ts"]],
    ["**.js", ["index.js", "js/index.js", "src/js/app.js"], ["index.jsx"]],
    ["docs/*", ["docs/README.md", "docs/file.txt"], ["docs/a/b.md"]],
    [
      "docs/**/*.md",
      ["docs/README.md", "docs/mona/hello-world.md", "docs/a/markdown/file.md"],
      ["docs", "x/docs/a.md"]
    ],
    ["**/docs/**", ["docs/hello.md", "dir/docs/my-file.txt", "space/docs/plan/space.doc"], ["mydocs/a"]],
    ["**/README.md", ["README.md", "js/README.md"], ["MYREADME.md"]],
    ["**/*src/**", ["a/src/app.js", "my-src/code/js/app.js"], ["src2/a"]],
    ["**/*-post.md", ["my-post.md", "path/their-post.md"], ["post.md"]],
    ["**/migrate-*.sql", ["migrate-10909.sql", "db/migrate-v1.0.sql", "db/sept/migrate-v1.sql"], ["migrate.sql"]],
    ["[CB]at", ["Cat", "Bat"], ["Rat"]],
    ["[1-2]00", ["100", "200"], ["300"]]
  ] as const)("follow GitHub's filter syntax: %s", (pattern, names, others) => {
    expect(matched(pattern, ...names, ...others)).toEqual(names)
  })

  it("can repeat or omit the preceding character, class or escaped character", () => {
    expect(matched("a+b", "ab", "aaab", "b", "a+b")).toEqual(["ab", "aaab"])
    expect(matched("a?b", "ab", "b", "aab", "xb")).toEqual(["ab", "b"])
    expect(matched("[ab]?c", "ac", "bc", "c", "abc")).toEqual(["ac", "bc", "c"])
    expect(matched("\\*+", "*", "**", "a")).toEqual(["*", "**"])
    expect(matched("a\\+", "a+", "aa")).toEqual(["a+"])
    expect(matched("[!a]", "b", "a", "/")).toEqual(["b"])
    expect(matched("{a,b}", "{a,b}", "a")).toEqual(["{a,b}"])
    expect(matched("+?x", "+x", "x")).toEqual(["+x", "x"])
    expect(matched("ü+", "üü", "u")).toEqual(["üü"])
  })

  it("are decided by the last pattern that matches", () => {
    expect(isIncluded(["**", "!a", "a"], "a")).toBe(true)
    expect(isIncluded(["!a"], "b")).toBe(false)
    expect(isIncluded(["v+", "!v"], "vv")).toBe(true)
    expect(isIncluded(["v+", "!v"], "v")).toBe(false)
  })

  it("need at most as many steps as pattern length times text length (invariant I25)", () => {
    const budget = { left: 0 }
    const pattern = "**a+".repeat(63)
    runSynchronously(includedAmong([pattern], [`${"a".repeat(4_000)}!`], budget))
    expect(-budget.left).toBeGreaterThan(4_000)
    expect(-budget.left).toBeLessThanOrEqual(4_001 * (2 * 63 + 1))
  })

  it("are refused when a class is never closed or the pattern is too long", () => {
    const of = (pattern: string) => problem({ on: { push: { tags: [pattern] } }, jobs: { a: job } })
    expect(of("v[0-9")).toBe("on.push.tags: must close each `[` with `]`")
    expect(of("a".repeat(256))).toBe("on.push.tags: must have at most 255 characters")
    expect(of("*a".repeat(20))).toBe("nothing")
    expect(filterPatternProblem("\\[a")).toBeUndefined()
  })
})
