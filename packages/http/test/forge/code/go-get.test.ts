import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"

it.live(
  "the go command finds repositories, and hidden ones get the same response as missing ones (CVE-2026-58507)",
  () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      const headers = basic("ann")
      yield* api.ask(201, "POST", "/user/repos", { headers, body: { name: "open" } })
      yield* api.ask(201, "POST", "/user/repos", { headers, body: { name: "shut", private: true } })
      const page = (path: string) =>
        Effect.map(api.fetch("GET", path), ({ headers, status, text }) => ({
          status,
          type: headers.get("content-type"),
          text
        }))
      const found = (name: string) => ({
        status: 200,
        type: "text/html; charset=utf-8",
        text: `<!doctype html>\n<meta name="go-import" content="forge.test/ann/${name} git https://forge.test/ann/${name}.git">\n`
      })
      for (const name of ["open", "shut", "none"]) {
        for (const below of ["", "/cmd/tool", ".git"]) {
          expect(yield* page(`/ann/${name}${below}?go-get=1`)).toEqual(found(name))
        }
      }
      for (const path of ["/ann/open?go-get=2", "/ann?go-get=1", "/ann/%22%3E?go-get=1", "/ann/open"]) {
        expect((yield* page(path)).status).toBe(404)
      }
      expect((yield* page("/api/v1/version?go-get=1")).type).toBe("application/json")
    })
)
