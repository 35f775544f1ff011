import { expect, layer } from "@effect/vitest"
import { Mailer } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import { Jobs } from "@slipway/forge/background"
import { layerNotificationMail } from "@slipway/forge/collaboration"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { statementTracer } from "@slipway/sql/testing"
import { Context, Effect, Layer, Tracer } from "effect"
import { basic, bearer, codeOf, enrol, rootUrl, type Service, start, step } from "../support/harness.ts"

const { statements, tracer } = statementTracer()

const store = Layer.provide(layerStores, Layer.orDie(Database.layerInMemory({ schema: "forge", migrations })))

class Api extends Context.Service<Api, Service>()("test/forge/sql/Api") {
  static readonly layer = Layer.effect(Api, start({ store, tracer: Layer.succeed(Tracer.Tracer, tracer) }))
}

layer(Api.layer, { excludeTestServices: true })("on the embedded database", (it) => {
  it.effect("an authenticated read sends at most 3 statements, for one row and for fifty", () =>
    Effect.gen(function* () {
      const api = yield* Api
      yield* api.user("ann", { admin: true })
      yield* api.user("bob")
      const token = yield* api.mint("ann", ["all"])
      const owner = { headers: basic("ann") }
      const found = (username: string) => api.ask(201, "POST", "/orgs", { ...owner, body: { username } })
      const label = (name: string) =>
        api.ask(201, "POST", "/orgs/acme/labels", { ...owner, body: { name, color: "fff" } })
      yield* found("acme")
      yield* label("first")
      // The first use of a token, and a first sign-in, are recorded.
      yield* api.ask(200, "GET", "/user", { headers: bearer(token) })
      yield* api.ask(200, "GET", "/user", { headers: basic("ann") })
      const reads = [
        "/version",
        "/user",
        "/user/settings",
        "/user/emails",
        "/user/followers",
        "/user/following",
        "/user/blocks",
        "/token",
        "/users/bob",
        "/users/bob/followers",
        "/users/bob/following",
        "/users/search",
        "/users/search?q=user",
        "/admin/users",
        "/admin/emails",
        "/admin/emails/search?q=user",
        "/admin/orgs",
        "/admin/users/ann/orgs",
        "/orgs",
        "/user/orgs",
        "/users/ann/orgs",
        "/users/ann/orgs/acme/permissions",
        "/orgs/acme",
        "/orgs/acme/members",
        "/orgs/acme/public_members",
        "/orgs/acme/labels",
        "/orgs/acme/labels/1",
        "/orgs/acme/blocks"
      ]
      const measure = Effect.forEach(reads, (path) =>
        Effect.gen(function* () {
          const before = statements.length
          yield* api.ask(200, "GET", `${path}${path.includes("?") ? "&" : "?"}limit=50`, { headers: bearer(token) })
          return [path, statements.length - before] as const
        })
      )
      const few = yield* measure
      for (const [path, sent] of few) {
        expect(sent, path).toBeGreaterThan(0)
        expect(sent, path).toBeLessThanOrEqual(3)
      }
      const withPassword = statements.length
      yield* api.ask(200, "GET", "/users/bob", { headers: basic("ann") })
      expect(statements.length - withPassword).toBeLessThanOrEqual(3)
      for (let at = 0; at < 50; at++) {
        yield* api.user(`user${at}`)
        yield* found(`organization${at}`)
        yield* label(`label ${at}`)
        yield* api.ask(204, "PUT", `/orgs/acme/blocks/user${at}`, owner)
        yield* api.ask(204, "PUT", "/user/following/bob", { headers: basic(`user${at}`) })
        yield* api.ask(204, "PUT", "/user/following/ann", { headers: basic(`user${at}`) })
      }
      expect(yield* measure).toEqual(few)
    })
  )

  it.effect("accounts are created, found, renamed, followed, protected by a second factor and deleted", () =>
    Effect.gen(function* () {
      const api = yield* Api
      yield* api.user("Ada", { admin: true })
      yield* api.user("ben")
      const headers = basic("ADA")
      yield* api.ask(422, "POST", "/admin/users", { headers, body: { username: "BEN", email: "x@example.com" } })
      yield* api.ask(422, "POST", "/admin/users", { headers, body: { username: "xen", email: "BEN@example.com" } })
      const found = yield* api.send("GET", "/users/search?q=be&limit=1", { headers })
      expect([found.json.data[0].login, found.headers.get("x-total-count")]).toEqual(["ben", "1"])
      yield* api.ask(204, "PUT", "/user/following/ben", { headers })
      expect((yield* api.ask(200, "GET", "/users/ben", { headers })).followers_count).toBe(1)
      yield* api.ask(204, "POST", "/admin/users/ben/rename", { headers, body: { new_username: "benno" } })
      yield* api.ask(307, "GET", "/users/BEN", { headers })
      const { secret } = yield* enrol(api, "benno")
      yield* api.ask(401, "GET", "/user", { headers: basic("benno") })
      const made = yield* api.send("POST", "/users/benno/tokens", {
        headers: { ...basic("benno"), "x-svc-otp": codeOf(secret, step()) },
        body: { name: "ci", scopes: ["read:user"] }
      })
      expect(made.status).toBe(201)
      yield* api.ask(200, "GET", "/user", { headers: bearer(made.json.sha1) })
      yield* api.ask(204, "DELETE", "/admin/users/benno", { headers })
      yield* api.ask(401, "GET", "/user", { headers: bearer(made.json.sha1) })
      expect((yield* api.ask(200, "GET", "/user", { headers })).following_count).toBe(0)
    })
  )

  it.effect("lists of issues send at most 6 statements, for one row and for fifty", () =>
    Effect.gen(function* () {
      const api = yield* Api
      yield* api.user("ina")
      const owner = { headers: bearer(yield* api.mint("ina", ["all"])) }
      yield* api.ask(201, "POST", "/user/repos", { ...owner, body: { name: "list" } })
      const at = "/repos/ina/list"
      yield* api.ask(201, "POST", `${at}/labels`, { ...owner, body: { name: "bug", color: "fff" } })
      const open = (title: string) =>
        api.ask(201, "POST", `${at}/issues`, { ...owner, body: { title, assignees: ["ina"] } })
      const sent = (path: string) =>
        Effect.gen(function* () {
          const before = statements.length
          const rows = yield* api.ask(200, "GET", path, owner)
          return { statements: statements.length - before, rows: rows.length }
        })
      const lists = [
        `${at}/issues?q=door&labels=-bug&limit=50`,
        "/repos/issues/search?q=door&limit=50",
        `${at}/issues/1/timeline?limit=50`
      ]
      yield* open("The door")
      const few = yield* Effect.forEach(lists, sent)
      yield* Effect.forEach(
        Array.from({ length: 49 }, (_, n) => n),
        (n) => open(`Another door ${n}, see #1`)
      )
      const many = yield* Effect.forEach(lists, sent)
      expect(few.map(({ rows }) => rows)).toEqual([1, 1, 1])
      expect(many.map(({ rows }) => rows)).toEqual([50, 50, 50])
      for (const { statements: count } of [...few, ...many]) expect(count).toBeLessThanOrEqual(6)
      // A timeline with only assignments reads no other issues.
      expect(many.slice(0, 2).map((each) => each.statements)).toEqual(few.slice(0, 2).map((each) => each.statements))
    })
  )
  it.effect("emails to fifty users need as many statements as emails to two, and each sent email is recorded", () =>
    Effect.gen(function* () {
      const api = yield* Api
      yield* api.user("leo")
      const leo = { headers: basic("leo") }
      yield* api.ask(201, "POST", "/user/repos", { ...leo, body: { name: "news" } })
      const taken: Array<string> = []
      const mailer = Layer.succeed(Mailer, { send: ({ to }) => Effect.sync(() => void taken.push(to.name)) })
      const watch = Effect.fnUntraced(function* (from: number, to: number) {
        for (let at = from; at < to; at++) {
          yield* api.user(`reader${at}`)
          yield* api.ask(200, "PUT", "/repos/leo/news/subscription", { headers: basic(`reader${at}`) })
        }
      })
      /** Creates an issue, and returns the numbers of emails and of statements, without those that record emails. */
      const told = Effect.gen(function* () {
        yield* api.ask(201, "POST", "/repos/leo/news/issues", {
          ...leo,
          body: { title: "The door", body: "@reader0" }
        })
        const before = statements.length
        const site = SiteSettings.layer({ rootUrl })
        const news = Layer.provideMerge(layerNotificationMail, Layer.merge(mailer, site))
        yield* api.within(Effect.withTracer(Effect.provide(Jobs.runDue, news), tracer))
        const sent = statements.slice(before)
        const notes = sent.filter((each) => /UPDATE job SET work/.test(each)).length
        return { letters: taken.splice(0).length, notes, others: sent.length - notes }
      })
      yield* api.within(Jobs.runDue)
      yield* watch(0, 2)
      const few = yield* told
      // One more record counts the notified users.
      expect(few).toEqual({ letters: 2, notes: 3, others: few.others })
      yield* watch(2, 50)
      expect(yield* told).toEqual({ letters: 50, notes: 51, others: few.others })
    })
  )
})
