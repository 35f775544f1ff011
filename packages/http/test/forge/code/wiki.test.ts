import { describe, expect, it } from "@effect/vitest"
import { GitRepositories, wikiOf } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { basic, rootUrl } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"
import { stores } from "../support/stores.ts"

const base = "/repos/ann/app"
const base64 = (text: string) => Buffer.from(text).toString("base64")
const page = (title: string, text: string, more: object = {}) => ({
  ...ann,
  body: { title, content_base64: base64(text), ...more }
})
const [[, inMemory]] = kindsOfGit
const fixture = Effect.gen(function* () {
  const api = yield* withPeople(inMemory)
  const id = yield* makeRepository(api, "app")
  return { api, id }
})

for (const [kind, git] of kindsOfGit) {
  describe(`the wiki, on ${kind}`, () => {
    it.live("has pages that are created, changed, renamed and deleted, with their history", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        const none = yield* api.send("GET", `${base}/wiki/pages`, bob)
        expect([none.status, none.json, none.headers.get("x-total-count")]).toEqual([200, [], "0"])
        yield* api.ask(404, "GET", `${base}/wiki/page/Home`, bob)
        const made = yield* api.ask(201, "POST", `${base}/wiki/new`, page("How to push", "# Push\n"))
        expect(made).toMatchObject({
          title: "How to push",
          html_url: `${rootUrl}/ann/app/wiki/How-to-push`,
          sub_url: "How-to-push",
          content_base64: base64("# Push\n"),
          commit_count: 1,
          sidebar: "",
          footer: "",
          last_commit: { message: "Add How to push\n", author: { name: "ann" }, commiter: { name: "ann" } }
        })
        yield* api.ask(201, "POST", `${base}/wiki/new`, page("_Sidebar", "beside"))
        yield* api.ask(201, "POST", `${base}/wiki/new`, page("_Footer", "below"))
        yield* api.ask(201, "POST", `${base}/wiki/new`, page("guide/x-ray: 50%", "deep", { message: "Said" }))
        const changed = yield* api.ask(200, "PATCH", `${base}/wiki/page/How-to-push`, {
          ...ann,
          body: { content_base64: base64("# Pull\n") }
        })
        expect(changed).toMatchObject({
          title: "How to push",
          content_base64: base64("# Pull\n"),
          commit_count: 2,
          sidebar: base64("beside"),
          footer: base64("below"),
          last_commit: { message: "Change How to push\n" }
        })
        const revisions = yield* api.ask(200, "GET", `${base}/wiki/revisions/How%20to%20push`, bob)
        expect([revisions.count, revisions.commits.map((each: { message: string }) => each.message)]).toEqual([
          2,
          ["Change How to push\n", "Add How to push\n"]
        ])
        const second = yield* api.ask(200, "GET", `${base}/wiki/revisions/How%20to%20push?page=2&limit=1`, bob)
        expect([second.count, second.commits.map((each: { message: string }) => each.message)]).toEqual([
          2,
          ["Add How to push\n"]
        ])
        const renamed = yield* api.ask(200, "PATCH", `${base}/wiki/page/How%20to%20push`, {
          ...ann,
          body: { title: "Pushing" }
        })
        expect([renamed.title, renamed.content_base64]).toEqual(["Pushing", base64("# Pull\n")])
        yield* api.ask(404, "GET", `${base}/wiki/page/How-to-push`, bob)
        const pages = yield* api.send("GET", `${base}/wiki/pages?limit=2&page=2`, bob)
        expect(pages.json.map((each: { title: string; sub_url: string }) => [each.title, each.sub_url])).toEqual([
          ["_Sidebar", "_Sidebar"],
          ["guide/x-ray: 50%", "guide/x%252Dray%253A-50%2525"]
        ])
        expect(pages.headers.get("x-total-count")).toBe("4")
        // A sub_url from the list finds its page.
        const deep = yield* api.ask(200, "GET", `${base}/wiki/page/guide%2Fx%252Dray%253A-50%2525`, bob)
        expect([deep.title, deep.last_commit.message]).toEqual(["guide/x-ray: 50%", "Said\n"])
        yield* api.ask(204, "DELETE", `${base}/wiki/page/Pushing`, ann)
        yield* api.ask(404, "DELETE", `${base}/wiki/page/Pushing`, ann)
        yield* api.ask(204, "DELETE", base, ann)
        const left = yield* api.within(Effect.flatMap(GitRepositories, (kept) => kept.defaultBranch(wikiOf(id))))
        expect(left).toBeUndefined()
      })
    )
  })
}

describe("the wiki", () => {
  it.live("is rendered as an HTML page that runs no script of its authors", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      const text = "# Hi\n\n<script>alert(1)</script><img src=x onerror=alert(2)>\n\n[next](Next-one) ![p](a/p.png)"
      yield* api.ask(201, "POST", `${base}/wiki/new`, page("Home", text))
      yield* api.ask(201, "POST", `${base}/wiki/new`, page("_Footer", "*below*"))
      yield* api.ask(201, "POST", `${base}/wiki/new`, page("<b>'\"&", "odd"))
      const home = yield* api.fetch("GET", "/ann/app/wiki")
      expect([home.status, home.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
      expect(home.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(home.text).not.toMatch(/<script|onerror|<aside/)
      expect(home.text).toContain(`href="${rootUrl}/ann/app/wiki/Next-one"`)
      expect(home.text).toContain(`src="${rootUrl}/ann/app/wiki/raw/a/p.png"`)
      expect(home.text).toMatch(/<footer>\s*<p><em>below<\/em><\/p>/)
      const odd = yield* api.fetch("GET", `/ann/app/wiki/${encodeURIComponent("<b>'\"&")}`)
      expect(odd.text).toContain("<h1>&#60;b&#62;&#39;&#34;&#38;</h1>")
      const raw = yield* api.fetch("GET", "/ann/app/wiki/raw/Home.md")
      expect([raw.status, raw.text, raw.headers.get("x-content-type-options")]).toEqual([200, text, "nosniff"])
      expect((yield* api.fetch("GET", "/ann/app/wiki/raw/../x")).status).toBe(404)
      expect((yield* api.fetch("GET", "/ann/app/wiki/Missing")).status).toBe(404)
      yield* api.ask(200, "PATCH", base, { ...ann, body: { private: true } })
      expect((yield* api.fetch("GET", "/ann/app/wiki")).status).toBe(404)
    })
  )

  it.live("finds every listed page by its title and sub_url, regardless of the name of the pushed file", () =>
    Effect.gen(function* () {
      const { api, id } = yield* fixture
      yield* api.ask(201, "POST", `${base}/wiki/new`, page("Home", "home"))
      const files = { "guide/First steps.md": "1", "Why?.md": "2", "x-ray.md": "3" }
      yield* commitTo(api, wikiOf(id) as never, files)
      const listed = yield* api.ask(200, "GET", `${base}/wiki/pages`, ann)
      expect(listed.map(({ title }: { title: string }) => title).sort()).toEqual([
        "Home",
        "Why?",
        "guide/First steps",
        "x ray"
      ])
      for (const { html_url, sub_url, title } of listed) {
        for (const name of [encodeURIComponent(title), sub_url.replaceAll("/", "%2F")]) {
          expect((yield* api.ask(200, "GET", `${base}/wiki/page/${name}`, ann)).title).toBe(title)
        }
        expect((yield* api.fetch("GET", new URL(html_url).pathname)).status).toBe(200)
      }
    })
  )

  it.live("identifies pages by bytes if their file names are not valid UTF-8", () =>
    Effect.gen(function* () {
      for (const [, store] of stores) {
        const api = yield* withPeople(inMemory, store)
        const id = yield* makeRepository(api, "app")
        yield* api.ask(201, "POST", `${base}/wiki/new`, page("Home", "home"))
        yield* commitTo(api, wikiOf(id) as never, { "b\udcff.md": "odd", "c%FF.md": "no text either" })
        const listed = yield* api.ask(200, "GET", `${base}/wiki/pages`, ann)
        expect(listed.map(({ sub_url }: { sub_url: string }) => sub_url)).toEqual(["Home", "b%FF", "c%2525FF"])
        expect((yield* api.ask(200, "GET", `${base}/wiki/page/c%25FF`, ann)).title).toBe("c%FF")
        const at = `${base}/wiki/page/b%FF`
        const read = yield* api.ask(200, "GET", at, ann)
        expect([read.title, Buffer.from(read.content_base64, "base64").toString()]).toEqual(["b\udcff", "odd"])
        expect((yield* api.ask(200, "GET", `${base}/wiki/revisions/b%FF`, ann)).count).toBe(1)
        const changed = { ...ann, body: { content_base64: base64("even") } }
        expect((yield* api.ask(200, "PATCH", at, changed)).commit_count).toBe(2)
        yield* api.ask(204, "DELETE", at, ann)
        for (const missing of ["b%FF", "b%FE", "%FF%2F%FF", "b%EF%BF%BD"]) {
          yield* api.ask(404, "GET", `${base}/wiki/page/${missing}`, ann)
        }
      }
    })
  )

  it.live("rejects invalid titles and titles in use", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      yield* api.ask(201, "POST", `${base}/wiki/new`, page("Home", "home"))
      const refused = yield* Effect.forEach(
        [
          "",
          " ",
          "Home",
          "..",
          "a/./b",
          "a/../b",
          "/a",
          "a/",
          "a//b",
          ".git/x",
          `${"ü".repeat(150)}`,
          "a".repeat(300),
          "Home.md/../x"
        ],
        (title) => Effect.map(api.send("POST", `${base}/wiki/new`, page(title, "x")), ({ status }) => status)
      )
      expect(refused).toEqual(Array.from(refused, () => 422))
      for (const title of ["...", "a.b.c", "a/b/c", "ends with.md", `${"a".repeat(200)}/${"b".repeat(99)}`]) {
        yield* api.ask(201, "POST", `${base}/wiki/new`, page(title, title))
        const read = yield* api.ask(200, "GET", `${base}/wiki/page/${encodeURIComponent(title)}`, bob)
        expect([read.title, read.content_base64]).toEqual([title, base64(title)])
      }
      // A page would need a folder with the name of another page, or the reverse.
      yield* api.ask(422, "PATCH", `${base}/wiki/page/Home`, { ...ann, body: { title: "a.b.c" } })
    })
  )

  it.live("is hidden if the unit is disabled, and requires write permission for changes", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      yield* api.ask(201, "POST", `${base}/wiki/new`, page("Home", "home"))
      yield* api.ask(401, "POST", `${base}/wiki/new`, { body: { title: "x" } })
      yield* api.ask(403, "POST", `${base}/wiki/new`, { ...bob, body: { title: "x" } })
      yield* api.ask(403, "DELETE", `${base}/wiki/page/Home`, bob)
      yield* api.ask(200, "PATCH", base, { ...ann, body: { archived: true } })
      yield* api.ask(423, "PATCH", `${base}/wiki/page/Home`, page("Home", "x"))
      yield* api.ask(200, "PATCH", base, { ...ann, body: { archived: false, has_wiki: false } })
      yield* api.ask(404, "GET", `${base}/wiki/pages`, ann)
    })
  )

  it.live("keeps all concurrent changes, and records an event for each", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      const titles = ["one", "two", "three", "four"]
      const made = yield* Effect.forEach(titles, (title) => api.send("POST", `${base}/wiki/new`, page(title, title)), {
        concurrency: "unbounded"
      })
      expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      const pages = yield* api.ask(200, "GET", `${base}/wiki/pages`, bob)
      expect(pages.map((each: { title: string }) => each.title)).toEqual(["four", "one", "three", "two"])
      yield* api.user("root", { admin: true })
      const root = { headers: basic("root") }
      const events = yield* api.ask(200, "GET", "/admin/audit?action=git.wiki.push", root)
      expect(events.map(({ details }: { details: Record<string, unknown> }) => details.page).sort()).toEqual([
        "four",
        "one",
        "three",
        "two"
      ])
    })
  )
})
