import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "..", "..")

test("the German texts of all pages address users with Sie", () => {
  const found: Array<string> = []
  for (const name of ["web", "console"]) {
    const folder = join("packages", name, "src", "texts", "de")
    for (const file of readdirSync(join(root, folder))) {
      const lines = readFileSync(join(root, folder, file), "utf8").split("\n")
      for (const line of lines)
        if (/\b(du|dich|dir|dein(e|em|en|er|es)?|deiner)\b/i.test(line)) found.push(`${folder}/${file}: ${line.trim()}`)
    }
  }
  expect(found).toEqual([])
})
