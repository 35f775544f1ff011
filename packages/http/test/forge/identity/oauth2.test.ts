import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"

const bob = { headers: basic("bob") }
const at = "/user/applications/oauth2"

const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["bob", "eve"]) yield* api.user(name)
  return api
})

const redirect_uris = ["https://app.example/callback", "http://127.0.0.1:8400/", "com.example.app:/callback"]

describe("OAuth2 applications", () => {
  it.live("return their secret only when it is created, and never again (I15)", () =>
    Effect.gen(function* () {
      const api = yield* site
      const made = yield* api.ask(201, "POST", at, { ...bob, body: { name: "App", redirect_uris } })
      expect(made).toEqual({
        id: made.id,
        name: "App",
        client_id: expect.stringMatching(/^[a-z0-9]{24}$/),
        client_secret: expect.stringMatching(/^slo_[A-Za-z0-9]{40}$/),
        confidential_client: true,
        skip_secondary_authorization: false,
        redirect_uris,
        created: made.created
      })
      const quiet = { ...made, client_secret: "" }
      expect(yield* api.ask(200, "GET", at, bob)).toEqual([quiet])
      expect(yield* api.ask(200, "GET", `${at}/${made.id}`, bob)).toEqual(quiet)
      const changed = yield* api.ask(200, "PATCH", `${at}/${made.id}`, { ...bob, body: { name: "Other" } })
      expect(changed).toMatchObject({ name: "Other", redirect_uris, client_id: made.client_id })
      expect(changed.client_secret).toMatch(/^slo_[A-Za-z0-9]{40}$/)
      expect(changed.client_secret).not.toBe(made.client_secret)
      yield* api.ask(204, "DELETE", `${at}/${made.id}`, bob)
      yield* api.ask(404, "GET", `${at}/${made.id}`, bob)
    })
  )

  it.live("are visible to their owner only (I6)", () =>
    Effect.gen(function* () {
      const api = yield* site
      const { id } = yield* api.ask(201, "POST", at, { ...bob, body: { name: "App", redirect_uris } })
      const eve = { headers: basic("eve") }
      expect(yield* api.ask(200, "GET", at, eve)).toEqual([])
      yield* api.ask(404, "GET", `${at}/${id}`, eve)
      yield* api.ask(404, "PATCH", `${at}/${id}`, { ...eve, body: { name: "Mine" } })
      yield* api.ask(404, "DELETE", `${at}/${id}`, eve)
    })
  )

  it.live("reject redirect URIs that are relative or unencrypted, or do not belong to a client", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const [uri, problem] of [
        ["javascript:alert(1)", "must be the redirect URI of a client"],
        ["http://app.example/", "must begin with https://, except for a loopback address"],
        ["https://app.example/#a", "must have no fragment, name or password"],
        ["https://ann@app.example/", "must have no fragment, name or password"],
        ["https://*.app.example/", "must be an absolute URL"],
        ["/callback", "must be an absolute URL"]
      ]) {
        const { message } = yield* api.ask(422, "POST", at, { ...bob, body: { name: "App", redirect_uris: [uri] } })
        expect(message).toBe(`[redirect_uris]: ${problem}`)
      }
      const none = yield* api.ask(422, "POST", at, { ...bob, body: { name: "App", redirect_uris: [] } })
      expect(none.message).toBe("[redirect_uris]: must name an address")
    })
  )
})
