import { readFile } from "node:fs/promises"
import { expect, it } from "@effect/vitest"
import { accessTables } from "../../../src/forge/access/tables.ts"

it("docs/reference/access-tables.md matches the rules; `npm run access-tables` writes it", async () => {
  const written = await readFile(new URL("../../../../../docs/reference/access-tables.md", import.meta.url), "utf8")
  expect(written, "docs/reference/access-tables.md is out of date: run `npm run access-tables`").toBe(accessTables())
})
