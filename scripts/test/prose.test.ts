import { describe, expect, test } from "vitest"
import { compare, countsOf, findingsIn, folderOf } from "../prose/check.ts"
import { proseOfPage, proseOfSource } from "../prose/texts.ts"

const found = (text: string) => findingsIn("docs/a.md", proseOfPage(text)).map(({ found }) => found.toLowerCase())

describe("the word check", () => {
  test("finds words to avoid, and names what to use instead", () => {
    expect(found("Whoever asks gets a letter at once.")).toEqual(["letter", "whoever", "at once"])
    expect(findingsIn("docs/a.md", proseOfPage("Built anew."))).toEqual([
      { path: "docs/a.md", line: 1, found: "anew", use: "again, or a verb with re-: regenerate, rebuild" }
    ])
  })

  test("accepts letters of an alphabet and the standard terms", () => {
    expect(found("At most 40 letters and digits, in lower-case letters.")).toEqual([])
    expect(found("The worker retries the job after its lease expires.")).toEqual([])
  })

  test("skips code", () => {
    expect(found("Use `anew`.\n\n```sh\nanew\n```\n\n    anew\n")).toEqual([])
  })

  test("reads comments, test titles and messages of sources, and no other code", () => {
    const source = [
      "// Makes it anew.",
      'const anew = "anew"',
      'it("is made anew", () => {})',
      "/**",
      " * Doubles.",
      " *",
      " * @example",
      " * anew(2) // => 4",
      " */",
      'fail("the thing is made anew")'
    ].join("\n")
    const lines = (path: string) => findingsIn(path, proseOfSource(path, source)).map(({ line }) => line)
    expect(lines("packages/a/src/a.ts")).toEqual([1, 3, 10])
    expect(lines("packages/a/test/a.test.ts")).toEqual([1, 3])
  })

  test("reads titles of parameterized tests, and the cells of their tables that appear in a title", () => {
    const source = [
      'test.for(rows)("%s is made anew", () => {})',
      'it.effect.each([["is built anew", "data anew"]] as const)("%s", () => {})',
      'describe.each([{ what: "goes on anew", body: "data anew" }])("$what", () => {})',
      "it.live(",
      "  `first line",
      "  anew`,",
      "  () => {}",
      ")",
      'run([["no title anew"]])("anew")'
    ].join("\n")
    const lines = findingsIn("packages/a/test/a.test.ts", proseOfSource("packages/a/test/a.test.ts", source))
    expect(lines.map(({ line }) => line)).toEqual([1, 2, 3, 6])
  })

  test("reads messages of several lines, and skips SQL", () => {
    const source = [
      "const help = `Starts the service.",
      "",
      "It is made anew.",
      "`",
      "const sql = `SELECT anew FROM anew",
      "  WHERE anew is anew`"
    ].join("\n")
    const lines = findingsIn("packages/a/src/a.ts", proseOfSource("packages/a/src/a.ts", source))
    expect(lines.map(({ line }) => line)).toEqual([3])
  })
})

describe("the allowed number of findings", () => {
  test("is counted per folder, separately for the sources and the other files of a package", () => {
    expect(folderOf("packages/sql/src/forge/a.ts")).toBe("packages/sql/src")
    expect(folderOf("packages/sql/README.md")).toBe("packages/sql")
    expect(folderOf("docs/guides/git.md")).toBe("docs")
    expect(folderOf("README.md")).toBe(".")
    const finding = { path: "docs/a.md", line: 1, found: "anew", use: "again" }
    expect(countsOf([finding, finding])).toEqual({ docs: 2 })
  })

  test("is compared with the findings of each folder, and folders above and below it are reported", () => {
    expect(compare({ docs: 2, scripts: 1 }, { docs: 1, scripts: 3 })).toEqual({
      above: [{ folder: "docs", found: 2, allowed: 1 }],
      below: [{ folder: "scripts", found: 1, allowed: 3 }]
    })
  })
})
