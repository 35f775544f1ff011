import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { Effect } from "effect"
import { basic } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, withPeople } from "../support/repositories.ts"

const [[, inMemory]] = kindsOfGit
const base = "/repos/acme/site"
const cat = { headers: basic("cat") }

/**
 * A pull request of Bob's into a branch that blocks on review requests, in an organization where Bob and Cat are a
 * team.
 */
const site = Effect.gen(function* () {
  const api = yield* withPeople(inMemory)
  for (const name of ["cat", "dora"]) yield* api.user(name)
  yield* api.user("root", { admin: true })
  const post = (path: string, body: object, as = ann, status = 201) => api.ask(status, "POST", path, { ...as, body })
  yield* post("/orgs", { username: "acme" })
  const { id } = yield* post("/orgs/acme/repos", { name: "site", auto_init: true })
  const units = ["repo.code", "repo.pulls"]
  const crew = { name: "crew", permission: "write", units, includes_all_repositories: true }
  const team = yield* post("/orgs/acme/teams", crew)
  for (const name of ["bob", "cat"]) yield* api.ask(204, "PUT", `/teams/${team.id}/members/${name}`, ann)
  yield* commitTo(api, id as RepositoryId, { a: "a" }, { branch: "topic", from: "main" })
  yield* post(`${base}/branch_protections`, { rule_name: "main", block_on_official_review_requests: true })
  yield* post(`${base}/pulls`, { title: "A", head: "topic", base: "main" }, bob)
  const waits = Effect.map(
    api.ask(200, "GET", `${base}/pulls/1`, ann),
    ({ blocked_by }) => blocked_by as ReadonlyArray<string>
  )
  return { api, post, waits }
})

describe("blocking review requests", () => {
  it.live("are fulfilled for a team by one member's approval or rejection, not by a comment", () =>
    Effect.gen(function* () {
      const { api, post, waits } = yield* site
      yield* post(`${base}/pulls/1/requested_reviewers`, { team_reviewers: ["crew"] })
      expect(yield* waits).toEqual(["requested"])
      yield* post(`${base}/pulls/1/reviews`, { event: "COMMENT", body: "Hm" }, cat, 200)
      expect(yield* waits).toEqual(["requested"])
      yield* post(`${base}/pulls/1/reviews`, { event: "APPROVED" }, ann, 200)
      expect(yield* waits).toEqual(["requested"])
      yield* post(`${base}/pulls/1/reviews`, { event: "APPROVED" }, cat, 200)
      expect(yield* waits).toEqual([])
      const { requested_reviewers_teams: teams } = yield* api.ask(200, "GET", `${base}/pulls/1`, ann)
      expect(teams).toEqual([])
    })
  )

  it.live("are removed with the account of the reviewer", () =>
    Effect.gen(function* () {
      const { api, post, waits } = yield* site
      yield* api.ask(204, "PUT", `${base}/collaborators/dora`, { ...ann, body: { permission: "write" } })
      yield* post(`${base}/pulls/1/requested_reviewers`, { reviewers: ["dora"] })
      expect(yield* waits).toEqual(["requested"])
      yield* api.ask(204, "DELETE", "/admin/users/dora", { headers: basic("root") })
      expect(yield* waits).toEqual([])
    })
  )

  it.live("can be cancelled by the requested reviewer, but not by another reviewer", () =>
    Effect.gen(function* () {
      const { api, post, waits } = yield* site
      yield* api.ask(204, "PUT", `${base}/collaborators/dora`, { ...ann, body: { permission: "read" } })
      const dora = { headers: basic("dora") }
      const path = `${base}/pulls/1/requested_reviewers`
      yield* post(path, { reviewers: ["dora", "cat"] })
      const asked = Effect.map(api.ask(200, "GET", `${base}/pulls/1`, ann), ({ requested_reviewers }) =>
        requested_reviewers.map(({ login }: { login: string }) => login)
      )
      const others = [{ reviewers: ["cat"] }, { reviewers: ["dora", "cat"] }, { team_reviewers: ["crew"] }]
      for (const body of others) {
        const { message } = yield* api.ask(403, "DELETE", path, { ...dora, body })
        expect(message).toBe("only the author and users who write pull requests can withdraw requests to others")
      }
      yield* api.ask(403, "POST", path, { ...dora, body: { reviewers: ["dora"] } })
      expect(yield* asked).toEqual(["dora", "cat"])
      for (const reviewers of [["Dora"], ["dora"]])
        yield* api.ask(204, "DELETE", path, { ...dora, body: { reviewers } })
      expect(yield* asked).toEqual(["cat"])
      yield* api.ask(204, "DELETE", path, { ...bob, body: { reviewers: ["cat", "dora"] } })
      expect([yield* asked, yield* waits]).toEqual([[], []])
      // Rejected cancellations left no timeline entry.
      const events = yield* api.ask(200, "GET", `${base}/issues/1/timeline`, ann)
      const told = events.filter(({ type }: { type: string }) => type === "review_request")
      expect(
        told.map(({ assignee, removed_assignee }: { assignee: { login: string }; removed_assignee: boolean }) => [
          assignee.login,
          removed_assignee
        ])
      ).toEqual([
        ["dora", false],
        ["cat", false],
        ["dora", true],
        ["cat", true]
      ])
    })
  )
})
