import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

const params = { username: "acme", reponame: "site" }
const base = "/acme/site"
const issue = `${base}/issues/1`
const pull = `${base}/pulls/2`

/** The actions that pages offer, each with a page and a text by which its button or link is recognized. */
const offers = {
  labels: [issue, 'name="do" value="labels"'],
  assignees: [issue, 'name="do" value="assignees"'],
  milestone: [issue, 'name="do" value="milestone"'],
  due: [issue, 'name="do" value="due"'],
  close: [issue, 'name="do" value="close"'],
  comment: [issue, 'name="do" value="comment"'],
  editComment: [issue, 'href="/acme/site/issues/1?edit=1#edit"'],
  pin: [issue, `action="${issue}?do=pin"`],
  openIssue: [`${base}/issues`, `href="${base}/issues/new"`],
  openPull: [`${base}/pulls`, `href="${base}/compare"`],
  newLabel: [`${base}/labels`, 'id="new"'],
  newFile: [base, `href="${base}/_new/main"`],
  editFile: [`${base}/src/branch/main/README.md`, `href="${base}/_edit/main/README.md"`],
  wikiPage: [`${base}/wiki/Home`, `href="${base}/wiki/Home?action=_edit"`],
  merge: [pull, 'name="do" value="merge"'],
  closePull: [pull, 'name="do" value="close"'],
  review: [`${pull}/files`, 'name="do" value="submit"'],
  settings: [base, `href="${base}/settings"`],
  fork: [base, `href="${base}/fork"`]
} as const

describe("the actions that pages offer", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    for (const username of ["sorter", "coder", "reader"])
      await forge.actAs("root").admin.user.create({
        body: { username, email: `${username}@example.com`, password, must_change_password: false }
      })
    const ann = forge.actAs("ann")
    await ann.organization.create({ body: { username: "acme" } })
    await ann.organization.repository.create({
      params: { org: "acme" },
      body: { name: "site", auto_init: true, default_branch: "main" }
    })
    const hire = async (username: string, units_map: Readonly<Record<string, string>>) => {
      const { id } = await ann.organization.team.create({
        params: { org: "acme" },
        body: { name: `${username}s`, units_map }
      })
      await ann.team.member.add({ params: { id: String(id), username } })
      await ann.team.repository.add({ params: { id: String(id), org: "acme", repo: "site" } })
    }
    await hire("sorter", { "repo.issues": "write", "repo.code": "read", "repo.pulls": "read", "repo.wiki": "write" })
    await hire("coder", { "repo.issues": "read", "repo.code": "write", "repo.pulls": "read", "repo.wiki": "read" })
    await ann.issue.create({ params, body: { title: "First" } })
    // The API takes base64, which the methods' types do not state.
    const base64 = (text: string) => btoa(text) as never
    await ann.repository.wiki.page.create({ params, body: { title: "Home", content_base64: base64("Welcome") } })
    await ann.repository.branch.create({ params, body: { new_branch_name: "topic" } })
    await ann.repository.contents.create({
      params: { ...params, "*": "a.txt" },
      body: { content: base64("a\n"), message: "Add a.txt", branch: "topic" }
    })
    await ann.pull.create({ params, body: { title: "Add a.txt", head: "topic", base: "main" } })
    await ann.issue.comment.create({ params: { ...params, index: "1" }, body: { body: "By ann" } })
  })
  afterAll(() => forge.dispose())

  /** Returns the names of the actions that the pages offer to a user, or to an anonymous visitor. */
  const offered = async (name?: string) => {
    const browser = openBrowser(forge)
    if (name !== undefined) await browser.signIn(name)
    const paths = [...new Set(Object.values(offers).map(([path]) => path))]
    const pages = new Map<string, string>()
    for (const path of paths) {
      const { status, text } = await browser.go(path)
      expect([path, status]).toEqual([path, 200])
      pages.set(path, text)
    }
    return Object.entries(offers).flatMap(([key, [path, text]]) => (pages.get(path)?.includes(text) ? [key] : []))
  }

  it("depend on the access to the unit that each action changes", async () => {
    expect(await offered("ann")).toEqual(Object.keys(offers))
    expect(await offered("sorter")).toEqual([
      "labels",
      "assignees",
      "milestone",
      "due",
      "close",
      "comment",
      "editComment",
      "openIssue",
      "openPull",
      "newLabel",
      "wikiPage",
      "review",
      "fork"
    ])
    expect(await offered("coder")).toEqual([
      "comment",
      "openIssue",
      "openPull",
      "newFile",
      "editFile",
      "merge",
      "review",
      "fork"
    ])
    expect(await offered("reader")).toEqual(["comment", "openIssue", "openPull", "review", "fork"])
    // These lead to the sign-in page.
    expect(await offered()).toEqual(["openIssue", "openPull", "fork"])
  })

  it("include no change of an archived repository, even for users with write access", async () => {
    await forge.actAs("ann").repository.edit({ params, body: { archived: true } })
    expect(await offered("ann")).toEqual(["settings", "fork"])
    expect(await offered("sorter")).toEqual(["fork"])
    expect(await offered("coder")).toEqual(["fork"])
    expect(await offered()).toEqual(["fork"])
  })
})
