import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }
const at = "/ann/site/compare/main...topic/x"

describe("the pages that compare revisions", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "site", auto_init: true, default_branch: "main" } })
    await ann.account.repository.create({ body: { name: "secret", private: true, auto_init: true } })
    await ann.repository.branch.create({ params, body: { new_branch_name: "topic/x" } })
    await ann.repository.contents.create({
      params: { ...params, "*": "a.txt" },
      body: {
        content: Buffer.from("<b>a</b>\n").toString("base64") as never,
        message: "Add <a>\n\nWhy",
        branch: "topic/x"
      }
    })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }

  it("show the commits and files of the head to every reader, also an anonymous one", async () => {
    const anonymous = await openBrowser(forge).go(at)
    expect(anonymous.status).toBe(200)
    expect(anonymous.text).toContain("<b>Add &lt;a&gt;</b>")
    expect(anonymous.text).toContain('aria-label="a.txt"')
    expect(anonymous.text).toContain("&lt;b&gt;a&lt;/b&gt;")
    expect(anonymous.text).toContain("Sign in to open a pull request")
    expect(anonymous.text).not.toContain(">Create pull request<")
    const same = await openBrowser(forge).go("/ann/site/compare/topic/x...main")
    expect(same.text).toContain("There is nothing to compare")
    const german = await (await signedIn("bob", "de")).go(at)
    expect(german.text).toContain("Neuer Pull-Request")
  })

  it("redirect from the chosen branches to their comparison", async () => {
    const bob = await signedIn("bob")
    const list = await bob.go("/ann/site/pulls")
    expect(list.text).toMatch(/href="\/ann\/site\/compare">.*New pull request<\/a>/)
    expect((await bob.go("/ann/site/compare")).text).toContain('<option value="topic/x">')
    expect((await bob.go("/ann/site/compare?base=main&head=topic%2Fx")).to).toBe(at)
    expect((await bob.go("/ann/site/compare?head=topic%2Fx")).to).toBe(at)
    expect((await bob.go("/ann/site/compare/topic")).to).toBe("/ann/site/compare")
  })

  it("answer with the same status for hidden and missing repositories (I9)", async () => {
    const bob = await signedIn("bob")
    for (const path of ["secret/compare", "nowhere/compare", "secret/compare/main...main", "nowhere/compare/a...b"])
      expect([path, (await bob.go(`/ann/${path}`)).status]).toEqual([path, 404])
    expect((await bob.go("/ann/site/compare/main...nope")).status).toBe(404)
    expect((await bob.go("/ann/site/compare/main...bob:topic")).status).toBe(404)
    expect((await (await signedIn("ann")).go("/ann/secret/compare")).status).toBe(200)
  })

  it("create a pull request, and keep the typed values if the title is missing", async () => {
    const ann = await signedIn("ann")
    expect((await ann.go(at)).text).toMatch(
      /href="\/ann\/site\/compare\/main\.\.\.topic\/x\?expand=1">.*New pull request/
    )
    const form = await ann.go(`${at}?expand=1`)
    expect(form.text).toContain('value="Add &lt;a&gt;"')
    expect(form.text).toContain("Why</textarea>")
    const rejected = await ann.fill(`${at}?expand=1`, `${at}?expand=1`, { title: " ", body: "kept <b>" })
    expect(rejected.status).toBe(422)
    expect(rejected.text).toContain('id="error-title">must not be empty</p>')
    expect(rejected.text).toContain("kept &lt;b&gt;</textarea>")
    const sent = await ann.fill(`${at}?expand=1`, `${at}?expand=1`, { title: "Add a", body: "text" })
    expect(sent.to).toBe("/ann/site/pulls/1")
    const made = await forge.actAs("ann").pull.read({ params: { ...params, index: "1" } })
    expect([made.title, made.body, made.base.ref, made.head.ref]).toEqual(["Add a", "text", "main", "topic/x"])
    const again = await ann.go(at)
    expect(again.text).toContain('href="/ann/site/pulls/1"')
    expect(again.text).not.toContain(">New pull request<")
    const csrf = /name="form" value="(\w+)"/.exec(again.text)?.[1] ?? ""
    const twice = await ann.post(`${at}?expand=1`, { form: csrf, title: "Again", body: "" })
    expect(twice.status).toBe(409)
    const foreign = await ann.post(`${at}?expand=1`, { title: "Again", body: "" })
    expect(foreign.status).toBe(403)
  })
})
