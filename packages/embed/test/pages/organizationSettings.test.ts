import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, rootUrl } from "./support/site.ts"

const settings = "/org/acme/settings"
const addresses = ["/labels", "/blocked_users", "/actions/secrets", "/actions/variables", "/actions/runners"].map(
  (name) => `${settings}${name}`
)
const org = { org: "acme" }

describe("the settings pages of an organization", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    for (const username of ["bob", "eve"])
      await forge.actAs("root").admin.user.create({
        body: { username, email: `${username}@example.com`, password, must_change_password: false }
      })
    const ann = forge.actAs("ann")
    await ann.organization.create({ body: { username: "acme", visibility: "private" } })
    const { id } = await ann.organization.team.create({
      params: org,
      body: { name: "builders", units_map: { "repo.code": "write" } }
    })
    await ann.team.member.add({ params: { id: String(id), username: "bob" } })
  })
  afterAll(() => forge.dispose())

  /** Reads a list of the organization's Actions with the API, as ann. */
  const actionsOf = async (list: "secrets" | "variables"): Promise<unknown> => {
    const authorization = `Basic ${btoa(`ann:${password}`)}`
    const request = new Request(`${rootUrl}/api/v1/orgs/acme/actions/${list}`, { headers: { authorization } })
    return (await forge.handler(request)).json()
  }

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }

  it("are served only to users who may edit the organization, and hidden as the organization is (I9)", async () => {
    const browsers = [openBrowser(forge), await signedIn("eve"), await signedIn("bob"), await signedIn("ann")]
    for (const address of addresses) {
      const statuses = await Promise.all(browsers.map(async (each) => (await each.go(address)).status))
      expect([address, ...statuses]).toEqual([address, 303, 404, 403, 200])
    }
  })

  it("reject forms of members who may not edit the organization, and change nothing", async () => {
    const bob = await signedIn("bob")
    const { text } = await bob.go("/org/create")
    // The CSRF token of bob's session, from a page that bob may see.
    const form = /name="form" value="([^"]+)"/.exec(text)?.[1] ?? ""
    expect(form.length).toBeGreaterThan(10)
    const fields = { form, idempotency_key: "one", do: "add", name: "bug", color: "#ff0000" }
    const sent = await bob.post(`${settings}/labels`, fields)
    expect(sent.status).toBe(403)
    expect(await forge.actAs("ann").organization.label.list({ params: org })).toEqual([])
  })

  it("create, change and delete labels, and keep rejected values", async () => {
    const ann = await signedIn("ann")
    const at = `${settings}/labels`
    const rejected = await ann.fill(at, at, { do: "add", name: "kind/<b>", color: "red" })
    expect([rejected.status, rejected.text.includes('value="kind/&lt;b&gt;"')]).toEqual([422, true])
    expect(rejected.text).toContain('id="error-color">must be six hexadecimal digits, such as #0075ca</p>')
    const added = await ann.fill(at, at, { do: "add", name: "kind/bug", color: "#ff0000", exclusive: "on" })
    expect(added.to).toBe(at)
    const [label] = await forge.actAs("ann").organization.label.list({ params: org })
    expect([label?.name, label?.color.replace("#", ""), label?.exclusive]).toEqual(["kind/bug", "ff0000", true])
    const id = String(label?.id)
    expect((await ann.go(`${at}?edit=${id}`)).text).toContain("Edit label kind/bug")
    const fields = { do: "edit", id, name: "kind/defect", color: "#00ff00", archived: "on" }
    expect((await ann.fill(`${at}?edit=${id}`, at, fields)).to).toBe(at)
    const changed = await forge.actAs("ann").organization.label.read({ params: { ...org, id } })
    expect([changed.name, changed.exclusive, changed.is_archived]).toEqual(["kind/defect", false, true])
    const unnamed = await ann.fill(`${at}?edit=${id}`, at, { ...fields, name: " " })
    expect([unnamed.status, unnamed.text.includes("Edit label kind/defect")]).toEqual([422, true])
    expect((await ann.go(`${at}?edit=99999`)).status).toBe(404)
    expect((await ann.fill(at, at, { do: "delete", id })).to).toBe(at)
    expect(await forge.actAs("ann").organization.label.list({ params: org })).toEqual([])
  })

  it("set and delete secrets without ever showing their values", async () => {
    const ann = await signedIn("ann")
    const at = `${settings}/actions/secrets`
    const wrong = await ann.fill(at, at, { do: "set", name: "GITHUB_X", data: "hunter2" })
    expect([wrong.status, wrong.text.includes('id="error-name"')]).toEqual([422, true])
    const empty = await ann.fill(at, at, { do: "set", name: "KEY", data: "" })
    expect(empty.text).toContain('id="error-data">must not be empty</p>')
    expect((await ann.fill(at, at, { do: "set", name: "key", data: "hunter2", description: "Deploys" })).to).toBe(at)
    const shown = (await ann.go(at)).text
    expect([shown.includes("<code>KEY</code>"), shown.includes("Deploys"), shown.includes("hunter2")]).toEqual([
      true,
      true,
      false
    ])
    expect((await ann.fill(at, at, { do: "delete", name: "KEY" })).to).toBe(at)
    expect(await actionsOf("secrets")).toEqual([])
  })

  it("create, change and delete variables, and reject a name that exists", async () => {
    const ann = await signedIn("ann")
    const at = `${settings}/actions/variables`
    expect((await ann.fill(at, at, { do: "add", name: "region", value: "eu" })).to).toBe(at)
    const taken = await ann.fill(at, at, { do: "add", name: "REGION", value: "us" })
    expect([taken.status, taken.text.includes('id="error-name"'), taken.text.includes("us</textarea>")]).toEqual([
      409,
      true,
      true
    ])
    expect((await ann.go(`${at}?edit=REGION`)).text).toContain("eu</textarea>")
    expect((await ann.fill(`${at}?edit=REGION`, at, { do: "edit", name: "REGION", value: "us" })).to).toBe(at)
    expect(await actionsOf("variables")).toMatchObject([{ name: "REGION", data: "us" }])
    expect((await ann.fill(at, at, { do: "delete", name: "REGION" })).to).toBe(at)
    expect(await actionsOf("variables")).toEqual([])
  })

  it("show a registration token of the organization's runners once", async () => {
    const ann = await signedIn("ann")
    const at = `${settings}/actions/runners`
    const made = await ann.fill(at, at, { do: "register" })
    const token = /<pre class="message" tabindex="0">([^<]+)<\/pre>/.exec(made.text)?.[1] ?? ""
    expect([made.status, token.length > 20]).toEqual([200, true])
    expect((await ann.go(at)).text.includes(token)).toBe(false)
  })

  it("create, change and delete webhooks, and list their deliveries", async () => {
    const ann = await signedIn("ann")
    const at = `${settings}/hooks`
    const fields = {
      type: "gitea",
      url: "https://hooks.example/in",
      content_type: "json",
      events: "push",
      active: "on"
    }
    const unnamed = await ann.fill(`${at}/new`, `${at}/new`, { ...fields, url: " " })
    expect([unnamed.status, unnamed.text.includes('id="error-url">must not be empty</p>')]).toEqual([422, true])
    expect((await ann.fill(`${at}/new`, `${at}/new`, fields)).to).toBe(at)
    const hooks = () => forge.actAs("ann").organization.hook.list({ params: org })
    const [hook] = await hooks()
    const one = `${at}/${String(hook?.id)}`
    expect((await ann.go(at)).text).toContain(`<a href="${one}">https://hooks.example/in</a>`)
    expect((await ann.go(one)).text).toContain("Nothing was delivered yet.")
    const edited = await ann.fill(one, one, { ...fields, do: "edit", url: "https://hooks.example/other" })
    expect(edited.to).toBe(one)
    expect((await hooks()).map(({ config }) => config.url)).toEqual(["https://hooks.example/other"])
    const bob = await signedIn("bob")
    expect((await bob.go(one)).status).toBe(403)
    expect((await ann.go(`${at}/99999`)).status).toBe(404)
    expect((await ann.fill(one, one, { do: "delete" })).to).toBe(at)
    expect(await hooks()).toEqual([])
  })

  it("block and unblock users, and reject members and unknown users at the field", async () => {
    const ann = await signedIn("ann")
    const at = `${settings}/blocked_users`
    const blocked = async () =>
      (await forge.actAs("ann").organization.block.list({ params: org })).map(({ login }) => login)
    expect((await ann.go(at)).text).toContain("The organization blocks no users.")
    for (const name of ["nobody", "bob"]) {
      const rejected = await ann.fill(at, at, { do: "add", name })
      expect([rejected.status, rejected.text.includes('id="error-name"')]).toEqual([422, true])
      expect(rejected.text).toContain(`value="${name}"`)
    }
    expect(await blocked()).toEqual([])
    expect((await ann.fill(at, at, { do: "add", name: "eve" })).to).toBe(at)
    expect(await blocked()).toEqual(["eve"])
    expect((await ann.go(at)).text).toContain('<a href="/eve">eve</a>')
    expect((await ann.fill(at, at, { do: "remove", name: "eve" })).to).toBe(at)
    expect(await blocked()).toEqual([])
  })

  it("are available in German", async () => {
    const ann = await signedIn("ann", "de")
    expect((await ann.go(`${settings}/actions/variables`)).text).toContain("Variable hinzufügen")
  })
})
