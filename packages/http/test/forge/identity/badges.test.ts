import { describe, expect, it } from "@effect/vitest"
import { Tasks, tasks } from "@slipway/forge/background"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"

const root = { headers: basic("root") }

const site = Effect.gen(function* () {
  const api = yield* start()
  yield* api.user("root", { admin: true })
  yield* api.user("ann")
  return api
})

describe("badges", () => {
  it.live("are created, given once, listed and removed only by administrators", () =>
    Effect.gen(function* () {
      const api = yield* site
      const make = (slug: string) =>
        api.ask(201, "POST", "/admin/badges", {
          ...root,
          body: { slug, description: `The ${slug}`, image_url: `https://pictures.example/${slug}.png` }
        })
      const first = yield* make("first")
      const second = yield* make("second")
      expect(first).toEqual({
        id: first.id,
        slug: "first",
        description: "The first",
        image_url: "https://pictures.example/first.png"
      })
      const taken = yield* api.ask(422, "POST", "/admin/badges", { ...root, body: { slug: "first" } })
      expect(taken.message).toBe("[slug]: `first` is taken")
      yield* api.ask(422, "POST", "/admin/badges", { ...root, body: { slug: "No Word" } })

      const at = "/admin/users/ann/badges"
      const said = (...badge_slugs: ReadonlyArray<string>) => ({ ...root, body: { badge_slugs } })
      yield* api.ask(204, "POST", at, said("second", "first", "second"))
      yield* api.ask(204, "POST", at, said("first"))
      expect(yield* api.ask(200, "GET", at, root)).toEqual([second, first])
      const unknown = yield* api.ask(422, "POST", at, said("first", "third"))
      expect(unknown.message).toBe("[badge_slugs]: there is no badge `third`")
      yield* api.ask(204, "DELETE", at, said("second"))
      expect(yield* api.ask(200, "GET", at, root)).toEqual([first])
      yield* api.ask(204, "DELETE", "/admin/badges/first", root)
      yield* api.ask(404, "DELETE", "/admin/badges/first", root)
      expect(yield* api.ask(200, "GET", at, root)).toEqual([])
      expect(yield* api.ask(200, "GET", "/admin/badges", root)).toEqual([second])

      yield* api.ask(404, "GET", "/admin/users/nobody/badges", root)
      yield* api.ask(403, "GET", at, { headers: basic("ann") })
      yield* api.ask(403, "POST", at, { ...said("second"), headers: basic("ann") })
    })
  )
})

describe("scheduled tasks", () => {
  it.live("are listed with their times, and started by administrators", () =>
    Effect.gen(function* () {
      const api = yield* site
      expect(yield* api.ask(200, "GET", "/admin/cron", root)).toEqual([])
      yield* api.within(Tasks.plan(tasks))
      const listed = yield* api.ask(200, "GET", "/admin/cron", root)
      expect(listed.map(({ name }: { readonly name: string }) => name)).toEqual(
        tasks.map(({ name }) => name).toSorted()
      )
      const { name, next, schedule } = listed[0]
      expect(listed[0]).toEqual({ name, schedule, next, prev: null, exec_times: 0 })
      expect(next > "2026-01-01").toBe(true)

      yield* api.ask(204, "POST", `/admin/cron/${name}`, root)
      expect(yield* api.within(Tasks.runDue(tasks))).toEqual([name])
      const [begun] = yield* api.ask(200, "GET", "/admin/cron", root)
      expect(begun).toMatchObject({ name, next, exec_times: 1 })
      expect(begun.prev < next).toBe(true)

      yield* api.ask(404, "POST", "/admin/cron/nothing", root)
      yield* api.ask(403, "GET", "/admin/cron", { headers: basic("ann") })
      yield* api.ask(403, "POST", `/admin/cron/${name}`, { headers: basic("ann") })
    })
  )
})
