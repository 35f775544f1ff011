import { createHmac } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { OutsideProvider, OutsideRefused } from "@slipway/domain/forge/identity"
import { MailDelivery } from "@slipway/domain/forge/integrations"
import { createForge, type Forge } from "@slipway/embed"
import { Effect, Layer } from "effect"
import { makeSite, openBrowser, password, rootUrl } from "./support/site.ts"

/** Returns the current one-time code of a secret (RFC 6238). */
const oneTimeCode = (secret: string): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("")
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((each) => Number.parseInt(each, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac("sha1", key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0")
}

const session = "__Host-slipway_session"

describe("signing in on a page", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
  })
  afterAll(() => forge.dispose())

  it("starts a session that pages accept and the API rejects", async () => {
    const browser = openBrowser(forge)
    expect((await browser.signIn("ann")).to).toBe("/")
    const { text } = await browser.go("/")
    expect(text).toContain("Your repositories")
    expect(text).toContain("Sign out")
    const token = browser.cookies.get(session) ?? ""
    expect((await forge.actAs({ session: token }).account.read()).login).toBe("ann")
    await expect(forge.actAs({ session: `slp_${"b".repeat(40)}` }).account.read()).rejects.toMatchObject({
      status: 401
    })
    const cookie = `${session}=${browser.cookies.get(session)}`
    const api = await forge.handler(new Request(`${rootUrl}/api/v1/user`, { headers: { cookie } }))
    expect(api.status).toBe(401)
  })

  it("offers a password reset and an external provider only if the site enables them", async () => {
    const links = async (of: Forge) =>
      [
        ...(await openBrowser(of).go("/user/login")).text.matchAll(
          /href="(\/user\/(?:forgot_password|login\/outside)[^"]*)"[^>]*>([^<]+)/g
        )
      ].map(([, to, label]) => [to, label])
    expect(await links(forge)).toEqual([])
    const ports = Layer.mergeAll(
      Layer.succeed(OutsideProvider, {
        name: "Company <sign-in>",
        issuer: "https://id.example/",
        begin: () => Effect.succeed({ address: "https://id.example", checks: { state: "", nonce: "", verifier: "" } }),
        finish: () => new OutsideRefused({ because: "test" })
      }),
      Layer.succeed(MailDelivery, { on: true, deliver: () => Effect.void })
    )
    const connected = await createForge({ ports, url: rootUrl })
    expect(await links(connected)).toEqual([
      ["/user/forgot_password", "Forgot your password?"],
      ["/user/login/outside?next=%2Fuser%2Fsettings%2Fsecurity", "Sign in with Company &lt;sign-in&gt;"]
    ])
    await connected.dispose()
  })

  it("shows an error at the password field, and keeps the name but not the password", async () => {
    const browser = openBrowser(forge)
    const answer = await browser.signIn("ann", { password: "wrong <b>" })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('id="error-password">The name or the password is wrong.</p>')
    expect(answer.text).toContain('name="user_name" type="text" value="ann"')
    expect(answer.text).not.toContain("wrong <b>")
    expect(answer.text).not.toContain("wrong &lt;b&gt;")
    expect(browser.cookies.has(session)).toBe(false)
  })

  it("redirects only to the site's paths (open redirect)", async () => {
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

  it("rejects forms without this browser's CSRF token, and forms from other sites (CSRF)", async () => {
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

  it("replaces a planted session and the CSRF secret (session fixation)", async () => {
    const browser = openBrowser(forge)
    const planted = `slp_${"a".repeat(40)}`
    browser.cookies.set(session, planted)
    browser.cookies.set("__Host-slipway_form", "a".repeat(40))
    expect((await browser.signIn("ann")).status).toBe(303)
    expect(browser.cookies.get(session)).toMatch(/^slp_[A-Za-z0-9]{40}$/)
    expect(browser.cookies.get(session)).not.toBe(planted)
    expect(browser.cookies.get("__Host-slipway_form")).not.toBe("a".repeat(40))
  })

  it("starts a session that is invalid after the user signs out by a form", async () => {
    const browser = openBrowser(forge)
    await browser.signIn("ann")
    const text = browser.cookies.get(session) ?? ""
    expect((await browser.fill("/", "/user/logout", {})).to).toBe("/")
    browser.cookies.set(session, text)
    const after = await browser.go("/")
    expect(after.text).not.toContain("Your repositories")
    expect(browser.cookies.has(session)).toBe(false)
  })

  it("redirects users who must change their password to the page for it", async () => {
    await forge.actAs("root").admin.user.create({
      body: { username: "fresh", email: "fresh@example.com", password, must_change_password: true }
    })
    expect((await openBrowser(forge).signIn("fresh")).to).toBe("/user/password?must=yes")
  })

  it("asks for the one-time code of an account with a second factor", async () => {
    await forge.actAs("root").admin.user.create({
      body: { username: "two", email: "two@example.com", password, must_change_password: false }
    })
    const basic = `Basic ${Buffer.from(`two:${password}`).toString("base64")}`
    const ask = async (path: string, body?: unknown) => {
      const response = await forge.handler(
        new Request(`${rootUrl}/api/v1/user/second_factor${path}`, {
          method: "POST",
          headers: { authorization: basic, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
      return (await response.json()) as { readonly secret: string; readonly recovery_codes: ReadonlyArray<string> }
    }
    const { secret } = await ask("")
    const { recovery_codes: codes } = await ask("/confirm", { code: oneTimeCode(secret) })
    const browser = openBrowser(forge)
    const first = await browser.signIn("two")
    expect([first.status, first.text.includes("Your account has a second factor")]).toEqual([200, true])
    expect(browser.cookies.has(session)).toBe(false)
    const wrong = await browser.signIn("two", { step: "code", code: "000000" })
    expect([wrong.status, wrong.text.includes("The one-time code is wrong.")]).toEqual([401, true])
    expect((await browser.signIn("two", { step: "code", code: codes[0] ?? "" })).status).toBe(303)
  })

  it("is idempotent for a form that is sent twice", async () => {
    const browser = openBrowser(forge)
    const { text } = await browser.go("/user/login")
    const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""
    const fields = { form: fieldOf("form"), idempotency_key: fieldOf("idempotency_key"), user_name: "ann", password }
    const cookie = `__Host-slipway_form=${browser.cookies.get("__Host-slipway_form")}`
    const before = await forge.actAs("ann").account.session.list()
    const sent = () => openBrowser(forge).post("/user/login", fields, { cookie })
    const answers = await Promise.all([sent(), sent()])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect((await forge.actAs("ann").account.session.list()).length).toBe(before.length + 1)
  })

  it("uses the language that the browser prefers", async () => {
    const { headers, text } = await openBrowser(forge, "de-AT,de;q=0.9,en;q=0.5").go("/user/login")
    expect(text).toContain('<html lang="de">')
    expect(text).toContain("Benutzername oder E-Mail")
    expect(headers.get("content-language")).toBe("de")
  })

  it("sends a strict content security policy against other sites (clickjacking)", async () => {
    const { headers, text } = await openBrowser(forge).go("/")
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    expect(text).not.toMatch(/<script(?![^>]* src="\/assets\/)| style="| on\w+="/)
  })

  it("uses assets that are immutable and compressed", async () => {
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
