import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"

const bob = { headers: basic("bob") }
const cat = { headers: basic("cat") }
const dan = { headers: basic("dan") }

describe("the counts of a milestone", () => {
  it.live("include only issues and pull requests that the caller can read, in every response", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const name of ["bob", "cat", "dan"]) yield* api.user(name)
      yield* api.ask(201, "POST", "/orgs", { ...bob, body: { username: "acme" } })
      const teams = [
        ["triage", "cat", { "repo.issues": "read" }],
        ["review", "dan", { "repo.pulls": "read", "repo.code": "read" }]
      ] as const
      yield* api.ask(201, "POST", "/orgs/acme/repos", {
        ...bob,
        body: { name: "site", private: true, auto_init: true }
      })
      for (const [name, member, units_map] of teams) {
        const body = { name, permission: "read", units_map, includes_all_repositories: true }
        const { id } = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...bob, body })
        yield* api.ask(204, "PUT", `/teams/${id}/members/${member}`, bob)
      }
      const at = "/repos/acme/site"
      const { id: milestone } = yield* api.ask(201, "POST", `${at}/milestones`, { ...bob, body: { title: "One" } })
      for (const title of ["Open", "Closed"])
        yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title, milestone } })
      yield* api.ask(201, "PATCH", `${at}/issues/2`, { ...bob, body: { state: "closed" } })
      const file = { content: "aGk=", message: "Add a file", new_branch: "work" }
      yield* api.ask(201, "POST", `${at}/contents/a.txt`, { ...bob, body: file })
      yield* api.ask(201, "POST", `${at}/pulls`, {
        ...bob,
        body: { title: "Work", head: "work", base: "main", milestone }
      })
      const numbers = ({ closed_issues, open_issues }: Record<string, number>) => [open_issues, closed_issues]
      const seen = Effect.fnUntraced(function* (caller: typeof bob, index: number) {
        const [listed] = yield* api.ask(200, "GET", `${at}/milestones`, caller)
        const [own] = yield* api.ask(200, "GET", "/user/milestones", caller)
        expect(own.repository.full_name).toBe("acme/site")
        const read = yield* api.ask(200, "GET", `${at}/milestones/${milestone}`, caller)
        const issue = yield* api.ask(200, "GET", `${at}/issues/${index}`, caller)
        const listedIssues = yield* api.ask(200, "GET", `${at}/issues?state=all`, caller)
        return [listed, own, read, issue.milestone, listedIssues[0].milestone].map(numbers)
      })
      const alike = (wanted: ReadonlyArray<number>) => [wanted, wanted, wanted, wanted, wanted]
      expect(yield* seen(bob, 1)).toEqual(alike([2, 1]))
      expect(yield* seen(cat, 1)).toEqual(alike([1, 1]))
      expect(yield* seen(dan, 3)).toEqual(alike([1, 0]))
      // The search through all repositories returns the same counts.
      const [found] = yield* api.ask(200, "GET", "/repos/issues/search?type=pulls&state=all", dan)
      expect(numbers(found.milestone)).toEqual([1, 0])
    })
  )
})
