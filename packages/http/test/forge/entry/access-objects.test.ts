import { describe, expect, it } from "@effect/vitest"
import { parseWorld } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { basic, bearer, start } from "../support/harness.ts"
import { plant } from "../support/world.ts"

const world = parseWorld(`
  user ann admin
  user olga
  user bob
  user out
  organization acme
  organization hush private
  repository acme/site
  repository acme/vault private
  repository bob/notes private
  repository hush/plot
  team acme/Owners: olga
  team acme/builders code=write issues=read on vault: bob
  team hush/Owners: ann
`)

const begin = Effect.gen(function* () {
  const api = yield* start()
  yield* plant(api, world)
  return api
})

type Rows = ReadonlyArray<{ readonly resource: string; readonly id: number }>

const resources = (rows: Rows) => rows.map(({ resource }) => resource)

describe("GET /access/objects", () => {
  it.live("lists the repositories for which the caller gets a positive check, with pages", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const list = (action: string, name: string, more = "") =>
        api.ask(200, "GET", `/access/objects?action=${action}${more}`, { headers: basic(name) }) as Effect.Effect<Rows>
      expect(resources(yield* list("repository.contents.change", "bob"))).toEqual(["repo:acme/vault", "repo:bob/notes"])
      expect(resources(yield* list("repository.read", "bob"))).toEqual([
        "repo:acme/site",
        "repo:acme/vault",
        "repo:bob/notes"
      ])
      expect(resources(yield* list("repository.delete", "bob"))).toEqual(["repo:bob/notes"])
      const every = resources(yield* list("repository.read", "ann"))
      for (const name of ["ann", "olga", "bob", "out"]) {
        for (const action of ["repository.read", "repository.edit", "issue.create", "git.push", "repository.delete"]) {
          const checks = every.map((resource) => ({ action, resource }))
          const answers: ReadonlyArray<{ readonly allowed: boolean; readonly resource: string }> = yield* api.ask(
            200,
            "POST",
            "/access/check",
            { headers: basic(name), body: { checks } }
          )
          const wanted = answers.filter(({ allowed }) => allowed).map(({ resource }) => resource)
          expect(resources(yield* list(action, name)), `${action} ${name}`).toEqual(wanted)
        }
      }
      const first = yield* api.send("GET", "/access/objects?action=repository.read&limit=2", { headers: basic("bob") })
      expect(first.headers.get("x-total-count")).toBe("3")
      expect(resources(first.json as Rows)).toEqual(["repo:acme/site", "repo:acme/vault"])
      expect(resources(yield* list("repository.read", "bob", "&limit=2&page=2"))).toEqual(["repo:bob/notes"])
    })
  )

  it.live("answers about other users only to site administrators, and to owners about their repositories", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const about = (query: string) => `/access/objects?action=repository.read&${query}`
      const list = (query: string, name: string) =>
        Effect.map(api.ask(200, "GET", about(query), { headers: basic(name) }), (rows) => resources(rows as Rows))
      expect(yield* list("user=bob", "ann")).toEqual(["repo:acme/site", "repo:acme/vault", "repo:bob/notes"])
      expect(yield* list("user=out", "ann")).toEqual(["repo:acme/site"])
      expect(yield* list("user=bob&owner=acme", "olga")).toEqual(["repo:acme/site", "repo:acme/vault"])
      expect(yield* list("owner=acme", "out")).toEqual(["repo:acme/site"])
      // An owner that the caller does not see gets the same answer as a missing one.
      for (const owner of ["hush", "nobody"]) expect(yield* list(`owner=${owner}`, "bob")).toEqual([])
      for (const query of ["user=bob", "user=bob&owner=bob", "user=bob&owner=hush", "user=bob&owner=nobody"]) {
        yield* api.ask(404, "GET", about(query), { headers: basic("olga") })
      }
      const unknown = yield* api.ask(422, "GET", about("user=nobody"), { headers: basic("ann") })
      expect(unknown.message).toContain("`nobody` does not exist")
    })
  )

  it.live("rejects anonymous callers, tokens without scopes, and actions that are not about repositories", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const path = "/access/objects?action=repository.read"
      yield* api.ask(401, "GET", path)
      const token = yield* api.mint("bob", ["read:repository"])
      yield* api.ask(403, "GET", path, { headers: bearer(token) })
      const wrong = (action: string) =>
        Effect.map(
          api.ask(422, "GET", `/access/objects?action=${action}`, { headers: basic("bob") }),
          ({ message }) => message
        )
      expect(yield* wrong("repository.fly")).toContain("must be an action of the access tables")
      expect(yield* wrong("issue.edit")).toContain("applies to the resource type `issue`, not to `repository`")
    })
  )
})
