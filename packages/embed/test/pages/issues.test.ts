import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

const hostile = `"><script>alert(1)</script>'&`

describe("the pages of issues", () => {
  let forge: Forge
  const params = { username: "ann", reponame: "site" }
  beforeAll(async () => {
    forge = await makeSite()
    const root = forge.actAs("root")
    await root.admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "site", auto_init: true, default_branch: "main" } })
    await ann.account.repository.create({ body: { name: "secret", private: true, auto_init: true } })
    await ann.account.repository.create({ body: { name: "empty" } })
    const label = await ann.label.create({ params, body: { name: "bug", color: "#cc0000" } })
    const milestone = await ann.milestone.create({ params, body: { title: "v1" } })
    await ann.issue.create({
      params,
      body: {
        title: `First ${hostile}`,
        body: `Text **bold** ${hostile}\nnext line`,
        labels: [label.id],
        assignees: ["ann"],
        milestone: milestone.id
      }
    })
    await ann.issue.create({ params, body: { title: "Second thing" } })
    const closed = await ann.issue.create({ params, body: { title: "Old thing" } })
    await ann.issue.edit({ params: { ...params, index: String(closed.number) }, body: { state: "closed" } })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }
  const titles = (text: string) => [...text.matchAll(/<h3>.*?<a href="\/ann\/site\/issues\/(\d+)">/g)].map(([, n]) => n)

  it("list issues by state, label, milestone and search text", async () => {
    const browser = openBrowser(forge)
    expect(titles((await browser.go("/ann/site/issues")).text)).toEqual(["2", "1"])
    expect(titles((await browser.go("/ann/site/issues?state=closed")).text)).toEqual(["3"])
    expect(titles((await browser.go("/ann/site/issues?state=all&sort=oldest")).text)).toEqual(["1", "2", "3"])
    expect(titles((await browser.go("/ann/site/issues?labels=bug")).text)).toEqual(["1"])
    expect(titles((await browser.go("/ann/site/issues?milestones=v1")).text)).toEqual(["1"])
    const found = await browser.go("/ann/site/issues?q=Second")
    expect(titles(found.text)).toEqual(["2"])
    expect(found.text).toContain('value="Second"')
    expect(titles((await browser.go("/ann/site/issues?state=odd&sort=odd")).text)).toEqual(["2", "1"])
  })

  it("offer to open an issue if a list is empty, except to users without permission", async () => {
    const ann = await signedIn("ann")
    const { text } = await ann.go("/ann/empty/issues")
    expect(text).toContain("No issue matches.")
    expect(text).toContain('href="/ann/empty/issues/new"')
    expect((await (await signedIn("ann", "de")).go("/ann/empty/issues")).text).toContain("Neues Issue")
    await forge.actAs("ann").repository.edit({ params: { ...params, reponame: "empty" }, body: { archived: true } })
    expect((await ann.go("/ann/empty/issues")).text).not.toContain("New issue")
  })

  it("show an issue with rendered Markdown, its metadata and its events, without scripts", async () => {
    const { status, text } = await openBrowser(forge).go("/ann/site/issues/1")
    expect(status).toBe(200)
    expect(text).toContain("<strong>bold</strong>")
    expect(text).toMatch(/<br\s*\/?>\s*next line/)
    expect(text).toContain("added the label")
    expect(text).toContain('fill="#cc0000"')
    expect(text).toContain('href="/ann/site/issues?milestones=v1"')
    expect(text).not.toContain("<script>alert")
    expect(text).toContain("Sign in to comment")
    expect(text).not.toContain("Close issue")
  })

  it("open an issue, and keep the typed text if the title is missing", async () => {
    expect((await openBrowser(forge).go("/ann/site/issues/new")).to).toContain("/user/login?redirect_to=")
    const bob = await signedIn("bob")
    const at = "/ann/site/issues/new"
    const rejected = await bob.fill(at, at, { title: " ", body: "kept <b>" })
    expect(rejected.status).toBe(422)
    expect(rejected.text).toContain('id="error-title">must not be empty</p>')
    expect(rejected.text).toContain("kept &lt;b&gt;</textarea>")
    const { to } = await bob.fill(at, at, { title: "By bob", body: "text" })
    expect(to).toMatch(/^\/ann\/site\/issues\/\d+$/)
    const { text } = await bob.go(to ?? "")
    expect([text.includes("By bob"), text.includes("Close issue")]).toEqual([true, true])
  })

  it("add comments, and close and reopen issues, only if the forge allows the action", async () => {
    const at = "/ann/site/issues/2"
    const ann = await signedIn("ann")
    const empty = await ann.fill(at, at, { do: "comment", body: " " })
    expect([empty.status, empty.text.includes('id="error-body">must not be empty</p>')]).toEqual([422, true])
    const commented = await ann.fill(at, at, { do: "comment", body: "A _comment_" })
    expect(commented.to).toMatch(/^\/ann\/site\/issues\/2#issuecomment-\d+$/)
    expect((await ann.go(at)).text).toContain("A <em>comment</em>")
    expect((await ann.fill(at, at, { do: "close", body: "Done" })).status).toBe(303)
    const closed = await ann.go(at)
    expect([closed.text.includes("Done"), closed.text.includes("Reopen issue")]).toEqual([true, true])
    expect((await forge.actAs("ann").issue.read({ params: { ...params, index: "2" } })).state).toBe("closed")
    expect((await ann.fill(at, at, { do: "reopen" })).to).toBe(at)
    expect((await forge.actAs("ann").issue.read({ params: { ...params, index: "2" } })).state).toBe("open")
    const bob = await signedIn("bob")
    const shown = await bob.go(at)
    expect([shown.text.includes("Close issue"), shown.text.includes('value="comment">Comment</button>')]).toEqual([
      false,
      true
    ])
    expect((await bob.fill(at, at, { do: "close" })).status).toBe(403)
    await forge.actAs("ann").issue.lock({ params: { ...params, index: "2" }, body: {} })
    expect((await bob.go(at)).text).toContain("This conversation is locked")
    await forge.actAs("ann").issue.unlock({ params: { ...params, index: "2" } })
  })

  it("redirect to the page of the timeline with the new comment", async () => {
    const ann = forge.actAs("ann")
    const { number: index } = await ann.issue.create({ params, body: { title: "Long" } })
    for (let at = 0; at < 51; at++)
      await ann.issue.comment.create({ params: { ...params, index: String(index) }, body: { body: `note ${at}` } })
    const browser = await signedIn("ann")
    const at = `/ann/site/issues/${index}`
    const first = await browser.go(at)
    expect([first.text.includes("note 49"), first.text.includes("note 50")]).toEqual([true, false])
    expect((await browser.fill(at, at, { do: "comment", body: "last" })).to).toMatch(/\?page=2#issuecomment-\d+$/)
    expect((await browser.go(`${at}?page=2`)).text).toContain("note 50")
  })

  it("answer with the same status for hidden and missing repositories (I9)", async () => {
    const bob = await signedIn("bob")
    for (const path of ["issues", "issues/1", "issues/new", "pulls"]) {
      expect((await bob.go(`/ann/secret/${path}`)).status).toBe(404)
      expect((await bob.go(`/ann/nowhere/${path}`)).status).toBe(404)
    }
    expect((await bob.go("/ann/site/issues/999")).status).toBe(404)
    expect((await bob.go("/ann/site/issues/abc")).status).toBe(404)
  })
})
