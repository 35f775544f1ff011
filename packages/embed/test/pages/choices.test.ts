import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Level } from "@slipway/access"
import { maxLevel, scopeCategories, unitKeys } from "@slipway/domain/forge/access"
import { hookEventNames, hookTypes } from "@slipway/domain/forge/integrations"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser } from "./support/site.ts"

// The pages import the typed client only, which has no values, so their lists of choices are compared here.
describe("the options in forms", () => {
  let forge: Forge
  let open: (path: string) => Promise<string>
  beforeAll(async () => {
    forge = await makeSite()
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "site" } })
    await ann.organization.create({ body: { username: "acme" } })
    const browser = openBrowser(forge)
    await browser.signIn("ann")
    open = async (path) => (await browser.go(path)).text
  })
  afterAll(() => forge.dispose())

  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, word]) => word)

  it("include all types and events of webhooks", async () => {
    const text = await open("/ann/site/settings/hooks/new")
    const [, types = ""] = /<select[^>]*name="type"[^>]*>(.*?)<\/select>/s.exec(text) ?? []
    expect(found(types, /value="([^"]+)"/g)).toEqual([...hookTypes])
    expect(found(text, /name="events" value="([^"]+)"/g).toSorted()).toEqual(hookEventNames.toSorted())
  })

  it("include all units of teams, each up to its highest level", async () => {
    const offered = [...(await open("/org/acme/teams/new")).matchAll(/name="(repo\.\w+)" value="(\w+)"/g)]
    const levelsOf = (unit: string) => offered.flatMap(([, name, level]) => (name === unit ? [level] : []))
    const expected = unitKeys.map((unit) => [
      unit,
      maxLevel(unit) === Level.read ? ["none", "read"] : ["none", "read", "write", "admin"]
    ])
    expect(unitKeys.map((unit) => [unit, levelsOf(unit)])).toEqual(expected)
    expect([...new Set(offered.map(([, unit]) => unit))]).toEqual([...unitKeys])
  })

  it("include all scope categories of tokens", async () => {
    expect(found(await open("/user/settings/applications"), /<select[^>]*name="(?:scope-)?(\w+)"/g)).toEqual([
      ...scopeCategories
    ])
  })
})
