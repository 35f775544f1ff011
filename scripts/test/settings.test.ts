import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "..", "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

/** The variables that the services' own settings name; `DatabaseAddress.setting` makes two more from their names. */
const settings = globSync(["apps/{forge,deploy}/src/**/*.ts", "packages/caddy/src/settings.ts"], { cwd: root }).flatMap(
  (path) => [...read(path).matchAll(/"((?:FORGE|DEPLOY)_[A-Z_]+)"/g)].map(([, name]) => name as string)
)

test("every setting that a service reads stands in the docs", () => {
  const docs = read("docs/operations.md") + read("docs/forge-api.md")
  const names = new Set([...settings, "FORGE_DATABASE_URL", "DEPLOY_DATABASE_URL", "DATABASE_URL", "HOST"])
  expect(names.size).toBeGreaterThan(10)
  expect([...names].filter((name) => !docs.includes(`\`${name}\``))).toEqual([])
})

test("every setting in the docs is read by a service", () => {
  const documented = [...read("docs/operations.md").matchAll(/`((?:FORGE|DEPLOY)_[A-Z_]+)`/g)].map(([, name]) => name)
  const known = new Set([
    ...settings,
    ...settings.map((name) => `${name}_FILE`),
    "FORGE_DATABASE_URL",
    "DEPLOY_DATABASE_URL"
  ])
  expect(documented.filter((name) => !known.has(name as string))).toEqual([])
})
