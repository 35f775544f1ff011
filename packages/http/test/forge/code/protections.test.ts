import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, type Service, start } from "../support/harness.ts"

const plain = {
  priority: 1,
  enable_push: false,
  enable_push_whitelist: false,
  push_whitelist_usernames: [],
  push_whitelist_teams: [],
  push_whitelist_deploy_keys: false,
  enable_force_push: false,
  enable_force_push_allowlist: false,
  force_push_allowlist_usernames: [],
  force_push_allowlist_teams: [],
  force_push_allowlist_deploy_keys: false,
  enable_merge_whitelist: false,
  merge_whitelist_usernames: [],
  merge_whitelist_teams: [],
  enable_status_check: false,
  status_check_contexts: [],
  required_approvals: 0,
  enable_approvals_whitelist: false,
  approvals_whitelist_username: [],
  approvals_whitelist_teams: [],
  dismiss_stale_approvals: false,
  ignore_stale_approvals: false,
  block_on_rejected_reviews: false,
  block_on_official_review_requests: false,
  block_on_outdated_branch: false,
  block_admin_merge_override: false,
  require_signed_commits: false,
  protected_file_patterns: "",
  unprotected_file_patterns: ""
}

/** A non-default value for every writable field. */
const set = {
  priority: 7,
  enable_push: true,
  enable_push_whitelist: true,
  push_whitelist_usernames: ["bob"],
  push_whitelist_teams: ["crew"],
  push_whitelist_deploy_keys: true,
  enable_force_push: true,
  enable_force_push_allowlist: true,
  force_push_allowlist_usernames: ["bob"],
  force_push_allowlist_teams: ["crew"],
  force_push_allowlist_deploy_keys: true,
  enable_merge_whitelist: true,
  merge_whitelist_usernames: ["bob"],
  merge_whitelist_teams: ["crew"],
  enable_status_check: true,
  status_check_contexts: ["ci/*"],
  required_approvals: 2,
  enable_approvals_whitelist: true,
  approvals_whitelist_username: ["bob"],
  approvals_whitelist_teams: ["crew"],
  dismiss_stale_approvals: true,
  ignore_stale_approvals: true,
  block_on_rejected_reviews: true,
  block_on_official_review_requests: true,
  block_on_outdated_branch: true,
  block_admin_merge_override: true,
  require_signed_commits: true,
  protected_file_patterns: "*.lock",
  unprotected_file_patterns: "docs/**"
}

const headers = basic("ann")

const fixture = (api: Service) =>
  Effect.gen(function* () {
    yield* api.user("ann")
    yield* api.user("bob")
    yield* api.user("hid", { visibility: "private" })
    yield* api.ask(201, "POST", "/orgs", { headers, body: { username: "acme" } })
    yield* api.ask(201, "POST", "/orgs/acme/teams", {
      headers,
      body: { name: "crew", permission: "write", units: ["repo.code"] }
    })
    yield* api.ask(201, "POST", "/orgs/acme/repos", { headers, body: { name: "app" } })
    return "/repos/acme/app"
  })

const without = ({ created_at: _, updated_at: __, ...row }: Record<string, unknown>) => row
const named = (rows: ReadonlyArray<{ readonly rule_name: string }>) => rows.map(({ rule_name }) => rule_name)

describe("branch protections", () => {
  it.live("have all fields, and store each field when it is set alone", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const path = `${yield* fixture(api)}/branch_protections`
      const made = yield* api.ask(201, "POST", path, { headers, body: { rule_name: "release/**" } })
      expect(without(made)).toEqual({ branch_name: "release/**", rule_name: "release/**", ...plain })
      const one = `${path}/${encodeURIComponent("release/**")}`
      let expected: Record<string, unknown> = { branch_name: "release/**", rule_name: "release/**", ...plain }
      for (const [field, value] of Object.entries(set)) {
        expected = { ...expected, [field]: value }
        expect(without(yield* api.ask(200, "PATCH", one, { headers, body: { [field]: value } }))).toEqual(expected)
      }
      expect(without(yield* api.ask(200, "GET", `${path}/release/**`, { headers }))).toEqual(expected)
      const whole = yield* api.ask(201, "POST", path, { headers, body: { branch_name: "main", ...set } })
      expect(without(whole)).toEqual({ branch_name: "main", rule_name: "main", ...set })
      yield* api.ask(204, "DELETE", one, { headers })
      yield* api.ask(404, "GET", one, { headers })
      yield* api.ask(404, "DELETE", one, { headers })
      expect(named(yield* api.ask(200, "GET", path, { headers }))).toEqual(["main"])
    })
  )

  it.live("are listed in the order that their administrator sets", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const path = `${yield* fixture(api)}/branch_protections`
      for (const rule_name of ["a", "b", "c"]) yield* api.ask(201, "POST", path, { headers, body: { rule_name } })
      const rows = yield* api.ask(200, "GET", path, { headers })
      expect(rows.map(({ priority }: { priority: number }) => priority)).toEqual([1, 2, 3])
      // Responses don't contain their ids, which are in the order of creation.
      yield* api.ask(204, "POST", `${path}/priority`, { headers, body: { ids: [3, 1, 2] } })
      expect(named(yield* api.ask(200, "GET", path, { headers }))).toEqual(["c", "a", "b"])
      const refused = yield* api.ask(422, "POST", `${path}/priority`, { headers, body: { ids: [1, 99] } })
      expect(refused.message).toBe("[ids]: 99 does not exist")
      yield* api.ask(422, "POST", `${path}/priority`, { headers, body: { ids: [1, 1] } })
    })
  )

  it.live("report all errors of a request, and require repository administrators", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const path = `${yield* fixture(api)}/branch_protections`
      const refusal = (body: unknown) =>
        Effect.map(api.ask(422, "POST", path, { headers, body }), ({ message }) => message)
      expect(yield* refusal({})).toBe("[rule_name]: must have 1 to 255 characters")
      // I9: a hidden user gets the same response as a missing one.
      for (const name of ["nobody-there", "hid"]) {
        expect(yield* refusal({ rule_name: "m", push_whitelist_usernames: ["bob", name] })).toBe(
          `[push_whitelist_usernames]: \`${name}\` does not exist`
        )
      }
      expect(yield* refusal({ rule_name: "m", approvals_whitelist_teams: ["nobody-there"] })).toBe(
        "[approvals_whitelist_teams]: `nobody-there` does not exist"
      )
      expect(yield* refusal({ rule_name: "m", protected_file_patterns: "a;".repeat(101) })).toBe(
        "[protected_file_patterns]: must have at most 100 patterns"
      )
      yield* api.ask(201, "POST", path, { headers, body: { rule_name: "m" } })
      expect(yield* refusal({ rule_name: "m" })).toBe("[rule_name]: `m` is taken")
      yield* api.ask(403, "GET", path, { headers: basic("bob") })
      yield* api.ask(403, "POST", path, { headers: basic("bob"), body: { rule_name: "x" } })
    })
  )

  it.live("keep users and teams that are hidden from the editor when lists are replaced", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const repository = yield* fixture(api)
      yield* api.user("root", { admin: true })
      yield* api.ask(204, "PUT", `${repository}/collaborators/bob`, { headers, body: { permission: "admin" } })
      const lists = { push_whitelist_usernames: ["ann", "hid"], push_whitelist_teams: ["crew"] }
      const branches = `${repository}/branch_protections`
      yield* api.ask(201, "POST", branches, { headers: basic("root"), body: { rule_name: "main", ...lists } })
      const tags = `${repository}/tag_protections`
      const body = { name_pattern: "v*", whitelist_usernames: ["ann", "hid"], whitelist_teams: ["crew"] }
      const { id } = yield* api.ask(201, "POST", tags, { headers: basic("root"), body })
      const seen = yield* api.ask(200, "PATCH", `${branches}/main`, {
        headers: basic("bob"),
        body: { push_whitelist_usernames: ["bob"], push_whitelist_teams: [] }
      })
      expect([seen.push_whitelist_usernames, seen.push_whitelist_teams]).toEqual([["bob"], []])
      yield* api.ask(200, "PATCH", `${tags}/${id}`, {
        headers: basic("bob"),
        body: { whitelist_usernames: ["bob"], whitelist_teams: [] }
      })
      const branch = yield* api.ask(200, "GET", `${branches}/main`, { headers: basic("root") })
      expect([branch.push_whitelist_usernames, branch.push_whitelist_teams]).toEqual([["bob", "hid"], ["crew"]])
      const tag = yield* api.ask(200, "GET", `${tags}/${id}`, { headers: basic("root") })
      expect([tag.whitelist_usernames, tag.whitelist_teams]).toEqual([["bob", "hid"], ["crew"]])
    })
  )
})

describe("tag protections", () => {
  it.live("are created, changed and deleted", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const path = `${yield* fixture(api)}/tag_protections`
      const made = yield* api.ask(201, "POST", path, {
        headers,
        body: { name_pattern: "v*", whitelist_teams: ["Crew"] }
      })
      expect(without(made)).toEqual({
        id: made.id,
        name_pattern: "v*",
        whitelist_usernames: [],
        whitelist_teams: ["crew"]
      })
      const one = `${path}/${made.id}`
      const changed = yield* api.ask(200, "PATCH", one, { headers, body: { whitelist_usernames: ["bob"] } })
      expect(without(changed)).toEqual({
        id: made.id,
        name_pattern: "v*",
        whitelist_usernames: ["bob"],
        whitelist_teams: ["crew"]
      })
      expect(yield* api.ask(200, "GET", one, { headers })).toEqual(changed)
      expect(yield* api.ask(200, "GET", path, { headers })).toEqual([changed])
      const refused = yield* api.ask(422, "POST", path, { headers, body: { name_pattern: "v*" } })
      expect(refused.message).toBe("[name_pattern]: `v*` is taken")
      yield* api.ask(422, "POST", path, { headers, body: { name_pattern: "w", whitelist_usernames: ["hid"] } })
      yield* api.ask(403, "GET", path, { headers: basic("bob") })
      yield* api.ask(204, "DELETE", one, { headers })
      yield* api.ask(404, "DELETE", one, { headers })
    })
  )
})
