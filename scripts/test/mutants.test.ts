import { globSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { groups } from "../mutants/groups.ts"
import { mutationsOf } from "../mutants/mutations.ts"

/** The changes that are found in a source, as the changed text. */
const changed = (source: string) =>
  mutationsOf("x.ts", source).map(({ end, start, text }) => source.slice(0, start) + text + source.slice(end))

test("a mutant drops a rule, shifts a level, negates a condition, or changes a constant", () => {
  expect(changed(`const a = { "x.read": 1 }`)).toEqual([`const a = {  }`, `const a = { "x.read": 2 }`])
  expect(changed("const a = Level.write")).toEqual(["const a = Level.read"])
  expect(changed(`on("write")`)).toEqual([`on("read")`])
  expect(changed("if (a) b()")).toEqual(["if (!(a)) b()"])
  expect(changed("of.not(x)")).toEqual(["x"])
  expect(changed("of.all(x, y)")).toEqual(["of.all( y)", "of.all(x, )", "of.any(x, y)"])
  expect(changed("a < 1 && !b")).toEqual(["a < 1 || !b", "a <= 1 && !b", "a < 2 && !b"])
})

test("a mutant changes no type, no import and no text", () => {
  expect(changed(`import a from "read"\ntype A = "read"\nconst b: "read" = f<"read">("something else")`)).toEqual([])
})

test("every pattern of a group of mutants matches a file", () => {
  const cwd = join(import.meta.dirname, "../..")
  const patterns = Object.values(groups).flatMap(({ sources, tests }) => [...sources, ...tests])
  expect(patterns.filter((pattern) => globSync(pattern, { cwd }).length === 0)).toEqual([])
})
