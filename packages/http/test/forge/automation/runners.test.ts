import { describe, expect, it } from "@effect/vitest"
import { runners } from "@slipway/domain/forge/automation"
import { runnerCleanup } from "@slipway/forge/automation"
import { Effect } from "effect"
import { basic, type Chosen, referenceUrl, type Service, start } from "../support/harness.ts"
import { call, registered, service } from "../support/runner.ts"
import { stores } from "../support/stores.ts"

const ann = { headers: basic("ann") }
const bob = { headers: basic("bob") }
const root = { headers: basic("root") }
const missing = { message: "The target couldn't be found.", url: referenceUrl }

const siteIn = Effect.fnUntraced(function* (store: Chosen["store"]) {
  const api: Service = yield* start(store === undefined ? {} : { store })
  for (const name of ["ann", "bob"]) yield* api.user(name)
  yield* api.user("root", { admin: true })
  yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "site" } })
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "shop" } })
  return api
})

/** The four scopes, with their owners. */
const places = [
  ["/repos/ann/site/actions", ann],
  ["/orgs/shop/actions", ann],
  ["/user/actions", ann],
  ["/admin/actions", root]
] as const

const tokenOf = (api: Service, at: string = places[0][0], as: typeof ann = ann) =>
  Effect.map(api.ask(200, "POST", `${at}/runners/registration-token`, as), ({ token }): string => token)

const nobody = ["unauthenticated", "unknown runner uuid or token"]

for (const [kind, store] of stores) {
  const site = siteIn(store)

  describe(`runners in ${kind}`, () => {
    it.live("register in each scope, and are listed, read, disabled and removed only there (I6)", () =>
      Effect.gen(function* () {
        const api = yield* site
        const made: Array<number> = []
        for (const [at, as] of places) {
          const token = yield* tokenOf(api, at, as)
          expect(token).toMatch(/^[A-Za-z0-9]{40}$/)
          expect(yield* api.ask(200, "GET", `${at}/runners`, as)).toEqual({ runners: [], total_count: 0 })
          const { id } = yield* registered(api, token, ["ubuntu-latest:docker://node:24", "linux"])
          made.push(id)
          const runner = {
            id,
            name: "box",
            status: "online",
            busy: false,
            disabled: false,
            ephemeral: false,
            labels: [
              { id: 0, name: "ubuntu-latest", type: "custom" },
              { id: 1, name: "linux", type: "custom" }
            ]
          }
          expect(yield* api.ask(200, "GET", `${at}/runners`, as)).toEqual({ runners: [runner], total_count: 1 })
          expect(yield* api.ask(200, "GET", `${at}/runners/${id}`, as)).toEqual(runner)
          const disabled = { ...runner, disabled: true }
          expect(yield* api.ask(200, "PATCH", `${at}/runners/${id}`, { ...as, body: { disabled: true } })).toEqual(
            disabled
          )
          expect(yield* api.ask(200, "GET", `${at}/runners/${id}`, as)).toEqual(disabled)
        }
        for (const [at, as] of places) {
          for (const id of made.filter((_, other) => places[other]?.[0] !== at)) {
            expect(yield* api.ask(404, "GET", `${at}/runners/${id}`, as)).toEqual(missing)
            yield* api.ask(404, "PATCH", `${at}/runners/${id}`, { ...as, body: { disabled: false } })
            yield* api.ask(404, "DELETE", `${at}/runners/${id}`, as)
          }
        }
        for (const [place, [at, as]] of places.entries()) {
          yield* api.ask(204, "DELETE", `${at}/runners/${made[place]}`, as)
          yield* api.ask(404, "GET", `${at}/runners/${made[place]}`, as)
        }
      })
    )

    it.live("require permission to administer their scope", () =>
      Effect.gen(function* () {
        const api = yield* site
        for (const [at] of places) {
          if (at === "/user/actions") continue
          for (const [method, path] of [
            ["GET", "/runners"],
            ["POST", "/runners/registration-token"]
          ] as const) {
            expect((yield* api.send(method, `${at}${path}`, bob)).status).toBe(403)
            expect((yield* api.send(method, `${at}${path}`)).status).toBe(401)
          }
        }
      })
    )

    it.live("register only with the current token of a scope, which is stored hashed", () =>
      Effect.gen(function* () {
        const api = yield* site
        const [first, second] = [yield* tokenOf(api), yield* tokenOf(api)]
        const register = (token: string) => call(api, "Register", { name: "box", token, labels: [], version: "" })
        const refusal = ["unauthenticated", "the registration token is not valid"]
        for (const token of [first, "", "x", "a".repeat(40), `${second}0`]) {
          const { failure, status } = yield* register(token)
          expect([status, failure]).toEqual([401, refusal])
        }
        // A new token of one scope does not revoke that of another.
        yield* tokenOf(api, ...places[1])
        const { uuid, token } = yield* registered(api, second)
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(token).toMatch(/^[A-Za-z0-9]{40}$/)
        expect(token).not.toBe(second)
        const kept = JSON.stringify(
          yield* api.within(Effect.flatMap(runners.store, (each) => each.list({}, { limit: 10 })))
        )
        expect([kept.includes(uuid), kept.includes(token), kept.includes("tokenHash")]).toEqual([true, false, false])
      })
    )

    it.live("authenticate with UUID and token, and update their capabilities", () =>
      Effect.gen(function* () {
        const api = yield* site
        const box = yield* registered(api, yield* tokenOf(api))
        const other = yield* registered(api, yield* tokenOf(api))
        for (const type of ["binary", "json"] as const) {
          const declared = yield* call(api, "Declare", { version: `v2 ${type}`, labels: ["mac", type] }, box, type)
          expect(declared.message.runner).toMatchObject({
            id: BigInt(box.id),
            uuid: box.uuid,
            token: "",
            name: "box",
            status: 1,
            version: `v2 ${type}`,
            labels: ["mac", type],
            ephemeral: false
          })
          const { labels } = yield* api.ask(200, "GET", `${places[0][0]}/runners/${box.id}`, ann)
          expect(labels.map(({ name }: { name: string }) => name)).toEqual(["mac", type])
        }
        const wrong = [
          { uuid: box.uuid, token: other.token },
          { uuid: box.uuid, token: "" },
          { uuid: box.uuid.toUpperCase(), token: box.token },
          { uuid: "x", token: "y" },
          { uuid: "'; --", token: box.token }
        ]
        for (const name of ["Declare", "FetchTask", "UpdateTask", "UpdateLog"] as const) {
          for (const credentials of wrong) {
            const { failure, status } = yield* call(api, name, {}, credentials)
            expect([status, failure]).toEqual([401, nobody])
          }
        }
        yield* api.ask(204, "DELETE", `${places[0][0]}/runners/${box.id}`, ann)
        expect((yield* call(api, "Declare", {}, box)).failure).toEqual(nobody)
        yield* api.ask(204, "DELETE", "/repos/ann/site", ann)
        expect((yield* call(api, "Declare", {}, other)).failure).toEqual(nobody)
      })
    )

    it.live("are rejected with invalid names, versions and labels, and are limited in number", () =>
      Effect.gen(function* () {
        const api = yield* site
        const token = yield* tokenOf(api, ...places[3])
        const register = (said: object) =>
          Effect.map(call(api, "Register", { name: "box", token, ...said }), ({ failure, status }) => [
            status,
            ...failure
          ])
        const line = "must have at most 255 characters on one line"
        expect(yield* register({ name: "" })).toEqual([400, "invalid_argument", `name is missing, or ${line}`])
        for (const name of ["a".repeat(256), "a\u0000b", "a\nb"]) {
          expect((yield* register({ name })).slice(0, 2)).toEqual([400, "invalid_argument"])
        }
        expect(yield* register({ version: "v".repeat(256) })).toEqual([400, "invalid_argument", `version ${line}`])
        expect(yield* register({ labels: ["ok", ""] })).toEqual([400, "invalid_argument", `labels ${line}`])
        expect(yield* register({ labels: Array.from({ length: 101 }, (_, at) => `l${at}`) })).toEqual([
          400,
          "invalid_argument",
          "labels must be at most 100"
        ])
        // Older runners send their labels in another field.
        const { message } = yield* call(api, "Register", { name: "old", token, agentLabels: ["linux"] })
        expect(message.runner.labels).toEqual(["linux"])
        for (let at = 1; at < 100; at += 1) expect(yield* register({})).toEqual([200, "", ""])
        expect(yield* register({})).toEqual([400, "failed_precondition", "at most 100 runners are allowed here"])
        const { headers, json } = yield* api.send("GET", "/admin/actions/runners?limit=30&page=2", root)
        expect([json.runners.length, json.total_count, headers.get("x-total-count")]).toEqual([30, 100, "100"])
      })
    )

    it.live(
      "are audited in their scope when they register or are removed, with the token's creator and the address",
      () =>
        Effect.gen(function* () {
          const api = yield* site
          const subjects = ["repository ann/site", "organization shop", "user ann", "site "]
          for (const [place, [at, as]] of places.entries()) {
            const { id } = yield* registered(api, yield* tokenOf(api, at, as))
            const [event] = yield* api.ask(200, "GET", "/admin/audit?action=runner.register", root)
            expect({ ...event, id: 0, created: "" }).toEqual({
              id: 0,
              created: "",
              action: "runner.register",
              outcome: "done",
              refused_by: null,
              actor: { id: event.actor.id, login: as === root ? "root" : "ann" },
              signed_in_as: null,
              credential: "nothing",
              token: null,
              address: expect.stringMatching(/^2001:db8:/),
              subject: event.subject,
              details: { runner: id, name: "box", reach: subjects[place]?.split(" ")[0], ephemeral: false }
            })
            expect(`${event.subject.kind} ${event.subject.name}`).toBe(subjects[place])
          }
          const own = yield* api.ask(200, "GET", "/orgs/shop/audit?action=runner.register", ann)
          expect(own.map(({ details }: { details: { reach: string } }) => details.reach)).toEqual(["organization"])
          // A rejected token registers nothing and is not audited.
          yield* call(api, "Register", { name: "box", token: "a".repeat(40), labels: [], version: "" })
          expect((yield* api.ask(200, "GET", "/admin/audit?action=runner.register", root)).length).toBe(4)

          const lost = yield* registered(api, yield* tokenOf(api, ...places[1]), ["linux"], true)
          yield* api.within(
            Effect.gen(function* () {
              const store = yield* runners.store
              yield* Effect.orDie(store.patch({}, lost.id, { lastOnlineAt: "2026-01-01T00:00:00.000Z" }))
              yield* runnerCleanup.run
            })
          )
          const action = "organization.actions.runner.delete"
          const [gone] = yield* api.ask(200, "GET", `/orgs/shop/audit?action=${action}`, ann)
          expect([gone.action, gone.actor, gone.credential, gone.subject.name, gone.details]).toEqual([
            action,
            null,
            "system",
            "shop",
            { runner: lost.id, name: "box", because: "it was offline for a day" }
          ])
          yield* api.ask(401, "GET", "/orgs/shop/audit")
        })
    )

    it.live("are audited when they are disabled, and their tokens appear nowhere", () =>
      Effect.gen(function* () {
        const api = yield* site
        const token = yield* tokenOf(api)
        const { id, token: secret } = yield* registered(api, token)
        yield* api.ask(200, "PATCH", `${places[0][0]}/runners/${id}`, { ...ann, body: { disabled: true } })
        yield* api.ask(204, "DELETE", `${places[0][0]}/runners/${id}`, ann)
        const { json, text } = yield* api.send("GET", "/admin/audit", root)
        const told = json
          .filter(({ action }: { action: string }) => action.startsWith("repository.actions."))
          .map(({ action, details }: { action: string; details: object }) => [action, details])
        expect(told).toEqual([
          ["repository.actions.runner.delete", { runner: id, name: "box" }],
          ["repository.actions.runner.edit", { runner: id, name: "box", disabled: true }],
          ["repository.actions.runner.registration-token.create", {}]
        ])
        expect([text.includes(token), text.includes(secret)]).toEqual([false, false])
      })
    )
  })
}

describe("the protocol of runners", () => {
  const post = (api: Service, name: string, raw: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    api.fetch("POST", name.startsWith("/") ? name : `${service}/${name}`, {
      raw,
      headers: { "content-type": "application/proto", ...headers }
    })

  it.live("encodes and decodes the bytes of the protobuf format", () =>
    Effect.gen(function* () {
      const api = yield* siteIn(undefined)
      const ping = yield* post(
        api,
        "/api/actions/ping.v1.PingService/Ping",
        Uint8Array.from([0x0a, 0x03, 0x62, 0x6f, 0x78])
      )
      expect([ping.status, ping.headers.get("content-type")]).toEqual([200, "application/proto"])
      expect([...ping.bytes]).toEqual([0x0a, 0x0b, ...Buffer.from("Hello, box!")])
      const token = yield* tokenOf(api)
      const text = (field: number, value: string) => [field * 8 + 2, value.length, ...Buffer.from(value)]
      // Name, token, two labels in the current format, capabilities, and an unknown field.
      const bytes = [
        ...text(1, "box"),
        ...text(2, token),
        ...text(5, "v9"),
        ...text(6, "linux"),
        ...text(6, "mac"),
        0x38,
        0x01,
        ...text(8, "cancelling"),
        ...text(15, "new")
      ]
      const made = yield* post(api, "Register", Uint8Array.from(bytes))
      expect(made.status).toBe(200)
      const [{ id }] = (yield* api.ask(200, "GET", `${places[0][0]}/runners`, ann)).runners
      expect(made.bytes[0]).toBe(0x0a)
      const inner = [...made.bytes.subarray(2)]
      expect(inner.slice(0, 4)).toEqual([0x08, id, 0x12, 36])
      expect(inner.slice(40, 42)).toEqual([0x1a, 40])
      expect(inner.slice(82)).toEqual([
        ...text(4, "box"),
        0x28,
        0x01,
        ...text(6, "linux"),
        ...text(6, "mac"),
        ...text(8, "v9"),
        ...text(9, "linux"),
        ...text(9, "mac"),
        0x50,
        0x01
      ])
    })
  )

  it.live("encodes and decodes the JSON format", () =>
    Effect.gen(function* () {
      const api = yield* siteIn(undefined)
      const json = { "content-type": "application/json; charset=utf-8" }
      const ping = yield* post(api, "/api/actions/ping.v1.PingService/Ping", `{"data":"box"}`, json)
      expect([ping.status, ping.headers.get("content-type"), ping.json]).toEqual([
        200,
        "application/json",
        { data: "Hello, box!" }
      ])
      const token = yield* tokenOf(api)
      const made = yield* post(
        api,
        "Register",
        JSON.stringify({ name: "box", token, labels: ["linux"], later: [1] }),
        json
      )
      const [{ id }] = (yield* api.ask(200, "GET", `${places[0][0]}/runners`, ann)).runners
      const { runner } = made.json
      expect(made.json).toEqual({
        runner: {
          id: String(id),
          uuid: runner.uuid,
          token: runner.token,
          name: "box",
          status: "RUNNER_STATUS_IDLE",
          agentLabels: ["linux"],
          labels: ["linux"]
        }
      })
    })
  )

  it.live("rejects malformed messages, and limits their size", () =>
    Effect.gen(function* () {
      const api = yield* siteIn(undefined)
      const box = yield* registered(api, yield* tokenOf(api))
      const signedIn = { "x-runner-uuid": box.uuid, "x-runner-token": box.token }
      const refused = (raw: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, name = "Declare") =>
        Effect.map(post(api, name, raw, { ...signedIn, ...headers }), ({ json, status }) => [
          status,
          json?.code,
          json?.message
        ])
      const none = [400, "invalid_argument", "the body is not a valid DeclareRequest"]
      expect(yield* refused(Uint8Array.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]))).toEqual(none)
      expect(yield* refused(Uint8Array.from([0x0a, 0x05, 0x61]))).toEqual(none)
      expect(yield* refused(Uint8Array.from([0x0b, 0x0b, 0x0b]))).toEqual(none)
      const json = { "content-type": "application/json" }
      expect(yield* refused(`{"labels":"linux"}`, json)).toEqual(none)
      expect(yield* refused("[]", json)).toEqual(none)
      expect((yield* refused(`{"labels":`, json)).slice(0, 2)).toEqual([400, "invalid_argument"])
      expect((yield* refused("[".repeat(50_000), json)).slice(0, 2)).toEqual([400, "invalid_argument"])
      const other = yield* post(api, "Declare", "", { ...signedIn, "content-type": "application/grpc" })
      expect([other.status, other.headers.get("accept-post")]).toEqual([415, "application/proto, application/json"])
      expect(yield* refused("", { "content-encoding": "gzip" })).toEqual([
        501,
        "unimplemented",
        "messages must not be compressed"
      ])
      const large = new Uint8Array(1024 * 1024 + 1)
      expect(yield* refused(large)).toEqual([429, "resource_exhausted", "the body has more than 1048576 bytes"])
      expect((yield* refused(large, {}, "UpdateLog"))[0]).toBe(400)
      expect((yield* refused(new Uint8Array(4 * 1024 * 1024 + 1), {}, "UpdateLog"))[1]).toBe("resource_exhausted")
      // The size limit of unauthenticated requests is small.
      const stranger = { "x-runner-token": "a".repeat(40), "content-length": "1000000" }
      expect((yield* refused(large.subarray(0, 1_000_000), stranger, "UpdateLog"))[1]).toBe("unauthenticated")
      expect((yield* refused(new Uint8Array(70_000), {}, "Register"))[1]).toBe("resource_exhausted")
      expect((yield* api.fetch("GET", `${service}/Declare`)).status).toBe(404)
      expect((yield* post(api, "Other", "")).status).toBe(404)
    })
  )
})
