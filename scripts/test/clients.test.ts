import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { clientModules } from "../clients.ts"

it.each([...clientModules()])("%s matches the output of `npm run clients`", (path, text) => {
  // Compares as a boolean, because printing the difference of such long texts takes longer than generating them.
  const isCurrent = readFileSync(join(import.meta.dirname, "../..", path), "utf8") === text
  expect(isCurrent, `${path} is out of date: run \`npm run clients\``).toBe(true)
})
