import { createHmac } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, rootUrl } from "./support/site.ts"

/** The one-time code of a secret in base32 for a time step of 30 seconds. */
const codeOf = (secret: string, step: number): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("")
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac("sha1", key).update(counter).digest()
  const at = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0")
}

describe("the settings of the signed-in user", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    for (const username of ["bob", "cy", "dan"])
      await forge.actAs("root").admin.user.create({
        body: { username, email: `${username}@example.com`, password, must_change_password: false }
      })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }
  const asked = async (path: string, headers: Record<string, string>) =>
    (await forge.handler(new Request(`${rootUrl}/api/v1${path}`, { headers }))).status
  const withPassword = (name: string, typed: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${typed}`).toString("base64")}`
  })

  it("require a signed-in user", async () => {
    const anonymous = openBrowser(forge)
    const ann = await signedIn("ann")
    const known = ["", "/account", "/security", "/applications", "/keys", "/notifications"]
    for (const path of [...known, "/organization", "/repos", "/hooks", "/hooks/new", "/blocked_users"]) {
      expect((await anonymous.go(`/user/settings${path}`)).to, path).toContain("/user/login?redirect_to=")
      expect((await ann.go(`/user/settings${path}`)).status, path).toBe(200)
    }
  })

  it("block and unblock users, and keep an unknown name in the form", async () => {
    const ann = await signedIn("ann")
    const at = "/user/settings/blocked_users"
    const unknown = await ann.fill(at, at, { do: "add", name: "nobody" })
    expect([unknown.status, unknown.text.includes('value="nobody"')]).toEqual([422, true])
    expect(unknown.text).toContain('id="error-name">does not exist, or you may not see it</p>')
    expect((await ann.fill(at, at, { do: "add", name: "dan" })).to).toBe(at)
    expect((await ann.go(at)).text).toContain('<a href="/dan">dan</a>')
    expect((await forge.actAs("ann").account.block.list()).map(({ login }) => login)).toEqual(["dan"])
    expect((await ann.fill(at, at, { do: "remove", name: "dan" })).to).toBe(at)
    expect(await forge.actAs("ann").account.block.list()).toEqual([])
  })

  it("list the user's own organizations and repositories, and manage the user's webhooks", async () => {
    const cy = await signedIn("cy")
    await forge.actAs("cy").organization.create({ body: { username: "cys-org", visibility: "private" } })
    await forge.actAs("cy").account.repository.create({ body: { name: "notes", private: true } })
    expect((await cy.go("/user/settings/organization")).text).toContain('href="/cys-org"')
    expect((await cy.go("/user/settings/repos")).text).toContain('href="/cy/notes"')
    const ann = await signedIn("ann")
    expect((await ann.go("/user/settings/organization")).text).not.toContain("cys-org")
    expect((await ann.go("/user/settings/repos")).text).not.toContain("cy/notes")
    const variables = "/user/settings/actions/variables"
    await ann.fill(variables, variables, { do: "add", name: "region", value: "eu" })
    expect((await ann.go(variables)).text).toContain("<code>REGION</code>")
    expect((await cy.go(variables)).text).not.toContain("REGION")
    expect((await ann.go("/user/settings/actions/runners")).text).toContain("No runners.")
    expect((await ann.go("/user/settings/packages")).text).toContain("You have no packages yet.")
    const at = "/user/settings/hooks"
    const sent = { url: "https://hooks.example/in", type: "gitea", content_type: "json", events: "push", active: "on" }
    expect((await cy.fill(`${at}/new`, `${at}/new`, sent)).to).toBe(at)
    const [hook] = await forge.actAs("cy").account.hook.list()
    const one = `${at}/${String(hook?.id)}`
    expect((await cy.go(at)).text).toContain(`<a href="${one}">https://hooks.example/in</a>`)
    expect((await ann.go(one)).status).toBe(404)
    expect((await cy.fill(one, one, { do: "delete" })).to).toBe(at)
    expect(await forge.actAs("cy").account.hook.list()).toEqual([])
  })

  it("change the profile and the notification emails, and keep the values of a rejected form", async () => {
    const ann = await signedIn("ann")
    const at = "/user/settings"
    const rejected = await ann.fill(at, at, { full_name: "Ann <b>", website: "nothing", hide_email: "on" })
    expect([rejected.status, rejected.text.includes('id="error-website"')]).toEqual([422, true])
    expect(rejected.text).toContain('value="Ann &lt;b&gt;"')
    expect(rejected.text).toMatch(/name="hide_email" value="on" checked/)
    expect((await ann.fill(at, at, { full_name: "Ann <b>", website: "", hide_email: "on" })).to).toBe(at)
    const mail = "/user/settings/notifications"
    expect((await ann.fill(mail, mail, { mail: "odd" })).status).toBe(422)
    expect((await ann.fill(mail, mail, { mail: "onmention" })).to).toBe(mail)
    expect(await forge.actAs("ann").account.settings.read()).toMatchObject({
      full_name: "Ann <b>",
      hide_email: true,
      hide_activity: false,
      email_notifications_preference: "onmention"
    })
  })

  it("add and remove email addresses, and report an address in use at its field", async () => {
    const ann = await signedIn("ann")
    const at = "/user/settings/account"
    const taken = await ann.fill(at, at, { do: "email", email: "bob@example.com" })
    expect([taken.status, taken.text.includes('id="error-email"')]).toEqual([422, true])
    expect((await ann.fill(at, at, { do: "email", email: "two@example.com" })).to).toBe(at)
    expect((await ann.go(at)).text).toContain("two@example.com")
    expect((await ann.fill(at, at, { do: "remove", address: "two@example.com" })).to).toBe(at)
    expect((await forge.actAs("ann").account.email.list()).map(({ email }) => email)).toEqual(["ann@example.com"])
  })

  it("change the password only with the current password, and keep this browser signed in", async () => {
    const cy = await signedIn("cy")
    const other = await signedIn("cy")
    const at = "/user/settings/account"
    const next = "a new and longer password"
    const fields = { do: "password", new_password: next, repeated: next }
    const differing = await cy.fill(at, at, { ...fields, repeated: "x", "current-password": password })
    expect(differing.text).toContain('id="error-repeated"')
    const wrong = await cy.fill(at, at, { ...fields, "current-password": "wrong" })
    expect([wrong.status, wrong.text.includes('id="error-current-password">The password is wrong.</p>')]).toEqual([
      422,
      true
    ])
    expect(wrong.text).not.toContain(next)
    const short = await cy.fill(at, at, { ...fields, new_password: "x", repeated: "x", "current-password": password })
    expect([short.status, short.text.includes('id="error-new_password"')]).toEqual([422, true])
    expect(await asked("/user", withPassword("cy", password))).toBe(200)
    expect((await cy.fill(at, at, { ...fields, "current-password": password })).to).toBe(at)
    expect(await asked("/user", withPassword("cy", next))).toBe(200)
    expect(await asked("/user", withPassword("cy", password))).toBe(401)
    expect((await cy.go(at)).status).toBe(200)
    expect((await other.go(at)).to).toContain("/user/login")
  })

  it("generate a token with scopes and an expiry, and show the token only once", async () => {
    const ann = await signedIn("ann")
    const at = "/user/settings/applications"
    const fields = {
      do: "generate",
      name: "ci",
      "scope-repository": "read",
      expires: "2100-01-01",
      "current-generate": password
    }
    const none = await ann.fill(at, at, { ...fields, "scope-repository": "none", expires: "2000-01-01" })
    expect([none.text.includes("choose at least one permission"), none.text.includes('id="error-expires"')]).toEqual([
      true,
      true
    ])
    const wrong = await ann.fill(at, at, { ...fields, "current-generate": "wrong" })
    expect(wrong.text).toContain('id="error-current-generate"')
    expect(wrong.text).toContain('value="ci"')
    expect(wrong.text).toMatch(/name="scope-repository".*?<option value="read" selected>/s)
    expect(await forge.actAs("ann").user.token.list({ params: { username: "ann" } })).toEqual([])
    const made = await ann.fill(at, at, fields)
    const [, token = ""] = /aria-label="Your new token" readonly value="([^"]+)"/.exec(made.text) ?? []
    expect(made.status).toBe(200)
    expect(await asked("/user/repos", { authorization: `Bearer ${token}` })).toBe(403)
    expect(await asked("/repos/search", { authorization: `Bearer ${token}` })).toBe(200)
    const [listed] = await forge.actAs("ann").user.token.list({ params: { username: "ann" } })
    expect(listed).toMatchObject({ name: "ci", scopes: ["read:repository"], expires_at: "2100-01-01T23:59:59Z" })
    expect((await ann.go(at)).text).not.toContain(token)
  })

  it("list and delete tokens with the password, and create only one token if a form is sent twice", async () => {
    const ann = await signedIn("ann")
    const at = "/user/settings/applications"
    const { text } = await ann.go(at)
    const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""
    const fields = {
      form: fieldOf("form"),
      idempotency_key: fieldOf("idempotency_key"),
      do: "generate",
      name: "twice",
      "scope-user": "write",
      "current-generate": password
    }
    const [first, second] = [await ann.post(at, fields), await ann.post(at, fields)]
    expect([first.status, second.text === first.text]).toEqual([200, true])
    const list = `${at}?tokens=yes`
    const shown = await ann.fill(list, at, { do: "show", "current-show": password })
    expect(shown.text.match(/<b>twice<\/b>/g)?.length).toBe(1)
    const [, id = ""] = /value="(\d+)"><label for="token-\d+"><b>twice/.exec(shown.text) ?? []
    expect((await ann.fill(list, at, { do: "delete", token: id, "current-delete": "wrong" })).status).toBe(422)
    expect((await ann.fill(list, at, { do: "delete", token: id, "current-delete": password })).to).toBe(list)
    const left = await forge.actAs("ann").user.token.list({ params: { username: "ann" } })
    expect(left.map(({ name }) => name)).toEqual(["ci"])
  })

  it("create an OAuth2 application, show its secret only once, and delete the application", async () => {
    const ann = await signedIn("ann")
    const at = "/user/settings/applications/oauth2"
    expect((await openBrowser(forge).go(at)).to).toContain("/user/login?redirect_to=")
    const fields = { do: "create", name: "Dashboard", confidential: "on" }
    const wrong = await ann.fill(at, at, { ...fields, redirect_uris: "nothing" })
    expect([
      wrong.status,
      wrong.text.includes('id="error-redirect_uris"'),
      wrong.text.includes('value="Dashboard"')
    ]).toEqual([422, true, true])
    const made = await ann.fill(at, at, { ...fields, redirect_uris: "https://app.example/back\r\n" })
    const [, secret = ""] = /aria-label="Client secret" readonly value="([^"]+)"/.exec(made.text) ?? []
    expect(secret.length).toBeGreaterThan(20)
    expect((await ann.go(at)).text).not.toContain(secret)
    const [application] = await forge.actAs("ann").account["oauth2-application"].list()
    expect(application).toMatchObject({ name: "Dashboard", redirect_uris: ["https://app.example/back"] })
    expect((await ann.fill(at, at, { do: "delete", id: String(application?.id) })).to).toBe(at)
    expect(await forge.actAs("ann").account["oauth2-application"].list()).toEqual([])
  })

  it("enable a second factor, show its recovery codes only once, and disable the factor", async () => {
    const bob = await signedIn("bob")
    const at = "/user/settings/security"
    expect((await bob.fill(at, at, { do: "enrol", "current-enrol": "wrong" })).text).toContain(
      'id="error-current-enrol"'
    )
    const enrolled = await bob.fill(at, at, { do: "enrol", "current-enrol": password })
    const [, secret = ""] = /readonly value="([A-Z2-7]{16,})"/.exec(enrolled.text) ?? []
    const step = Math.floor(Date.now() / 30_000)
    const wrong = await bob.fill(at, at, { do: "confirm", new_code: "abc", "current-confirm": password })
    expect([wrong.status, wrong.text.includes('id="error-new_code"')]).toEqual([422, true])
    const on = await bob.fill(at, at, { do: "confirm", new_code: codeOf(secret, step), "current-confirm": password })
    expect(on.text).toContain("Recovery codes")
    const [, codes = ""] = /<pre class="message" tabindex="0">([^<]*)</.exec(on.text) ?? []
    const [first = "", second = ""] = codes.split("\n")
    expect((await bob.go(at)).text).not.toContain(first)
    expect((await bob.fill(at, at, { do: "off", "current-off": password })).text).toContain(
      'id="error-code-off">must not be empty</p>'
    )
    expect((await bob.fill(at, at, { do: "off", "current-off": password, "code-off": "000000" })).text).toContain(
      'id="error-code-off"'
    )
    const renewed = await bob.fill(at, at, { do: "codes", "current-codes": password, "code-codes": first })
    expect(renewed.text).toContain("Recovery codes")
    const [, fresh = ""] = /<pre class="message" tabindex="0">([^<\n]*)/.exec(renewed.text) ?? []
    expect((await bob.fill(at, at, { do: "off", "current-off": password, "code-off": second })).status).toBe(422)
    expect((await bob.fill(at, at, { do: "off", "current-off": password, "code-off": fresh })).to).toBe(at)
    expect(await asked("/user", withPassword("bob", password))).toBe(200)
  })

  it("list sessions, and end one session or all sessions", async () => {
    const dan = await signedIn("dan")
    const other = await signedIn("dan")
    const at = "/user/settings/security"
    const { text } = await dan.go(at)
    expect([text.includes("You are signed in as dan."), text.includes("This session")]).toEqual([true, true])
    const [, id = ""] = /name="do" value="end"><input type="hidden" name="id" value="(\d+)"/.exec(text) ?? []
    expect((await dan.fill(at, at, { do: "end", id })).to).toBe(at)
    expect((await other.go(at)).to).toContain("/user/login")
    expect((await dan.fill(at, at, { do: "end-all" })).to).toBe("/user/login")
    expect((await dan.go(at)).to).toContain("/user/login")
  })

  it("add and delete SSH keys, and report an invalid key at its field", async () => {
    const ann = await signedIn("ann")
    const at = "/user/settings/keys"
    const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJy5yZq4uQK3u0Q7mVtGm0yN3gq8yqgDq0ZpJm1w8b9k ann"
    const wrong = await ann.fill(at, at, { do: "ssh", title: "laptop", key: "nothing" })
    expect([wrong.status, wrong.text.includes('id="error-key"'), wrong.text.includes('value="laptop"')]).toEqual([
      422,
      true,
      true
    ])
    const gpg = await ann.fill(at, at, { do: "gpg", armored: "nothing" })
    expect([gpg.status, gpg.text.includes('id="error-armored"')]).toEqual([422, true])
    expect((await ann.fill(at, at, { do: "ssh", title: "laptop", key })).to).toBe(at)
    const [made] = await forge.actAs("ann").account.key.list()
    expect(made?.title).toBe("laptop")
    expect((await ann.fill(at, at, { do: "delete-ssh", id: String(made?.id) })).to).toBe(at)
    expect(await forge.actAs("ann").account.key.list()).toEqual([])
  })

  it("reject a form without a CSRF token, and keep its values", async () => {
    const ann = await signedIn("ann")
    const refused = await ann.post("/user/settings", { full_name: "Mallory", form: "none" })
    expect([refused.status, refused.text.includes('value="Mallory"')]).toEqual([403, true])
    expect((await forge.actAs("ann").account.settings.read()).full_name).toBe("Ann <b>")
  })

  it("are available in German", async () => {
    const { text } = await (await signedIn("ann", "de")).go("/user/settings/applications")
    expect([text.includes("Name des Tokens"), text.includes("Lesen und schreiben")]).toEqual([true, true])
  })
})
