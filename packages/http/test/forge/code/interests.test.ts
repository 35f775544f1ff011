import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, rootUrl, type Service, start } from "../support/harness.ts"

const as = (name: string) => ({ headers: basic(name) })

/** A site where ann owns a public and a private repository, and bob collaborates on the private one. */
const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["ann", "bob", "eve"]) yield* api.user(name)
  for (const [name, shut] of [
    ["open", false],
    ["shut", true]
  ] as const) {
    yield* api.ask(201, "POST", "/user/repos", { ...as("ann"), body: { name, private: shut } })
  }
  yield* api.ask(204, "PUT", "/repos/ann/shut/collaborators/bob", { ...as("ann"), body: { permission: "read" } })
  return api
})

const names = (api: Service, path: string, who: { readonly headers?: Record<string, string> } = {}) =>
  Effect.map(api.send("GET", path, who), ({ headers, json, status }) => {
    expect([path, status]).toEqual([path, 200])
    const rows = json as ReadonlyArray<{ readonly name?: string; readonly login?: string }>
    return [rows.map((each) => each.name ?? each.login), headers.get("x-total-count")]
  })

describe("stars", () => {
  it.live("are added and removed idempotently, and listed with the newest first", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const name of ["open", "shut", "open"]) {
        yield* api.ask(204, "PUT", `/user/starred/ann/${name}`, as("bob"))
        yield* api.ask(204, "GET", `/user/starred/ann/${name}`, as("bob"))
      }
      yield* api.ask(404, "GET", "/user/starred/ann/open", as("ann"))
      expect(yield* names(api, "/user/starred", as("bob"))).toEqual([["shut", "open"], "2"])
      expect(yield* names(api, "/users/bob/starred", as("ann"))).toEqual([["shut", "open"], "2"])
      expect(yield* names(api, "/users/bob/starred", as("eve"))).toEqual([["open"], "1"])
      expect(yield* names(api, "/repos/ann/open/stargazers")).toEqual([["bob"], "1"])
      expect(yield* api.ask(200, "GET", "/repos/ann/open")).toMatchObject({ stars_count: 1, watchers_count: 1 })
      yield* api.ask(204, "DELETE", "/user/starred/ann/open", as("bob"))
      yield* api.ask(204, "DELETE", "/user/starred/ann/open", as("bob"))
      expect(yield* names(api, "/repos/ann/open/stargazers")).toEqual([[], "0"])
      for (const method of ["GET", "PUT", "DELETE"]) {
        yield* api.ask(404, method, "/user/starred/ann/shut", as("eve"))
        yield* api.ask(401, method, "/user/starred/ann/open")
      }
      // Blocks apply in both directions: a blocked user can't star the owner's repositories.
      yield* api.ask(204, "PUT", "/user/blocks/eve", as("ann"))
      yield* api.ask(403, "PUT", "/user/starred/ann/open", as("eve"))
      yield* api.ask(403, "PUT", "/repos/ann/open/subscription", as("eve"))
      const few = bearer(yield* api.mint("bob", ["read:user", "read:repository", "public-only"]))
      expect(yield* names(api, "/user/starred", { headers: few })).toEqual([[], "0"])
    })
  )

  it.live("cannot be used if the site disables them", () =>
    Effect.gen(function* () {
      const api = yield* start({ switches: { stars: false } })
      yield* api.user("ann")
      yield* api.ask(403, "GET", "/user/starred", as("ann"))
    })
  )
})

describe("watching", () => {
  it.live("starts when a user creates a repository, and is returned, changed and listed", () =>
    Effect.gen(function* () {
      const api = yield* site
      const told = yield* api.ask(200, "GET", "/repos/ann/open/subscription", as("ann"))
      expect(told).toEqual({
        subscribed: true,
        ignored: false,
        reason: null,
        created_at: told.created_at,
        url: `${rootUrl}/api/v1/repos/ann/open/subscription`,
        repository_url: `${rootUrl}/api/v1/repos/ann/open`
      })
      expect(yield* names(api, "/user/subscriptions", as("ann"))).toEqual([["shut", "open"], "2"])
      yield* api.ask(404, "GET", "/repos/ann/open/subscription", as("bob"))
      const begun = yield* api.ask(200, "PUT", "/repos/ann/open/subscription", as("bob"))
      expect(begun.subscribed).toBe(true)
      expect(yield* api.ask(200, "PUT", "/repos/ann/open/subscription", as("bob"))).toEqual(begun)
      expect(yield* names(api, "/repos/ann/open/subscribers")).toEqual([["ann", "bob"], "2"])
      for (const _ of [1, 2]) yield* api.ask(204, "DELETE", "/repos/ann/open/subscription", as("bob"))
      yield* api.ask(404, "GET", "/repos/ann/open/subscription", as("bob"))
      expect(yield* names(api, "/repos/ann/open/subscribers")).toEqual([["ann"], "1"])
      expect(yield* names(api, "/users/ann/subscriptions", as("eve"))).toEqual([["open"], "1"])
    })
  )
})

describe("B5, I7, I8: stars and watches of repositories that the user can no longer read", () => {
  it.live(
    "are neither listed nor counted, after a revocation and after becoming private (CVE-2026-59766, CVE-2026-58510)",
    () =>
      Effect.gen(function* () {
        const api = yield* site
        for (const name of ["open", "shut"]) {
          yield* api.ask(204, "PUT", `/user/starred/ann/${name}`, as("bob"))
          yield* api.ask(200, "PUT", `/repos/ann/${name}/subscription`, as("bob"))
        }
        const lists = ["/user/starred", "/user/subscriptions", "/users/bob/starred", "/users/bob/subscriptions"]
        const seen = Effect.forEach(lists, (path) => names(api, path, as("bob")))
        expect(yield* seen).toEqual(lists.map(() => [["shut", "open"], "2"]))
        yield* api.ask(204, "DELETE", "/repos/ann/shut/collaborators/bob", as("ann"))
        expect(yield* seen).toEqual(lists.map(() => [["open"], "1"]))
        yield* api.ask(200, "PATCH", "/repos/ann/open", { ...as("ann"), body: { private: true } })
        expect(yield* seen).toEqual(lists.map(() => [[], "0"]))
      })
  )
})
