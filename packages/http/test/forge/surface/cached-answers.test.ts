import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, start } from "../support/harness.ts"

describe("responses that are equal for all callers are cached", () => {
  it.live("authenticated callers get a fresh response, and callers with a current copy get 304", () =>
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

  it.live("nothing is cached on a site that rejects anonymous callers", () =>
    Effect.gen(function* () {
      const { send, user } = yield* start({ switches: { strictSignIn: true } })
      yield* user("ann")
      const statuses: Array<number> = []
      for (const headers of [{}, basic("ann"), {}]) statuses.push((yield* send("GET", "/version", { headers })).status)
      expect(statuses).toEqual([403, 200, 403])
    })
  )

  it.live("a site that requires sign-in revalidates copies only for authenticated callers", () =>
    Effect.gen(function* () {
      const { send, user } = yield* start({ switches: { strictSignIn: true } })
      for (const name of ["ann", "bob"]) yield* user(name)
      const askedBy = (headers: Readonly<Record<string, string>>, method = "GET") =>
        send(method, "/version", { headers })
      const first = yield* askedBy(basic("ann"))
      const second = yield* askedBy(basic("bob"))
      expect([second.status, second.text]).toEqual([200, first.text])
      for (const name of ["cache-control", "content-type", "etag"]) {
        expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)])
        expect(second.headers.get(name)).not.toBeNull()
      }
      const tag = { "if-none-match": second.headers.get("etag") ?? "" }
      expect((yield* askedBy({ ...basic("bob"), ...tag })).status).toBe(304)
      expect((yield* askedBy(basic("bob"), "HEAD")).status).toBe(200)
      for (const headers of [{}, tag]) expect((yield* askedBy(headers)).status).toBe(403)
      for (const headers of [basic("bob", "wrong"), { authorization: "token no" }]) {
        expect((yield* askedBy({ ...headers, ...tag })).status).toBe(401)
      }
    })
  )
})
