import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { settingRows as deployRows } from "../../apps/deploy/src/help.ts"
import { settingRows as forgeRows } from "../../apps/forge/src/help.ts"

const root = join(import.meta.dirname, "..", "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

/** The settings that the services read, as `--help` and `slipway config` name them. */
const settings = [...new Set([...Object.keys(forgeRows), ...Object.keys(deployRows)])]

test("every setting of a service is in the docs", () => {
  const docs = read("docs/reference/settings.md")
  expect(settings.length).toBeGreaterThan(80)
  expect(settings.filter((name) => !docs.includes(`\`${name}\``))).toEqual([])
})

test("every setting in the docs is read by a service", () => {
  const documented = [...read("docs/reference/settings.md").matchAll(/`((?:FORGE|DEPLOY)_[A-Z_]+)`/g)].map(
    ([, name]) => name
  )
  expect(documented.filter((name) => !settings.includes(name as string))).toEqual([])
})
