import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, writeFile } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }

/** Returns the numbers that the page shows, by their names. */
const numbersOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<th scope="row">([^<]+)<\/th><td>(\d+)<\/td>/g)].map(([, name, value]) => [name, value])
  )

describe("the activity of a repository", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "site", auto_init: true, default_branch: "main" } })
    await writeFile(forge, "site", "a.txt", "a\n", "Add <b>")
    await ann.issue.create({ params, body: { title: "One <b>" } })
    await ann.issue.create({ params, body: { title: "Two" } })
    await ann.issue.edit({ params: { ...params, index: "2" }, body: { state: "closed" } })
    await ann.issue.comment.create({ params: { ...params, index: "1" }, body: { body: "Seen" } })
    await ann.repository.release.create({ params, body: { tag_name: "v1", name: "First", target_commitish: "main" } })
  })
  afterAll(() => forge.dispose())

  it("shows the numbers of a period and the latest activities, with links and escaped texts", async () => {
    const page = await openBrowser(forge).go("/ann/site/activity?period=daily")
    expect(page.status).toBe(200)
    expect(numbersOf(page.text)).toEqual({
      Commits: "2",
      "Issues opened": "2",
      "Issues closed": "1",
      "Pull requests opened": "0",
      "Pull requests merged": "0",
      "Pull requests closed without a merge": "0",
      "Releases published": "1"
    })
    for (const part of [
      'opened the issue <a href="/ann/site/issues/1">ann/site#1</a>',
      'closed the issue <a href="/ann/site/issues/2">ann/site#2</a>',
      'commented on the issue <a href="/ann/site/issues/1#issuecomment-1">ann/site#1</a>',
      'published the release <a href="/ann/site/releases/tag/v1">ann/site: v1</a>',
      'pushed to <a href="/ann/site/src/branch/main">ann/site: main</a>',
      "One &lt;b&gt;",
      "Add &lt;b&gt;"
    ])
      expect(page.text).toContain(part)
    expect(page.text).not.toContain("<b>")
    const german = await openBrowser(forge, "de").go("/ann/site/activity")
    expect(german.text).toContain("hat das Issue eröffnet:")
  })

  it("omits the numbers and activities of units that the reader may not read", async () => {
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.organization.create({ body: { username: "acme" } })
    await ann.organization.repository.create({
      params: { org: "acme" },
      body: { name: "vault", private: true, auto_init: true }
    })
    const { id } = await ann.organization.team.create({
      params: { org: "acme" },
      body: { name: "triage", includes_all_repositories: true, units_map: { "repo.issues": "read" } }
    })
    const named = { username: "acme", reponame: "vault" }
    await ann.issue.create({ params: named, body: { title: "Visible" } })
    expect((await openBrowser(forge).go("/acme/vault/activity")).status).toBe(404)
    await ann.team.member.add({ params: { id: String(id), username: "bob" } })
    const bob = openBrowser(forge)
    await bob.signIn("bob")
    const { text } = await bob.go("/acme/vault/activity")
    expect(numbersOf(text)).toEqual({ "Issues opened": "1", "Issues closed": "0" })
    expect([text.includes("Visible"), text.includes("pushed to")]).toEqual([true, false])
  })

  it("serves the activities of a repository, a user and an organization as RSS and Atom", async () => {
    const rss = await openBrowser(forge).go("/ann/site.rss")
    expect([rss.status, rss.headers.get("content-type")]).toEqual([200, "application/rss+xml; charset=utf-8"])
    expect(rss.text).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<rss version="2.0">/)
    expect(rss.text).toContain(
      "<item><title>ann opened the issue ann/site#1</title><link>https://forge.example/ann/site/issues/1</link>"
    )
    expect(rss.text).toContain("<description>One &lt;b&gt;</description>")
    expect(rss.text).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT<\/pubDate>/)
    const atom = await openBrowser(forge).go("/ann.atom")
    expect([atom.status, atom.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"])
    expect(atom.text).toContain('<link href="https://forge.example/ann/site/releases/tag/v1"/>')
    expect(atom.text).toContain("<author><name>ann</name></author>")
    expect((await openBrowser(forge).go("/acme.rss")).text).toContain("<title>acme</title>")
    const { text } = await openBrowser(forge).go("/ann/site/activity")
    expect(text).toContain('<link rel="alternate" type="application/rss+xml" title="RSS" href="/ann/site.rss">')
  })

  it("hides the feeds of hidden repositories like missing ones", async () => {
    const stranger = openBrowser(forge)
    const [hidden, missing] = [await stranger.go("/acme/vault.atom"), await stranger.go("/acme/nowhere.atom")]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect((await stranger.go("/nobody.rss")).status).toBe(404)
    expect((await stranger.go("/acme.rss")).text).not.toContain("vault")
    const bob = openBrowser(forge)
    await bob.signIn("bob")
    const { text } = await bob.go("/acme/vault.atom")
    expect([text.includes("Visible"), text.includes("pushed to")]).toEqual([true, false])
  })

  it("shows the activities, stars and followers of a user, and redirects from those of an organization", async () => {
    const ann = forge.actAs("ann")
    await ann.account.starred.add({ params })
    await ann.account.starred.add({ params: { username: "acme", reponame: "vault" } })
    await forge.actAs("bob").account.following.add({ params: { username: "ann" } })
    const activity = await openBrowser(forge).go("/ann/-/activity")
    expect(activity.text).toContain('opened the issue <a href="/ann/site/issues/1">ann/site#1</a>')
    expect([activity.text.includes("acme/vault"), activity.text.includes("/ann/-/stars")]).toEqual([false, false])
    expect((await openBrowser(forge).go("/ann/-/stars")).to).toContain("/user/login?redirect_to=")
    await forge.actAs("root").admin.user.create({
      body: { username: "cy", email: "cy@example.com", password, must_change_password: false }
    })
    const cy = openBrowser(forge)
    await cy.signIn("cy")
    const stars = (await cy.go("/ann/-/stars")).text
    expect([stars.includes('href="/ann/site"'), stars.includes("vault")]).toEqual([true, false])
    expect((await cy.go("/ann/-/followers")).text).toContain('<a href="/bob">bob</a>')
    expect((await cy.go("/bob/-/following")).text).toContain('<a href="/ann">ann</a>')
    expect((await cy.go("/ann/-/following")).text).toContain("Follows no users.")
    expect((await cy.go("/acme/-/followers")).to).toBe("/acme")
    expect((await cy.go("/nobody/-/stars")).status).toBe(404)
  })

  it("shows a user's activity of the last year as a heatmap with a table, without hidden repositories", async () => {
    const shown = async (name?: string) => {
      const browser = openBrowser(forge)
      if (name !== undefined) await browser.signIn(name)
      const { text } = await browser.go("/ann/-/activity")
      const table = /Show as a table.*?<\/table>/s.exec(text)?.[0] ?? ""
      const numbers = [...table.matchAll(/<td>(\d+)<\/td>/g)].map(([, count]) => Number(count))
      return {
        text,
        label: Number(/aria-label="(\d+) activities in the last year"/.exec(text)?.[1]),
        cells: [...text.matchAll(/<rect class="heat-\d"/g)].length,
        months: numbers.reduce((sum, count) => sum + count, 0)
      }
    }
    const [stranger, own] = [await shown(), await shown("ann")]
    expect(stranger.label).toBeGreaterThan(0)
    expect(stranger.months).toBe(stranger.label)
    // Only ann and the site's administrators see the activity in the private repository.
    expect(own.label).toBeGreaterThan(stranger.label)
    expect(own.months).toBe(own.label)
    expect(stranger.cells).toBe(52 * 7 + new Date().getUTCDay() + 1)
    expect(stranger.text).toMatch(/<rect class="heat-4"[^>]*><title>[^<]+: \d+ activities<\/title>/)
    expect((await openBrowser(forge).go("/acme/-/activity")).text).not.toContain("heat-0")
  })
})
