import { describe, expect, it } from "@effect/vitest"
import { EffectiveAccessStore } from "@slipway/domain/forge/explanation"
import { layer as memory } from "@slipway/memory/forge"
import { Context, Effect, Layer } from "effect"
import { basic, start } from "../support/harness.ts"

const bob = { headers: basic("bob") }

describe("assignable users of a repository", () => {
  it.live("are read in pages, and the next page is read only if too few users qualify", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(memory)
      const store = Context.get(stores, EffectiveAccessStore)
      const asked: Array<number> = []
      const list: typeof store.list = (people, repositories, page) => {
        asked.push(page.perPage)
        return store.list(people, repositories, page)
      }
      const watched = Context.add(stores, EffectiveAccessStore, { ...store, list })
      const api = yield* start({ store: Layer.succeedContext(watched) })
      for (const name of ["bob", "ann", "cat", "dan"]) yield* api.user(name)
      yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "site" } })
      const allow = (name: string, permission: string) =>
        api.ask(204, "PUT", `/repos/bob/site/collaborators/${name}`, { ...bob, body: { permission } })
      const page = Effect.fnUntraced(function* (number: number) {
        asked.length = 0
        const { headers, json } = yield* api.send("GET", `/repos/bob/site/assignees?limit=2&page=${number}`, bob)
        return [json.map((each: { readonly login: string }) => each.login), headers.get("x-total-count"), [...asked]]
      })
      for (const name of ["ann", "cat", "dan"]) yield* allow(name, "write")
      expect(yield* page(1)).toEqual([["ann", "bob"], null, [3]])
      expect(yield* page(2)).toEqual([["cat", "dan"], "4", [5]])
      yield* allow("ann", "read")
      expect(yield* page(1)).toEqual([["bob", "cat"], "3", [3, 1_000]])
      expect(yield* page(2)).toEqual([["dan"], "3", [5]])
      expect(yield* page(900)).toEqual([[], "3", [1_001]])
    })
  )
})
