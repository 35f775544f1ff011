import { describe, expect, it } from "@effect/vitest"
import { Level, levelWords } from "@slipway/access"
import { isAdminUnits, maxLevel, teamVisibilities, type Units, unitKeys } from "@slipway/domain/forge/access"
import { BlockStore, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { layer as memory } from "@slipway/memory/forge"
import { parseWorld, teamAt } from "@slipway/testkit/forge"
import { Arbitrary, Effect, Layer, Schema } from "effect"
import { runs, seed } from "../../../../../scripts/vitest/runs.ts"
import { basic, type Service, start } from "../support/harness.ts"
import { plant } from "../support/world.ts"

const world = parseWorld(`
  user ann admin
  user olga
  user bob
  user cy
  user eve
  organization acme public
  repository acme/site
  repository acme/vault private
  team acme/Owners: olga
  team acme/builders limited code=write issues=read on site: bob
  team acme/keepers admin on vault: cy
`)

const olga = { headers: basic("olga") }
const bob = { headers: basic("bob") }

const begin = Effect.gen(function* () {
  const api = yield* start()
  yield* plant(api, world)
  return api
})

const idOf = (api: Service, path: string) => Effect.map(api.within(Effect.orDie(teamAt(path))), ({ id }): number => id)

describe("teams", () => {
  it.live("have all their fields in every response", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const created = yield* api.ask(201, "POST", "/orgs/acme/teams", {
        ...olga,
        body: {
          name: "Makers",
          description: "they make",
          permission: "write",
          units: ["repo.code", "repo.ext_wiki"],
          includes_all_repositories: null,
          can_create_org_repo: true,
          visibility: "public"
        }
      })
      expect(created).toMatchObject({
        name: "Makers",
        description: "they make",
        permission: "read",
        units: ["repo.code", "repo.ext_wiki"],
        units_map: { "repo.code": "write", "repo.ext_wiki": "read" },
        includes_all_repositories: false,
        can_create_org_repo: true,
        visibility: "public",
        organization: { username: "acme", name: "acme", visibility: "public" }
      })
      expect(yield* api.ask(200, "GET", `/teams/${created.id}`, olga)).toEqual(created)
      const found = yield* api.send("GET", "/orgs/acme/teams/search?q=MAKE&limit=1", olga)
      expect(found.json).toEqual({ ok: true, data: [created] })
      expect(found.headers.get("x-total-count")).toBe("1")
      const listed = yield* api.send("GET", "/orgs/acme/teams?limit=2&page=2", olga)
      expect(listed.json.map(({ name }: { name: string }) => name)).toEqual(["Makers", "Owners"])
      expect(listed.headers.get("x-total-count")).toBe("4")
      expect(listed.headers.get("link")).toContain('rel="prev"')
      yield* api.ask(204, "PUT", `/teams/${created.id}/members/eve`, olga)
      expect(yield* api.ask(200, "GET", "/user/teams", { headers: basic("eve") })).toEqual([created])
      const owners = yield* api.ask(200, "GET", `/teams/${yield* idOf(api, "acme/Owners")}`, olga)
      expect(owners).toMatchObject({ name: "Owners", permission: "owner", includes_all_repositories: true })
      expect(yield* api.ask(200, "PATCH", `/teams/${owners.id}`, { ...olga, body: owners })).toEqual({
        ...owners,
        can_create_org_repo: true
      })
    })
  )

  it.live("are also searched by description, unless the query disables this", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const names = (query: string) =>
        Effect.map(api.ask(200, "GET", `/orgs/acme/teams/search?${query}`, olga), ({ data }) =>
          data.map(({ name }: { name: string }) => name)
        )
      const id = yield* idOf(api, "acme/keepers")
      yield* api.ask(200, "PATCH", `/teams/${id}`, { ...olga, body: { description: "above the BUILDERS" } })
      expect(yield* names("q=builders")).toEqual(["builders", "keepers"])
      expect(yield* names("q=builders&include_desc=true")).toEqual(["builders", "keepers"])
      expect(yield* names("q=builders&include_desc=false")).toEqual(["builders"])
      yield* api.ask(422, "GET", "/orgs/acme/teams/search?include_desc=perhaps", olga)
      yield* api.ask(422, "GET", `/orgs/acme/teams/search?q=${"x".repeat(256)}`, olga)
    })
  )

  it.live("return a failed search in the format of searches, and only the log contains the reason", () =>
    Effect.gen(function* () {
      const failing = Layer.effect(
        TeamStore,
        Effect.map(TeamStore, (teams) => ({ ...teams, list: () => Effect.die(new Error("the disk is gone")) }))
      )
      const api = yield* start({ store: Layer.provideMerge(failing, memory) })
      yield* plant(api, world)
      const found = yield* api.ask(500, "GET", "/orgs/acme/teams/search?q=x", olga)
      expect(found).toEqual({ ok: false, error: "internal server error" })
      expect(api.logged.join()).toContain("the disk is gone")
    })
  )

  it.live("without units and below admin are rejected with the failure that the specification requires", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const create = (body: unknown) => api.send("POST", "/orgs/acme/teams", { ...olga, body })
      for (const body of [{}, { permission: "read" }, { permission: "", units: [], units_map: {} }]) {
        const { json, status } = yield* create({ name: "x", ...body })
        expect([status, json.message]).toEqual([500, "units permission should not be empty"])
      }
      const said = (body: unknown) => Effect.map(create(body), ({ json, status }) => [status, json.message])
      expect(yield* said({ name: "x", permission: "owner" })).toEqual([
        422,
        "[permission]: must be none, read, write or admin"
      ])
      expect(yield* said({ name: "x", permission: "read", units: ["code"] })).toEqual([
        422,
        "[units]: must only have units as keys"
      ])
      expect(yield* said({ name: "x", units_map: { "repo.code": "all" } })).toEqual([
        422,
        "[units_map]: must be none, read, write or admin"
      ])
      expect(yield* said({ name: "BUILDERS", permission: "admin" })).toEqual([422, "[name]: `BUILDERS` is taken"])
      expect(yield* said({ permission: "admin", visibility: "open" })).toEqual([
        422,
        "[name]: this field is required; [visibility]: must be one of: private, limited, public, null"
      ])
      expect((yield* said({ name: "a--b", permission: "admin" }))[0]).toBe(422)
      expect((yield* said({ name: "x".repeat(256), permission: "admin" }))[0]).toBe(422)
    })
  )

  it.live("named Owners keep their name, visibility and last member, and can't be deleted", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const path = `/teams/${yield* idOf(api, "acme/Owners")}`
      const message = (status: number, method: string, at: string, body?: unknown) =>
        Effect.map(api.ask(status, method, at, body === undefined ? olga : { ...olga, body }), (said) => said.message)
      expect(yield* message(422, "PATCH", path, { visibility: "public" })).toBe(
        "[visibility]: of the owners team cannot change"
      )
      expect(yield* message(422, "PATCH", path, { name: "Chiefs" })).toBe("[name]: of the owners team cannot change")
      expect(yield* message(403, "DELETE", path)).toBe("the owners team can not be deleted")
      expect(yield* message(403, "DELETE", `${path}/members/olga`)).toBe(
        "the last owner of an organization cannot be removed"
      )
      const kept = yield* api.ask(200, "PATCH", path, { ...olga, body: { can_create_org_repo: false } })
      expect(kept.can_create_org_repo).toBe(true)
    })
  )

  it.live("have members that owners add and remove", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const path = `/teams/${yield* idOf(api, "acme/builders")}`
      yield* api.ask(404, "GET", `${path}/members/eve`, olga)
      yield* api.ask(204, "PUT", `${path}/members/eve`, olga)
      expect((yield* api.ask(200, "GET", `${path}/members/eve`, bob)).login).toBe("eve")
      const page = yield* api.send("GET", `${path}/members?limit=1`, bob)
      expect([page.json[0].login, page.headers.get("x-total-count")]).toEqual(["bob", "2"])
      yield* api.ask(404, "PUT", `${path}/members/nobody`, olga)
      yield* api.ask(404, "PUT", `${path}/members/acme`, olga)
      yield* api.ask(204, "DELETE", `${path}/members/eve`, olga)
      yield* api.ask(204, "DELETE", `${path}/members/eve`, olga)
      yield* api.ask(404, "GET", `${path}/members`, { headers: basic("eve") })
      const block = Effect.gen(function* () {
        const users = yield* UserStore
        const [eve, owner] = [yield* users.named("eve"), yield* users.named("olga")]
        if (eve === undefined || owner === undefined) return
        yield* (yield* BlockStore).add({ blocker: eve.user.id, blocked: owner.user.id, note: "" })
      })
      yield* api.within(block)
      expect((yield* api.ask(403, "PUT", `${path}/members/eve`, olga)).message).toBe("user is blocked")
    })
  )

  it.live("have repositories, which are returned with the caller's permissions", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const path = `/teams/${yield* idOf(api, "acme/builders")}`
      const [shown] = yield* api.ask(200, "GET", `${path}/repos`, bob)
      expect(shown).toMatchObject({
        full_name: "acme/site",
        owner: { login: "acme" },
        private: false,
        permissions: { admin: false, push: true, pull: true }
      })
      expect(yield* api.ask(200, "GET", `${path}/repos/acme/site`, bob)).toEqual(shown)
      yield* api.ask(404, "GET", `${path}/repos/acme/vault`, olga)
      yield* api.ask(204, "PUT", `${path}/repos/acme/vault`, olga)
      expect((yield* api.ask(200, "GET", `${path}/repos/acme/vault`, olga)).permissions.admin).toBe(true)
      expect((yield* api.ask(403, "DELETE", `${path}/repos/acme/vault`, bob)).message).toBe(
        "Must have admin-level access to the repository"
      )
      yield* api.ask(204, "DELETE", `${path}/repos/acme/vault`, olga)
      yield* api.ask(404, "DELETE", `${path}/repos/acme/vault`, olga)
      yield* api.ask(200, "PATCH", path, { ...olga, body: { includes_all_repositories: true } })
      expect((yield* api.ask(422, "DELETE", `${path}/repos/acme/vault`, olga)).message).toBe(
        "[repo]: belongs to a team that includes all repositories"
      )
      yield* api.ask(204, "DELETE", path, olga)
      yield* api.ask(404, "GET", path, olga)
    })
  )
})

describe("create, read, edit, read", () => {
  const level = Schema.Literals(["none", "read", "write", "admin"])
  const Made = Schema.Struct({
    units_map: Schema.Struct(Object.fromEntries(unitKeys.map((unit) => [unit, level]))),
    visibility: Schema.Literals(teamVisibilities),
    includes_all_repositories: Schema.Boolean,
    can_create_org_repo: Schema.Boolean
  })

  it.live("returns the same permission, units and map of units, for generated levels on all ten units", () =>
    Effect.gen(function* () {
      const api = yield* begin
      let at = 0
      const givesBack = Effect.fnUntraced(function* (made: typeof Made.Type) {
        at += 1
        const body = { name: `team-${at}`, description: `the team ${at}`, ...made }
        const created = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...olga, body })
        const levels: Units = Object.fromEntries(
          unitKeys.flatMap((unit) => {
            const word = (made.units_map as Readonly<Record<string, (typeof levelWords)[number]>>)[unit] ?? "none"
            const given = Math.min(levelWords.indexOf(word), maxLevel(unit))
            return given === Level.none ? [] : [[unit, given]]
          })
        )
        const given = Object.values(levels)
        const lowest = given.length === 0 ? "none" : levelWords[Math.min(...given)]
        expect(created).toMatchObject({
          ...body,
          permission: isAdminUnits(levels) ? "admin" : lowest,
          units: Object.keys(levels),
          units_map: Object.fromEntries(Object.entries(levels).map(([unit, given]) => [unit, levelWords[given]]))
        })
        expect(yield* api.ask(200, "GET", `/teams/${created.id}`, olga)).toEqual(created)
        const edited = yield* api.ask(200, "PATCH", `/teams/${created.id}`, { ...olga, body: created })
        expect(edited).toEqual(created)
        expect(yield* api.ask(200, "GET", `/teams/${created.id}`, olga)).toEqual(created)
        return true
      })
      const result = yield* Arbitrary.checkEffect(Arbitrary.schema(Made), givesBack, { runs: runs(20), seed })
      expect(Arbitrary.formatCheckFailure(result)).toBeUndefined()
      yield* givesBack({
        units_map: Object.fromEntries(unitKeys.map((unit) => [unit, "admin"])),
        visibility: "public",
        includes_all_repositories: true,
        can_create_org_repo: true
      })
    })
  )
})

describe("a public team, for a signed-in user outside the organization", () => {
  it.live("is readable by its id, but is not listed, and not found by a path or a query with its name", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const name of ["bob", "eve"]) yield* api.user(name)
      const as = { bob: { headers: basic("bob") }, eve: { headers: basic("eve") } }
      yield* api.ask(201, "POST", "/orgs", { ...as.bob, body: { username: "acme" } })
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...as.bob, body: { name: "site" } })
      const units_map = { "repo.code": "read" }
      const body = { name: "crew", visibility: "public", units_map, includes_all_repositories: true }
      const { id } = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...as.bob, body })
      expect((yield* api.ask(200, "GET", `/teams/${id}`, as.eve)).name).toBe("crew")
      yield* api.ask(403, "GET", "/orgs/acme/teams", as.eve)
      yield* api.ask(403, "GET", "/orgs/acme/teams/search?q=crew", as.eve)
      const found = (who: "bob" | "eve") => api.ask(200, "GET", `/repos/search?team_id=${id}`, as[who])
      expect([(yield* found("bob")).data.length, (yield* found("eve")).data]).toEqual([1, []])
    })
  )
})
