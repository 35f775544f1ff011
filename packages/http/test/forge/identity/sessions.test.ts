import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { browse } from "../support/browser.ts"
import { basic, bearer, codeOf, enrol, password, rootUrl, start, step } from "../support/harness.ts"

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("bob")
  yield* api.user("root", { admin: true })
  const browser = browse(api)
  const signIn = (name = "bob", secret = password, more: Record<string, string> = {}) =>
    Effect.flatMap(browser.go("GET", "/user/login"), (page) => browser.fill(page, { name, password: secret, ...more }))
  return { api, browser, signIn }
})

const cookieName = "__Host-slipway_session"

describe("sessions", () => {
  it.live("begin on a page that has no scripts and can't be framed", () =>
    Effect.gen(function* () {
      const { api, browser, signIn } = yield* site
      const page = yield* browser.go("GET", "/user/login")
      expect(page.text).not.toMatch(/<script|\son\w+=|javascript:/i)
      expect(page.headers.get("content-security-policy")).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
      )
      const raw = yield* api.fetch("POST", "/user/login", {
        headers: { ...browser.header(), "content-type": "application/x-www-form-urlencoded" },
        raw: new URLSearchParams({
          name: "bob",
          password,
          form: /name="form" value="(\w+)"/.exec(page.text)?.[1] ?? ""
        }).toString()
      })
      expect(raw.headers.getSetCookie().find((each) => each.startsWith(cookieName))).toMatch(
        /^__Host-slipway_session=slp_[A-Za-z0-9]{40}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
      expect((yield* signIn()).text).toContain("You are signed in as <strong>bob</strong>")
      const text = browser.cookies.get(cookieName) ?? ""
      expect((yield* api.ask(200, "GET", "/user", { headers: bearer(text) })).login).toBe("bob")
      // The API accepts no cookie, so that no page of another site can use it.
      yield* api.ask(401, "GET", "/user", { headers: browser.header() })
    })
  )

  it.live("are not read from a cookie without the secure prefix if the site uses TLS", () =>
    Effect.gen(function* () {
      // Another host of the domain could set a cookie without the prefix, and sign in its own session.
      const userBy = Effect.fnUntraced(function* (publicUrl: string, cookie: string) {
        const api = yield* start({ publicUrl })
        yield* api.user("bob")
        const { headers } = yield* api.send("POST", "/user/sessions", { headers: basic("bob") })
        const token = /=(slp_\w+);/.exec(headers.getSetCookie()[0] ?? "")?.[1]
        const page = yield* api.fetch("GET", "/user/settings/security", { headers: { cookie: `${cookie}=${token}` } })
        return [page.status, /signed in as <strong>(\w+)/.exec(page.text)?.[1]]
      })
      expect(yield* userBy(rootUrl, cookieName)).toEqual([200, "bob"])
      expect(yield* userBy(rootUrl, "slipway_session")).toEqual([303, undefined])
      expect(yield* userBy("http://forge.test", "slipway_session")).toEqual([200, "bob"])
    })
  )

  it.live("reject forms of other browsers and of other sites (CSRF)", () =>
    Effect.gen(function* () {
      const { api, browser } = yield* site
      const page = yield* browser.go("GET", "/user/login")
      const form = /name="form" value="(\w+)"/.exec(page.text)?.[1] ?? ""
      const send = (headers: Record<string, string>, token = form) =>
        api.fetch("POST", "/user/login", {
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
          raw: new URLSearchParams({ name: "bob", password, form: token }).toString()
        })
      const answers = [
        yield* send({}),
        yield* send(browser.header(), "f".repeat(64)),
        yield* send({ ...browser.header(), origin: "https://evil.example" }),
        yield* send({ ...browser.header(), "sec-fetch-site": "cross-site" })
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
      expect(
        answers.flatMap(({ headers }) => headers.getSetCookie()).filter((each) => each.includes("session"))
      ).toEqual([])
    })
  )

  it.live("require the one-time code, and rate-limit guesses", () =>
    Effect.gen(function* () {
      const { api, browser, signIn } = yield* site
      const { secret } = yield* enrol(api, "bob")
      expect((yield* signIn()).text).toContain("The one-time code is wrong.")
      expect((yield* signIn("bob", "wrong")).text).toContain("The name or the password is wrong.")
      expect((yield* signIn("bob", password, { code: codeOf(secret, step()) })).text).toContain("You are signed in")
      browser.cookies.clear()
      for (let n = 0; n < 11; n++) yield* signIn("root", "wrong")
      expect((yield* signIn("root")).status).toBe(429)
      yield* api.forgiveAll
      yield* api.ask(204, "DELETE", "/admin/users/bob/second_factor", { headers: basic("root") })
      expect((yield* signIn()).text).toContain("You are signed in")
    })
  )

  it.live("neither create tokens nor replace a password, whichever header carries them (I2, I5)", () =>
    Effect.gen(function* () {
      const { api, browser, signIn } = yield* site
      yield* signIn()
      const text = browser.cookies.get(cookieName) ?? ""
      for (const headers of [browser.header(), bearer(text), basic("bob", text)]) {
        yield* api.ask(401, "POST", "/users/bob/tokens", { headers, body: { name: "more", scopes: ["all"] } })
        yield* api.ask(401, "PUT", "/user/password", { headers, body: { password: "another long one" } })
        yield* api.ask(401, "POST", "/user/sessions", { headers })
      }
      for (const [status, origin] of [
        [403, "https://evil.example"],
        [401, rootUrl]
      ] as const) {
        const headers = { ...browser.header(), origin }
        yield* api.ask(status, "PATCH", "/user/settings", { headers, body: { full_name: "Eve" } })
      }
      yield* api.ask(200, "PATCH", "/user/settings", { headers: bearer(text), body: { full_name: "Bob" } })
    })
  )

  it.live("are listed and ended by their user, on the page and by the API", () =>
    Effect.gen(function* () {
      const { api, browser, signIn } = yield* site
      yield* signIn()
      const made = yield* api.send("POST", "/user/sessions", { headers: { ...basic("bob"), "user-agent": "curl/8" } })
      expect([made.status, made.json.user_agent, made.json.current]).toEqual([201, "curl/8", true])
      const sessions = yield* api.ask(200, "GET", "/user/sessions", {
        headers: bearer(browser.cookies.get(cookieName) ?? "")
      })
      expect(sessions.map((each: { current: boolean }) => each.current)).toEqual([true, false])
      expect((yield* browser.go("GET", "/user/settings/security")).text).toContain("curl/8")
      yield* api.ask(204, "DELETE", `/user/sessions/${made.json.id}`, { headers: basic("bob") })
      yield* api.ask(404, "DELETE", `/user/sessions/${made.json.id}`, { headers: basic("bob") })
      yield* api.ask(404, "DELETE", `/user/sessions/${sessions[0].id}`, { headers: basic("root") })
      const security = yield* browser.go("GET", "/user/settings/security")
      const text = browser.cookies.get(cookieName) ?? ""
      expect((yield* browser.fill(security)).text).toContain("Sign in")
      yield* api.ask(401, "GET", "/user", { headers: bearer(text) })
    })
  )

  it.live("can be ended by buttons of the page, one by one or all, and only by their user", () =>
    Effect.gen(function* () {
      const { api, browser, signIn } = yield* site
      const other = yield* api.ask(201, "POST", "/user/sessions", { headers: basic("bob") })
      const foreign = yield* api.ask(201, "POST", "/user/sessions", { headers: basic("root") })
      yield* signIn()
      const { text } = yield* browser.go("GET", "/user/settings/security")
      const form = /name="form" value="([^"]*)"/.exec(text)?.[1] ?? ""
      const end = (path: string, fields: Record<string, string>) =>
        Effect.map(browser.go("POST", `/user/settings/security/${path}`, fields), ({ path, status }) => [status, path])
      const listed = (name: string) =>
        Effect.map(api.ask(200, "GET", "/user/sessions", { headers: basic(name) }), (rows) => rows.length)
      expect([yield* listed("bob"), yield* listed("root")]).toEqual([2, 1])
      for (const id of [other.id, other.id, foreign.id, "x", ""]) {
        expect(yield* end("sessions", { form, id: String(id) })).toEqual([200, "/user/settings/security"])
      }
      expect([yield* listed("bob"), yield* listed("root")]).toEqual([1, 1])
      // Without the form token of the page no session ends.
      expect((yield* end("sessions/all", { id: "" }))[0]).toBe(403)
      expect(yield* listed("bob")).toBe(1)
      expect((yield* end("sessions/all", { form, id: "" }))[1]).toContain("/user/login")
      expect([yield* listed("bob"), yield* listed("root")]).toEqual([0, 1])
    })
  )

  it.live("end on a password change, as do tokens on request, and a forced change blocks all other requests", () =>
    Effect.gen(function* () {
      const { api, browser, signIn } = yield* site
      yield* signIn()
      const token = yield* api.mint("bob", ["all"])
      const before = browser.cookies.get(cookieName) ?? ""
      yield* api.ask(200, "PUT", "/user/password", { headers: basic("bob"), body: { password: "a second secret" } })
      yield* api.ask(401, "GET", "/user", { headers: bearer(before) })
      yield* api.ask(200, "GET", "/user", { headers: bearer(token) })
      yield* api.ask(422, "PUT", "/user/password", {
        headers: basic("bob", "a second secret"),
        body: { password: "password1" }
      })
      yield* api.ask(200, "PATCH", "/admin/users/bob", {
        headers: basic("root"),
        body: { login_name: "bob", source_id: 0, must_change_password: true }
      })
      yield* api.ask(403, "GET", "/user", { headers: basic("bob", "a second secret") })
      browser.cookies.clear()
      const must = yield* signIn("bob", "a second secret")
      expect(must.text).toContain("You must change your password before you continue.")
      const after = yield* browser.fill(must, {
        name: "bob",
        password: "a second secret",
        new: "a third secret",
        end_tokens: "yes"
      })
      expect(after.text).toContain("You are signed in as <strong>bob</strong>")
      yield* api.ask(401, "GET", "/user", { headers: bearer(token) })
      yield* api.ask(200, "GET", "/user", { headers: basic("bob", "a third secret") })
    })
  )

  it.live("redirect only to pages of the site", () =>
    Effect.gen(function* () {
      const { browser } = yield* site
      for (const next of [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "/user/../../evil",
        "javascript:alert(1)"
      ]) {
        browser.cookies.clear()
        const page = yield* browser.go("GET", `/user/login?next=${encodeURIComponent(next)}`)
        const after = yield* browser.fill(page, { name: "bob", password })
        expect([next, after.path]).toEqual([next, "/user/settings/security"])
      }
    })
  )
})
