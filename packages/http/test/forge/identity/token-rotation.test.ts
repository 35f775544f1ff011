import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, start } from "../support/harness.ts"

const tokens = "/users/ann/tokens"

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("ann")
  const ann = { headers: basic("ann") }
  const body = { name: "platform", scopes: ["write:repository", "read:user"], expires_at: "2099-01-31T12:00:00Z" }
  const first = yield* api.ask(201, "POST", tokens, { ...ann, body })
  const rotate = (token: string) => api.ask(201, "POST", "/token/rotation", { headers: bearer(token) })
  const confirm = (token: string) => api.ask(204, "POST", "/token/rotation/confirm", { headers: bearer(token) })
  const statusOf = (token: string) =>
    Effect.map(api.send("GET", "/user", { headers: bearer(token) }), ({ status }) => status)
  return { ann, api, confirm, first: first.sha1 as string, firstId: first.id as number, rotate, statusOf }
})

describe("the rotation of a token", () => {
  it.live("creates a successor with the same scopes and expiry, and revokes the old token at the confirmation", () =>
    Effect.gen(function* () {
      const { ann, api, confirm, first, firstId, rotate, statusOf } = yield* site
      const second = yield* rotate(first)
      expect(second).toMatchObject({ scopes: ["write:repository", "read:user"], expires_at: "2099-01-31T12:00:00Z" })
      expect(second.name).toMatch(/^platform \(rotated \d{4}-\d\d-\d\dT[\d:.]+Z\)$/)
      expect(second.sha1).toMatch(/^slp_[A-Za-z0-9]{40}$/)
      expect([yield* statusOf(first), yield* statusOf(second.sha1)]).toEqual([200, 200])
      yield* confirm(second.sha1)
      expect([yield* statusOf(first), yield* statusOf(second.sha1)]).toEqual([401, 200])
      // A confirmation without a response is repeated, and recorded once.
      yield* confirm(second.sha1)
      yield* api.user("root", { admin: true })
      const recorded = yield* api.ask(200, "GET", "/admin/audit?action=token.confirm", { headers: basic("root") })
      expect(recorded.length).toBe(1)
      const third = yield* rotate(second.sha1)
      yield* confirm(third.sha1)
      expect([yield* statusOf(second.sha1), yield* statusOf(third.sha1)]).toEqual([401, 200])
      // The token keeps its id and its name, and has the new text.
      const [kept, ...others] = yield* api.ask(200, "GET", tokens, ann)
      expect([kept.id, kept.name, kept.token_last_eight, others]).toEqual([
        firstId,
        "platform",
        third.sha1.slice(-8),
        []
      ])
    })
  )

  it.live("replaces an unconfirmed successor, so that a lost response leaves no token behind", () =>
    Effect.gen(function* () {
      const { ann, api, confirm, first, rotate, statusOf } = yield* site
      const lost = yield* rotate(first)
      const second = yield* rotate(first)
      expect([yield* statusOf(first), yield* statusOf(lost.sha1), yield* statusOf(second.sha1)]).toEqual([
        200, 401, 200
      ])
      const [won, other] = yield* Effect.all([rotate(first), rotate(first)], { concurrency: "unbounded" })
      const statuses = [yield* statusOf(won.sha1), yield* statusOf(other.sha1)]
      expect(statuses.toSorted()).toEqual([200, 401])
      yield* confirm(statuses[0] === 200 ? won.sha1 : other.sha1)
      expect((yield* api.ask(200, "GET", tokens, ann)).length).toBe(1)
    })
  )

  it.live("does not survive the revocation of one of its two tokens", () =>
    Effect.gen(function* () {
      const { ann, api, first, rotate, statusOf } = yield* site
      const { id, sha1 } = yield* rotate(first)
      yield* api.ask(204, "DELETE", `${tokens}/platform`, ann)
      expect([yield* statusOf(first), yield* statusOf(sha1)]).toEqual([401, 401])
      const again = yield* api.ask(201, "POST", tokens, { ...ann, body: { name: "platform", scopes: ["read:user"] } })
      const next = yield* rotate(again.sha1)
      expect(next.id).toBeGreaterThan(id)
      yield* api.ask(204, "DELETE", "/token", { headers: bearer(next.sha1) })
      expect([yield* statusOf(again.sha1), yield* statusOf(next.sha1)]).toEqual([401, 401])
      expect(yield* api.ask(200, "GET", tokens, ann)).toEqual([])
    })
  )

  it.live("is refused for one-time tokens, unconfirmed successors and passwords, and changes nothing", () =>
    Effect.gen(function* () {
      const { ann, api, first, rotate } = yield* site
      const body = { name: "code", scopes: ["read:user"], one_time: true }
      const { sha1: code } = yield* api.ask(201, "POST", tokens, { ...ann, body })
      const refused = yield* api.ask(422, "POST", "/token/rotation", { headers: bearer(code) })
      expect(refused.message).toContain("[token]: must be created by a user, and be confirmed")
      const { sha1 } = yield* rotate(first)
      yield* api.ask(422, "POST", "/token/rotation", { headers: bearer(sha1) })
      yield* api.ask(404, "POST", "/token/rotation", ann)
      yield* api.ask(401, "POST", "/token/rotation")
      expect((yield* api.ask(200, "GET", tokens, ann)).length).toBe(3)
    })
  )
})
