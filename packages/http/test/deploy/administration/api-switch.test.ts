import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"
import { makeAccount, makeTeam } from "../support/members.ts"
import { signInAs } from "../support/people.ts"

const refused = { message: "This token may not do this (server.list): the API is disabled." }

for (const store of storeNames) {
  withApi(store)(`the switch of the API over ${store}`, (it) => {
    it.effect("rejects every token until a root token enables the API, but no session", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { ask, mint } = service
        const account = yield* makeAccount(service, "operator", { isRoot: true })
        const session = { token: yield* signInAs(service, account.uuid) }
        const reader = { token: (yield* mint("read")).text }
        const writer = { token: (yield* mint("read", "write", "deploy")).text }
        expect(yield* ask(200, "POST", "/disable")).toEqual({ message: "API disabled." })
        expect(yield* ask(200, "POST", "/disable", undefined, session)).toEqual({ message: "API disabled." })
        for (const token of [undefined, reader, writer]) {
          expect(yield* ask(403, "GET", "/servers", undefined, token)).toEqual(refused)
        }
        yield* ask(403, "POST", "/disable")
        yield* ask(403, "POST", "/enable", undefined, writer)
        yield* ask(401, "GET", "/servers", undefined, { token: "1|wrong" })
        yield* ask(200, "GET", "/servers", undefined, session)
        const settings = yield* ask(200, "GET", "/settings", undefined, session)
        expect(settings).toMatchObject({ instance_domains: "", is_api_enabled: false })
        // Other changes of the settings keep the switch.
        const changed = yield* ask(200, "PATCH", "/settings", { instance_domains: "http://own.example" }, session)
        expect(changed).toMatchObject({ instance_domains: "http://own.example", is_api_enabled: false })
        expect(yield* ask(200, "POST", "/enable")).toEqual({ message: "API enabled." })
        yield* ask(200, "GET", "/servers", undefined, reader)
        expect(yield* ask(200, "GET", "/settings")).toMatchObject({
          instance_domains: "http://own.example",
          is_api_enabled: true
        })
      })
    )

    it.effect("is only for owners of the root team", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const other = yield* makeTeam(service, "other")
        for (const path of ["/disable", "/enable"]) {
          yield* service.ask(403, "POST", path, undefined, { token: other.token })
        }
        yield* service.ask(200, "GET", "/servers")
      })
    )
  })
}
