import { readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { examplesOf } from "../../../scripts/vitest/examples.ts"
import type { Inherited, Query } from "../src/index.ts"
import * as access from "../src/index.ts"
import * as proof from "../src/proof/index.ts"

const file = new URL("../README.md", import.meta.url)

interface Example {
  readonly facts: string
  readonly joined: string
  readonly list: Query
  readonly shared: Inherited
}

/** Runs the example of the README, and returns its values about SQL. */
const runExample = (): Example => {
  const [example] = examplesOf("README.md", readFileSync(file, "utf8"))
  const code = (example?.code ?? "").replace(
    /import (\{[^}]*\}) from "@slipway\/access(\/proof)?"/g,
    (_, names: string, part?: string) => `const ${names} = ${part === undefined ? "access" : "proof"}`
  )
  return new Function("access", "proof", `${code}\nreturn { facts, joined, list, shared }`)(access, proof)
}

const { facts, joined, list } = runExample()

const tables = `
  create table nodes (id text, parent text, archived boolean);
  create table shares (node text, subject text, level integer);
  insert into nodes values ('home', null, false), ('projects', 'home', false), ('plan', 'projects', false),
    ('old', 'projects', true), ('other', null, false), ('a', 'projects', false);
  insert into shares values ('projects', 'staff', 2), ('other', 'ann', 1);`

/** Numbers the placeholders of an SQL text. */
const numbered = (text: string): string => {
  let number = 0
  return text.replaceAll("?", () => `$${++number}`)
}

describe("the SQL of the README", () => {
  it("lists the same documents on SQLite and PostgreSQL, in both forms", async () => {
    const lite = new DatabaseSync(":memory:")
    lite.exec(tables)
    const postgres = new PGlite()
    await postgres.exec(tables)
    for (const source of [facts, joined]) {
      const text = `with "facts" as (${source}) ${list.text}`
      const values = ["ann", "staff", ...list.values]
      const rows = [lite.prepare(text).all(...values), (await postgres.query(numbered(text), [...values])).rows]
      for (const listed of rows) {
        // `old` is archived, `other` is shared for reading, and `a` is on the previous page.
        expect(listed.map((row) => (row as { readonly id: string }).id)).toEqual(["plan", "projects"])
      }
    }
    await postgres.close()
    lite.close()
  })
})
