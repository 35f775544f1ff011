import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "../support/site.ts"

describe("the search of the site", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    const ann = forge.actAs("ann")
    await forge.actAs("root").admin.user.create({
      body: { username: "waterman", email: "w@example.com", password, must_change_password: false }
    })
    await ann.organization.create({ body: { username: "waterworks" } })
    await ann.organization.create({ body: { username: "secret-water", visibility: "private" } })
    for (const [name, isPrivate] of [
      ["water-level", false],
      ["deep-water", true]
    ] as const) {
      await ann.account.repository.create({ body: { name, private: isPrivate } })
      await ann.issue.create({ params: { username: "ann", reponame: name }, body: { title: `Water in ${name} <b>` } })
    }
    for (let at = 0; at < 5; at++)
      await ann.issue.create({
        params: { username: "ann", reponame: "water-level" },
        body: { title: `More water ${at}` }
      })
  })
  afterAll(() => forge.dispose())

  const linksIn = (text: string) => {
    const [, main = ""] = text.split("<main")
    return new Set([...main.matchAll(/href="(\/[\w-]+(?:\/[\w-]+(?:\/issues\/\d+)?)?)"/g)].map(([, to]) => to))
  }

  it("finds repositories, issues, organizations and users, without those that the reader cannot see", async () => {
    const stranger = openBrowser(forge)
    const { status, text } = await stranger.go("/search?q=WATER")
    expect(status).toBe(200)
    const open = ["/ann/water-level", "/waterworks", "/waterman"]
    expect([...open].filter((to) => !linksIn(text).has(to))).toEqual([])
    expect([text.includes("deep-water"), text.includes("secret-water")]).toEqual([false, false])
    const ann = openBrowser(forge)
    await ann.signIn("ann")
    const own = linksIn((await ann.go("/search?q=water")).text)
    // The directory never lists private organizations.
    expect([own.has("/ann/deep-water"), own.has("/secret-water")]).toEqual([true, false])
  })

  it("leads to all results of a kind, and lists all issues in pages", async () => {
    const stranger = openBrowser(forge)
    const { text } = await stranger.go("/search?q=water")
    expect(text).toContain('href="/search?q=water&amp;type=issues"')
    // There are fewer repositories than a section shows.
    expect(text).not.toContain('href="/explore/repos?q=water"')
    const issues = await stranger.go("/search?q=water&type=issues")
    expect([...linksIn(issues.text)].filter((to) => to?.includes("/issues/")).length).toBe(6)
    expect(issues.text).toContain("Water in water-level &lt;b&gt;")
    expect((await stranger.go("/search?q=water&type=issues&page=2")).text).toContain("Nothing found.")
    expect((await stranger.go("/explore/organizations?q=works")).text).toContain('href="/waterworks"')
    expect((await stranger.go("/explore/organizations?q=nothing")).text).toContain("Nothing found.")
  })

  it("asks for a text, keeps it in the field, and is available in German", async () => {
    const stranger = openBrowser(forge, "de")
    expect((await stranger.go("/search")).text).toContain("Findet Repositorys, Issues, Pull-Requests")
    const { text } = await stranger.go(`/search?q=${encodeURIComponent('"><script>')}`)
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(text).toContain('<form role="search" action="/search"')
  })
})
