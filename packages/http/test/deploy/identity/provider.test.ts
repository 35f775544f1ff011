import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { startWithPeople } from "../support/people.ts"
import { startForge } from "../support/world.ts"

const shows = (name: string) => `You are signed in as <strong>${name}</strong>`
const refused = "its response does not match the request of this browser"

const profile = { preferred_username: "ann", email: "ann@example.com" }

describe("sign-in at an OpenID Connect provider", () => {
  it.live("creates an account at the first sign-in, and finds it by issuer and subject afterwards", () =>
    Effect.gen(function* () {
      const { come, open, provider, service } = yield* startWithPeople()
      expect((yield* open().go("GET", "/login")).text).toContain(
        '<a href="/auth/oidc?next=%2Faccount">Sign in with Example Login</a>'
      )
      const first = yield* come({ sub: "s-1", claims: profile })
      expect([first.page.path, first.page.text.includes(shows("ann"))]).toEqual(["/account", true])
      expect(first.page.text).toContain("https://login.example.com: s-1")
      const renamed = yield* come({ sub: "s-1", claims: { preferred_username: "zoe", email: "zoe@example.com" } })
      expect(renamed.page.text).toContain(shows("ann"))
      const accounts = yield* service.ask(200, "GET", "/accounts")
      expect(accounts.map(({ email, is_root, name }: Record<string, unknown>) => ({ name, email, is_root }))).toEqual([
        { name: "root", email: null, is_root: true },
        { name: "ann", email: "ann@example.com", is_root: false }
      ])
      expect(provider.asked[0]).toBe("https://login.example.com/.well-known/openid-configuration")
    })
  )

  it.live("matches no account by email address or name", () =>
    Effect.gen(function* () {
      const { come, create, service } = yield* startWithPeople()
      yield* create("bob", { email: "bob@example.com", is_root: true })
      const claims = { preferred_username: "bob", email: "bob@example.com", email_verified: true }
      const { page } = yield* come({ sub: "s-2", claims })
      expect(page.text).toContain(shows("bob-2"))
      const [, bob, stranger] = yield* service.ask(200, "GET", "/accounts")
      expect([bob.name, bob.is_root, stranger.name, stranger.is_root]).toEqual(["bob", true, "bob-2", false])
      // Another case of the subject is another person.
      expect((yield* come({ sub: "S-2", claims })).page.text).toContain(shows("bob-3"))
    })
  )

  it.live("gives a new account no permission", () =>
    Effect.gen(function* () {
      const { come, service, sessionIn } = yield* startWithPeople()
      const token = sessionIn((yield* come({ sub: "s-3", claims: profile })).browser)
      for (const path of ["/accounts", "/tokens", "/settings"]) {
        yield* service.ask(403, "GET", path, undefined, { token })
      }
      for (const path of ["/projects", "/servers", "/applications", "/teams"]) {
        expect(yield* service.ask(200, "GET", path, undefined, { token })).toEqual([])
      }
      expect((yield* service.ask(200, "GET", "/account", undefined, { token })).has_password).toBe(false)
    })
  )

  it.live("links an identity to the signed-in account, which then signs in without its password", () =>
    Effect.gen(function* () {
      const { come, provider, service, sessionIn, signIn } = yield* startWithPeople()
      const { browser, page } = yield* signIn("root")
      const form = /action="\/auth\/link">[\s\S]*?value="([^"]*)"/.exec(page.text)?.[1] ?? ""
      const sent = yield* browser.go("POST", "/auth/link", { form })
      const back = yield* browser.go("GET", provider.come(sent.headers.get("location") ?? "", { sub: "s-4" }))
      expect([back.path, back.text.includes("https://login.example.com: s-4")]).toEqual(["/account", true])
      const again = yield* come({ sub: "s-4", claims: profile })
      expect(again.page.text).toContain(shows("root"))
      const token = sessionIn(again.browser)
      const [identity] = (yield* service.ask(200, "GET", "/account", undefined, { token })).identities
      expect(identity).toEqual({
        uuid: identity.uuid,
        issuer: "https://login.example.com",
        subject: "s-4",
        created_at: identity.created_at
      })
      yield* service.ask(200, "DELETE", `/account/identities/${identity.uuid}`, undefined, { token })
      yield* service.ask(404, "DELETE", `/account/identities/${identity.uuid}`, undefined, { token })
      expect((yield* come({ sub: "s-4", claims: profile })).page.text).toContain(shows("ann"))
    })
  )

  it.live("links an identity only in the session that requested the link, and no identity of another account", () =>
    Effect.gen(function* () {
      const { come, create, open, provider, service, signIn } = yield* startWithPeople()
      yield* create("eve")
      yield* come({ sub: "s-5", claims: profile })
      const link = Effect.fnUntraced(function* () {
        const { browser, page } = yield* signIn("eve")
        const form = /action="\/auth\/link">[\s\S]*?value="([^"]*)"/.exec(page.text)?.[1] ?? ""
        const sent = yield* browser.go("POST", "/auth/link", { form })
        return { browser, address: sent.headers.get("location") ?? "" }
      })
      const taken = yield* link()
      const page = yield* taken.browser.go("GET", provider.come(taken.address, { sub: "s-5" }))
      expect([page.status, page.text.includes("another account is linked to that identity")]).toEqual([409, true])

      // The attacker's answer arrives in the browser of another user, or after a sign-out.
      const planted = yield* link()
      const victim = (yield* signIn("root")).browser
      const state = planted.browser.cookies.get("slipway_deploy_outside") ?? ""
      victim.cookies.set("slipway_deploy_outside", state)
      const other = yield* victim.go("GET", provider.come(planted.address, { sub: "s-6" }))
      expect([other.status, other.text.includes("another account began this")]).toEqual([403, true])
      const signedOut = yield* link()
      signedOut.browser.cookies.delete("slipway_deploy_session")
      const late = yield* signedOut.browser.go("GET", provider.come(signedOut.address, { sub: "s-6" }))
      expect([late.status, late.text.includes("you signed out meanwhile")]).toEqual([403, true])
      expect((yield* service.ask(200, "GET", "/accounts")).length).toBe(3)
      expect((yield* open().go("POST", "/auth/link", {})).status).toBe(403)
    })
  )

  it.live("unlinks an identity on the page of the account, unless it is the only way to sign in", () =>
    Effect.gen(function* () {
      const { come, provider, service, sessionIn, signIn } = yield* startWithPeople()
      const formOf = (text: string) => /name="form" value="([^"]*)"/.exec(text)?.[1] ?? ""
      const { browser, page } = yield* signIn("root")
      const sent = yield* browser.go("POST", "/auth/link", { form: formOf(page.text) })
      const linked = yield* browser.go("GET", provider.come(sent.headers.get("location") ?? "", { sub: "s-8" }))
      const identity = /name="identity" value="([^"]*)"/.exec(linked.text)?.[1] ?? ""
      const after = yield* browser.go("POST", "/account/identities/unlink", { form: formOf(linked.text), identity })
      expect([after.path, after.text.includes("s-8")]).toEqual(["/account", false])
      const alone = yield* come({ sub: "s-9", claims: profile })
      const only = /name="identity" value="([^"]*)"/.exec(alone.page.text)?.[1] ?? ""
      const form = formOf(alone.page.text)
      const refused = yield* alone.browser.go("POST", "/account/identities/unlink", { form, identity: only })
      expect([refused.status, refused.text.includes("the only way to sign in")]).toEqual([409, true])
      const token = sessionIn(alone.browser)
      expect((yield* service.ask(200, "GET", "/account", undefined, { token })).identities.length).toBe(1)
    })
  )

  it.live("rejects the removal of the only sign-in method of an account", () =>
    Effect.gen(function* () {
      const { come, service, sessionIn } = yield* startWithPeople()
      const token = sessionIn((yield* come({ sub: "s-7", claims: profile })).browser)
      const [identity] = (yield* service.ask(200, "GET", "/account", undefined, { token })).identities
      const answer = yield* service.ask(409, "DELETE", `/account/identities/${identity.uuid}`, undefined, { token })
      expect(answer.message).toBe("This identity is the only way to sign in to the account; nothing was changed.")
      yield* service.ask(
        409,
        "PUT",
        "/account/password",
        { current_password: "", new_password: "a new long one" },
        { token }
      )
    })
  )

  it.live("rejects the sign-in of a disabled account, and ends its sessions immediately", () =>
    Effect.gen(function* () {
      const { come, service, sessionIn } = yield* startWithPeople()
      const token = sessionIn((yield* come({ sub: "s-8", claims: profile })).browser)
      const { uuid } = yield* service.ask(200, "GET", "/account", undefined, { token })
      yield* service.ask(200, "PATCH", `/accounts/${uuid}`, { is_disabled: true })
      yield* service.ask(401, "GET", "/account", undefined, { token })
      const { browser, page } = yield* come({ sub: "s-8", claims: profile })
      expect([page.status, page.text.includes("this account is disabled")]).toEqual([403, true])
      expect(sessionIn(browser)).toBe("")
    })
  )

  it.live("replay: rejects a response that was already used, in the same and in another browser", () =>
    Effect.gen(function* () {
      const { goThere, open, provider, sessionIn } = yield* startWithPeople()
      const { address, browser } = yield* goThere()
      const state = browser.cookies.get("slipway_deploy_outside") ?? ""
      expect(state).toMatch(/^[\w-]{100,}$/)
      const path = provider.come(address, { sub: "s-9", claims: profile })
      expect((yield* browser.go("GET", path)).text).toContain(shows("ann"))
      expect(browser.cookies.has("slipway_deploy_outside")).toBe(false)
      const again = yield* browser.go("GET", path)
      expect([again.status, again.text.includes(refused)]).toEqual([400, true])
      // A new code for the same state is rejected as well, before the provider is asked.
      const thief = open()
      thief.cookies.set("slipway_deploy_outside", state)
      const asked = provider.asked.length
      const second = yield* thief.go("GET", provider.come(address, { sub: "s-9", claims: profile }))
      expect([second.status, second.text.includes(refused), sessionIn(thief)]).toEqual([400, true, ""])
      expect(provider.asked.length).toBe(asked)
    })
  )

  it.live("replay: accepts a response only with its state, and only in the browser that began the sign-in", () =>
    Effect.gen(function* () {
      const { goThere, open, provider, sessionIn } = yield* startWithPeople()
      const attacker = yield* goThere()
      const victim = yield* goThere()
      const path = provider.come(attacker.address, { sub: "s-10", claims: profile })
      for (const browser of [open(), victim.browser]) {
        const page = yield* browser.go("GET", path)
        expect([page.status, page.text.includes(refused), sessionIn(browser)]).toEqual([400, true, ""])
      }
      const other = yield* goThere()
      const wrong = yield* other.browser.go("GET", provider.come(other.address, { sub: "s-10" }, { state: "another" }))
      expect(wrong.status).toBe(400)
    })
  )

  it.live("mix-up: rejects a forged response, and a response of another issuer or for another client or sign-in", () =>
    Effect.gen(function* () {
      const { come, service } = yield* startWithPeople()
      const cases = [
        yield* come({ sub: "s-11" }, { iss: "https://evil.example" }),
        yield* come({ sub: "s-11", claims: { iss: "https://evil.example" } }),
        yield* come({ sub: "s-11", claims: { aud: "another client" } }),
        yield* come({ sub: "s-11", claims: { nonce: "another" } }),
        yield* come({ sub: "s-11", claims: { exp: 1 } }),
        yield* come({ sub: "s-11", forged: true }),
        yield* come({ sub: "s-11" }, { code: "guessed" }),
        yield* come({ sub: "s-11" }, { error: "access_denied" })
      ]
      for (const { page } of cases) expect([page.status, page.text.includes(refused)]).toEqual([400, true])
      expect((yield* service.ask(200, "GET", "/accounts")).length).toBe(1)
    })
  )

  it.live("mix-up: rejects a response of a provider that the operator replaced during the sign-in", () =>
    Effect.gen(function* () {
      const before = yield* startWithPeople({ issuer: "https://one.example" })
      const after = yield* startWithPeople({ issuer: "https://two.example" })
      const { address, browser } = yield* before.goThere()
      const late = after.open()
      for (const [name, value] of browser.cookies) late.cookies.set(name, value)
      const page = yield* late.go("GET", after.provider.come(address, { sub: "s-12" }, { iss: "https://two.example" }))
      expect([page.status, page.text.includes(refused)]).toEqual([400, true])
      expect(after.provider.asked).toEqual([])
    })
  )

  it.live("open redirect: redirects only to paths of this service", () =>
    Effect.gen(function* () {
      const { goThere, provider } = yield* startWithPeople()
      for (const [next, path] of [
        ["https://evil.example", "/account"],
        ["//evil.example", "/account"],
        ["/docs?x=1", "/docs?x=1"]
      ] as const) {
        const { address, browser } = yield* goThere(undefined, next)
        const page = yield* browser.go("GET", provider.come(address, { sub: "s-13", claims: profile }))
        expect([next, page.path]).toEqual([next, path])
      }
    })
  )

  it.live("sends PKCE, state, nonce and the callback of this service", () =>
    Effect.gen(function* () {
      const { goThere } = yield* startWithPeople({ rootUrl: "https://deploy.test" })
      const { address } = yield* goThere()
      const { searchParams, origin, pathname } = new URL(address)
      expect([origin, pathname]).toEqual(["https://login.example.com", "/authorize"])
      expect(Object.fromEntries(searchParams)).toEqual({
        client_id: "deploy",
        response_type: "code",
        redirect_uri: "https://deploy.test/auth/oidc/callback",
        scope: "openid profile email",
        code_challenge: searchParams.get("code_challenge"),
        code_challenge_method: "S256",
        state: searchParams.get("state"),
        nonce: searchParams.get("nonce")
      })
      for (const name of ["code_challenge", "state", "nonce"]) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/)
    })
  )

  it.live("has no pages if no provider is configured", () =>
    Effect.gen(function* () {
      const { open, signIn } = yield* startWithPeople({ isConnected: false })
      expect((yield* open().go("GET", "/login")).text).not.toContain("/auth/oidc")
      for (const path of ["/auth/oidc", "/auth/oidc/callback?code=1"]) {
        expect((yield* open().go("GET", path)).status).toBe(404)
      }
      expect((yield* signIn("root")).page.text).not.toContain("/auth/link")
    })
  )
})

describe("a connected forge as the provider", () => {
  it.live("signs users in only while the connection has an OAuth2 client", () =>
    Effect.gen(function* () {
      const url = "http://127.0.0.1:3000"
      const { come, goThere, open, service } = yield* startWithPeople({ isConnected: false, issuer: url })
      const { body } = yield* startForge(service)
      const { uuid } = yield* service.ask(201, "POST", "/forge-connections", body)
      expect((yield* open().go("GET", "/auth/oidc")).status).toBe(404)
      const client = { client_id: "deploy", client_secret: "secret" }
      yield* service.ask(200, "PATCH", `/forge-connections/${uuid}`, { name: "Forge", ...client })
      expect((yield* open().go("GET", "/login")).text).toContain("Sign in with Forge</a>")
      expect(new URL((yield* goThere()).address).searchParams.get("client_id")).toBe("deploy")
      expect((yield* come({ sub: "7", claims: profile })).page.text).toContain(shows("ann"))
      const page = yield* come({ sub: "7", claims: profile })
      expect(page.page.text).toContain(`${url}: 7`)
      yield* service.ask(200, "DELETE", `/forge-connections/${uuid}`)
      expect((yield* open().go("GET", "/auth/oidc")).status).toBe(404)
      expect(JSON.stringify(service.logged)).not.toContain("secret")
    })
  )
})

describe("the owner that a forge connection creates", () => {
  it.live("signs in to the same account if the issuer of the forge ends with a slash", () =>
    Effect.gen(function* () {
      const issuer = "http://127.0.0.1:3000/"
      const { come, service } = yield* startWithPeople({ isConnected: false, issuer })
      const { body, forge } = yield* startForge(service)
      forge.tokens.set("t0ken", "ann")
      const client = { client_id: "deploy", client_secret: "secret", grant_owner: true }
      yield* service.ask(201, "POST", "/forge-connections", { ...body, ...client })
      const [grant] = yield* service.ask(200, "GET", "/grants")
      const subject = /the user (\S+) of/.exec(JSON.stringify(yield* service.ask(200, "GET", "/audit")))?.[1] ?? ""
      expect((yield* come({ sub: subject, claims: profile })).page.text).toContain(shows("ann"))
      const accounts = yield* service.ask(200, "GET", "/accounts")
      expect(accounts.map(({ name }: { name: string }) => name)).toEqual(["root", "ann"])
      expect(accounts[1].uuid).toBe(grant.account_uuid)
    })
  )
})

describe("concurrent first sign-ins of one user", () => {
  it.live("create only one account", () =>
    Effect.gen(function* () {
      const { goThere, provider, service } = yield* startWithPeople({ store: "embedded PostgreSQL" })
      const begun = yield* Effect.forEach([1, 2, 3], () => goThere())
      const pages = yield* Effect.forEach(
        begun,
        ({ address, browser }) => browser.go("GET", provider.come(address, { sub: "s-1", claims: profile })),
        { concurrency: "unbounded" }
      )
      expect(pages.map(({ text }) => text.includes(shows("ann")))).toEqual([true, true, true])
      expect((yield* service.ask(200, "GET", "/accounts")).length).toBe(2)
    })
  )
})
