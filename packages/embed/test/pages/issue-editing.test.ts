import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, uploadOf, writeFile } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }
const at = "/ann/site/issues/1"
const one = { ...params, index: "1" }

describe("the forms that change issues", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "site", auto_init: true, default_branch: "main" } })
    await ann.label.create({ params, body: { name: "bug", color: "#cc0000" } })
    await ann.milestone.create({ params, body: { title: "v1" } })
    await ann.issue.create({ params, body: { title: "First", body: "Text" } })
    await ann.issue.create({ params, body: { title: "Second" } })
    await forge.actAs("bob").issue.comment.create({ params: one, body: { body: "By bob" } })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }
  const issue = () => forge.actAs("ann").issue.read({ params: one })
  const csrfOf = (text: string) => /name="form" value="(\w+)"/.exec(text)?.[1] ?? ""

  it("are shown only to users who may use them, in the language of the user", async () => {
    expect((await openBrowser(forge).go(at)).text).not.toMatch(/Edit labels|Lock conversation|Subscribe/)
    const bob = await (await signedIn("bob")).go(at)
    expect([
      bob.text.includes("Edit labels"),
      bob.text.includes("Unsubscribe"),
      bob.text.includes("Edit comment")
    ]).toEqual([false, true, true])
    expect((await (await signedIn("ann", "de")).go(at)).text).toContain("Labels bearbeiten")
  })

  it("change labels, assignees, milestone and due date", async () => {
    const ann = await signedIn("ann")
    const [label] = await forge.actAs("ann").label.list({ params })
    const [milestone] = await forge.actAs("ann").milestone.list({ params })
    expect((await ann.fill(at, at, { do: "labels", label: String(label?.id) })).to).toBe(at)
    await ann.fill(at, at, { do: "assignees", assignee: "ann" })
    await ann.fill(at, at, { do: "milestone", milestone: String(milestone?.id) })
    const wrong = await ann.fill(at, at, { do: "due", due: "soon" })
    expect([wrong.status, wrong.text.includes('id="error-due">must be a date')]).toEqual([422, true])
    expect(wrong.text).toContain('value="soon"')
    await ann.fill(at, at, { do: "due", due: "2030-12-31" })
    const set = await issue()
    expect([set.labels.map(({ name }) => name), set.assignees?.map(({ login }) => login)]).toEqual([["bug"], ["ann"]])
    expect([set.milestone?.title, set.due_date?.slice(0, 10)]).toEqual(["v1", "2030-12-31"])
    await ann.fill(at, at, { do: "labels" })
    await ann.fill(at, at, { do: "assignees" })
    await ann.fill(at, at, { do: "milestone", milestone: "0" })
    await ann.fill(at, at, { do: "due", due: "" })
    const unset = await issue()
    expect([unset.labels, unset.assignees, unset.milestone, unset.due_date]).toEqual([[], null, null, null])
  })

  it("reject changes that the forge does not allow", async () => {
    const bob = await signedIn("bob")
    const form = csrfOf((await bob.go(at)).text)
    for (const does of ["labels", "lock", "pin", "milestone", "due", "edit"]) {
      const fields = { form, do: does, title: "x", label: "1", version: "0" }
      expect([does, (await bob.post(at, fields)).status]).toEqual([does, 403])
    }
    expect((await bob.post(at, { do: "subscribe" })).status).toBe(403)
    expect((await issue()).title).toBe("First")
  })

  it("change the title and description, and keep the typed text of an edit that conflicts with another", async () => {
    const ann = await signedIn("ann")
    const edit = `${at}?edit=issue`
    const empty = await ann.fill(edit, edit, { do: "edit", title: " ", text: "kept <b>" })
    expect([empty.status, empty.text.includes('id="error-title">must not be empty')]).toEqual([422, true])
    expect(empty.text).toContain("kept &lt;b&gt;</textarea>")
    expect((await ann.fill(edit, edit, { do: "edit", title: "First <i>", text: "New" })).to).toBe(at)
    expect([(await issue()).title, (await issue()).body]).toEqual(["First <i>", "New"])
    const late = await ann.fill(edit, edit, { do: "edit", title: "Late", text: "late text", version: "0" })
    expect([late.status, late.text.includes("late text</textarea>")]).toEqual([409, true])
  })

  it("change and delete comments of the viewer", async () => {
    const [comment] = await forge.actAs("ann").issue.comment.list({ params: one })
    const id = String(comment?.id)
    const bob = await signedIn("bob")
    const edit = `${at}?edit=${id}`
    expect((await bob.go(edit)).text).toContain("By bob</textarea>")
    const sent = await bob.fill(edit, edit, { do: "edit-comment", text: "Changed" })
    expect(sent.to).toBe(`${at}#issuecomment-${id}`)
    expect((await bob.go(at)).text).toContain("<p>Changed</p>")
    const own = await forge.actAs("ann").issue.comment.create({ params: one, body: { body: "By ann" } })
    const form = csrfOf((await bob.go(at)).text)
    const fields = { form, do: "delete-comment", id: String(own.id) }
    expect((await bob.post(at, fields)).status).toBe(403)
    await bob.fill(edit, edit, { do: "delete-comment", id })
    expect((await bob.go(at)).text).not.toContain("Changed")
  })

  it("add reactions, subscribe, lock and pin, and undo each of these changes", async () => {
    const ann = await signedIn("ann")
    await ann.fill(at, at, { comment: "0", do: "react heart" })
    expect((await ann.go(at)).text).toContain('aria-pressed="true"><span class="hidden-text">heart</span>❤️ 1')
    expect((await openBrowser(forge).go(at)).text).toContain('title="heart">❤️ 1')
    await ann.fill(at, at, { do: "unreact heart" })
    expect((await forge.actAs("ann").issue.reaction.list({ params: one })).length).toBe(0)
    const { id } = await forge.actAs("ann").issue.comment.create({ params: one, body: { body: "A comment" } })
    const react = { comment: String(id), do: "react rocket" }
    expect((await ann.fill(at, at, react)).to).toBe(`${at}#issuecomment-${id}`)
    const pressed = 'aria-pressed="true"><span class="hidden-text">rocket</span>🚀 1'
    expect((await ann.go(at)).text).toContain(pressed)
    const visitor = (await openBrowser(forge).go(at)).text
    expect([visitor.includes('title="rocket">🚀 1'), visitor.includes("reactions")]).toEqual([true, false])
    await ann.fill(at, at, { ...react, do: "unreact rocket" })
    expect((await ann.go(at)).text).not.toContain(pressed)
    const press = (does: string) => ann.fill(at, `${at}?do=${does}`, {})
    const bob = await signedIn("bob")
    await bob.fill(at, `${at}?do=unsubscribe`, {})
    expect((await bob.go(at)).text).toContain(`action="${at}?do=subscribe"`)
    await press("pin")
    expect((await issue()).pin_order).toBe(1)
    await press("unpin")
    await ann.fill(at, at, { do: "lock", reason: "spam" })
    expect((await issue()).is_locked).toBe(true)
    expect((await bob.go(at)).text).toContain("This conversation is locked")
    await press("unlock")
    expect([(await issue()).pin_order, (await issue()).is_locked]).toEqual([0, false])
  })

  it("add dependencies and tracked times, and show errors at the invalid field", async () => {
    const ann = await signedIn("ann")
    const wrong = await ann.fill(at, at, { do: "add-dependency", dependency: "#99" })
    expect([wrong.status, wrong.text.includes('id="error-dependency">must be a number')]).toEqual([422, true])
    await ann.fill(at, at, { do: "add-dependency", dependency: "#2" })
    expect((await ann.go(at)).text).toContain('aria-label="Remove #2"')
    expect((await ann.go("/ann/site/issues/2")).text).toContain("Blocks")
    await ann.fill(at, at, { do: "remove-dependency", dependency: "ann/site#2" })
    expect((await forge.actAs("ann").issue.dependency.list({ params: one })).length).toBe(0)
    const time = await ann.fill(at, at, { do: "add-time", time: "soon" })
    expect(time.text).toContain('id="error-time">must be hours and minutes')
    await ann.fill(at, at, { do: "add-time", time: "1h 30m" })
    expect((await ann.go(at)).text).toContain("1 h 30 min")
    await ann.fill(at, at, { do: "start-timer" })
    expect((await ann.go(at)).text).toContain("Stop timer")
    await ann.fill(at, at, { do: "cancel-timer" })
    expect((await ann.go(at)).text).toContain("Start timer")
  })

  it("attach files to a comment and to a new issue", async () => {
    const bob = await signedIn("bob")
    const upload = async (path: string, fields: Record<string, string>, file: File) => {
      const body = new FormData()
      body.set("form", csrfOf((await bob.go(path)).text))
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      body.append("files", file)
      return forge.handler(await uploadOf(path, body, bob.cookies))
    }
    const sent = await upload(at, { do: "comment", body: "See" }, new File(["hello"], "a.txt", { type: "text/plain" }))
    expect([sent.status, sent.headers.get("location")]).toEqual([303, expect.stringContaining("#issuecomment-")])
    const [, path = ""] =
      /href="https:\/\/forge\.example(\/attachments\/[\w-]+)"[^>]*>a\.txt/.exec((await bob.go(at)).text) ?? []
    expect((await bob.go(path)).text).toBe("hello")
    const made = await upload("/ann/site/issues/new", { title: "With file" }, new File(["<b>"], "b.html"))
    const { text } = await bob.go(made.headers.get("location") ?? "")
    expect([text.includes("With file"), text.includes(">b.html</a>")]).toEqual([true, true])
    const foreign = await forge.handler(await uploadOf("/user/login", new FormData()))
    expect(foreign.status).toBe(415)
    const body = new FormData()
    body.append("files", new File([new Uint8Array(2 * 1024 * 1024)], "large.bin"))
    expect((await forge.handler(await uploadOf(at, body))).status).toBe(413)
  })

  it("link only references to resources that the reader may see", async () => {
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "secret", private: true } })
    await ann.issue.create({ params: { ...params, reponame: "secret" }, body: { title: "Hidden" } })
    const body = "See #2 and #999, ann/secret#1, @bob and @nobody\n\n- [x] done <b>"
    await ann.issue.comment.create({ params: one, body: { body } })
    const { text } = await openBrowser(forge).go(at)
    expect(text).toContain('<a href="/ann/site/issues/2">#2</a>')
    expect(text).not.toContain('href="/ann/site/issues/999"')
    expect(text).not.toContain('href="/ann/secret')
    expect(text).toContain('aria-label="done"')
    const reader = await (await signedIn("ann")).go(at)
    expect(reader.text).toContain('<a href="/ann/secret/issues/1">ann/secret#1</a>')
    expect(reader.text).toContain('<a href="/bob">@bob</a>')
    expect(reader.text).not.toContain('href="/nobody"')
  })

  it("offer the issue templates of a repository, and build the description from the form fields", async () => {
    await writeFile(
      forge,
      "site",
      ".gitea/ISSUE_TEMPLATE/bug.yaml",
      `name: Bug <b>
about: Something is broken
title: "[Bug] "
labels: [bug]
body:
  - type: input
    id: version
    attributes: { label: Version }
    validations: { required: true }
  - type: checkboxes
    attributes: { label: Checked, options: [{ label: Logs }, { label: Search }] }
`
    )
    const ann = await signedIn("ann")
    const list = await ann.go("/ann/site/issues/new")
    expect(list.text).toContain("Bug &lt;b&gt;")
    expect(list.text).toContain("Open a blank issue")
    const to = "/ann/site/issues/new?template=bug.yaml"
    const [, address = ""] = /href="(\/ann\/site\/issues\/new\?template=[^"]*bug\.yaml)"/.exec(list.text) ?? []
    const form = await ann.go(address)
    expect(form.text).toContain('value="[Bug] "')
    const rejected = await ann.fill(address, address, { title: "[Bug] x", "template-version": " " })
    expect([rejected.status, rejected.text.includes('id="error-template-version">must not be empty')]).toEqual([
      422,
      true
    ])
    const made = await ann.fill(address, address, { title: "[Bug] x", "template-version": "1.2", "template-1": "1" })
    expect(made.to).toMatch(/^\/ann\/site\/issues\/\d+$/)
    const index = made.to?.split("/").at(-1) ?? ""
    const { body } = await forge.actAs("ann").issue.read({ params: { ...params, index } })
    expect(body).toBe("### Version\n\n1.2\n\n### Checked\n\n- [ ] Logs\n- [x] Search")
    expect((await ann.go(`${to}x`)).status).toBe(404)
  })
})
