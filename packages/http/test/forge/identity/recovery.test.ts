import { describe, expect, it } from "@effect/vitest"
import { type Mail, Mailer } from "@slipway/domain"
import { defaultSite } from "@slipway/domain/forge/base"
import { Jobs } from "@slipway/forge/background"
import { Mails } from "@slipway/forge/base"
import { Effect, Layer } from "effect"
import { browse } from "../support/browser.ts"
import { basic, bearer, password, rootUrl, start } from "../support/harness.ts"

const site = Effect.gen(function* () {
  const sent: Array<Mail> = []
  const mailer = Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void sent.push(mail)) })
  const api = yield* start({
    outside: Layer.provide(Mails.layerDelivery, mailer),
    site: { rootUrl },
    switches: { ...defaultSite.switches, confirmationRequired: true }
  })
  yield* api.user("bob")
  yield* api.user("root", { admin: true })
  /** Sends due emails, and returns the paths of their links. */
  const letters = Effect.gen(function* () {
    yield* api.within(Jobs.runDue)
    return sent
      .splice(0)
      .map(({ text, to }) => ({ to: to.address, path: /https:\/\/forge\.test(\S+)/.exec(text)?.[1] ?? "" }))
  })
  const ask = Effect.fnUntraced(function* (address: string) {
    const browser = browse(api)
    return yield* browser.fill(yield* browser.go("GET", "/user/forgot_password"), { address })
  })
  const reset = Effect.fnUntraced(function* (path: string, secret: string) {
    const browser = browse(api)
    return yield* browser.fill(yield* browser.go("GET", path), { new: secret })
  })
  return { api, letters, ask, reset }
})

const fresh = "another fine secret"

describe("passwords that are reset by email", () => {
  it.live("are set once, by an email to a confirmed address, and revoke sessions and tokens", () =>
    Effect.gen(function* () {
      const { api, ask, letters, reset } = yield* site
      expect((yield* browse(api).go("GET", "/user/login")).text).toContain('href="/user/forgot_password"')
      const token = yield* api.mint("bob", ["all"])
      const answer = yield* ask("BOB@example.com")
      const [letter] = yield* letters
      expect(letter?.to).toBe("bob@example.com")
      expect(letter?.path).toMatch(/^\/user\/recover_account\?code=[A-Za-z0-9]{40}$/)
      const path = letter?.path ?? ""
      // Emails of earlier versions have this address.
      const former = yield* api.fetch("GET", `/user/reset?token=${path.slice(-40)}`)
      expect([former.status, former.headers.get("location")]).toEqual([303, path])
      expect((yield* reset(path, "short")).status).toBe(422)
      expect((yield* reset(path, "password1")).status).toBe(422)
      expect((yield* reset(path, fresh)).status).toBe(200)
      expect((yield* reset(path, "yet another secret")).status).toBe(403)
      yield* api.ask(401, "GET", "/user", { headers: basic("bob") })
      yield* api.ask(401, "GET", "/user", { headers: bearer(token) })
      yield* api.ask(200, "GET", "/user", { headers: basic("bob", fresh) })
      // An unknown address gets the same response, and no email is sent.
      const unknown = yield* ask("nobody@example.com")
      expect([unknown.status, unknown.text]).toEqual([answer.status, answer.text])
      expect(yield* letters).toEqual([])
    })
  )

  it.live("are limited for each account and client address, and an invalid secret sets no password", () =>
    Effect.gen(function* () {
      const { api, ask, letters, reset } = yield* site
      for (const _ of [1, 2, 3, 4, 5]) yield* ask("bob@example.com")
      expect((yield* letters).length).toBe(3)
      for (const token of ["", "x", "a".repeat(40)]) {
        expect((yield* reset(`/user/recover_account?code=${token}`, fresh)).status).toBe(403)
      }
      const browser = browse(api)
      const page = yield* browser.go("GET", "/user/forgot_password")
      const form = /name="form" value="(\w+)"/.exec(page.text)?.[1] ?? ""
      const from = (address: string) =>
        api.fetch("POST", "/user/forgot_password", {
          headers: {
            ...browser.header(),
            "content-type": "application/x-www-form-urlencoded",
            "x-forwarded-for": address
          },
          raw: new URLSearchParams({ form, address: "nobody@example.com" }).toString()
        })
      const statuses = yield* Effect.forEach(Array.from({ length: 32 }), () => from("192.0.2.7"))
      expect([statuses[0]?.status, statuses[31]?.status]).toEqual([200, 429])
      expect((yield* from("192.0.2.8")).status).toBe(200)
    })
  )

  it.live("never enable a disabled account (I16)", () =>
    Effect.gen(function* () {
      const { api, ask, letters, reset } = yield* site
      yield* ask("bob@example.com")
      const [letter] = yield* letters
      const edit = { headers: basic("root"), body: { login_name: "bob", source_id: 0, prohibit_login: true } }
      yield* api.ask(200, "PATCH", "/admin/users/bob", edit)
      expect((yield* reset(letter?.path ?? "", fresh)).status).toBe(403)
      yield* ask("bob@example.com")
      expect(yield* letters).toEqual([])
      const bob = yield* api.ask(200, "GET", "/users/bob", { headers: basic("root") })
      expect(bob.prohibit_login).toBe(true)
    })
  )

  it.live("are not offered without a mail server", () =>
    Effect.gen(function* () {
      const api = yield* start()
      expect((yield* browse(api).go("GET", "/user/login")).text).not.toContain("/user/forgot_password")
      expect((yield* browse(api).go("GET", "/user/forgot_password")).status).toBe(404)
    })
  )
})

describe("addresses that are confirmed by email", () => {
  it.live("are verified when the recipient confirms, not when the page is viewed", () =>
    Effect.gen(function* () {
      const { api, ask, letters } = yield* site
      const verified = Effect.map(
        api.ask(200, "GET", "/user/emails", { headers: basic("bob") }),
        (emails: ReadonlyArray<{ readonly email: string; readonly verified: boolean }>) =>
          emails.filter((each) => each.verified).map((each) => each.email)
      )
      const added = { headers: basic("bob"), body: { emails: ["new@example.com"] } }
      yield* api.ask(201, "POST", "/user/emails", added)
      const [letter] = yield* letters
      expect(letter?.to).toBe("new@example.com")
      // An unconfirmed address resets no password.
      yield* ask("new@example.com")
      expect(yield* letters).toEqual([])
      const browser = browse(api)
      const page = yield* browser.go("GET", letter?.path ?? "")
      expect(yield* verified).toEqual(["bob@example.com"])
      const done = yield* browser.fill(page)
      expect([done.status, done.text.includes("<strong>new@example.com</strong> is confirmed")]).toEqual([200, true])
      expect(yield* verified).toEqual(["bob@example.com", "new@example.com"])
      yield* api.ask(204, "DELETE", "/user/emails", added)
      expect((yield* browser.fill(page)).status).toBe(403)
      expect((yield* browser.fill(yield* browser.go("GET", "/user/confirm?token=made-up"))).status).toBe(403)
      yield* api.ask(200, "GET", "/user", { headers: basic("bob", password) })
    })
  )
})
