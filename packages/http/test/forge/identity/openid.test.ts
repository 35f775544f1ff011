import { describe, expect, it } from "@effect/vitest"
import { accessTokens, OpenIdProvider, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as client from "openid-client"
import { browse } from "../support/browser.ts"
import { basic, bearer, password, rootUrl, type Service, start } from "../support/harness.ts"

const callback = "https://app.example/callback"

/** A site with a user and a third-party application, as an independent client library sees it. */
const site = Effect.fnUntraced(function* (
  set: { readonly confidential?: boolean; readonly skips?: boolean; readonly uris?: ReadonlyArray<string> } = {}
) {
  const { confidential = true, skips = false, uris = [callback] } = set
  const api = yield* start()
  for (const name of ["maker", "bob"]) yield* api.user(name)
  const made = yield* api.ask(201, "POST", "/user/applications/oauth2", {
    headers: basic("maker"),
    body: {
      name: "The App",
      redirect_uris: uris,
      confidential_client: confidential,
      skip_secondary_authorization: skips
    }
  })
  const customFetch = (url: string, { body, headers, method }: client.CustomFetchOptions) =>
    Effect.runPromise(
      Effect.map(
        api.fetch(method, url.slice(rootUrl.length), {
          headers,
          ...(body === undefined || body === null ? {} : { raw: String(body) })
        }),
        (answer) =>
          new Response(answer.status === 204 ? null : answer.text, { status: answer.status, headers: answer.headers })
      )
    )
  const connect = (secret: string = made.client_secret) =>
    Effect.promise(() =>
      client.discovery(
        new URL(rootUrl),
        made.client_id,
        undefined,
        confidential ? client.ClientSecretPost(secret) : client.None(),
        { [client.customFetch]: customFetch }
      )
    )
  return { api, made, config: yield* connect(), connect }
})

type Site = Effect.Success<ReturnType<typeof site>>

const begin = Effect.fnUntraced(function* ({ config }: Pick<Site, "config">, parameters: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(verifier))
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: "openid profile email read:user",
    code_challenge: challenge,
    code_challenge_method: "S256",
    state,
    nonce,
    ...parameters
  })
  return {
    path: `${url.pathname}${url.search}`,
    checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
  }
})

/** Signs bob in, agrees to the consent, and returns the address that he is redirected to. */
const agree = Effect.fnUntraced(function* (api: Pick<Service, "fetch">, path: string) {
  const browser = browse(api)
  const signIn = yield* browser.go("GET", path)
  const consent = signIn.text.includes('name="password"')
    ? yield* browser.fill(signIn, { name: "bob", password })
    : signIn
  const done = consent.text.includes('value="agree"') ? yield* browser.fill(consent, { answer: "agree" }) : consent
  const sent = done.headers.get("location")
  if (sent === null) return yield* Effect.die(new Error(`no way back: ${done.text}`))
  return new URL(sent)
})

const flow = Effect.fnUntraced(function* (at: Site, parameters: Record<string, string> = {}) {
  const begun = yield* begin(at, parameters)
  const sent = yield* agree(at.api, begun.path)
  const tokens = yield* Effect.promise(() => client.authorizationCodeGrant(at.config, sent, begun.checks))
  return { ...begun, sent, tokens }
})

const told = (problem: unknown): string =>
  problem instanceof Error
    ? `${problem.name} ${problem.message} ${problem instanceof client.WWWAuthenticateChallengeError ? problem.status : ""} ${told(problem.cause)}`
    : ""

/** Returns the error of a library request. */
const refusal = (ask: () => Promise<unknown>) =>
  Effect.promise(() =>
    ask().then(
      () => "no error",
      (problem: unknown) => (problem instanceof client.ResponseBodyError ? problem.error : told(problem))
    )
  )

describe("OpenID Connect, with an independent client library", () => {
  it.live("signs a user in, returns their claims, refreshes and revokes the tokens", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const { sent, tokens } = yield* flow(at)
      expect(sent.origin + sent.pathname).toBe(callback)
      const claims = tokens.claims()
      const bob = yield* at.api.ask(200, "GET", "/user", { headers: bearer(tokens.access_token) })
      expect(claims?.sub).toBe(String(bob.id))
      expect(claims?.iss).toBe(rootUrl)
      expect(tokens.access_token).toMatch(/^slp_[A-Za-z0-9]{40}$/)
      const info = yield* Effect.promise(() => client.fetchUserInfo(at.config, tokens.access_token, String(bob.id)))
      // Clients of Gitea send the scheme `token`.
      const headers = { authorization: `token ${tokens.access_token}` }
      expect((yield* at.api.fetch("GET", "/login/oauth/userinfo", { headers })).json).toEqual(info)
      expect(info).toMatchObject({ preferred_username: "bob", email: "bob@example.com", email_verified: true })
      const renewed = yield* Effect.promise(() => client.refreshTokenGrant(at.config, String(tokens.refresh_token)))
      expect(renewed.access_token).not.toBe(tokens.access_token)
      const seen = yield* Effect.promise(() => client.tokenIntrospection(at.config, renewed.access_token))
      expect(seen).toMatchObject({ active: true, client_id: at.made.client_id, sub: String(bob.id) })
      yield* Effect.promise(() => client.tokenRevocation(at.config, renewed.access_token))
      yield* at.api.ask(401, "GET", "/user", { headers: bearer(renewed.access_token) })
      expect(yield* Effect.promise(() => client.tokenIntrospection(at.config, renewed.access_token))).toEqual({
        active: false
      })
    })
  )

  it.live("returns organizations and teams in the claims only after the user agreed to the scope", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const bob = { headers: basic("bob") }
      yield* at.api.ask(201, "POST", "/orgs", { ...bob, body: { username: "acme", visibility: "private" } })
      const { tokens } = yield* flow(at, { scope: "openid groups" })
      const { id } = yield* at.api.ask(200, "GET", "/user", bob)
      const info = (token: string) => Effect.promise(() => client.fetchUserInfo(at.config, token, String(id)))
      expect((yield* info(tokens.access_token)).groups).toEqual(["acme", "acme:Owners"])
      const plain = yield* flow(at, { scope: "openid" })
      expect((yield* info(plain.tokens.access_token)).groups).toBeUndefined()
    })
  )

  it.effect("rotates its signing keys monthly: publishes them before use, and keeps them for a month after", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const asked = { method: "GET", target: "/login/oauth/keys", rootUrl, headers: {}, body: "", userId: undefined }
      const names = Effect.map(
        api.within(Effect.flatMap(OpenIdProvider, (provider) => provider?.answer(asked) ?? Effect.die("no provider"))),
        ({ body }): ReadonlyArray<string> => JSON.parse(body).keys.map(({ kid }: { readonly kid: string }) => kid)
      )
      const first = yield* names
      expect(first).toHaveLength(2)
      yield* TestClock.adjust("29 days")
      expect(yield* names).toEqual(first)
      yield* TestClock.adjust("2 days")
      const second = yield* names
      expect([second.length, second.slice(0, 2)]).toEqual([4, first])
      yield* TestClock.adjust("31 days")
      const third = yield* names
      expect([third.length, third.slice(0, 2), third.slice(4)]).toEqual([6, second.slice(2), first])
      yield* TestClock.adjust("31 days")
      expect((yield* names).filter((kid) => first.includes(kid))).toEqual([])
    })
  )

  it.live("accepts a code once: a second use revokes its tokens", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const { checks, sent, tokens } = yield* flow(at)
      expect(yield* refusal(() => client.authorizationCodeGrant(at.config, sent, checks))).toBe("invalid_grant")
      yield* at.api.ask(401, "GET", "/user", { headers: bearer(tokens.access_token) })
      expect(yield* refusal(() => client.refreshTokenGrant(at.config, String(tokens.refresh_token)))).toBe(
        "invalid_grant"
      )
    })
  )

  it.live("rejects an invalid Host header, on a site without a public address", () =>
    Effect.gen(function* () {
      const api = yield* start({ publicUrl: "" })
      for (const host of ["", "%", "x:99999", "1.2.3.999"]) {
        for (const path of ["/.well-known/openid-configuration", "/login/oauth/authorize?client_id=x"]) {
          const { json, status } = yield* api.fetch("GET", path, { headers: { host } })
          expect([host, status, json?.error]).toEqual([host, 400, "invalid_request"])
        }
      }
    })
  )

  it.live("gives the tokens of a code to at most one of several concurrent requests", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const begun = yield* begin(at)
      const sent = yield* agree(at.api, begun.path)
      const uses = yield* Effect.all(
        Array.from({ length: 6 }, () => refusal(() => client.authorizationCodeGrant(at.config, sent, begun.checks))),
        { concurrency: "unbounded" }
      )
      expect(uses.filter((each) => each === "no error").length).toBeLessThanOrEqual(1)
      expect(new Set(uses.filter((each) => each !== "no error"))).toEqual(new Set(["invalid_grant"]))
      // The first request's tokens don't last: a second use revoked the consent.
      expect(yield* at.api.ask(200, "GET", "/user/applications/authorized", { headers: basic("bob") })).toEqual([])
      expect(
        yield* at.api.within(
          Effect.gen(function* () {
            const { user } = (yield* (yield* UserStore).named("bob")) ?? {}
            return (
              user &&
              (yield* (yield* accessTokens.store).list(
                { userId: user.id },
                { page: 1, perPage: 10 },
                { filter: { kind: "oauth2" } }
              )).rows
            )
          })
        )
      ).toEqual([])
    })
  )

  it.live("revokes the family of a reused refresh token", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const { tokens } = yield* flow(at)
      const first = String(tokens.refresh_token)
      const second = yield* Effect.promise(() => client.refreshTokenGrant(at.config, first))
      expect(second.refresh_token).not.toBe(first)
      expect(yield* refusal(() => client.refreshTokenGrant(at.config, first))).toBe("invalid_grant")
      expect(yield* refusal(() => client.refreshTokenGrant(at.config, String(second.refresh_token)))).toBe(
        "invalid_grant"
      )
      yield* at.api.ask(401, "GET", "/user", { headers: bearer(second.access_token) })
    })
  )

  it.live("rejects a wrong client secret, and a code of another client", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const begun = yield* begin(at)
      const sent = yield* agree(at.api, begun.path)
      const liar = yield* at.connect("slo_0000000000000000000000000000000000000000")
      expect(yield* refusal(() => client.authorizationCodeGrant(liar, sent, begun.checks))).toMatch(
        /WWWAuthenticateChallengeError .* 401/
      )
      const other = yield* at.api.ask(201, "POST", "/user/applications/oauth2", {
        headers: basic("maker"),
        body: { name: "Other", redirect_uris: [callback] }
      })
      const raw = new URLSearchParams({
        grant_type: "authorization_code",
        code: sent.searchParams.get("code") ?? "",
        redirect_uri: callback,
        code_verifier: begun.checks.pkceCodeVerifier,
        client_id: other.client_id,
        client_secret: other.client_secret
      }).toString()
      const answer = yield* at.api.fetch("POST", "/login/oauth/access_token", {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        raw
      })
      expect([answer.status, answer.json.error]).toEqual([400, "invalid_grant"])
      // Neither attempt consumed the code.
      yield* Effect.promise(() => client.authorizationCodeGrant(at.config, sent, begun.checks))
    })
  )

  it.live("rejects a wrong verifier, and a public client without a challenge", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const begun = yield* begin(at)
      const sent = yield* agree(at.api, begun.path)
      const wrong = { ...begun.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
      expect(yield* refusal(() => client.authorizationCodeGrant(at.config, sent, wrong))).toBe("invalid_grant")
      const open = yield* site({ confidential: false })
      const bare = new URL((yield* begin(open)).path, rootUrl)
      for (const name of ["code_challenge", "code_challenge_method"]) bare.searchParams.delete(name)
      const answer = yield* browse(open.api).go("GET", `${bare.pathname}${bare.search}`)
      expect(new URL(answer.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_request")
      const plain = new URL((yield* begin(open, { code_challenge_method: "plain" })).path, rootUrl)
      const refused = yield* browse(open.api).go("GET", `${plain.pathname}${plain.search}`)
      expect(new URL(refused.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_request")
      expect((yield* flow(open)).tokens.access_token).toMatch(/^slp_/)
    })
  )

  it.live("returns state and nonce, so that the client detects a response to another request", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const begun = yield* begin(at)
      const sent = yield* agree(at.api, begun.path)
      const other = { ...begun.checks, expectedState: client.randomState() }
      expect(yield* refusal(() => client.authorizationCodeGrant(at.config, sent, other))).toMatch(/state/)
      const late = { ...begun.checks, expectedNonce: client.randomNonce() }
      expect(yield* refusal(() => client.authorizationCodeGrant(at.config, sent, late))).toMatch(/unexpected|nonce|JWT/)
    })
  )

  it.live("redirects only to the exact addresses of the application", () =>
    Effect.gen(function* () {
      const at = yield* site({ uris: [callback, "http://127.0.0.1:8400/"] })
      for (const redirect_uri of [
        "https://app.example/callback/",
        "https://app.example/callback?x=1",
        "https://app.example/CALLBACK",
        "https://app.example.evil.example/callback",
        "https://app.example@evil.example/callback",
        "https://app.example/callback/../evil",
        "https://app.example:8443/callback",
        "http://app.example/callback",
        "http://127.0.0.1:9999/",
        "https://evil.example/"
      ]) {
        const { path } = yield* begin(at, { redirect_uri })
        const answer = yield* browse(at.api).go("GET", path)
        expect([redirect_uri, answer.status, answer.headers.get("location")]).toEqual([redirect_uri, 400, null])
      }
    })
  )

  it.live("accepts any loopback port only for native applications", () =>
    Effect.gen(function* () {
      const at = yield* site({ confidential: false, uris: ["http://127.0.0.1:8400/done", "http://localhost:8400/"] })
      const { path } = yield* begin(at, { redirect_uri: "http://127.0.0.1:51234/done" })
      expect((yield* agree(at.api, path)).host).toBe("127.0.0.1:51234")
      for (const redirect_uri of [
        "http://127.0.0.1:51234/other",
        "http://localhost:51234/",
        "http://127.0.0.2:8400/done"
      ]) {
        const answer = yield* browse(at.api).go("GET", (yield* begin(at, { redirect_uri })).path)
        expect([redirect_uri, answer.status]).toEqual([redirect_uri, 400])
      }
    })
  )

  it.live("signs a device in with a code that the user types on another device", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const started = yield* Effect.promise(() =>
        client.initiateDeviceAuthorization(at.config, { scope: "openid read:user" })
      )
      const browser = browse(at.api)
      const signIn = yield* browser.go("GET", new URL(started.verification_uri).pathname)
      const form = yield* browser.fill(signIn, { name: "bob", password })
      const confirm = yield* browser.fill(form, { user_code: started.user_code })
      expect(confirm.text).toContain(started.user_code)
      const consent = yield* browser.fill(confirm)
      const done = yield* browser.fill(consent, { answer: "agree" })
      expect(done.text).toContain("Connected")
      const tokens = yield* Effect.promise(() =>
        client.pollDeviceAuthorizationGrant(at.config, { ...started, interval: 0.01 })
      )
      yield* at.api.ask(200, "GET", "/user", { headers: bearer(tokens.access_token) })
    })
  )

  it.live("rate-limits guesses of client secrets and device codes", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const guess = (address: string) =>
        at.api.fetch("POST", "/login/oauth/access_token", {
          headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
          raw: new URLSearchParams({
            grant_type: "refresh_token",
            refresh_token: "x",
            client_id: at.made.client_id,
            client_secret: "a guess"
          }).toString()
        })
      const guesses = yield* Effect.forEach(Array.from({ length: 31 }), () => guess("192.0.2.7"))
      expect([guesses[29]?.status, guesses[30]?.status]).toEqual([401, 429])
      expect(guesses[30]?.headers.get("retry-after")).toMatch(/^\d+$/)
      expect((yield* guess("192.0.2.8")).status).toBe(401)
      const browser = browse(at.api)
      const form = yield* browser.fill(yield* browser.go("GET", "/login/device"), { name: "bob", password })
      const codes = yield* Effect.forEach(Array.from({ length: 31 }), () =>
        browser.fill(form, { user_code: "BBBB-CCCC" })
      )
      expect([codes[29]?.text.includes("Enter the code"), codes[30]?.status]).toEqual([true, 429])
    })
  )

  it.live("rate-limits repeated consents and device codes, without affecting other users", () =>
    Effect.gen(function* () {
      const at = yield* site()
      yield* at.api.user("carol")
      const consents = Effect.fnUntraced(function* (name: string, times: number) {
        const browser = browse(at.api)
        const { path } = yield* begin(at)
        const signIn = yield* browser.go("GET", path)
        const shown = yield* browser.fill(signIn, { name, password })
        return yield* Effect.forEach(Array.from({ length: times }), () => browser.go("GET", shown.path))
      })
      const shown = yield* consents("bob", 30)
      expect([shown[28]?.status, shown[29]?.status]).toEqual([200, 429])
      expect([shown[29]?.text.includes("Try again in"), shown[29]?.headers.get("retry-after")]).toEqual([true, "1"])
      expect((yield* consents("carol", 1))[0]?.status).toBe(200)
      const asks = (path: string, address: string) =>
        at.api.fetch("POST", path, {
          headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address },
          raw: new URLSearchParams({ client_id: at.made.client_id, client_secret: at.made.client_secret }).toString()
        })
      const codes = yield* Effect.forEach(Array.from({ length: 31 }), () => asks("/login/device/code", "192.0.2.9"))
      expect([codes[29]?.status, codes[30]?.status]).toEqual([200, 429])
      expect((yield* asks("/login/device/code", "192.0.2.10")).status).toBe(200)
      expect((yield* asks("/login/oauth/access_token", "192.0.2.9")).status).toBe(400)
    })
  )

  it.live("asks again for consent to new scopes, even if the application skips the consent page (I5)", () =>
    Effect.gen(function* () {
      const at = yield* site({ confidential: false, skips: true })
      const asked = Effect.fnUntraced(function* (scope: string) {
        const browser = browse(at.api)
        const signIn = yield* browser.go("GET", (yield* begin(at, { scope })).path)
        return (yield* browser.fill(signIn, { name: "bob", password })).text.includes('value="agree"')
      })
      expect(yield* asked("openid read:user")).toBe(true)
      yield* flow(at, { scope: "openid read:user" })
      expect(yield* asked("openid read:user")).toBe(false)
      expect(yield* asked("openid read:user write:repository")).toBe(true)
      // Prevents: scopes can't be added to an earlier consent, and the user's request never ends.
      const { tokens } = yield* flow(at, { scope: "openid read:user write:repository" })
      expect(tokens.scope?.split(" ")).toContain("write:repository")
    })
  )

  it.live("reports to the client that its user did not agree, and issues no token", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const { path } = yield* begin(at)
      const browser = browse(at.api)
      const consent = yield* browser.fill(yield* browser.go("GET", path), { name: "bob", password })
      expect(consent.text).toContain("Let The App act for you?")
      const refused = yield* browser.fill(consent, { answer: "refuse" })
      const sent = new URL(refused.headers.get("location") ?? "")
      expect([sent.searchParams.get("error"), sent.searchParams.get("code")]).toEqual(["access_denied", null])
    })
  )

  it.live("rejects a disabled account: sign-in, tokens and refresh (I16)", () =>
    Effect.gen(function* () {
      const at = yield* site()
      yield* at.api.user("root", { admin: true })
      const { tokens } = yield* flow(at)
      yield* at.api.ask(200, "PATCH", "/admin/users/bob", {
        headers: basic("root"),
        body: { login_name: "bob", source_id: 0, prohibit_login: true }
      })
      yield* at.api.ask(403, "GET", "/user", { headers: bearer(tokens.access_token) })
      expect(yield* refusal(() => client.refreshTokenGrant(at.config, String(tokens.refresh_token)))).toBe(
        "invalid_grant"
      )
      const browser = browse(at.api)
      const answer = yield* browser.fill(yield* browser.go("GET", (yield* begin(at)).path), { name: "bob", password })
      expect(answer.text).toContain("This account is prohibited from signing in")
    })
  )

  it.live("revokes a grant when the user requests this, or when the application is removed", () =>
    Effect.gen(function* () {
      const at = yield* site()
      const first = yield* flow(at)
      const [grant] = yield* at.api.ask(200, "GET", "/user/applications/authorized", { headers: basic("bob") })
      expect(grant).toEqual({
        id: grant.id,
        name: "The App",
        client_id: at.made.client_id,
        scopes: ["openid", "profile", "email", "read:user"]
      })
      yield* at.api.ask(204, "DELETE", `/user/applications/authorized/${grant.id}`, { headers: basic("bob") })
      yield* at.api.ask(404, "DELETE", `/user/applications/authorized/${grant.id}`, { headers: basic("bob") })
      yield* at.api.ask(401, "GET", "/user", { headers: bearer(first.tokens.access_token) })
      const second = yield* flow(at)
      yield* at.api.ask(204, "DELETE", `/user/applications/oauth2/${at.made.id}`, { headers: basic("maker") })
      yield* at.api.ask(401, "GET", "/user", { headers: bearer(second.tokens.access_token) })
      expect(yield* at.api.ask(200, "GET", "/user/applications/authorized", { headers: basic("bob") })).toEqual([])
    })
  )
})
