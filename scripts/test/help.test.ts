import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { settingRows as deployRows } from "../../apps/deploy/src/help.ts"
import { settingRows as forgeRows } from "../../apps/forge/src/help.ts"

const root = join(import.meta.dirname, "..", "..")
const text = (path: string) => readFileSync(join(root, path), "utf8")

/** The settings that a service reads, as its sources name them. */
const read = {
  forge: ["apps/forge/src/config.ts"],
  deploy: ["apps/deploy/src/config.ts", "packages/caddy/src/settings.ts"]
}
const shared = ["HOST", "DATABASE_URL"]
const derived = (prefix: string) =>
  (text("packages/http/src/node/gateSettings.ts") + text("packages/http/src/node/observability/settings.ts"))
    .match(/(?<=\$\{prefix\}_)[A-Z_]+/g)
    ?.concat("DATABASE_URL", "ENCRYPTION_KEY_FILE")
    .map((name) => `${prefix}_${name}`) ?? []

describe("--help", () => {
  test.for([
    ["forge", forgeRows],
    ["deploy", deployRows]
  ] as const)("of %s names every setting, and so do the docs", ([app, rows]) => {
    const prefix = app.toUpperCase()
    const named = read[app].flatMap((path) => text(path).match(new RegExp(`\\b${prefix}_[A-Z_]+`, "g")) ?? [])
    const all = new Set([...named, ...shared, ...derived(prefix)])
    expect(Object.keys(rows).sort()).toEqual([...all].sort())
    const documents = text("docs/reference/settings.md")
    expect([...all].filter((variable) => !documents.includes(`\`${variable}\``))).toEqual([])
  })

  test("prints help and starts nothing", () => {
    const main = join(root, "apps/forge/src/main.ts")
    const said = execFileSync(process.execPath, ["--conditions=@slipway/source", main, "--help"], { encoding: "utf8" })
    expect(said).toContain("FORGE_TRUSTED_PROXIES")
  })
})
