import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { delayedBody } from "../../delayedBody.ts"
import { basic, bearer, type Service, start } from "../support/harness.ts"

const text = "what a repository is too small for"
const oid = createHash("sha256").update(text).digest("hex")
const object = { oid, size: text.length }
const lfs = "/ann/one.git/info/lfs"
const ann = { headers: basic("ann") }

/** Requests with a body that LFS clients send: path, body, and status for an authorized caller. */
const sent = [
  ["POST", "objects/batch", JSON.stringify({ operation: "upload", objects: [object] }), 200],
  ["PUT", `objects/${oid}`, text, 200],
  ["POST", "verify", JSON.stringify(object), 200],
  ["POST", "locks", JSON.stringify({ path: "a.bin" }), 201],
  ["POST", "locks/verify", "{}", 200],
  ["POST", "locks/1/unlock", "{}", 200]
] as const

const site = Effect.gen(function* () {
  const api: Service = yield* start()
  for (const name of ["ann", "bob"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "one", private: true } })
  return api
})

describe("git LFS", () => {
  it.live("I7: stores and returns nothing if the caller loses access while sending", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const [method, path, body, status] of sent) {
        yield* api.ask(204, "PUT", "/repos/ann/one/collaborators/bob", { ...ann, body: { permission: "write" } })
        const held = delayedBody(body)
        const headers = bearer(yield* api.mint("bob", ["all"]))
        const asked = yield* Effect.forkChild(api.fetch(method, `${lfs}/${path}`, { headers, raw: held.stream }))
        yield* held.isRead
        yield* api.ask(204, "DELETE", "/repos/ann/one/collaborators/bob", ann)
        held.release()
        const { text: said, status: refused } = yield* Fiber.join(asked)
        expect([path, refused, said]).toEqual([
          path,
          404,
          "the repository does not exist, or you have no access to it\n"
        ])
        // Nothing was stored: an authorized caller can repeat the request.
        expect([path, (yield* api.fetch(method, `${lfs}/${path}`, { ...ann, raw: body })).status]).toEqual([
          path,
          status
        ])
      }
    })
  )

  it.live("I25: limits bodies before they are parsed, and rejects names that can't be stored", () =>
    Effect.gen(function* () {
      const api = yield* site
      const post = (path: string, raw: string) =>
        Effect.map(api.fetch("POST", `${lfs}/${path}`, { ...ann, raw }), ({ status }) => status)
      for (const path of ["objects/batch", "verify", "locks", "locks/verify", "locks/1/unlock"]) {
        for (const raw of ["[".repeat(500_000), `[${"0,".repeat(30_000)}0]`, "{", "", "null", "\u0000"]) {
          expect([path, raw.slice(0, 2), yield* post(path, raw)]).toEqual([path, raw.slice(0, 2), 422])
        }
        expect(yield* post(path, " ".repeat(1024 * 1024 + 1))).toBe(413)
      }
      for (const path of ["", "a\0b", "\ud800", "/a", "a".repeat(5_000)]) {
        expect([path.slice(0, 9), yield* post("locks", JSON.stringify({ path }))]).toEqual([path.slice(0, 9), 422])
        const query = `path=${encodeURIComponent(path.toWellFormed())}`
        expect((yield* api.fetch("GET", `${lfs}/locks?${query}`, ann)).json).toEqual({ locks: [] })
      }
      for (const query of ["id=0", "id=x", `id=${"9".repeat(16)}`, "id=%00"]) {
        expect((yield* api.fetch("GET", `${lfs}/locks?${query}`, ann)).json).toEqual({ locks: [] })
      }
      for (const cursor of ["0", "x", "\0", "9".repeat(30)]) {
        const { status } = yield* api.fetch("GET", `${lfs}/locks?cursor=${encodeURIComponent(cursor)}`, ann)
        expect([cursor, status < 500]).toEqual([cursor, true])
      }
    })
  )

  it.live("I6: finds a lock only in its own repository (CVE-2026-20897)", () =>
    Effect.gen(function* () {
      const api = yield* site
      const bob = { headers: basic("bob") }
      yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "two" } })
      const { json } = yield* api.fetch("POST", `${lfs}/locks`, { ...ann, body: { path: "a.bin" } })
      const unlock = (id: string) =>
        Effect.map(
          api.fetch("POST", `/bob/two.git/info/lfs/locks/${id}/unlock`, { ...bob, body: { force: true } }),
          ({ status, text }) => [status, text]
        )
      expect(yield* unlock(json.lock.id)).toEqual(yield* unlock("404404"))
      expect((yield* unlock(json.lock.id))[0]).toBe(404)
      expect((yield* api.fetch("GET", `${lfs}/locks`, ann)).json.locks).toEqual([json.lock])
    })
  )
})
