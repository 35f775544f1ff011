import { describe, expect, it } from "@effect/vitest"
import { entryAnswers } from "@slipway/domain/forge/access"
import { UserStore } from "@slipway/domain/forge/identity"
import { layer as memory } from "@slipway/memory/forge"
import { newUser } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"
import { type Answer, basic, bearer, largestBody, password, referenceUrl, rootUrl, start } from "../support/harness.ts"

const logins = (users: ReadonlyArray<{ readonly login: string }>) => users.map(({ login }) => login)

describe("users", () => {
  it.live("read their names and avatar without counters", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const ann = yield* api.user("ann", { admin: true })
      yield* api.ask(200, "PATCH", "/user/settings", { headers: basic("ann"), body: { full_name: "Ann A." } })
      const { avatar_url } = yield* api.ask(200, "GET", "/user", { headers: basic("ann") })
      expect(avatar_url).toContain(`${rootUrl}/`)
      expect(yield* api.ask(200, "GET", "/user/summary", { headers: basic("ann") })).toEqual({
        id: ann.id,
        login: "ann",
        full_name: "Ann A.",
        avatar_url,
        is_admin: true
      })
      yield* api.ask(401, "GET", "/user/summary")
    })
  )

  it.live("are created, read, changed and deleted by administrators, and return the sent values", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      const headers = basic("ann")
      const created = yield* api.ask(201, "POST", "/admin/users", {
        headers,
        body: {
          username: "Bob",
          email: "Bob@Example.com",
          password,
          full_name: "Bob B.",
          must_change_password: false,
          visibility: "limited",
          restricted: true,
          login_name: "b",
          source_id: 0,
          created_at: "2020-02-02T02:02:02Z"
        }
      })
      expect(created).toMatchObject({
        login: "Bob",
        email: "Bob@Example.com",
        full_name: "Bob B.",
        visibility: "limited",
        restricted: true,
        login_name: "b",
        source_id: 0,
        created: "2020-02-02T02:02:02Z",
        active: true,
        is_admin: false,
        prohibit_login: false
      })
      expect(yield* api.ask(200, "GET", "/users/bob", { headers })).toEqual(created)
      const change = {
        full_name: "B",
        website: "https://b.example",
        description: "d",
        location: "l",
        admin: true,
        email: null
      }
      const edited = yield* api.ask(200, "PATCH", "/admin/users/BOB", { headers, body: change })
      expect(edited).toEqual({
        ...created,
        full_name: "B",
        website: "https://b.example",
        description: "d",
        location: "l",
        is_admin: true
      })
      yield* api.ask(200, "PATCH", "/admin/users/bob", {
        headers,
        body: { email: "new@example.com", password: "another pass" }
      })
      const self = yield* api.ask(200, "GET", "/user", { headers: basic("bob", "another pass") })
      expect(self.email).toBe("new@example.com")
      yield* api.ask(204, "DELETE", "/admin/users/bob", { headers })
      yield* api.ask(404, "GET", "/users/bob", { headers })
      yield* api.ask(401, "GET", "/user", { headers: basic("bob", "another pass") })
    })
  )

  it.live("must change a password that an administrator set, unless the administrator's request disables this", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      const body = { username: "bob", email: "bob@example.com", password }
      yield* api.ask(201, "POST", "/admin/users", { headers: basic("ann"), body })
      const refused = yield* api.ask(403, "GET", "/user", { headers: basic("bob") })
      expect(refused.message).toBe(entryAnswers.mustChangePassword.message)
    })
  )

  it.live("are rejected with all errors: names, addresses, passwords, conflicts", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      const create = (body: unknown) =>
        Effect.map(api.ask(422, "POST", "/admin/users", { headers: basic("ann"), body }), ({ message }) => message)
      const good = { username: "bob", email: "bob@example.com" }
      expect(yield* create({})).toBe("[username]: this field is required; [email]: this field is required")
      expect(yield* create({ ...good, username: "a--b" })).toBe("[username]: must not have two separators in a row")
      expect(yield* create({ ...good, username: "a".repeat(41) })).toBe("[username]: must have at most 40 characters")
      expect(yield* create({ ...good, username: "Admin" })).toBe("[username]: is reserved")
      expect(yield* create({ ...good, username: "ANN" })).toBe("[username]: `ANN` is taken")
      expect(yield* create({ ...good, email: "ANN@example.com" })).toBe("[email]: `ANN@example.com` is taken")
      expect(yield* create({ ...good, password: "Password1" })).toBe("[password]: is among the most common passwords")
      expect(yield* create({ ...good, password: "1234567", visibility: "none" })).toBe(
        "[password]: must have at least 8 characters; [visibility]: must be one of: public, limited, private, null"
      )
      expect(yield* create([])).toMatch(/^\[body\]: /)
    })
  )

  it.live("can't be deleted or disabled if they are the last administrator or the caller", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("abe", { admin: true })
      const headers = basic("ann")
      yield* api.ask(422, "DELETE", "/admin/users/ann", { headers })
      yield* api.ask(422, "PATCH", "/admin/users/ann", { headers, body: { prohibit_login: true } })
      yield* api.ask(204, "DELETE", "/admin/users/abe", { headers })
      const last = yield* api.ask(422, "PATCH", "/admin/users/ann", { headers, body: { admin: false } })
      expect(last.message).toBe("[username]: is the last site administrator")
    })
  )
})

describe("a renamed user", () => {
  it.live("is found by the old name with every method, until another user takes this name", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("v1")
      const headers = basic("ann")
      yield* api.ask(204, "POST", "/admin/users/v1/rename", { headers, body: { new_username: "v.2" } })
      for (const [method, path, moved] of [
        ["GET", "/users/v1", "/users/v.2"],
        ["HEAD", "/users/v1", "/users/v.2"],
        ["GET", "/users/V1/followers?page=2&limit=1", "/users/v.2/followers?page=2&limit=1"],
        ["POST", "/users/v1/tokens", "/users/v.2/tokens"],
        ["DELETE", "/users/v1/tokens/1", "/users/v.2/tokens/1"],
        ["PUT", "/user/following/v1", "/user/following/v.2"],
        ["GET", "/user/following/v1", "/user/following/v.2"],
        ["DELETE", "/user/following/v1", "/user/following/v.2"],
        ["GET", "/user/blocks/v1", "/user/blocks/v.2"],
        ["PUT", "/user/blocks/v1?note=x", "/user/blocks/v.2?note=x"],
        ["DELETE", "/user/blocks/v1", "/user/blocks/v.2"],
        ["PATCH", "/admin/users/v1", "/admin/users/v.2"],
        ["DELETE", "/admin/users/v1", "/admin/users/v.2"],
        ["POST", "/admin/users/v1/rename", "/admin/users/v.2/rename"]
      ] as const) {
        const body = path.endsWith("rename") ? { new_username: "v3" } : {}
        const hasBody = method === "POST" || method === "PATCH"
        const answer: Answer = yield* api.send(method, path, { headers, ...(hasBody ? { body } : {}) })
        expect({ method, path, status: answer.status, to: answer.headers.get("location") }).toEqual({
          method,
          path,
          status: 307,
          to: `/api/v1${moved}`
        })
      }
      yield* api.ask(401, "GET", "/user", { headers: basic("v1") })
      yield* api.user("V1", {}, "another@example.com")
      expect((yield* api.ask(200, "GET", "/users/v1", { headers })).login).toBe("V1")
    })
  )

  it.live("can't take a name in use or a reserved name", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("bob")
      const rename = (new_username: string) =>
        api.ask(422, "POST", "/admin/users/bob/rename", { headers: basic("ann"), body: { new_username } })
      expect((yield* rename("ANN")).message).toBe("[username]: `ANN` is taken")
      expect((yield* rename("api")).message).toBe("[new_username]: is reserved")
    })
  )
})

describe("the signed-in user", () => {
  it.live("reads and changes settings, and omitted fields are unchanged", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      const headers = basic("bob")
      const before = yield* api.ask(200, "GET", "/user/settings", { headers })
      const change = { full_name: "Bob", hide_email: true, language: "de-DE", theme: null }
      const after = yield* api.ask(200, "PATCH", "/user/settings", { headers, body: change })
      expect(after).toEqual({ ...before, full_name: "Bob", hide_email: true, language: "de-DE" })
      expect(yield* api.ask(200, "GET", "/user/settings", { headers })).toEqual(after)
      expect((yield* api.ask(200, "GET", "/users/bob", { headers: basic("bob") })).email).toBe("bob@example.com")
      yield* api.user("cy")
      expect((yield* api.ask(200, "GET", "/users/bob", { headers: basic("cy") })).email).toBe("bob@noreply.forge.test")
      const long = yield* api.ask(422, "PATCH", "/user/settings", { headers, body: { full_name: "x".repeat(101) } })
      expect(long.message).toBe("[full_name]: must have at most 100 characters")
    })
  )

  it.live("has email addresses with one primary address", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const { id } = yield* api.user("bob")
      yield* api.user("cy")
      const headers = basic("bob")
      const emails = ["b2@example.com", "b3@example.com"]
      const added = yield* api.ask(201, "POST", "/user/emails", { headers, body: { emails } })
      expect(added.map(({ email }: { email: string }) => email)).toEqual(["bob@example.com", ...emails])
      const [first] = yield* api.ask(200, "GET", "/user/emails", { headers })
      expect(first).toEqual({ email: "bob@example.com", verified: true, primary: true, user_id: id, username: "bob" })
      const taken = { emails: ["b4@example.com", "CY@example.com"] }
      yield* api.ask(422, "POST", "/user/emails", { headers, body: taken })
      expect(yield* api.ask(200, "GET", "/user/emails", { headers })).toHaveLength(3)
      const wrong = yield* api.ask(422, "POST", "/user/emails", { headers, body: { emails: ["x", "y"] } })
      expect(wrong.message).toBe("[emails.0]: must be an email address; [emails.1]: must be an email address")
      yield* api.ask(422, "DELETE", "/user/emails", { headers, body: { emails: ["bob@example.com"] } })
      yield* api.ask(404, "DELETE", "/user/emails", { headers, body: { emails: ["cy@example.com"] } })
      yield* api.ask(204, "DELETE", "/user/emails", { headers, body: { emails: ["B2@example.com"] } })
      yield* api.user("ann", { admin: true })
      const found = yield* api.ask(200, "GET", "/admin/emails/search?q=b3", { headers: basic("ann") })
      expect(found).toEqual([{ email: "b3@example.com", verified: true, primary: false, user_id: id, username: "bob" }])
      expect(yield* api.ask(200, "GET", "/admin/emails", { headers: basic("ann") })).toHaveLength(4)
    })
  )

  it.live("follows and blocks users", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (const name of ["bob", "cy", "dee"]) yield* api.user(name)
      const [bob, cy] = [{ headers: basic("bob") }, { headers: basic("cy") }]
      yield* api.ask(404, "GET", "/user/following/cy", bob)
      yield* api.ask(204, "PUT", "/user/following/cy", bob)
      yield* api.ask(204, "PUT", "/user/following/cy", bob)
      yield* api.ask(204, "GET", "/user/following/cy", bob)
      yield* api.ask(204, "GET", "/users/bob/following/cy", cy)
      expect(logins(yield* api.ask(200, "GET", "/user/following", bob))).toEqual(["cy"])
      expect(logins(yield* api.ask(200, "GET", "/user/followers", cy))).toEqual(["bob"])
      expect(logins(yield* api.ask(200, "GET", "/users/cy/followers", bob))).toEqual(["bob"])
      expect(logins(yield* api.ask(200, "GET", "/users/bob/following", cy))).toEqual(["cy"])
      yield* api.ask(422, "PUT", "/user/following/bob", bob)
      yield* api.ask(204, "PUT", "/user/blocks/bob?note=spam", cy)
      yield* api.ask(204, "GET", "/user/blocks/bob", cy)
      expect(logins(yield* api.ask(200, "GET", "/user/blocks", cy))).toEqual(["bob"])
      yield* api.ask(404, "GET", "/user/following/cy", bob)
      expect((yield* api.ask(403, "PUT", "/user/following/cy", bob)).message).toBe("user is blocked")
      yield* api.ask(204, "DELETE", "/user/blocks/bob", cy)
      yield* api.ask(404, "DELETE", "/user/blocks/bob", cy)
      yield* api.ask(204, "PUT", "/user/following/cy", bob)
      yield* api.ask(204, "DELETE", "/user/following/cy", bob)
      yield* api.ask(204, "DELETE", "/user/following/cy", bob)
    })
  )

  it.live("is the impersonated user for an administrator with sudo", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("bob")
      yield* api.user("cy")
      const sent = { headers: { ...basic("ann"), sudo: "cy" } }
      expect((yield* api.ask(200, "GET", "/user", sent)).login).toBe("cy")
      expect((yield* api.ask(200, "GET", "/user?sudo=bob", sent)).login).toBe("bob")
      expect((yield* api.ask(200, "GET", "/user?sudo=", sent)).login).toBe("cy")
      yield* api.ask(404, "GET", "/user?sudo=nope", sent)
    })
  )
})

describe("tokens", () => {
  it.live("are deleted by id and by name, and a token can delete itself", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      const headers = basic("bob")
      const make = (name: string) =>
        api.ask(201, "POST", "/users/bob/tokens", { headers, body: { name, scopes: ["read:user"] } })
      const one = yield* make("one")
      const two = yield* make("two")
      const three = yield* make("three")
      yield* api.ask(204, "DELETE", `/users/bob/tokens/${one.id}`, { headers })
      yield* api.ask(204, "DELETE", "/users/bob/tokens/TWO", { headers })
      yield* api.ask(204, "DELETE", "/token", { headers: bearer(three.sha1) })
      for (const { sha1 } of [one, two, three]) yield* api.ask(401, "GET", "/user", { headers: bearer(sha1) })
      yield* api.ask(404, "DELETE", "/users/bob/tokens/two", { headers })
      yield* api.ask(404, "GET", "/token", { headers })
    })
  )

  it.live("are rejected without a name, with a taken name, without a scope, or with a past expiry", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      const refused = (body: unknown) =>
        Effect.map(
          api.ask(422, "POST", "/users/bob/tokens", { headers: basic("bob"), body }),
          ({ message }) => message as string
        )
      yield* api.ask(201, "POST", "/users/bob/tokens", { headers: basic("bob"), body: { name: "ci", scopes: ["all"] } })
      expect(yield* refused({ name: " ", scopes: ["all"] })).toBe("[name]: must not be empty")
      expect(yield* refused({ name: "CI", scopes: ["all"] })).toBe("[name]: `CI` is taken")
      expect(yield* refused({ name: "x" })).toBe("[scopes]: must contain a permission of the caller")
      expect(yield* refused({ name: "x", scopes: ["all"], expires_at: "2020-01-01T00:00:00Z" })).toBe(
        "[expires_at]: must be in the future"
      )
      expect(yield* refused({ name: "x", scopes: ["all"], expires_at: "soon" })).toMatch(
        /^\[expires_at\]: must be a date/
      )
    })
  )

  it.live("in the query cause a warning header, and are ignored if the site disables query tokens", () =>
    Effect.gen(function* () {
      const on = yield* start()
      yield* on.user("bob")
      const token = yield* on.mint("bob", ["all"])
      const warned = yield* on.send("GET", `/user?token=${token}`)
      expect([warned.status, warned.headers.has("x-svc-warning")]).toEqual([200, true])
      const off = yield* start({ site: { signIn: { queryTokens: false, proxyUser: false, trustedProxies: [] } } })
      yield* off.user("bob")
      const other = yield* off.mint("bob", ["all"])
      const ignored = yield* off.send("GET", `/user?access_token=${other}`)
      expect([ignored.status, ignored.headers.has("x-svc-warning")]).toEqual([401, true])
      yield* off.ask(200, "GET", "/user", { headers: bearer(other) })
    })
  )
})

describe("signing in", () => {
  it.live("is rate-limited after failures, for each account and each address", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      for (let tries = 0; tries < 11; tries++) yield* api.send("GET", "/user", { headers: basic("bob", "wrong") })
      const slowed = yield* api.send("GET", "/user", { headers: basic("bob") })
      expect([slowed.status, slowed.json]).toEqual([429, { message: entryAnswers.slowed.message, url: referenceUrl }])
      expect(Number(slowed.headers.get("retry-after"))).toBeGreaterThan(0)
      const from = { "x-forwarded-for": "192.0.2.7" }
      for (let tries = 0; tries < 31; tries++) {
        yield* api.send("GET", "/user", { headers: { ...basic(`guess${tries}`, "wrong"), ...from } })
      }
      yield* api.user("cy")
      expect((yield* api.send("GET", "/user", { headers: { ...basic("cy"), ...from } })).status).toBe(429)
      yield* api.ask(200, "GET", "/user", { headers: basic("cy") })
    })
  )
})

describe("the HTTP interface", () => {
  it.live("paginates lists: 30 rows by default, at most 50, with links and total", () =>
    Effect.gen(function* () {
      const api = yield* start()
      for (let at = 10; at < 63; at++) yield* api.user(`user${at}`)
      const page = (query: string) => api.send("GET", `/users/search${query}`)
      expect((yield* page("")).json.data).toHaveLength(30)
      expect((yield* page("?limit=1000")).json.data).toHaveLength(50)
      expect((yield* page("?limit=0&page=0")).json.data).toHaveLength(30)
      for (const [number, what] of [
        ["1e18", "is too large a number"],
        ["1.5", "must be a whole number"],
        ["many", "must be a whole number"]
      ]) {
        const refused = yield* page(`?page=${number}`)
        expect([refused.status, refused.json.message]).toEqual([422, `[page]: ${what}`])
      }
      const third = yield* page("?limit=20&page=3")
      expect(logins(third.json.data)[0]).toBe("user50")
      expect(third.headers.get("x-total-count")).toBe("53")
      const link = (wanted: number, rel: string) =>
        `<${rootUrl}/api/v1/users/search?limit=20&page=${wanted}>; rel="${rel}"`
      expect(third.headers.get("link")).toBe([link(1, "first"), link(2, "prev"), link(3, "last")].join(", "))
      const second = yield* page("?limit=20&page=2")
      expect(second.headers.get("link")).toBe(
        [link(1, "first"), link(1, "prev"), link(3, "next"), link(3, "last")].join(", ")
      )
      const wrong = yield* page("?limit=many&page=1.5")
      expect(wrong.status).toBe(422)
      expect(wrong.json.message).toContain("[limit]")
      expect(wrong.json.message).toContain("[page]")
    })
  )

  it.live("counts lists up to 1,000 rows, continues after 10,000 with a cursor, and rejects page numbers there", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 10_060 }, (_, at) => `many-${String(at).padStart(5, "0")}`)
      const made = Effect.gen(function* () {
        const users = yield* UserStore
        for (const [at, name] of names.entries())
          yield* users.insert(newUser(at, { name, email: `${name}@example.com` }))
      })
      const api = yield* start({ store: Layer.orDie(Layer.provideMerge(Layer.effectDiscard(made), memory)) })
      const page = (query: string) => api.send("GET", `/users/search${query}`)
      const links = (headers: Headers) =>
        Object.fromEntries(
          [...(headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url])
        )
      expect(logins((yield* page("?limit=5&cursor=")).json.data)).toEqual(logins((yield* page("?limit=5")).json.data))
      const last = yield* page("?limit=50&page=200")
      expect([last.json.data.length, last.headers.get("x-total-count")]).toEqual([50, null])
      const { last: none, next } = links(last.headers)
      expect(none).toBeUndefined()
      expect(next).toContain("cursor=")
      const behind = yield* page(`?${next?.split("?")[1]}`)
      expect(logins(behind.json.data)[0]).toBe("many-10000")
      expect(links(behind.headers).next).toContain("cursor=")
      const end = yield* page(`?${links(behind.headers).next?.split("?")[1]}`)
      expect([end.json.data.length, Object.keys(links(end.headers))]).toEqual([10, ["first"]])
      const deeper = yield* page("?limit=50&page=201")
      expect(deeper.status).toBe(422)
      expect(deeper.json.message).toContain("pages have numbers for the first 10000 rows of a list")
    })
  )

  it.live("answers HEAD wherever it answers GET, and 405 with the allowed methods", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      for (const path of ["/version", "/users/bob", "/users/search", "/user", "/users/nope"]) {
        const [get, head] = yield* Effect.all([api.send("GET", path), api.send("HEAD", path)])
        expect({ path, status: head.status, text: head.text }).toEqual({ path, status: get.status, text: "" })
      }
      for (const [method, path, allow] of [
        ["DELETE", "/version", "GET, HEAD"],
        ["PUT", "/user/emails", "GET, HEAD, POST, DELETE"],
        ["PATCH", "/token", "GET, HEAD, POST, DELETE"]
      ] as const) {
        const answer = yield* api.send(method, path)
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow])
        expect(answer.json).toEqual({ message: "method not allowed", url: referenceUrl })
      }
    })
  )

  it.live("returns the address of the reference with the requested host if the site has no public address", () =>
    Effect.gen(function* () {
      const api = yield* start({ publicUrl: "" })
      const headers = { host: "code.example:3000" }
      for (const path of ["/nowhere", "/users/nobody"]) {
        expect((yield* api.ask(404, "GET", path, { headers })).url).toBe("http://code.example:3000/docs")
      }
      // Prevents: a link next to the API has only a path.
      for (const path of [
        "/a/b/raw/branch/main/x",
        "/a/b/archive/main.zip",
        "/a/b/releases/download/v1/x",
        "/a/b/wiki/Home",
        "/attachments/x",
        "/avatars/x"
      ]) {
        const { json, status } = yield* api.fetch("GET", path, { headers })
        expect([path, status, json.url]).toEqual([path, 404, "http://code.example:3000/docs"])
      }
    })
  )

  it.live("rejects bodies that are not JSON, and a too large Content-Length before any other check", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      const headers = basic("bob")
      const large = JSON.stringify({ emails: ["x".repeat(largestBody)] })
      yield* api.ask(401, "POST", "/user/emails", { raw: "{" })
      yield* api.ask(413, "POST", "/user/emails", { raw: large })
      expect((yield* api.ask(413, "POST", "/user/emails", { headers, raw: large })).url).toBe(referenceUrl)
      expect((yield* api.ask(422, "POST", "/user/emails", { headers, raw: "{" })).message).toBe(
        "[body]: is not valid JSON"
      )
      expect((yield* api.ask(422, "POST", "/user/emails", { headers })).message).toMatch(/^\[body\]: is empty/)
      const form = { ...headers, "content-type": "application/x-www-form-urlencoded" }
      yield* api.ask(201, "POST", "/user/emails", { headers: form, body: { emails: ["b2@example.com"] } })
    })
  )

  it.live("returns the settings of the site", () =>
    Effect.gen(function* () {
      const api = yield* start({ switches: { stars: false, attachments: false } })
      expect(yield* api.ask(200, "GET", "/settings/api")).toMatchObject({
        max_response_items: 50,
        default_paging_num: 30
      })
      expect((yield* api.ask(200, "GET", "/settings/repository")).stars_disabled).toBe(true)
      expect((yield* api.ask(200, "GET", "/settings/attachment")).enabled).toBe(false)
      expect((yield* api.ask(200, "GET", "/settings/ui")).allowed_reactions).toContain("heart")
      const moved = yield* api.send("GET", "/swagger")
      expect([moved.status, moved.headers.get("location")]).toEqual([302, referenceUrl])
      expect((yield* api.fetch("GET", "/docs")).status).toBe(200)
    })
  )

  it.live("has no reference if the site disables it, and answers 501 for federation if the site enables it", () =>
    Effect.gen(function* () {
      const api = yield* start({ switches: { apiReference: false, federation: true } })
      yield* api.ask(404, "GET", "/swagger")
      expect((yield* api.fetch("GET", "/docs")).status).toBe(404)
      for (const [method, path] of [
        ["GET", "/nodeinfo"],
        ["GET", "/activitypub/a/b"],
        ["PUT", "/activitypub/a"]
      ] as const) {
        expect(yield* api.ask(501, method, path)).toEqual({ message: "not implemented", url: referenceUrl })
      }
    })
  )
})
