import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Forge } from "@slipway/embed"
import { makeSite, openBrowser, password, uploadOf, writeFile } from "./support/site.ts"

const params = { username: "ann", reponame: "site" }

describe("the pages that change, find and attribute files", () => {
  let forge: Forge
  beforeAll(async () => {
    forge = await makeSite()
    await forge.actAs("root").admin.user.create({
      body: { username: "bob", email: "bob@example.com", password, must_change_password: false }
    })
    const ann = forge.actAs("ann")
    await ann.account.repository.create({ body: { name: "site", auto_init: true, default_branch: "main" } })
    await ann.account.repository.create({ body: { name: "secret", private: true, auto_init: true } })
    await writeFile(forge, "site", "src/a.txt", "one\r\ntwo\r\n", "Add <a>")
    await writeFile(forge, "site", "bin.dat", Uint8Array.of(0, 1, 2))
  })
  afterAll(() => forge.dispose())

  const signedIn = async (name: string, language = "en") => {
    const browser = openBrowser(forge, language)
    await browser.signIn(name)
    return browser
  }
  const textOf = async (path: string, ref = "main") => {
    const file = await forge.actAs("ann").repository.contents.read({ params: { ...params, "*": path }, query: { ref } })
    return Buffer.from((file as { readonly content: string }).content, "base64").toString()
  }

  it("offer to change files only to users with write access", async () => {
    const [ann, bob] = [await signedIn("ann"), await signedIn("bob")]
    const folder = "/ann/site/src/branch/main/src"
    expect((await ann.go(folder)).text).toContain('href="/ann/site/_new/main/src"')
    expect((await ann.go(`${folder}/a.txt`)).text).toContain('href="/ann/site/_edit/main/src/a.txt"')
    expect((await ann.go("/ann/site")).text).toMatch(/>New file<\/a>/)
    for (const path of [folder, `${folder}/a.txt`, "/ann/site"])
      expect((await bob.go(path)).text).not.toMatch(/New file|_edit|_delete|_upload/)
    expect((await openBrowser(forge).go("/ann/site/_new/main")).to).toContain("/user/login?redirect_to=")
    const form = /name="form" value="(\w+)"/.exec((await bob.go("/ann/site/_new/main")).text)?.[1] ?? ""
    const sent = await bob.post("/ann/site/_new/main", { form, path: "x.txt", content: "typed text" })
    expect([sent.status, sent.text.includes("typed text</textarea>")]).toEqual([403, true])
  })

  it("create a file on the branch, and show errors at the invalid field", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/_new/main/src"
    expect((await ann.go(at)).text).toContain('value="src/"')
    const wrong = await ann.fill(at, at, { path: "../x", content: "kept <b>", target: "new", new_branch: "" })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('id="error-path">must be the path of a file')
    expect(wrong.text).toContain('id="error-new_branch">must name the new branch')
    expect(wrong.text).toContain("kept &lt;b&gt;</textarea>")
    const sent = await ann.fill(at, at, { path: "src/b.txt", content: "b\r\n", target: "branch", message: "Make b" })
    expect(sent.to).toBe("/ann/site/src/branch/main/src/b.txt")
    expect(await textOf("src/b.txt")).toBe("b\n")
    const [commit] = await forge.actAs("ann").repository.commit.list({ params, query: { limit: 1 } })
    expect(commit?.commit.message.trim()).toBe("Make b")
  })

  it("keep line endings of an edited file, reject outdated edits, and commit to a new branch", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/_edit/main/src/a.txt"
    const shown = await ann.go(at)
    expect(shown.text).toContain("one\r\ntwo\r\n</textarea>")
    expect((await ann.fill(at, at, { path: "src/a.txt", content: "1\r\ntwo\r\n", target: "branch" })).to).toBe(
      "/ann/site/src/branch/main/src/a.txt"
    )
    expect(await textOf("src/a.txt")).toBe("1\r\ntwo\r\n")
    const late = await ann.fill(at, at, { path: "src/a.txt", content: "late", target: "branch", sha: "0".repeat(40) })
    expect([late.status, late.text.includes("late</textarea>")]).toEqual([409, true])
    const fields = { path: "src/c.txt", content: "1\r\n2\r\n", target: "new", new_branch: "topic/c" }
    expect((await ann.fill(at, at, fields)).to).toBe("/ann/site/compare/main...topic/c?expand=1")
    expect(await textOf("src/c.txt", "topic/c")).toBe("1\r\n2\r\n")
    expect((await ann.go("/ann/site/_edit/main/bin.dat")).text).toContain("This file cannot be edited here")
    expect((await ann.go("/ann/site/_edit/main/nope")).status).toBe(404)
  })

  it("delete and upload files", async () => {
    const ann = await signedIn("ann")
    const at = "/ann/site/_delete/main/src/b.txt"
    expect((await ann.go(at)).text).toContain("This removes src/b.txt from the branch.")
    expect((await ann.fill(at, at, { target: "branch" })).to).toBe("/ann/site/src/branch/main")
    expect((await ann.go("/ann/site/src/branch/main/src/b.txt")).status).toBe(404)
    const upload = "/ann/site/_upload/main/src"
    const form = /name="form" value="(\w+)"/.exec((await ann.go(upload)).text)?.[1] ?? ""
    const send = async (files: ReadonlyArray<File>) => {
      const body = new FormData()
      body.set("form", form)
      body.set("target", "branch")
      for (const file of files) body.append("files", file)
      return forge.handler(await uploadOf(upload, body, ann.cookies))
    }
    expect((await send([])).status).toBe(422)
    const sent = await send([new File(["x\r\n"], "x.txt"), new File([Uint8Array.of(0, 255)], "y.bin")])
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/ann/site/src/branch/main/src"])
    expect(await textOf("src/x.txt")).toBe("x\r\n")
    expect((await send([new File([new Uint8Array(3 * 1024 * 1024)], "large.bin")])).status).toBe(303)
    expect((await send([new File([new Uint8Array(33 * 1024 * 1024)], "huge.bin")])).status).toBe(413)
  })

  it("show why a protected branch rejects a commit, and keep the typed values", async () => {
    const ann = forge.actAs("ann")
    await ann.repository["branch-protection"].create({ params, body: { rule_name: "main", enable_push: false } })
    const browser = await signedIn("ann")
    const at = "/ann/site/_new/main"
    const sent = await browser.fill(at, at, { path: "p.txt", content: "typed", target: "branch" })
    expect([sent.status, sent.text.includes("typed</textarea>")]).toEqual([403, true])
    expect(sent.text).toContain('role="alert"')
    await ann.repository["branch-protection"].delete({ params: { ...params, "*": "main" } })
  })

  it("show the commit of each line (blame), and show no lines for binary files", async () => {
    const reader = openBrowser(forge)
    const { status, text } = await reader.go("/ann/site/blame/branch/main/src/a.txt")
    expect(status).toBe(200)
    expect(text).toContain("Add &lt;a&gt;</a>")
    expect(text).toContain("Update src/a.txt</a>")
    expect(text).toContain('<tr id="L2">')
    expect((await reader.go("/ann/site/blame/branch/main/bin.dat")).text).toContain("are not attributed")
    expect((await reader.go("/ann/site/blame/branch/main/src")).status).toBe(404)
  })

  it("find files by words of their paths", async () => {
    const reader = openBrowser(forge)
    const { text } = await reader.go("/ann/site/find/branch/main?q=SRC%20A")
    expect(text).toContain('href="/ann/site/src/branch/main/src/a.txt"')
    expect(text).not.toContain("bin.dat")
    expect((await reader.go("/ann/site/find/main")).text).toContain("bin.dat")
    expect((await reader.go("/ann/site/find/main?q=nothing")).text).toContain("No file matches.")
    expect((await reader.go("/ann/site/find/nope/x")).status).toBe(404)
  })

  it("star, watch and fork a repository, and list its stargazers, watchers and forks", async () => {
    const bob = await signedIn("bob")
    const at = "/ann/site"
    expect((await openBrowser(forge).go(at)).text).toMatch(/user\/login\?redirect_to=%2Fann%2Fsite">.*Star<\/a>/)
    await bob.fill(at, at, { do: "star" })
    await bob.fill(at, at, { do: "watch" })
    expect((await bob.go(at)).text).toMatch(/>Unwatch<\/button>[\s\S]*>Unstar<\/button>/)
    for (const page of ["stars", "watchers"])
      expect((await bob.go(`${at}/${page}`)).text).toContain('<a href="/bob">bob</a>')
    await bob.fill(at, at, { do: "unstar" })
    expect((await bob.go(`${at}/stars`)).text).toContain("This repository has no stars.")
    const empty = await bob.fill(`${at}/fork`, `${at}/fork`, { name: " " })
    expect([empty.status, empty.text.includes('id="error-name">must not be empty')]).toEqual([422, true])
    expect((await bob.fill(`${at}/fork`, `${at}/fork`, { name: "mine", owner: "" })).to).toBe("/bob/mine")
    expect((await bob.go(`${at}/forks`)).text).toContain('href="/bob/mine"')
    expect((await (await signedIn("bob", "de")).go(`${at}/stars`)).text).toContain("Sterne")
  })

  it("answer with the same status for hidden and missing repositories (I9)", async () => {
    const bob = await signedIn("bob")
    for (const repository of ["secret", "nowhere"])
      for (const path of [
        "blame/branch/main/README.md",
        "find/main",
        "_new/main",
        "_edit/main/README.md",
        "stars",
        "fork"
      ])
        expect([path, (await bob.go(`/ann/${repository}/${path}`)).status]).toEqual([path, 404])
  })
})
