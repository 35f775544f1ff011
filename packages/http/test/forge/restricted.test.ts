import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, start } from "./support/harness.ts"

const rex = { headers: basic("rex") }
const lim = { headers: basic("lim") }

/** What lies below the name of an account, and what is asked about it by its name. */
const below = ["", "/repos", "/followers", "/following", "/orgs", "/heatmap", "/starred", "/activities/feeds"]

describe("a limited account, for a restricted user", () => {
  it.live("is missing by its name until both share something, and again once they don't (I7, I9)", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("rex", { restricted: true })
      yield* api.user("lim", { visibility: "limited" })
      yield* api.user("pub")
      const answers = (name: string) =>
        Effect.forEach(below, (path) =>
          Effect.map(api.send("GET", `/users/${name}${path}`, rex), ({ headers, status, text }) =>
            status === 404 ? { status, text, headers: [...headers] } : status
          )
        )
      const found = below.map(() => 200)
      const missing = yield* answers("nobody")
      expect(yield* answers("lim")).toEqual(missing)
      // What is public has a name that everybody may read, though no list shows it to rex.
      expect(yield* answers("pub")).toEqual(found)
      expect(yield* api.ask(200, "GET", "/users/search?q=pub", rex)).toEqual({ ok: true, data: [] })
      yield* api.ask(404, "PUT", "/user/following/lim", rex)
      yield* api.ask(201, "POST", "/user/repos", { ...lim, body: { name: "one", private: true } })
      yield* api.ask(204, "PUT", "/repos/lim/one/collaborators/rex", { ...lim, body: { permission: "read" } })
      expect(yield* answers("lim")).toEqual(found)
      expect((yield* api.ask(200, "GET", "/users/lim", rex)).visibility).toBe("limited")
      yield* api.ask(204, "DELETE", "/repos/lim/one/collaborators/rex", lim)
      expect(yield* answers("lim")).toEqual(missing)
    })
  )
})
