import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, writeFile } from "./support/site.ts"

const hostile = `"><script>alert(1)</script>'&`

describe("the pages of code", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    const ann = forge.actAs("ann")
    await ann.account.repository.create({
      body: { name: "site", description: `About ${hostile}`, auto_init: true, default_branch: "main" }
    })
    await ann.account.repository.create({ body: { name: "secret", private: true, auto_init: true } })
    await writeFile(forge, "site", "src/app.ts", `const text = "<b>bold</b>"\n`, `Add ${hostile}`)
    await writeFile(forge, "site", "docs/guide.md", "# Guide\n\n[app](../src/app.ts) <script>alert(1)</script>\n")
    await writeFile(forge, "site", `odd/a<img src=x onerror=alert(1)>.txt`, "odd\n")
    await writeFile(forge, "site", "page.html", "<script>alert(document.domain)</script>\n")
    await writeFile(forge, "site", "long.txt", Array.from({ length: 12_000 }, (_, at) => `row ${at + 1}`).join("\n"))
    await ann.repository.branch.create({
      params: { username: "ann", reponame: "site" },
      body: { new_branch_name: "feature/x" }
    })
  })
  afterAll(() => forge.dispose())

  it("show a repository with its files, README and clone addresses", async () => {
    const { status, text } = await openBrowser(forge).go("/ann/site")
    expect(status).toBe(200)
    expect(text).toContain('href="/ann/site/src/branch/main/docs"')
    expect(text).toContain('value="https://forge.example/ann/site.git"')
    expect(text).toContain("README.md")
    expect(text).toContain("2 branches")
  })

  it("show a file with highlighted lines that have anchors", async () => {
    const { text } = await openBrowser(forge).go("/ann/site/src/branch/main/src/app.ts")
    expect(text).toContain('<tr id="L1">')
    expect(text).toContain('<span class="hljs-keyword">const</span>')
    expect(text).toContain("&lt;b&gt;bold&lt;/b&gt;")
  })

  it("resolve a branch name with a slash in a path", async () => {
    const { status, text } = await openBrowser(forge).go("/ann/site/src/branch/feature/x/src/app.ts")
    expect([status, text.includes('href="/ann/site/raw/branch/feature/x/src/app.ts"')]).toEqual([200, true])
    expect((await openBrowser(forge).go("/ann/site/src/branch/feature/y/src/app.ts")).status).toBe(404)
  })

  it("render Markdown without scripts, with links into the same branch", async () => {
    const { text } = await openBrowser(forge).go("/ann/site/src/branch/main/docs/guide.md")
    expect(text).toContain('href="/ann/site/src/branch/main/src/app.ts"')
    expect(text).not.toContain("<script>alert")
    const source = await openBrowser(forge).go("/ann/site/src/branch/main/docs/guide.md?display=source")
    expect(source.text).toContain('<tr id="L3">')
    expect(source.text).not.toContain("<script>alert")
  })

  it("shorten a long file, and link to the remaining lines", async () => {
    const first = await openBrowser(forge).go("/ann/site/src/branch/main/long.txt")
    expect(first.text).toContain("Lines 1 to 5000 of 12000")
    expect(first.text).toContain('href="/ann/site/src/branch/main/long.txt?start=5001"')
    expect(first.text).not.toContain(">row 5001<")
    const second = await openBrowser(forge).go("/ann/site/src/branch/main/long.txt?start=5001")
    expect(second.text).toContain('<tr id="L5001">')
  })

  it("show history and a commit with its changes", async () => {
    const history = await openBrowser(forge).go("/ann/site/commits/branch/main/src/app.ts")
    const [, sha = ""] = /\/ann\/site\/commit\/([0-9a-f]{40})/.exec(history.text) ?? []
    const commit = await openBrowser(forge).go(`/ann/site/commit/${sha}`)
    expect(commit.text).toContain("1 file changed")
    expect(commit.text).toContain('<tr class="add">')
    expect((await openBrowser(forge).go(`/ann/site/commit/${"0".repeat(40)}`)).status).toBe(404)
  })

  it("escape names, messages and paths with HTML on every page", async () => {
    const odd = encodeURIComponent("a<img src=x onerror=alert(1)>.txt")
    const paths = [
      "/",
      "/ann",
      "/ann/site",
      "/ann/site/src/branch/main/odd",
      `/ann/site/src/branch/main/odd/${odd}`,
      "/ann/site/commits/branch/main",
      `/explore/repos?q=${encodeURIComponent(hostile)}`,
      `/user/login?redirect_to=${encodeURIComponent(`/${hostile}`)}`,
      `/${encodeURIComponent(hostile)}`,
      `/ann/site/src/branch/${encodeURIComponent(hostile)}`
    ]
    for (const path of paths) {
      const { text } = await openBrowser(forge).go(path)
      expect([path, /<script>|<img src=x/.test(text)]).toEqual([path, false])
    }
  })

  it("serve raw files so that no script in them runs on the forge's origin", async () => {
    const { headers } = await openBrowser(forge).go("/ann/site/raw/branch/main/page.html")
    expect(headers.get("content-type")).not.toContain("html")
    expect(headers.get("content-security-policy")).toContain("sandbox")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  })

  it("show the same page for hidden and missing repositories (I9)", async () => {
    const strip = (text: string) =>
      text.replaceAll(/secret|nowhere/g, "x").replaceAll(/<code>\w+<\/code>|value="[\w-]+"/g, "")
    const [hidden, missing] = [await openBrowser(forge).go("/ann/secret"), await openBrowser(forge).go("/ann/nowhere")]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(strip(hidden.text)).toBe(strip(missing.text))
    const owner = openBrowser(forge)
    await owner.signIn("ann")
    expect((await owner.go("/ann/secret")).status).toBe(200)
    const overview = await openBrowser(forge).go("/ann")
    expect(overview.text).not.toContain("secret")
  })

  it("redirect from an old repository name to the new name", async () => {
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "before", auto_init: true } })
    await ann.repository.edit({ params: { username: "ann", reponame: "before" }, body: { name: "after" } })
    expect((await openBrowser(forge).go("/ann/before/src/branch/main")).to).toBe("/ann/after/src/branch/main")
  })

  it("answer unknown addresses with a page for browsers, and with JSON for other clients", async () => {
    expect((await openBrowser(forge).go("/ann/site/nothing/here")).headers.get("content-type")).toContain("text/html")
    const other = await openBrowser(forge).go("/ann/site/nothing/here", { accept: "application/json" })
    expect(other.headers.get("content-type")).toContain("application/json")
  })
})
