import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, rootUrl } from "./support/site.ts"

const session = "__Host-slipway_session"

describe("signing in on a page", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
  })
  afterAll(() => forge.dispose())

  it("begins a session that pages take and the API does not", async () => {
    const browser = openBrowser(forge)
    expect((await browser.signIn("ann")).to).toBe("/")
    const { text } = await browser.go("/")
    expect(text).toContain("Your repositories")
    expect(text).toContain("Sign out")
    const cookie = `${session}=${browser.cookies.get(session)}`
    const api = await forge.handler(new Request(`${rootUrl}/api/v1/user`, { headers: { cookie } }))
    expect(api.status).toBe(401)
  })

  it("shows a wrong password at its field, keeps the name and never the password", async () => {
    const browser = openBrowser(forge)
    const answer = await browser.signIn("ann", { password: "wrong <b>" })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('id="error-password">The name or the password is wrong.</p>')
    expect(answer.text).toContain('name="user_name" type="text" value="ann"')
    expect(answer.text).not.toContain("wrong <b>")
    expect(answer.text).not.toContain("wrong &lt;b&gt;")
    expect(browser.cookies.has(session)).toBe(false)
  })

  it("redirects to own paths only (open redirect)", async () => {
    const targets = {
      "/explore/repos?q=a": "/explore/repos?q=a",
      "//evil.example": "/",
      "/\\evil.example": "/",
      "https://evil.example/": "/",
      "javascript:alert(1)": "/",
      "/a\n/b": "/",
      "/.//evil.example": "/"
    }
    for (const [asked, to] of Object.entries(targets)) {
      const browser = openBrowser(forge)
      const at = `/user/login?${new URLSearchParams({ redirect_to: asked })}`
      expect([asked, (await browser.fill(at, "/user/login", { user_name: "ann", password })).to]).toEqual([asked, to])
    }
  })

  it("rejects forms without the token of this browser, and those of other sites (CSRF)", async () => {
    const browser = openBrowser(forge)
    await browser.go("/user/login")
    const fields = { user_name: "ann", password }
    const without = await browser.post("/user/login", fields)
    expect([without.status, without.text.includes("another site sent it")]).toEqual([403, true])
    expect(without.text).toContain('value="ann"')
    const guessed = await browser.post("/user/login", { ...fields, form: "f".repeat(64) })
    expect(guessed.status).toBe(403)
    const other = openBrowser(forge)
    const { text } = await other.go("/user/login")
    const foreign = /name="form" value="(\w+)"/.exec(text)?.[1] ?? ""
    expect((await browser.post("/user/login", { ...fields, form: foreign })).status).toBe(403)
    const crossSite = await browser.fill("/user/login", "/user/login", fields)
    expect(crossSite.status).toBe(303)
    const evil = await browser.post("/user/logout", {}, { origin: "https://evil.example" })
    expect(evil.status).toBe(403)
    expect(browser.cookies.has(session)).toBe(true)
  })

  it("replaces a planted session and the secret of forms (session fixation)", async () => {
    const browser = openBrowser(forge)
    const planted = `slp_${"a".repeat(40)}`
    browser.cookies.set(session, planted)
    browser.cookies.set("__Host-slipway_form", "a".repeat(40))
    expect((await browser.signIn("ann")).status).toBe(303)
    expect(browser.cookies.get(session)).toMatch(/^slp_[A-Za-z0-9]{40}$/)
    expect(browser.cookies.get(session)).not.toBe(planted)
    expect(browser.cookies.get("__Host-slipway_form")).not.toBe("a".repeat(40))
  })

  it("signs out by a form, after which the session is of no use", async () => {
    const browser = openBrowser(forge)
    await browser.signIn("ann")
    const text = browser.cookies.get(session) ?? ""
    expect((await browser.fill("/", "/user/logout", {})).to).toBe("/")
    browser.cookies.set(session, text)
    const after = await browser.go("/")
    expect(after.text).not.toContain("Your repositories")
    expect(browser.cookies.has(session)).toBe(false)
  })

  it("sends those who must change their password to do so", async () => {
    await forge.actAs("root").admin.user.create({
      body: { username: "fresh", email: "fresh@example.com", password, must_change_password: true }
    })
    expect((await openBrowser(forge).signIn("fresh")).to).toBe("/user/password?must=yes")
  })

  it("speaks the language that the browser prefers", async () => {
    const { headers, text } = await openBrowser(forge, "de-AT,de;q=0.9,en;q=0.5").go("/user/login")
    expect(text).toContain('<html lang="de">')
    expect(text).toContain("Benutzername oder E-Mail")
    expect(headers.get("content-language")).toBe("de")
  })

  it("keeps other sites out by strict headers (clickjacking)", async () => {
    const { headers, text } = await openBrowser(forge).go("/")
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    expect(text).not.toMatch(/<script(?![^>]* src="\/assets\/)| style="| on\w+="/)
  })

  it("serves assets that never change, compressed", async () => {
    const { text } = await openBrowser(forge).go("/")
    const [path = ""] = /\/assets\/slipway\.\w{16}\.css/.exec(text) ?? []
    const response = await forge.handler(
      new Request(`${rootUrl}${path}`, { headers: { "accept-encoding": "br, gzip" } })
    )
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(response.headers.get("content-encoding")).toBe("br")
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(12_288)
  })
})
