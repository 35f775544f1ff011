import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"

for (const store of storeNames) {
  withApi(store)(`private keys over ${store}`, (it) => {
    it.effect("are generated if a request has none, each different", () =>
      Effect.gen(function* () {
        const { ask } = (yield* Api).service
        const read = Effect.fnUntraced(function* (name: string) {
          const { uuid } = yield* ask(201, "POST", "/security/keys", { name })
          return yield* ask(200, "GET", `/security/keys/${uuid}`)
        })
        const one = yield* read("one")
        const other = yield* read("other")
        expect([one.name, other.name]).toEqual(["one", "other"])
        expect(one.public_key).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68}$/)
        expect(other.public_key).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68}$/)
        expect(one.public_key).not.toBe(other.public_key)
        expect(one.private_key).toBe(null)
        expect(yield* ask(400, "POST", "/security/keys", { private_key: "" })).toMatchObject({
          errors: { private_key: expect.any(Array) }
        })
      })
    )
  })
}
