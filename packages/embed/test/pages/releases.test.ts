import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }

describe("the pages of labels, milestones, releases, branches and tags", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    await forge.actAs("ann").account.repository.create({
      body: { name: "site", auto_init: true, default_branch: "main" }
    })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string) => {
    const browser = openBrowser(forge)
    await browser.signIn(name)
    return browser
  }

  it("create labels, with an error message at the invalid field", async () => {
    const at = "/ann/site/labels"
    const ann = await signedIn("ann")
    const wrong = await ann.fill(at, at, { name: "bug", color: "red" })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('id="error-color">must be six hexadecimal digits')
    expect(wrong.text).toContain('value="bug"')
    expect((await ann.fill(at, at, { name: "bug", color: "#CC0000", description: "A <b>defect" })).to).toBe(at)
    const bob = await signedIn("bob")
    const { text } = await bob.go(at)
    expect([text.includes("A &lt;b&gt;defect"), text.includes("Create label")]).toEqual([true, false])
    const csrf = /name="form" value="(\w+)"/.exec(text)?.[1] ?? ""
    expect((await bob.post(at, { form: csrf, name: "x", color: "#000000" })).status).toBe(403)
    expect((await forge.actAs("ann").label.list({ params })).map(({ name }) => name)).toEqual(["bug"])
  })

  it("create, close and reopen milestones and show their progress", async () => {
    const at = "/ann/site/milestones"
    const ann = await signedIn("ann")
    const wrong = await ann.fill(`${at}/new`, `${at}/new`, { title: "", due: "soon" })
    expect(wrong.text).toContain('id="error-title">must not be empty')
    expect(wrong.text).toContain('id="error-due">must be a date')
    expect((await ann.fill(`${at}/new`, `${at}/new`, { title: "v1", due: "2030-12-31" })).to).toBe(at)
    const [milestone] = await forge.actAs("ann").milestone.list({ params })
    expect(milestone?.due_on?.slice(0, 10)).toBe("2030-12-31")
    const issue = { title: "Done", milestone: milestone?.id ?? 0, closed: true }
    await forge.actAs("ann").issue.create({ params, body: issue })
    expect((await ann.go(at)).text).toContain("1 of 1 closed")
    await ann.fill(at, at, { do: "close" })
    expect((await ann.go(at)).text).toContain("No milestone here.")
    expect((await ann.go(`${at}?state=closed`)).text).toContain("v1")
    await ann.fill(`${at}?state=closed`, at, { do: "reopen" })
    expect((await openBrowser(forge).go(at)).text).toContain("v1")
    expect((await openBrowser(forge).go(at)).text).not.toContain("New milestone")
  })

  it("publish a release, and hide drafts from readers", async () => {
    const at = "/ann/site/releases/new"
    const ann = await signedIn("ann")
    const wrong = await ann.fill(at, at, { tag: " ", title: "kept" })
    expect([wrong.text.includes('id="error-tag">must not be empty'), wrong.text.includes('value="kept"')]).toEqual([
      true,
      true
    ])
    const sent = await ann.fill(at, at, { tag: "v1.0", target: "main", title: "One", notes: "Some **notes**" })
    expect(sent.to).toBe("/ann/site/releases")
    await ann.fill(at, at, { tag: "v2.0", target: "main", title: "Unseen", draft: "on" })
    expect((await ann.go("/ann/site/releases")).text).toContain("Unseen")
    const reader = openBrowser(forge)
    const { text } = await reader.go("/ann/site/releases")
    expect(text).toContain("Some <strong>notes</strong>")
    expect(text).not.toContain("Unseen")
    expect(text).not.toContain("New release")
    expect((await reader.go("/ann/site/releases/tag/v1.0")).status).toBe(200)
    expect((await reader.go("/ann/site/releases/tag/v2.0")).status).toBe(404)
    expect((await reader.go("/ann/site/archive/v1.0.zip", { accept: "*/*" })).status).toBe(200)
  })

  it("list branches and tags with links to their code", async () => {
    const browser = openBrowser(forge)
    await forge.actAs("ann").repository.branch.create({ params, body: { new_branch_name: "feature/x" } })
    await forge.actAs("ann").repository["branch-protection"].create({ params, body: { rule_name: "main" } })
    const branches = await browser.go("/ann/site/branches")
    expect(branches.text).toContain('href="/ann/site/src/branch/feature/x"')
    expect([branches.text.includes("Default"), branches.text.includes("Protected")]).toEqual([true, true])
    const tags = await browser.go("/ann/site/tags")
    expect(tags.text).toContain('href="/ann/site/src/tag/v1.0"')
  })
})
