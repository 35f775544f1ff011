import { describe, expect, it } from "@effect/vitest"
import { anonymous } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitTransport, viewerOn } from "@slipway/domain/forge/code"
import { NotificationStore } from "@slipway/domain/forge/collaboration"
import { EventStore } from "@slipway/domain/forge/events"
import { type JobLevel, UserStore } from "@slipway/domain/forge/identity"
import { Jobs } from "@slipway/forge/background"
import { JobTokens } from "@slipway/forge/identity"
import { Effect, Layer, Stream } from "effect"
import { endpoints, pathOf } from "../support/endpoints.ts"
import { basic, bearer, type Chosen, type Service, start } from "../support/harness.ts"
import { stores } from "../support/stores.ts"

/** A git service that serves every request: authorization happens before it. */
const serves = Layer.succeed(GitTransport, {
  serve: () =>
    Effect.succeed({ output: Stream.make(Buffer.from("served")), said: Stream.empty, exitCode: Effect.succeed(0) })
})

const ann = { headers: basic("ann") }
const write = 2
const read = 1

const jobOf = (api: Service, jobId: number, id: unknown, level: JobLevel) =>
  api.within(JobTokens.mint({ jobId, repositoryId: id as RepositoryId, level })).pipe(Effect.orDie)

/** Starts the service with a private repository with jobs, and other repositories, some of them public. */
const site = Effect.fnUntraced(function* (store: Chosen["store"]) {
  const api: Service = yield* start({ clients: serves, ...(store === undefined ? {} : { store }) })
  for (const name of ["ann", "boss"]) yield* api.user(name, { admin: name === "boss" })
  const made = (name: string, more: object) =>
    api.ask(201, "POST", "/user/repos", { ...ann, body: { name, auto_init: true, ...more } })
  const { id } = yield* made("app", { private: true })
  yield* made("open", {})
  yield* made("closed", { private: true })
  return {
    api,
    id,
    writing: yield* jobOf(api, 1, id, write),
    reading: yield* jobOf(api, 2, id, read)
  }
})

const lfs = (operation: string) => ({
  headers: { "content-type": "application/vnd.git-lfs+json" },
  body: { operation, objects: [{ oid: "a".repeat(64), size: 3 }] }
})

/** All ways to read the code of a repository, and all ways to change it. */
const waysOf = (name: string) => ({
  read: [
    ["GET", `/ann/${name}.git/info/refs?service=git-upload-pack`, {}],
    ["POST", `/ann/${name}.git/info/lfs/objects/batch`, lfs("download")],
    ["GET", `/api/v1/repos/ann/${name}`, {}],
    ["GET", `/api/v1/repos/ann/${name}/raw/README.md`, {}],
    ["GET", `/api/v1/repos/ann/${name}/archive/main.zip`, {}],
    ["GET", `/api/v1/repos/ann/${name}/issues`, {}]
  ] as const,
  write: [
    ["GET", `/ann/${name}.git/info/refs?service=git-receive-pack`, {}],
    ["POST", `/ann/${name}.git/info/lfs/objects/batch`, lfs("upload")],
    ["POST", `/api/v1/repos/ann/${name}/contents/new.txt`, { body: { content: "", message: "Add", branch: "main" } }],
    ["POST", `/api/v1/repos/ann/${name}/issues`, { body: { title: "seen" } }]
  ] as const
})

for (const [kind, store] of stores) {
  describe(`tokens of jobs in ${kind}`, () => {
    it.live(
      "I2, I3: have the job's level for git, LFS, raw files, archives and the API, in the job's repository only",
      () =>
        Effect.gen(function* () {
          const { api, reading, writing } = yield* site(store)
          const places = (token: string) => [
            bearer(token),
            basic("x-access-token", token),
            basic(token, "x-oauth-basic")
          ]
          const statusesOf = Effect.fnUntraced(function* (
            name: string,
            what: "read" | "write",
            token: string,
            place: number
          ) {
            const statuses: Array<number> = []
            for (const [method, path, sent] of waysOf(name)[what]) {
              const headers = { ...("headers" in sent ? sent.headers : {}), ...places(token)[place] }
              statuses.push((yield* api.fetch(method, path, { ...sent, headers })).status)
            }
            return statuses
          })
          for (const place of [0, 1, 2]) {
            for (const token of [writing, reading]) {
              expect(yield* statusesOf("app", "read", token, place)).toEqual([200, 200, 200, 200, 200, 200])
              // In other repositories it reads what any signed-in user can read.
              expect(yield* statusesOf("open", "read", token, place)).toEqual([200, 200, 200, 200, 200, 200])
              for (const name of ["closed", "none"]) {
                expect([name, yield* statusesOf(name, "read", token, place)]).toEqual([
                  name,
                  [404, 404, 404, 404, 404, 404]
                ])
              }
            }
            expect(yield* statusesOf("app", "write", reading, place)).toEqual([403, 403, 403, 403])
            expect(yield* statusesOf("open", "write", writing, place)).toEqual([403, 403, 403, 403])
            for (const name of ["closed", "none"]) {
              expect([name, yield* statusesOf(name, "write", writing, place)]).toEqual([name, [404, 404, 404, 404]])
            }
          }
          expect(yield* statusesOf("app", "write", writing, 0)).toEqual([200, 200, 201, 201])
          const { permissions } = yield* api.ask(200, "GET", "/repos/ann/app", { headers: bearer(writing) })
          expect(permissions).toMatchObject({ admin: false, push: true, pull: true })
          const seen = yield* api.ask(200, "GET", "/repos/ann/app/issues", ann)
          expect(seen.map(({ title, user }: Record<string, { login: string }>) => [title, user?.login])).toEqual([
            ["seen", "slipway-actions"]
          ])
          const [commit] = yield* api.ask(200, "GET", "/repos/ann/app/commits", ann)
          expect([commit.commit.author.name, commit.commit.author.email]).toEqual([
            "slipway-actions",
            "slipway-actions@noreply.forge.test"
          ])
          // It reads public packages, and publishes none.
          yield* api.fetch("PUT", "/api/packages/ann/generic/tool/1.0/tool.zip", { ...ann, raw: "first" })
          const tool = "/api/packages/ann/generic/tool/1.0"
          const job = { headers: bearer(writing) }
          expect((yield* api.fetch("GET", `${tool}/tool.zip`, job)).text).toBe("first")
          expect((yield* api.fetch("PUT", `${tool}/other.zip`, { ...job, raw: "x" })).status).toBe(403)
        })
    )

    it.live(
      "I7: are rejected with 401 everywhere after they expire, and find only repositories that the job can read",
      () =>
        Effect.gen(function* () {
          const { api, id, reading, writing } = yield* site(store)
          const found = yield* api.ask(200, "GET", "/repos/search", { headers: bearer(reading) })
          expect(found.data.map(({ name }: { name: string }) => name)).toEqual(["app", "open"])
          const token = yield* api.ask(200, "GET", "/token", { headers: bearer(writing) })
          expect([token.name, token.scopes]).toEqual([
            "job 1",
            ["read:organization", "read:package", "read:user", "write:issue", "write:repository"]
          ])
          yield* api.within(JobTokens.revoke([1])).pipe(Effect.orDie)
          for (const what of ["read", "write"] as const) {
            for (const [method, path, sent] of waysOf("app")[what]) {
              const headers = { ...("headers" in sent ? sent.headers : {}), ...bearer(writing) }
              expect([path, (yield* api.fetch(method, path, { ...sent, headers })).status]).toEqual([path, 401])
            }
          }
          const again = yield* jobOf(api, 1, id, write)
          yield* api.ask(204, "DELETE", "/token", { headers: bearer(again) })
          yield* api.ask(401, "GET", "/token", { headers: bearer(again) })
          yield* api.ask(204, "DELETE", "/repos/ann/app", ann)
          yield* api.ask(401, "GET", "/token", { headers: bearer(reading) })
        })
    )

    it.live("I20: a job's approval does not count, and its account gets no notifications", () =>
      Effect.gen(function* () {
        const { api, writing } = yield* site(store)
        const job = { headers: bearer(writing) }
        const app = "/repos/ann/app"
        yield* api.ask(201, "POST", `${app}/branch_protections`, {
          ...ann,
          body: { rule_name: "main", required_approvals: 1 }
        })
        const file = { content: "", message: "Add", branch: "main", new_branch: "topic" }
        yield* api.ask(201, "POST", `${app}/contents/topic.txt`, { ...job, body: file })
        yield* api.ask(403, "POST", `${app}/contents/main.txt`, { ...job, body: { ...file, new_branch: "main" } })
        yield* api.ask(201, "POST", `${app}/pulls`, { ...ann, body: { title: "A", head: "topic", base: "main" } })
        const review = yield* api.ask(200, "POST", `${app}/pulls/1/reviews`, { ...job, body: { event: "APPROVED" } })
        expect([review.user.login, review.official]).toEqual(["slipway-actions", false])
        const pull = yield* api.ask(200, "GET", `${app}/pulls/1`, ann)
        expect([pull.mergeable, pull.blocked_by]).toEqual([false, ["approvals"]])
        yield* api.ask(405, "POST", `${app}/pulls/1/merge`, { ...job, body: { Do: "merge" } })
        yield* api.ask(201, "POST", `${app}/issues/1/comments`, { ...job, body: { body: "built" } })
        yield* api.ask(201, "POST", `${app}/issues/1/comments`, { ...ann, body: { body: "thanks, @slipway-actions" } })
        yield* api.within(Jobs.runDue)
        const told = yield* api.within(
          Effect.gen(function* () {
            const account = yield* (yield* UserStore).system
            if (account === undefined) return yield* Effect.die(new Error("no job has run"))
            const viewer = yield* viewerOn({
              facts: { ...anonymous, signedIn: true, siteAdmin: true },
              userId: account.id
            })
            return (yield* (yield* NotificationStore).list(viewer, {}, { page: 1, perPage: 10 })).rows
          })
        )
        expect(told).toEqual([])
        const [news] = yield* api.ask(200, "GET", "/notifications", ann)
        expect(news.subject.title).toBe("A")
      })
    )

    it.live("I21: a job's push closes only issues of the job's repository, if its token allows it", () =>
      Effect.gen(function* () {
        const { api, writing } = yield* site(store)
        for (const name of ["app", "open", "closed"]) {
          yield* api.ask(201, "POST", `/repos/ann/${name}/issues`, { ...ann, body: { title: name } })
        }
        yield* api.ask(201, "POST", "/repos/ann/app/contents/new.txt", {
          headers: bearer(writing),
          body: { content: "", branch: "main", message: "Mend it\n\nCloses #1, ann/open#1 and ann/closed#1" }
        })
        yield* api.within(Jobs.runDue)
        const told = (name: string) =>
          Effect.gen(function* () {
            const { state } = yield* api.ask(200, "GET", `/repos/ann/${name}/issues/1`, ann)
            const timeline = yield* api.ask(200, "GET", `/repos/ann/${name}/issues/1/timeline`, ann)
            return [state, timeline.map(({ type, user }: Record<string, { login: string }>) => [type, user?.login])]
          })
        expect(yield* told("app")).toEqual([
          "closed",
          [
            ["commit_ref", "slipway-actions"],
            ["close", "slipway-actions"]
          ]
        ])
        for (const name of ["open", "closed"]) expect([name, ...(yield* told(name))]).toEqual([name, "open", []])
      })
    )

    it.live("I21: a job reads public repositories, users and organizations, and can't change them", () =>
      Effect.gen(function* () {
        const { api, writing, reading } = yield* site(store)
        const job = { headers: bearer(writing) }
        for (const name of ["app", "open"]) {
          yield* api.ask(201, "POST", `/repos/ann/${name}/issues`, { ...ann, body: { title: name } })
        }
        yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
        for (const headers of [bearer(writing), bearer(reading)]) {
          expect((yield* api.ask(200, "GET", "/user", { headers })).login).toBe("slipway-actions")
          for (const path of ["/users/ann", "/orgs/acme", "/orgs/acme/repos", "/repos/ann/open/branches"]) {
            yield* api.ask(200, "GET", path, { headers })
          }
        }
        const other = { message: "the token of a job can only change its repository" }
        const open = "/repos/ann/open"
        for (const [method, path, body] of [
          ["POST", `${open}/issues`, { title: "seen" }],
          ["POST", `${open}/issues/1/comments`, { body: "seen" }],
          ["PATCH", `${open}/issues/1`, { title: "seen" }],
          ["POST", `${open}/issues/1/reactions`, { content: "+1" }],
          ["POST", `${open}/statuses/${"1".repeat(40)}`, { state: "success" }],
          ["PUT", `${open}/topics/x`, undefined]
        ] as const) {
          expect([path, yield* api.ask(403, method, path, { ...job, body })]).toMatchObject([path, other])
        }
        // Neither by a reference nor by a dependency.
        const comment = { body: "like ann/open#1" }
        yield* api.ask(201, "POST", "/repos/ann/app/issues/1/comments", { ...job, body: comment })
        const named = { owner: "ann", repo: "open", index: 1 }
        yield* api.ask(404, "POST", "/repos/ann/app/issues/1/dependencies", { ...job, body: named })
        yield* api.ask(403, "POST", "/repos/ann/app/issues/1/blocks", { ...job, body: named })
        yield* api.within(Jobs.runDue)
        expect(yield* api.ask(200, "GET", `${open}/issues/1/timeline`, ann)).toEqual([])
      })
    )

    it.live(
      "I5: a job can use routes of accounts, organizations and the site only to read what any user can read",
      () =>
        Effect.gen(function* () {
          const { api, writing } = yield* site(store)
          const headers = bearer(writing)
          yield* api.ask(201, "POST", "/user/repos", { headers: basic("boss"), body: { name: "own" } })
          yield* api.ask(201, "POST", "/repos/boss/own/issues", { headers: basic("boss"), body: { title: "one" } })
          yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
          yield* api.ask(201, "POST", "/repos/ann/app/issues", { ...ann, body: { title: "one" } })
          const parts = {
            username: "ann",
            reponame: "app",
            org: "acme",
            index: "1",
            user: "slipway-actions",
            target: "ann",
            id: "1"
          }
          const open = new Set(["issue", "package", "repository"])
          const ofPeople = endpoints.filter(
            ({ row }) => row.scope.some((each) => !open.has(each)) || row.asks.includes("person" as never)
          )
          expect(ofPeople.length).toBeGreaterThan(180)
          yield* api.user("carl")
          const reader = ["read:user", "read:organization", "read:repository", "read:issue", "read:package"] as const
          const carl = { headers: bearer(yield* api.mint("carl", reader)) }
          let shown = 0
          for (const endpoint of ofPeople) {
            const { method, row } = endpoint
            const path = pathOf(endpoint, parts)
            const sent = { headers, ...(endpoint.hasBody ? { body: {} } : {}) }
            const { status } = yield* api.send(method, path, sent)
            if (row.access === "read" && !row.asks.includes("person" as never)) {
              shown += status === 200 ? 1 : 0
              expect(`${method} ${path} ${status}`).toBe(
                `${method} ${path} ${(yield* api.send(method, path, carl)).status}`
              )
            } else expect([403, 404], `${method} ${path} answered ${status}`).toContain(status)
          }
          expect(shown).toBeGreaterThan(10)
          for (const [path, body] of [
            ["/repos/ann/app/forks", {}],
            ["/repos/migrate", { clone_addr: "https://elsewhere.example/a.git", repo_name: "a" }],
            ["/repos/ann/app/issues/1/times", { time: 60 }],
            ["/repos/ann/app/issues/1/stopwatch/start", {}]
          ] as const) {
            const { json, status } = yield* api.send("POST", path, { headers, body })
            expect([path, status, json.message]).toEqual([path, 403, "this is for users, not for jobs"])
          }
          const { rows } = yield* api.within(
            Effect.flatMap(EventStore, (store) => store.audit({}, { page: 1, perPage: 1_000 }))
          )
          const done = rows.filter(({ actor, outcome }) => actor?.name === "slipway-actions" && outcome === "done")
          expect(done).toEqual([])
          expect(rows.find(({ actor }) => actor?.name === "slipway-actions")?.signedInWith).toMatchObject({
            name: "job 1"
          })
          // The account is listed nowhere except next to its actions.
          const boss = { headers: basic("boss") }
          for (const path of ["/users/search", "/admin/users"]) {
            const { json } = yield* api.send("GET", path, boss)
            const names = (json.data ?? json).map(({ login }: { login: string }) => login)
            expect([path, names]).toEqual([path, ["ann", "boss", "carl"]])
          }
          yield* api.ask(404, "GET", "/users/slipway-actions", boss)
          yield* api.ask(404, "PATCH", "/admin/users/slipway-actions", { ...boss, body: { prohibit_login: false } })
          yield* api.ask(404, "DELETE", "/admin/users/slipway-actions", boss)
          yield* api.ask(404, "POST", "/admin/users/slipway-actions/keys", { ...boss, body: { title: "k", key: "x" } })
          yield* api.ask(404, "POST", "/users/slipway-actions/tokens", {
            ...boss,
            body: { name: "t", scopes: ["all"] }
          })
          yield* api.ask(404, "GET", "/user?sudo=slipway-actions", boss)
          yield* api.ask(404, "PUT", "/repos/ann/app/collaborators/slipway-actions", ann)
          for (const [method, path, body] of [
            ["POST", "/admin/users/slipway-actions/orgs", { username: "its" }],
            ["POST", "/admin/users/slipway-actions/repos", { name: "its" }],
            ["POST", "/admin/users/slipway-actions/rename", { new_username: "other" }],
            ["POST", "/admin/users/slipway-actions/badges", { badge_slugs: [] }],
            ["PUT", "/teams/1/members/slipway-actions", undefined],
            ["PUT", "/user/following/slipway-actions", undefined],
            ["PUT", "/user/blocks/slipway-actions", undefined],
            ["POST", "/repos/boss/own/transfer", { new_owner: "slipway-actions" }],
            ["PUT", "/repos/boss/own/collaborators/slipway-actions", undefined],
            ["POST", "/repos/boss/own/issues/1/assignees", { assignees: ["slipway-actions"] }],
            ["POST", "/admin/unadopted/slipway-actions/found", undefined]
          ] as const) {
            const { status } = yield* api.send(method, path, { ...boss, ...(body === undefined ? {} : { body }) })
            expect([path, status]).toEqual([path, path.endsWith("/assignees") ? 422 : 404])
          }
          // A job's token is not accepted as a session of the pages.
          const cookie = (token: string) => ({ headers: { cookie: `__Host-slipway_session=${token}` } })
          const page = (sent: object) => Effect.map(api.fetch("GET", "/login/device", sent), ({ status }) => status)
          expect(yield* page(cookie(yield* api.mintOf("session", "ann", ["all"])))).toBe(200)
          for (const sent of [{}, cookie(writing)]) expect(yield* page(sent)).toBe(303)
          const taken = yield* api.send("POST", "/admin/users", {
            ...boss,
            body: { username: "Slipway-Actions", email: "a@example.com", password: "correct horse battery" }
          })
          expect(taken.status).toBe(422)
        })
    )
  })
}
