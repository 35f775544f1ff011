import { describe, expect, it } from "@effect/vitest"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { OrganizationStore, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { newRepository, newTeam, organizationOwner } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { endpoints, pathOf } from "../support/endpoints.ts"
import { type Answer, basic, bearer, referenceUrl, rootUrl, type Service, start } from "../support/harness.ts"

type Named = ReadonlyArray<{ readonly name: string }>
const names = (rows: Named) => rows.map(({ name }) => name)
const logins = (rows: ReadonlyArray<{ readonly login: string }>) => rows.map(({ login }) => login)
const total = (answer: Answer) => answer.headers.get("x-total-count")
const base64 = (text: string) => Buffer.from(text).toString("base64")

const found = (api: Service, by: string, name: string, more: Record<string, unknown> = {}) =>
  api.ask(201, "POST", "/orgs", { headers: basic(by), body: { username: name, ...more } })

/** Adds users to a new team of an organization. */
const team = (api: Service, n: number, organization: string, ...members: ReadonlyArray<string>) =>
  Effect.orDie(
    api.within(
      Effect.gen(function* () {
        const named = yield* (yield* OrganizationStore).named(organization)
        if (named === undefined) throw new Error("no such organization")
        const teams = yield* TeamStore
        const made = yield* teams.insert(newTeam(n, named.organization))
        for (const name of members) {
          const user = yield* (yield* UserStore).named(name)
          if (user !== undefined) yield* teams.addMember(made.id, user.user.id)
        }
      })
    )
  )

const repository = (api: Service, organization: string) =>
  Effect.orDie(
    api.within(
      Effect.gen(function* () {
        const named = yield* (yield* OrganizationStore).named(organization)
        if (named === undefined) throw new Error("no such organization")
        return yield* (yield* RepositoryStore).insert(newRepository(1, organizationOwner(named.organization)))
      })
    )
  )

/** The response without the parts that differ between requests. */
const said = ({ headers, json, status, text }: Answer) => ({
  status,
  body: json ?? text,
  headers: Object.fromEntries(headers)
})

describe("organizations", () => {
  it.live("are created, read and changed, and return the sent values", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      const headers = basic("olga")
      const body = {
        username: "Acme",
        full_name: "Acme Inc.",
        email: "hello@acme.example",
        description: "makes everything",
        website: "https://acme.example",
        location: "the desert",
        visibility: "limited",
        repo_admin_change_team_access: true
      }
      const created = yield* api.ask(201, "POST", "/orgs", { headers, body })
      expect(created).toEqual({
        ...body,
        id: created.id,
        name: "Acme",
        avatar_url: `${rootUrl}/avatars/identicon-acme`
      })
      expect(yield* api.ask(200, "GET", "/orgs/ACME", { headers })).toEqual(created)
      const change = { full_name: "A", email: "", description: null, visibility: "public" }
      const edited = yield* api.ask(200, "PATCH", "/orgs/acme", { headers, body: change })
      expect(edited).toEqual({ ...created, full_name: "A", email: "", visibility: "public" })
      expect(yield* api.ask(200, "GET", "/orgs/acme", { headers })).toEqual(edited)
      yield* api.ask(200, "PATCH", "/orgs/acme", { headers, body: { email: "a@acme.example" } })
      expect((yield* api.ask(200, "GET", "/orgs/acme")).email).toBe("")
      expect((yield* api.ask(200, "GET", "/orgs/acme", { headers })).email).toBe("a@acme.example")
    })
  )

  it.live("reject invalid names and addresses, and report all errors", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      yield* api.user("never", { mayCreateOrganizations: false })
      yield* found(api, "olga", "acme")
      const headers = basic("olga")
      const create = (body: unknown) =>
        Effect.map(api.ask(422, "POST", "/orgs", { headers, body }), (json) => json.message)
      expect(yield* create({ username: "ACME" })).toBe("[username]: `ACME` is taken")
      expect(yield* create({ username: "OLGA" })).toBe("[username]: `OLGA` is taken")
      expect(yield* create({ username: "admin" })).toBe("[username]: is reserved")
      expect(yield* create({})).toContain("[username]")
      const both = yield* create({ username: "a b", visibility: "secret" })
      expect(both).toContain("[username]")
      expect(both).toContain("[visibility]")
      const edit = yield* api.ask(422, "PATCH", "/orgs/acme", { headers, body: { email: "nonsense" } })
      expect(edit.message).toContain("[email]")
      const refused = yield* api.ask(403, "POST", "/orgs", { headers: basic("never"), body: { username: "mine" } })
      expect(refused.url).toBe(referenceUrl)
      const rename = (new_name: string) => api.ask(422, "POST", "/orgs/acme/rename", { headers, body: { new_name } })
      for (const name of ["olga", "new", "a..b", ""]) yield* rename(name)
    })
  )

  it.live("redirect from an old name to the current name, until another organization takes the old name", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      yield* api.user("eve")
      yield* found(api, "olga", "acme")
      const headers = basic("olga")
      yield* api.ask(204, "POST", "/orgs/acme/rename", { headers, body: { new_name: "Globex" } })
      for (const [method, path, location] of [
        ["GET", "/orgs/acme", "/orgs/Globex"],
        ["GET", "/orgs/ACME/public_members?limit=3", "/orgs/Globex/public_members?limit=3"],
        ["DELETE", "/orgs/acme/members/acme", "/orgs/Globex/members/acme"],
        ["GET", "/users/eve/orgs/acme/permissions", "/users/eve/orgs/Globex/permissions"]
      ] as const) {
        const answer = yield* api.send(method, path, { headers })
        expect([answer.status, answer.headers.get("location")]).toEqual([307, `/api/v1${location}`])
      }
      yield* found(api, "eve", "acme")
      expect((yield* api.ask(200, "GET", "/orgs/acme")).name).toBe("acme")
    })
  )

  it.live("are listed by name, in pages, if the caller can see them", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("olga")
      yield* api.user("eve")
      for (const name of ["zeta", "Beta", "alpha"]) yield* found(api, "olga", name)
      yield* found(api, "olga", "inner", { visibility: "limited" })
      yield* found(api, "olga", "hush", { visibility: "private" })
      const first = yield* api.send("GET", "/orgs?limit=2")
      expect([names(first.json), total(first)]).toEqual([["alpha", "Beta"], "3"])
      expect(first.headers.get("link")).toContain('rel="next"')
      const second = yield* api.send("GET", "/orgs?limit=2&page=2")
      expect([names(second.json), total(second)]).toEqual([["zeta"], "3"])
      expect(names(yield* api.ask(200, "GET", "/orgs", { headers: basic("eve") }))).toEqual([
        "alpha",
        "Beta",
        "inner",
        "zeta"
      ])
      expect(names(yield* api.ask(200, "GET", "/admin/orgs", { headers: basic("ann") })).length).toBe(5)
      const own = yield* api.send("GET", "/user/orgs", { headers: basic("olga") })
      expect([names(own.json), total(own)]).toEqual([["alpha", "Beta", "hush", "inner", "zeta"], "5"])
      expect(yield* api.ask(200, "GET", "/users/olga/orgs", { headers: basic("eve") })).toEqual([])
      yield* api.ask(204, "PUT", "/orgs/zeta/public_members/olga", { headers: basic("olga") })
      expect(names(yield* api.ask(200, "GET", "/users/olga/orgs"))).toEqual(["zeta"])
      expect(names(yield* api.ask(200, "GET", "/admin/users/olga/orgs", { headers: basic("ann") })).length).toBe(5)
      const made = yield* api.ask(201, "POST", "/admin/users/eve/orgs", {
        headers: basic("ann"),
        body: { username: "eves", visibility: "private" }
      })
      expect(names(yield* api.ask(200, "GET", "/user/orgs", { headers: basic("eve") }))).toEqual([made.name])
      yield* api.ask(404, "POST", "/admin/users/nobody/orgs", { headers: basic("ann"), body: { username: "x" } })
    })
  )

  it.live("can be deleted by their owners after their repositories are deleted", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("olga")
      yield* api.user("bob")
      yield* found(api, "olga", "acme")
      yield* team(api, 1, "acme", "bob")
      const { id } = yield* repository(api, "acme")
      const refused = yield* api.ask(422, "DELETE", "/orgs/acme", { headers: basic("olga") })
      expect(refused.message).toBe("[org]: still owns repositories: delete or transfer them first")
      yield* Effect.orDie(api.within(Effect.flatMap(RepositoryStore, (store) => store.remove(id))))
      expect((yield* api.ask(403, "DELETE", "/orgs/acme", { headers: basic("bob") })).message).toBe(
        "Must be an organization owner"
      )
      expect((yield* api.ask(422, "DELETE", "/admin/users/olga", { headers: basic("ann") })).message).toBe(
        "[username]: is the only owner of acme: add owners or delete these first"
      )
      yield* api.ask(204, "DELETE", "/orgs/acme", { headers: basic("olga") })
      yield* api.ask(404, "GET", "/orgs/acme", { headers: basic("olga") })
      yield* api.ask(204, "DELETE", "/admin/users/olga", { headers: basic("ann") })
    })
  )

  it.live("return the permissions of a user", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      yield* api.user("bob")
      yield* found(api, "olga", "acme")
      yield* team(api, 1, "acme", "bob")
      const of = (name: string) =>
        api.ask(200, "GET", `/users/${name}/orgs/acme/permissions`, { headers: basic("bob") })
      expect(yield* of("bob")).toEqual({
        can_read: true,
        can_write: false,
        is_admin: false,
        is_owner: false,
        can_create_repository: false
      })
      expect(yield* of("olga")).toEqual({
        can_read: true,
        can_write: true,
        is_admin: true,
        is_owner: true,
        can_create_repository: true
      })
    })
  )
})

describe("members", () => {
  it.live("are listed, can publish their membership, and can be removed", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const name of ["olga", "bob", "eve"]) yield* api.user(name)
      yield* found(api, "olga", "acme")
      yield* team(api, 1, "acme", "bob")
      const list = (path: string, by?: string) =>
        Effect.map(api.ask(200, "GET", `/orgs/acme/${path}`, by === undefined ? {} : { headers: basic(by) }), logins)
      expect(yield* list("members", "bob")).toEqual(["bob", "olga"])
      expect(yield* list("members", "eve")).toEqual([])
      yield* api.ask(204, "GET", "/orgs/acme/members/bob", { headers: basic("olga") })
      yield* api.ask(404, "GET", "/orgs/acme/members/bob", { headers: basic("eve") })
      const another = { headers: basic("olga") }
      expect((yield* api.ask(403, "PUT", "/orgs/acme/public_members/bob", another)).message).toBe(
        "cannot publicize the membership of another member"
      )
      expect((yield* api.ask(403, "DELETE", "/orgs/acme/public_members/bob", another)).message).toBe(
        "cannot conceal the membership of another member"
      )
      yield* api.ask(204, "PUT", "/orgs/acme/public_members/bob", { headers: basic("bob") })
      expect(yield* list("public_members")).toEqual(["bob"])
      yield* api.ask(204, "GET", "/orgs/acme/public_members/bob")
      yield* api.ask(404, "GET", "/orgs/acme/public_members/olga")
      expect((yield* api.ask(403, "DELETE", "/orgs/acme/members/olga", another)).message).toBe(
        "the last owner of an organization cannot be removed"
      )
      yield* api.ask(204, "DELETE", "/orgs/acme/members/bob", another)
      yield* api.ask(204, "DELETE", "/orgs/acme/members/bob", another)
      expect(yield* list("public_members")).toEqual([])
    })
  )

  it.live("can't be blocked by the organization", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const name of ["olga", "eve"]) yield* api.user(name)
      yield* found(api, "olga", "acme")
      const headers = basic("olga")
      expect((yield* api.ask(422, "PUT", "/orgs/acme/blocks/olga", { headers })).message).toBe(
        "[username]: is a member, and an organization cannot block its members"
      )
      yield* api.ask(404, "GET", "/orgs/acme/blocks/eve", { headers })
      yield* api.ask(204, "PUT", "/orgs/acme/blocks/eve?note=spam", { headers })
      yield* api.ask(204, "GET", "/orgs/acme/blocks/eve", { headers })
      expect(logins(yield* api.ask(200, "GET", "/orgs/acme/blocks", { headers }))).toEqual(["eve"])
      yield* api.ask(204, "DELETE", "/orgs/acme/blocks/eve", { headers })
      yield* api.ask(404, "DELETE", "/orgs/acme/blocks/eve", { headers })
    })
  )
})

describe("labels", () => {
  it.live("are created, read, changed and deleted, and return the sent values", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      yield* found(api, "olga", "acme")
      const headers = basic("olga")
      const body = { name: "kind/bug", color: "#00AABB", description: "broken", exclusive: true, is_archived: true }
      const label = yield* api.ask(201, "POST", "/orgs/acme/labels", { headers, body })
      const url = `${rootUrl}/api/v1/orgs/acme/labels/${label.id}`
      expect(label).toEqual({ ...body, id: label.id, color: "00aabb", url })
      const plain = yield* api.ask(201, "POST", "/orgs/acme/labels", { headers, body: { name: "a", color: "fff" } })
      expect(plain).toMatchObject({ color: "ffffff", description: "", exclusive: false, is_archived: false })
      const list = yield* api.send("GET", "/orgs/acme/labels?limit=1")
      expect([names(list.json), total(list)]).toEqual([["a"], "2"])
      const change = { name: "bug", is_archived: false, color: null }
      const edited = yield* api.ask(200, "PATCH", `/orgs/acme/labels/${label.id}`, { headers, body: change })
      expect(edited).toEqual({ ...label, name: "bug", is_archived: false })
      expect(yield* api.ask(200, "GET", `/orgs/acme/labels/${label.id}`, { headers })).toEqual(edited)
      for (const color of ["red", "#12345", "#gggggg", "", "#0000000"]) {
        const wrong = yield* api.ask(422, "POST", "/orgs/acme/labels", { headers, body: { name: "x", color } })
        expect(wrong.message).toBe("[color]: must be a color such as #00aabb")
      }
      for (const id of ["0", "-1", "x", "1e0", "99999999999999999999", " 1"]) {
        yield* api.ask(404, "GET", `/orgs/acme/labels/${encodeURIComponent(id)}`, { headers })
      }
      yield* api.ask(204, "DELETE", `/orgs/acme/labels/${label.id}`, { headers })
      yield* api.ask(404, "DELETE", `/orgs/acme/labels/${label.id}`, { headers })
    })
  )
})

describe("avatars", () => {
  it.live("are set, served at an unguessable address, and removed", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      yield* found(api, "olga", "acme", { visibility: "private" })
      const headers = basic("olga")
      for (const [path, shown] of [
        ["/orgs/acme/avatar", "/orgs/acme"],
        ["/user/avatar", "/user"]
      ] as const) {
        yield* api.ask(204, "POST", path, { headers, body: { image: base64("picture of a house (metadata)") } })
        const { avatar_url } = yield* api.ask(200, "GET", shown, { headers })
        expect(avatar_url).toMatch(new RegExp(`^${rootUrl}/avatars/[0-9a-f]{32}$`))
        const address = avatar_url.slice(rootUrl.length)
        const picture = yield* api.fetch("GET", address)
        expect([picture.status, picture.text, picture.headers.get("content-type")]).toEqual([
          200,
          "picture of a house ",
          "image/png"
        ])
        expect(picture.headers.get("x-content-type-options")).toBe("nosniff")
        for (const image of ["%%%", base64("no picture"), 5]) {
          const { message } = yield* api.ask(422, "POST", path, { headers, body: { image } })
          expect(message).toContain("[image]")
        }
        yield* api.ask(204, "DELETE", path, { headers })
        expect((yield* api.ask(200, "GET", shown, { headers })).avatar_url).toContain("/avatars/identicon-")
        const gone = yield* api.fetch("GET", address)
        expect([gone.status, gone.json]).toEqual([404, { message: gone.json.message, url: referenceUrl }])
      }
    })
  )
})

describe("I9 and I11: resources below a hidden organization are missing", () => {
  const below = endpoints.filter(({ path }) => path.includes("{org}") && !path.startsWith("/teams/"))

  it.live("on every endpoint, including labels (CVE-2026-25038), as are resources below an unused or former name", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const name of ["olga", "eve", "bob"]) yield* api.user(name)
      yield* found(api, "olga", "hush", { visibility: "private" })
      yield* found(api, "olga", "inner", { visibility: "limited" })
      yield* found(api, "olga", "moved", { visibility: "private" })
      yield* api.ask(204, "POST", "/orgs/moved/rename", { headers: basic("olga"), body: { new_name: "elsewhere" } })
      const headers = { ...basic("olga") }
      for (const name of ["hush", "inner"]) {
        yield* api.ask(204, "PUT", `/orgs/${name}/public_members/olga`, { headers })
        yield* api.ask(201, "POST", `/orgs/${name}/labels`, { headers, body: { name: "x", color: "fff" } })
        yield* repository(api, name)
      }
      const narrow = bearer(yield* api.mint("eve", ["all", "public-only"]))
      const callers = [
        { headers: {}, hidden: ["hush", "inner", "moved", "elsewhere"] },
        { headers: basic("eve"), hidden: ["hush", "moved", "elsewhere"] },
        { headers: narrow, hidden: ["hush", "moved", "elsewhere"] }
      ]
      expect(below.length).toBeGreaterThan(20)
      for (const { hasBody, method, path } of below) {
        for (const caller of callers) {
          const ask = (org: string) =>
            Effect.map(
              api.send(method, pathOf({ path }, { org, username: "olga", id: "1", reponame: "repository-1" }), {
                headers: caller.headers,
                ...(hasBody ? { body: {} } : {})
              }),
              said
            )
          const missing = yield* ask("nobody-there")
          expect(missing.status).toBe(404)
          for (const org of caller.hidden)
            expect({ path, org, ...(yield* ask(org)) }).toEqual({ path, org, ...missing })
        }
      }
    })
  )
})

describe("I4: a public-only token reads no more than an anonymous caller", () => {
  it.live("in organizations, members and labels (B2, B3)", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      for (const visibility of ["public", "limited", "private"])
        yield* found(api, "olga", `is-${visibility}`, { visibility })
      const narrow = bearer(yield* api.mint("olga", ["all", "public-only"]))
      for (const { method, path } of endpoints) {
        if (method !== "GET" || !path.includes("{org}")) continue
        for (const org of ["is-limited", "is-private"]) {
          const { status } = yield* api.send(method, pathOf({ path }, { org, username: "olga", id: "1" }), {
            headers: narrow
          })
          expect([path, org, status === 403 || status === 404]).toEqual([path, org, true])
        }
      }
      for (const path of ["/orgs", "/users/olga/orgs"]) {
        const [open, token] = [yield* api.send("GET", path), yield* api.send("GET", path, { headers: narrow })]
        expect([path, token.json, total(token)]).toEqual([path, open.json, total(open)])
      }
      // This route is about the caller, and still lists only public organizations.
      const own = yield* api.send("GET", "/user/orgs", { headers: narrow })
      expect([names(own.json), total(own)]).toEqual([["is-public"], "1"])
    })
  )
})

describe("I6: a label id is missing below another organization (B4)", () => {
  it.live("when it is read, changed and deleted", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      yield* api.user("eve")
      yield* found(api, "olga", "acme")
      yield* found(api, "eve", "other")
      const { id } = yield* api.ask(201, "POST", "/orgs/acme/labels", {
        headers: basic("olga"),
        body: { name: "x", color: "fff" }
      })
      const headers = basic("eve")
      const missing = said(yield* api.send("GET", "/orgs/other/labels/404404", { headers }))
      expect(said(yield* api.send("GET", `/orgs/other/labels/${id}`, { headers }))).toEqual(missing)
      yield* api.ask(404, "PATCH", `/orgs/other/labels/${id}`, { headers, body: { name: "taken" } })
      yield* api.ask(404, "DELETE", `/orgs/other/labels/${id}`, { headers })
      expect((yield* api.ask(200, "GET", `/orgs/acme/labels/${id}`, { headers })).name).toBe("x")
    })
  )
})

describe("I7: the end of a membership removes all its traces (B5)", () => {
  it.live("including read access to the private organization and the public membership", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("olga")
      yield* api.user("bob")
      yield* found(api, "olga", "hush", { visibility: "private" })
      yield* team(api, 1, "hush", "bob")
      const headers = basic("bob")
      yield* api.ask(204, "PUT", "/orgs/hush/public_members/bob", { headers })
      yield* api.ask(204, "DELETE", "/orgs/hush/members/bob", { headers: basic("olga") })
      for (const path of ["", "/members", "/public_members", "/labels"]) {
        yield* api.ask(404, "GET", `/orgs/hush${path}`, { headers })
      }
      expect(yield* api.ask(200, "GET", "/user/orgs", { headers })).toEqual([])
      expect(yield* api.ask(200, "GET", "/orgs/hush/public_members", { headers: basic("olga") })).toEqual([])
    })
  )
})

describe("I8: an organization that becomes private is private on every path immediately", () => {
  it.live("for reads, lists, members, labels and the organizations of a user", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const name of ["olga", "eve"]) yield* api.user(name)
      yield* found(api, "olga", "acme")
      const headers = basic("olga")
      yield* api.ask(204, "PUT", "/orgs/acme/public_members/olga", { headers })
      const open = [
        ["/orgs", "/users/olga/orgs"],
        ["/orgs/acme", "/orgs/acme/members", "/orgs/acme/public_members", "/orgs/acme/labels"]
      ] as const
      const eve = { headers: basic("eve") }
      for (const path of open[0]) expect(names(yield* api.ask(200, "GET", path, eve))).toEqual(["acme"])
      for (const path of open[1]) yield* api.ask(200, "GET", path, eve)
      yield* api.ask(200, "PATCH", "/orgs/acme", { headers, body: { visibility: "private" } })
      for (const path of open[0]) {
        const list = yield* api.send("GET", path, eve)
        expect([list.json, total(list)]).toEqual([[], "0"])
      }
      for (const path of open[1]) yield* api.ask(404, "GET", path, eve)
    })
  )
})

describe("I10: lists of organizations match the single reads, and so do their totals", () => {
  it.live("for each caller", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("rex", { restricted: true })
      for (const name of ["olga", "eve"]) yield* api.user(name)
      const all: Array<string> = []
      for (const visibility of ["public", "limited", "private"]) {
        for (const by of ["olga", "eve"]) {
          all.push(`${by}-${visibility}`)
          yield* found(api, by, `${by}-${visibility}`, { visibility })
        }
      }
      yield* team(api, 1, "eve-public", "rex")
      for (const headers of [{}, basic("olga"), basic("rex"), basic("ann")]) {
        const { json, ...answer } = yield* api.send("GET", "/orgs?limit=50", { headers })
        const reads = yield* Effect.forEach(all, (name) =>
          Effect.map(api.send("GET", `/orgs/${name}`, { headers }), ({ status }) => ({ name, status }))
        )
        const seen = reads.filter(({ status }) => status === 200).map(({ name }) => name)
        // Only administrators find private organizations in the directory.
        const isAdmin = headers === undefined || JSON.stringify(headers) === JSON.stringify(basic("ann"))
        const expected = seen.filter((name) => isAdmin || !name.endsWith("private")).sort()
        expect(names(json)).toEqual(expected)
        expect(total({ json, ...answer })).toBe(String(expected.length))
      }
    })
  )
})
