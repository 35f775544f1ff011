import { describe, expect, it } from "@effect/vitest"
import { UserStore } from "@slipway/domain/forge/identity"
import { Mails } from "@slipway/forge/base"
import { EmailSubscriptions, unsubscribePath } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"

const as = (name: string) => ({ headers: basic(name) })
const at = "/repos/bob/site"

describe("the unsubscribe page", () => {
  it.live("asks for confirmation, and unsubscribes without a sign-in by the link's token", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const name of ["bob", "eve"]) yield* api.user(name)
      const home = yield* api.ask(201, "POST", "/user/repos", { ...as("bob"), body: { name: "site" } })
      const issue = yield* api.ask(201, "POST", `${at}/issues`, { ...as("eve"), body: { title: "<The> door" } })
      const eve = yield* api.within(Effect.flatMap(UserStore, (store) => store.named("eve")))
      const userId = eve?.user.id
      if (userId === undefined) throw new Error("eve is not there")
      const about = EmailSubscriptions.issueSubject({ id: issue.id, repositoryId: home.id })
      const path = unsubscribePath(yield* api.within(Mails.unsubscribeToken({ userId, about })))
      const follows = Effect.map(
        api.send("GET", `${at}/issues/1/subscriptions/check`, as("eve")),
        ({ json }) => json.subscribed
      )
      expect(yield* follows).toBe(true)

      // Link scanners change nothing.
      const page = yield* api.fetch("GET", path)
      expect([page.status, page.headers.get("content-type"), page.headers.get("referrer-policy")]).toEqual([
        200,
        "text/html; charset=utf-8",
        "same-origin"
      ])
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(page.text).toContain('<form method="post">')
      expect(page.text).not.toMatch(/door|eve|site/)
      expect(yield* follows).toBe(true)

      // A one-click unsubscribe by the email client (RFC 8058), repeated.
      const oneClick = {
        raw: "List-Unsubscribe=One-Click",
        headers: { "content-type": "application/x-www-form-urlencoded" }
      }
      for (const _ of ["once", "twice"]) expect((yield* api.fetch("POST", path, oneClick)).status).toBe(200)
      expect(yield* follows).toBe(false)

      for (const odd of [unsubscribePath("x"), `${path}x`, unsubscribePath("a".repeat(5_000))]) {
        for (const method of ["GET", "POST"]) expect((yield* api.fetch(method, odd)).status).toBe(404)
      }
      expect((yield* api.fetch("DELETE", path)).status).toBe(405)
      // The link of a deleted issue does nothing.
      yield* api.ask(204, "DELETE", `${at}/issues/1`, as("bob"))
      expect((yield* api.fetch("POST", path, oneClick)).status).toBe(200)
    })
  )
})
