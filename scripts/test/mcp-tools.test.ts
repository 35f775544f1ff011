import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { mcpTools } from "../mcp-tools.ts"

it.each([...mcpTools()])("%s matches the output of `npm run mcp-tools`", (path, text) => {
  // Compares as a boolean, because printing the difference of such long texts takes longer than generating them.
  const isCurrent = readFileSync(join(import.meta.dirname, "../..", path), "utf8") === text
  expect(isCurrent, `${path} is out of date: run \`npm run mcp-tools\``).toBe(true)
})
