import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { defaultSite } from "@slipway/domain/forge/base"
import { createForge, type Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, rootUrl, writeFile } from "../support/site.ts"

const code = `import { read } from "./read.ts"

/** Finds <b>users</b>. */
export const findUser = (id: string) => {
  const user = read(id)
  return user
}

export const last = "user"
`

describe("the pages of code search", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await createForge({
      administrator: { name: "root", email: "root@example.com", password },
      site: { switches: { ...defaultSite.switches, codeSearch: true } },
      url: rootUrl
    })
    await forge.actAs("root").admin.user.create({
      body: { username: "ann", email: "ann@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    for (const name of ["site", "vault"]) {
      await ann.account.repository.create({
        body: { name, private: name === "vault", auto_init: true, default_branch: "main" }
      })
    }
    await writeFile(forge, "site", "src/users.ts", code)
    for (let at = 0; at < 12; at++) await writeFile(forge, "site", `more/f${at}.txt`, "a user\n")
    await writeFile(forge, "vault", "secret.ts", "const user = 'hidden'\n")
    for (let tries = 0; tries < 300; tries++) {
      const found = await forge.actAs("root").code.search({ query: { q: "user" } })
      if (found.length === 14) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error("the files were never found")
  }, 60_000)
  afterAll(() => forge?.dispose())

  const cardsIn = (text: string) =>
    [...text.matchAll(/<section class="card found" aria-label="([^"]*)"/g)].map(([, label]) => label)

  it("show the matching lines with links to them, without code that the reader cannot see", async () => {
    const page = await openBrowser(forge).go("/explore/code?q=finduser")
    expect(page.status).toBe(200)
    expect(cardsIn(page.text)).toEqual(["ann/site/src/users.ts"])
    for (const part of [
      "<h2>1 file</h2>",
      '<a href="/ann/site">ann/site</a>',
      'href="/ann/site/src/branch/main/src/users.ts#L4" data-line="4" aria-label="Line 4"',
      '<tr class="match">',
      "Finds &lt;b&gt;users&lt;/b&gt;",
      '<span class="badge">TypeScript</span>',
      "1 matching line",
      'value="finduser"'
    ])
      expect(page.text).toContain(part)
    const all = await openBrowser(forge).go("/explore/code?q=user&path=s")
    expect([all.text.includes("secret.ts"), all.text.includes("vault"), all.text.includes("<h2>1 file</h2>")]).toEqual([
      false,
      false,
      true
    ])
    expect((await openBrowser(forge).go("/explore/code?q=read")).text).toContain("⋯")
    const ann = openBrowser(forge)
    await ann.signIn("ann")
    expect((await ann.go("/explore/code?q=user&path=s")).text).toContain("<h2>2 files</h2>")
  })

  it("search one repository, in pages, by language and path, and for exact texts", async () => {
    const { go } = openBrowser(forge)
    const first = await go("/ann/site/search?q=user")
    expect([cardsIn(first.text).length, first.text.includes("<h2>13 files</h2>")]).toEqual([10, true])
    expect(first.text).toContain('rel="next" href="/ann/site/search?q=user&amp;page=2"')
    expect(cardsIn((await go("/ann/site/search?q=user&page=2")).text)).toEqual([
      "ann/site/more/f8.txt",
      "ann/site/more/f9.txt",
      "ann/site/src/users.ts"
    ])
    expect(cardsIn((await go("/ann/site/search?q=user&language=typescript")).text)).toEqual(["ann/site/src/users.ts"])
    expect(cardsIn((await go("/ann/site/search?q=user&path=f11")).text)).toEqual(["ann/site/more/f11.txt"])
    expect(cardsIn((await go(`/ann/site/search?q=${encodeURIComponent('"read(id)"')}`)).text)).toEqual([
      "ann/site/src/users.ts"
    ])
    expect((await go("/ann/site/search?q=nothing")).text).toContain("No file matches.")
    expect((await go("/ann/site/search?q=%3D%3E")).text).toContain("The search needs a word of at least 2 letters")
    expect((await go("/ann/site/search")).text).toContain("Finds files on default branches")
    expect((await go("/ann/vault/search?q=user")).status).toBe(404)
    const german = await openBrowser(forge, "de").go("/ann/site/search?q=finduser")
    expect(german.text).toContain("1 passende Zeile")
  })

  it("are linked from the explore pages, the search of the site and the repository", async () => {
    const { go } = openBrowser(forge)
    for (const [from, to] of [
      ["/explore/repos", "/explore/code"],
      ["/search?q=user", "/explore/code?q=user"],
      ["/ann/site", "/ann/site/search"]
    ] as const)
      expect((await go(from)).text).toContain(`href="${to}"`)
  })

  it("do not exist, and no link leads to them, where code search is off", async () => {
    await using off = await makeSite()
    await off.actAs("ann").account.repository.create({ body: { name: "site", auto_init: true } })
    const { go } = openBrowser(off)
    for (const address of ["/explore/code", "/explore/code?q=user", "/ann/site/search?q=user"])
      expect((await go(address)).status).toBe(404)
    for (const address of ["/explore/repos", "/search?q=user", "/ann/site"]) {
      const { status, text } = await go(address)
      expect([status, text.includes("/explore/code"), text.includes("/ann/site/search")]).toEqual([200, false, false])
    }
  })
})
