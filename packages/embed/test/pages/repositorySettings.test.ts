import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, rootUrl } from "./support/site.ts"

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJy5yZq4uQK3u0Q7mVtGm0yN3gq8yqgDq0ZpJm1w8b9k deploy"

describe("the settings of a repository", () => {
  let forge: Forge
  const params = { username: "ann", reponame: "site" }
  beforeAll(async () => {
    forge = await makeSite()
    for (const username of ["bob", "cy", "eve"])
      await forge.actAs("root").admin.user.create({
        body: { username, email: `${username}@example.com`, password, must_change_password: false }
      })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({
      body: { name: "site", private: true, auto_init: true, default_branch: "main" }
    })
    for (const [collaborator, permission] of [
      ["bob", "read"],
      ["cy", "admin"]
    ] as const)
      await ann.repository.collaborator.add({ params: { ...params, collaborator }, body: { permission } })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }
  /** Reads a list of the repository's Actions with the API, as ann. */
  const actionsOf = async (list: "secrets" | "variables"): Promise<unknown> => {
    const authorization = `Basic ${btoa(`ann:${password}`)}`
    const request = new Request(`${rootUrl}/api/v1/repos/ann/site/actions/${list}`, { headers: { authorization } })
    return (await forge.handler(request)).json()
  }
  const read = () => forge.actAs("ann").repository.read({ params })
  const pages = [
    "",
    "/access",
    "/collaboration",
    "/branches",
    "/branches/edit",
    "/environments",
    "/environments/edit",
    "/keys",
    "/hooks",
    "/hooks/new"
  ]

  it("have the same status as the API for each user, also for hidden and missing repositories (I9)", async () => {
    const browsers = [
      openBrowser(forge),
      ...(await Promise.all(["eve", "bob", "cy", "ann"].map((name) => signedIn(name))))
    ]
    for (const path of pages) {
      const statuses = async (repository: string) =>
        Promise.all(browsers.map(async (each) => (await each.go(`/ann/${repository}/settings${path}`)).status))
      expect(await statuses("site"), path).toEqual([303, 404, 403, 200, 200])
      expect(await statuses("none"), path).toEqual([303, 404, 404, 404, 404])
    }
    expect((await (await signedIn("ann")).go("/ann/site/settings/hooks/99")).status).toBe(404)
    // Administrators who do not own the repository may not see its secrets, variables and runners.
    for (const path of ["secrets", "variables", "runners"]) {
      const at = `/ann/site/settings/actions/${path}`
      expect(await Promise.all(browsers.map(async (each) => (await each.go(at)).status))).toEqual([
        303, 404, 403, 403, 200
      ])
      const offered = async (each: (typeof browsers)[number] | undefined) =>
        (await each?.go("/ann/site/settings/keys"))?.text.includes(`href="${at}"`)
      expect([await offered(browsers[3]), await offered(browsers[4])]).toEqual([false, true])
    }
  })

  it("show all users with access, with their level, grant and reason", async () => {
    const { text } = await (await signedIn("ann")).go("/ann/site/settings/access")
    const rows = [...text.matchAll(/<tr><td>.*?<\/details>/gs)].map(([row]) => row)
    const facts = rows.map((row) => [
      />(\w+)<\/a>/.exec(row)?.[1],
      /<span class="badge[^>]*>(\w+)</.exec(row)?.[1],
      /<\/span><\/td><td>([^<]*)</.exec(row)?.[1]
    ])
    expect(facts).toEqual([
      ["ann", "Owner", "owner of the repository"],
      ["bob", "Read", "collaborator"],
      ["cy", "Administer", "collaborator"]
    ])
    expect(rows[1]).toContain("<b>Code</b>: Read")
    expect(rows[1]).toContain("<code>repository.collaborator</code>")
  })

  it("explain to owners why a user may or may not perform an action, and what would change the decision", async () => {
    const at = "/ann/site/settings/access"
    const ann = await signedIn("ann")
    const refused = await ann.go(`${at}?user=bob&action=git.push`)
    expect(refused.text).toContain("bob may not do this: Push to branches.")
    expect(refused.text).toContain("What would change the decision")
    expect((await ann.go(`${at}?user=cy&action=git.push`)).text).toContain("cy may do this: Push to branches.")
    expect((await ann.go(`${at}?user=nobody&action=git.push`)).text).toContain("nobody does not exist")
    expect((await (await signedIn("cy")).go(`${at}?user=bob&action=git.push`)).text).toContain(
      "Only owners of the repository see explanations"
    )
  })

  it("change name, units and merge methods, and keep the typed values of a rejected form", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/settings"
    const fields = {
      do: "general",
      name: "site",
      description: "New <b>",
      website: "",
      default_branch: "main",
      private: "on"
    }
    const rejected = await ann.fill(at, at, { ...fields, website: "nothing", units: "has_code" })
    expect(rejected.status).toBe(422)
    expect(rejected.text).toContain('id="error-website"')
    expect(rejected.text).toContain('value="New &lt;b&gt;"')
    expect(rejected.text).toMatch(/value="has_code" checked/)
    expect(rejected.text).not.toMatch(/value="has_wiki" checked/)
    const all = { styles: "allow_merge_commits", default_merge_style: "merge" }
    expect((await ann.fill(at, at, { ...fields, ...all, units: "has_code" })).to).toBe(at)
    expect(await read()).toMatchObject({ description: "New <b>", private: true, has_code: true, has_wiki: false })
    const merging = { styles: "allow_squash_merge", default_merge_style: "squash", delete_branch: "on" }
    expect((await ann.fill(at, at, { ...fields, ...merging, units: "has_code" })).to).toBe(at)
    expect(await read()).toMatchObject({
      allow_squash_merge: true,
      allow_merge_commits: false,
      default_merge_style: "squash",
      default_delete_branch_after_merge: true,
      description: "New <b>"
    })
  })

  it("preview who gains access when the repository becomes public", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/settings"
    const squash = { styles: "allow_squash_merge", default_merge_style: "squash" }
    const fields = { do: "general", name: "site", units: "has_code", default_branch: "main", ...squash, preview: "yes" }
    const preview = await ann.fill(at, at, fields)
    expect(preview.text).toMatch(/badge ok">gains<.*Everyone without an account/s)
    expect((await read()).private).toBe(true)
  })

  it("add, change and remove collaborators", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/settings/collaboration"
    const level = async (name: string) =>
      (await forge.actAs("ann").repository.collaborator.permission({ params: { ...params, collaborator: name } }))
        .permission
    expect((await ann.go(at)).text).toContain("Effective level: Administer")
    expect((await ann.fill(at, at, { do: "set", collaborator: "bob", level: "write" })).to).toBe(at)
    expect(await level("bob")).toBe("write")
    const unknown = await ann.fill(at, at, { do: "add", collaborator: "nobody", level: "read" })
    expect([unknown.status, unknown.text.includes('id="error-collaborator"')]).toEqual([422, true])
    expect(unknown.text).toMatch(/value="read" selected/)
    expect((await ann.fill(at, at, { do: "remove", collaborator: "bob" })).to).toBe(at)
    const left = await forge.actAs("ann").repository.collaborator.list({ params })
    expect(left.map(({ login }) => login)).toEqual(["cy"])
    expect((await ann.fill(at, at, { do: "add", collaborator: "bob", level: "read" })).to).toBe(at)
    expect(await level("bob")).toBe("read")
  })

  it("create, change and delete branch protection rules", async () => {
    const ann = await signedIn("ann")
    const list = "/ann/site/settings/branches"
    const edit = `${list}/edit`
    const rules = () => forge.actAs("ann").repository["branch-protection"].list({ params })
    const wrong = await ann.fill(edit, edit, { rule_name: "main", required_approvals: "x" })
    expect([wrong.status, wrong.text.includes('id="error-required_approvals"')]).toEqual([422, true])
    expect(wrong.text).toContain('value="main"')
    const fields = { required_approvals: "2", enable_status_check: "on", status_check_contexts: "build\r\ntest\r\n" }
    expect((await ann.fill(edit, edit, { rule_name: "main", ...fields })).to).toBe(list)
    expect((await rules())[0]).toMatchObject({
      rule_name: "main",
      required_approvals: 2,
      status_check_contexts: ["build", "test"],
      enable_push: false
    })
    expect((await ann.go(list)).text).toContain("2 approvals")
    const one = `${edit}?rule_name=main`
    expect((await ann.go(one)).text).toMatch(/name="required_approvals"[^>]*value="2"/)
    expect((await ann.fill(one, edit, { required_approvals: "1", enable_push: "on" })).to).toBe(list)
    expect((await rules())[0]).toMatchObject({ required_approvals: 1, enable_push: true, enable_status_check: false })
    expect((await ann.fill(list, list, { do: "delete", rule: "main" })).to).toBe(list)
    expect(await rules()).toEqual([])
  })

  it("add and delete deploy keys, and show errors at the invalid field", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/settings/keys"
    const wrong = await ann.fill(at, at, { do: "add", title: "ci", key: "no key" })
    expect([wrong.status, wrong.text.includes('id="error-key"'), wrong.text.includes('value="ci"')]).toEqual([
      422,
      true,
      true
    ])
    expect((await ann.fill(at, at, { do: "add", title: "ci", key })).to).toBe(at)
    const [made] = await forge.actAs("ann").repository.key.list({ params })
    expect([made?.title, made?.read_only]).toEqual(["ci", true])
    expect((await ann.fill(at, at, { do: "delete", id: String(made?.id) })).to).toBe(at)
    expect(await forge.actAs("ann").repository.key.list({ params })).toEqual([])
  })

  it("create, test and delete a webhook, and never show its secret", async () => {
    const ann = await signedIn("ann")
    const list = "/ann/site/settings/hooks"
    const fields = { type: "gitea", content_type: "json", secret: "s3cret-value", active: "on", events: "push" }
    const wrong = await ann.fill(`${list}/new`, `${list}/new`, { ...fields, url: "ftp://x" })
    expect([wrong.status, wrong.text.includes('id="error-url"')]).toEqual([422, true])
    const made = await ann.fill(`${list}/new`, `${list}/new`, { ...fields, url: "https://hooks.example/in" })
    expect(made.to).toMatch(/^\/ann\/site\/settings\/hooks\/\d+$/)
    const at = made.to ?? ""
    expect((await ann.go(list)).text).toContain("https://hooks.example/in")
    expect((await ann.go(at)).text).not.toContain("s3cret-value")
    expect((await ann.fill(at, at, { do: "test" })).to).toBe(at)
    const shown = await ann.go(at)
    const [, to = ""] = /href="([^"]*\/deliveries\/\d+)"/.exec(shown.text) ?? []
    expect((await ann.go(to)).text).toContain("Payload")
    expect((await ann.fill(to, to, { do: "redeliver" })).to).toBe(at)
    expect((await ann.fill(at, at, { do: "edit", ...fields, url: "https://hooks.example/out", secret: "" })).to).toBe(
      at
    )
    const id = at.split("/").at(-1) ?? ""
    expect((await forge.actAs("ann").repository.hook.read({ params: { ...params, id } })).config.url).toBe(
      "https://hooks.example/out"
    )
    const every = { ...fields, url: "https://hooks.example/out", all_events: "on" }
    expect((await ann.fill(at, at, { do: "edit", ...every })).to).toBe(at)
    expect((await ann.go(at)).text).toMatch(/name="all_events" value="on" checked/)
    expect((await ann.fill(at, at, { do: "delete" })).to).toBe(list)
    expect((await ann.go(at)).status).toBe(404)
  })

  it("archive, transfer and delete a repository only after its full name is typed", async () => {
    await forge.actAs("ann").account.repository.create({ body: { name: "old" } })
    const ann = await signedIn("ann")
    const at = "/ann/old/settings"
    const old = { params: { username: "ann", reponame: "old" } }
    expect((await ann.fill(at, at, { do: "archive", archived: "yes" })).to).toBe(at)
    expect((await forge.actAs("ann").repository.read(old)).archived).toBe(true)
    expect((await ann.fill(at, at, { do: "archive", archived: "no" })).to).toBe(at)
    expect((await forge.actAs("ann").repository.read(old)).archived).toBe(false)
    const unknown = await ann.fill(at, at, { do: "transfer", new_owner: "nobody", confirm_transfer: "ann/old" })
    expect([unknown.status, unknown.text.includes('id="error-new_owner"')]).toEqual([422, true])
    await ann.fill(at, at, { do: "transfer", new_owner: "bob", confirm_transfer: "ann/old" })
    expect((await ann.go(at)).text).toContain("A transfer to bob waits for its acceptance.")
    expect((await ann.fill(at, at, { do: "delete", confirm_delete: "old" })).text).toContain(
      'id="error-confirm_delete">must be ann/old</p>'
    )
    // Administrators of a repository who do not own it may neither transfer nor delete it.
    const admin = await (await signedIn("cy")).go("/ann/site/settings")
    expect([admin.text.includes("Save changes"), admin.text.includes("Delete repository")]).toEqual([true, false])
    expect((await ann.fill(at, at, { do: "delete", confirm_delete: "ann/old" })).to).toBe("/")
    expect((await ann.go("/ann/old")).status).toBe(404)
  })

  it("create a repository of the viewer, or of an organization that allows it", async () => {
    await forge.actAs("eve").organization.create({ body: { username: "acme" } })
    const at = "/repo/create"
    expect((await openBrowser(forge).go(at)).to).toContain("/user/login?redirect_to=")
    const eve = await signedIn("eve")
    expect((await eve.go(at)).text).toContain('<option value="acme">')
    expect((await (await signedIn("ann")).go(at)).text).not.toContain('<option value="acme">')
    const rejected = await eve.fill(at, at, { owner: "eve", name: "a b", description: "kept" })
    expect([
      rejected.status,
      rejected.text.includes('id="error-name"'),
      rejected.text.includes('value="kept"')
    ]).toEqual([422, true, true])
    const made = await eve.fill(at, at, {
      owner: "acme",
      name: "tool",
      private: "on",
      auto_init: "on",
      default_branch: "trunk"
    })
    expect(made.to).toBe("/acme/tool")
    const { default_branch: branch, private: isPrivate } = await forge
      .actAs("eve")
      .repository.read({ params: { username: "acme", reponame: "tool" } })
    expect([branch, isPrivate]).toEqual(["trunk", true])
    const again = await eve.fill(at, at, { owner: "eve", name: "tool" })
    expect(again.to).toBe("/eve/tool")
    const taken = await eve.fill(at, at, { owner: "eve", name: "tool" })
    expect([taken.status, taken.text.includes('id="error-name"')]).toEqual([422, true])
  })

  it("set secrets, create variables and register runners of the repository", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/settings/actions"
    const secret = { do: "set", name: "key", data: "hunter2", description: "Deploys <b>" }
    expect((await ann.fill(`${at}/secrets`, `${at}/secrets`, secret)).to).toBe(`${at}/secrets`)
    const secrets = (await ann.go(`${at}/secrets`)).text
    expect([secrets.includes("<code>KEY</code>"), secrets.includes("Deploys &lt;b&gt;")]).toEqual([true, true])
    expect(secrets).not.toContain("hunter2")
    await ann.fill(`${at}/secrets`, `${at}/secrets`, { do: "delete", name: "KEY" })
    expect(await actionsOf("secrets")).toEqual([])
    const variables = `${at}/variables`
    expect((await ann.fill(variables, variables, { do: "add", name: "region", value: "eu" })).to).toBe(variables)
    const taken = await ann.fill(variables, variables, { do: "add", name: "REGION", value: "us" })
    expect([taken.status, taken.text.includes('id="error-name"')]).toEqual([409, true])
    await ann.fill(`${variables}?edit=REGION`, variables, { do: "edit", name: "REGION", value: "us" })
    expect(await actionsOf("variables")).toMatchObject([{ name: "REGION", data: "us" }])
    const made = await ann.fill(`${at}/runners`, `${at}/runners`, { do: "register" })
    expect([made.status, /<pre class="message" tabindex="0">[^<]{20,}<\/pre>/.test(made.text)]).toEqual([200, true])
  })

  it("reject every form without a CSRF token, and change nothing", async () => {
    const ann = await signedIn("ann")
    const before = await read()
    const fields = { form: "none", do: "delete", confirm_delete: "ann/site", archived: "yes", rule_name: "main" }
    for (const path of pages.filter((each) => each !== "/access" && each !== "/hooks"))
      expect((await ann.post(`/ann/site/settings${path}`, fields)).status, path).toBe(403)
    expect(await read()).toEqual(before)
    for (const path of pages) {
      const { text } = await ann.go(`/ann/site/settings${path}`)
      const forms = text.split('<form method="post"').slice(1)
      expect(
        forms.every((form) => /^[^<]*<input type="hidden" name="form" value="[0-9a-f]{64}">/.test(form)),
        path
      ).toBe(true)
    }
  })

  it("are available in German", async () => {
    const { text } = await (await signedIn("ann", "de")).go("/ann/site/settings")
    expect([text.includes("Repository löschen"), text.includes("Standard-Branch")]).toEqual([true, true])
  })
})
