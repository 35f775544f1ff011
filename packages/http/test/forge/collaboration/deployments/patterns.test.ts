import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../../support/repositories.ts"

const base = "/repos/ann/app"
const path = `${base}/environments/production/deployment-branch-policies`
const selected = { protected_branches: false, custom_branch_policies: true }

const made = Effect.gen(function* () {
  const api = yield* withPeople(kindsOfGit[0][1])
  const id = yield* makeRepository(api, "app")
  const commit = yield* commitTo(api, id, { a: "a" })
  const protect = (policy: object | null = selected) =>
    api.ask(200, "PUT", `${base}/environments/production`, { ...ann, body: { deployment_branch_policy: policy } })
  const add = (body: object) => api.ask(200, "POST", path, { ...ann, body })
  const refusal = (body: object) => Effect.map(api.ask(422, "POST", path, { ...ann, body }), ({ message }) => message)
  return { api, commit, protect, add, refusal }
})

describe("the patterns of an environment", () => {
  it.live("are added, listed, read, changed and deleted in GitHub's shape", () =>
    Effect.gen(function* () {
      const { add, api, protect } = yield* made
      const environment = yield* protect()
      expect(environment.deployment_branch_policy).toEqual(selected)
      expect(environment.protection_rules).toEqual([{ type: "branch_policy" }])
      const main = yield* add({ name: "main" })
      expect(main).toEqual({ id: main.id, name: "main", type: "branch" })
      const tag = yield* add({ name: "v*", type: "tag" })
      expect(tag).toEqual({ id: tag.id, name: "v*", type: "tag" })
      expect(yield* api.ask(200, "GET", path, bob)).toEqual({ total_count: 2, branch_policies: [main, tag] })
      expect(yield* api.ask(200, "GET", `${path}/${tag.id}`, bob)).toEqual(tag)
      const changed = yield* api.ask(200, "PUT", `${path}/${tag.id}`, { ...ann, body: { name: "v[0-9]*" } })
      expect(changed).toEqual({ id: tag.id, name: "v[0-9]*", type: "tag" })
      yield* api.ask(204, "DELETE", `${path}/${main.id}`, ann)
      yield* api.ask(404, "DELETE", `${path}/${main.id}`, ann)
      yield* api.ask(404, "PUT", `${path}/${main.id}`, { ...ann, body: { name: "x" } })
      expect((yield* api.ask(200, "GET", path, ann)).branch_policies).toEqual([changed])
      yield* api.ask(204, "DELETE", `${base}/environments/production`, ann)
      yield* api.ask(404, "GET", path, ann)
    })
  )

  it.live("belong to one environment, and are changed only by administrators of the repository", () =>
    Effect.gen(function* () {
      const { add, api, protect } = yield* made
      yield* protect()
      const { id } = yield* add({ name: "main" })
      yield* api.ask(200, "PUT", `${base}/environments/staging`, {
        ...ann,
        body: { deployment_branch_policy: selected }
      })
      const other = `${base}/environments/staging/deployment-branch-policies`
      yield* api.ask(404, "GET", `${other}/${id}`, ann)
      yield* api.ask(404, "DELETE", `${other}/${id}`, ann)
      yield* api.ask(403, "POST", path, { ...bob, body: { name: "x" } })
      yield* api.ask(403, "PUT", `${path}/${id}`, { ...bob, body: { name: "x" } })
      yield* api.ask(403, "DELETE", `${path}/${id}`, bob)
      yield* api.ask(200, "PATCH", base, { ...ann, body: { private: true } })
      for (const hidden of [path, `${path}/${id}`]) yield* api.ask(404, "GET", hidden, bob)
      expect((yield* api.ask(200, "GET", path, ann)).total_count).toBe(1)
    })
  )

  it.live("are rejected if they are invalid or taken, or if the environment has no policy with custom patterns", () =>
    Effect.gen(function* () {
      const { add, api, protect, refusal } = yield* made
      yield* protect(null)
      expect(yield* refusal({ name: "main" })).toContain("must have `custom_branch_policies`")
      yield* protect()
      const { id } = yield* add({ name: "main" })
      yield* add({ name: "main", type: "tag" })
      const { id: second } = yield* add({ name: "release/*" })
      expect(yield* refusal({ name: "main" })).toContain("`main` is taken")
      expect(yield* refusal({ name: "" })).toContain("name")
      expect(yield* refusal({ name: "x".repeat(256) })).toContain("255")
      expect(yield* refusal({ name: "{a,b}".repeat(8) })).toContain("must have braces for at most 128 names")
      expect(yield* refusal({ name: "x", type: "commit" })).toContain("type")
      const taken = yield* api.ask(422, "PUT", `${path}/${second}`, { ...ann, body: { name: "main" } })
      expect(taken.message).toContain("`main` is taken")
      expect((yield* api.ask(200, "PUT", `${path}/${id}`, { ...ann, body: { name: "main" } })).name).toBe("main")
      for (let n = 3; n < 100; n++) yield* add({ name: `b${n}` })
      expect(yield* refusal({ name: "one-too-many" })).toContain("at most 100 patterns")
    })
  )

  it.live("decide which branches and tags may deploy to the environment", () =>
    Effect.gen(function* () {
      const { add, api, commit, protect } = yield* made
      for (const name of ["release/1", "release/2/fix"]) {
        yield* api.ask(201, "POST", `${base}/branches`, { ...ann, body: { new_branch_name: name } })
      }
      for (const tag_name of ["v1", "release/3"]) {
        yield* api.ask(201, "POST", `${base}/tags`, { ...ann, body: { tag_name } })
      }
      yield* protect()
      const statusOf = (ref: string) =>
        Effect.map(api.send("POST", `${base}/deployments`, { ...ann, body: { ref } }), ({ status }) => status)
      const statuses = Effect.all(
        Object.fromEntries(
          ["main", "release/1", "release/2/fix", "v1", "refs/tags/release/3", commit].map((ref) => [ref, statusOf(ref)])
        )
      )
      const none = {
        main: 422,
        "release/1": 422,
        "release/2/fix": 422,
        v1: 422,
        "refs/tags/release/3": 422,
        [commit]: 422
      }
      expect(yield* statuses).toEqual(none)
      const { id } = yield* add({ name: "release/*" })
      expect(yield* statuses).toEqual({ ...none, "release/1": 201 })
      yield* add({ name: "v*", type: "tag" })
      expect(yield* statuses).toEqual({ ...none, "release/1": 201, v1: 201 })
      yield* api.ask(200, "PUT", `${path}/${id}`, { ...ann, body: { name: "release/**" } })
      expect(yield* statuses).toEqual({ ...none, "release/1": 201, "release/2/fix": 201, v1: 201 })
      const { message } = yield* api.ask(422, "POST", `${base}/deployments`, { ...ann, body: { ref: "main" } })
      expect(message).toContain(
        "no pattern of the environment `production` matches `main`: add one, or deploy another ref"
      )
      yield* protect(null)
      expect(yield* statusOf("main")).toBe(201)
    })
  )
})
