import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ann, commitTo, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"

describe("names of branches and tags that begin with refs/", () => {
  it.live("are rejected on every route that creates one", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(() => ({}))
      yield* makeRepository(api, "app", { template: true })
      yield* api.ask(201, "POST", `${base}/branches`, { ...ann, body: { new_branch_name: "topic" } })
      const name = "refs/heads/x"
      const content = { content: "eA==", message: "x" }
      const requests = [
        ["POST", `${base}/branches`, { new_branch_name: name }],
        ["PATCH", `${base}/branches/topic`, { name }],
        ["POST", `${base}/contents/x.txt`, { ...content, new_branch: name }],
        ["POST", `${base}/tags`, { tag_name: "refs/tags/v1" }],
        ["POST", `${base}/releases`, { tag_name: "refs/tags/v1" }],
        ["POST", "/user/repos", { name: "other", default_branch: name, auto_init: true }],
        ["POST", `${base}/generate`, { owner: "ann", name: "made", default_branch: name, git_content: true }]
      ] as const
      for (const [method, path, body] of requests) {
        const { json, status } = yield* api.send(method, path, { ...ann, body })
        expect([path, status, json.message]).toEqual([path, 422, expect.stringContaining("refs/")])
      }
      const branches = yield* api.ask(200, "GET", `${base}/branches`, ann)
      expect(branches.map((each: { name: string }) => each.name)).toEqual(["main", "topic"])
      yield* api.ask(201, "POST", `${base}/branches`, { ...ann, body: { new_branch_name: "work/refs/x" } })
    })
  )

  it.live("can still be read, written and deleted if they already exist", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(() => ({}))
      const id = yield* makeRepository(api, "app")
      yield* commitTo(api, id, { "a.txt": "a" }, { branch: "refs/old", from: "main" })
      yield* api.ask(200, "GET", `${base}/branches/refs/old`, ann)
      const body = { content: "eA==", message: "x", branch: "refs/old" }
      yield* api.ask(201, "POST", `${base}/contents/x.txt`, { ...ann, body })
      yield* api.ask(204, "DELETE", `${base}/branches/refs/old`, ann)
    })
  )
})
