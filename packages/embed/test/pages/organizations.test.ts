import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

describe("the pages of organizations", () => {
  let forge: Forge
  let team: string
  beforeAll(async () => {
    forge = await makeSite()
    for (const username of ["bob", "cy", "eve"])
      await forge.actAs("root").admin.user.create({
        body: { username, email: `${username}@example.com`, password, must_change_password: false }
      })
    const ann = forge.actAs("ann")
    await ann.organization.create({ body: { username: "acme", visibility: "private" } })
    await ann.organization.create({ body: { username: "open" } })
    await ann.organization.repository.create({
      params: { org: "acme" },
      body: { name: "site", private: true, auto_init: true }
    })
    const made = await ann.organization.team.create({
      params: { org: "acme" },
      body: { name: "builders", units_map: { "repo.code": "write", "repo.issues": "read" } }
    })
    team = String(made.id)
    await ann.team.member.add({ params: { id: `${team}`, username: "bob" } })
    await ann.team.repository.add({ params: { id: `${team}`, org: "acme", repo: "site" } })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }
  const unitsOf = async () => (await forge.actAs("ann").team.read({ params: { id: `${team}` } })).units_map

  it("have the same status as the API for each user, also for hidden and missing organizations (I9)", async () => {
    const [ann, bob, eve] = [await signedIn("ann"), await signedIn("bob"), await signedIn("eve")]
    const statuses = async (path: string) =>
      Promise.all([openBrowser(forge), eve, bob, ann].map(async (each) => (await each.go(path)).status))
    expect(await statuses("/org/acme/members")).toEqual([404, 404, 200, 200])
    expect(await statuses("/org/none/members")).toEqual([404, 404, 404, 404])
    expect(await statuses("/org/open/members")).toEqual([303, 200, 200, 200])
    expect(await statuses("/org/acme/teams")).toEqual([404, 404, 200, 200])
    expect(await statuses("/org/open/teams")).toEqual([303, 403, 403, 200])
    expect(await statuses("/org/acme/teams/builders")).toEqual([404, 404, 200, 200])
    expect(await statuses("/org/acme/teams/none")).toEqual([404, 404, 404, 404])
    expect(await statuses("/org/acme/settings")).toEqual([303, 404, 403, 200])
    expect(await statuses("/org/none/settings")).toEqual([303, 404, 404, 404])
    expect(await statuses("/org/create")).toEqual([303, 200, 200, 200])
  })

  it("offer changes only to owners, and only changes that the forge allows", async () => {
    const [ann, bob] = [await signedIn("ann"), await signedIn("bob")]
    const offers = async (browser: typeof ann, path: string, labels: ReadonlyArray<string>) => {
      const { text } = await browser.go(path)
      return labels.map((label) => text.includes(label))
    }
    const labels = ["Add member", "Add repository", "Save changes", "Preview changes", 'href="/org/acme/settings"']
    expect(await offers(ann, "/org/acme/teams/builders", labels)).toEqual([true, true, true, true, true])
    expect(await offers(bob, "/org/acme/teams/builders", ["Add member", "Save changes", labels[4] ?? ""])).toEqual([
      false,
      false,
      false
    ])
    expect(await offers(ann, "/org/acme/members", ["Remove member"])).toEqual([true])
    expect(await offers(bob, "/org/acme/members", ["Remove member"])).toEqual([false])
    expect(await offers(ann, "/org/acme/teams", ["New team"])).toEqual([true])
    expect(await offers(bob, "/org/acme/teams", ["New team"])).toEqual([false])
    expect(await offers(ann, "/org/acme/teams/Owners", ["Save changes", "Delete team"])).toEqual([false, false])
  })

  it("create an organization, and keep the typed values if the name is taken", async () => {
    const eve = await signedIn("eve")
    const fields = { visibility: "limited", full_name: "Kept <b>" }
    const rejected = await eve.fill("/org/create", "/org/create", { ...fields, username: "ACME" })
    expect(rejected.status).toBe(422)
    expect(rejected.text).toContain('value="Kept &lt;b&gt;"')
    expect(rejected.text).toContain('id="error-username"')
    expect((await eve.fill("/org/create", "/org/create", { ...fields, username: " " })).text).toContain(
      'id="error-username">must not be empty</p>'
    )
    const wrong = await eve.fill("/org/create", "/org/create", { ...fields, username: "a b", website: "nothing" })
    expect([wrong.status, wrong.text.includes('id="error-website"')]).toEqual([422, true])
    expect((await eve.fill("/org/create", "/org/create", { ...fields, username: "fresh" })).to).toBe("/fresh")
    const made = await forge.actAs("eve").organization.read({ params: { org: "fresh" } })
    expect([made.visibility, made.full_name]).toEqual(["limited", "Kept <b>"])
  })

  it("preview who gains and loses access by an edit of a team before it is saved", async () => {
    const ann = await signedIn("ann")
    const at = "/org/acme/teams/builders"
    const matrix = { name: "builders", visibility: "private", "repo.code": "read", "repo.wiki": "write" }
    const preview = await ann.fill(at, at, { do: "edit", ...matrix, preview: "yes" })
    expect(preview.status).toBe(200)
    expect(preview.text).toContain("Preview of your change")
    expect(preview.text).toMatch(/badge ok">gains<.*badge bad">loses<.*bob/s)
    expect(preview.text).toContain("Code: Write → Read")
    expect(preview.text).toContain("Wiki: No access → Write")
    expect(preview.text).toMatch(/name="repo.code" value="read" checked/)
    expect(await unitsOf()).toMatchObject({ "repo.code": "write", "repo.issues": "read" })
    expect((await ann.fill(at, at, { do: "edit", ...matrix })).to).toBe(at)
    expect(await unitsOf()).toEqual({ "repo.code": "read", "repo.wiki": "write" })
    const unnamed = await ann.fill(at, at, { do: "edit", ...matrix, name: " " })
    expect([unnamed.status, unnamed.text.includes('id="error-name">must not be empty</p>')]).toEqual([422, true])
  })

  it("preview, add and remove members and repositories of a team", async () => {
    const ann = await signedIn("ann")
    const at = "/org/acme/teams/builders"
    const members = async () =>
      (await forge.actAs("ann").team.member.list({ params: { id: `${team}` } })).map(({ login }) => login)
    const preview = await ann.fill(at, at, { do: "add-member", user: "cy", preview: "yes" })
    expect(preview.text).toMatch(/badge ok">gains<.*>cy</s)
    expect(await members()).toEqual(["bob"])
    expect((await ann.fill(at, at, { do: "add-member", user: "cy" })).to).toBe(at)
    expect(await members()).toEqual(["bob", "cy"])
    const unknown = await ann.fill(at, at, { do: "add-member", user: "nobody" })
    expect(unknown.status).toBe(422)
    expect(unknown.text).toContain('id="error-user">does not exist, or you may not see it</p>')
    expect(unknown.text).toContain('value="nobody"')
    const losing = await ann.fill(at, at, { do: "remove-member", user: "cy", preview: "yes" })
    expect(losing.text).toMatch(/badge bad">loses<.*>cy</s)
    expect((await ann.fill(at, at, { do: "remove-member", user: "cy" })).to).toBe(at)
    expect(await members()).toEqual(["bob"])
    const repositories = async () =>
      (await forge.actAs("ann").team.repository.list({ params: { id: `${team}` } })).map(({ name }) => name)
    expect((await ann.fill(at, at, { do: "remove-repository", repository: "site", preview: "yes" })).text).toMatch(
      /badge bad">loses<.*>bob</s
    )
    expect((await ann.fill(at, at, { do: "remove-repository", repository: "site" })).to).toBe(at)
    expect(await repositories()).toEqual([])
    expect((await ann.fill(at, at, { do: "add-repository", repository: "none" })).text).toContain(
      'id="error-repository"'
    )
    expect((await ann.fill(at, at, { do: "add-repository", repository: "site" })).to).toBe(at)
    expect(await repositories()).toEqual(["site"])
    const bob = await signedIn("bob")
    const form = { ...(await hiddenFields(bob, at)), do: "add-member", user: "eve" }
    expect((await bob.post(at, form)).status).toBe(404)
    expect(await members()).toEqual(["bob"])
  })

  const hiddenFields = async (browser: ReturnType<typeof openBrowser>, at: string) => {
    const { text } = await browser.go(at)
    return Object.fromEntries(
      [...text.matchAll(/<input type="hidden" name="(form|idempotency_key)" value="([^"]*)">/g)].map(
        ([, name = "", value = ""]) => [name, value]
      )
    )
  }

  it("create a team, and delete it only after its name is typed", async () => {
    const ann = await signedIn("ann")
    const made = await ann.fill("/org/acme/teams/new", "/org/acme/teams/new", { name: "crew", "repo.code": "read" })
    expect(made.to).toBe("/org/acme/teams/crew")
    const taken = await ann.fill("/org/acme/teams/new", "/org/acme/teams/new", { name: "crew", "repo.code": "read" })
    expect([taken.status, taken.text.includes('value="crew"')]).toEqual([422, true])
    const at = "/org/acme/teams/crew"
    expect((await ann.fill(at, at, { do: "delete", confirm: "cre" })).text).toContain(
      'id="error-confirm">must be crew</p>'
    )
    expect((await ann.fill(at, at, { do: "delete", confirm: "crew" })).to).toBe("/org/acme/teams")
    expect((await ann.go(at)).status).toBe(404)
  })

  it("remove a member after a preview, and show owners which resources a member can access", async () => {
    const ann = await signedIn("ann")
    const at = "/org/acme/members"
    const access = await ann.go(`${at}?access=bob`)
    expect(access.text).toContain("Access of bob")
    expect(access.text).toMatch(/acme\/site.*team builders/s)
    expect((await ann.fill(at, at, { do: "remove", user: "bob", preview: "yes" })).text).toMatch(
      /badge bad">loses<.*>bob</s
    )
    expect((await ann.fill(at, at, { do: "remove", user: "bob" })).to).toBe(at)
    expect(await forge.actAs("ann").organization.member.check({ params: { org: "acme", username: "bob" } })).toBe(false)
    const last = await ann.fill(at, at, { do: "remove", user: "ann" })
    expect([last.status, last.text.includes("last")]).toEqual([403, true])
  })

  it("preview and change the profile, rename an organization, and delete it only after its name is typed", async () => {
    const ann = await signedIn("ann")
    await forge.actAs("ann").organization.repository.create({ params: { org: "open" }, body: { name: "lib" } })
    const at = "/org/open/settings"
    const profile = {
      do: "profile",
      visibility: "private",
      description: "New",
      full_name: "",
      email: "",
      website: "",
      location: ""
    }
    const preview = await ann.fill(at, at, { ...profile, preview: "yes" })
    expect(preview.text).toMatch(/badge bad">loses<.*Everyone without an account/s)
    expect((await ann.fill(at, at, profile)).to).toBe(at)
    expect((await forge.actAs("ann").organization.read({ params: { org: "open" } })).visibility).toBe("private")
    expect((await ann.fill(at, at, { do: "rename", new_name: "closed", confirm_rename: "x" })).text).toContain(
      'id="error-confirm_rename">must be open</p>'
    )
    const renamed = await ann.fill(at, at, { do: "rename", new_name: "closed", confirm_rename: "open" })
    expect(renamed.to).toBe("/org/closed/settings")
    const there = "/org/closed/settings"
    const full = await ann.fill(there, there, { do: "delete", confirm_delete: "closed" })
    expect([full.status, full.text.includes("problem to fix")]).toEqual([422, true])
    await forge.actAs("ann").repository.delete({ params: { username: "closed", reponame: "lib" } })
    expect((await ann.fill(there, there, { do: "delete", confirm_delete: "closed" })).to).toBe("/")
    expect((await ann.go("/closed")).status).toBe(404)
  })

  it("offer labels and milestones, but no releases, to a team that may write only issues", async () => {
    const ann = forge.actAs("ann")
    const triage = await ann.organization.team.create({
      params: { org: "acme" },
      body: { name: "triage", units_map: { "repo.issues": "write", "repo.releases": "read" } }
    })
    await ann.team.member.add({ params: { id: String(triage.id), username: "eve" } })
    await ann.team.repository.add({ params: { id: String(triage.id), org: "acme", repo: "site" } })
    const eve = await signedIn("eve")
    const offers = async (path: string, label: string) => (await eve.go(`/acme/site${path}`)).text.includes(label)
    expect(await offers("/labels", "New label")).toBe(true)
    expect(await offers("/milestones", "New milestone")).toBe(true)
    expect((await eve.go("/acme/site/releases")).status).toBe(200)
    expect(await offers("/releases", "New release")).toBe(false)
    await ann.organization.team.create({
      params: { org: "acme" },
      body: { name: "seen", visibility: "limited", units_map: { "repo.code": "read" } }
    })
    const [seen, own] = [await eve.go("/org/acme/teams/seen"), await eve.go("/org/acme/teams/triage")]
    expect([seen.status, seen.text.includes("Add repository"), own.text.includes("Add repository")]).toEqual([
      200,
      false,
      true
    ])
  })

  it("are available in German", async () => {
    const { text } = await (await signedIn("ann", "de")).go("/org/acme/teams/builders")
    expect(
      ["Mitglied hinzufügen", "Änderungen vorab ansehen", "Änderungen speichern"].map((each) => text.includes(each))
    ).toEqual([true, true, true])
  })
})
