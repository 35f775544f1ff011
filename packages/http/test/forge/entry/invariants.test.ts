import { describe, expect, it } from "@effect/vitest"
import { answers, entryAnswers, type ScopeWord } from "@slipway/domain/forge/access"
import { UserStore } from "@slipway/domain/forge/identity"
import { EndpointAction } from "@slipway/http/api/forge"
import { Arbitrary, Cause, Effect, Exit, Layer, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { IpNetwork } from "effect/net"
import { isTried, runs, seed } from "../../../../../scripts/vitest/runs.ts"
import { layerEveryEndpointHandled } from "../../../src/server/forge/entry/guard.ts"
import { endpoints, pathOf } from "../support/endpoints.ts"
import { type Answer, basic, bearer, codeOf, enrol, password, start, step } from "../support/harness.ts"

const everyone = [IpNetwork.fromStringUnsafe("0.0.0.0/32")]
const elsewhere = [IpNetwork.fromStringUnsafe("10.9.9.0/24")]

/** The response without the parts that differ between requests. */
const said = ({ headers, json, status, text }: Answer) => ({
  status,
  body: json ?? text,
  headers: Object.fromEntries(headers)
})

const withCode = (name: string, code: string, header = "X-SVC-OTP") => ({ ...basic(name), [header]: code })

describe("I1: an API with a missing action, or another route's action, doesn't start", () => {
  const started = (api: HttpApi.Constraint) =>
    Effect.map(Effect.exit(Effect.scoped(Layer.build(layerEveryEndpointHandled(api as never)))), (exit) =>
      Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "started"
    )

  it.effect("if an endpoint declares no action", () =>
    Effect.gen(function* () {
      class Group extends HttpApiGroup.make("users").add(HttpApiEndpoint.get("read", "/users/:username")) {}
      class Api extends HttpApi.make("forge").add(Group).prefix("/api/v1") {}
      expect(yield* started(Api)).toContain("users.read declares no action")
    })
  )

  it.effect("if an endpoint has a path or a method that its action doesn't have", () =>
    Effect.gen(function* () {
      for (const [endpoint, route] of [
        [HttpApiEndpoint.get("read", "/people/:username"), "GET /people/{username}"],
        [HttpApiEndpoint.delete("read", "/users/:username"), "DELETE /users/{username}"]
      ] as const) {
        const group = HttpApiGroup.make("users").add(endpoint.annotate(EndpointAction, "user.read"))
        const api = HttpApi.make("forge").add(group).prefix("/api/v1")
        expect(yield* started(api)).toContain(`${route} is no route of \`user.read\``)
      }
    })
  )

  it("every endpoint of the API declares an action", () => {
    expect(endpoints.length).toBeGreaterThan(40)
    for (const { action, method, path } of endpoints) expect(action, `${method} ${path}`).toBeTypeOf("string")
  })
})

describe("I2: a credential gives the same decision wherever it is sent", () => {
  const places: Readonly<Record<string, (token: string) => { headers?: Record<string, string>; query?: string }>> = {
    "the header, as token": (token) => ({ headers: { authorization: `token ${token}` } }),
    "the header, as Bearer": (token) => ({ headers: { authorization: `Bearer ${token}` } }),
    "the header, in uppercase": (token) => ({ headers: { authorization: `TOKEN ${token}` } }),
    "the query, as token": (token) => ({ query: `token=${token}` }),
    "the query, as access_token": (token) => ({ query: `access_token=${token}` }),
    "basic, as password": (token) => ({ headers: basic("bob", token) }),
    "basic, as the password of another user": (token) => ({ headers: basic("ann", token) }),
    "basic, as name": (token) => ({ headers: basic(token, "x-oauth-basic") })
  }
  const scopes: ReadonlyArray<ReadonlyArray<ScopeWord>> = [
    ["all"],
    ["read:user"],
    ["public-only", "all"],
    ["read:misc"]
  ]

  for (const [at, words] of scopes.entries()) {
    it.live(`a token with ${words.join(", ")}, on every endpoint`, () =>
      Effect.gen(function* () {
        const api = yield* start()
        yield* api.user("ann", { admin: true })
        yield* api.user("bob", { fullName: "Bob" })
        const ways = Object.entries(places)
        for (const [turn, endpoint] of endpoints.entries()) {
          if (!isTried(2, turn, at)) continue
          const path = pathOf(endpoint, { username: "bob", target: "ann", id: "0" })
          const outcomes: Array<unknown> = []
          // A normal run tries two tokens for each route, in the first place and in another one each time.
          const tried = ways.filter((_, place) => place === 0 || isTried(ways.length - 1, turn, at, place))
          for (const [place, put] of tried) {
            const token = yield* api.mint("bob", words)
            const { headers = {}, query } = put(token)
            const answer = yield* api.send(endpoint.method, `${path}${query === undefined ? "" : `?${query}`}`, {
              headers,
              ...(endpoint.hasBody ? { raw: "{" } : {})
            })
            expect(answer.headers.has("x-svc-warning"), place).toBe(query !== undefined)
            // The first response contains the token's scopes; registration tokens and successors are new each time.
            const body =
              endpoint.path === "/token"
                ? answer.json?.scopes
                : endpoint.path === "/token/rotation"
                  ? [answer.json?.scopes, answer.json?.sha1?.length]
                  : endpoint.path.endsWith("/registration-token")
                    ? answer.json?.token?.length
                    : (answer.json ?? answer.text)
            outcomes.push({ endpoint: path, status: answer.status, body })
          }
          for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
        }
      })
    )
  }

  it.live("a token in place of a password is still a token, and can't create another token", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      const token = yield* api.mint("bob", ["all"])
      for (const headers of [basic("bob", token), basic(token, password), bearer(token)]) {
        const sent = { headers, body: { name: "another", scopes: ["all"] } }
        const body = yield* api.ask(401, "POST", "/users/bob/tokens", sent)
        expect(body.message).toBe(answers.basicAuth.message)
      }
    })
  )
})

describe("I4: a public-only token reads a subset of what an anonymous caller reads", () => {
  const Person = Schema.Struct({
    visibility: Schema.Literals(["public", "limited", "private"]),
    hideEmail: Schema.Boolean,
    restricted: Schema.Boolean
  })
  const place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 }))
  const World = Schema.Struct({
    people: Schema.Array(Person).check(Schema.isMinLength(3), Schema.isMaxLength(5)),
    follows: Schema.Array(Schema.Tuple([place, place])).check(Schema.isMaxLength(8)),
    admin: Schema.Boolean,
    exploreNeedsSignIn: Schema.Boolean
  })
  const reads = endpoints.filter(({ method, row }) => method === "GET" && row.publicOnly !== "self")

  const uncounted = (body: unknown) =>
    JSON.stringify(body, (key, value: unknown) => (/^follow(ers|ing)_count$/.test(key) ? undefined : value))
  const rowsIn = (body: unknown): ReadonlyArray<unknown> => {
    const rows = (body as { readonly data?: unknown } | null)?.data ?? body
    return Array.isArray(rows) ? rows : [rows]
  }
  const isWithin = (less: unknown, more: unknown): boolean => {
    const all = rowsIn(more).map(uncounted)
    return rowsIn(less).every((row) => all.includes(uncounted(row)))
  }

  const differences = Effect.fnUntraced(function* (world: typeof World.Type) {
    const api = yield* start({ switches: { codeSearch: true, exploreNeedsSignIn: world.exploreNeedsSignIn } })
    const names = world.people.map((_, at) => `user${at}`)
    for (const [at, set] of world.people.entries()) {
      yield* api.user(`user${at}`, { ...set, admin: world.admin && at === 0 })
    }
    for (const [one, other] of world.follows) {
      yield* api.send("PUT", `/user/following/user${other}`, { headers: basic(`user${one}`) })
    }
    const headers = bearer(yield* api.mint("user0", ["all", "public-only"]))
    const found: Array<unknown> = []
    let compared = 0
    for (const endpoint of reads) {
      for (const username of endpoint.path.includes("{username}") ? names : ["user0"]) {
        const path = pathOf(endpoint, { username, target: "user1" })
        const limited = said(yield* api.send("GET", path, { headers }))
        if (limited.status !== 200) continue
        compared += 1
        const open = said(yield* api.send("GET", path))
        const isSame = JSON.stringify(limited) === JSON.stringify(open)
        // Lists show fewer accounts to restricted users, and count as few followers.
        const isLess = world.people[0]?.restricted === true && isWithin(limited.body, open.body)
        if (!isSame && !isLess) found.push({ path, limited, open })
      }
    }
    return { compared, found }
  }, Effect.scoped)

  it.live(
    "on every endpoint that is not about the caller, in random worlds",
    () =>
      Effect.gen(function* () {
        let compared = 0
        const property = (world: typeof World.Type) =>
          Effect.flatMap(differences(world), (seen) => {
            compared += seen.compared
            return seen.found.length === 0 ? Effect.succeed(true) : Effect.fail(JSON.stringify(seen.found, null, 1))
          })
        const result = yield* Arbitrary.checkEffect(Arbitrary.schema(World), property, { runs: runs(6), seed })
        expect(Arbitrary.formatCheckFailure(result)).toBeUndefined()
        expect(compared).toBeGreaterThan(100)
      }),
    60_000
  )

  it.live("routes about the caller contain only public data of other users", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob", { visibility: "private" })
      yield* api.user("pia", { visibility: "private" })
      yield* api.user("lim", { visibility: "limited" })
      yield* api.user("una")
      for (const name of ["lim", "una"]) {
        yield* api.ask(204, "PUT", `/user/following/${name}`, { headers: basic("bob") })
        yield* api.send("PUT", "/user/following/bob", { headers: basic(name) })
      }
      const token = yield* api.mint("bob", ["all", "public-only"])
      const following = yield* api.ask(200, "GET", "/user/following", { headers: bearer(token) })
      expect(following.map(({ login }: { login: string }) => login)).toEqual(["una"])
      const self = yield* api.ask(200, "GET", "/user", { headers: bearer(token) })
      expect(self.login).toBe("bob")
    })
  )
})

describe("I5: a token never exceeds its creator", () => {
  it.live("a created token has the requested scopes in the shortest form, and is shown once", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      const sent = { headers: basic("bob"), body: { name: "ci", scopes: ["write:user", "read:user", "read:issue"] } }
      const made = yield* api.ask(201, "POST", "/users/bob/tokens", sent)
      expect(made.scopes).toEqual(["read:issue", "write:user"])
      const read = yield* api.ask(200, "GET", "/token", { headers: bearer(made.sha1) })
      expect({ ...read, last_used_at: undefined }).toEqual({ ...made, sha1: "", last_used_at: undefined })
      const listed = yield* api.ask(200, "GET", "/users/bob/tokens", { headers: basic("bob") })
      expect(listed[0].sha1).toBe("")
    })
  )

  it.live("only tokens with the admin scope create tokens, change a second factor or impersonate users", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("bob")
      for (const words of [["all"], ["write:user"], ["all", "public-only"]] as const) {
        const headers = bearer(yield* api.mint("ann", words))
        const minted = yield* api.send("POST", "/users/ann/tokens", { headers, body: { name: "x", scopes: ["all"] } })
        expect([401, 403]).toContain(minted.status)
        const enrolled = yield* api.send("POST", "/user/second_factor", { headers })
        expect([401, 403]).toContain(enrolled.status)
        const sudo = yield* api.send("GET", "/user?sudo=bob", { headers })
        expect({ words, status: sudo.status }).toEqual({ words, status: words.join() === "all" ? 200 : 403 })
      }
    })
  )

  it.live("an administrator who impersonates a user with a token keeps its scope", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("bob")
      const headers = { ...bearer(yield* api.mint("ann", ["write:admin", "read:user"])), sudo: "bob" }
      expect((yield* api.ask(200, "GET", "/user", { headers })).login).toBe("bob")
      yield* api.ask(403, "PATCH", "/user/settings", { headers, body: { full_name: "Robert" } })
      // bob is no administrator, even when impersonated.
      yield* api.ask(403, "GET", "/admin/users", { headers })
    })
  )
})

describe("I9: a hidden resource gets the response of a missing one", () => {
  it.live("in status, body and headers, for every endpoint that names a user", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      yield* api.user("hush", { visibility: "private" })
      const named = endpoints.filter(({ path }) => path.includes("{username}") && !path.startsWith("/admin"))
      expect(named.length).toBeGreaterThan(12)
      for (const headers of [{}, basic("bob"), bearer(yield* api.mint("bob", ["all"]))]) {
        for (const endpoint of named) {
          const [hidden, missing] = yield* Effect.forEach(["hush", "nope"], (username) =>
            api.send(endpoint.method, pathOf(endpoint, { username, target: "bob" }), {
              headers,
              ...(endpoint.hasBody ? { body: { name: "x", scopes: ["all"] } } : {})
            })
          )
          expect(said(hidden as Answer)).toEqual(said(missing as Answer))
          expect([401, 404], `${endpoint.method} ${endpoint.path}`).toContain(hidden?.status)
        }
      }
    })
  )

  it.live("also in lists, totals and counts, and under an old name", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("bob")
      const hush = yield* api.user("hush", { visibility: "private" })
      yield* api.ask(204, "PUT", "/user/following/bob", { headers: basic("hush") })
      for (const query of ["q=hush", `uid=${hush.id}`, "q=hush&limit=1&page=9"]) {
        const hidden = yield* api.send("GET", `/users/search?${query}`, { headers: basic("bob") })
        expect(hidden.json).toEqual({ ok: true, data: [] })
        expect(hidden.headers.get("x-total-count")).toBe("0")
      }
      const followers = yield* api.send("GET", "/users/bob/followers", { headers: basic("bob") })
      expect([followers.json, followers.headers.get("x-total-count")]).toEqual([[], "0"])
      expect((yield* api.ask(200, "GET", "/users/bob", { headers: basic("bob") })).followers_count).toBe(0)
      expect((yield* api.ask(200, "GET", "/users/bob", { headers: basic("hush") })).followers_count).toBe(1)
      yield* api.ask(204, "POST", "/admin/users/hush/rename", {
        headers: basic("ann"),
        body: { new_username: "still" }
      })
      const old = yield* api.send("GET", "/users/hush", { headers: basic("bob") })
      const missing = yield* api.send("GET", "/users/nope", { headers: basic("bob") })
      expect(said(old)).toEqual(said(missing))
    })
  )
})

describe("I13: no caller grants themselves a permission that they don't have", () => {
  it.live("a user doesn't become an administrator through any route or field", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("bob")
      const body = { admin: true, is_admin: true, restricted: false, full_name: "Bob", source_id: 0, login_name: "" }
      yield* api.ask(403, "PATCH", "/admin/users/bob", { headers: basic("bob"), body })
      const ignored = yield* api.send("PATCH", "/user/settings", { headers: basic("bob"), body })
      expect([ignored.status, ignored.headers.get("x-svc-warning")]).toEqual([200, "ignored fields: admin, is_admin"])
      yield* api.ask(200, "PATCH", "/user/settings", { headers: basic("bob"), body: { full_name: "Bob" } })
      yield* api.ask(403, "GET", "/admin/users", { headers: basic("bob") })
      yield* api.ask(403, "GET", "/admin/users", { headers: bearer(yield* api.mint("bob", ["all"])) })
      expect((yield* api.ask(200, "GET", "/user", { headers: basic("bob") })).is_admin).toBe(false)
    })
  )

  it.live("values outside the closed lists are rejected", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      const headers = basic("ann")
      const edit = (body: unknown) => api.ask(422, "PATCH", "/admin/users/ann", { headers, body })
      expect((yield* edit({ visibility: "secret" })).message).toContain("[visibility]")
      const scopes = { name: "x", scopes: ["sudo", "owner:user"] }
      const mint = yield* api.ask(422, "POST", "/users/ann/tokens", { headers, body: scopes })
      expect(mint.message).toContain("[scopes.0]")
      expect(mint.message).toContain("[scopes.1]")
    })
  )
})

describe("I15: secrets are written and never returned", () => {
  it.live("no response and no log line contains a password, a token, a code or a stored hash", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann", { admin: true })
      yield* api.user("tof")
      const { recoveryCodes, secret } = yield* enrol(api, "tof")
      const token = yield* api.mint("ann", ["all"])
      const secrets = [password, "test$", token, secret, ...recoveryCodes]
      const shown: Array<string> = [...api.logged]
      for (const endpoint of endpoints) {
        if (endpoint.method !== "GET") continue
        for (const username of ["ann", "tof"]) {
          for (const sent of [{ headers: basic("ann") }, { headers: bearer(token) }]) {
            const answer = yield* api.send("GET", pathOf(endpoint, { username, target: "ann" }), sent)
            shown.push(answer.text, JSON.stringify([...answer.headers]))
          }
        }
      }
      const listed = yield* api.send("GET", `/admin/users?limit=1&token=${token}&access_token=${token}`)
      shown.push(listed.text, JSON.stringify([...listed.headers]))
      yield* api.ask(204, "POST", "/admin/users/tof/rename", { headers: basic("ann"), body: { new_username: "tif" } })
      const moved = yield* api.send("GET", `/users/tof?token=${token}`)
      expect(moved.status).toBe(307)
      shown.push(JSON.stringify([...moved.headers]))
      const wrong = yield* api.send("POST", "/admin/users", {
        headers: basic("ann"),
        body: { username: "-", email: "-", password: "short pw" }
      })
      expect(wrong.text).not.toContain("short pw")
      for (const text of shown) for (const hidden of secrets) expect(text).not.toContain(hidden)
    })
  )

  it.live("a defect returns only an id that the log also contains", () =>
    Effect.gen(function* () {
      const broken = Layer.effect(
        UserStore,
        Effect.map(UserStore, (store) => ({ ...store, search: () => Effect.die(new Error(`pgpass=${password}`)) }))
      )
      const { layer } = yield* Effect.promise(() => import("@slipway/memory/forge"))
      const api = yield* start({ store: broken.pipe(Layer.provideMerge(layer)) })
      const answer = yield* api.send("GET", "/users/search")
      expect(answer.status).toBe(500)
      expect(answer.text).not.toContain(password)
      expect(api.logged.join()).toContain(answer.json.request_id)
      expect(answer.headers.get("x-request-id")).toBe(answer.json.request_id)
    })
  )
})

describe("I16: only an administrator enables a disabled account", () => {
  it.live("no sign-in method enables a disabled account", () =>
    Effect.gen(function* () {
      const api = yield* start({ site: { signIn: { queryTokens: true, proxyUser: true, trustedProxies: everyone } } })
      yield* api.user("ann", { admin: true })
      yield* api.user("bob")
      const token = yield* api.mint("bob", ["all"])
      for (const stop of [{ active: false }, { prohibit_login: true }]) {
        yield* api.ask(200, "PATCH", "/admin/users/bob", { headers: basic("ann"), body: stop })
        for (const headers of [basic("bob"), bearer(token), { "x-webauth-user": "bob" }]) {
          expect((yield* api.ask(403, "GET", "/user", { headers })).message).toBe(entryAnswers.prohibited.message)
          yield* api.ask(403, "PATCH", "/user/settings", { headers, body: { active: true, prohibit_login: false } })
        }
        const [, seen] = yield* api.ask(200, "GET", "/admin/users", { headers: basic("ann") })
        expect([seen.login, seen.active, seen.prohibit_login]).toEqual([
          "bob",
          !("active" in stop),
          "prohibit_login" in stop
        ])
        const body = { active: true, prohibit_login: false }
        yield* api.ask(200, "PATCH", "/admin/users/bob", { headers: basic("ann"), body })
        yield* api.ask(200, "GET", "/user", { headers: basic("bob") })
      }
    })
  )
})

describe("I17: a proxy is trusted only where the operator configures it", () => {
  const named = { headers: { "x-webauth-user": "ann" } }
  const status = (signIn: { proxyUser: boolean; trusted: boolean }, sent: { headers: Record<string, string> }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { proxyUser, trusted } = signIn
        const site = { signIn: { queryTokens: true, proxyUser, trustedProxies: trusted ? everyone : elsewhere } }
        const api = yield* start({ site })
        yield* api.user("ann", { admin: true })
        return (yield* api.send("GET", "/user", sent)).status
      })
    )

  it.live("the header is ignored by default, and read from trusted addresses only", () =>
    Effect.gen(function* () {
      expect(yield* status({ proxyUser: false, trusted: true }, named)).toBe(401)
      expect(yield* status({ proxyUser: true, trusted: false }, named)).toBe(401)
      expect(yield* status({ proxyUser: true, trusted: true }, named)).toBe(200)
    })
  )

  it.live("a header from a caller doesn't change the address", () =>
    Effect.gen(function* () {
      const headers = {
        ...named.headers,
        "x-forwarded-for": "10.9.9.9",
        "x-real-ip": "10.9.9.9",
        forwarded: "for=10.9.9.9"
      }
      expect(yield* status({ proxyUser: true, trusted: false }, { headers })).toBe(401)
    })
  )

  it.live("another credential takes precedence over the header, even if this credential is wrong", () =>
    Effect.gen(function* () {
      const headers = { ...named.headers, ...basic("ann", "wrong") }
      expect(yield* status({ proxyUser: true, trusted: true }, { headers })).toBe(401)
    })
  )
})

describe("I26: a one-time code is accepted once, from its user only", () => {
  it.live("in either of two headers", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("tof")
      const { secret } = yield* enrol(api, "tof")
      yield* api.ask(401, "GET", "/user", { headers: basic("tof") })
      const now = codeOf(secret, step())
      yield* api.ask(200, "GET", "/user", { headers: withCode("tof", now) })
      expect((yield* api.ask(401, "GET", "/user", { headers: withCode("tof", now) })).message).toBe(
        entryAnswers.invalidCode.message
      )
      yield* api.ask(200, "GET", "/user", { headers: withCode("tof", codeOf(secret, step() + 1), "X-Gitea-OTP") })
      yield* api.ask(401, "GET", "/user", { headers: withCode("tof", codeOf(secret, step() + 5)) })
    })
  )

  it.live("if two concurrent requests send the same code, exactly one succeeds", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("tof")
      const { recoveryCodes, secret } = yield* enrol(api, "tof")
      for (const code of [codeOf(secret, step()), recoveryCodes[3] as string]) {
        const tries = Array.from({ length: 5 }, () => api.send("GET", "/user", { headers: withCode("tof", code) }))
        const statuses = (yield* Effect.all(tries, { concurrency: 5 })).map(({ status }) => status)
        expect(statuses.sort()).toEqual([200, 401, 401, 401, 401])
      }
    })
  )

  it.live("also if it is a recovery code, until new recovery codes are created", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("tof")
      yield* api.user("tim")
      const { recoveryCodes } = yield* enrol(api, "tof")
      const others = yield* enrol(api, "tim")
      const [first = "", second = "", third = ""] = recoveryCodes
      yield* api.ask(200, "GET", "/user", { headers: withCode("tof", first) })
      yield* api.ask(401, "GET", "/user", { headers: withCode("tof", first) })
      yield* api.ask(401, "GET", "/user", { headers: withCode("tof", others.recoveryCodes[0] as string) })
      const renewed = yield* api.ask(201, "POST", "/user/second_factor/recovery_codes", {
        headers: withCode("tof", second)
      })
      yield* api.ask(401, "GET", "/user", { headers: withCode("tof", third) })
      const [anew = ""] = renewed.recovery_codes
      yield* api.ask(204, "DELETE", "/user/second_factor", { headers: withCode("tof", anew) })
      yield* api.ask(200, "GET", "/user", { headers: basic("tof") })
    })
  )
})
