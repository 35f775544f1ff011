import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, type Service, start } from "../support/harness.ts"

const ann = { headers: basic("ann") }
const root = { headers: basic("root") }

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("root", { admin: true })
  for (const name of ["ann", "bob"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "one", auto_init: true } })
  return api
})

const put = (api: Service, path: string, text: string, more: object) =>
  api.ask(201, "POST", `/repos/ann/one/contents/${path}`, {
    ...ann,
    body: { content: Buffer.from(text).toString("base64"), message: `Add ${path}`, ...more }
  })

describe("query parameters of lists", () => {
  it.live("admin/users finds by a part of a name, by a whole address, and by is_admin", () =>
    Effect.gen(function* () {
      const api = yield* site
      const found = Effect.fnUntraced(function* (query: string) {
        const { headers, json } = yield* api.send("GET", `/admin/users?${query}`, root)
        // biome-ignore lint/suspicious/noExplicitAny: an answer
        return [json.map(({ login }: any) => login), headers.get("x-total-count")]
      })
      expect(yield* found("q=o")).toEqual([["bob", "root"], "2"])
      expect(yield* found("q=BOB@example.com")).toEqual([["bob"], "1"])
      expect(yield* found("q=bob@example.co")).toEqual([[], "0"])
      expect(yield* found("is_admin=true")).toEqual([["root"], "1"])
      expect(yield* found("is_admin=false&q=b")).toEqual([["bob"], "1"])
      expect(yield* found("q=&is_admin=")).toEqual([["ann", "bob", "root"], "3"])
    })
  )

  it.live("users/search finds whole addresses for site administrators only", () =>
    Effect.gen(function* () {
      const api = yield* site
      const found = (caller: typeof ann) =>
        Effect.map(api.ask(200, "GET", "/users/search?q=bob@example.com", caller), ({ data }) => data.length)
      expect([yield* found(root), yield* found(ann)]).toEqual([1, 0])
    })
  )

  it.live("branches?q= lists the branches with names that contain it", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const new_branch_name of ["fix/Door", "door", "window"])
        yield* api.ask(201, "POST", "/repos/ann/one/branches", { ...ann, body: { new_branch_name } })
      const { headers, json } = yield* api.send("GET", "/repos/ann/one/branches?q=DOOR&limit=1", ann)
      expect([json.length, json[0].name, headers.get("x-total-count")]).toEqual([1, "door", "2"])
      expect(headers.get("link")).toContain("q=DOOR")
      expect(yield* api.ask(200, "GET", "/repos/ann/one/branches?q=", ann)).toHaveLength(4)
    })
  )

  it.live("pulls/{index}/files?whitespace= leaves out files that differ in whitespace only", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* put(api, "a.txt", "a b\n", { branch: "main" })
      const { content } = yield* put(api, "b.txt", "b\n", { branch: "main", new_branch: "work" })
      expect(content.path).toBe("b.txt")
      const { sha } = yield* api.ask(200, "GET", "/repos/ann/one/contents/a.txt?ref=work", ann)
      yield* api.ask(200, "PUT", "/repos/ann/one/contents/a.txt", {
        ...ann,
        body: { content: Buffer.from("a  b\n").toString("base64"), message: "Space", branch: "work", sha }
      })
      yield* api.ask(201, "POST", "/repos/ann/one/pulls", {
        ...ann,
        body: { title: "Work", head: "work", base: "main" }
      })
      const files = Effect.fnUntraced(function* (query: string) {
        const { headers, json } = yield* api.send("GET", `/repos/ann/one/pulls/1/files?${query}`, ann)
        // biome-ignore lint/suspicious/noExplicitAny: an answer
        return [json.map(({ filename }: any) => filename), headers.get("x-total-count")]
      })
      for (const query of ["", "whitespace=", "whitespace=show-all", "whitespace=ignore-eol"])
        expect(yield* files(query)).toEqual([["a.txt", "b.txt"], "2"])
      for (const query of ["whitespace=ignore-all", "whitespace=ignore-change"])
        expect(yield* files(query)).toEqual([["b.txt"], "1"])
      yield* api.ask(422, "GET", "/repos/ann/one/pulls/1/files?whitespace=some", ann)
    })
  )

  it.live("commits/{ref}/status paginates its statuses, and combines all of them", () =>
    Effect.gen(function* () {
      const api = yield* site
      const at = "/repos/ann/one"
      for (const [context, state] of [
        ["a", "failure"],
        ["b", "success"],
        ["c", "success"]
      ])
        yield* api.ask(201, "POST", `${at}/statuses/main`, { ...ann, body: { context, state } })
      const pages = [1, 2].map((page) => api.send("GET", `${at}/commits/main/status?limit=2&page=${page}`, ann))
      const [first, second] = yield* Effect.all(pages)
      const told = [first, second].map((page) => [
        page?.json.statuses.length,
        page?.json.total_count,
        page?.json.state,
        page?.headers.get("x-total-count")
      ])
      expect(told).toEqual([
        [2, 3, "failure", "3"],
        [1, 3, "failure", "3"]
      ])
      expect(first?.headers.get("link")).toContain('limit=2&page=2>; rel="next"')
      const contexts = [first, second].flatMap((page) =>
        // biome-ignore lint/suspicious/noExplicitAny: an answer
        page?.json.statuses.map(({ context }: any) => context)
      )
      expect(contexts.toSorted()).toEqual(["a", "b", "c"])
    })
  )
})
