import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, type Service, start } from "../support/harness.ts"

// The classes of bugs that code forges had repeatedly, B1 to B16. B2 to B5 are in organizations.test.ts, B7 in the
// tests of SSH and of lent branches (many refs in one push), and B14 in pulls.test.ts.

const root = { headers: basic("root") }
const ann = { headers: basic("ann") }
const bob = { headers: basic("bob") }
const eve = { headers: basic("eve") }

const team = (api: Service, body: Record<string, unknown>, ...members: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const made = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...ann, body })
    for (const member of members) yield* api.ask(204, "PUT", `/teams/${made.id}/members/${member}`, ann)
    return made.id as number
  })

const repository = (api: Service, body: Record<string, unknown>) =>
  api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body })

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("root", { admin: true })
  for (const name of ["ann", "bob", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
  return api
})

const levels = (api: Service, path: string, name: string) =>
  Effect.map(
    api.ask(200, "GET", `/repos/${path}/collaborators/${name}/permission`, ann),
    (held: { readonly permission: string; readonly units: Record<string, string> }) => held
  )

describe("a private account without a relation to a resource (I9)", () => {
  it.live("is reported as missing to the owner of the resource, until the account gets access to the resource", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.user("hidden", { visibility: "private" })
      yield* repository(api, { name: "one", private: true })
      const asks = (name: string) => [
        `/repos/acme/one/collaborators/${name}/permission`,
        ...["repository.read&resource=repo:acme/one", "organization.read&resource=org:acme"].map(
          (what) => `/access/explain?user=${name}&action=${what}`
        )
      ]
      const answers = (name: string) =>
        Effect.forEach(asks(name), (path) =>
          Effect.map(api.send("GET", path, ann), ({ json, status }) => [
            status,
            JSON.stringify(json).replaceAll(name, "?")
          ])
        )
      const hidden = yield* answers("hidden")
      expect(hidden).toEqual(yield* answers("nobody"))
      expect(hidden.map(([status]) => status)).toEqual([404, 422, 422])
      expect((yield* answers("eve")).map(([status]) => status)).toEqual([200, 200, 200])
      yield* team(api, { name: "crew", permission: "read", units: ["repo.code"], includes_all_repositories: true })
      const { id } = (yield* api.ask(200, "GET", "/orgs/acme/teams", ann)).find(
        (each: { name: string }) => each.name === "crew"
      )
      yield* api.ask(204, "PUT", `/teams/${id}/members/hidden`, root)
      expect((yield* answers("hidden")).map(([status]) => status)).toEqual([200, 200, 200])
    })
  )
})

describe("bug classes", () => {
  it.live("B1: a token has the same permissions in each header form and the URL, and is no valid password", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* repository(api, { name: "one", private: true })
      const token = yield* api.mint("ann", ["read:user"])
      const places = [
        { headers: bearer(token) },
        { headers: { authorization: `token ${token}` } },
        { headers: basic("ann", token) },
        { headers: basic(token, "x-oauth-basic") }
      ]
      for (const place of places) {
        expect((yield* api.send("GET", "/user", place)).status).toBe(200)
        expect((yield* api.send("GET", "/repos/acme/one", place)).status).toBe(403)
        expect((yield* api.send("GET", "/users/ann/tokens", place)).status).toBe(401)
      }
      expect((yield* api.send("GET", `/repos/acme/one?token=${token}`)).status).toBe(403)
    })
  )

  it.live("B6: no route with a weaker check creates a repository in an organization, or publishes one", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* team(
        api,
        { name: "crew", permission: "write", units: ["repo.code"], includes_all_repositories: true },
        "bob"
      )
      for (const path of ["/orgs/acme/repos", "/org/acme/repos"]) {
        yield* api.ask(403, "POST", path, { ...bob, body: { name: "mine" } })
      }
      yield* repository(api, { name: "shut", private: true })
      yield* api.ask(403, "PATCH", "/repos/acme/shut", { ...bob, body: { private: false } })
      expect((yield* api.ask(200, "GET", "/repos/acme/shut", bob)).private).toBe(true)
    })
  )

  it.live("B8: write permission is not admin, and levels are not accepted as numbers", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* repository(api, { name: "one" })
      yield* api.ask(204, "PUT", "/repos/acme/one/collaborators/bob", { ...ann, body: { permission: "write" } })
      yield* api.ask(403, "PATCH", "/repos/acme/one", { ...bob, body: { description: "x" } })
      yield* api.ask(403, "PUT", "/repos/acme/one/collaborators/eve", { ...bob, body: { permission: "read" } })
      yield* api.ask(403, "DELETE", "/repos/acme/one", bob)
      for (const permission of [4, 3, "4", "owner", "Admin", ["admin"]]) {
        yield* api.ask(422, "PUT", "/repos/acme/one/collaborators/eve", { ...ann, body: { permission } })
      }
    })
  )

  it.live("B9: a team gives access to its units, and to no other units", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* repository(api, { name: "one", private: true })
      const map = { "repo.issues": "write", "repo.wiki": "read" }
      const id = yield* team(api, { name: "crew", units_map: map }, "bob")
      yield* api.ask(204, "PUT", `/teams/${id}/repos/acme/one`, ann)
      expect((yield* levels(api, "acme/one", "bob")).units).toEqual(map)
      // A disabled unit is closed, whatever level a team has.
      yield* api.ask(200, "PATCH", "/repos/acme/one", { ...ann, body: { has_wiki: false } })
      expect((yield* levels(api, "acme/one", "bob")).units).toEqual({ "repo.issues": "write" })
    })
  )

  it.live("B10: a team of all repositories includes new ones, and former members lose access", () =>
    Effect.gen(function* () {
      const api = yield* site
      const id = yield* team(
        api,
        { name: "all", permission: "write", units: ["repo.code"], includes_all_repositories: true },
        "bob"
      )
      for (const [at, path] of ["/orgs/acme/repos", "/org/acme/repos"].entries()) {
        yield* api.ask(201, "POST", path, { ...ann, body: { name: `later-${at}`, private: true } })
        expect((yield* levels(api, `acme/later-${at}`, "bob")).permission).toBe("write")
      }
      yield* api.ask(204, "DELETE", `/teams/${id}/members/bob`, ann)
      yield* api.ask(404, "GET", "/repos/acme/later-0", bob)
      yield* api.ask(204, "PUT", `/teams/${id}/members/bob`, ann)
      yield* api.ask(200, "GET", "/repos/acme/later-0", bob)
      yield* api.ask(204, "DELETE", `/teams/${id}`, ann)
      yield* api.ask(404, "GET", "/repos/acme/later-0", bob)
    })
  )

  it.live("B11: pages are full and totals correct for each caller, since filtering precedes pagination", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (let n = 0; n < 12; n++) yield* repository(api, { name: `r${n}`, private: n % 3 !== 0 })
      const pages = Effect.fnUntraced(function* (who: Partial<typeof ann>) {
        const found: Array<string> = []
        for (const page of [1, 2, 3, 4, 5]) {
          const answer = yield* api.send("GET", `/orgs/acme/repos?limit=3&page=${page}`, who)
          found.push(`${answer.json.length} of ${answer.headers.get("x-total-count")}`)
        }
        return found
      })
      expect(yield* pages(ann)).toEqual(["3 of 12", "3 of 12", "3 of 12", "3 of 12", "0 of 12"])
      for (const who of [eve, {}]) {
        expect(yield* pages(who)).toEqual(["3 of 4", "1 of 4", "0 of 4", "0 of 4", "0 of 4"])
      }
    })
  )

  it.live("B12: no status, body, header, name or id reveals a hidden resource", () =>
    Effect.gen(function* () {
      const api = yield* site
      const { id } = yield* repository(api, { name: "shut", private: true })
      yield* api.ask(200, "PATCH", "/orgs/acme", { ...ann, body: { visibility: "private" } })
      yield* api.ask(200, "PATCH", "/repos/acme/shut", { ...ann, body: { name: "closed" } })
      const shown = (path: string) =>
        Effect.map(api.send("GET", path, eve), ({ headers, status, text }) => ({ status, text, headers: [...headers] }))
      const pairs = [
        ["/repos/acme/closed", "/repos/acme/nothing"],
        // An old name redirects only callers who can see its target.
        ["/repos/acme/shut", "/repos/nobody/nothing"],
        ["/repos/acme/closed.git", "/repos/acme/nothing.git"],
        [`/repositories/${id}`, "/repositories/999999"],
        ["/orgs/acme", "/orgs/nothing"],
        ["/users/acme/repos", "/users/nothing/repos"]
      ] as const
      for (const [hidden, missing] of pairs) {
        const answer = yield* shown(hidden)
        expect([hidden, answer.status]).toEqual([hidden, 404])
        expect(answer).toEqual(yield* shown(missing))
      }
    })
  )

  it.live("B13: a new sign-in reverts no decision of an administrator", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.ask(200, "PATCH", "/admin/users/bob", { ...root, body: { prohibit_login: true } })
      for (const _ of [1, 2]) expect((yield* api.send("GET", "/user", bob)).status).toBe(403)
      expect((yield* api.ask(200, "GET", "/users/bob", root)).prohibit_login).toBe(true)
    })
  )

  it.live("B15: lists of a whole organization check each repository", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* repository(api, { name: "open" })
      yield* repository(api, { name: "shut", private: true })
      yield* team(api, { name: "crew", permission: "read", units: ["repo.issues"] }, "bob")
      const names = (path: string) =>
        Effect.map(api.ask(200, "GET", path, bob), (rows: ReadonlyArray<{ name?: string; repo?: { name: string } }>) =>
          rows.map((row) => row.repo?.name ?? row.name)
        )
      expect(yield* names("/orgs/acme/repos")).toEqual(["open"])
      expect(yield* names("/orgs/acme/activities/feeds")).toEqual(["open"])
      expect((yield* api.ask(200, "GET", "/repos/search", bob)).data).toHaveLength(1)
    })
  )

  it.live("B16: a feed's total counts only readable events", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const name of ["a", "b", "c"]) yield* repository(api, { name, private: name === "b" })
      for (const path of ["/orgs/acme/activities/feeds", "/users/ann/activities/feeds"]) {
        const answer = yield* api.send("GET", path, eve)
        expect([path, answer.json.length, answer.headers.get("x-total-count")]).toEqual([path, 2, "2"])
      }
    })
  )

  it.live("B16: a heatmap counts exactly the events in the feed of the same caller", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const name of ["a", "b", "c"]) yield* repository(api, { name, private: name === "b" })
      const counted = (who: typeof eve) =>
        Effect.gen(function* () {
          const times: ReadonlyArray<{ contributions: number }> = yield* api.ask(200, "GET", "/users/ann/heatmap", who)
          const feed = yield* api.send("GET", "/users/ann/activities/feeds", who)
          return [times.reduce((sum, each) => sum + each.contributions, 0), feed.headers.get("x-total-count")]
        })
      expect(yield* counted(eve)).toEqual([2, "2"])
      expect(yield* counted(ann)).toEqual([3, "3"])
      yield* api.ask(200, "PATCH", "/repos/acme/a", { ...ann, body: { private: true } })
      expect((yield* counted(eve))[0]).toBe(1)
      yield* api.ask(200, "PATCH", "/user/settings", { ...ann, body: { hide_activity: true } })
      expect(yield* counted(eve)).toEqual([0, "0"])
    })
  )
})
