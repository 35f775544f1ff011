import { readFile } from "node:fs/promises"
import { expect, it } from "@effect/vitest"
import { accessTables } from "../../../src/forge/access/tables.ts"

it("docs/access-tables.md says what the rules say; run `npm run access-tables` when it doesn't", async () => {
  const written = await readFile(new URL("../../../../docs/access-tables.md", import.meta.url), "utf8")
  expect(written).toBe(accessTables())
})
