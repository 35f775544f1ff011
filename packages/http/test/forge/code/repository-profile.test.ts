import { describe, expect, it } from "@effect/vitest"
import { Jobs } from "@slipway/forge/background"
import { Effect } from "effect"
import { basic, rootUrl, start } from "../support/harness.ts"

const as = (name: string) => ({ headers: basic(name) })
const base64 = (text: string) => Buffer.from(text).toString("base64")

const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["ann", "bob"]) yield* api.user(name)
  const made = { name: "one", auto_init: true, license: "MIT" }
  yield* api.ask(201, "POST", "/user/repos", { ...as("ann"), body: made })
  const read = (who = as("ann")) => api.ask(200, "GET", "/repos/ann/one", who)
  return { api, read }
})

const write = (path: string, text: string) => ({
  ...as("ann"),
  body: { content: base64(text), message: `write ${path}` }
})

describe("the profile of a repository", () => {
  it.live("has the language and licenses of its default branch, updated after each push", () =>
    Effect.gen(function* () {
      const { api, read } = yield* site
      yield* api.within(Jobs.runDue)
      expect(yield* read()).toMatchObject({ language: "", licenses: ["MIT"] })
      yield* api.ask(201, "POST", "/repos/ann/one/contents/a.go", write("a.go", "package a\n"))
      yield* api.ask(201, "POST", "/repos/ann/one/contents/b.ts", write("b.ts", "export const b = 1\n"))
      yield* api.within(Jobs.runDue)
      expect(yield* read(as("bob"))).toMatchObject({ language: "TypeScript", licenses: ["MIT"] })
      const { data } = yield* api.ask(200, "GET", "/repos/search")
      expect(data).toMatchObject([{ language: "TypeScript", licenses: ["MIT"] }])
      const { sha } = yield* api.ask(200, "GET", "/repos/ann/one/contents/LICENSE", as("ann"))
      const body = { sha, message: "All rights reserved" }
      yield* api.ask(200, "DELETE", "/repos/ann/one/contents/LICENSE", { ...as("ann"), body })
      yield* api.within(Jobs.runDue)
      expect(yield* read()).toMatchObject({ language: "TypeScript", licenses: [] })
    })
  )

  it.live("has an avatar that administrators set, deleted with the repository", () =>
    Effect.gen(function* () {
      const { api, read } = yield* site
      expect((yield* read()).avatar_url).toBe("")
      const body = { image: base64("picture of a ship (metadata)") }
      yield* api.ask(401, "POST", "/repos/ann/one/avatar", { body })
      yield* api.ask(403, "POST", "/repos/ann/one/avatar", { ...as("bob"), body })
      yield* api.ask(403, "DELETE", "/repos/ann/one/avatar", as("bob"))
      yield* api.ask(422, "POST", "/repos/ann/one/avatar", { ...as("ann"), body: { image: base64("no picture") } })
      yield* api.ask(204, "POST", "/repos/ann/one/avatar", { ...as("ann"), body })
      const { avatar_url } = yield* read(as("bob"))
      expect(avatar_url).toMatch(new RegExp(`^${rootUrl}/avatars/[0-9a-f]{32}$`))
      const picture = (address: string) =>
        Effect.map(api.fetch("GET", address.slice(rootUrl.length)), ({ status, text }) => [status, text])
      expect(yield* picture(avatar_url)).toEqual([200, "picture of a ship "])
      // An analysis of the code doesn't change the avatar.
      yield* api.within(Jobs.runDue)
      expect((yield* read()).avatar_url).toBe(avatar_url)
      yield* api.ask(204, "POST", "/repos/ann/one/avatar", { ...as("ann"), body })
      const later = (yield* read()).avatar_url
      expect([later === avatar_url, (yield* picture(avatar_url))[0]]).toEqual([false, 404])
      yield* api.ask(204, "DELETE", "/repos/ann/one/avatar", as("ann"))
      yield* api.ask(204, "DELETE", "/repos/ann/one/avatar", as("ann"))
      expect([(yield* read()).avatar_url, (yield* picture(later))[0]]).toEqual(["", 404])
      yield* api.ask(204, "POST", "/repos/ann/one/avatar", { ...as("ann"), body })
      const last = (yield* read()).avatar_url
      yield* api.ask(204, "DELETE", "/repos/ann/one", as("ann"))
      expect((yield* picture(last))[0]).toBe(404)
    })
  )

  it.live("counts stars and published releases, and sorts lists by them", () =>
    Effect.gen(function* () {
      const { api, read } = yield* site
      for (const name of ["two", "three"]) yield* api.ask(201, "POST", "/user/repos", { ...as("ann"), body: { name } })
      for (const [who, name] of [
        ["ann", "two"],
        ["bob", "two"],
        ["bob", "one"]
      ] as const) {
        yield* api.ask(204, "PUT", `/user/starred/ann/${name}`, as(who))
      }
      const names = (query: string) =>
        Effect.map(api.ask(200, "GET", `/repos/search?${query}`), ({ data }) =>
          (data as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
        )
      expect(yield* names("sort=stars")).toEqual(["three", "one", "two"])
      expect(yield* names("sort=stars&order=desc")).toEqual(["two", "one", "three"])
      expect(yield* names("sort=forks&order=desc")).toEqual(["three", "two", "one"])
      yield* api.ask(422, "GET", "/repos/search?sort=luck")
      const users = yield* Effect.forEach(["ann", "bob"], (name) => api.ask(200, "GET", `/users/${name}`))
      expect(users.map(({ starred_repos_count }) => starred_repos_count)).toEqual([1, 2])
      yield* api.ask(200, "PATCH", "/repos/ann/one", { ...as("ann"), body: { private: true } })
      // A star on a private repository doesn't count for callers without access.
      expect((yield* api.ask(200, "GET", "/users/bob", as("ann"))).starred_repos_count).toBe(1)
      for (const draft of [true, false]) {
        const body = { tag_name: `v-${draft}`, draft, name: "A release" }
        yield* api.ask(201, "POST", "/repos/ann/one/releases", { ...as("ann"), body })
      }
      expect((yield* read()).release_counter).toBe(1)
    })
  )
})
