import { describe, expect, it } from "@effect/vitest"
import { parseWorld, teamAt } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { basic, bearer, start } from "../support/harness.ts"
import { plant } from "../support/world.ts"

const world = parseWorld(`
  user ann admin
  user olga
  user bob
  user cy
  organization acme private
  repository acme/site
  repository acme/vault private
  team acme/Owners: olga
  team acme/builders code=write issues=read on vault: bob
  team acme/keepers admin on vault: cy
`)

const olga = { headers: basic("olga") }
const bob = { headers: basic("bob") }

const begin = Effect.gen(function* () {
  const api = yield* start()
  yield* plant(api, world)
  const { id } = yield* api.within(Effect.orDie(teamAt("acme/builders")))
  return { ...api, builders: `/teams/${id}` }
})

describe("effective access", () => {
  it.live("is returned to owners of an organization, with the rules and the teams that grant it", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const { headers, json } = yield* api.send("GET", "/orgs/acme/members/bob/access?limit=1&page=2", olga)
      expect(headers.get("x-total-count")).toBe("2")
      expect(headers.get("link")).toContain('rel="prev"')
      expect(json).toEqual([
        {
          user: expect.objectContaining({ login: "bob" }),
          repository: expect.objectContaining({ full_name: "acme/vault", private: true }),
          permission: "write",
          units: {
            "repo.code": {
              level: "write",
              by: [
                {
                  rule: "repository.team",
                  because: "members have the highest level of their teams on the unit",
                  teams: ["builders"]
                }
              ]
            },
            "repo.issues": { level: "read", by: [expect.objectContaining({ teams: ["builders"] })] }
          }
        }
      ])
      yield* api.ask(403, "GET", "/orgs/acme/members/bob/access", bob)
      yield* api.ask(404, "GET", "/orgs/acme/members/nobody/access", olga)
      yield* api.ask(404, "GET", "/orgs/acme/members/bob/access")
      const token = yield* api.mint("olga", ["read:organization"])
      yield* api.ask(403, "GET", "/orgs/acme/members/bob/access", { headers: bearer(token) })
    })
  )

  it.live("is returned to administrators of a repository, for users with a direct grant", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const rows: ReadonlyArray<{ user: { login: string }; permission: string }> = yield* api.ask(
        200,
        "GET",
        "/repos/acme/vault/access",
        { headers: basic("cy") }
      )
      expect(rows.map(({ permission, user }) => [user.login, permission])).toEqual([
        ["bob", "write"],
        ["cy", "admin"],
        ["olga", "owner"]
      ])
      yield* api.ask(403, "GET", "/repos/acme/vault/access", bob)
    })
  )
})

describe("the preview of a change", () => {
  it.live("is returned in place of the change, by user and repository, and changes nothing", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const before = yield* api.ask(200, "GET", api.builders, olga)
      const edited = yield* api.send("PATCH", `${api.builders}?dry_run=true`, {
        ...olga,
        body: { units_map: { "repo.code": "read", "repo.pulls": "write" } }
      })
      expect([edited.status, edited.headers.get("x-total-count")]).toEqual([200, "1"])
      expect(edited.json).toEqual([
        {
          user: expect.objectContaining({ login: "bob" }),
          repository: expect.objectContaining({ full_name: "acme/vault" }),
          loses: true,
          gains: true,
          permission: { before: "write", after: "write" },
          units: {
            "repo.code": { before: "write", after: "read" },
            "repo.issues": { before: "read", after: "none" },
            "repo.pulls": { before: "none", after: "write" }
          }
        }
      ])
      expect(yield* api.ask(200, "GET", api.builders, olga)).toEqual(before)
      const lost = (rows: ReadonlyArray<{ readonly repository: { readonly full_name: string } }>) =>
        rows.map(({ repository }) => repository.full_name)
      // A user who leaves the last team loses access that only members have.
      for (const path of [api.builders, `${api.builders}/members/bob`, "/orgs/acme/members/bob"]) {
        expect(lost(yield* api.ask(200, "DELETE", `${path}?dry_run=1`, olga))).toEqual(["acme/site", "acme/vault"])
      }
      expect(yield* api.ask(200, "PUT", `${api.builders}/members/cy?dry_run=true`, olga)).toEqual([])
      const added = yield* api.ask(200, "PUT", `${api.builders}/repos/acme/site?dry_run=true`, olga)
      expect(added[0]).toMatchObject({ user: { login: "bob" }, gains: true, loses: false })
      const removed = yield* api.ask(200, "DELETE", `${api.builders}/repos/acme/vault?dry_run=true`, olga)
      expect(lost(removed)).toEqual(["acme/vault"])
      yield* api.ask(404, "GET", `${api.builders}/members/cy`, olga)
      yield* api.ask(200, "GET", `${api.builders}/members/bob`, olga)
      yield* api.ask(200, "GET", `${api.builders}/repos/acme/vault`, olga)
      yield* api.ask(404, "GET", `${api.builders}/repos/acme/site`, olga)
    })
  )

  it.live("lists all affected users when an organization becomes visible", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const opened = yield* api.ask(200, "PATCH", "/orgs/acme?dry_run=true", {
        ...olga,
        body: { visibility: "limited" }
      })
      expect(opened).toEqual([
        expect.objectContaining({
          audience: "signed-in",
          gains: true,
          permission: { before: "none", after: "read" },
          repository: expect.objectContaining({ full_name: "acme/site" })
        })
      ])
      expect((yield* api.ask(200, "GET", "/orgs/acme", olga)).visibility).toBe("private")
    })
  )

  it.live(
    "requires the same permissions as the change, rejects the same input, and applies the change for dry_run=false",
    () =>
      Effect.gen(function* () {
        const api = yield* begin
        yield* api.ask(404, "DELETE", `${api.builders}?dry_run=true`, bob)
        const token = bearer(yield* api.mint("olga", ["read:organization"]))
        yield* api.ask(403, "DELETE", `${api.builders}?dry_run=true`, { headers: token })
        yield* api.ask(403, "DELETE", "/orgs/acme/members/olga?dry_run=true", olga)
        yield* api.ask(404, "PUT", `${api.builders}/members/nobody?dry_run=true`, olga)
        yield* api.ask(422, "PATCH", `${api.builders}?dry_run=true`, { ...olga, body: { permission: "owner" } })
        yield* api.ask(422, "DELETE", `${api.builders}?dry_run=perhaps`, olga)
        yield* api.ask(204, "DELETE", `${api.builders}?dry_run=false`, olga)
        yield* api.ask(404, "GET", api.builders, olga)
      })
  )
})
