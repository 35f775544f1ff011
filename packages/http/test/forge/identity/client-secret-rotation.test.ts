import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, start } from "../support/harness.ts"

const at = "/user/applications/oauth2"
const rejected = "[client_secret]: must be the secret of this client"

const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["ann", "bob"]) yield* api.user(name)
  const ann = { headers: basic("ann") }
  const redirect_uris = ["https://deploy.example/callback"]
  const made = yield* api.ask(201, "POST", at, { ...ann, body: { name: "Platform", redirect_uris } })
  const token = yield* api.mint("bob", ["read:user"])
  const sent = (client_secret: string, client_id: string = made.client_id) => ({
    headers: bearer(token),
    body: { client_id, client_secret }
  })
  const rotate = (secret: string, status = 201) => api.ask(status, "POST", "/oauth2-client/rotation", sent(secret))
  const confirm = (secret: string, status = 204) =>
    api.ask(status, "POST", "/oauth2-client/rotation/confirm", sent(secret))
  /** The status of the protocol's answer to a client that authenticates with a secret. */
  const signsIn = (secret: string) =>
    Effect.map(
      api.fetch("POST", "/login/oauth/introspect", {
        headers: { ...basic(made.client_id, secret), "content-type": "application/x-www-form-urlencoded" },
        raw: "token=unknown"
      }),
      ({ status }) => status === 200
    )
  return { ann, api, confirm, first: made.client_secret as string, made, rotate, sent, signsIn }
})

describe("the rotation of the secret of an OAuth2 client", () => {
  it.live("creates a successor by the secret, and revokes the old secret at the confirmation", () =>
    Effect.gen(function* () {
      const { ann, api, confirm, first, made, rotate, signsIn } = yield* site
      const second = yield* rotate(first)
      expect(second).toEqual({ ...made, client_secret: expect.stringMatching(/^slo_[A-Za-z0-9]{40}$/) })
      expect([yield* signsIn(first), yield* signsIn(second.client_secret)]).toEqual([true, true])
      yield* confirm(second.client_secret)
      expect([yield* signsIn(first), yield* signsIn(second.client_secret)]).toEqual([false, true])
      // A confirmation without a response is repeated, and recorded once.
      yield* confirm(second.client_secret)
      yield* api.user("root", { admin: true })
      const recorded = yield* api.ask(200, "GET", "/admin/audit?action=oauth2-client.confirm", {
        headers: basic("root")
      })
      expect(recorded.length).toBe(1)
      const third = yield* rotate(second.client_secret)
      yield* confirm(third.client_secret)
      expect([yield* signsIn(second.client_secret), yield* signsIn(third.client_secret)]).toEqual([false, true])
      expect(yield* api.ask(200, "GET", at, ann)).toEqual([{ ...made, client_secret: "" }])
    })
  )

  it.live("replaces an unconfirmed successor, so that a lost response leaves no secret behind", () =>
    Effect.gen(function* () {
      const { first, rotate, signsIn } = yield* site
      const lost = (yield* rotate(first)).client_secret
      const second = (yield* rotate(first)).client_secret
      expect([yield* signsIn(first), yield* signsIn(lost), yield* signsIn(second)]).toEqual([true, false, true])
      const both = yield* Effect.all([rotate(first), rotate(first)], { concurrency: "unbounded" })
      const works = yield* Effect.forEach(both, ({ client_secret }) => signsIn(client_secret))
      expect(works.toSorted()).toEqual([false, true])
    })
  )

  it.live("is refused for another secret, another client, an unconfirmed successor and a public client", () =>
    Effect.gen(function* () {
      const { ann, api, confirm, first, rotate, sent, signsIn } = yield* site
      expect((yield* rotate("slo_wrong", 422)).message).toBe(rejected)
      expect((yield* confirm("slo_wrong", 422)).message).toBe(rejected)
      const other = yield* api.ask(201, "POST", at, {
        ...ann,
        body: { name: "Other", redirect_uris: ["https://other.example/"], confidential_client: false }
      })
      yield* api.ask(422, "POST", "/oauth2-client/rotation", sent(first, other.client_id))
      yield* api.ask(422, "POST", "/oauth2-client/rotation", sent(other.client_secret, other.client_id))
      const { client_secret } = yield* rotate(first)
      yield* rotate(client_secret, 422)
      yield* api.ask(401, "POST", "/oauth2-client/rotation", { body: sent(first).body })
      expect([yield* signsIn(first), yield* signsIn(client_secret)]).toEqual([true, true])
    })
  )

  it.live("ends both secrets if the owner creates another one or deletes the client", () =>
    Effect.gen(function* () {
      const { ann, api, confirm, first, made, rotate, signsIn } = yield* site
      const second = (yield* rotate(first)).client_secret
      const changed = yield* api.ask(200, "PATCH", `${at}/${made.id}`, { ...ann, body: { name: "Platform" } })
      expect([yield* signsIn(first), yield* signsIn(second), yield* signsIn(changed.client_secret)]).toEqual([
        false,
        false,
        true
      ])
      yield* confirm(second, 422)
      const third = (yield* rotate(changed.client_secret)).client_secret
      yield* api.ask(204, "DELETE", `${at}/${made.id}`, ann)
      expect([yield* signsIn(changed.client_secret), yield* signsIn(third)]).toEqual([false, false])
    })
  )
})
