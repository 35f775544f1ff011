import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, start } from "../support/harness.ts"

const tokens = "/users/ann/tokens"
const scopes = ["write:repository", "read:user"]

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("ann")
  const ann = { headers: basic("ann") }
  const mint = (body: object) => api.ask(201, "POST", tokens, { ...ann, body })
  const code = Effect.map(mint({ name: "platform", scopes, one_time: true }), ({ sha1 }) => ({
    headers: bearer(sha1 as string)
  }))
  return { ann, api, code, mint }
})

describe("a one-time token", () => {
  it.live("is exchanged once for a lasting token with the requested scopes, and then stops working", () =>
    Effect.gen(function* () {
      const { ann, api, code } = yield* site
      const once = yield* code
      const lasting = yield* api.ask(201, "POST", "/token", once)
      expect(lasting).toMatchObject({ name: "platform", scopes: ["write:repository", "read:user"] })
      expect(lasting).not.toHaveProperty("expires_at")
      expect(lasting.sha1).toMatch(/^slp_[A-Za-z0-9]{40}$/)
      expect((yield* api.ask(200, "GET", "/user", { headers: bearer(lasting.sha1) })).login).toBe("ann")
      yield* api.ask(401, "POST", "/token", once)
      yield* api.ask(422, "POST", "/token", { headers: bearer(lasting.sha1) })
      expect((yield* api.ask(200, "GET", tokens, ann)).length).toBe(1)
    })
  )

  it.live("cannot read or change anything before its exchange, and expires within 10 minutes", () =>
    Effect.gen(function* () {
      const { api, mint } = yield* site
      const made = yield* mint({ name: "platform", scopes, one_time: true })
      expect(made.scopes).toEqual([])
      const lifetime = Date.parse(made.expires_at) - Date.parse(made.created_at)
      expect(lifetime).toBeLessThanOrEqual(10 * 60_000)
      const once = { headers: bearer(made.sha1) }
      yield* api.ask(403, "GET", "/user", once)
      yield* api.ask(403, "POST", "/user/repos", { ...once, body: { name: "app" } })
    })
  )

  it.live("is exchanged by exactly one of two concurrent requests", () =>
    Effect.gen(function* () {
      const { api, code } = yield* site
      const once = yield* code
      const answers = yield* Effect.all([api.send("POST", "/token", once), api.send("POST", "/token", once)], {
        concurrency: "unbounded"
      })
      const won = answers.filter(({ status }) => status === 201)
      expect(won.length).toBe(1)
      expect([401, 422]).toContain(answers.find(({ status }) => status !== 201)?.status)
    })
  )

  it.live("keeps the requested expiry of the lasting token, and is rejected without any scope", () =>
    Effect.gen(function* () {
      const { ann, api, mint } = yield* site
      const expires_at = "2099-01-31T12:00:00Z"
      const { sha1 } = yield* mint({ name: "platform", scopes, expires_at, one_time: true })
      expect((yield* api.ask(201, "POST", "/token", { headers: bearer(sha1) })).expires_at).toBe(expires_at)
      yield* api.ask(422, "POST", tokens, { ...ann, body: { name: "none", scopes: [], one_time: true } })
    })
  )
})
