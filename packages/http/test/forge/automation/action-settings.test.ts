import { describe, expect, it } from "@effect/vitest"
import { actionSecrets } from "@slipway/domain/forge/automation"
import { ActionSecrets, ActionVariables } from "@slipway/forge/automation"
import { repositoryAt } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { basic, type Chosen, referenceUrl, type Service, start } from "../support/harness.ts"
import { stores } from "../support/stores.ts"

const ann = { headers: basic("ann") }
const bob = { headers: basic("bob") }
const missing = { message: "The target couldn't be found.", url: referenceUrl }

/** A site where Ann owns a repository and an organization with a repository. Bob can read both. */
const siteIn = Effect.fnUntraced(function* (store: Chosen["store"]) {
  const api: Service = yield* start(store === undefined ? {} : { store })
  for (const name of ["ann", "bob"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "site" } })
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "shop" } })
  yield* api.ask(201, "POST", "/orgs/shop/repos", { ...ann, body: { name: "till" } })
  return api
})

const places = {
  repository: "/repos/ann/site/actions",
  organization: "/orgs/shop/actions",
  user: "/user/actions"
} as const

const namesOf = (rows: ReadonlyArray<{ readonly name: string }>) => rows.map(({ name }) => name)

for (const [kind, store] of stores) {
  const site = siteIn(store)

  describe(`secrets of actions in ${kind}`, () => {
    it.live("are set, replaced and removed, and never returned", () =>
      Effect.gen(function* () {
        const api = yield* site
        for (const [place, at] of Object.entries(places)) {
          const path = `${at}/secrets/deploy_key`
          yield* api.ask(201, "PUT", path, { ...ann, body: { data: `hush of ${place}`, description: "for the till" } })
          yield* api.ask(204, "PUT", `${at}/secrets/Deploy_Key`, { ...ann, body: { data: `tell nobody of ${place}` } })
          if (place !== "user") {
            const { headers, json, text } = yield* api.send("GET", `${at}/secrets`, ann)
            expect(json).toEqual([{ name: "DEPLOY_KEY", description: "for the till", created_at: json[0].created_at }])
            expect([headers.get("x-total-count"), text.includes("hush"), text.includes("nobody")]).toEqual([
              "1",
              false,
              false
            ])
          }
          yield* api.ask(204, "DELETE", path, ann)
          expect(yield* api.ask(404, "DELETE", path, ann)).toEqual(missing)
        }
      })
    )

    it.live("are encrypted in the store, and a job gets the secrets of its repository and of the owner", () =>
      Effect.gen(function* () {
        const api = yield* site
        const set = (at: string, name: string, data: string) =>
          api.send("PUT", `${at}/secrets/${name}`, { ...ann, body: { data } })
        yield* set(places.user, "SHARED", "of Ann")
        yield* set(places.user, "MINE", "of Ann")
        yield* set(places.repository, "MINE", "of the site")
        yield* set(places.organization, "SHARED", "of the shop")
        const given = (path: string) =>
          api.within(Effect.orDie(Effect.flatMap(repositoryAt(path), ActionSecrets.ofJobs)))
        expect(yield* given("ann/site")).toEqual({ SHARED: "of Ann", MINE: "of the site" })
        expect(yield* given("shop/till")).toEqual({ SHARED: "of the shop" })
        const [row] = (yield* api.within(
          Effect.gen(function* () {
            const { id: repositoryId } = yield* Effect.orDie(repositoryAt("ann/site"))
            return yield* (yield* actionSecrets.store).list({ repositoryId }, { limit: 10 })
          })
        )).rows
        expect(row?.value.includes("of the site")).toBe(false)
        expect(Buffer.from(row?.value ?? "", "base64").includes("of the site")).toBe(false)
        // They are deleted with their repository.
        yield* api.ask(204, "DELETE", "/repos/ann/site", ann)
        const all = yield* api.within(
          Effect.gen(function* () {
            return yield* (yield* actionSecrets.store).list({ repositoryId: row?.repositoryId ?? null }, { limit: 10 })
          })
        )
        expect(all.rows).toEqual([])
      })
    )

    it.live("must have valid names, and are limited in size and number", () =>
      Effect.gen(function* () {
        const api = yield* site
        const set = (name: string, data: unknown) =>
          Effect.map(
            api.send("PUT", `${places.repository}/secrets/${name}`, { ...ann, body: { data } }),
            ({ json, status }) => [status, json?.message]
          )
        const wrongName = "[secretname]: may only contain letters, digits and `_`, and must not begin with a digit"
        for (const name of ["2ND", "A-B", "%C3%84", "A%20B", "a".repeat(256)]) {
          expect(yield* set(name, "x")).toEqual([422, wrongName])
        }
        for (const name of ["GITHUB_TOKEN", "gitea_x", "Forgejo_y", "SLIPWAY_z"]) {
          expect(yield* set(name, "x")).toEqual([
            422,
            "[secretname]: must not begin with GITHUB_, GITEA_, FORGEJO_ or SLIPWAY_"
          ])
        }
        expect(yield* set("EMPTY", "")).toEqual([422, "[data]: must not be empty"])
        expect((yield* set("NUL", "a\u0000b"))[0]).toBe(422)
        expect((yield* set("NONE", undefined))[0]).toBe(422)
        expect(yield* set("LARGE", "ü".repeat(32_769))).toEqual([422, "[data]: must have at most 65536 bytes"])
        expect(yield* set("LARGEST", "\n".repeat(65_536))).toEqual([201, undefined])
        expect((yield* set("HUGE", "x".repeat(600_000)))[0]).toBe(413)
        for (let at = 1; at < 100; at += 1) expect((yield* set(`N${at}`, "x"))[0]).toBe(201)
        expect(yield* set("ONE_MORE", "x")).toEqual([403, "at most 100 secrets are allowed here"])
        expect(yield* set("N1", "changed")).toEqual([204, undefined])
      })
    )

    it.live("are stored once when the same name is set concurrently", () =>
      Effect.gen(function* () {
        const api = yield* site
        const statuses = yield* Effect.forEach(
          [1, 2, 3, 4, 5],
          (at) =>
            Effect.map(
              api.send("PUT", `${places.repository}/secrets/ONCE`, { ...ann, body: { data: `value ${at}` } }),
              ({ status }) => status
            ),
          { concurrency: "unbounded" }
        )
        expect([...statuses].sort()).toEqual([201, 204, 204, 204, 204])
        expect(namesOf(yield* api.ask(200, "GET", `${places.repository}/secrets`, ann))).toEqual(["ONCE"])
      })
    )
  })

  describe(`variables of actions in ${kind}`, () => {
    it.live("are created, listed, read, changed, renamed and removed", () =>
      Effect.gen(function* () {
        const api = yield* site
        const { id: repoId } = yield* api.ask(200, "GET", "/repos/ann/site", ann)
        const { id: annId } = yield* api.ask(200, "GET", "/user", ann)
        const { id: shopId } = yield* api.ask(200, "GET", "/orgs/shop", ann)
        const owners = { repository: [0, repoId], organization: [shopId, 0], user: [annId, 0] } as const
        for (const [place, at] of Object.entries(places)) {
          const [owner_id, repo_id] = owners[place as keyof typeof owners]
          const variables = `${at}/variables`
          yield* api.ask(201, "POST", `${variables}/level`, { ...ann, body: { value: "1", description: "how much" } })
          const level = { owner_id, repo_id, name: "LEVEL", data: "1", description: "how much" }
          expect(yield* api.ask(200, "GET", `${variables}/Level`, ann)).toEqual(level)
          expect(yield* api.ask(409, "POST", `${variables}/LEVEL`, { ...ann, body: { value: "2" } })).toEqual({
            message: "the variable `LEVEL` already exists",
            url: referenceUrl
          })
          yield* api.ask(204, "PUT", `${variables}/level`, { ...ann, body: { value: "2", name: "" } })
          expect(yield* api.ask(200, "GET", variables, ann)).toEqual([{ ...level, data: "2" }])
          yield* api.ask(201, "POST", `${variables}/other`, { ...ann, body: { value: "o" } })
          yield* api.ask(409, "PUT", `${variables}/other`, { ...ann, body: { value: "o", name: "level" } })
          yield* api.ask(204, "PUT", `${variables}/other`, { ...ann, body: { value: "o", name: "another" } })
          const { headers, json } = yield* api.send("GET", `${variables}?limit=1`, ann)
          expect([namesOf(json), headers.get("x-total-count")]).toEqual([["ANOTHER"], "2"])
          yield* api.ask(404, "PUT", `${variables}/other`, { ...ann, body: { value: "o" } })
          yield* api.ask(204, "DELETE", `${variables}/another`, ann)
          expect(yield* api.ask(404, "DELETE", `${variables}/another`, ann)).toEqual(missing)
          expect(yield* api.ask(404, "GET", `${variables}/another`, ann)).toEqual(missing)
        }
        const given = (path: string) =>
          api.within(Effect.orDie(Effect.flatMap(repositoryAt(path), ActionVariables.ofJobs)))
        yield* api.ask(201, "POST", `${places.user}/variables/wide`, { ...ann, body: { value: "of Ann" } })
        yield* api.ask(204, "PUT", `${places.repository}/variables/level`, { ...ann, body: { value: "3" } })
        expect(yield* given("ann/site")).toEqual({ LEVEL: "3", WIDE: "of Ann" })
        expect(yield* given("shop/till")).toEqual({ LEVEL: "2" })
      })
    )

    it.live("must have valid names, and are limited in size and number", () =>
      Effect.gen(function* () {
        const api = yield* site
        const make = (name: string, value: unknown) =>
          Effect.map(
            api.send("POST", `${places.user}/variables/${name}`, { ...ann, body: { value } }),
            ({ json, status }) => [status, json?.message]
          )
        expect((yield* make("1", "x"))[0]).toBe(422)
        expect(yield* make("GITHUB_X", "x")).toEqual([
          422,
          "[variablename]: must not begin with GITHUB_, GITEA_, FORGEJO_ or SLIPWAY_"
        ])
        expect(yield* make("LARGE", "x".repeat(65_537))).toEqual([422, "[value]: must have at most 65536 bytes"])
        expect(yield* make("EMPTY", "")).toEqual([422, "[value]: must not be empty"])
        for (let at = 0; at < 100; at += 1) expect((yield* make(`N${at}`, "x"))[0]).toBe(201)
        expect(yield* make("ONE_MORE", "x")).toEqual([403, "at most 100 variables are allowed here"])
        expect((yield* make("N1", "x"))[0]).toBe(409)
        expect(
          (yield* api.send("PUT", `${places.user}/variables/N1`, { ...ann, body: { value: "y", name: "2" } })).status
        ).toBe(422)
      })
    )
  })

  describe(`secrets and variables in ${kind}`, () => {
    it.live("require ownership of the repository, organization or account, and are audited without their values", () =>
      Effect.gen(function* () {
        const api = yield* site
        for (const at of [places.repository, places.organization]) {
          for (const path of [`${at}/secrets`, `${at}/variables`]) {
            expect((yield* api.send("GET", path, bob)).status).toBe(403)
            expect((yield* api.send("GET", path)).status).toBe(401)
          }
          yield* api.ask(403, "PUT", `${at}/secrets/A`, { ...bob, body: { data: "x" } })
          yield* api.ask(403, "POST", `${at}/variables/A`, { ...bob, body: { value: "x" } })
        }
        // Another user's variable does not appear among the caller's.
        yield* api.ask(201, "POST", `${places.user}/variables/A`, { ...ann, body: { value: "x" } })
        expect(yield* api.ask(404, "GET", `${places.user}/variables/A`, bob)).toEqual(missing)

        yield* api.ask(201, "PUT", `${places.repository}/secrets/key`, { ...ann, body: { data: "hush-hush" } })
        yield* api.ask(201, "POST", `${places.repository}/variables/size`, { ...ann, body: { value: "plain-value" } })
        yield* api.ask(204, "PUT", `${places.repository}/variables/size`, {
          ...ann,
          body: { value: "plain-value", name: "width" }
        })
        yield* api.user("root", { admin: true })
        const { json, text } = yield* api.send("GET", "/admin/audit", { headers: basic("root") })
        const told = json
          .filter(
            ({ action, outcome }: Record<string, string>) =>
              outcome === "done" && action?.startsWith("repository.actions.") === true
          )
          .map(({ action, details }: { action: string; details: object }) => [action, details])
        expect(told).toEqual([
          ["repository.actions.variable.set", { variable: "WIDTH", was: "SIZE" }],
          ["repository.actions.variable.create", { variable: "SIZE" }],
          ["repository.actions.secret.set", { secret: "KEY" }]
        ])
        expect([text.includes("hush-hush"), text.includes("plain-value")]).toEqual([false, false])
      })
    )
  })
}
