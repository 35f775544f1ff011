import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Change } from "./changes.ts"

const folder = "packages/sql/src/forge/migrations"
const migrations = readdirSync(join(import.meta.dirname, "../..", folder), { recursive: true, encoding: "utf8" })
const last = Math.max(...migrations.map((path) => Number(/\/(\d{4})_\w+\.ts$/.exec(path)?.[1] ?? 0)))
const name = `${String(last + 1).padStart(4, "0")}_motto`

/** The whole change for a new text that the owners of an organization can set, except generated files. */
export const organizationField: ReadonlyArray<Change> = [
  {
    file: "packages/domain/src/forge/identity/organizations/Organization.ts",
    after: "  location: Setting.text(50),",
    add: ["  /** A sentence below the name. */", "  motto: Setting.text(80),"]
  },
  {
    file: `${folder}/new/${name}.ts`,
    add: [
      'import type { Migration } from "../../../Migrations.ts"',
      "/** Adds the mottoes of organizations. */",
      "export const motto: Migration = {",
      `  name: "${name}",`,
      "  up: [`ALTER TABLE organization ADD COLUMN motto text NOT NULL DEFAULT ''`]",
      "}"
    ]
  },
  {
    file: `${folder}/index.ts`,
    after: 'import type { Migration } from "../../Migrations.ts"',
    add: [`import { motto } from "./new/${name}.ts"`]
  },
  { file: `${folder}/index.ts`, before: "]", add: ["  , motto"] },
  {
    file: "packages/http/test/forge/identity/organizations.test.ts",
    after: '        location: "the desert",',
    add: ['        motto: "everything for roadrunners",']
  }
]

/** The limits of that change. */
export const organizationFieldLimits = { files: 4, lines: 12 }

/** The tests that prove the field: it is stored by both stores, changed and shown. */
export const organizationFieldTests: ReadonlyArray<readonly [file: string, title: string]> = [
  [
    "packages/http/test/forge/identity/organizations.test.ts",
    "are created, read and changed, and return the sent values"
  ],
  ["packages/sql/test/forge/contracts.test.ts", "replace only the fields that owners set"]
]
