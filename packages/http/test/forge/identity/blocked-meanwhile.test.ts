import { describe, expect, it } from "@effect/vitest"
import { BlockStore, UserStore } from "@slipway/domain/forge/identity"
import { layer as memory } from "@slipway/memory/forge"
import { Context, Effect, Layer } from "effect"
import { basic, start } from "../support/harness.ts"

const ann = { headers: basic("ann") }

/** A site where Bob blocks Ann at the moment when a request of hers locks his row. */
const site = Effect.gen(function* () {
  let isArmed = false
  const store = Layer.effectContext(
    Effect.map(Effect.context<BlockStore | UserStore>(), (services) => {
      const users = Context.get(services, UserStore)
      const blocks = Context.get(services, BlockStore)
      const lock: typeof users.lock = (id) =>
        Effect.tap(users.lock(id), () =>
          Effect.gen(function* () {
            if (!isArmed) return
            isArmed = false
            const blocked = (yield* users.named("ann"))?.user
            if (blocked !== undefined) yield* blocks.add({ blocker: id, blocked: blocked.id, note: "" })
          })
        )
      return Context.add(services, UserStore, { ...users, lock })
    })
  ).pipe(Layer.provideMerge(memory))
  const api = yield* start({ store: store as typeof memory })
  yield* api.user("ann")
  yield* api.user("bob")
  return {
    api,
    arm: () => {
      isArmed = true
    }
  }
})

describe("a block that commits while a request waits for the blocker's lock", () => {
  it.live("prevents the follow", () =>
    Effect.gen(function* () {
      const { api, arm } = yield* site
      arm()
      yield* api.ask(403, "PUT", "/user/following/bob", ann)
      expect((yield* api.ask(200, "GET", "/users/bob", ann)).followers_count).toBe(0)
    })
  )

  it.live("prevents adding the blocker as a collaborator", () =>
    Effect.gen(function* () {
      const { api, arm } = yield* site
      yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "app" } })
      arm()
      yield* api.ask(403, "PUT", "/repos/ann/app/collaborators/bob", { ...ann, body: { permission: "write" } })
      expect(yield* api.ask(200, "GET", "/repos/ann/app/collaborators", ann)).toEqual([])
    })
  )
})
