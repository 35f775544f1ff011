import { describe, expect, it } from "@effect/vitest"
import { SignInStore } from "@slipway/domain/forge/identity"
import { parseWorld } from "@slipway/testkit/forge"
import { Effect } from "effect"
import { Sse } from "effect/encoding"
import { basic, bearer, codeOf, enrol, type Sent, start, step } from "../support/harness.ts"
import { plant } from "../support/world.ts"

const world = parseWorld(`
  user ann admin
  user olga
  user bob
  user cy
  user dee
  user out
  organization acme
  repository acme/site
  repository acme/vault private
  team acme/Owners: olga
  team acme/builders code=write issues=read on vault: bob
  team acme/readers code=read on site: dee
`)

const olga = { headers: basic("olga") }

const begin = Effect.gen(function* () {
  const api = yield* start()
  yield* plant(api, world)
  yield* api.ask(204, "PUT", "/repos/acme/vault/collaborators/cy", { ...olga, body: { permission: "read" } })
  return api
})

interface Shown {
  readonly user?: { readonly login: string }
  readonly audience?: string
  readonly allowed: boolean
  readonly status: number
  readonly rules: ReadonlyArray<string>
}

const nameOf = ({ audience, user }: Shown) => user?.login ?? audience ?? ""

const answers = (rows: ReadonlyArray<Shown>) =>
  Object.fromEntries(rows.map((row) => [nameOf(row), row.allowed || row.status]))

describe("GET /access/subjects", () => {
  it.live("lists who may perform an action on a repository, as explanations about each user decide", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const about = (action: string, resource = "repo:acme/vault") => `action=${action}&resource=${resource}`
      const subjects = (action: string) =>
        api.ask(200, "GET", `/access/subjects?${about(action)}`, olga) as Effect.Effect<ReadonlyArray<Shown>>
      const reading = yield* subjects("repository.read")
      expect(answers(reading)).toEqual({
        anonymous: 404,
        "signed-in": 404,
        bob: true,
        cy: true,
        dee: 404,
        olga: true
      })
      expect(answers(yield* subjects("git.push"))).toMatchObject({ bob: true, cy: 403, olga: true })
      expect(reading.find(({ user }) => user?.login === "bob")).toEqual({
        user: { id: expect.any(Number), login: "bob", full_name: "" },
        allowed: true,
        status: 200,
        rules: expect.arrayContaining(["repository.team"])
      })
      for (const action of ["repository.read", "repository.edit", "git.push", "issue.create", "repository.delete"]) {
        for (const row of yield* subjects(action)) {
          if (row.user === undefined && row.audience !== "anonymous") continue
          const user = row.user === undefined ? "" : `&user=${row.user.login}`
          const one = yield* api.ask(200, "GET", `/access/explain?${about(action)}${user}`, olga)
          expect([row.allowed, row.status, row.rules], `${action} ${nameOf(row)}`).toEqual([
            one.allowed,
            one.status,
            one.rules
          ])
        }
      }
    })
  )

  it.live("has pages of users, and decides about issues", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const first = yield* api.send(
        "GET",
        "/access/subjects?action=repository.read&resource=repo:acme/vault&limit=2",
        olga
      )
      expect(first.headers.get("x-total-count")).toBe("4")
      expect((first.json as ReadonlyArray<Shown>).map(nameOf)).toEqual(["anonymous", "signed-in", "bob", "cy"])
      const path = "/access/subjects?action=repository.read&resource=repo:acme/vault&limit=2&page=2"
      expect(((yield* api.ask(200, "GET", path, olga)) as ReadonlyArray<Shown>).map(nameOf)).toEqual(["dee", "olga"])
      const issue = yield* api.ask(201, "POST", "/repos/acme/site/issues", {
        headers: basic("dee"),
        body: { title: "One" }
      })
      const editing = `/access/subjects?action=issue.edit&resource=issue:acme/site%23${issue.number}`
      expect(answers(yield* api.ask(200, "GET", editing, olga))).toMatchObject({
        anonymous: expect.any(Number),
        dee: true,
        olga: true
      })
      const creating = "/access/subjects?action=issue.create&resource=repo:acme/site"
      expect(answers(yield* api.ask(200, "GET", creating, olga))).toMatchObject({ dee: true, "signed-in": true })
    })
  )

  it.live("rejects callers who do not manage the repository like a missing one, and names wrong fields", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const of = (resource: string, action = "repository.read") => `?action=${action}&resource=${resource}`
      for (const path of ["/access/subjects", "/access/subjects/stream"]) {
        yield* api.ask(401, "GET", `${path}${of("repo:acme/vault")}`)
        for (const name of ["bob", "out"]) {
          const hidden = yield* api.ask(404, "GET", `${path}${of("repo:acme/vault")}`, { headers: basic(name) })
          expect(hidden).toEqual(
            yield* api.ask(404, "GET", `${path}${of("repo:acme/nothing")}`, { headers: basic(name) })
          )
        }
        const token = yield* api.mint("olga", ["read:repository"])
        yield* api.ask(403, "GET", `${path}${of("repo:acme/vault")}`, { headers: bearer(token) })
        const wrong = (query: string) =>
          Effect.map(api.ask(422, "GET", `${path}${query}`, olga), ({ message }) => message)
        expect(yield* wrong(of("repo:acme/vault", "repository.fly"))).toContain("action")
        expect(yield* wrong(of("repo:acme/vault", "issue.edit"))).toContain("is about another resource type: issue")
        expect(yield* wrong(of("org:acme", "organization.read"))).toContain("must be a repository")
        expect(yield* wrong(of("repo:acme/vault/bob"))).toContain("must not name a user")
      }
    })
  )
})

describe("GET /access/subjects/stream", () => {
  const listen = Effect.fnUntraced(function* (api: Effect.Success<typeof begin>, query: string, sent: Sent = olga) {
    const response = yield* api.open("GET", `/api/v1/access/subjects/stream?${query}`, sent)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"])
    const reader = response.body?.getReader()
    if (reader === undefined) return yield* Effect.die("the response has no body")
    yield* Effect.addFinalizer(() => Effect.promise(() => reader.cancel().catch(() => {})))
    const heard: Array<{ readonly event: string; readonly of: unknown }> = []
    const parser = Sse.makeParser((event) => {
      if (event._tag !== "Event") return
      const { reason, subjects } = JSON.parse(event.data)
      heard.push({ event: event.event, of: reason ?? answers(subjects) })
    })
    const decoder = new TextDecoder()
    const more = async () => {
      const { done, value } = await reader.read()
      if (value !== undefined) parser.feed(decoder.decode(value, { stream: true }))
      return !done
    }
    const until = (holds: () => boolean) =>
      Effect.promise(async () => {
        while (!holds() && (await more()));
      }).pipe(Effect.timeout("30 seconds"), Effect.orDie)
    return { heard, until, leave: Effect.promise(() => reader.cancel()) }
  })

  it.live("sends all decisions, then each change, until the repository is deleted", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const { heard, until } = yield* listen(api, "action=repository.read&resource=repo:acme/vault")
      yield* until(() => heard.length === 1)
      yield* api.ask(204, "PUT", "/repos/acme/vault/collaborators/out", { ...olga, body: { permission: "read" } })
      yield* until(() => heard.length === 2)
      yield* api.ask(204, "DELETE", "/repos/acme/vault/collaborators/cy", olga)
      yield* until(() => heard.length === 3)
      yield* api.ask(200, "PATCH", "/repos/acme/vault", { ...olga, body: { private: false } })
      yield* until(() => heard.length === 4)
      // No decision about reading changes.
      yield* api.ask(204, "PUT", "/repos/acme/vault/collaborators/out", { ...olga, body: { permission: "write" } })
      yield* api.ask(204, "DELETE", "/repos/acme/vault", olga)
      yield* until(() => false)
      expect(heard).toEqual([
        {
          event: "decisions",
          of: { anonymous: 404, "signed-in": 404, bob: true, cy: true, dee: 404, olga: true }
        },
        { event: "changes", of: { out: true } },
        { event: "changes", of: { cy: 404 } },
        { event: "changes", of: { anonymous: true, "signed-in": true, dee: true } },
        { event: "end", of: "the resource was deleted, or is no longer yours to manage" }
      ])
    }).pipe(Effect.scoped)
  )

  it.live("counts a block by the owner", () =>
    Effect.gen(function* () {
      const api = yield* begin
      yield* api.ask(204, "PUT", "/repos/acme/site/collaborators/cy", { ...olga, body: { permission: "read" } })
      const { heard, until } = yield* listen(api, "action=issue.create&resource=repo:acme/site")
      yield* until(() => heard.length === 1)
      expect(heard[0]?.of).toMatchObject({ cy: true, "signed-in": true })
      yield* api.ask(204, "PUT", "/orgs/acme/blocks/cy", olga)
      yield* until(() => heard.length === 2)
      expect(heard[1]).toEqual({ event: "changes", of: { cy: 403 } })
    }).pipe(Effect.scoped)
  )

  it.live("ends when the caller no longer manages the repository", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const { heard, until } = yield* listen(api, "action=repository.read&resource=repo:acme/vault")
      yield* until(() => heard.length === 1)
      const ann = { headers: basic("ann") }
      const [team] = (yield* api.ask(200, "GET", "/orgs/acme/teams", ann)).filter(
        ({ name }: { readonly name: string }) => name === "Owners"
      )
      yield* api.ask(204, "PUT", `/teams/${team.id}/members/ann`, ann)
      yield* api.ask(204, "DELETE", `/teams/${team.id}/members/olga`, ann)
      yield* until(() => false)
      expect(heard.at(-1)).toEqual({
        event: "end",
        of: "the resource was deleted, or is no longer yours to manage"
      })
    }).pipe(Effect.scoped)
  )

  it.live("does not verify a one-time code again: the stream stays open, and no failed sign-in is counted", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const { secret } = yield* enrol(api, "olga")
      const headers = { ...basic("olga"), "X-Gitea-OTP": codeOf(secret, step()) }
      const { heard, until } = yield* listen(api, "action=repository.read&resource=repo:acme/vault", { headers })
      yield* until(() => heard.length === 1)
      const body = { permission: "read" }
      yield* api.ask(204, "PUT", "/repos/acme/vault/collaborators/out", { headers: basic("ann"), body })
      yield* until(() => heard.length === 2)
      yield* api.ask(204, "DELETE", "/repos/acme/vault/collaborators/out", { headers: basic("ann") })
      yield* until(() => heard.length === 3)
      expect(heard.slice(1)).toEqual([
        { event: "changes", of: { out: true } },
        { event: "changes", of: { out: 404 } }
      ])
      expect(yield* api.within(Effect.flatMap(SignInStore, (store) => store.failures(["account:olga"])))).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("allows 20 open streams of a user; those of others are independent", () =>
    Effect.gen(function* () {
      const api = yield* begin
      const query = "action=repository.read&resource=repo:acme/vault"
      const path = `/access/subjects/stream?${query}`
      const [first, ...others] = yield* Effect.forEach(Array.from({ length: 20 }), () => listen(api, query))
      expect(others.length).toBe(19)
      expect((yield* api.ask(503, "GET", path, olga)).message).toBe("you have 20 such streams open: close one")
      yield* listen(api, query, { headers: basic("ann") })
      yield* first?.leave ?? Effect.void
      yield* listen(api, query)
    }).pipe(Effect.scoped)
  )
})
