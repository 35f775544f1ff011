import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, start } from "../support/harness.ts"

const as = (name: string) => ({ headers: basic(name) })

const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["ann", "bob"]) yield* api.user(name)
  for (const [name, shut] of [
    ["open", false],
    ["shut", true]
  ] as const) {
    yield* api.ask(201, "POST", "/user/repos", { ...as("ann"), body: { name, private: shut } })
  }
  const put = (name: string, topics: ReadonlyArray<string>, status = 204) =>
    api.ask(status, "PUT", `/repos/ann/${name}/topics`, { ...as("ann"), body: { topics } })
  const listed = (name: string, who = as("ann")) =>
    Effect.map(api.ask(200, "GET", `/repos/ann/${name}/topics`, who), ({ topics }) => topics as ReadonlyArray<string>)
  return { api, listed, put }
})

describe("topics", () => {
  it.live("are replaced, added and removed by administrators of a repository, and appear in its responses", () =>
    Effect.gen(function* () {
      const { api, listed, put } = yield* site
      yield* put("open", ["Wiki", "go", " go "])
      expect(yield* listed("open")).toEqual(["go", "wiki"])
      yield* put("open", ["go", "compiler"])
      yield* api.ask(204, "PUT", "/repos/ann/open/topics/Lang", as("ann"))
      yield* api.ask(204, "PUT", "/repos/ann/open/topics/lang", as("ann"))
      // Removal is idempotent.
      for (const _ of [1, 2]) yield* api.ask(204, "DELETE", "/repos/ann/open/topics/compiler", as("ann"))
      expect(yield* listed("open", as("bob"))).toEqual(["go", "lang"])
      expect((yield* api.ask(200, "GET", "/repos/ann/open")).topics).toEqual(["go", "lang"])
      const paged = yield* api.send("GET", "/repos/ann/open/topics?limit=1&page=2")
      expect([paged.json, paged.headers.get("x-total-count")]).toEqual([{ topics: ["lang"] }, "2"])
      for (const path of ["topics", "topics/go"]) {
        const body = path === "topics" ? { body: { topics: [] } } : {}
        yield* api.ask(401, "PUT", `/repos/ann/open/${path}`, body)
        yield* api.ask(403, "PUT", `/repos/ann/open/${path}`, { ...as("bob"), ...body })
        yield* api.ask(404, "PUT", `/repos/ann/shut/${path}`, { ...as("bob"), ...body })
      }
      yield* api.ask(404, "GET", "/repos/ann/shut/topics", as("bob"))
      yield* put("open", [])
      expect(yield* listed("open")).toEqual([])
    })
  )

  it.live("have at most 35 letters, digits, dashes and dots, and a repository has at most 25 topics", () =>
    Effect.gen(function* () {
      const { api, listed, put } = yield* site
      const many = Array.from({ length: 25 }, (_, n) => `t-${n}`)
      yield* put("open", many)
      yield* api.ask(422, "PUT", "/repos/ann/open/topics/one-more", as("ann"))
      yield* api.ask(204, "PUT", "/repos/ann/open/topics/t-3", as("ann"))
      expect((yield* listed("open")).length).toBe(25)
      yield* put("open", [...many, "one-more"], 422)
      for (const bad of ["-a", "a b", "ä", "a_b", "a".repeat(36), "a/b"]) {
        yield* put("open", [bad], 422)
        yield* api.ask(422, "PUT", `/repos/ann/open/topics/${encodeURIComponent(bad)}`, as("ann"))
      }
      expect((yield* listed("open")).length).toBe(25)
    })
  )

  it.live("are found with their number of public repositories, and hidden repositories don't count (I9)", () =>
    Effect.gen(function* () {
      const { api, put } = yield* site
      yield* put("open", ["go", "wiki"])
      yield* put("shut", ["go", "merger"])
      yield* api.ask(201, "POST", "/user/repos", { ...as("bob"), body: { name: "tool" } })
      yield* api.ask(204, "PUT", "/repos/bob/tool/topics/go", as("bob"))
      const found = yield* api.ask(200, "GET", "/topics/search?q=G", as("ann"))
      expect(found.topics).toMatchObject([{ topic_name: "go", repo_count: 2 }])
      const all = yield* api.send("GET", "/topics/search", as("ann"))
      expect([all.json.topics.length, all.headers.get("x-total-count")]).toEqual([2, "2"])
      yield* api.ask(200, "PATCH", "/repos/ann/shut", { ...as("ann"), body: { private: false } })
      expect((yield* api.ask(200, "GET", "/topics/search?q=mer")).topics).toMatchObject([{ repo_count: 1 }])
      yield* api.ask(204, "DELETE", "/repos/ann/shut", as("ann"))
      expect((yield* api.ask(200, "GET", "/topics/search?q=mer")).topics).toEqual([])
    })
  )

  it.live("can filter a repository search, and so can stars", () =>
    Effect.gen(function* () {
      const { api, put } = yield* site
      yield* put("open", ["go"])
      yield* put("shut", ["go"])
      const names = (query: string, who: { readonly headers?: Record<string, string> } = {}) =>
        Effect.map(api.ask(200, "GET", `/repos/search?${query}`, who), ({ data }) =>
          (data as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
        )
      expect(yield* names("q=GO&topic=true", as("ann"))).toEqual(["open", "shut"])
      expect(yield* names("q=go&topic=true")).toEqual(["open"])
      expect(yield* names("q=g&topic=true", as("ann"))).toEqual([])
      expect(yield* names("q=op&topic=false", as("ann"))).toEqual(["open"])
      const eve = yield* api.user("eve", { visibility: "private" })
      for (const who of ["bob", "eve"]) yield* api.ask(204, "PUT", "/user/starred/ann/open", as(who))
      const { id } = yield* api.ask(200, "GET", "/users/bob")
      expect(yield* names(`starredBy=${id}`, as("ann"))).toEqual(["open"])
      // The stars of a private account are as hidden as the account.
      expect(yield* names(`starredBy=${eve.id}`, as("ann"))).toEqual([])
      expect(yield* names(`starredBy=${eve.id}`, as("eve"))).toEqual(["open"])
      const few = bearer(yield* api.mint("ann", ["read:repository", "public-only"]))
      expect(yield* names("q=go&topic=true", { headers: few })).toEqual(["open"])
    })
  )
})
