import examples from "virtual:doctests"
import { describe, expect, test } from "vitest"
import { checked, examplesOf } from "../vitest/examples.ts"

test.for(examples)("the example at $name gives its stated result", async ({ run }) => {
  await run()
})

describe("the parser of examples", () => {
  const source = [
    "/** Not an example. */",
    "/**",
    " * Doubles a number.",
    " *",
    " * ```ts",
    ' * import { double } from "./double.ts"',
    " * double(2) // => 4",
    " * ```",
    " */",
    "export const double = (n: number) => n * 2"
  ].join("\n")

  test("finds a code block and its first line", () => {
    expect(examplesOf("x.ts", source)).toEqual([
      { line: 6, code: 'import { double } from "./double.ts"\ndouble(2) // => 4' }
    ])
  })

  test("rejects a code block that is not closed", () => {
    expect(() => examplesOf("x.ts", source.replace("* ```\n", "*\n"))).toThrow("x.ts:5 opens an example")
  })
})

test("a code block of a page continues the previous code block", () => {
  const page = "# Page\n```ts\nconst a = 1\n```\nText\n```ts continued\na // => 1\n```\n```ts\nconst b = 2\n```\n"
  expect(examplesOf("x.md", page)).toEqual([{ line: 3, code: "const a = 1\n\na // => 1" }])
})

describe("the check of an example", () => {
  const run = (code: string) => {
    const body = checked("x", code).replace('import { expect } from "vitest"; ', "")
    return () => new Function("expect", body)(expect)
  }

  test("accepts correct values and rejects wrong ones", () => {
    expect(run("1 + 1 // => 2")).not.toThrow()
    expect(run("1 + 1 // => 3")).toThrow("expected 2 to deeply equal 3")
    expect(run("const a = [1]\na.concat(2) // => [1, 2]\na.length // => 1")).not.toThrow()
  })

  test("accepts an expression of several lines", () => {
    expect(run("[\n  1,\n  2\n] // => [1, 2]")).not.toThrow()
  })

  test("rejects an example without checks, because it cannot fail", () => {
    expect(() => checked("x", "1 + 1")).toThrow("x: the example checks nothing")
  })

  test("rejects a value without an expression", () => {
    expect(() => checked("x", "const a = 1 // => 1")).toThrow("must follow an expression")
    expect(() => checked("x", "a\n// => 1")).toThrow("must follow an expression")
  })
})
