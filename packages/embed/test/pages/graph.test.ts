import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }
const at = "/ann/site/graph"

describe("the commit graph of a repository", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({
      body: { name: "site", private: true, auto_init: true, default_branch: "main" }
    })
    await ann.account.repository.create({ body: { name: "none" } })
    const write = (path: string, branch: string) =>
      ann.repository.contents.create({
        params: { ...params, "*": path },
        // The API takes base64, which the method's types do not state.
        body: { content: btoa(path) as never, message: `Add ${path} <b>`, branch }
      })
    await ann.repository.branch.create({ params, body: { new_branch_name: "topic" } })
    await write("side.txt", "topic")
    await write("main.txt", "main")
    const { number } = await ann.pull.create({ params, body: { title: "Join", head: "topic", base: "main" } })
    await ann.pull.merge({ params: { ...params, index: String(number) }, body: { Do: "merge" } })
    await ann.repository.branch.create({ params, body: { new_branch_name: "later" } })
    await write("later.txt", "later")
    await ann.repository.tag.create({ params, body: { tag_name: "v1", target: "main" } })
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }

  /** Returns the subject, the names of refs, and the counts of lines and parents of each row. */
  const rowsOf = (text: string) =>
    (/<ol class="rows graph-rows">(.*?)<\/ol>/s.exec(text)?.[1] ?? "")
      .split("<li>")
      .slice(1)
      .map((row) => ({
        subject: /commit\/[0-9a-f]{40}">([^<]*)</.exec(row)?.[1],
        refs: [...row.matchAll(/src\/(?:branch|tag)\/(\w+)"/g)].map(([, name]) => name),
        lane: Number(/<circle class="lane-(\d)"/.exec(row)?.[1]),
        lines: [...row.matchAll(/<path /g)].length,
        parents: /Parents: ([^<:]*)/.exec(row)?.[1]?.split(", ").length ?? 0
      }))

  it("shows the commits of all branches, each above its parents, with branches and tags", async () => {
    const { status, text } = await (await signedIn("ann")).go(at)
    expect(status).toBe(200)
    const rows = rowsOf(text)
    const [later, merge, one, other, first] = rows
    expect(rows.length).toBe(5)
    expect(later).toEqual({ subject: "Add later.txt &lt;b&gt;", refs: ["later"], lane: 0, lines: 1, parents: 1 })
    // The merge has one line from above, and one to each parent.
    expect([merge?.refs, merge?.lane, merge?.lines, merge?.parents]).toEqual([["main", "v1"], 0, 3, 2])
    expect(new Set([one?.subject, other?.subject])).toEqual(
      new Set(["Add main.txt &lt;b&gt;", "Add side.txt &lt;b&gt;"])
    )
    expect(new Set([one?.lane, other?.lane])).toEqual(new Set([0, 1]))
    // The second lane joins the first one above the first commit.
    expect([one?.lines, other?.lines, first?.lines, first?.parents]).toEqual([3, 3, 1, 0])
    expect((await (await signedIn("ann")).go(`${at}?page=2`)).text).toContain("No commits.")
  })

  it("is hidden from users who may not read the code, and empty without commits (I9)", async () => {
    const [bob, ann] = [await signedIn("bob"), await signedIn("ann", "de")]
    expect([(await bob.go(at)).status, (await bob.go("/ann/nowhere/graph")).status]).toEqual([404, 404])
    expect((await openBrowser(forge).go(at)).status).toBe(404)
    const none = await ann.go("/ann/none/graph")
    expect([none.status, none.text.includes("Commit-Graph")]).toEqual([200, true])
  })
})
