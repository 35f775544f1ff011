import { describe, expect, it } from "@effect/vitest"
import { Jobs } from "@slipway/forge/background"
import { DateTime, Effect } from "effect"
import { basic, bearer, rootUrl, start } from "../support/harness.ts"

/** A thread with the fields that these tests read. */
interface Shown {
  readonly pinned: boolean
  readonly subject: { readonly title: string }
  readonly unread: boolean
}

const as = (name: string) => ({ headers: basic(name) })
const at = "/repos/bob/site"

/** Bob's repository, which he watches and cat can write; eve has no permissions. */
const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["bob", "cat", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", { ...as("bob"), body: { name: "site" } })
  yield* api.ask(204, "PUT", `${at}/collaborators/cat`, { ...as("bob"), body: { permission: "write" } })
  const open = (who: string, title: string, body = "") =>
    Effect.andThen(api.ask(201, "POST", `${at}/issues`, { ...as(who), body: { title, body } }), api.within(Jobs.runDue))
  const comment = (who: string, body: string, issue = 1) =>
    Effect.tap(api.ask(201, "POST", `${at}/issues/${issue}/comments`, { ...as(who), body: { body } }), () =>
      api.within(Jobs.runDue)
    )
  const list = (who: string, query = "") =>
    Effect.map(api.send("GET", `/notifications${query}`, as(who)), ({ headers, json }) => [
      json.map(
        ({ pinned, subject, unread }: Shown) => `${subject.title}${unread ? "" : " read"}${pinned ? " pinned" : ""}`
      ),
      headers.get("x-total-count")
    ])
  const unread = (who: string) => Effect.map(api.ask(200, "GET", "/notifications/new", as(who)), (told) => told.new)
  return { api, comment, list, open, unread }
})

describe("notifications", () => {
  it.live("are created only for watchers, participants and mentioned users", () =>
    Effect.gen(function* () {
      const { api, comment, list, open, unread } = yield* site
      yield* open("cat", "The door")
      expect(yield* list("bob")).toEqual([["The door"], "1"])
      expect(yield* list("cat")).toEqual([[], "0"])
      yield* comment("bob", "What does @eve say?")
      expect(yield* list("cat")).toEqual([["The door"], "1"])
      expect(yield* list("eve")).toEqual([["The door"], "1"])
      expect([yield* unread("bob"), yield* unread("cat"), yield* unread("eve")]).toEqual([1, 1, 1])
      const said = yield* comment("eve", "It squeaks")
      const [thread] = yield* api.ask(200, "GET", "/notifications", as("bob"))
      expect(thread).toMatchObject({
        unread: true,
        pinned: false,
        repository: { full_name: "bob/site", permissions: { admin: true } },
        url: `${rootUrl}/api/v1/notifications/threads/${thread.id}`
      })
      expect(thread.subject).toEqual({
        title: "The door",
        type: "Issue",
        state: "open",
        url: `${rootUrl}/api/v1/repos/bob/site/issues/1`,
        html_url: `${rootUrl}/bob/site/issues/1`,
        latest_comment_url: `${rootUrl}/api/v1/repos/bob/site/issues/comments/${said.id}`,
        latest_comment_html_url: `${rootUrl}/bob/site/issues/1#issuecomment-${said.id}`
      })
      // Another user's thread is missing.
      yield* api.ask(404, "GET", `/notifications/threads/${thread.id}`, as("cat"))
      yield* api.ask(404, "PATCH", `/notifications/threads/${thread.id}`, as("cat"))
      const token = bearer(yield* api.mint("bob", ["all", "public-only"]))
      yield* api.ask(403, "GET", "/notifications", { headers: token })
    })
  )

  it.live("can be marked as read, pinned or unread, one by one or all up to a time", () =>
    Effect.gen(function* () {
      const { api, comment, list, open, unread } = yield* site
      yield* open("cat", "One")
      yield* open("cat", "Two")
      const [two, one] = yield* api.ask(200, "GET", "/notifications", as("bob"))
      const path = `/notifications/threads/${one.id}`
      expect(yield* api.ask(200, "PATCH", path, as("bob"))).toMatchObject({ unread: false })
      expect(yield* api.ask(200, "GET", path, as("bob"))).toMatchObject({ unread: false, subject: { title: "One" } })
      expect(yield* list("bob")).toEqual([["Two"], "1"])
      expect(yield* list("bob", "?all=true")).toEqual([["Two", "One read"], "2"])
      expect(yield* list("bob", "?status-types=read")).toEqual([["One read"], "1"])
      expect(yield* list("bob", "?subject-type=pull&all=true")).toEqual([[], "0"])
      yield* api.ask(200, "PATCH", `${path}?to-status=pinned`, as("bob"))
      expect(yield* list("bob")).toEqual([["Two", "One pinned"], "2"])
      const early = DateTime.formatIso(DateTime.subtract(DateTime.makeUnsafe(two.updated_at), { minutes: 1 }))
      expect(yield* api.ask(200, "PUT", `/notifications?last_read_at=${early}`, as("bob"))).toEqual([])
      expect(yield* unread("bob")).toBe(1)
      expect((yield* api.ask(200, "PUT", "/notifications", as("bob"))).length).toBe(1)
      expect([yield* unread("bob"), yield* list("bob")]).toEqual([0, [["One pinned"], "1"]])
      yield* comment("cat", "again", 2)
      expect(yield* unread("bob")).toBe(1)
      expect((yield* api.ask(200, "PUT", `${at}/notifications?all=true`, as("bob"))).length).toBe(2)
      expect(yield* api.ask(200, "GET", `${at}/notifications`, as("bob"))).toEqual([])
      for (const query of ["status-types=odd", "to-status=odd", "last_read_at=odd"]) {
        yield* api.ask(422, "PUT", `/notifications?${query}`, as("bob"))
      }
    })
  )

  it.live("B5, I7, I8: contain and announce no unreadable subjects (CVE-2026-20800, CVE-2026-0798)", () =>
    Effect.gen(function* () {
      const { api, comment, list, open, unread } = yield* site
      yield* open("eve", "The door", "@cat")
      yield* comment("bob", "Yes")
      expect([yield* unread("eve"), yield* unread("cat")]).toEqual([1, 1])
      const [thread] = yield* api.ask(200, "GET", "/notifications", as("eve"))
      yield* api.ask(200, "PATCH", at, { ...as("bob"), body: { private: true } })
      expect([yield* unread("eve"), yield* list("eve", "?all=true")]).toEqual([0, [[], "0"]])
      yield* api.ask(404, "GET", `/notifications/threads/${thread.id}`, as("eve"))
      yield* api.ask(404, "PATCH", `/notifications/threads/${thread.id}`, as("eve"))
      expect(yield* api.ask(200, "PUT", "/notifications?all=true", as("eve"))).toEqual([])
      yield* api.ask(404, "GET", `${at}/notifications`, as("eve"))
      yield* comment("bob", "A secret")
      expect([yield* unread("eve"), yield* unread("cat")]).toEqual([0, 1])
      yield* api.ask(204, "DELETE", `${at}/collaborators/cat`, as("bob"))
      expect([yield* unread("cat"), yield* list("cat", "?all=true")]).toEqual([0, [[], "0"]])
      // Events without access create no notification later.
      yield* comment("bob", "Another secret")
      yield* api.ask(200, "PATCH", at, { ...as("bob"), body: { private: false } })
      const [seen] = yield* api.ask(200, "GET", "/notifications", as("eve"))
      expect(seen.updated_at).toBe(thread.updated_at)
    })
  )

  it.live(
    "are created for members of a mentioned team, if the author can see the team and the member can read (I7)",
    () =>
      Effect.gen(function* () {
        const api = yield* start()
        for (const name of ["bob", "cat", "dan", "eve"]) yield* api.user(name)
        const bob = as("bob")
        yield* api.ask(201, "POST", "/orgs", { ...bob, body: { username: "acme", visibility: "public" } })
        const repo = "/repos/acme/site"
        yield* api.ask(201, "POST", "/orgs/acme/repos", { ...bob, body: { name: "site", private: true } })
        const team = (name: string, units: object, more: object = {}) =>
          api.ask(201, "POST", "/orgs/acme/teams", { ...bob, body: { name, units_map: units, ...more } })
        const readers = yield* team("Readers", { "repo.issues": "read" }, { includes_all_repositories: true })
        const coders = yield* team("coders", { "repo.code": "read" }, { includes_all_repositories: true })
        yield* api.ask(204, "PUT", `/teams/${readers.id}/members/cat`, bob)
        yield* api.ask(204, "PUT", `/teams/${coders.id}/members/dan`, bob)
        yield* api.ask(204, "PUT", `${repo}/collaborators/eve`, { ...bob, body: { permission: "read" } })
        const told = (who: string) =>
          Effect.map(api.ask(200, "GET", "/notifications", as(who)), (rows) =>
            rows.map(({ subject }: Shown) => subject.title)
          )
        const open = (who: string, title: string, body: string) =>
          Effect.andThen(
            api.ask(201, "POST", `${repo}/issues`, { ...as(who), body: { title, body } }),
            api.within(Jobs.runDue)
          )
        yield* open("bob", "One", "@acme/readers and @acme/coders, please")
        expect([yield* told("cat"), yield* told("dan")]).toEqual([["One"], []])
        // Eve can't see the team, so that her mention reveals no members and notifies none.
        yield* open("eve", "Two", "@acme/readers")
        expect(yield* told("cat")).toEqual(["One"])
        const found = (who: string) => api.ask(200, "GET", `${repo}/issues?mentioned_by=cat`, as(who))
        expect((yield* found("bob")).map(({ title }: { title: string }) => title)).toEqual(["One"])
      })
  )
})
