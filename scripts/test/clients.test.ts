import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { clientModules } from "../clients.ts"

it.each([...clientModules()])("%s is what `npm run clients` writes from the endpoints", (path, text) => {
  // A comparison of booleans: the difference of two such texts takes longer to show than to make.
  expect(readFileSync(join(import.meta.dirname, "../..", path), "utf8") === text).toBe(true)
})
