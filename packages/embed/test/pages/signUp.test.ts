import { afterEach, describe, expect, it } from "@effect/vitest"
import { defaultSite, type RegistrationMode } from "@slipway/domain/forge/base"
import { MailDelivery } from "@slipway/domain/forge/integrations"
import { createForge, type Forge } from "@slipway/embed"
import { Effect, Layer } from "effect"
import { openBrowser, password, rootUrl } from "./support/site.ts"

const at = "/user/sign_up"
const zoe = { username: "zoe", email: "zoe@example.com", password, repeated: password }

describe("the pages of visitors without a session", () => {
  const forges: Array<Forge> = []
  const mail = Layer.succeed(MailDelivery, { on: true, deliver: () => Effect.void })
  const siteWith = async (registration: RegistrationMode, ports: Layer.Layer<never> = Layer.empty) => {
    const forge = await createForge({
      administrator: { name: "root", email: "root@example.com", password },
      url: rootUrl,
      site: { accounts: { ...defaultSite.accounts, registration } },
      ports
    })
    forges.push(forge)
    return forge
  }
  afterEach(async () => {
    for (const forge of forges.splice(0)) await forge.dispose()
  })

  it("include no sign-up page if registration is disabled", async () => {
    const browser = openBrowser(await siteWith("off"))
    expect((await browser.go("/user/login")).text).not.toContain(at)
    expect((await browser.go(at)).status).toBe(404)
  })

  it("create an account that signs in, and show messages at the fields", async () => {
    const forge = await siteWith("on")
    const browser = openBrowser(forge)
    expect((await browser.go("/user/login")).text).toContain('<a href="/user/sign_up">Create account</a>')
    const empty = await browser.fill(at, at, { username: "zoe", email: "", password: "short", repeated: "" })
    expect(empty.status).toBe(422)
    expect(empty.text).toContain('id="error-email">must not be empty')
    expect(empty.text).toContain('id="error-password">must have at least 8 characters')
    expect(empty.text).toContain('name="username" type="text" value="zoe"')
    const different = await browser.fill(at, at, { ...zoe, repeated: "another password" })
    expect(different.text).toContain('id="error-repeated">differs from the new password')
    const taken = await browser.fill(at, at, { ...zoe, username: "root" })
    expect(taken.text).toContain('id="error-username">`root` is taken')
    expect(taken.text).not.toContain(password)
    const made = await browser.fill(at, at, zoe)
    expect([made.status, made.text.includes("Account created")]).toEqual([200, true])
    expect((await browser.signIn("zoe")).to).toBe("/")
    expect((await browser.go(at)).to).toBe("/")
  })

  it("create an account that an administrator must activate", async () => {
    const forge = await siteWith("approval")
    const browser = openBrowser(forge)
    const made = await browser.fill(at, at, zoe)
    expect(made.text).toContain("An administrator must activate the account before you can sign in.")
    const refused = await browser.signIn("zoe")
    expect([refused.status, refused.text.includes("An administrator must activate the account")]).toEqual([403, true])
    await forge.actAs("root").admin.user.edit({ params: { username: "zoe" }, body: { active: true } })
    expect((await browser.signIn("zoe")).status).toBe(303)
    await forge.actAs("root").admin.user.edit({ params: { username: "zoe" }, body: { active: false } })
    expect((await openBrowser(forge).signIn("zoe")).text).toContain("This account cannot sign in")
  })

  it("reset a password by a code, and do not disclose which accounts exist", async () => {
    const forge = await siteWith("on", mail)
    const browser = openBrowser(forge)
    const forgotten = "/user/forgot_password"
    const withoutIds = ({ text }: { readonly text: string }) => text.replace(/value="[^"]*"/g, "")
    const unknown = await browser.fill(forgotten, forgotten, { email: "nobody@example.com" })
    const known = await browser.fill(forgotten, forgotten, { email: "root@example.com" })
    expect(withoutIds(known)).toBe(withoutIds(unknown))
    expect(known.text).toContain("Check your email")
    const wrong = await browser.fill("/user/recover_account?code=no", "/user/recover_account", {
      password: "another password",
      repeated: "another password"
    })
    expect([wrong.status, wrong.text.includes("The link was already used, or has expired.")]).toEqual([422, true])
    expect(wrong.text).toContain("Request another link")
  })
})
