import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, start } from "./support/harness.ts"

describe("issue 17: answers that are the same for everybody are kept", () => {
  it.live("and given to nobody who shows who they are, or has them already", () =>
    Effect.gen(function* () {
      const { send, user } = yield* start()
      yield* user("ann")
      const first = yield* send("GET", "/version")
      const kept = yield* send("GET", "/version", { headers: { "x-request-id": "another-request" } })
      expect([first.status, kept.status, kept.text]).toEqual([200, 200, first.text])
      expect(kept.headers.get("x-request-id")).toBe("another-request")
      for (const name of ["cache-control", "content-type", "etag", "x-content-type-options"]) {
        expect([name, kept.headers.get(name)]).toEqual([name, first.headers.get(name)])
        expect(kept.headers.get(name)).not.toBeNull()
      }
      const statusTo = (headers: Readonly<Record<string, string>>, query = "", method = "GET") =>
        Effect.map(send(method, `/version${query}`, { headers }), ({ status }) => status)
      expect(yield* statusTo({ "if-none-match": kept.headers.get("etag") ?? "" })).toBe(304)
      expect(yield* statusTo(basic("ann"))).toBe(200)
      expect(yield* statusTo(basic("ann", "wrong"))).toBe(401)
      expect(yield* statusTo({ authorization: "token no" })).toBe(401)
      expect(yield* statusTo({ sudo: "ann" })).toBe(403)
      expect(yield* statusTo({}, "?token=no")).toBe(401)
      expect(yield* statusTo({}, "", "HEAD")).toBe(200)
      expect(yield* statusTo({}, "", "POST")).toBe(405)
    })
  )

  it.live("but where nobody is let in who isn't signed in", () =>
    Effect.gen(function* () {
      const { send, user } = yield* start({ switches: { strictSignIn: true } })
      yield* user("ann")
      const statuses: Array<number> = []
      for (const headers of [{}, basic("ann"), {}]) statuses.push((yield* send("GET", "/version", { headers })).status)
      expect(statuses).toEqual([403, 200, 403])
    })
  )
})
