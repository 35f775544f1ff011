import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, writeFile } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }
const deploy = `name: Deploy <b>
run-name: "Ship [\${{ inputs.note }}\${{ inputs.level }}]"
on:
  workflow_dispatch:
    inputs:
      level: { type: choice, options: [low, high], default: low, description: "How loud <b>" }
      dry: { type: boolean, default: true }
      count: { type: number, required: true }
      place: { type: environment }
      note: { default: quiet }
jobs:
  build: { runs-on: linux, steps: [{ run: make }] }
`

describe("the pages of notifications, own issues, the wiki and workflows", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "site", auto_init: true, default_branch: "main" } })
    await ann.account.repository.create({ body: { name: "secret", private: true, auto_init: true } })
    await writeFile(forge, "site", ".gitea/workflows/deploy.yml", deploy)
    await ann.repository.environment.set({ params: { ...params, environment: "live" }, body: {} })
    await ann.issue.create({ params, body: { title: "For ann", assignees: ["ann"] } })
    await forge.actAs("bob").issue.create({ params, body: { title: "Hello @ann <b>", body: "cc @ann" } })
    await ann.issue.create({ params: { ...params, reponame: "secret" }, body: { title: "Hidden", body: "@bob" } })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }

  it("list the issues that involve the viewer, except issues that the viewer cannot read", async () => {
    expect((await openBrowser(forge).go("/issues")).to).toBe("/user/login?redirect_to=%2Fissues")
    const ann = await signedIn("ann")
    const assigned = await ann.go("/issues")
    expect([assigned.text.includes("For ann"), assigned.text.includes("Hello @ann")]).toEqual([true, false])
    expect((await ann.go("/issues?type=mentioned")).text).toContain("Hello @ann &lt;b&gt;")
    expect((await ann.go("/issues?state=closed")).text).toContain("No issue matches.")
    expect((await ann.go("/pulls")).text).toContain("No pull request matches.")
    const bob = await signedIn("bob")
    for (const path of ["/issues?type=mentioned", "/issues?type=created_by", "/notifications", "/pulls"])
      expect([path, (await bob.go(path)).text.includes("Hidden")]).toEqual([path, false])
    expect((await (await signedIn("bob", "de")).go("/pulls")).text).toContain("Ihre Pull-Requests")
  })

  it("show own and watched activity on the start page, without repositories that the viewer cannot read", async () => {
    await forge.actAs("bob").repository.subscription.add({ params })
    const bob = await (await signedIn("bob")).go("/")
    expect(bob.text).toContain("<h2>Latest activity</h2>")
    expect(bob.text).toContain('opened the issue <a href="/ann/site/issues/1">ann/site#1</a>')
    expect([bob.text.includes("Hidden"), bob.text.includes("ann/secret")]).toEqual([false, false])
    const ann = await (await signedIn("ann")).go("/")
    expect(ann.text).toContain('opened the issue <a href="/ann/secret/issues/1">ann/secret#1</a>')
    expect((await openBrowser(forge).go("/")).text).not.toContain("Latest activity")
  })

  it("list the milestones of the viewer's repositories by due date, without those of other users", async () => {
    const [ann, bob] = [forge.actAs("ann"), forge.actAs("bob")]
    await bob.account.repository.create({ body: { name: "tool" } })
    await bob.milestone.create({ params: { username: "bob", reponame: "tool" }, body: { title: "Of bob" } })
    await ann.milestone.create({ params, body: { title: "Some day" } })
    await ann.milestone.create({ params, body: { title: "Next <b>", due_on: "2030-12-31T00:00:00Z" } })
    await ann.milestone.create({ params, body: { title: "Done", state: "closed" } })
    expect((await openBrowser(forge).go("/milestones")).to).toBe("/user/login?redirect_to=%2Fmilestones")
    const browser = await signedIn("ann")
    const titles = async (path: string) =>
      [...(await browser.go(path)).text.matchAll(/milestones=([\w+%]+)&amp;state=all"/g)].map(([, title]) => title)
    expect(await titles("/milestones")).toEqual(["Next+%3Cb%3E", "Some+day"])
    expect(await titles("/milestones?state=closed")).toEqual(["Done"])
    expect((await browser.go("/milestones")).text).toContain('<a href="/ann/site/milestones">ann/site</a>')
    expect((await (await signedIn("bob", "de")).go("/milestones?state=closed")).text).toContain("Keine Meilensteine.")
  })

  it("show notifications, and mark them as pinned, read or unread", async () => {
    const ann = await signedIn("ann")
    // A job of the background worker adds notifications.
    await expect
      .poll(async () => (await ann.go("/notifications")).text, { timeout: 30_000 })
      .toContain('href="/ann/site/issues/2')
    expect((await ann.post("/notifications", { do: "read", id: "1" })).status).toBe(403)
    expect((await ann.fill("/notifications", "/notifications", { do: "pinned" })).to).toBe("/notifications")
    expect((await ann.go("/notifications")).text).toContain("Pinned")
    await ann.fill("/notifications", "/notifications", { do: "read" })
    expect((await ann.go("/notifications")).text).toContain("No notifications here.")
    const read = await ann.go("/notifications?q=read")
    expect(read.text).toContain("Hello @ann &lt;b&gt;")
    expect((await ann.fill("/notifications?q=read", "/notifications?q=read", { do: "unread" })).to).toBe(
      "/notifications?q=read"
    )
    await ann.fill("/notifications", "/notifications?do=all", {})
    expect((await ann.go("/notifications")).text).toContain("No notifications here.")
  })

  it("create, show, change and delete wiki pages for users with write access", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/wiki"
    expect((await openBrowser(forge).go(at)).text).toContain("This wiki has no pages.")
    expect((await openBrowser(forge).go(`${at}?action=_new`)).text).not.toContain("Save changes")
    const create = `${at}?action=_new`
    const wrong = await ann.fill(create, create, { do: "save", title: " ", content: "kept <b>" })
    expect([wrong.status, wrong.text.includes('id="error-title">must not be empty')]).toEqual([422, true])
    expect(wrong.text).toContain("kept &lt;b&gt;</textarea>")
    const text = "# Hi\r\n\r\n<script>alert(1)</script>[[Other]]"
    expect((await ann.fill(create, create, { do: "save", title: "Home", content: text })).to).toBe(`${at}/Home`)
    const home = await openBrowser(forge).go(`${at}/Home`)
    expect([home.status, home.text.includes("<script>alert"), home.text.includes('aria-label="Repository"')]).toEqual([
      200,
      false,
      true
    ])
    expect((await openBrowser(forge).go(at)).to).toBe(`${at}/Home`)
    const edit = `${at}/Home?action=_edit`
    expect((await ann.fill(edit, edit, { do: "save", title: "Home", content: "New **text**" })).to).toBe(`${at}/Home`)
    expect((await ann.go(`${at}/Home`)).text).toContain("New <strong>text</strong>")
    expect((await ann.go(`${at}/Home?action=_revision`)).text.match(/<code>[0-9a-f]{10}<\/code>/g)?.length).toBe(2)
    const bob = await signedIn("bob")
    const form = /name="form" value="(\w+)"/.exec((await bob.go(`${at}/Home`)).text)?.[1] ?? ""
    const sent = await bob.post(edit, { form, do: "save", title: "Home", content: "x" })
    expect(sent.status).toBe(403)
    await ann.fill(edit, edit, { do: "delete" })
    expect((await ann.go(`${at}/Home`)).status).toBe(404)
  })

  it("list workflows, start a workflow, and cancel and rerun its run", async () => {
    const ann = await signedIn("ann")
    const list = await ann.go("/ann/site/actions")
    expect([list.status, list.text.includes("Deploy &lt;b&gt;")]).toEqual([200, true])
    const at = "/ann/site/actions?workflow=deploy.yml"
    expect((await ann.go(at)).text).toContain("Run workflow")
    const form = (await ann.go(at)).text
    expect(form).toMatch(
      /<select id="field-input-0"[^>]*>\s*<option value="">No value<\/option><option value="low" selected>low<\/option><option value="high">/
    )
    expect(form).toContain("How loud &lt;b&gt;")
    expect(form).toMatch(/<input type="checkbox" id="field-input-1" name="input-1" value="on" checked/)
    expect(form).toMatch(/<input id="field-input-2" name="input-2" type="number"/)
    expect(form).toMatch(
      /<select id="field-input-3"[^>]*>\s*<option value="" selected>No value<\/option><option value="live">live/
    )
    const wrong = await ann.fill(at, at, { do: "dispatch", ref: "main", "input-0": "high", "input-2": "x" })
    expect([wrong.status, wrong.text.includes('id="error-input-2">must be a number')]).toEqual([422, true])
    expect(wrong.text).toContain('<option value="high" selected>')
    const empty = await ann.fill(at, at, { do: "dispatch", ref: "main" })
    expect([empty.status, empty.text.includes('id="error-input-2">must not be empty')]).toEqual([422, true])
    const outside = await ann.fill(at, at, { do: "dispatch", ref: "main", "input-0": "other", "input-2": "1" })
    expect([outside.status, outside.text.includes("`level` is not a declared input")]).toEqual([422, true])
    const missing = await ann.fill(at, at, { do: "dispatch", ref: "nope", "input-2": "1" })
    expect([missing.status, missing.text.includes('value="nope"')]).toEqual([422, true])
    const given = { "input-0": "high", "input-2": "3", "input-3": "live" }
    expect((await ann.fill(at, at, { do: "dispatch", ref: "main", ...given })).to).toBe(at)
    const [run] = await forge.actAs("ann").repository.actions.run.list({ params })
    // A cleared field replaces the default.
    expect([form.includes('name="input-4" type="text" value="quiet"'), run?.display_title]).toEqual([
      true,
      "Ship [high]"
    ])
    const path = `/ann/site/actions/runs/${run?.id}`
    expect((await ann.go(at)).text).toContain(`href="${path}"`)
    // A cleared choice replaces the default too.
    await ann.fill(at, at, { do: "dispatch", ref: "main", "input-0": "", "input-2": "3" })
    const [cleared] = await forge.actAs("ann").repository.actions.run.list({ params })
    expect(cleared?.display_title).toBe("Ship []")
    const shown = await ann.go(path)
    expect([shown.text.includes("build"), shown.text.includes(">Cancel</button>")]).toEqual([true, true])
    const [, job = ""] = /actions\/runs\/\d+\/jobs\/(\d+)"/.exec(shown.text) ?? []
    expect((await ann.go(`${path}/jobs/${job}`)).text).toContain("The job has no log yet.")
    await ann.fill(path, path, { do: "cancel" })
    const canceled = await ann.go(path)
    expect([canceled.text.includes("Cancelled"), canceled.text.includes(">Rerun</button>")]).toEqual([true, true])
    await ann.fill(path, path, { do: "rerun" })
    expect((await ann.go(path)).text).toContain("Attempt 2")
    expect((await ann.go("/ann/site/actions?status=success")).text).toContain("No runs match.")
  })

  it("show the inputs of a branch, and start its workflow with them", async () => {
    const ann = await signedIn("ann")
    const file = { ...params, "*": ".gitea/workflows/deploy.yml" }
    const { sha } = (await forge.actAs("ann").repository.contents.read({ params: file })) as { readonly sha: string }
    const content = Buffer.from(deploy.replace("count: { type: number", "size: { type: string")).toString("base64")
    await forge.actAs("ann").repository.contents.edit({
      params: file,
      body: { branch: "main", new_branch: "topic", sha, content: content as never }
    })
    const page = "/ann/site/actions?workflow=deploy.yml"
    const given = { "input-0": "high", "input-2": "big", "input-4": "loud" }
    const other = await ann.fill(page, page, { do: "dispatch", ref: "topic", ...given })
    expect([other.status, other.text.includes("has other inputs")]).toEqual([422, true])
    const missing = await ann.fill(page, page, { do: "inputs", ref: "nope" })
    expect([missing.status, missing.text.includes("must be a branch or tag of this repository")]).toEqual([422, true])
    const shown = (await ann.fill(page, page, { do: "inputs", ref: "topic" })).to ?? ""
    expect(shown).toBe(`${page}&ref=topic`)
    expect((await ann.go(shown)).text).toMatch(/<input id="field-input-2" name="input-2" type="text"/)
    expect((await ann.fill(shown, shown, { do: "dispatch", ref: "topic", ...given })).to).toBe(shown)
    const [run] = await forge.actAs("ann").repository.actions.run.list({ params })
    expect([run?.head_branch, run?.display_title]).toEqual(["topic", "Ship [loudhigh]"])
  })

  it("show runs to readers, and reject requests of readers to start or cancel a run", async () => {
    const [run] = await forge.actAs("ann").repository.actions.run.list({ params })
    const path = `/ann/site/actions/runs/${run?.id}`
    const bob = await signedIn("bob")
    expect((await bob.go("/ann/site/actions?workflow=deploy.yml")).text).not.toContain("Run workflow")
    const { status, text } = await openBrowser(forge).go(path)
    expect([status, /Cancel|Rerun/.test(text)]).toEqual([200, false])
    const form = /name="form" value="(\w+)"/.exec((await bob.go(path)).text)?.[1] ?? ""
    expect((await bob.post(path, { form, do: "cancel" })).status).toBe(403)
    const at = "/ann/site/actions?workflow=deploy.yml"
    expect((await bob.post(at, { form, do: "dispatch", ref: "main", "input-2": "1" })).status).toBe(403)
    expect((await openBrowser(forge).go("/ann/site/actions")).to).toContain("/user/login?redirect_to=")
  })

  it("disable and enable a workflow", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/actions?workflow=deploy.yml"
    await ann.fill(at, at, { do: "disable" })
    const off = await ann.go(at)
    expect([off.text.includes("Disabled"), off.text.includes("Run workflow")]).toEqual([true, false])
    await ann.fill(at, at, { do: "enable" })
    expect((await ann.go(at)).text).toContain("Run workflow")
  })

  it("answer with the same status for hidden and missing repositories (I9)", async () => {
    const bob = await signedIn("bob")
    for (const repository of ["secret", "nowhere"])
      for (const path of [
        "actions",
        "actions/runs/1",
        "actions/runs/1/jobs/1",
        "wiki",
        "wiki/Home",
        "wiki/Home?action=_edit"
      ])
        expect([path, (await bob.go(`/ann/${repository}/${path}`)).status]).toEqual([path, 404])
    expect((await bob.go("/ann/site/actions/runs/999")).status).toBe(404)
    expect((await bob.go("/ann/site/actions/runs/x")).status).toBe(404)
  })
})
