import { describe, expect, it } from "@effect/vitest"
import { Jobs } from "@slipway/forge/background"
import { Effect } from "effect"
import { basic, bearer, type Service, start } from "../support/harness.ts"

// Classes of bugs as in bug-classes.test.ts, for issues. B4 and B5 are in issues.test.ts, conversations.test.ts and
// notifications.test.ts, B11 in spoken.test.ts, B16 in bug-classes.test.ts.

const as = (name: string) => ({ headers: basic(name) })
const [ann, bob, eve] = [as("ann"), as("bob"), as("eve")]

/** An organization of Ann's with a public and a private repository, each with an issue. */
const site = Effect.fnUntraced(function* (visibility = "public") {
  const api = yield* start()
  for (const name of ["ann", "bob", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme", visibility } })
  for (const [name, hidden] of [
    ["open", false],
    ["shut", true]
  ] as const) {
    yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name, private: hidden } })
    yield* api.ask(201, "POST", `/repos/acme/${name}/issues`, { ...ann, body: { title: `The ${name} door` } })
  }
  return api
})

const found = (api: Service, query: string, who: { readonly headers?: Record<string, string> }) =>
  Effect.map(api.send("GET", `/repos/issues/search?state=all&${query}`, who), ({ headers, json, status }) => [
    status,
    status === 200 ? json.map(({ title }: { title: string }) => title) : [],
    headers.get("x-total-count")
  ])

describe("bug classes on issues", () => {
  it.live("B3: only signed-in users find issues of a limited owner, also in searches and counts", () =>
    Effect.gen(function* () {
      const api = yield* site("limited")
      const publicOnly = { headers: bearer(yield* api.mint("bob", ["all", "public-only"])) }
      expect(yield* found(api, "", bob)).toEqual([200, ["The open door"], "1"])
      for (const who of [{}, publicOnly]) expect(yield* found(api, "", who)).toEqual([200, [], "0"])
      for (const path of ["issues", "issues/1", "issues/1/timeline", "issues/comments", "labels", "milestones"]) {
        const answer = (where: string, who: { readonly headers?: Record<string, string> }) =>
          Effect.map(api.send("GET", `/repos/acme/${where}/${path}`, who), ({ status, text }) => [status, text])
        expect([path, yield* answer("open", {})]).toEqual([path, yield* answer("none", {})])
        expect([path, (yield* answer("open", publicOnly))[0]]).toEqual([path, 403])
        expect([path, (yield* answer("open", bob))[0]]).toEqual([path, 200])
      }
    })
  )

  it.live("B6: no route with a weaker check changes labels, milestones or states, or comments on a locked issue", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const at = "/repos/acme/open"
      const label = yield* api.ask(201, "POST", `${at}/labels`, { ...ann, body: { name: "bug", color: "f00" } })
      const milestone = yield* api.ask(201, "POST", `${at}/milestones`, { ...ann, body: { title: "One" } })
      const sorting = {
        labels: [label.id],
        milestone: milestone.id,
        assignees: ["ann"],
        due_date: "2030-01-01T00:00:00Z"
      }
      const own = yield* api.ask(201, "POST", `${at}/issues`, { ...eve, body: { title: "Mine", ...sorting } })
      yield* api.ask(201, "PATCH", `${at}/issues/${own.number}`, { ...eve, body: { body: "x", ...sorting } })
      expect(yield* api.ask(200, "GET", `${at}/issues/${own.number}`)).toMatchObject({
        labels: [],
        milestone: null,
        assignees: null,
        due_date: null
      })
      const refused = [
        ["PATCH", "issues/1", { state: "closed" }],
        ["PATCH", "issues/1", { title: "Eve's" }],
        ["POST", "issues/2/labels", { labels: ["bug"] }],
        ["PUT", "issues/2/labels", { labels: ["bug"] }],
        ["POST", "issues/2/assignees", { assignees: ["eve"] }],
        ["POST", "issues/2/deadline", { due_date: "2030-01-01T00:00:00Z" }],
        ["POST", "issues/2/pin", undefined],
        ["PUT", "issues/2/lock", {}],
        ["POST", "labels", { name: "x", color: "f00" }],
        ["POST", "milestones", { title: "x" }],
        ["DELETE", "issues/2", undefined]
      ] as const
      for (const [method, path, body] of refused) {
        const { status } = yield* api.send(method, `${at}/${path}`, { ...eve, ...(body && { body }) })
        expect([method, path, status]).toEqual([method, path, 403])
      }
      const said = yield* api.ask(201, "POST", `${at}/issues/2/comments`, { ...eve, body: { body: "before" } })
      yield* api.ask(204, "PUT", `${at}/issues/2/lock`, { ...ann, body: {} })
      for (const [method, path, body] of [
        ["POST", "issues/2/comments", { body: "x" }],
        ["POST", "issues/2/reactions", { content: "heart" }],
        ["POST", `issues/comments/${said.id}/reactions`, { content: "heart" }]
      ] as const) {
        const { status } = yield* api.send(method, `${at}/${path}`, { ...eve, body })
        expect([method, path, status]).toEqual([method, path, 403])
      }
    })
  )

  it.live("B12: no response, number or reference reveals an issue that the caller can't read", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const paths = [
        "issues",
        "issues/1",
        "issues/1/comments",
        "issues/1/timeline",
        "issues/1/assets",
        "issues/1/reactions",
        "issues/1/subscriptions",
        "issues/comments/1",
        "issues/pinned",
        "issue_config",
        "new_pin_allowed",
        "assignees/ann",
        "stargazers",
        "subscribers"
      ]
      for (const who of [eve, {}]) {
        for (const path of paths) {
          const answers = yield* Effect.forEach(["acme/shut", "acme/none"], (where) =>
            Effect.map(api.send("GET", `/repos/${where}/${path}`, who), ({ headers, status, text }) => ({
              status,
              text,
              names: [...headers.keys()]
            }))
          )
          expect([path, answers[0]?.status]).toEqual([path, 404])
          expect([path, answers[0]]).toEqual([path, answers[1]])
        }
      }
      // A text that names the hidden issue adds no timeline entry there, and no link here.
      const named = { ...eve, body: { title: "Look", body: "acme/shut#1 and acme/none#1" } }
      yield* api.ask(201, "POST", "/repos/acme/open/issues", named)
      expect(yield* api.ask(200, "GET", "/repos/acme/shut/issues/1/timeline", ann)).toEqual([])
      const text = { Text: "acme/shut#1 acme/none#1", Mode: "comment", Context: "acme/open" }
      const html = (yield* api.send("POST", "/markdown", { ...eve, body: text })).text
      expect(html).not.toContain("<a")
      expect((yield* api.send("POST", "/markdown", { ...ann, body: text })).text).toContain("/acme/shut/issues/1")
    })
  )

  it.live("B15: a search through an organization checks each of its repositories", () =>
    Effect.gen(function* () {
      const api = yield* site()
      expect(yield* found(api, "owner=acme", bob)).toEqual([200, ["The open door"], "1"])
      const crew = yield* api.ask(201, "POST", "/orgs/acme/teams", {
        ...ann,
        body: { name: "crew", units_map: { "repo.code": "read" }, includes_all_repositories: true }
      })
      yield* api.ask(204, "PUT", `/teams/${crew.id}/members/bob`, ann)
      // Read access to the code does not include the issues.
      yield* api.ask(200, "GET", "/repos/acme/shut", bob)
      expect(yield* found(api, "owner=acme", bob)).toEqual([200, ["The open door"], "1"])
      expect(yield* found(api, "owner=acme&team=crew", bob)).toEqual([200, ["The open door"], "1"])
      expect(yield* found(api, "owner=acme", ann)).toEqual([200, ["The shut door", "The open door"], "2"])
    })
  )
})

describe("timelines and notifications of pull requests", () => {
  it.live("name the requested team only to callers who can see the team, and contain the merge", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const at = "/repos/acme/open"
      const file = (more: object) => ({ ...ann, body: { content: Buffer.from("a").toString("base64"), ...more } })
      yield* api.ask(201, "POST", `${at}/contents/a.txt`, file({ branch: "main" }))
      yield* api.ask(201, "POST", `${at}/contents/b.txt`, file({ branch: "main", new_branch: "more" }))
      const crew = yield* api.ask(201, "POST", "/orgs/acme/teams", {
        ...ann,
        body: {
          name: "crew",
          units_map: { "repo.pulls": "read", "repo.code": "read" },
          includes_all_repositories: true
        }
      })
      yield* api.ask(204, "PUT", `/teams/${crew.id}/members/bob`, ann)
      const { number } = yield* api.ask(201, "POST", `${at}/pulls`, {
        ...ann,
        body: { title: "More", head: "more", base: "main" }
      })
      yield* api.ask(200, "PUT", `${at}/subscription`, bob)
      const asking = { ...ann, body: { team_reviewers: ["crew"] } }
      yield* api.ask(201, "POST", `${at}/pulls/${number}/requested_reviewers`, asking)
      const teams = (who: typeof bob) =>
        Effect.map(api.ask(200, "GET", `${at}/issues/${number}/timeline`, who), (rows) =>
          rows.flatMap(({ assignee_team, type }: { assignee_team: { name: string } | null; type: string }) =>
            type === "review_request" ? [assignee_team?.name] : []
          )
        )
      expect([yield* teams(ann), yield* teams(bob), yield* teams(eve)]).toEqual([["crew"], ["crew"], [undefined]])
      yield* api.ask(201, "POST", `${at}/issues/${number}/comments`, { ...ann, body: { body: "Look" } })
      yield* api.within(Jobs.runDue)
      const state = Effect.map(api.ask(200, "GET", "/notifications", bob), ([thread]) => [
        thread.subject.type,
        thread.subject.state
      ])
      expect(yield* state).toEqual(["Pull", "open"])
      yield* api.ask(200, "POST", `${at}/pulls/${number}/merge`, { ...ann, body: { Do: "merge" } })
      expect(yield* state).toEqual(["Pull", "merged"])
    })
  )
})
