import { describe, expect, it } from "@effect/vitest"
import { hooks } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { basic } from "../support/harness.ts"
import { at, bob, file, hook, site } from "../support/hooks.ts"

describe("the addresses of webhooks", () => {
  it.live("lose the stored credentials when the address changes (I15)", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      const { id } = yield* hook(api, { events: ["push"], authorization_header: "Bearer tell-nobody" })
      const url = "https://elsewhere.example/"
      yield* api.ask(200, "PATCH", `${at}/hooks/${id}`, { ...bob, body: { config: { url } } })
      yield* file(api, "a.txt")
      yield* deliver
      expect(sent.map((request) => [request.url, request.headers.Authorization])).toEqual([[url, undefined]])
    })
  )

  it.live("are shown without their name and password, which deliveries use (I15)", () =>
    Effect.gen(function* () {
      const { api, deliver, sent } = yield* site()
      const url = "https://ci:tell%20nobody@ci.example/hook?to=a@b"
      const open = "https://ci.example/hook?to=a@b"
      const basicOf = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
      const made = yield* hook(api, { events: ["push"], config: { url, content_type: "json" } })
      expect(made.config.url).toBe(open)
      const change = (body: object) => api.ask(200, "PATCH", `${at}/hooks/${made.id}`, { ...bob, body })
      const told = Effect.gen(function* () {
        yield* file(api, `${sent.length}.txt`)
        yield* deliver
        return sent.slice(-1).map((request) => [request.url, request.headers.Authorization])
      })
      expect(yield* told).toEqual([[open, basicOf("ci:tell nobody")]])
      // A client may send back the returned address: the credentials stay while the host stays.
      yield* change({ config: { url: open }, active: true })
      expect(yield* told).toEqual([[open, basicOf("ci:tell nobody")]])
      yield* change({ config: { url: "https://ci:anew@ci.example/" } })
      expect(yield* told).toEqual([["https://ci.example/", basicOf("ci:anew")]])
      yield* change({ config: { url }, authorization_header: "Bearer by-itself" })
      expect(yield* told).toEqual([[open, "Bearer by-itself"]])
      yield* change({ config: { url: "https://elsewhere.example/" } })
      expect(yield* told).toEqual([["https://elsewhere.example/", undefined]])

      // A stored address from before, as it was sent.
      yield* api.within(
        Effect.gen(function* () {
          yield* Effect.orDie((yield* hooks.store).patch({}, made.id, { url }))
        })
      )
      expect(yield* told).toEqual([[open, basicOf("ci:tell nobody")]])
      expect((yield* api.ask(200, "GET", `${at}/hooks/${made.id}`, bob)).config.url).toBe(open)
      yield* change({ active: true })
      expect(yield* told).toEqual([[open, basicOf("ci:tell nobody")]])
      const kept = yield* api.within(Effect.flatMap(hooks.store, (store) => store.find({}, made.id)))
      expect([kept?.url, kept?.authorization === null]).toEqual([open, false])

      const list = yield* api.ask(200, "GET", `${at}/hooks/${made.id}/deliveries`, bob)
      const details = yield* Effect.forEach(list as ReadonlyArray<{ readonly id: number }>, ({ id }) =>
        api.ask(200, "GET", `${at}/hooks/${made.id}/deliveries/${id}`, bob)
      )
      const log = yield* api.ask(200, "GET", "/admin/audit", { headers: basic("root") })
      const all = JSON.stringify([made, kept, details, log])
      for (const word of ["nobody", "anew", "by-itself", basicOf("ci:tell nobody").slice(6)]) {
        expect([word, all.includes(word)]).toEqual([word, false])
      }
      yield* api.ask(422, "PATCH", `${at}/hooks/${made.id}`, {
        ...bob,
        body: { config: { url: "https://ci:%ff@ci.example/" } }
      })
      // URL parsers skip extra slashes.
      for (const slashes of ["///", "////", "//\\"]) {
        const { config } = yield* change({ config: { url: `https:${slashes}ci:tell-nobody@ci.example/x` } })
        expect(config.url).toBe("https://ci.example/x")
      }
    })
  )
})
