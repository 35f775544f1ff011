import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, bearer, rootUrl, start } from "../support/harness.ts"

// Created with ssh-keygen, which also prints the fingerprints.
const one = {
  key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXMZpvS33YRhNIoHGN+RJVpl8VNJRe/5Y4lfhHhpqiD",
  fingerprint: "SHA256:J9pevDv6Ty8N23srChdIayyBzPiisHlRBcXsECZ0Hss"
}
const two = {
  key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBV6oh/76RG77qu0z6QlAYXJTQ5LNRs6sLobrnB1gnsv",
  fingerprint: "SHA256:wWT+6WBDJOsqjc7qK6z5thzFvAUux4eGFBOUQumiXoI"
}
const weak =
  "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDCu8uP8y7jgEbtikhjZIQRiAWxoOo5IqwdfKJWHU6h3wMhJfErEhrXQuJTTofKxpaHL4F21TDDI6MRl4AhI62ujoD6AKk2HZP+75z3gzJcT7ZQzXezPDzVuoiMD0etQdUEGqyGolgeQkT/M98Z5lgbsup6SAQmoThzafGSi1qglQ=="

const ids = (rows: ReadonlyArray<{ readonly id: number }>) => rows.map(({ id }) => id)

describe("SSH keys", () => {
  it.live("are added, listed, read and deleted by users and by administrators", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.user("bob")
      yield* api.user("root", { admin: true })
      const headers = basic("ann")
      const made = yield* api.ask(201, "POST", "/user/keys", {
        headers,
        body: { title: "", key: `${one.key} ann@laptop`, read_only: true }
      })
      expect(made).toMatchObject({
        key: `${one.key} ann@laptop`,
        url: `${rootUrl}/api/v1/user/keys/${made.id}`,
        title: "ann@laptop",
        fingerprint: one.fingerprint,
        last_used_at: "0001-01-01T00:00:00Z",
        user: { login: "ann", email: "ann@example.com" },
        read_only: false,
        key_type: "user"
      })
      expect(yield* api.ask(200, "GET", `/user/keys/${made.id}`, { headers })).toEqual(made)
      const second = yield* api.ask(201, "POST", "/admin/users/ann/keys", {
        headers: basic("root"),
        body: { title: "second", key: two.key }
      })
      expect(second).toMatchObject({ title: "second", user: { login: "ann" } })
      expect(ids(yield* api.ask(200, "GET", "/user/keys", { headers }))).toEqual([made.id, second.id])
      const asked = `?fingerprint=${encodeURIComponent(two.fingerprint)}`
      expect(ids(yield* api.ask(200, "GET", `/user/keys${asked}`, { headers }))).toEqual([second.id])
      // Administrators of a key see it as sent. Others don't see its comment, which may be an email address.
      for (const who of ["bob", "ann"]) {
        const [shown] = yield* api.ask(200, "GET", "/users/ann/keys", { headers: basic(who) })
        expect(shown.key).toBe(one.key)
      }
      const kept = yield* api.ask(200, "GET", `/user/keys/${made.id}`, { headers: basic("root") })
      expect([kept.key, kept.user.login]).toEqual([`${one.key} ann@laptop`, "ann"])
      yield* api.ask(404, "GET", `/user/keys/${made.id}`, {
        headers: bearer(yield* api.mint("root", ["read:user"]))
      })
      const seen = yield* api.ask(200, "GET", `/users/ann/keys${asked}`, { headers: basic("bob") })
      expect(seen).toMatchObject([{ id: second.id, user: { login: "ann" } }])
      expect(yield* api.ask(200, "GET", `/users/bob/keys${asked}`, { headers: basic("bob") })).toEqual([])
      // Another user's key is missing.
      for (const method of ["GET", "DELETE"]) {
        yield* api.ask(404, method, `/user/keys/${made.id}`, { headers: basic("bob") })
      }
      yield* api.ask(404, "DELETE", `/admin/users/bob/keys/${made.id}`, { headers: basic("root") })
      yield* api.ask(204, "DELETE", `/admin/users/ann/keys/${made.id}`, { headers: basic("root") })
      yield* api.ask(204, "DELETE", `/user/keys/${second.id}`, { headers })
      expect(yield* api.ask(200, "GET", "/user/keys", { headers })).toEqual([])
    })
  )

  it.live("are rejected with a reason if they are weak, private, taken or malformed", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.user("bob")
      yield* api.ask(201, "POST", "/user/keys", { headers: basic("bob"), body: { title: "bob's", key: one.key } })
      const refusal = (key: string) =>
        Effect.map(
          api.ask(422, "POST", "/user/keys", { headers: basic("ann"), body: { title: "x", key } }),
          ({ message }) => message
        )
      expect(yield* refusal(one.key)).toBe("[key]: is already in use: a key belongs to one account or one repository")
      expect(yield* refusal(weak)).toBe(
        "[key]: RSA keys need 2048 bits or more: create one with `ssh-keygen -t ed25519`."
      )
      expect(yield* refusal("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----")).toBe(
        "[key]: This is a private key: create a new one, keep it secret, and send the public key from the .pub file."
      )
      const none = "[key]: Must be one public SSH key on one line, such as the file ~/.ssh/id_ed25519.pub."
      for (const key of ["", "x", `${two.key}\n${one.key}`, "ssh-ed25519 AAAA", `command="sh" ${two.key}`]) {
        expect(yield* refusal(key)).toBe(none)
      }
      expect(yield* api.ask(200, "GET", "/user/keys", { headers: basic("ann") })).toEqual([])
    })
  )

  it.live("I5: cannot be added with a token without write access to code", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      const body = { title: "x", key: one.key }
      const narrow = yield* api.mint("ann", ["write:user"])
      const refused = yield* api.ask(403, "POST", "/user/keys", { headers: bearer(narrow), body })
      expect(refused.message).toBe("a token cannot grant more than its own scope")
      const wide = yield* api.mint("ann", ["write:user", "write:repository"])
      yield* api.ask(201, "POST", "/user/keys", { headers: bearer(wide), body })
    })
  )

  it.live("give access to one repository only if they are deploy keys", () =>
    Effect.gen(function* () {
      const api = yield* start()
      yield* api.user("ann")
      yield* api.user("bob")
      const headers = basic("ann")
      for (const name of ["app", "other"]) yield* api.ask(201, "POST", "/user/repos", { headers, body: { name } })
      const made = yield* api.ask(201, "POST", "/repos/ann/app/keys", {
        headers,
        body: { title: "ci", key: ` ${one.key} \t of  the job \n`, read_only: true }
      })
      expect(made).toMatchObject({
        key_id: made.id,
        key: `${one.key} of  the job`,
        url: `${rootUrl}/api/v1/repos/ann/app/keys/${made.id}`,
        title: "ci",
        fingerprint: one.fingerprint,
        read_only: true,
        repository: { full_name: "ann/app" }
      })
      expect(yield* api.ask(200, "GET", `/repos/ann/app/keys/${made.id}`, { headers })).toEqual(made)
      const writing = yield* api.ask(201, "POST", "/repos/ann/app/keys", {
        headers,
        body: { title: "w", key: two.key }
      })
      expect(writing.read_only).toBe(false)
      const list = (query: string) => Effect.map(api.ask(200, "GET", `/repos/ann/app/keys${query}`, { headers }), ids)
      expect(yield* list("")).toEqual([made.id, writing.id])
      expect(yield* list(`?key_id=${writing.id}`)).toEqual([writing.id])
      expect(yield* list(`?fingerprint=${encodeURIComponent(one.fingerprint)}`)).toEqual([made.id])
      expect(yield* list(`?key_id=${writing.id}&fingerprint=${encodeURIComponent(one.fingerprint)}`)).toEqual([])
      yield* api.ask(422, "POST", "/user/keys", { headers, body: { title: "x", key: `${one.key} of another` } })
      for (const method of ["GET", "DELETE"]) {
        yield* api.ask(404, method, `/repos/ann/other/keys/${made.id}`, { headers })
      }
      yield* api.ask(403, "GET", "/repos/ann/app/keys", { headers: basic("bob") })
      yield* api.ask(204, "DELETE", `/repos/ann/app/keys/${made.id}`, { headers })
      expect(yield* list("")).toEqual([writing.id])
    })
  )
})
