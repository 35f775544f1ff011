import { describe, expect, it } from "@effect/vitest"
import { SessionStore, type SessionUuid } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { password, startWithPeople } from "../support/people.ts"

const shows = (name: string) => `You are signed in as <strong>${name}</strong>`

describe("sign-in with a password", () => {
  it.live("begins a session, which the pages use and the API accepts only as a bearer token", () =>
    Effect.gen(function* () {
      const { service, sessionIn, signIn } = yield* startWithPeople()
      const { browser, page } = yield* signIn("ROOT")
      expect([page.status, page.path]).toEqual([200, "/account"])
      expect(page.text).toContain(shows("root"))
      const session = sessionIn(browser)
      expect(session).toMatch(/^sls_[A-Za-z0-9]{40}$/)
      const me = yield* service.ask(200, "GET", "/account", undefined, { token: session })
      expect(me).toEqual({
        id: 1,
        uuid: me.uuid,
        name: "root",
        email: null,
        is_root: true,
        is_disabled: false,
        last_sign_in_at: me.last_sign_in_at,
        has_password: true,
        session_uuid: me.session_uuid,
        identities: [],
        created_at: me.created_at,
        updated_at: me.updated_at
      })
      expect(me.last_sign_in_at).toMatch(/^20\d\d-/)
      expect(me.session_uuid).toMatch(/^[a-z0-9]{24}$/)
      yield* service.ask(200, "GET", "/projects", undefined, { token: session })
      const byCookie = yield* service.send("GET", "/api/v1/account", {
        token: undefined,
        headers: { cookie: `slipway_deploy_session=${session}; __Host-slipway_deploy_session=${session}` }
      })
      expect(byCookie.status).toBe(401)
    })
  )

  it.live("rejects a wrong password and an unknown name with the same page", () =>
    Effect.gen(function* () {
      const { sessionIn, signIn } = yield* startWithPeople()
      const pages = [yield* signIn("root", "wrong"), yield* signIn("nobody", "wrong"), yield* signIn("root", "")]
      for (const { browser, page } of pages) {
        expect(page.status).toBe(401)
        expect(page.text).toContain("The name or the password is wrong.")
        expect(sessionIn(browser)).toBe("")
      }
      const [one, other] = pages.map(({ page }) => page.text.replace(/value="[^"]*"/g, ""))
      expect(one).toBe(other)
    })
  )

  it.live("delays guesses of a password, and accepts the right password only after the delay", () =>
    Effect.gen(function* () {
      const { signIn } = yield* startWithPeople()
      for (let n = 0; n < 10; n++) expect((yield* signIn("root", "wrong")).page.status).toBe(401)
      // Each further failure doubles the delay, from one second.
      for (let n = 0; n < 6; n++) yield* signIn("root", "wrong")
      const right = yield* signIn("root")
      expect(right.page.status).toBe(429)
      expect(right.page.text).toMatch(/Too many failed sign-ins\. Try again in \d+ seconds\./)
      expect(Number(right.page.headers.get("retry-after"))).toBeGreaterThan(0)
    })
  )

  it.live("reveals that an account is disabled only if the password is right", () =>
    Effect.gen(function* () {
      const { create, service, signIn } = yield* startWithPeople()
      const { uuid } = yield* create("bob")
      yield* service.ask(200, "PATCH", `/accounts/${uuid}`, { is_disabled: true })
      expect((yield* signIn("bob", "wrong")).page.status).toBe(401)
      const right = yield* signIn("bob")
      expect([right.page.status, right.page.text.includes("This account is disabled.")]).toEqual([403, true])
    })
  )

  it.live("session fixation: replaces a planted session and the CSRF secret at each sign-in", () =>
    Effect.gen(function* () {
      const { create, open, service, sessionIn, signIn } = yield* startWithPeople()
      yield* create("eve")
      const planted = sessionIn((yield* signIn("eve")).browser)
      const victim = open()
      victim.cookies.set("slipway_deploy_session", planted)
      const secret = "A".repeat(40)
      victim.cookies.set("slipway_form", secret)
      // The planted session shows the account of the attacker: the victim signs out, or in as itself.
      const signOut = yield* victim.go("GET", "/logout")
      expect(signOut.text).toContain(shows("eve"))
      const page = yield* victim.fill(yield* victim.fill(signOut), { name: "root", password })
      expect(page.text).toContain(shows("root"))
      const own = sessionIn(victim)
      expect(own).not.toBe(planted)
      expect(victim.cookies.get("slipway_form")).not.toBe(secret)
      yield* service.ask(401, "GET", "/account", undefined, { token: planted })
      expect((yield* service.ask(200, "GET", "/account", undefined, { token: own })).name).toBe("root")
    })
  )

  it.live("session fixation: ignores a session cookie that contains a chosen text or a token", () =>
    Effect.gen(function* () {
      const { open, service } = yield* startWithPeople()
      for (const text of [`sls_${"A".repeat(40)}`, service.root, "", "x"]) {
        const browser = open()
        browser.cookies.set("slipway_deploy_session", text)
        expect((yield* browser.go("GET", "/account")).path).toBe("/login")
      }
    })
  )

  it.live("CSRF: rejects forms of other sites, of other browsers, and without a token", () =>
    Effect.gen(function* () {
      const { open, service, sessionIn, signIn } = yield* startWithPeople()
      const { browser } = yield* signIn("root")
      const stranger = open()
      const theirs = yield* stranger.go("GET", "/login")
      const token = /name="form" value="([^"]*)"/.exec(theirs.text)?.[1] ?? ""
      expect(token).toMatch(/^[0-9a-f]{64}$/)
      const paths = [
        "/login",
        "/logout",
        "/account/password",
        "/account/sessions",
        "/account/sessions/end",
        "/account/identities/unlink",
        "/account/tokens",
        "/account/tokens/revoke",
        "/auth/link"
      ]
      for (const path of paths) {
        for (const form of [{}, { form: "" }, { form: token }, { form: "0".repeat(64) }]) {
          const sent = yield* browser.go("POST", path, { name: "root", password, ...form })
          expect([path, sent.status, sent.text.includes("This form has expired")]).toEqual([path, 403, true])
        }
      }
      const forged = yield* service.send("POST", "/logout", {
        token: undefined,
        headers: {
          ...browser.header(),
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-site": "cross-site",
          origin: "https://evil.example"
        },
        raw: `form=${token}`
      })
      expect(forged.status).toBe(403)
      yield* service.ask(200, "GET", "/account", undefined, { token: sessionIn(browser) })
    })
  )

  it.live("open redirect: redirects only to paths of this service", () =>
    Effect.gen(function* () {
      const { signIn } = yield* startWithPeople()
      const hostile = [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/%5C%5Cevil.example\r\nx: y",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/\tevil.example",
        "@evil.example",
        "/logout",
        "/auth/oidc"
      ]
      for (const next of hostile)
        expect([next, (yield* signIn("root", password, next)).page.path]).toEqual([next, "/account"])
      expect((yield* signIn("root", password, "/docs?x=1")).page.path).toBe("/docs?x=1")
    })
  )

  it.live("sets cookies for this host only, and only over TLS where the service is reached by TLS", () =>
    Effect.gen(function* () {
      for (const [rootUrl, prefix, end] of [
        ["https://deploy.test", "__Host-", "; Secure"],
        ["http://deploy.test", "", ""]
      ] as const) {
        const { open, service } = yield* startWithPeople({ rootUrl })
        const set: Array<string> = []
        const browser = open()
        const login = yield* browser.go("GET", "/login")
        set.push(...login.headers.getSetCookie())
        const token = /name="form" value="([^"]*)"/.exec(login.text)?.[1] ?? ""
        const response = yield* service.fetch("POST", "/login", {
          headers: { ...browser.header(), "content-type": "application/x-www-form-urlencoded" },
          raw: new URLSearchParams({ form: token, name: "root", password }).toString()
        })
        set.push(...response.headers.getSetCookie())
        expect(set.map((each) => each.replace(/=[^;]*/, "=…").replace(/; Expires=[^;]*/i, ""))).toEqual([
          `${prefix}slipway_form=…; Path=/; HttpOnly${end}; SameSite=Lax`,
          `${prefix}slipway_deploy_session=…; Max-Age=1209600; Path=/; HttpOnly${end}; SameSite=Lax`,
          `${prefix}slipway_form=…; Path=/; HttpOnly${end}; SameSite=Lax`
        ])
      }
    })
  )

  it.live("runs no script, follows the color scheme, and is never cached or framed", () =>
    Effect.gen(function* () {
      const { open } = yield* startWithPeople()
      const page = yield* open().go("GET", "/login?next=/%22onload=1")
      expect(page.text).toContain("color-scheme:light dark")
      expect(page.text).not.toMatch(/<script|onload=1/)
      expect(page.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
      )
      expect(page.headers.get("cache-control")).toBe("no-store")
    })
  )
})

describe("the page of an account", () => {
  it.live("creates a token that is shown once, and revokes it", () =>
    Effect.gen(function* () {
      const { service, signIn } = yield* startWithPeople()
      const { browser, page } = yield* signIn("root")
      const form = /name="form" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
      const fields = { form, name: "ci <b>", ability: "read", days: "30" }
      const made = yield* browser.go("POST", "/account/tokens", fields)
      const token = /<code>(\d+\|[A-Za-z0-9]{40})<\/code>/.exec(made.text)?.[1] ?? ""
      expect([made.status, made.text.includes("<strong>ci &lt;b&gt;</strong>: read, until ")]).toEqual([201, true])
      const { abilities, created_at, expires_at, uuid } = yield* service.ask(200, "GET", "/token", undefined, { token })
      const lasts = (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000
      expect([abilities, Math.round(lasts)]).toEqual([["read"], 30])
      expect((yield* browser.go("GET", "/account")).text).not.toContain(token)
      for (const wrong of [{ name: " " }, { name: "a\u0000" }, { ability: "all" }, { days: "0" }, { days: "x" }]) {
        expect((yield* browser.go("POST", "/account/tokens", { ...fields, ...wrong })).status).toBe(422)
      }
      expect((yield* browser.go("POST", "/account/tokens/revoke", { form, token: uuid })).path).toBe("/account")
      yield* service.ask(401, "GET", "/token", undefined, { token })
      expect((yield* browser.go("POST", "/account/tokens/revoke", { form, token: uuid })).path).toBe("/account")
    })
  )

  it.live("changes the password, and reports invalid fields", () =>
    Effect.gen(function* () {
      const { signIn } = yield* startWithPeople()
      const { browser, page } = yield* signIn("root")
      const form = /name="form" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
      const send = (present: string, next: string) =>
        browser.go("POST", "/account/password", { form, password: present, new: next })
      const answers = [
        yield* send("wrong", "another good password"),
        yield* send(password, "short"),
        yield* send(password, "another good password")
      ]
      expect(answers.map(({ status, text }) => [status, /role="(?:alert|status)">([^<]*)/.exec(text)?.[1]])).toEqual([
        [401, "The present password is wrong."],
        [422, "New password: Must have at least 8 characters."],
        [200, "The password was changed."]
      ])
      expect((yield* signIn("root", "another good password")).page.path).toBe("/account")
    })
  )
})

describe("sessions", () => {
  it.live("are listed with a mark on the current one, and can be ended one by one or all together", () =>
    Effect.gen(function* () {
      const { create, service, sessionIn, signIn } = yield* startWithPeople()
      yield* create("eve")
      const [one, other] = [yield* signIn("root"), yield* signIn("root")].map(({ browser }) => browser)
      if (one === undefined || other === undefined) return
      const eve = sessionIn((yield* signIn("eve")).browser)
      const token = sessionIn(one)
      const list = yield* service.ask(200, "GET", "/account/sessions", undefined, { token })
      expect(list.map((each: { is_current: boolean }) => each.is_current)).toEqual([true, false])
      const [, second] = list
      expect(second).toEqual({
        uuid: second.uuid,
        user_agent: "",
        address: "0.0.0.0",
        is_current: false,
        expires_at: second.expires_at,
        last_used_at: second.last_used_at,
        created_at: second.created_at
      })
      yield* service.ask(404, "DELETE", `/account/sessions/${second.uuid}`, undefined, { token: eve })
      yield* service.ask(200, "DELETE", `/account/sessions/${second.uuid}`, undefined, { token })
      yield* service.ask(404, "DELETE", `/account/sessions/${second.uuid}`, undefined, { token })
      expect((yield* other.go("GET", "/account")).path).toBe("/login")
      const page = yield* one.go("GET", "/account")
      const form = /action="\/account\/sessions">[\s\S]*?value="([^"]*)"/.exec(page.text)?.[1] ?? ""
      expect((yield* one.go("POST", "/account/sessions", { form })).path).toBe("/login")
      expect(sessionIn(one)).toBe("")
      yield* service.ask(401, "GET", "/account", undefined, { token })
      expect((yield* service.ask(200, "GET", "/account", undefined, { token: eve })).name).toBe("eve")
    })
  )

  it.live("are ended one by one on the page of the account", () =>
    Effect.gen(function* () {
      const { create, service, sessionIn, signIn } = yield* startWithPeople()
      yield* create("eve")
      const [one, other] = [yield* signIn("root"), yield* signIn("root")].map(({ browser }) => browser)
      if (one === undefined || other === undefined) return
      const { browser: eve } = yield* signIn("eve")
      const list = yield* service.ask(200, "GET", "/account/sessions", undefined, { token: sessionIn(one) })
      const second = list.find((each: { is_current: boolean }) => !each.is_current).uuid
      const formOf = (text: string) => /name="form" value="([^"]*)"/.exec(text)?.[1] ?? ""
      const theirs = yield* eve.go("GET", "/account")
      // The session of another account stays.
      yield* eve.go("POST", "/account/sessions/end", { form: formOf(theirs.text), session: second })
      expect((yield* other.go("GET", "/account")).path).toBe("/account")
      const page = yield* one.go("GET", "/account")
      expect(page.text.match(/End this session/g)?.length).toBe(1)
      expect(page.text).toContain(`name="session" value="${second}"`)
      const after = yield* one.go("POST", "/account/sessions/end", { form: formOf(page.text), session: second })
      expect([after.path, after.text.includes("End this session")]).toEqual(["/account", false])
      expect((yield* other.go("GET", "/account")).path).toBe("/login")
    })
  )

  it.live("are listed for sessions, and for tokens of the account with `root`", () =>
    Effect.gen(function* () {
      const { service, sessionIn, signIn } = yield* startWithPeople()
      const session = sessionIn((yield* signIn("root")).browser)
      const made = Effect.fnUntraced(function* (ability: string) {
        const body = { name: ability, abilities: [ability] }
        return (yield* service.ask(201, "POST", "/account/tokens", body, { token: session })).token
      })
      for (const ability of ["read", "read:sensitive", "write", "deploy"]) {
        yield* service.ask(403, "GET", "/account/sessions", undefined, { token: yield* made(ability) })
      }
      const token = yield* made("root")
      const list = yield* service.ask(200, "GET", "/account/sessions", undefined, { token })
      expect(list.map((each: { is_current: boolean }) => each.is_current)).toEqual([false])
      expect((yield* service.ask(200, "GET", "/account", undefined, { token })).session_uuid).toBeNull()
    })
  )

  it.live("end at sign-out, when they expire, and when the account is disabled", () =>
    Effect.gen(function* () {
      const { create, service, sessionIn, signIn } = yield* startWithPeople()
      const { browser } = yield* signIn("root")
      const token = sessionIn(browser)
      expect((yield* browser.fill(yield* browser.go("GET", "/logout"))).path).toBe("/login")
      yield* service.ask(401, "GET", "/account", undefined, { token })

      const bob = yield* create("bob")
      const theirs = sessionIn((yield* signIn("bob")).browser)
      yield* service.ask(200, "PATCH", `/accounts/${bob.uuid}`, { is_disabled: true })
      yield* service.ask(401, "GET", "/account", undefined, { token: theirs })
      yield* service.ask(200, "PATCH", `/accounts/${bob.uuid}`, { is_disabled: false })
      yield* service.ask(401, "GET", "/account", undefined, { token: theirs })

      const late = sessionIn((yield* signIn("bob")).browser)
      const [{ uuid }] = yield* service.ask(200, "GET", "/account/sessions", undefined, { token: late })
      const present = yield* service.within(Effect.flatMap(SessionStore, (store) => store.find(uuid as SessionUuid)))
      if (present === undefined) return yield* Effect.die(new Error("there is no session"))
      yield* service.within(
        Effect.gen(function* () {
          const store = yield* SessionStore
          yield* store.end(present.accountUuid, present.uuid)
          yield* store.begin({ ...present, expiresAt: "2020-01-01T00:00:00.000Z" }, 10)
        })
      )
      yield* service.ask(401, "GET", "/account", undefined, { token: late })
    })
  )

  it.live("store the name of the browser without control characters, and only a hash of their secret", () =>
    Effect.gen(function* () {
      const { open, service, sessionIn } = yield* startWithPeople()
      const browser = open()
      const login = yield* browser.go("GET", "/login")
      const form = /name="form" value="([^"]*)"/.exec(login.text)?.[1] ?? ""
      const response = yield* service.fetch("POST", "/login", {
        headers: {
          ...browser.header(),
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": `Browser\t${"x".repeat(300)}`
        },
        raw: new URLSearchParams({ form, name: "root", password }).toString()
      })
      const cookie = response.headers.getSetCookie().find((each) => each.startsWith("slipway_deploy_session="))
      const token = /=([^;]*)/.exec(cookie ?? "")?.[1] ?? ""
      const [session] = yield* service.ask(200, "GET", "/account/sessions", undefined, { token })
      expect(session.user_agent).toBe(`Browser ${"x".repeat(192)}`)
      const stored = yield* service.within(
        Effect.flatMap(SessionStore, (store) => store.find(session.uuid as SessionUuid))
      )
      expect(stored?.hash).toMatch(/^[0-9a-f]{64}$/)
      expect(JSON.stringify(stored)).not.toContain(token.slice(4))
      expect(sessionIn(browser)).toBe("")
    })
  )
})
