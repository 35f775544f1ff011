import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, rootUrl, type Service, start } from "../support/harness.ts"

const bob = { headers: basic("bob") }
const cat = { headers: basic("cat") }
const eve = { headers: basic("eve") }

/** Bob's public repository. Cat writes there. Eve has no permissions. */
const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["bob", "cat", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "site" } })
  yield* api.ask(204, "PUT", "/repos/bob/site/collaborators/cat", { ...bob, body: { permission: "write" } })
  return api
})

const at = "/repos/bob/site"
const open = (api: Service, title: string, more: object = {}, as = bob) =>
  api.ask(201, "POST", `${at}/issues`, { ...as, body: { title, ...more } })

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const numbers = (rows: ReadonlyArray<any>) => rows.map(({ number }) => number)

describe("issues", () => {
  it.live("are numbered, returned with all fields and changed, and a deletion leaves a gap in the numbers", () =>
    Effect.gen(function* () {
      const api = yield* site
      const label = yield* api.ask(201, "POST", `${at}/labels`, { ...bob, body: { name: "bug", color: "#f00" } })
      const milestone = yield* api.ask(201, "POST", `${at}/milestones`, { ...bob, body: { title: "One" } })
      const made = yield* open(api, "The door", {
        body: "It squeaks",
        labels: [label.id],
        milestone: milestone.id,
        assignees: ["cat"],
        due_date: "2030-01-31T00:00:00Z"
      })
      expect(made).toMatchObject({
        number: 1,
        title: "The door",
        body: "It squeaks",
        content_version: 0,
        url: `${rootUrl}/api/v1/repos/bob/site/issues/1`,
        html_url: `${rootUrl}/bob/site/issues/1`,
        user: { login: "bob" },
        labels: [{ name: "bug", color: "ff0000", url: `${rootUrl}/api/v1/repos/bob/site/labels/${label.id}` }],
        milestone: { title: "One", open_issues: 1, closed_issues: 0 },
        assignee: { login: "cat" },
        assignees: [{ login: "cat" }],
        state: "open",
        comments: 0,
        closed_at: null,
        due_date: "2030-01-31T00:00:00Z",
        pull_request: null,
        repository: { name: "site", owner: "bob", full_name: "bob/site" },
        pin_order: 0
      })
      const closed = yield* api.ask(201, "PATCH", `${at}/issues/1`, {
        ...bob,
        body: { state: "closed", body: "It is shut", content_version: 0 }
      })
      expect(closed).toMatchObject({
        state: "closed",
        body: "It is shut",
        content_version: 1,
        milestone: { closed_issues: 1 }
      })
      // An edit of an older version of the text.
      const stale = yield* api.send("PATCH", `${at}/issues/1`, {
        ...bob,
        body: { body: "It squeaks", content_version: 0 }
      })
      expect([stale.status, stale.json.message]).toEqual([409, "the text has changed: the current version is 1"])
      yield* open(api, "The window")
      yield* api.ask(204, "DELETE", `${at}/issues/1`, bob)
      expect((yield* api.send("GET", `${at}/issues/1`, bob)).status).toBe(404)
      expect((yield* open(api, "The roof")).number).toBe(3)
      expect((yield* api.ask(200, "GET", `${at}/milestones/${milestone.id}`, bob)).closed_issues).toBe(0)
    })
  )

  it.live("require write permission to set labels, milestones and assignees", () =>
    Effect.gen(function* () {
      const api = yield* site
      const label = yield* api.ask(201, "POST", `${at}/labels`, { ...bob, body: { name: "bug", color: "f00" } })
      const mine = yield* open(api, "Mine", { labels: [label.id], assignees: ["cat"], ref: "main" }, eve)
      expect(mine).toMatchObject({ labels: [], assignees: null, ref: "" })
      const edited = yield* api.ask(201, "PATCH", `${at}/issues/1`, {
        ...eve,
        body: { title: "My own", assignees: ["cat"] }
      })
      expect(edited).toMatchObject({ title: "My own", assignees: null })
      expect((yield* api.send("POST", `${at}/issues/1/labels`, { ...eve, body: { labels: ["bug"] } })).status).toBe(403)
      const labelled = yield* api.ask(200, "POST", `${at}/issues/1/labels`, { ...cat, body: { labels: ["BUG"] } })
      expect(labelled).toMatchObject([{ name: "bug" }])
      // A user without access can't be assigned.
      const refused = yield* api.send("POST", `${at}/issues/1/assignees`, { ...cat, body: { assignees: ["eve"] } })
      expect([refused.status, refused.json.message]).toEqual([422, "[assignees]: `eve` cannot be assigned"])
      expect((yield* api.ask(200, "GET", `${at}/assignees`, cat)).map((each: { login: string }) => each.login)).toEqual(
        ["bob", "cat"]
      )
    })
  )

  it.live("are filtered by state, label, milestone, user, time and words, with matching counts", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.ask(201, "POST", `${at}/labels`, { ...bob, body: { name: "bug", color: "f00" } })
      yield* api.ask(201, "POST", `${at}/milestones`, { ...bob, body: { title: "One" } })
      yield* open(api, "The door squeaks", { labels: [1], milestone: 1 })
      yield* open(api, "A window", { body: "that squeaks too, says @cat" }, eve)
      yield* open(api, "A roof", { closed: true, assignees: ["cat"] })
      const found = (query: string) => Effect.map(api.ask(200, "GET", `${at}/issues?${query}`, eve), numbers)
      expect(yield* found("")).toEqual([2, 1])
      expect(yield* found("state=all&sort=oldest")).toEqual([1, 2, 3])
      expect(yield* found("state=all&labels=bug")).toEqual([1])
      expect(yield* found("state=all&labels=-bug")).toEqual([3, 2])
      expect(yield* found("milestones=one")).toEqual([1])
      expect(yield* found("q=squeaks")).toEqual([2, 1])
      expect(yield* found("q=squeaks -window")).toEqual([1])
      expect(yield* found("state=all&created_by=eve")).toEqual([2])
      expect(yield* found("state=all&assigned_by=CAT")).toEqual([3])
      expect(yield* found("state=all&mentioned_by=cat")).toEqual([2])
      expect(yield* found("created_by=nobody-there")).toEqual([])
      expect(yield* found("before=2001-01-01T00:00:00Z")).toEqual([])
      const page = yield* api.send("GET", `${at}/issues?state=all&limit=2`, eve)
      expect([numbers(page.json), page.headers.get("x-total-count")]).toEqual([[3, 2], "3"])
    })
  )

  it.live(
    "are not found, counted, referenced or usable as dependencies if their repository is unreadable (B4, I6, CVE-2026-58438)",
    () =>
      Effect.gen(function* () {
        const api = yield* site
        yield* api.ask(201, "POST", "/user/repos", { ...cat, body: { name: "vault", private: true } })
        yield* open(api, "The door")
        yield* api.ask(201, "POST", "/repos/cat/vault/issues", {
          ...cat,
          body: { title: "Behind the door", body: "bob/site#1" }
        })
        const search = yield* api.send("GET", "/repos/issues/search?q=door", eve)
        expect([numbers(search.json), search.headers.get("x-total-count")]).toEqual([[1], "1"])
        expect((yield* api.ask(200, "GET", "/repos/issues/search?q=door", cat)).length).toBe(2)
        // A caller who can read it sees the reference from there.
        expect(yield* api.ask(200, "GET", `${at}/issues/1/timeline`, eve)).toEqual([])
        const told = yield* api.ask(200, "GET", `${at}/issues/1/timeline`, cat)
        expect(told).toMatchObject([
          { type: "issue_ref", user: { login: "cat" }, ref_issue: { title: "Behind the door" } }
        ])
        // An unreadable resource gets the same response as a missing one.
        const named = (owner: string, repo: string, index: number) =>
          api.send("POST", `${at}/issues/1/dependencies`, { ...bob, body: { owner, repo, index } })
        const [hidden, missing] = [yield* named("cat", "vault", 1), yield* named("cat", "none", 1)]
        expect([hidden.status, hidden.text]).toEqual([404, missing.text])
        // A reference by a user who can read both is shown only to callers who can read it.
        yield* api.ask(201, "POST", `${at}/issues/1/dependencies`, {
          ...cat,
          body: { owner: "cat", repo: "vault", index: 1 }
        })
        for (const [who, titles] of [
          [eve, []],
          [bob, []],
          [cat, ["Behind the door"]]
        ] as const) {
          const needed = yield* api.send("GET", `${at}/issues/1/dependencies`, who)
          expect(needed.json.map(({ title }: { title: string }) => title)).toEqual(titles)
          expect(needed.headers.get("x-total-count")).toBe(String(titles.length))
          const kinds = (yield* api.ask(200, "GET", `${at}/issues/1/timeline`, who)).map(
            ({ type }: { type: string }) => type
          )
          expect(kinds).toEqual(who === cat ? ["issue_ref", "add_dependency"] : [])
          yield* api.ask(404, "DELETE", `${at}/issues/1/dependencies`, {
            ...bob,
            body: { owner: "cat", repo: "vault", index: 1 }
          })
        }
        // Ids of labels, milestones and comments of another repository (CVE-2026-58445).
        const label = yield* api.ask(201, "POST", "/repos/cat/vault/labels", {
          ...cat,
          body: { name: "x", color: "f00" }
        })
        const milestone = yield* api.ask(201, "POST", "/repos/cat/vault/milestones", { ...cat, body: { title: "x" } })
        const comment = yield* api.ask(201, "POST", "/repos/cat/vault/issues/1/comments", {
          ...cat,
          body: { body: "x" }
        })
        const missed = yield* Effect.forEach(
          [
            ["POST", `${at}/issues/1/labels`, { labels: [label.id] }],
            ["DELETE", `${at}/issues/1/labels/${label.id}`, undefined],
            ["GET", `${at}/labels/${label.id}`, undefined],
            ["PATCH", `${at}/issues/1`, { milestone: milestone.id }],
            ["GET", `${at}/milestones/${milestone.id}`, undefined],
            ["GET", `${at}/issues/comments/${comment.id}`, undefined],
            ["PATCH", `${at}/issues/comments/${comment.id}`, { body: "y" }]
          ] as const,
          ([method, path, body]) => api.send(method, path, { ...cat, ...(body === undefined ? {} : { body }) })
        )
        // An id in a body is 422, like an unknown one.
        expect(missed.map(({ status }) => status)).toEqual([422, 404, 404, 422, 404, 404, 404])
      })
  )
})

describe("details of issues", () => {
  it.live("changes appear in the timeline, in their order", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* open(api, "The door")
      yield* open(api, "The window")
      const { id } = yield* api.ask(201, "POST", `${at}/issues/1/comments`, { ...eve, body: { body: "see #2" } })
      yield* api.ask(201, "PATCH", `${at}/issues/1`, { ...bob, body: { title: "A door", state: "closed" } })
      yield* api.ask(204, "PUT", `${at}/issues/1/lock`, { ...bob, body: { lock_reason: "spam" } })
      const told = yield* api.ask(200, "GET", `${at}/issues/1/timeline`, eve)
      expect(told).toMatchObject([
        { type: "comment", id, body: "see #2", user: { login: "eve" } },
        { type: "change_title", old_title: "The door", new_title: "A door" },
        { type: "close", user: { login: "bob" } },
        { type: "lock", body: "Spam" }
      ])
      const other = yield* api.ask(200, "GET", `${at}/issues/2/timeline`, eve)
      expect(other).toMatchObject([{ type: "comment_ref", ref_issue: { number: 1 }, ref_comment: { id } }])
      // Only users with write permission comment on a locked conversation.
      expect((yield* api.send("POST", `${at}/issues/1/comments`, { ...eve, body: { body: "more" } })).status).toBe(403)
      yield* api.ask(201, "POST", `${at}/issues/1/comments`, { ...cat, body: { body: "more" } })
    })
  )

  it.live("dependencies can't be circular, and must be closed first", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const title of ["One", "Two", "Three"]) yield* open(api, title)
      const depend = (issue: number, index: number) =>
        api.send("POST", `${at}/issues/${issue}/dependencies`, { ...bob, body: { owner: "bob", repo: "site", index } })
      expect((yield* depend(1, 2)).status).toBe(201)
      expect((yield* depend(2, 3)).status).toBe(201)
      expect([(yield* depend(3, 1)).status, (yield* depend(1, 1)).status]).toEqual([422, 422])
      expect(numbers(yield* api.ask(200, "GET", `${at}/issues/1/dependencies`, eve))).toEqual([2])
      expect(numbers(yield* api.ask(200, "GET", `${at}/issues/3/blocks`, eve))).toEqual([2])
      expect((yield* api.send("PATCH", `${at}/issues/2`, { ...bob, body: { state: "closed" } })).status).toBe(412)
      yield* api.ask(201, "PATCH", `${at}/issues/3`, { ...bob, body: { state: "closed" } })
      yield* api.ask(201, "PATCH", `${at}/issues/2`, { ...bob, body: { state: "closed" } })
    })
  )

  it.live("pins have an order, and are limited to three", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const title of ["One", "Two", "Three", "Four"]) yield* open(api, title)
      for (const number of [1, 2, 3]) yield* api.ask(204, "POST", `${at}/issues/${number}/pin`, bob)
      expect((yield* api.send("POST", `${at}/issues/4/pin`, bob)).status).toBe(409)
      expect(yield* api.ask(200, "GET", `${at}/new_pin_allowed`, eve)).toEqual({ issues: false, pull_requests: true })
      yield* api.ask(204, "PATCH", `${at}/issues/3/pin/1`, bob)
      expect(numbers(yield* api.ask(200, "GET", `${at}/issues/pinned`, eve))).toEqual([3, 1, 2])
      yield* api.ask(204, "DELETE", `${at}/issues/1/pin`, bob)
      expect(numbers(yield* api.ask(200, "GET", `${at}/issues/pinned`, eve))).toEqual([3, 2])
    })
  )

  it.live("invalid values are rejected", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* open(api, "One")
      const statuses = yield* Effect.forEach(
        [
          ["POST", `${at}/issues`, { title: "x".repeat(256) }],
          ["POST", `${at}/issues`, { title: "" }],
          ["POST", `${at}/issues/1/labels`, { labels: Array.from({ length: 10_000 }, (_, at) => at) }],
          ["POST", `${at}/issues/1/deadline`, { due_date: "0000-01-01T00:00:00Z" }],
          ["POST", `${at}/issues/1/comments`, { body: "" }]
        ] as const,
        ([method, path, body]) => Effect.map(api.send(method, path, { ...bob, body }), ({ status }) => status)
      )
      expect(statuses).toEqual([422, 422, 422, 422, 422])
      expect((yield* api.send("PATCH", `${at}/issues/9/comments/1`, { ...bob, body: { body: "x" } })).status).toBe(404)
    })
  )

  it.live("predefined label sets are listed with their labels", () =>
    Effect.gen(function* () {
      const api = yield* site
      expect(yield* api.ask(200, "GET", "/label/templates")).toEqual(["Default", "Advanced"])
      const [first] = yield* api.ask(200, "GET", "/label/templates/Advanced")
      expect(first).toEqual({
        name: "kind/bug",
        color: "d73a4a",
        description: "Something does not work as intended",
        exclusive: true
      })
      for (const name of ["constructor", "none"]) {
        expect((yield* api.send("GET", `/label/templates/${name}`)).status).toBe(404)
      }
    })
  )
})
