import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { basic, bearer, type Service, start } from "../support/harness.ts"
import {
  byDraft,
  byStandard,
  httpDate,
  keyOf,
  makeKey,
  type Signing,
  type SigningKey,
  second
} from "../support/signing.ts"

interface World extends Service {
  readonly key: SigningKey
}

class Api extends Context.Service<Api, World>()("test/signed-requests") {
  static readonly layer = Layer.effect(
    Api,
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.user("root", { admin: true })
      return { ...api, key: yield* keyOf(api, "ann", "root") }
    })
  )
}

const schemes = { "the draft": byDraft, "RFC 9421": byStandard }

let spaces = 0
/** A query without meaning, so that no two requests of the draft are equal. */
const once = () => `?once=${spaces++}`

layer(Api.layer, { excludeTestServices: true })("a signed request", (it) => {
  for (const [title, sign] of Object.entries(schemes)) {
    /** Sends a request signed in one way, with changes after the signature. */
    const sent = (
      { send }: World,
      signing: Signing,
      changed: { readonly path?: string; readonly headers?: Record<string, string>; readonly body?: string } = {}
    ) => {
      const raw = changed.body ?? signing.body
      return send(signing.method, changed.path ?? signing.path, {
        headers: { ...sign(signing), ...changed.headers },
        ...(raw === undefined ? {} : { raw })
      })
    }

    it.effect(`by ${title} acts as the owner of the key`, () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { key } = api
        const read = yield* sent(api, { key, method: "GET", path: `/user${once()}` })
        expect([read.status, read.json.login]).toEqual([200, "ann"])
        const path = `/user/settings${once()}`
        const changed = yield* sent(api, { key, method: "PATCH", path, body: '{"location":"Basel"}' })
        expect([changed.status, changed.json.location]).toEqual([200, "Basel"])
        // Like a token it does not replace a password, and has no more permissions than its owner.
        const minting = {
          key,
          method: "POST",
          path: `/users/ann/tokens${once()}`,
          body: '{"name":"x","scopes":["all"]}'
        }
        expect((yield* sent(api, minting)).status).toBe(401)
        expect((yield* sent(api, { key, method: "GET", path: `/admin/users${once()}` })).status).toBe(403)
      })
    )

    it.effect(`by ${title} is accepted once, and within five minutes`, () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { key } = api
        const headers = sign({ key, method: "GET", path: `/user?again=${title.length}` })
        const statuses = yield* Effect.forEach([1, 2], () =>
          api.send("GET", `/user?again=${title.length}`, { headers })
        )
        expect(statuses.map(({ status }) => status)).toEqual([200, 401])
        const asked = { key, method: "GET", path: "/user" }
        const at = second()
        const made = [at - 270, at - 330, at + 45, at + 120].map((created) => ({ created, expires: created + 1_000 }))
        const answers = yield* Effect.forEach(made, (times) =>
          sent(api, { ...asked, path: `/user${once()}`, ...times })
        )
        expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 401])
        const ended = { ...asked, path: `/user${once()}`, created: at - 20, expires: at - 10 }
        expect((yield* sent(api, ended)).status).toBe(401)
      })
    )

    it.effect(`by ${title} is rejected if it was changed after signing, or if another key signed it`, () =>
      Effect.gen(function* () {
        const api = yield* Api
        const { key } = api
        const asked = { key, method: "GET", path: `/user${once()}` }
        const writing = { key, method: "PATCH", path: "/user/settings", body: '{"location":"Bern"}' }
        const others = [
          yield* sent(api, asked, { path: "/user/keys" }),
          yield* sent(api, asked, { path: `${asked.path}&more=1` }),
          yield* sent(api, { ...asked, keyId: makeKey().fingerprint }),
          yield* sent(api, { ...asked, key: makeKey(), keyId: key.fingerprint }),
          yield* sent(api, { ...asked, keyId: "ann" }),
          yield* sent(api, writing, { body: '{"location":"Chur"}' }),
          yield* sent(
            api,
            { ...asked, method: "DELETE", path: "/user/keys/1" },
            { headers: { signature: "sig=:AAAA:" } }
          ),
          yield* sent(api, asked, { headers: { sudo: "root" } })
        ]
        expect(others.map(({ status }) => status)).toEqual(others.map(() => 401))
        expect((yield* api.send("GET", "/user/settings", { headers: basic("ann") })).json.location).not.toBe("Chur")
      })
    )
  }

  it.effect("may have a raw body, and is rejected if the body differs from the signed body", () =>
    Effect.gen(function* () {
      const { key, send } = yield* Api
      const signing = { key, method: "POST", path: "/markdown/raw", body: "*Hello*" }
      const rendered = yield* send("POST", "/markdown/raw", { headers: byStandard(signing), raw: "*Hello*" })
      expect([rendered.status, rendered.text.trim()]).toEqual([200, "<p><em>Hello</em></p>"])
      expect((yield* send("POST", "/markdown/raw", { headers: byStandard(signing), raw: "*Hi*" })).status).toBe(401)
    })
  )

  it.effect("must sign all parts that determine its effect", () =>
    Effect.gen(function* () {
      const { key, send } = yield* Api
      const asked = { key, method: "GET", path: "/user" }
      const body = '{"location":"Bern"}'
      const draft: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
        [401, ["(created)"]],
        [401, ["(request-target)"]],
        [401, ["(request-target)", "(expires)"]],
        [200, ["(request-target)", "(created)"]]
      ]
      for (const [status, covers] of draft) {
        const path = `/user${once()}`
        const headers = byDraft({ ...asked, path, covers })
        expect([covers, (yield* send("GET", path, { headers })).status]).toEqual([covers, status])
      }
      const standard: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
        [401, ["@method"]],
        [401, ["@path", "@query", "@authority"]],
        [401, ["@method", "@path", "@query"]],
        [401, ["@method", "@path", "@authority"]],
        [200, ["@method", "@path", "@query", "@authority"]],
        [200, ["@method", "@target-uri"]]
      ]
      for (const [status, covers] of standard) {
        const headers = byStandard({ ...asked, covers })
        expect([covers, (yield* send("GET", "/user", { headers })).status]).toEqual([covers, status])
      }
      const writing = { key, method: "PATCH", path: "/user/settings", body }
      const unsigned = [
        byDraft({ ...writing, covers: ["(request-target)", "(created)"] }),
        byStandard({ ...writing, covers: ["@method", "@target-uri"] })
      ]
      for (const headers of unsigned) {
        expect((yield* send("PATCH", "/user/settings", { headers, raw: body })).status).toBe(401)
      }
    })
  )

  it.effect("may give its time in the Date header and use the Authorization header, in the draft", () =>
    Effect.gen(function* () {
      const { key, send } = yield* Api
      const path = `/user${once()}`
      const dated = (made: number) => {
        const covers = ["(request-target)", "date"]
        const { signature, ...headers } = byDraft({
          key,
          method: "GET",
          path,
          covers,
          headers: { date: httpDate(made) }
        })
        return { ...headers, authorization: `Signature ${signature}` }
      }
      expect((yield* send("GET", path, { headers: dated(second()) })).json.login).toBe("ann")
      expect((yield* send("GET", path, { headers: dated(second() - 400) })).status).toBe(401)
    })
  )

  it.effect("can impersonate a user if an administrator signed that header too", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const key = yield* keyOf(api, "root", "root")
      const headers = byStandard({ key, method: "GET", path: "/user", headers: { sudo: "ann" } })
      expect((yield* api.send("GET", "/user", { headers })).json.login).toBe("ann")
    })
  )

  it.effect("is ignored if a token is also sent, and rejected if the key is deleted", () =>
    Effect.gen(function* () {
      const api = yield* Api
      const key = yield* keyOf(api, "ann", "root")
      const [{ id }] = yield* api.ask(200, "GET", `/user/keys?fingerprint=${encodeURIComponent(key.fingerprint)}`, {
        headers: basic("ann")
      })
      const asked = { key, method: "GET", path: "/user" }
      const both = { ...byStandard({ ...asked, key: makeKey() }), ...bearer(yield* api.mint("root", ["all"])) }
      expect((yield* api.send("GET", "/user", { headers: both })).json.login).toBe("root")
      yield* api.ask(204, "DELETE", `/user/keys/${id}`, { headers: basic("ann") })
      expect((yield* api.send("GET", "/user", { headers: byStandard(asked) })).status).toBe(401)
    })
  )
})
