import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, writeFile } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }

describe("the pages of pull requests", () => {
  let forge: Forge

  /** Opens a pull request of ann's that changes one file in a new branch. */
  const propose = async (branch: string, path: string, content: string) => {
    const ann = forge.actAs("ann")
    await ann.repository.branch.create({ params, body: { new_branch_name: branch } })
    await ann.repository.contents.create({
      params: { ...params, "*": path },
      body: { content: Buffer.from(content).toString("base64") as never, message: `Add ${path}`, branch }
    })
    const { number: index } = await ann.pull.create({
      params,
      body: { title: `Add ${path}`, head: branch, base: "main", body: "Adds a **file**" }
    })
    return `/ann/site/pulls/${index}`
  }

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

  it("show the conversation, the changed files and the list", async () => {
    const at = await propose("one", "one.txt", "<b>first</b>\n")
    await forge.actAs("root").pull.review.create({
      params: { ...params, index: "1" },
      body: { event: "APPROVED", body: "Looks _good_" }
    })
    const browser = openBrowser(forge)
    const { text } = await browser.go(at)
    expect(text).toContain("Adds a <strong>file</strong>")
    expect(text).toContain("Looks <em>good</em>")
    expect(text).toContain("approved these changes")
    expect(text).toContain("Only people who can write to this repository may merge.")
    expect(text).not.toContain("Merge pull request")
    const files = await browser.go(`${at}/files`)
    expect(files.text).toContain('aria-label="one.txt"')
    expect(files.text).toContain("&lt;b&gt;first&lt;/b&gt;")
    expect((await browser.go("/ann/site/pulls")).text).toContain(`href="${at}"`)
    expect((await browser.go("/ann/site/issues")).text).not.toContain(`href="${at}"`)
    expect((await browser.go("/ann/site/issues/1")).to).toBe(at)
  })

  it("list the files with conflicts, with links to both branches", async () => {
    const at = await propose("both", "both.txt", "one\n")
    await writeFile(forge, "site", "both.txt", "other\n")
    const browser = openBrowser(forge)
    // A job of the background worker checks for conflicts after the push.
    await expect
      .poll(async () => (await browser.go(at)).text, { timeout: 30_000 })
      .toContain("These files have conflicts:")
    const page = await browser.go(at)
    expect(page.text).toMatch(
      /<code>both\.txt<\/code> <span class="small"><a href="\/ann\/site\/src\/branch\/main\/both\.txt">main<span/
    )
    expect(page.text).toContain('href="/ann/site/src/branch/both/both.txt"')
  })

  it("show the latest status of each check of the head commit", async () => {
    const at = await propose("checked", "checked.txt", "checked\n")
    const browser = openBrowser(forge)
    expect((await browser.go(`${at}/checks`)).text).toContain("No checks.")
    const ann = forge.actAs("ann")
    const { head } = await ann.pull.read({ params: { ...params, index: at.split("/").at(-1) ?? "" } })
    const report = (context: string, state: "failure" | "pending" | "success", target_url: string) =>
      ann.repository.status.create({
        params: { ...params, sha: head.sha },
        body: { context, state, target_url, description: "A <b>description" }
      })
    await report("ci/build", "pending", "https://ci.example/1")
    await report("ci/build", "success", "https://ci.example/2")
    await report("ci/lint", "failure", "https://ci.example/3")
    const { text } = await browser.go(`${at}/checks`)
    expect(text).toContain('<a href="https://ci.example/2" rel="nofollow noopener">ci/build</a>')
    expect(text).not.toContain("https://ci.example/1")
    expect([text.includes("Passed"), text.includes("Failed"), text.includes("Pending")]).toEqual([true, true, false])
    expect(text).toContain("A &lt;b&gt;description")
  })

  it("name the missing requirement and its rule, and merge after the requirement is met", async () => {
    const at = await propose("two", "two.txt", "second\n")
    await forge.actAs("ann").repository["branch-protection"].create({
      params,
      body: { rule_name: "main", required_approvals: 1 }
    })
    const ann = await signedIn("ann")
    const blocked = await ann.go(at)
    expect(blocked.text).toContain("Approvals are missing.")
    expect(blocked.text).toContain("<code>main</code>)")
    expect(blocked.text).toMatch(/value="merge" disabled>/)
    const forced = await ann.fill(at, at, { do: "merge", style: "merge" })
    expect([forced.status, forced.text.includes("still requires: approvals")]).toEqual([409, true])
    const index = at.split("/").at(-1) ?? ""
    await forge.actAs("root").pull.review.create({ params: { ...params, index }, body: { event: "APPROVED" } })
    const ready = await ann.go(at)
    expect(ready.text).toContain("All requirements of the branch protection are met.")
    expect(ready.text).not.toMatch(/value="merge" disabled>/)
    expect((await ann.fill(at, at, { do: "merge", style: "squash" })).to).toBe(at)
    expect((await forge.actAs("ann").pull.read({ params: { ...params, index } })).merged).toBe(true)
    const merged = await ann.go(at)
    expect(merged.text).toContain("Merged by")
    expect(merged.text).not.toContain("Merge pull request")
    expect((await openBrowser(forge).go(at)).text).not.toContain('value="revert"')
    const made = await ann.fill(at, at, { do: "revert" })
    expect(made.to).toMatch(/^\/ann\/site\/pulls\/\d+$/)
    expect((await ann.go(made.to ?? "")).text).toContain("Revert &quot;")
    const again = await ann.fill(at, at, { do: "revert" })
    expect([again.status, /`revert-\d+-[0-9a-f]{10}` already exists/.test(again.text)]).toEqual([409, true])
  })

  it("add comments, close a pull request, and allow only users with write access to merge", async () => {
    const at = await propose("three", "three.txt", "third\n")
    const bob = await signedIn("bob")
    expect((await bob.fill(at, at, { do: "comment", body: "From bob" })).status).toBe(303)
    expect((await bob.go(at)).text).toContain("From bob")
    expect((await bob.fill(at, at, { do: "merge", style: "merge" })).status).toBe(403)
    const ann = await signedIn("ann")
    expect((await ann.fill(at, at, { do: "close" })).to).toBe(at)
    const closed = await ann.go(at)
    expect(closed.text).toContain("Reopen pull request")
    expect(closed.text).toContain("closed without a merge")
  })

  it("change the title, labels and milestone, and keep a closed milestone", async () => {
    const at = await propose("four", "four.txt", "fourth\n")
    const index = at.split("/").at(-1) ?? ""
    const api = forge.actAs("ann")
    const bug = await api.label.create({ params, body: { name: "bug", color: "#cc0000" } })
    const old = await api.milestone.create({ params, body: { title: "v0" } })
    const ann = await signedIn("ann")
    await ann.fill(at, at, { do: "milestone", milestone: String(old.id) })
    await api.milestone.edit({ params: { ...params, id: String(old.id) }, body: { state: "closed" } })
    expect((await ann.go(at)).text).toContain(`<option value="${old.id}" selected>v0</option>`)
    await ann.fill(at, at, { do: "labels", label: String(bug.id) })
    const edit = `${at}?edit=issue`
    expect((await ann.fill(edit, edit, { do: "edit", title: "Renamed", text: "See #1" })).to).toBe(at)
    const pull = await api.pull.read({ params: { ...params, index } })
    expect([pull.title, pull.labels.map(({ name }) => name), pull.milestone?.title]).toEqual(["Renamed", ["bug"], "v0"])
    expect((await openBrowser(forge).go(at)).text).toContain('<a href="/ann/site/pulls/1">#1</a>')
  })
})
