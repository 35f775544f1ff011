import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }
const at = "/ann/site/pulls/1"
const files = `${at}/files`
const line2 = `${files}?path=a.txt&line=R2`

describe("the pages of reviews", () => {
  let forge: Forge
  const write = (path: string, text: string, more: object = {}) =>
    forge.actAs("ann").repository.contents.create({
      params: { ...params, "*": path },
      body: { content: Buffer.from(text).toString("base64") as never, message: `Add ${path}`, ...more }
    })
  beforeAll(async () => {
    forge = await makeSite()
    for (const username of ["bob", "cy"])
      await forge.actAs("root").admin.user.create({
        body: { username, email: `${username}@example.com`, password, must_change_password: false }
      })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "site", auto_init: true, default_branch: "main" } })
    await ann.account.repository.create({ body: { name: "secret", private: true, auto_init: true } })
    await ann.repository.branch.create({ params, body: { new_branch_name: "topic" } })
    await write("a.txt", "one\ntwo\nthree\n", { branch: "topic" })
    await write("main.txt", "main\n")
    await ann.pull.create({ params, body: { title: "Add a", head: "topic", base: "main" } })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }

  it("open a comment form for a line by a link, but only for signed-in users", async () => {
    const anonymous = await openBrowser(forge).go(line2)
    expect([
      anonymous.status,
      anonymous.text.includes("Comment on line"),
      anonymous.text.includes("Start review")
    ]).toEqual([200, false, false])
    const bob = await signedIn("bob")
    const { text } = await bob.go(files)
    expect(text).toContain('href="/ann/site/pulls/1/files?path=a.txt&amp;line=R2#comment-form">')
    expect(text).not.toContain('id="comment-form"')
    expect((await bob.go(line2)).text).toContain('id="comment-form"')
    expect((await (await signedIn("bob", "de")).go(files)).text).toContain("Review absenden")
  })

  it("keep a review pending until its author submits it, and show its text only to the author", async () => {
    const bob = await signedIn("bob")
    const to = "/ann/site/pulls/1/files?path=a.txt&amp;line=R2"
    const fill = async (fields: Record<string, string>) => {
      const { text } = await bob.go(line2)
      const form = text.split(/<form /).find((each) => each.includes(`action="${to}"`)) ?? ""
      const hidden = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
        ([, name = "", value = ""]) => [name, value] as const
      )
      return bob.post(line2, { ...Object.fromEntries(hidden), ...fields })
    }
    const empty = await fill({ do: "start", body: " " })
    expect([empty.status, empty.text.includes('id="error-body">must not be empty</p>')]).toEqual([422, true])
    expect((await fill({ do: "start", body: "Better:\n```suggestion\n2 <b>\n```" })).to).toBe(files)
    const pending = await bob.go(files)
    expect(pending.text).toContain("Pending")
    expect(pending.text).toContain("Your review has 1 pending comment.")
    expect((await fill({ do: "single", body: "also pending" })).to).toBe(files)
    expect((await bob.go(files)).text).toContain("Your review has 2 pending comments.")
    for (const reader of [await signedIn("ann"), openBrowser(forge)])
      expect((await reader.go(files)).text).not.toContain("also pending")
    const action = `${files}#review`
    const rejected = await bob.fill(files, action, { do: "reject", summary: "Not <script>yet</script>" })
    expect(rejected.to).toBe(at)
    const shown = await openBrowser(forge).go(at)
    expect(shown.text).toContain("requested changes")
    expect(shown.text).toContain("also pending")
    expect(shown.text).not.toContain("<script>yet")
    const [review] = await forge.actAs("ann").pull.review.list({ params: { ...params, index: "1" } })
    expect([review?.state, review?.comments_count]).toEqual(["REQUEST_CHANGES", 2])
  })

  it("reply to and resolve a conversation only if the forge allows the action", async () => {
    const comments = () => forge.actAs("ann").pull.comment.list({ params: { ...params, index: "1" } })
    const [first] = await comments()
    const id = String(first?.id)
    const cy = await signedIn("cy")
    expect((await cy.go(files)).text).not.toContain("Resolve conversation")
    const csrf = /name="form" value="(\w+)"/.exec((await cy.go(files)).text)?.[1] ?? ""
    expect((await cy.post(files, { form: csrf, do: "resolve", id })).status).toBe(403)
    expect((await cy.post(files, { do: "reply", id, body: "x" })).status).toBe(403)
    const reply = await cy.fill(`${files}?reply=${id}`, `${files}?reply=${id}`, { do: "reply", body: "An answer" })
    expect(reply.to).toMatch(/\/files#pullcomment-\d+$/)
    const ann = await signedIn("ann")
    expect((await ann.go(at)).text).toContain("Resolve conversation")
    expect((await ann.go(at)).text).toContain("An answer")
    expect((await ann.fill(at, at, { do: "resolve", id })).to).toBe(`${at}#pullcomment-${id}`)
    expect((await comments())[0]?.resolver?.login).toBe("ann")
    expect((await ann.go(at)).text).toContain("Resolved by ann")
    await ann.fill(at, at, { do: "unresolve", id })
    expect((await comments())[0]?.resolver).toBeNull()
  })

  it("apply a suggestion as a commit on the head branch", async () => {
    const [first] = await forge.actAs("ann").pull.comment.list({ params: { ...params, index: "1" } })
    const id = String(first?.id)
    expect((await (await signedIn("cy")).go(files)).text).not.toContain("Apply suggestion")
    const ann = await signedIn("ann")
    expect((await ann.go(files)).text).toContain("Apply suggestion")
    expect((await ann.fill(files, files, { do: "apply", id })).to).toBe(files)
    const file = await forge.actAs("ann").repository.contents.read({
      params: { ...params, "*": "a.txt" },
      query: { ref: "topic" }
    })
    const { content } = file as { readonly content: string }
    expect(Buffer.from(content, "base64").toString()).toBe("one\n2 <b>\nthree\n")
    const again = await ann.fill(files, files, { do: "apply", id })
    expect([again.status, again.text.includes("The suggestion no longer fits")]).toEqual([409, true])
  })

  it("approve a pull request, except one that the reviewer opened", async () => {
    const ann = await signedIn("ann")
    const own = await ann.go(files)
    expect(own.text).toContain("You opened this pull request")
    expect(own.text).not.toContain('value="approve"')
    const csrf = /name="form" value="(\w+)"/.exec(own.text)?.[1] ?? ""
    expect((await ann.post(files, { form: csrf, do: "approve", summary: "" })).status).toBe(422)
    const cy = await signedIn("cy")
    const empty = await cy.fill(files, `${files}#review`, { do: "submit", summary: " " })
    expect([empty.status, empty.text.includes('id="error-summary">must not be empty</p>')]).toEqual([422, true])
    expect((await cy.fill(files, `${files}#review`, { do: "approve", summary: "" })).to).toBe(at)
    expect((await cy.go(at)).text).toContain("approved these changes")
  })

  it("begin a review without a comment, and discard the review", async () => {
    const cy = await signedIn("cy")
    expect((await cy.fill(files, `${files}#review`, { do: "begin", summary: "draft text" })).to).toBe(files)
    expect((await cy.go(files)).text).toContain("draft text</textarea>")
    await cy.fill(files, `${files}#review`, { do: "discard" })
    expect((await cy.go(files)).text).not.toContain("draft text")
  })

  it("update the head branch from the base branch", async () => {
    const cy = await signedIn("cy")
    expect((await cy.go(at)).text).not.toContain("Update branch")
    const ann = await signedIn("ann")
    expect((await ann.go(at)).text).toContain("Update branch")
    expect((await ann.fill(at, at, { do: "update" })).to).toBe(at)
    expect((await ann.go(at)).text).not.toContain("Update branch")
    expect((await ann.go(`${at}/commits`)).text).toContain("Apply suggestion to a.txt")
  })

  it("answer with the same status for hidden and missing repositories (I9)", async () => {
    const bob = await signedIn("bob")
    for (const path of [
      "secret/pulls/1/files",
      "nowhere/pulls/1/files",
      "secret/pulls/1/commits",
      "site/pulls/9/commits"
    ])
      expect([path, (await bob.go(`/ann/${path}`)).status]).toEqual([path, 404])
  })
})
