import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"

const root = join(import.meta.dirname, "..", "..")
let folder: string

// Inside the repository, so that `effect` is found as it is from a package.
beforeEach(() => {
  const cache = join(root, "node_modules", ".cache", "slipway")
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, "check-types-"))
  writeFileSync(join(folder, "tsconfig.json"), '{ "extends": "../../../../tsconfig.base.json", "include": ["*.ts"] }')
})
afterEach(() => rmSync(folder, { recursive: true }))

const check = (source: string) => {
  writeFileSync(join(folder, "a.ts"), source)
  const script = join(root, "scripts", "check-types.ts")
  const project = join(folder, "tsconfig.json")
  return spawnSync(process.execPath, [script, "--project", project], {
    encoding: "utf8",
    env: { ...process.env, CI: "true" }
  })
}

test("the type check reports an Effect that nothing runs", () => {
  const lost = check('import { Effect } from "effect"\nexport const f = () => {\n  Effect.log("lost")\n}\n')
  expect(lost.stdout).toContain("effect(floatingEffect)")
  expect(lost.status).not.toBe(0)
})

test("the type check reports a wrong type", () => {
  const wrong = check("export const n: number = 'one'\n")
  expect(wrong.stdout).toContain("TS2322")
  expect(wrong.status).not.toBe(0)
})

test("the type check accepts correct types", () => {
  const right = check('import { Effect } from "effect"\nexport const f = Effect.log("kept")\n')
  expect(right.stdout).toBe("")
  expect(right.status).toBe(0)
})
