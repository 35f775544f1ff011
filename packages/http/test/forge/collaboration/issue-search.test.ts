import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"

const as = (name: string) => ({ headers: basic(name) })
const [bob, cat, eve] = [as("bob"), as("cat"), as("eve")]

// List parameters of one repository are in issues.test.ts; this file tests the search through all repositories.
it.live("the search through all repositories accepts all parameters and sort orders", () =>
  Effect.gen(function* () {
    const api = yield* start()
    for (const name of ["bob", "cat", "eve"]) yield* api.user(name)
    yield* api.ask(201, "POST", "/orgs", { ...bob, body: { username: "acme" } })
    const ids: Record<string, number> = {}
    for (const [path, home] of [
      ["/user/repos", "bob/site"],
      ["/orgs/acme/repos", "acme/plan"]
    ] as const) {
      const { id } = yield* api.ask(201, "POST", path, { ...bob, body: { name: home.split("/")[1] } })
      ids[home] = id
      yield* api.ask(204, "PUT", `/repos/${home}/collaborators/cat`, { ...bob, body: { permission: "write" } })
    }
    const crew = yield* api.ask(201, "POST", "/orgs/acme/teams", {
      ...bob,
      body: { name: "crew", units_map: { "repo.issues": "read", "repo.pulls": "read" } }
    })
    yield* api.ask(204, "PUT", `/teams/${crew.id}/repos/acme/plan`, bob)
    const at = "/repos/bob/site"
    const file = (more: object) => ({ ...bob, body: { content: "YQ==", branch: "main", ...more } })
    yield* api.ask(201, "POST", `${at}/contents/a.txt`, file({}))
    yield* api.ask(201, "POST", `${at}/contents/b.txt`, file({ new_branch: "more" }))
    yield* api.ask(201, "POST", `${at}/pulls`, { ...bob, body: { title: "Oil", head: "more", base: "main" } })
    yield* api.ask(201, "POST", `${at}/pulls/1/requested_reviewers`, { ...bob, body: { reviewers: ["cat"] } })
    const label = yield* api.ask(201, "POST", `${at}/labels`, { ...bob, body: { name: "bug", color: "f00" } })
    yield* api.ask(201, "POST", `${at}/milestones`, { ...bob, body: { title: "One" } })
    const open = (home: string, who: typeof bob, body: object) =>
      api.ask(201, "POST", `/repos/${home}/issues`, { ...who, body })
    yield* open("bob/site", bob, {
      title: "A door",
      labels: [label.id],
      milestone: 1,
      due_date: "2031-01-01T00:00:00Z"
    })
    yield* open("bob/site", eve, { title: "A window", body: "for @cat" })
    yield* open("acme/plan", bob, { title: "A roof", assignees: ["cat"], due_date: "2030-01-01T00:00:00Z" })
    yield* open("acme/plan", bob, { title: "A wall", closed: true })
    yield* api.ask(201, "POST", `${at}/issues/3/comments`, { ...bob, body: { body: "and the door" } })

    const found = (query: string, who = cat) =>
      Effect.map(api.send("GET", `/repos/issues/search?${query}`, who), ({ headers, json }) => {
        expect([query, headers.get("x-total-count")]).toEqual([query, String(json.length)])
        return json.map(({ title }: { title: string }) => title)
      })
    const [oil, door, window, roof, wall] = ["Oil", "A door", "A window", "A roof", "A wall"]
    const cases: ReadonlyArray<readonly [query: string, titles: ReadonlyArray<string | undefined>]> = [
      ["", [roof, window, door, oil]],
      ["state=closed", [wall]],
      ["state=all", [wall, roof, window, door, oil]],
      ["type=pulls", [oil]],
      ["type=issues", [roof, window, door]],
      ["q=door", [door]],
      ["labels=bug", [door]],
      ["labels=-bug", [roof, window, oil]],
      ["milestones=one", [door]],
      ["since=2001-01-01T00:00:00Z&before=2101-01-01T00:00:00Z", [roof, window, door, oil]],
      ["before=2001-01-01T00:00:00Z", []],
      ["since=2101-01-01T00:00:00Z", []],
      ["created_by=eve", [window]],
      ["assigned_by=cat", [roof]],
      ["mentioned_by=cat", [window]],
      ["created=true", []],
      ["assigned=true", [roof]],
      ["mentioned=true", [window]],
      ["review_requested=true", [oil]],
      ["reviewed=true", []],
      ["owner=acme", [roof]],
      ["owner=bob", [window, door, oil]],
      ["owner=nobody-there", []],
      [`priority_repo_id=${ids["bob/site"]}`, [window, door, oil, roof]],
      ["sort=oldest", [oil, door, window, roof]],
      ["sort=mostcomment", [window, roof, door, oil]],
      ["sort=leastcomment", [oil, door, roof, window]],
      ["sort=nearduedate", [roof, door, oil, window]],
      ["sort=farduedate", [door, roof, window, oil]]
    ]
    for (const [query, titles] of cases) expect([query, yield* found(query)]).toEqual([query, titles])
    expect(yield* found("created=true", eve)).toEqual([window])
    expect(yield* found("owner=acme&team=crew", bob)).toEqual([roof])
    expect(yield* found("owner=acme&team=none", bob)).toEqual([])
    yield* api.ask(200, "POST", `${at}/pulls/1/reviews`, { ...cat, body: { event: "APPROVED" } })
    expect([yield* found("reviewed=true"), yield* found("review_requested=true")]).toEqual([[oil], []])
    const second = yield* api.send("GET", "/repos/issues/search?state=all&limit=2&page=2", cat)
    expect(second.json.map(({ title }: { title: string }) => title)).toEqual([window, door])
    expect(second.headers.get("x-total-count")).toBe("5")
  })
)
