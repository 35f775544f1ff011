import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"

describe("commit statuses", () => {
  it.live("require write access to the code, and the latest status of each check counts", () =>
    Effect.gen(function* () {
      const api = yield* withPeople(kindsOfGit[0][1])
      const id = yield* makeRepository(api, "app")
      const commit = yield* commitTo(api, id, { a: "a" })
      const give = (state: string, context?: string) =>
        api.ask(201, "POST", `${base}/statuses/${commit}`, {
          ...ann,
          body: { state, ...(context === undefined ? {} : { context }), target_url: "https://ci.example.com/1" }
        })
      expect((yield* api.ask(200, "GET", `${base}/commits/main/status`, ann)).state).toBe("pending")
      const first = yield* give("pending", "ci/build")
      expect(first).toMatchObject({ status: "pending", context: "ci/build", target_url: "https://ci.example.com/1" })
      expect(first.creator.login).toBe("ann")
      expect((yield* give("success")).context).toBe("default")
      yield* give("failure", "ci/build")
      const combined = yield* api.ask(200, "GET", `${base}/commits/main/status`, bob)
      expect([combined.state, combined.sha, combined.total_count, combined.repository.name]).toEqual([
        "failure",
        commit,
        2,
        "app"
      ])
      yield* give("success", "ci/build")
      expect((yield* api.ask(200, "GET", `${base}/commits/${commit}/status`, bob)).state).toBe("success")
      const listed = (query: string) =>
        Effect.map(api.ask(200, "GET", `${base}/statuses/main?${query}`, bob), (rows) =>
          rows.map(({ status }: { status: string }) => status)
        )
      expect(yield* listed("")).toEqual(["success", "failure", "success", "pending"])
      expect(yield* listed("sort=oldest&state=success&limit=1")).toEqual(["success"])
      expect(yield* api.ask(200, "GET", `${base}/commits/main~1/statuses`, bob)).toEqual([])
      yield* api.ask(404, "POST", `${base}/statuses/${"0".repeat(40)}`, { ...ann, body: { state: "success" } })
      const script = { state: "success", target_url: "javascript:alert(1)" }
      yield* api.ask(422, "POST", `${base}/statuses/main`, { ...ann, body: script })
      yield* api.ask(403, "POST", `${base}/statuses/main`, { ...bob, body: { state: "success" } })
    })
  )

  it.live("are found by the commit id even if a branch or tag has this id as its name, as are files (I19)", () =>
    Effect.gen(function* () {
      for (const [, kind] of kindsOfGit) {
        const api = yield* withPeople(kind)
        const id = yield* makeRepository(api, "app")
        const commit = yield* commitTo(api, id, { a: "good" })
        yield* commitTo(api, id, { a: "bad" }, { branch: commit, from: "main" })
        yield* api.ask(201, "POST", `${base}/tags`, {
          ...ann,
          body: { tag_name: commit, target: `refs/heads/${commit}` }
        })
        const given = { ...ann, body: { state: "success" } }
        expect((yield* api.ask(201, "POST", `${base}/statuses/${commit}`, given)).url).toContain(commit)
        expect((yield* api.ask(200, "GET", `${base}/commits/main/status`, ann)).state).toBe("success")
        expect((yield* api.send("GET", `${base}/raw/a?ref=${commit}`, ann)).text).toBe("good")
        expect((yield* api.send("GET", `${base}/raw/a?ref=refs/heads/${commit}`, ann)).text).toBe("bad")
      }
    })
  )
})
