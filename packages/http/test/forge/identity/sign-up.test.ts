import { describe, expect, it } from "@effect/vitest"
import { type Mail, Mailer } from "@slipway/domain"
import { defaultSite, type RegistrationMode } from "@slipway/domain/forge/base"
import { Jobs } from "@slipway/forge/background"
import { Mails } from "@slipway/forge/base"
import { Effect, Layer } from "effect"
import { basic, referenceUrl, rootUrl, start } from "../support/harness.ts"
import { stores } from "../support/stores.ts"

const secret = "a fine new secret"
const zoe = { username: "zoe", email: "zoe@example.com", password: secret }

for (const [kind, store] of stores) {
  const site = Effect.fnUntraced(function* (
    registration: RegistrationMode,
    { confirms = false, isStrict = false } = {}
  ) {
    const sent: Array<Mail> = []
    const mailer = Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void sent.push(mail)) })
    const api = yield* start({
      ...(store === undefined ? {} : { store }),
      outside: Layer.provide(Mails.layerDelivery, mailer),
      site: { rootUrl, accounts: { ...defaultSite.accounts, registration } },
      switches: { ...defaultSite.switches, confirmationRequired: confirms, strictSignIn: isStrict }
    })
    yield* api.user("root", { admin: true })
    const signUp = (body: object = zoe, headers: Record<string, string> = {}) =>
      api.send("POST", "/user/sign_up", { body, headers })
    const mails = Effect.map(api.within(Jobs.runDue), () => sent.splice(0))
    return { api, signUp, mails }
  })

  describe(`sign-up in ${kind}`, () => {
    it.live("is refused unless the site allows it", () =>
      Effect.gen(function* () {
        const { api, signUp } = yield* site("off")
        const { json, status } = yield* signUp()
        expect([status, json]).toEqual([403, { message: "sign-up disabled by administrator", url: referenceUrl }])
        yield* api.ask(401, "GET", "/user", { headers: basic("zoe", secret) })
      })
    )

    it.live("creates an account that can be used immediately, also on a site that requires sign-in", () =>
      Effect.gen(function* () {
        for (const isStrict of [false, true]) {
          const { api, signUp } = yield* site("on", { isStrict })
          const { json, status } = yield* signUp({ ...zoe, full_name: "Zoe" })
          expect([status, json]).toEqual([
            201,
            { id: json.id, login: "zoe", email: "zoe@example.com", active: true, confirmation_sent: false }
          ])
          const own = yield* api.ask(200, "GET", "/user", { headers: basic("zoe", secret) })
          expect([own.full_name, own.is_admin, own.id]).toEqual(["Zoe", false, json.id])
          // I16: the address was not confirmed, so it identifies the visitor nowhere.
          const [email] = yield* api.ask(200, "GET", "/user/emails", { headers: basic("zoe", secret) })
          expect([email.email, email.verified]).toEqual(["zoe@example.com", false])
          expect((yield* api.send("GET", "/version")).status).toBe(isStrict ? 403 : 200)
        }
      })
    )

    it.live("creates an inactive account with approval, and notifies administrators", () =>
      Effect.gen(function* () {
        const { api, signUp } = yield* site("approval")
        expect((yield* signUp()).json.active).toBe(false)
        const zoes = { headers: basic("zoe", secret) }
        const waiting = "This account waits for an administrator to activate it."
        for (const _ of [1, 2]) expect((yield* api.ask(403, "GET", "/user", zoes)).message).toBe(waiting)
        const root = { headers: basic("root") }
        const notices = yield* api.ask(200, "GET", "/admin/notices", root)
        expect(notices.map(({ description }: { description: string }) => description)).toEqual([
          "`zoe` signed up and waits for an administrator to activate the account"
        ])
        yield* api.ask(200, "PATCH", "/admin/users/zoe", { ...root, body: { active: true } })
        yield* api.ask(200, "GET", "/user", zoes)
        // Without another approval to wait for, an administrator deactivates an account.
        yield* api.ask(200, "PATCH", "/admin/users/zoe", { ...root, body: { active: false } })
        expect((yield* api.ask(403, "GET", "/user", zoes)).message).toContain("prohibited from signing in")
        const events = yield* api.ask(200, "GET", "/admin/audit?action=account.create", root)
        expect(events.map(({ subject }: { subject: { name: string } }) => subject.name)).toEqual(["zoe"])
      })
    )

    it.live("sends a confirmation email where addresses must be confirmed", () =>
      Effect.gen(function* () {
        const { mails, signUp } = yield* site("on", { confirms: true })
        expect((yield* signUp()).json.confirmation_sent).toBe(true)
        expect((yield* mails).map(({ subject, to }) => [to.address, subject])).toEqual([
          ["zoe@example.com", "Confirm your address at Slipway"]
        ])
      })
    )

    it.live("names invalid fields and changes nothing", () =>
      Effect.gen(function* () {
        const { api, signUp } = yield* site("on")
        yield* signUp()
        const wrong = {
          "[username]: `zoe` is taken": { email: "other@example.com" },
          "[email]: `zoe@example.com` is taken": { username: "zack" },
          "[password]: is among the most common passwords": {
            username: "zack",
            email: "z@e.org",
            password: "password1"
          }
        }
        for (const [message, change] of Object.entries(wrong)) {
          const { json, status } = yield* signUp({ ...zoe, ...change })
          expect([status, json.message]).toEqual([422, message])
        }
        expect((yield* signUp({ ...zoe, username: "a b" })).status).toBe(422)
        const users = yield* api.ask(200, "GET", "/admin/users", { headers: basic("root") })
        expect(users.map(({ login }: { login: string }) => login)).toEqual(["root", "zoe"])
      })
    )

    it.live("is rate limited by network address", () =>
      Effect.gen(function* () {
        const { signUp } = yield* site("on")
        const from = { "x-forwarded-for": "192.0.2.7" }
        const wrong = { ...zoe, password: "password1" }
        for (let count = 0; count < 10; count++) expect((yield* signUp(wrong, from)).status).toBe(422)
        const { headers, json, status } = yield* signUp(zoe, from)
        expect([status, json.message]).toEqual([
          429,
          "too many accounts were requested from this address, try again later"
        ])
        expect(headers.get("retry-after")).toBe("1")
        expect((yield* signUp(zoe, { "x-forwarded-for": "192.0.2.8" })).status).toBe(201)
      })
    )

    it.live("counts concurrent requests of a network address", () =>
      Effect.gen(function* () {
        const { signUp } = yield* site("on")
        const wrong = { ...zoe, password: "password1" }
        const requests = Array.from({ length: 20 }, () => signUp(wrong, { "x-forwarded-for": "192.0.2.7" }))
        const answers = yield* Effect.all(requests, { concurrency: "unbounded" })
        const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
        expect([count(422), count(429)]).toEqual([10, 10])
      })
    )

    it.live("resets a password by the API with a one-time code, without revealing which accounts exist", () =>
      Effect.gen(function* () {
        const { api, mails, signUp } = yield* site("on", { isStrict: true })
        yield* api.user("zoe")
        // An address that was never confirmed gets no email.
        yield* signUp({ ...zoe, username: "eve", email: "eve@example.com" })
        for (const email of ["nobody@example.com", "eve@example.com", "zoe@example.com"])
          yield* api.ask(204, "POST", "/user/password_reset", { body: { email } })
        const [mail, ...others] = yield* mails
        expect([mail?.to.address, others]).toEqual(["zoe@example.com", []])
        const code = /\/user\/recover_account\?code=(\w{40})/.exec(mail?.text ?? "")?.[1]
        const finish = (password: string) =>
          api.send("POST", "/user/password_reset/finish", { body: { code, password } })
        expect((yield* finish("password1")).status).toBe(422)
        expect((yield* finish("yet another secret")).status).toBe(204)
        const again = yield* finish("one more secret")
        expect([again.status, again.json.message]).toEqual([422, "[code]: was already used, or has expired"])
        yield* api.ask(200, "GET", "/user", { headers: basic("zoe", "yet another secret") })
        yield* api.ask(401, "GET", "/user", { headers: basic("zoe") })
      })
    )
  })
}
