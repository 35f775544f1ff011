import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { rootUrl, start } from "../support/harness.ts"
import { ann, bob, commitTo, makeRepository, withPeople } from "../support/repositories.ts"

describe("Markdown", () => {
  it.live("is rendered as HTML, on the site and in a repository", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "site" } })
      const said = (path: string, body: unknown) =>
        Effect.map(api.send("POST", path, { ...ann, body }), ({ headers, status, text }) => [
          status,
          headers.get("content-type"),
          text
        ])
      const html = "text/html; charset=utf-8"
      const hostile = "**a** <script>alert(1)</script>[x](javascript:alert(1))"
      for (const path of ["/markdown", "/markup", "/repos/ann/site/markdown", "/repos/ann/site/markup"]) {
        expect(yield* said(path, { Text: "# One", Mode: "comment" })).toEqual([200, html, "<h1>One</h1>\n"])
        const shown = "<p><strong>a</strong> [x](javascript:alert(1))</p>\n"
        expect(yield* said(path, { Text: hostile })).toEqual([200, html, shown])
        expect((yield* said(path, { Text: "a", Mode: "word" }))[0]).toBe(422)
        expect((yield* said(path, { Mode: "gfm" }))[0]).toBe(422)
        expect((yield* api.send("POST", path, { body: { Text: "a" } })).status).toBe(401)
      }
      expect(
        yield* said("/repos/ann/site/markdown", { Text: "[a](b.md)", Mode: "file", Context: "/x/y/src/branch/main" })
      ).toEqual([200, html, '<p><a href="https://forge.test/ann/site/src/branch/main/b.md">a</a></p>\n'])
      for (const path of ["/markdown/raw", "/repos/ann/site/markdown/raw"]) {
        const raw = yield* api.send("POST", path, {
          headers: { ...ann.headers, "content-type": "text/plain" },
          raw: "*a*"
        })
        expect([raw.status, raw.headers.get("content-type"), raw.text]).toEqual([200, html, "<p><em>a</em></p>\n"])
        expect((yield* api.send("POST", path, { ...ann, raw: "x".repeat(600_000) })).status).toBe(413)
      }
      expect((yield* api.send("POST", "/repos/ann/gone/markdown", { ...ann, body: { Text: "a" } })).status).toBe(404)
    })
  )

  it.live("links references only if the reader can read the target (I9)", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(() => ({}))
      const [site, vault] = [yield* makeRepository(api, "site"), yield* makeRepository(api, "vault", { private: true })]
      const commits = [yield* commitTo(api, site, { a: "a" }), yield* commitTo(api, vault, { a: "b" })] as const
      for (const name of ["site", "vault"]) {
        yield* api.ask(201, "POST", `/repos/ann/${name}/issues`, { ...ann, body: { title: "The door" } })
      }
      yield* api.user("hidden", { visibility: "private" })
      const text = `#1 #2 !1 ann/vault#1 ANN/Site#1 @bob @hidden @nobody ${commits[0].slice(0, 10)} ann/vault@${commits[1]}`
      const links = (as: typeof ann, path: string, more: object = {}) =>
        Effect.map(api.send("POST", path, { ...as, body: { Text: text, Mode: "comment", ...more } }), (answer) =>
          [...answer.text.matchAll(/href="([^"]+)"[^>]*>([^<]*)</g)].map(([, to, words]) => [words, to])
        )
      const [first, second] = commits
      const open = [
        ["#1", `${rootUrl}/ann/site/issues/1`],
        ["ANN/Site#1", `${rootUrl}/ann/site/issues/1`],
        ["@bob", `${rootUrl}/bob`],
        [first.slice(0, 10), `${rootUrl}/ann/site/commit/${first}`]
      ]
      for (const [path, more] of [
        ["/repos/ann/site/markdown", {}],
        ["/markdown", { Context: "/ann/site" }]
      ] as const) {
        expect(yield* links(bob, path, more)).toEqual(open)
        expect(yield* links(ann, path, more)).toEqual(
          open
            .toSpliced(1, 0, ["ann/vault#1", `${rootUrl}/ann/vault/issues/1`])
            .concat([[`ann/vault@${second}`, `${rootUrl}/ann/vault/commit/${second}`]])
        )
      }
      expect(yield* links(bob, "/markdown")).toEqual(open.slice(1, 3))
      const resolved = (as: object) =>
        Effect.map(
          api.ask(200, "POST", "/repos/ann/site/markdown/references", { ...as, body: { texts: ["x", text, "#1"] } }),
          (rows: ReadonlyArray<{ readonly key: string; readonly url: string }>) =>
            rows.map(({ key, url }) => [key, url.slice(rootUrl.length)])
        )
      const shared = [
        ["#1", "/ann/site/issues/1"],
        ["ann/site#1", "/ann/site/issues/1"],
        ["@bob", "/bob"],
        [`@${first.slice(0, 10)}`, `/ann/site/commit/${first}`]
      ]
      expect(new Set(yield* resolved(bob))).toEqual(new Set(shared))
      expect(new Set(yield* resolved(ann))).toEqual(
        new Set([
          ...shared,
          ["ann/vault#1", "/ann/vault/issues/1"],
          [`ann/vault@${second}`, `/ann/vault/commit/${second}`]
        ])
      )
      const hidden = { ...bob, body: { texts: ["#1"] } }
      yield* api.ask(404, "POST", "/repos/ann/vault/markdown/references", hidden)
      yield* api.ask(404, "POST", "/repos/ann/gone/markdown/references", hidden)
    })
  )
})
