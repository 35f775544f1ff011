import { describe, expect, it } from "@effect/vitest"
import { FirstStart } from "@slipway/deploy"
import { AccountStore, type AccountUuid, TokenStore } from "@slipway/domain/deploy/identity"
import { Effect, Layer, Redacted } from "effect"
import { start, stores, wrongFields } from "../support/harness.ts"
import { password, startWithPeople } from "../support/people.ts"

for (const store of Object.keys(stores) as ReadonlyArray<keyof typeof stores>) {
  describe(`accounts and their tokens over ${store}`, () => {
    it.live("are created, listed, read and changed by root only, and never show a password", () =>
      Effect.gen(function* () {
        const { create, service, sessionIn, signIn } = yield* startWithPeople({ store, isConnected: false })
        const ann = yield* create("Ann", { email: "ann@example.com" })
        expect(ann).toEqual({
          id: 2,
          uuid: ann.uuid,
          name: "Ann",
          email: "ann@example.com",
          is_root: false,
          is_disabled: false,
          last_sign_in_at: null,
          created_at: ann.created_at,
          updated_at: ann.updated_at
        })
        expect(yield* service.ask(200, "GET", `/accounts/${ann.uuid}`)).toEqual(ann)
        const list = yield* service.send("GET", "/api/v1/accounts?per_page=1&page=2")
        expect([list.json, list.headers.get("x-total-count")]).toEqual([[ann], "2"])
        const token = sessionIn((yield* signIn("ann")).browser)
        yield* service.ask(403, "GET", "/accounts", undefined, { token })
        yield* service.ask(404, "PATCH", `/accounts/${ann.uuid}`, { is_root: true }, { token })
        const changed = yield* service.ask(200, "PATCH", `/accounts/${ann.uuid}`, { is_root: true, email: null })
        expect([changed.is_root, changed.email]).toEqual([true, null])
        // The present session has the new permission immediately.
        expect((yield* service.ask(200, "GET", "/accounts", undefined, { token })).length).toBe(2)
        yield* service.ask(404, "GET", "/accounts/nowhere")
        expect(JSON.stringify([service.logged, yield* service.dump])).not.toContain(password)
      })
    )

    it.live("always include one enabled root account", () =>
      Effect.gen(function* () {
        const { create, prepared, service } = yield* startWithPeople({ store, isConnected: false })
        const path = `/accounts/${prepared?.account.uuid}`
        for (const change of [{ is_root: false }, { is_disabled: true }]) {
          expect((yield* service.ask(409, "PATCH", path, change)).message).toBe(
            "This is the last enabled root account: make another account root first."
          )
        }
        const other = yield* create("other", { is_root: true })
        yield* service.ask(200, "PATCH", path, { is_disabled: true })
        yield* service.ask(409, "PATCH", `/accounts/${other.uuid}`, { is_root: false })
        yield* service.ask(200, "PATCH", path, { is_disabled: false })
        yield* service.ask(200, "PATCH", `/accounts/${other.uuid}`, { is_root: false })
      })
    )

    it.live("are limited to 100", () =>
      Effect.gen(function* () {
        const { service, sessionIn, signIn } = yield* startWithPeople({ store, isConnected: false })
        const token = sessionIn((yield* signIn("root")).browser)
        const create = (n: number) =>
          service.send("POST", "/api/v1/account/tokens", { token, body: { name: `t${n}`, abilities: ["read"] } })
        const answers = yield* Effect.forEach(
          Array.from({ length: 103 }, (_, n) => n),
          create,
          { concurrency: 20 }
        )
        expect(answers.filter(({ status }) => status === 201).length).toBe(100)
        const refused = answers.find(({ status }) => status !== 201)
        expect([refused?.status, refused?.json.message]).toEqual([
          409,
          "This account has 100 tokens, which is the limit: revoke one first."
        ])
      })
    )
  })
}

describe("accounts", () => {
  it.live("are rejected with a name in use, and the response names every invalid field", () =>
    Effect.gen(function* () {
      const { create, service } = yield* startWithPeople({ isConnected: false })
      yield* create("ann")
      const taken = yield* service.ask(409, "POST", "/accounts", { name: "ANN", password })
      expect(taken.message).toBe("An account has the name `ANN`: choose another name.")
      const before = yield* service.dump
      for (const [body, fields] of [
        [{ name: "", email: "x" }, ["email", "name"]],
        [{ name: "a b" }, ["name"]],
        [{ name: "x".repeat(61) }, ["name"]],
        [{ name: "bob", password: "short" }, ["password"]],
        [{ name: "bob", password: "password1" }, ["password"]],
        [{ name: "bob", password: "x".repeat(257) }, ["password"]],
        [{ name: "bob", email: "a@b\0c" }, ["email"]],
        [{ name: "bob", is_root: "yes" }, ["is_root"]],
        [{ name: "bob", admin: true }, ["admin"]]
      ] as const) {
        const answer = yield* service.send("POST", "/api/v1/accounts", { body })
        expect([answer.status, wrongFields(answer)], JSON.stringify(body)).toEqual([400, fields])
      }
      expect(yield* service.dump).toEqual(before)
    })
  )

  it.live("change their password with the current password, and the change ends all other sessions", () =>
    Effect.gen(function* () {
      const { service, sessionIn, signIn } = yield* startWithPeople({ isConnected: false })
      const [token, other] = [yield* signIn("root"), yield* signIn("root")].map(({ browser }) => sessionIn(browser))
      const path = "/account/password"
      const next = "another good password"
      const wrong = { current_password: "wrong", new_password: next }
      expect((yield* service.ask(400, "PUT", path, wrong, { token })).errors).toEqual({
        current_password: ["Must be the present password of the account."]
      })
      expect(
        (yield* service.ask(400, "PUT", path, { current_password: password, new_password: "short" }, { token })).errors
      ).toEqual({ new_password: ["Must have at least 8 characters."] })
      yield* service.ask(200, "PUT", path, { current_password: password, new_password: next }, { token })
      yield* service.ask(401, "GET", "/account", undefined, { token: other })
      yield* service.ask(200, "GET", "/account", undefined, { token })
      expect((yield* signIn("root")).page.status).toBe(401)
      expect((yield* signIn("root", next)).page.path).toBe("/account")
    })
  )

  it.live("are protected by a growing delay against guesses of the current password", () =>
    Effect.gen(function* () {
      const { service, sessionIn, signIn } = yield* startWithPeople({ isConnected: false })
      const token = sessionIn((yield* signIn("root")).browser)
      const body = { current_password: "wrong", new_password: "another good password" }
      const ask = () => service.send("PUT", "/api/v1/account/password", { token, body })
      for (let n = 0; n < 10; n++) expect((yield* ask()).status).toBe(400)
      // Each further failure doubles the delay, from one second.
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], ask)
      const slowed = answers.find(({ status }) => status === 429)
      expect(Number(slowed?.headers.get("retry-after"))).toBeGreaterThan(0)
    })
  )

  it.live("get a new password from a root account, and the change ends their sessions", () =>
    Effect.gen(function* () {
      const { create, service, sessionIn, signIn } = yield* startWithPeople({ isConnected: false })
      const { uuid } = yield* create("ann")
      const token = sessionIn((yield* signIn("ann")).browser)
      yield* service.ask(200, "PATCH", `/accounts/${uuid}`, { password: "another good password" })
      yield* service.ask(401, "GET", "/account", undefined, { token })
      expect((yield* signIn("ann", "another good password")).page.path).toBe("/account")
    })
  )
})

describe("tokens of an account", () => {
  it.live(
    "act for the account, and stop working if the account loses permission or is disabled, or if they expire",
    () =>
      Effect.gen(function* () {
        const { create, service, sessionIn, signIn } = yield* startWithPeople({ isConnected: false })
        const ann = yield* create("ann", { is_root: true })
        const session = sessionIn((yield* signIn("ann")).browser)
        const body = { name: "ci", abilities: ["read"], expires_at: "2999-01-01T00:00:00Z" }
        const made = yield* service.ask(201, "POST", "/account/tokens", body, { token: session })
        expect([made.account_uuid, made.abilities, made.expires_at]).toEqual([
          ann.uuid,
          ["read"],
          "2999-01-01T00:00:00.000Z"
        ])
        const { token, uuid } = made
        expect((yield* service.ask(200, "GET", "/projects", undefined, { token })).length).toBe(1)
        yield* service.ask(403, "POST", "/projects", { name: "x" }, { token })
        expect((yield* service.ask(200, "GET", "/account", undefined, { token })).name).toBe("ann")
        expect((yield* service.ask(200, "GET", "/token", undefined, { token })).uuid).toBe(uuid)
        expect((yield* service.ask(200, "GET", "/account/tokens", undefined, { token })).length).toBe(1)
        // A token neither extends itself nor changes how the account signs in.
        yield* service.ask(403, "POST", "/account/tokens", body, { token })
        yield* service.ask(403, "PUT", "/account/password", { current_password: "", new_password: "" }, { token })

        yield* service.ask(200, "PATCH", `/accounts/${ann.uuid}`, { is_root: false })
        expect(yield* service.ask(200, "GET", "/projects", undefined, { token })).toEqual([])
        yield* service.ask(403, "GET", "/settings", undefined, { token })
        yield* service.ask(200, "PATCH", `/accounts/${ann.uuid}`, { is_root: true, is_disabled: true })
        yield* service.ask(401, "GET", "/projects", undefined, { token })
        yield* service.ask(200, "PATCH", `/accounts/${ann.uuid}`, { is_disabled: false })
        yield* service.ask(200, "GET", "/projects", undefined, { token })
        yield* service.within(
          Effect.gen(function* () {
            const tokens = yield* TokenStore
            const [row] = yield* tokens.ofAccount(ann.uuid as AccountUuid)
            if (row !== undefined) yield* tokens.replace({ ...row, expiresAt: "2020-01-01T00:00:00.000Z" })
          })
        )
        yield* service.ask(401, "GET", "/projects", undefined, { token })
      })
  )

  it.live("can be revoked only by their account, and are not counted as root tokens of the instance", () =>
    Effect.gen(function* () {
      const { create, service, sessionIn, signIn } = yield* startWithPeople({ isConnected: false })
      yield* create("eve", { is_root: true })
      const [root, eve] = [sessionIn((yield* signIn("root")).browser), sessionIn((yield* signIn("eve")).browser)]
      const body = { name: "mine", abilities: ["root"] }
      const own = yield* service.ask(201, "POST", "/tokens", body, { token: root })
      expect(own.account_uuid).not.toBe(null)
      yield* service.ask(404, "DELETE", `/account/tokens/${own.uuid}`, undefined, { token: eve })
      const [instance] = yield* service.ask(200, "GET", "/tokens")
      expect(instance.account_uuid).toBe(null)
      expect((yield* service.ask(409, "DELETE", `/tokens/${instance.uuid}`)).message).toContain("last token")
      yield* service.ask(200, "DELETE", `/account/tokens/${own.uuid}`, undefined, { token: root })
      yield* service.ask(404, "DELETE", `/account/tokens/${own.uuid}`, undefined, { token: root })
      yield* service.ask(401, "GET", "/token", undefined, { token: own.token })
      yield* service.ask(401, "GET", "/token", undefined, { token: root })
    })
  )
})

describe("the first start", () => {
  it.live("creates one root account with a generated or chosen password, also for an older instance", () =>
    Effect.gen(function* () {
      const { within } = yield* start(stores.memory, Layer.empty, { withAccount: false })
      const made = yield* Effect.all(
        [1, 2, 3].map(() => within(FirstStart.prepareRoot({ name: "slipway" }))),
        { concurrency: "unbounded" }
      )
      const [prepared, ...more] = made.filter((each) => each !== undefined)
      expect(more).toEqual([])
      expect(Redacted.value(prepared?.password ?? Redacted.make(""))).toMatch(/^[A-Za-z0-9]{40}$/)
      expect([prepared?.account.name, prepared?.account.isRoot, prepared?.isWeak]).toEqual(["slipway", true, false])
      const { within: other } = yield* start(stores.memory, Layer.empty, { withAccount: false })
      const chosen = yield* other(FirstStart.prepareRoot({ name: "ann", password: Redacted.make("short") }))
      expect([chosen?.account.name, chosen?.password, chosen?.isWeak]).toEqual(["ann", undefined, true])
    })
  )

  it.live("rejects the name of an account that is not root, and changes nothing", () =>
    Effect.gen(function* () {
      const { ask, within } = yield* start(stores.memory, Layer.empty, { withAccount: false })
      yield* ask(201, "POST", "/accounts", { name: "ann" })
      const refused = yield* within(Effect.flip(FirstStart.prepareRoot({ name: "ANN" })))
      expect(refused._tag).toBe("AccountNameTaken")
      expect(yield* within(Effect.flatMap(AccountStore, ({ count }) => count))).toBe(1)
    })
  )
})
