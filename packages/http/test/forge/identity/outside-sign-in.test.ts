import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { outsideService, type ProviderClaims } from "../../support/outsideService.ts"
import { browse } from "../support/browser.ts"
import { basic, password, start } from "../support/harness.ts"

const site = Effect.gen(function* () {
  const service = outsideService()
  const api = yield* start({ outside: service.layer })
  for (const name of ["bob", "eve"]) yield* api.user(name)
  yield* api.user("root", { admin: true })
  const goThere = Effect.fnUntraced(function* () {
    const browser = browse(api)
    const sent = yield* browser.go("GET", "/user/login/outside?next=/user/settings/security")
    return { browser, address: sent.headers.get("location") ?? "" }
  })
  /** Signs a user in at the other provider, and returns to the site. */
  const come = Effect.fnUntraced(function* (said: ProviderClaims, more: Record<string, string> = {}) {
    const { address, browser } = yield* goThere()
    return { browser, page: yield* browser.go("GET", service.come(address, said, more)) }
  })
  const link = Effect.fnUntraced(function* (sub: string, name = "bob", secret = password) {
    const { browser, page } = yield* come({ sub })
    return { browser, page: yield* browser.fill(page, { name, password: secret }) }
  })
  return { api, service, goThere, come, link }
})

const shows = "You are signed in as <strong>bob</strong>"
const refused = "its response does not match the request of this browser"

describe("sign-in through an external OpenID provider", () => {
  it.live("asks for the password once, and then signs in by the subject only", () =>
    Effect.gen(function* () {
      const { api, come, link, service } = yield* site
      const signIn = yield* browse(api).go("GET", "/user/login")
      expect(signIn.text).toContain("Sign in with Example Login")
      const first = yield* come({ sub: "s-1" })
      expect(first.page.text).toContain("no account here is linked to it yet")
      expect((yield* link("s-1")).page.text).toContain(shows)
      expect((yield* come({ sub: "s-1" })).page.text).toContain(shows)
      const [identity] = yield* api.ask(200, "GET", "/user/identities", { headers: basic("bob") })
      expect(identity).toEqual({
        id: identity.id,
        issuer: service.issuer,
        subject: "s-1",
        created_at: identity.created_at
      })
      expect(yield* api.ask(200, "GET", "/user/identities", { headers: basic("eve") })).toEqual([])
      yield* api.ask(404, "DELETE", `/user/identities/${identity.id}`, { headers: basic("eve") })
      yield* api.ask(204, "DELETE", `/user/identities/${identity.id}`, { headers: basic("bob") })
      expect((yield* come({ sub: "s-1" })).page.text).not.toContain(shows)
    })
  )

  it.live("links an account only with its password, and never by email address", () =>
    Effect.gen(function* () {
      const { come, link } = yield* site
      const { page } = yield* come({ sub: "s-2", claims: { email: "bob@example.com", email_verified: true } })
      expect(page.text).toContain("no account here is linked to it yet")
      const wrong = yield* link("s-2", "bob", "a wrong password")
      expect([wrong.page.status, wrong.page.text.includes("The name or the password is wrong.")]).toEqual([401, true])
      expect((yield* come({ sub: "s-2" })).page.text).toContain("no account here is linked to it yet")
    })
  )

  it.live("links an identity to one account only", () =>
    Effect.gen(function* () {
      const { come, link, service, goThere } = yield* site
      const late = yield* goThere()
      const form = yield* late.browser.go("GET", service.come(late.address, { sub: "s-3" }))
      yield* link("s-3")
      const second = yield* late.browser.fill(form, { name: "eve", password })
      expect([second.status, second.text.includes("another user is already linked to that account")]).toEqual([
        409,
        true
      ])
      expect((yield* come({ sub: "s-3" })).page.text).toContain(shows)
    })
  )

  it.live("neither signs in to nor enables a disabled account (I16)", () =>
    Effect.gen(function* () {
      const { api, come, link } = yield* site
      yield* link("s-4")
      const edit = { headers: basic("root"), body: { login_name: "bob", source_id: 0, prohibit_login: true } }
      yield* api.ask(200, "PATCH", "/admin/users/bob", edit)
      const { browser, page } = yield* come({ sub: "s-4" })
      expect([page.status, page.text.includes("This account is prohibited from signing in")]).toEqual([403, true])
      expect([...browser.cookies.keys()]).not.toContain("__Host-slipway_session")
      const [bob] = yield* api
        .ask(200, "GET", "/admin/users?limit=50", { headers: basic("root") })
        .pipe(
          Effect.map((users: ReadonlyArray<{ readonly login: string; readonly prohibit_login: boolean }>) =>
            users.filter(({ login }) => login === "bob")
          )
        )
      expect(bob?.prohibit_login).toBe(true)
    })
  )

  it.live("rejects responses with another state, nonce, issuer, audience or key", () =>
    Effect.gen(function* () {
      const { api, come, goThere, link, service } = yield* site
      yield* link("s-5")
      const sub = "s-5"
      const tries = [
        yield* come({ sub }, { state: "another" }),
        yield* come({ sub, claims: { nonce: "another" } }),
        yield* come({ sub, claims: { nonce: undefined } }),
        yield* come({ sub, claims: { aud: "another" } }),
        yield* come({ sub, claims: { iss: "https://evil.example.com" } }),
        yield* come({ sub, claims: { exp: 1_000_060, iat: 1_000_000 } }),
        yield* come({ sub, forged: true }),
        yield* come({ sub }, { code: "made-up" }),
        yield* come({ sub }, { iss: "https://evil.example.com" }),
        yield* come({ sub }, { error: "access_denied" })
      ]
      expect(tries.map(({ page }) => [page.status, page.text.includes(refused)])).toEqual(tries.map(() => [400, true]))
      // Only the browser that started the sign-in can finish it, and only once.
      const { address, browser } = yield* goThere()
      const back = service.come(address, { sub })
      expect((yield* browse(api).go("GET", back)).status).toBe(400)
      expect((yield* browser.go("GET", back)).text).toContain(shows)
      expect((yield* browser.go("GET", back)).status).toBe(400)
    })
  )

  it.live("is disabled unless the operator configures it", () =>
    Effect.gen(function* () {
      const api = yield* start()
      const browser = browse(api)
      expect((yield* browser.go("GET", "/user/login")).text).not.toContain("/user/login/outside")
      expect((yield* browser.go("GET", "/user/login/outside")).status).toBe(404)
      expect((yield* browser.go("GET", "/user/login/outside/callback?code=1&state=2")).status).toBe(404)
    })
  )
})
