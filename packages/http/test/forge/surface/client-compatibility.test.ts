import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, referenceUrl, start } from "../support/harness.ts"

const ann = { headers: basic("ann") }
const root = { headers: basic("root") }

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("root", { admin: true })
  for (const name of ["ann", "bob"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "one", auto_init: true } })
  return api
})

describe("behavior that Gitea's clients rely on", () => {
  it.live("searches answer every failure with ok and error", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
      const failure = (message: string) => ({ ok: false, error: message, message, url: referenceUrl })
      const search = "/orgs/acme/teams/search"
      expect(yield* api.ask(422, "GET", `${search}?include_desc=perhaps`, ann)).toMatchObject({ ok: false })
      expect(yield* api.ask(403, "GET", search, { headers: basic("bob") })).toEqual(
        failure("Must be an organization member")
      )
      expect(yield* api.ask(404, "GET", "/orgs/nothing/teams/search", ann)).toEqual(
        failure("The target couldn't be found.")
      )
      expect(yield* api.ask(401, "GET", search)).toEqual(failure("token is required"))
    })
  )

  it.live("an unknown login source is rejected, and the source 0 means local accounts", () =>
    Effect.gen(function* () {
      const api = yield* site
      const user = { username: "cy", email: "cy@example.com", password: "correct horse battery" }
      const { message } = yield* api.ask(422, "POST", "/admin/users", { ...root, body: { ...user, source_id: 7 } })
      expect(message).toBe("[source_id]: must be 0, the only login source")
      yield* api.ask(201, "POST", "/admin/users", { ...root, body: { ...user, source_id: 0 } })
      yield* api.ask(422, "PATCH", "/admin/users/cy", { ...root, body: { source_id: 7 } })
    })
  )

  it.live("a search for a team without its organization is rejected with the remedy", () =>
    Effect.gen(function* () {
      const api = yield* site
      const { message } = yield* api.ask(422, "GET", "/repos/issues/search?team=crew", ann)
      expect(message).toBe("[team]: needs `owner`, the organization of the team")
    })
  )

  it.live("permissions.push and pull are false where a repository has no code", () =>
    Effect.gen(function* () {
      const api = yield* site
      const { permissions } = yield* api.ask(200, "PATCH", "/repos/ann/one", { ...ann, body: { has_code: false } })
      expect([permissions.admin, permissions.push, permissions.pull]).toEqual([true, false, false])
      const again = yield* api.ask(200, "PATCH", "/repos/ann/one", { ...ann, body: { has_code: true } })
      expect([again.permissions.admin, again.permissions.push, again.permissions.pull]).toEqual([true, true, true])
    })
  )

  it.live("LFS objects are served in ranges, so that a broken download can resume", () =>
    Effect.gen(function* () {
      const api = yield* site
      const bytes = "0123456789"
      const oid = createHash("sha256").update(bytes).digest("hex")
      const path = `/ann/one.git/info/lfs/objects/${oid}`
      expect((yield* api.fetch("PUT", path, { ...ann, raw: bytes })).status).toBe(200)
      const get = (headers: Readonly<Record<string, string>>) =>
        api.fetch("GET", path, { headers: { ...ann.headers, ...headers } })
      const whole = yield* get({})
      expect([whole.status, whole.text, whole.headers.get("accept-ranges")]).toEqual([200, bytes, "bytes"])
      const etag = whole.headers.get("etag") ?? ""
      const part = yield* get({ range: "bytes=4-", "if-range": etag })
      expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "456789", "bytes 4-9/10"])
      expect((yield* get({ range: "bytes=4-", "if-range": '"other"' })).status).toBe(200)
      const beyond = yield* get({ range: "bytes=10-" })
      expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */10"])
    })
  )

  it.live("licenses are named by the key that new repositories accept", () =>
    Effect.gen(function* () {
      const api = yield* site
      const mit = (yield* api.ask(200, "GET", "/licenses")).find(({ key }: { key: string }) => key === "MIT")
      expect(mit.name).toBe("MIT")
      expect((yield* api.ask(200, "GET", "/licenses/MIT")).name).toBe("MIT")
    })
  )

  it.live("the Swagger description has the base path of the API, and paths below it", () =>
    Effect.gen(function* () {
      const api = yield* site
      const { json } = yield* api.fetch("GET", "/swagger.v1.json")
      expect([json.basePath, json.paths["/version"] === undefined]).toEqual(["/api/v1", false])
      expect(Object.keys(json.paths).filter((path) => path.startsWith("/api"))).toEqual([])
    })
  )

  it.live("an unsupported registry and the catalog of all images answer 501 with the reason", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const [method, path] of [
        ["GET", "/api/packages/ann/maven/org/acme/tool/maven-metadata.xml"],
        ["PUT", "/api/packages/nobody/pypi"]
      ] as const) {
        const { json, status } = yield* api.fetch(method, path, ann)
        expect([status, json.message]).toEqual([
          501,
          `this site has no registry of ${path.split("/")[4]} packages; it has generic, npm and container`
        ])
      }
      expect((yield* api.fetch("GET", "/api/packages/ann/nothing/x", ann)).status).toBe(404)
      const catalog = yield* api.fetch("GET", "/v2/_catalog", ann)
      expect([catalog.status, catalog.json.errors[0].code]).toEqual([501, "UNSUPPORTED"])
    })
  )
})
