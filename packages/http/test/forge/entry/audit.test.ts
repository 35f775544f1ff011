import { describe, expect, it } from "@effect/vitest"
import { missing, newIssueIn, repositoryAt } from "@slipway/testkit/forge"
import { DateTime, Effect } from "effect"
import { basic, bearer, password, type Service, start } from "../support/harness.ts"

const root = { headers: basic("root") }
const ann = { headers: basic("ann") }
const bob = { headers: basic("bob") }
const eve = { headers: basic("eve") }

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("root", { admin: true })
  for (const name of ["ann", "bob", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme", visibility: "private" } })
  const crew = { name: "crew", permission: "read", units: ["repo.code"] }
  const team = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...ann, body: crew })
  yield* api.ask(204, "PUT", `/teams/${team.id}/members/bob`, ann)
  for (const name of ["open", "shut"]) {
    yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name, private: name === "shut" } })
  }
  yield* api.ask(204, "PUT", `/teams/${team.id}/repos/acme/open`, ann)
  return { api, team: team.id as number }
})

interface Shown {
  readonly action: string
  readonly outcome: string
  readonly refused_by: string | null
  readonly subject: { readonly kind: string; readonly id: number | null; readonly name: string }
}

const brief = ({ action, outcome, refused_by, subject }: Shown) =>
  [outcome, action, `${subject.kind}:${subject.name}`, refused_by].filter((part) => part !== null).join(" ")

const log = (api: Service, path: string, who: typeof ann) =>
  Effect.map(api.ask(200, "GET", path, who), (rows: ReadonlyArray<Shown>) => rows.map(brief))

describe("the audit log", () => {
  it.live("reports the actions in an organization to its owners, and to no other caller", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      expect(yield* log(api, "/orgs/acme/audit", ann)).toEqual([
        "done team.repository.add repository:acme/open",
        "done organization.repository.create repository:acme/shut",
        "done organization.repository.create repository:acme/open",
        "done team.member.add team:crew",
        "done organization.team.create team:crew",
        "done organization.create organization:acme"
      ])
      expect((yield* api.send("GET", "/orgs/acme/audit", bob)).status).toBe(403)
      expect((yield* api.send("GET", "/orgs/acme/audit", eve)).status).toBe(404)
      expect((yield* api.send("GET", "/orgs/acme/audit")).status).toBe(404)
      expect((yield* api.send("GET", "/admin/audit", ann)).status).toBe(403)
    })
  )

  it.live("contains the actor, the subject, the credential and the address", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const token = yield* api.mint("ann", ["write:organization"])
      yield* api.ask(200, "PATCH", "/orgs/acme", { headers: bearer(token), body: { description: "d" } })
      yield* api.ask(200, "PATCH", "/orgs/acme?sudo=ann", {
        headers: { ...basic("root"), "x-forwarded-for": "2001:db8::77" },
        body: { description: "e" }
      })
      const [bySudo, byToken] = yield* api.ask(200, "GET", "/orgs/acme/audit?action=organization.edit", ann)
      expect(byToken).toMatchObject({
        actor: { login: "ann" },
        signed_in_as: null,
        credential: "token",
        token: { name: expect.any(String) },
        details: { fields: "description" }
      })
      expect(bySudo).toMatchObject({
        actor: { login: "ann" },
        signed_in_as: { login: "root" },
        credential: "password",
        token: null,
        address: "2001:db8::77"
      })
    })
  )

  it.live("records rejected callers once a minute, without names that are hidden from them", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site
      for (const _ of [1, 2, 3]) yield* api.ask(403, "PATCH", "/orgs/acme", { ...bob, body: {} })
      yield* api.ask(404, "GET", "/orgs/acme", eve)
      yield* api.ask(404, "DELETE", `/teams/${team}`, bob)
      yield* api.ask(401, "GET", "/user")
      expect(yield* log(api, "/orgs/acme/audit?actor=BOB", ann)).toEqual([
        "refused organization.edit organization:acme organization-owner"
      ])
      expect(yield* log(api, "/admin/audit?actor=eve", root)).toEqual(["refused organization.read site: org-visible"])
      expect(yield* log(api, "/admin/audit?actor=bob", root)).toEqual([
        "refused team.delete site: organization-owner",
        "refused organization.edit organization:acme organization-owner"
      ])
    })
  )

  it.live("is paginated, counted and filtered by time", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const page = yield* api.send("GET", "/orgs/acme/audit?limit=2&page=2", ann)
      expect([
        page.json.length,
        page.headers.get("x-total-count"),
        page.headers.get("link")?.includes("page=3")
      ]).toEqual([2, "6", true])
      expect(yield* log(api, "/orgs/acme/audit?since=2100-01-01T00:00:00Z", ann)).toEqual([])
      expect(yield* log(api, "/orgs/acme/audit?until=2000-01-01T00:00:00Z", ann)).toEqual([])
      expect(yield* log(api, "/orgs/acme/audit?since=2000-01-01T00:00:00%2B02:00", ann)).toHaveLength(6)
      expect((yield* api.send("GET", "/orgs/acme/audit?since=yesterday", ann)).json.message).toMatch(/^\[since\]: /)
    })
  )

  it.live("I15: contains no secret of a request", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const secrets: Array<string> = ["another good secret", password]
      yield* api.ask(201, "POST", "/admin/users", {
        ...root,
        body: { username: "zoe", email: "zoe@example.com", password: secrets[0] }
      })
      yield* api.ask(200, "PATCH", "/admin/users/zoe", { ...root, body: { password: secrets[0] } })
      const made = yield* api.ask(201, "POST", "/users/ann/tokens", { ...ann, body: { name: "t", scopes: ["all"] } })
      secrets.push(made.sha1)
      const factor = yield* api.ask(201, "POST", "/user/second_factor", eve)
      secrets.push(factor.secret)
      const { text } = yield* api.send("GET", "/admin/audit?limit=50", root)
      for (const secret of secrets) expect(text).not.toContain(secret)
      expect(text).toContain("user.token.create")
      expect(text).toContain("account.second-factor.enrol")
    })
  )

  it.live("records nothing for changes that were rolled back", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site
      const before = yield* log(api, "/admin/audit?limit=50", root)
      yield* api.ask(200, "PATCH", `/teams/${team}?dry_run=true`, { ...ann, body: { permission: "admin" } })
      yield* api.ask(422, "POST", "/orgs/acme/repos", { ...ann, body: { name: "open" } })
      yield* api.ask(403, "DELETE", "/teams/1/members/ann", ann)
      expect(yield* log(api, "/admin/audit?limit=50", root)).toEqual(before)
    })
  )
})

describe("feeds", () => {
  const content = (rows: ReadonlyArray<Record<string, Record<string, string>>>) =>
    rows.map(({ act_user, op_type, repo }) => `${act_user?.login ?? "-"} ${op_type} ${repo?.full_name}`)
  const feed = (api: Service, path: string, who: Partial<typeof ann> = {}) =>
    Effect.map(api.send("GET", path, who), ({ headers, json }) => [content(json), headers.get("x-total-count")])

  it.live("contain events of readable repositories, by day", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site
      yield* api.ask(200, "PATCH", "/orgs/acme", { ...ann, body: { visibility: "public" } })
      yield* api.ask(200, "PATCH", "/repos/acme/open", { ...ann, body: { name: "wide" } })
      const path = "/orgs/acme/activities/feeds"
      const open = ["ann rename_repo acme/wide", "ann create_repo acme/wide"]
      expect(yield* feed(api, path, ann)).toEqual([[open[0], "ann create_repo acme/shut", open[1]], "3"])
      // I9, I10: neither the list nor its total reveals the private one.
      for (const who of [bob, eve, {}]) expect(yield* feed(api, path, who)).toEqual([open, "2"])
      expect(yield* feed(api, `/teams/${team}/activities/feeds`, bob)).toEqual([open, "2"])
      const today = DateTime.formatIso(yield* DateTime.now).slice(0, 10)
      expect((yield* feed(api, `${path}?date=${today}`, eve))[1]).toBe("2")
      expect((yield* feed(api, `${path}?date=2001-01-01`, eve))[1]).toBe("0")
      const wrong = yield* api.send("GET", `${path}?date=today`, eve)
      expect([wrong.status, wrong.json.message]).toEqual([422, "[date]: must be a day, such as 2030-01-31"])
      const publicOnly = { headers: bearer(yield* api.mint("ann", ["all", "public-only"])) }
      expect(yield* feed(api, path, publicOnly)).toEqual([open, "2"])
    })
  )

  it.live("contain pushes for callers who can read the code (I10)", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const write = { content: Buffer.from("a").toString("base64"), message: "write", branch: "main" }
      yield* api.ask(201, "POST", "/repos/acme/shut/contents/a.txt", { ...ann, body: write })
      yield* api.ask(201, "POST", "/repos/acme/shut/tags", { ...ann, body: { tag_name: "v1" } })
      yield* api.ask(204, "DELETE", "/repos/acme/shut/tags/v1", ann)
      const path = "/repos/acme/shut/activities/feeds"
      const pushes = ["delete_tag", "push_tag", "commit_repo"].map((op) => `ann ${op} acme/shut`)
      const all = [...pushes, "ann create_repo acme/shut"]
      expect(yield* feed(api, path, ann)).toEqual([all, "4"])
      const rows = yield* api.ask(200, "GET", path, ann)
      expect(rows.map(({ ref_name }: Record<string, string>) => ref_name)).toEqual([
        "refs/tags/v1",
        "refs/tags/v1",
        "refs/heads/main",
        ""
      ])
      const pushed = JSON.parse(rows[2].content)
      const listed = {
        Message: "write",
        AuthorName: "ann",
        AuthorEmail: "ann@example.com",
        Timestamp: expect.any(String)
      }
      expect(pushed).toMatchObject({ Len: 1, CompareURL: "", Commits: [listed], HeadCommit: listed })
      expect(pushed.HeadCommit.Sha1).toMatch(/^[0-9a-f]{40}$/)
      // Users and repositories are as complete as elsewhere.
      expect(rows[2].act_user).toEqual(yield* api.ask(200, "GET", "/users/ann", ann))
      expect(rows[2].repo).toEqual(yield* api.ask(200, "GET", "/repos/acme/shut", ann))
      expect((yield* feed(api, "/users/ann/activities/feeds", ann))[0]).toEqual(expect.arrayContaining(pushes))
      expect((yield* feed(api, "/orgs/acme/activities/feeds", ann))[0]).toEqual(expect.arrayContaining(pushes))
      yield* api.ask(404, "GET", path, eve)
      yield* api.ask(404, "GET", path)
      const scribes = { name: "scribes", units_map: { "repo.wiki": "read" }, includes_all_repositories: true }
      const made = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...ann, body: scribes })
      yield* api.ask(204, "PUT", `/teams/${made.id}/members/eve`, ann)
      expect(yield* feed(api, path, eve)).toEqual([["ann create_repo acme/shut"], "1"])
      for (const of of [`/teams/${made.id}`, "/orgs/acme"]) {
        const told = (yield* feed(api, `${of}/activities/feeds`, eve))[0] as ReadonlyArray<string>
        expect(told.filter((each) => pushes.includes(each))).toEqual([])
      }
    })
  )

  it.live("are visible only to the user if their activity is hidden", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      yield* api.ask(201, "POST", "/user/repos", { ...eve, body: { name: "one" } })
      yield* api.ask(201, "POST", "/user/repos", { ...eve, body: { name: "two", private: true } })
      const path = "/users/eve/activities/feeds"
      const own = ["eve create_repo eve/two", "eve create_repo eve/one"]
      expect(yield* feed(api, path, eve)).toEqual([own, "2"])
      expect(yield* feed(api, path, bob)).toEqual([[own[1]], "1"])
      yield* api.ask(200, "PATCH", "/user/settings", { ...eve, body: { hide_activity: true } })
      expect(yield* feed(api, path, bob)).toEqual([[], "0"])
      expect(yield* feed(api, path, root)).toEqual([own, "2"])
    })
  )
})

describe("explain", () => {
  it.live("returns the deciding rules to administrators of the resource", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site
      const ask = (who: typeof ann, query: Record<string, string>) =>
        api.send("GET", `/access/explain?${new URLSearchParams(query)}`, who)
      const read = { action: "repository.read", resource: "repo:acme/open" }
      const allowed = yield* ask(ann, { ...read, user: "bob" })
      expect(allowed.json).toMatchObject({
        user: { login: "bob" },
        allowed: true,
        status: 200,
        rules: ["repository.team", "repository.public"],
        teams: ["crew"]
      })
      const hidden = yield* ask(ann, { ...read, user: "eve" })
      expect(hidden.json).toMatchObject({ allowed: false, status: 404, teams: [] })
      expect(hidden.json.path.at(-1)).toMatchObject({ stage: "visibility", passed: false })
      const anonymous = yield* ask(ann, read)
      expect(anonymous.json).toMatchObject({ user: null, allowed: false, status: 404 })
      const change = yield* ask(root, { action: "team.edit", resource: `team:${team}`, user: "bob" })
      expect(change.json).toMatchObject({ allowed: false, status: 404, teams: ["crew"] })
      expect((yield* ask(eve, { action: "user.read", resource: "user:eve" })).json).toMatchObject({ allowed: true })
      expect((yield* ask(root, { action: "version.read", resource: "site" })).json.allowed).toBe(true)
      const { id } = yield* api.within(Effect.orDie(repositoryAt("acme/open")))
      const { number } = yield* api.within(newIssueIn(id, missing, "Whose is it?"))
      const issue = { action: "issue.edit", resource: `issue:acme/open#${number}`, user: "bob" }
      expect((yield* ask(ann, issue)).json).toMatchObject({ allowed: false, status: 403, teams: ["crew"] })
      const absent = yield* ask(ann, { ...issue, resource: "issue:acme/open#7" })
      expect(absent.json).toMatchObject({ allowed: false, status: 404, rules: ["item.missing"] })
      // Only the blocking user and site administrators learn about a block.
      yield* api.ask(204, "PUT", "/user/blocks/ann", eve)
      const added = { action: "team.member.add", resource: `team:${team}/eve`, user: "ann" }
      for (const who of [ann, root]) {
        expect((yield* ask(who, added)).json).toMatchObject({ allowed: false, status: 403, rules: ["member.blocks"] })
      }
      expect((yield* ask(ann, { ...added, user: "bob" })).status).toBe(422)
      // The explanation matches the actual responses.
      yield* api.ask(200, "GET", "/repos/acme/open", bob)
      yield* api.ask(404, "GET", "/repos/acme/open", eve)
    })
  )

  it.live("returns 404 to other users for existing and missing resources, and names an invalid field", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site
      const ask = (who: Partial<typeof ann>, query: Record<string, string>) =>
        Effect.map(api.send("GET", `/access/explain?${new URLSearchParams(query)}`, who), ({ json, status }) => [
          status,
          json.message
        ])
      const missing = [404, "Not Found"]
      const about = { action: "organization.read", resource: "org:acme" }
      const none = yield* ask(eve, { ...about, resource: "org:nothing" })
      for (const who of [bob, eve]) expect(yield* ask(who, about)).toEqual(none)
      expect(none[0]).toBe(missing[0])
      expect(yield* ask(eve, { action: "team.read", resource: `team:${team}` })).toEqual(none)
      expect(yield* ask(eve, { action: "site", resource: "site" })).toEqual([
        422,
        "[action]: must be an action of the access tables"
      ])
      expect(yield* ask(eve, { action: "version.read", resource: "site" })).toEqual(none)
      expect((yield* ask({}, about))[0]).toBe(401)
      expect((yield* ask(ann, { ...about, resource: "acme" }))[1]).toMatch(/^\[resource\]: must be org:<name>/)
      expect((yield* ask(ann, { ...about, action: "team.read" }))[1]).toBe(
        "[action]: is about another resource type: team"
      )
      expect(yield* ask(ann, { ...about, user: "nobody" })).toEqual([422, "[user]: `nobody` does not exist"])
      for (const action of ["constructor", "__proto__", ""])
        expect((yield* ask(ann, { ...about, action }))[0]).toBe(422)
    })
  )
})
