import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "..", "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

/** What both services read by their own prefix: whoever runs a service as a process does, before its own settings. */
const shared = ["METRICS_PORT", "SLOW_REQUEST", "LOG_FORMAT"].flatMap((name) => [`FORGE_${name}`, `DEPLOY_${name}`])

/** The variables that the services' own settings name; `DatabaseAddress.setting` makes two more from their names. */
const settings = globSync(["apps/{forge,deploy}/src/**/*.ts", "packages/caddy/src/settings.ts"], { cwd: root }).flatMap(
  (path) => [...read(path).matchAll(/"((?:FORGE|DEPLOY)_[A-Z_]+)"/g)].map(([, name]) => name as string)
)

test("every setting that a service reads stands in the docs", () => {
  const docs = read("docs/operations.md") + read("docs/forge-api.md")
  const names = new Set([...settings, ...shared, "FORGE_DATABASE_URL", "DEPLOY_DATABASE_URL", "DATABASE_URL", "HOST"])
  expect(names.size).toBeGreaterThan(10)
  expect([...names].filter((name) => !docs.includes(`\`${name}\``))).toEqual([])
})

test("every setting in the docs is read by a service", () => {
  const documented = [...read("docs/operations.md").matchAll(/`((?:FORGE|DEPLOY)_[A-Z_]+)`/g)].map(([, name]) => name)
  const known = new Set([
    ...settings,
    ...shared,
    ...settings.map((name) => `${name}_FILE`),
    "FORGE_DATABASE_URL",
    "DEPLOY_DATABASE_URL"
  ])
  expect(documented.filter((name) => !known.has(name as string))).toEqual([])
})
