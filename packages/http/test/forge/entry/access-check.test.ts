import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, type Service, start } from "../support/harness.ts"

const root = { headers: basic("root") }
const ann = { headers: basic("ann") }
const bob = { headers: basic("bob") }
const eve = { headers: basic("eve") }

type Caller = { readonly headers?: Record<string, string> }

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("root", { admin: true })
  for (const name of ["ann", "bob", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme", visibility: "private" } })
  const crew = { name: "crew", permission: "write", units: ["repo.issues"] }
  const team = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...ann, body: crew })
  yield* api.ask(204, "PUT", `/teams/${team.id}/members/bob`, ann)
  yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "site", private: true } })
  yield* api.ask(204, "PUT", `/teams/${team.id}/repos/acme/site`, ann)
  yield* api.ask(201, "POST", "/repos/acme/site/issues", { ...ann, body: { title: "First" } })
  return { api, team: team.id as number }
})

const check = (api: Service, who: Caller, pairs: ReadonlyArray<readonly [action: string, resource: string]>) =>
  api.send("POST", "/access/check", {
    ...who,
    body: { checks: pairs.map(([action, resource]) => ({ action, resource })) }
  })

const statuses = (api: Service, who: Caller, pairs: ReadonlyArray<readonly [action: string, resource: string]>) =>
  Effect.map(check(api, who, pairs), ({ json }) => json.map(({ status }: { readonly status: number }) => status))

describe("POST /access/check", () => {
  it.live("answers the questions in order, each with the status that the request would get", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site
      const pairs = [
        ["repository.read", "repo:acme/site"],
        ["repository.edit", "repo:acme/site"],
        ["label.create", "repo:acme/site"],
        ["git.push", "repo:acme/site"],
        ["issue.edit", "issue:acme/site#1"],
        ["issue.edit", "issue:acme/site#9"],
        ["team.edit", `team:${team}`],
        ["organization.edit", "org:acme"],
        ["user.read", "user:eve"],
        ["account.read", "site"],
        ["admin.user.create", "site"]
      ] as const
      expect(yield* statuses(api, ann, pairs)).toEqual([200, 200, 200, 200, 200, 404, 200, 200, 200, 200, 403])
      expect(yield* statuses(api, bob, pairs)).toEqual([200, 403, 200, 403, 200, 404, 404, 403, 200, 200, 403])
      expect(yield* statuses(api, eve, pairs)).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 200, 200, 403])
      expect(yield* statuses(api, root, pairs)).toEqual([200, 200, 200, 200, 200, 404, 200, 200, 200, 200, 200])
      expect(yield* statuses(api, {}, pairs)).toEqual([404, 404, 404, 404, 404, 404, 401, 404, 200, 401, 401])
      yield* api.ask(403, "PATCH", "/repos/acme/site", { ...bob, body: { description: "x" } })
      yield* api.ask(201, "POST", "/repos/acme/site/labels", { ...bob, body: { name: "bug", color: "#cc0000" } })
      expect((yield* check(api, ann, [])).json).toEqual([])
    })
  )

  it.live("gives the same answer for a hidden and a missing resource, even with reasons (I9)", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site
      const ask = (resource: string, action: string) =>
        Effect.map(
          api.send("POST", "/access/check", { ...eve, body: { checks: [{ action, resource }], explain: true } }),
          ({ json }) => ({ ...json[0], resource: "" })
        )
      const hidden = { action: "repository.edit", resource: "", allowed: false, status: 404, rules: [], path: [] }
      const answer = yield* ask("repo:acme/site", "repository.edit")
      expect(answer).toEqual({ ...hidden, message: "The target couldn't be found." })
      expect(yield* ask("repo:acme/none", "repository.edit")).toEqual(answer)
      expect(yield* ask("org:acme", "organization.read")).toEqual(yield* ask("org:none", "organization.read"))
      expect(yield* ask(`team:${team}`, "team.read")).toEqual(yield* ask("team:99999", "team.read"))
      expect(yield* ask("issue:acme/site#1", "issue.read")).toEqual(yield* ask("issue:acme/none#1", "issue.read"))
    })
  )

  it.live("adds the message, the rules and the path to an answer only on request", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const checks = [
        { action: "repository.read", resource: "repo:acme/site" },
        { action: "repository.edit", resource: "repo:acme/site" }
      ]
      const plain = yield* api.ask(200, "POST", "/access/check", { ...bob, body: { checks } })
      expect(plain).toEqual([
        { ...checks[0], allowed: true, status: 200 },
        { ...checks[1], allowed: false, status: 403 }
      ])
      const [read, edit] = yield* api.ask(200, "POST", "/access/check", { ...bob, body: { checks, explain: true } })
      expect(read).toMatchObject({ allowed: true, message: "", rules: ["repository.team"] })
      expect(edit).toMatchObject({
        allowed: false,
        status: 403,
        message: "user should be an owner or a collaborator with admin write of a repository"
      })
      expect(edit.path.at(-1)).toMatchObject({ passed: false })
    })
  )

  it.live("decides with the scope of the token, and requires no scope for the check itself", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const pairs = [
        ["repository.read", "repo:acme/site"],
        ["repository.edit", "repo:acme/site"],
        ["organization.read", "org:acme"]
      ] as const
      const read = { headers: bearer(yield* api.mint("ann", ["read:repository"])) }
      expect(yield* statuses(api, read, pairs)).toEqual([200, 403, 403])
      expect((yield* check(api, { headers: bearer("0".repeat(40)) }, pairs)).status).toBe(401)
    })
  )

  it.live("rejects the whole batch for one invalid question, and names the invalid field", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site
      const good = ["version.read", "site"] as const
      const reject = (...pairs: ReadonlyArray<readonly [string, string]>) =>
        Effect.map(check(api, ann, pairs), ({ json, status }) => [status, json.message])
      expect(yield* reject(good, ["nothing.read", "site"])).toEqual([
        422,
        "[checks.1.action]: must be an action of the access tables"
      ])
      expect(yield* reject(["__proto__", "site"])).toEqual([
        422,
        "[checks.0.action]: must be an action of the access tables"
      ])
      expect(yield* reject(good, good, ["team.read", "org:acme"])).toEqual([
        422,
        "[checks.2.action]: applies to the resource type `team`, not to `organization`"
      ])
      const [status, message] = yield* reject(["version.read", "acme"])
      expect([status, message.startsWith("[checks.0.resource]: must be org:<name>")]).toEqual([422, true])
      // Deciding about another user would disclose the blocks of that user.
      expect(yield* reject(["team.member.add", `team:${team}/eve`])).toEqual([
        422,
        "[checks.0.resource]: may name only yourself as the user"
      ])
      expect(yield* statuses(api, bob, [["team.member.read", `team:${team}/Bob`]])).toEqual([200])
      const many = (count: number) => Array.from({ length: count }, () => good)
      expect((yield* check(api, ann, many(200))).json.length).toBe(200)
      expect((yield* check(api, ann, many(201))).status).toBe(422)
    })
  )
})
