import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { createForge, type Forge } from "@slipway/embed"
import { Tasks } from "@slipway/forge/background"
import { layer as memory } from "@slipway/memory/forge"
import { Layer } from "effect"
import { openBrowser, password, rootUrl } from "./support/site.ts"

const marker = "unseen-marker"

const addresses = [
  "users",
  "users/new",
  `users/${marker}`,
  "organizations",
  "emails",
  "hooks",
  "hooks/new",
  "runners",
  "tasks",
  "notices",
  "unadopted",
  "config",
  "audit"
].map((name) => `/admin/${name}`)

describe("the pages of the administration", () => {
  let forge: Forge
  const signedIn = async (name: string) => {
    const browser = openBrowser(forge)
    await browser.signIn(name)
    return browser
  }

  beforeAll(async () => {
    // A library has no scheduler, so the tasks are planned here.
    const planned = Layer.effectDiscard(Tasks.plan([{ name: "cleanup_packages", schedule: "30 3 * * 0" }]))
    forge = await createForge({
      administrator: { name: "root", email: "root@example.com", password },
      store: Layer.provideMerge(planned, memory),
      url: rootUrl
    })
    await forge.actAs("root").admin.user.create({
      body: { username: "ann", email: "ann@example.com", password, must_change_password: false }
    })
    const root = forge.actAs("root")
    await root.admin.user.create({
      body: { username: marker, email: `${marker}@example.com`, password, visibility: "private" }
    })
    await root.admin.user.organization.create({
      params: { username: marker },
      body: { username: `${marker}-org`, visibility: "private" }
    })
  })
  afterAll(() => forge.dispose())

  it("are shown only to administrators, and other users get 403 without any data of the site", async () => {
    const [visitor, ann, root] = [openBrowser(forge), await signedIn("ann"), await signedIn("root")]
    for (const at of addresses) {
      expect([at, (await visitor.go(at)).to]).toEqual([at, `/user/login?${new URLSearchParams({ redirect_to: at })}`])
      const refused = await ann.go(at)
      expect([at, refused.status, refused.text.replaceAll(at, "").includes(marker)]).toEqual([at, 403, false])
      expect([at, (await root.go(at)).status]).toEqual([at, 200])
    }
    expect((await ann.go("/")).text).not.toContain("/admin/users")
    expect((await root.go("/")).text).toContain('href="/admin"')
    expect((await root.go("/admin/users/nobody")).status).toBe(404)
  })

  it("find, create, change and delete users, with messages at the fields", async () => {
    const root = await signedIn("root")
    const found = await root.go(`/admin/users?q=${marker.slice(2, 8)}`)
    expect([found.text.includes(`/admin/users/${marker}"`), found.text.includes("/admin/users/ann")]).toEqual([
      true,
      false
    ])
    const at = "/admin/users/new"
    const wrong = await root.fill(at, at, { username: "ann", email: "eve@example.com", password: "password1" })
    expect(wrong.text).toContain('id="error-password">is among the most common passwords')
    expect(wrong.text).toContain('value="eve@example.com"')
    const taken = await root.fill(at, at, { username: "ann", email: "eve@example.com", password })
    expect(taken.text).toContain('id="error-username">`ann` is taken')
    const eves = "/admin/users/eve"
    expect((await root.fill(at, at, { username: "eve", email: "eve@example.com", password })).to).toBe(eves)
    expect((await openBrowser(forge).signIn("eve")).status).toBe(303)
    // A box that is not checked is not sent.
    expect((await root.fill(eves, eves, { do: "account", restricted: "on" })).to).toBe(eves)
    const [eve] = await forge.actAs("root").admin.user.list({ query: { q: "eve" } })
    expect([eve?.active, eve?.restricted, eve?.is_admin]).toEqual([false, true, false])
    expect((await openBrowser(forge).signIn("eve")).status).toBe(403)
    await root.fill(eves, eves, { do: "account", active: "on" })
    await root.fill(eves, eves, { do: "password", password: "another password" })
    expect((await openBrowser(forge).signIn("eve", { password: "another password" })).status).toBe(303)
    const self = await root.fill("/admin/users/root", "/admin/users/root", { do: "account", admin: "on" })
    expect(self.text).toContain('id="error-active">must not be yourself')
    const untyped = await root.fill(eves, eves, { do: "delete", confirm: "ann" })
    expect(untyped.text).toContain('id="error-confirm">must be eve')
    expect((await root.fill(eves, eves, { do: "delete", confirm: "eve" })).to).toBe("/admin/users")
    expect((await root.go(eves)).status).toBe(404)
  })

  it("list organizations, addresses and events, run tasks and register runners", async () => {
    const root = await signedIn("root")
    expect((await root.go("/admin/organizations")).text).toContain(`href="/${marker}-org"`)
    expect((await root.go("/admin/emails")).text).toContain(`${marker}@example.com`)
    const found = await root.go(`/admin/emails?q=${marker}`)
    expect([found.text.includes(`${marker}@example.com`), found.text.includes("ann@example.com")]).toEqual([
      true,
      false
    ])
    const overview = (await root.go("/admin")).text
    expect(overview).toMatch(/Version <code>\d+\.\d+\.\d+\+slipway-/)
    expect(overview).toContain('href="/admin/config"')
    const config = (await root.go("/admin/config")).text
    for (const row of [
      '<th scope="row"><code>registration</code></th><td>off</td>',
      '<th scope="row"><code>stars</code></th><td>on</td>',
      '<th scope="row"><code>event_days</code></th><td>unlimited</td>',
      '<th scope="row"><code>root_url</code></th><td>https://forge.example</td>'
    ])
      expect(config).toContain(row)
    const events = await root.go("/admin/audit?action=admin.user.create")
    expect([events.text.includes("admin.user.create</code>"), events.text.includes(marker)]).toEqual([true, true])
    const tasks = await root.go("/admin/tasks")
    expect([tasks.text.includes("cleanup_packages"), tasks.text.includes("30 3 * * 0")]).toEqual([true, true])
    const run = await root.fill("/admin/tasks", "/admin/tasks", { task: "cleanup_packages" })
    expect(run.to).toBe("/admin/tasks")
    expect((await root.go("/admin/audit?action=admin.cron.run")).text).toContain("admin.cron.run</code>")
    const registered = await root.fill("/admin/runners", "/admin/runners", { do: "register" })
    expect(registered.text).toMatch(
      /Register a runner with this token\.[^<]*<\/p><pre class="message" tabindex="0">\w{40}<\/pre>/
    )
    expect((await root.go("/admin/notices")).text).toContain("No notices.")
  })

  it("show the audit log of an organization to its owners only", async () => {
    const at = `/org/${marker}-org/settings/audit`
    const [ann, root] = [await signedIn("ann"), await signedIn("root")]
    const [hidden, missing] = [await ann.go(at), await ann.go("/org/nobody/settings/audit")]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(hidden.text.replaceAll(at, "").includes(marker)).toBe(false)
    const { text } = await root.go(at)
    expect(text).toContain("admin.user.organization.create</code>")
    expect((await root.go(`${at}?action=organization.edit`)).text).toContain("No events.")
  })

  it("create, change and delete webhooks of the site", async () => {
    const root = await signedIn("root")
    const at = "/admin/hooks/new"
    expect((await root.fill(at, at, { url: " " })).text).toContain('id="error-url">must not be empty')
    const sent = { url: "https://hooks.example/in", type: "gitea", content_type: "json", events: "push", active: "on" }
    expect((await root.fill(at, at, sent)).to).toBe("/admin/hooks")
    expect((await root.go("/admin/hooks")).text).toContain("https://hooks.example/in")
    const [hook] = await forge.actAs("root").admin.hook.list()
    const one = `/admin/hooks/${String(hook?.id)}`
    expect((await root.go(one)).text).toContain('value="https://hooks.example/in"')
    const missing = await root.fill(one, one, { ...sent, do: "edit", url: " " })
    expect([missing.status, missing.text.includes('id="error-url">must not be empty')]).toEqual([422, true])
    const edited = await root.fill(one, one, { ...sent, do: "edit", url: "https://hooks.example/other" })
    expect(edited.to).toBe(one)
    const read = await forge.actAs("root").admin.hook.read({ params: { id: String(hook?.id) } })
    expect([read.config.url, read.events]).toEqual(["https://hooks.example/other", ["push"]])
    expect((await (await signedIn("ann")).go(one)).status).toBe(403)
    expect((await root.fill("/admin/hooks", "/admin/hooks", { id: String(hook?.id) })).to).toBe("/admin/hooks")
    expect(await forge.actAs("root").admin.hook.list()).toEqual([])
  })
})
