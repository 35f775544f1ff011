import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { badgeSvg } from "../../../src/server/forge/automation/workflowBadges.ts"
import { basic } from "../support/harness.ts"
import { stores } from "../support/stores.ts"
import { ann, at, bob, workflowSite } from "../support/workflowSite.ts"

const badge = "/bob/site/actions/workflows/ci.yml/badge.svg"
const jobs = "jobs: { a: { runs-on: linux, steps: [{ run: make }] } }"

for (const [kind, store] of stores) {
  describe(`badges of workflows in ${kind}`, () => {
    it.live("show the conclusion of the newest finished run of a branch", () =>
      Effect.gen(function* () {
        const { api, end, fetch, file, runner } = yield* workflowSite(store)
        const by = yield* runner()
        const said = (query = "", path = badge) =>
          Effect.map(api.fetch("GET", `${path}${query}`), ({ status, text }) => [
            status,
            /aria-label="([^"]*)"/.exec(text)?.[1]
          ])
        yield* file(".forgejo/workflows/ci.yml", `name: <CI> & "co"\non: [push, workflow_dispatch]\n${jobs}`)
        expect(yield* said()).toEqual([200, "ci.yml: no status"])
        yield* end(by, (yield* fetch(by))?.id ?? 0, 1)
        const name = "&lt;CI&gt; &amp; &quot;co&quot;"
        expect(yield* said()).toEqual([200, `${name}: passing`])
        yield* file("x.md", "x")
        expect(yield* said()).toEqual([200, `${name}: passing`])
        yield* end(by, (yield* fetch(by))?.id ?? 0, 2)
        expect(yield* said()).toEqual([200, `${name}: failing`])
        expect(yield* said("?event=push&branch=main")).toEqual([200, `${name}: failing`])
        expect(yield* said("?event=workflow_dispatch")).toEqual([200, "ci.yml: no status"])
        for (const odd of [
          "?event=none",
          "?branch=side",
          "?branch=%00",
          "?branch=%ed%a0%80",
          "?branch=a&branch=main"
        ]) {
          expect(yield* said(odd)).toEqual([200, "ci.yml: no status"])
        }
        expect(yield* said("", "/bob/site/actions/workflows/other.yml/badge.svg")).toEqual([404, undefined])
        const { badge_url } = yield* api.ask(200, "GET", `${at}/actions/workflows/ci.yml`, bob)
        expect(new URL(badge_url).pathname).toBe(badge)
        // Clients revalidate it, and get it again only if it changed.
        const first = yield* api.fetch("GET", badge)
        expect(first.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8")
        expect(first.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox")
        const etag = first.headers.get("etag") ?? ""
        const held = yield* api.fetch("GET", badge, { headers: { "if-none-match": etag } })
        expect([held.status, held.text, held.headers.get("etag")]).toEqual([304, "", etag])
      })
    )

    it.live(
      "I3, I9: are shown only to callers who can read the runs, and are equal for hidden and missing workflows",
      () =>
        Effect.gen(function* () {
          const { api, file } = yield* workflowSite(store)
          yield* file(".forgejo/workflows/ci.yml", `on: push\n${jobs}`)
          yield* api.ask(200, "PATCH", at, { ...bob, body: { private: true } })
          const missing = yield* api.fetch("GET", badge.replace("/site/", "/none/"), ann)
          for (const who of [ann, {}]) {
            const hidden = yield* api.fetch("GET", badge, who)
            const none = yield* api.fetch("GET", badge.replace("/site/", "/none/"), who)
            expect([hidden.status, hidden.text]).toEqual([404, missing.text])
            expect([none.status, none.text]).toEqual([404, missing.text])
            expect((yield* api.send("GET", `${at}/actions/runs/1`, who)).status).toBe(404)
          }
          expect((yield* api.fetch("GET", badge, { headers: basic("bob") })).status).toBe(200)
          // If the unit is off, no caller can read runs.
          yield* api.ask(200, "PATCH", at, { ...bob, body: { private: false, has_actions: false } })
          const [off, run] = [yield* api.fetch("GET", badge, bob), yield* api.send("GET", `${at}/actions/runs/1`, bob)]
          expect([off.status, off.text]).toEqual([run.status, run.text])
          expect(off.status).toBe(403)
        })
    )
  })
}

describe("a badge", () => {
  it("truncates its name, and contains no character that is invalid in XML (I25)", () => {
    const svg = badgeSvg({
      name: `</text><script>alert("1")</script>\u0000${"😀".repeat(90)}\ud800`,
      conclusion: undefined
    })
    expect(svg).toContain("&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; ")
    for (const sign of ["<script", "\0", "\ud800"]) expect(svg).not.toContain(sign)
    expect(svg).toContain("😀…</text>")
    expect(svg.length).toBeLessThan(1_400)
    expect(badgeSvg({ name: "CI", conclusion: "success" })).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="87" height="20" role="img" aria-label="CI: passing"><title>CI: passing</title><rect width="26" height="20" fill="#444"/><rect x="26" width="61" height="20" fill="#3c8a3c"/><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="13" y="14">CI</text><text x="56.5" y="14">passing</text></g></svg>'
    )
  })
})
