import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { branchRef, GitRepositories, type ObjectId, RepositoryStore } from "@slipway/domain/forge/code"
import { GitRemotes, mirrors, type Remote, RemoteFailed } from "@slipway/domain/forge/integrations"
import { Leases, mirrorKind } from "@slipway/forge/integrations"
import { gitRepositories } from "@slipway/memory/forge"
import { Clock, Effect, Layer, Redacted } from "effect"
import { type Service, start } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"
const [[, inMemory]] = kindsOfGit
const fixture = Effect.gen(function* () {
  const api = yield* withPeople(inMemory)
  const id = yield* makeRepository(api, "app")
  return { api, id }
})
const mirror = (more: object = {}) => ({
  ...ann,
  body: {
    remote_address: "https://git.example/ann/copy.git",
    remote_username: "ann",
    remote_password: "s3cret!",
    ...more
  }
})

/** Runs due jobs with another host that answers as the test says. */
const runDue = (api: Service, remotes: Partial<typeof GitRemotes.Service>) =>
  api.within(
    Effect.flatMap(GitRemotes, (none) =>
      Effect.provideService(Leases.runDue(mirrorKind), GitRemotes, { ...none, ...remotes })
    )
  )

/** Makes a repository a mirror of another host's. */
const follow = (api: Service, id: RepositoryId) =>
  api
    .within(
      Effect.gen(function* () {
        const repositories = yield* RepositoryStore
        const repository = yield* repositories.find(id)
        if (repository !== undefined) yield* repositories.replace({ ...repository, mirror: true })
        yield* (yield* mirrors.store).insert({
          repositoryId: id,
          direction: "pull",
          name: "origin",
          url: "https://git.example/up.git",
          username: "",
          uuid: "u",
          password: null,
          interval: 600,
          onCommit: false,
          oneTime: false,
          wiki: false,
          createdAt: "2026-01-01T00:00:00.000Z",
          syncedAt: null,
          lastError: "",
          dueAt: null,
          running: false,
          asked: 0
        })
      })
    )
    .pipe(Effect.orDie)

describe("mirrors", () => {
  it.live("are not claimed by a worker before the git repository exists, and are copied right after that", () =>
    Effect.gen(function* () {
      const taken: Array<number> = []
      let worker: Effect.Effect<number> = Effect.succeed(-1)
      // A worker polls between the transaction and the creation of the git repository.
      const slow = Layer.effect(
        GitRepositories,
        Effect.map(GitRepositories, (git) => ({
          ...git,
          create: (...made: Parameters<typeof git.create>) =>
            Effect.flatMap(worker, (count) => {
              taken.push(count)
              return git.create(...made)
            })
        }))
      ).pipe(Layer.provide(gitRepositories))
      const remotes = { fetch: () => Effect.succeed({ head: undefined, refs: new Map() }) }
      const outside = Layer.effect(
        GitRemotes,
        Effect.map(GitRemotes, (none) => ({ ...none, ...remotes }))
      )
      const api = yield* start({ git: slow, outside })
      yield* api.user("ann")
      worker = runDue(api, remotes)
      const body = { clone_addr: "https://git.example/up.git", repo_name: "copy", mirror: true }
      yield* api.ask(201, "POST", "/repos/migrate", { ...ann, body })
      expect(taken[0]).toBe(0)
      const rows = api.within(
        Effect.gen(function* () {
          return (yield* (yield* mirrors.store).list({}, { page: 1, perPage: 9 })).rows
        })
      )
      const [row, ...others] = yield* rows
      expect(others).toEqual([])
      expect([row?.lastError, row?.running, typeof row?.syncedAt]).toEqual(["", false, "string"])
    })
  )

  it.live("store a defect as their last error, and retry within seconds", () =>
    Effect.gen(function* () {
      const { api, id } = yield* fixture
      yield* follow(api, id)
      const first = Effect.gen(function* () {
        const [row] = (yield* (yield* mirrors.store).list({}, { page: 1, perPage: 9 })).rows
        return row ?? (yield* Effect.die(new Error("there is no mirror")))
      })
      const due = api.within(
        Effect.gen(function* () {
          const { id: mirrorId } = yield* first
          yield* Effect.orDie((yield* mirrors.store).patch({}, mirrorId, { dueAt: "2026-01-01T00:00:00.000Z" }))
        })
      )
      const breaks = { fetch: () => Effect.die(new Error("broken")) }
      const waits: Array<number> = []
      for (const _ of [1, 2]) {
        yield* due
        expect(yield* runDue(api, breaks)).toBe(1)
        const row = yield* api.within(first)
        expect([row.running, row.lastError]).toEqual([false, Leases.defectError])
        waits.push(Math.ceil((Date.parse(row.dueAt ?? "") - (yield* Clock.currentTimeMillis)) / 1_000))
      }
      expect(waits[0]).toBeLessThanOrEqual(5)
      expect(waits[1]).toBeGreaterThan(5)
      expect(waits[1]).toBeLessThanOrEqual(60)
      yield* due
      expect(yield* runDue(api, { fetch: () => Effect.succeed({ head: undefined, refs: new Map() }) })).toBe(1)
      expect((yield* api.within(first)).lastError).toBe("")
    })
  )
})

describe("push mirrors", () => {
  it.live("are created, read, synced with a reported result and removed, and return no password", () =>
    Effect.gen(function* () {
      const { api, id } = yield* fixture
      const made = yield* api.send("POST", `${base}/push_mirrors`, mirror({ interval: "8h0m0s", sync_on_commit: true }))
      expect([made.status, made.json]).toMatchObject([
        200,
        {
          repo_name: "app",
          remote_address: "https://git.example/ann/copy.git",
          interval: "8h0m0s",
          sync_on_commit: true,
          last_error: "",
          last_update: "0001-01-01T00:00:00Z"
        }
      ])
      const path = `${base}/push_mirrors/${made.json.remote_name}`
      const seen: Array<readonly [unknown, string, string]> = []
      const push = (of: unknown, { account, url }: Remote) =>
        Effect.sync(() => {
          seen.push([of, url, account === undefined ? "" : `${account.username}:${Redacted.value(account.password)}`])
          return { skipped: undefined }
        })
      expect(yield* runDue(api, { push })).toBe(1)
      expect(seen).toEqual([[id, "https://git.example/ann/copy.git", "ann:s3cret!"]])
      expect(yield* runDue(api, { push })).toBe(0)
      // Both a push and a request make it due.
      yield* api.ask(201, "POST", `${base}/contents/x.txt`, { ...ann, body: { content: "eA==" } })
      const failing = () => new RemoteFailed({ because: "nothing answers" })
      expect(yield* runDue(api, { push: failing })).toBe(1)
      const failed = yield* api.send("GET", path, ann)
      expect(failed.json.last_error).toBe("nothing answers")
      expect(failed.json.last_update).not.toBe("0001-01-01T00:00:00Z")
      yield* api.ask(200, "POST", `${base}/push_mirrors-sync`, ann)
      expect(yield* runDue(api, { push })).toBe(1)
      const listed = yield* api.send("GET", `${base}/push_mirrors`, ann)
      expect([listed.json[0].last_error, listed.headers.get("x-total-count")]).toEqual(["", "1"])
      // A branch that the other host keeps is reported, and the mirror is up to date nevertheless.
      yield* api.ask(200, "POST", `${base}/push_mirrors-sync`, ann)
      const skipping = () => Effect.succeed({ skipped: "old" })
      expect(yield* runDue(api, { push: skipping })).toBe(1)
      const partly = yield* api.ask(200, "GET", path, ann)
      expect(partly.last_error).toBe(
        "the branch `old` was skipped: it is the default branch there and does not exist here"
      )
      expect(partly.last_update >= listed.json[0].last_update).toBe(true)
      expect(`${made.text}${failed.text}${listed.text}`).not.toContain("s3cret")
      yield* api.ask(404, "GET", `${base}/push_mirrors/nothing`, ann)
      yield* api.ask(403, "GET", `${base}/push_mirrors`, bob)
      yield* api.ask(204, "DELETE", path, ann)
      yield* api.ask(404, "DELETE", path, ann)
    })
  )

  it.live("accept only http and https addresses, limited intervals, and a limited number per repository (I14)", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      const bad = [
        "file:///etc/passwd",
        "ssh://git@x/y",
        "ext::sh -c id",
        "--upload-pack=x",
        "https://git.example",
        "http://a b/c"
      ]
      for (const remote_address of bad) yield* api.ask(422, "POST", `${base}/push_mirrors`, mirror({ remote_address }))
      for (const interval of ["1m", "soon", "-8h"])
        yield* api.ask(422, "POST", `${base}/push_mirrors`, mirror({ interval }))
      const within = yield* api.ask(200, "POST", `${base}/push_mirrors`, {
        ...ann,
        body: { remote_address: "https://eve:hidden@git.example/x.git?token=1", interval: "0" }
      })
      expect([within.remote_address, within.interval]).toEqual(["https://git.example/x.git", "0s"])
      for (let more = 0; more < 7; more++) yield* api.ask(200, "POST", `${base}/push_mirrors`, mirror())
      yield* api.ask(422, "POST", `${base}/push_mirrors`, mirror())
    })
  )
})

describe("pull mirrors", () => {
  it.live("follow branches and tags, record each sync as a push, and report failures (I14)", () =>
    Effect.gen(function* () {
      const { api, id } = yield* fixture
      const first = (yield* api.ask(200, "GET", `${base}/branches/main`, ann)).commit.id as ObjectId
      const second = (yield* commitTo(api, id, { "b.txt": "b" }, { branch: "other" })) as ObjectId
      yield* api.ask(422, "POST", `${base}/mirror-sync`, ann)
      yield* follow(api, id)
      const repository = yield* api.ask(200, "GET", base, ann)
      expect(repository).toMatchObject({
        mirror: true,
        mirror_interval: "10m0s",
        mirror_updated: "0001-01-01T00:00:00Z",
        original_url: "https://git.example/up.git"
      })
      yield* api.ask(200, "POST", `${base}/mirror-sync`, ann)
      const refs = new Map([
        [branchRef("main"), second],
        [branchRef("side"), first]
      ])
      expect(yield* runDue(api, { fetch: () => Effect.succeed({ refs, head: "main" }) })).toBe(1)
      const branches = yield* api.ask(200, "GET", `${base}/branches`, ann)
      expect(branches.map((each: { name: string; commit: { id: string } }) => [each.name, each.commit.id])).toEqual([
        ["main", second],
        ["side", first]
      ])
      expect((yield* api.ask(200, "GET", base, ann)).mirror_updated).not.toBe("0001-01-01T00:00:00Z")
      yield* api.ask(200, "POST", `${base}/mirror-sync`, ann)
      const fetch = () => new RemoteFailed({ because: "the host `10.0.0.1` may not be reached" })
      expect(yield* runDue(api, { fetch })).toBe(1)
      const kept = yield* api.within(
        Effect.flatMap(mirrors.store, (store) => store.findBy("name", { repositoryId: id, name: "origin" }))
      )
      expect([kept?.lastError, kept?.running]).toEqual(["the host `10.0.0.1` may not be reached", false])
      // Other writes are rejected.
      yield* api.ask(423, "POST", `${base}/contents/x.txt`, { ...ann, body: { content: "eA==" } })
      yield* api.user("root", { admin: true })
      const headers = { headers: { authorization: `Basic ${btoa("root:correct horse battery")}` } }
      const events = yield* api.ask(200, "GET", "/admin/audit?action=repository.mirror.sync", headers)
      expect(events.map((each: { details: { refs?: number } }) => each.details.refs ?? "asked")).toEqual([
        "asked",
        3,
        "asked"
      ])
    })
  )
})

describe("migrations", () => {
  const remotes = (fetch: typeof GitRemotes.Service.fetch) =>
    Layer.succeed(GitRemotes, { fetch, push: () => new RemoteFailed({ because: "never" }) })
  const asked = (more: object = {}) => ({
    ...bob,
    body: { clone_addr: "https://up.example/x.git", repo_name: "x", auth_token: "t0ken!", ...more }
  })
  const fixture = Effect.fnUntraced(function* (fetch: typeof GitRemotes.Service.fetch) {
    const api = yield* start({ signer: remotes(fetch) })
    yield* api.user("ann")
    yield* api.user("bob")
    yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
    return api
  })

  it.live("I12: require the organization's permission to create repositories, and leave nothing after a failure", () =>
    Effect.gen(function* () {
      const api = yield* fixture(() => new RemoteFailed({ because: "the host may not be reached" }))
      const team = { name: "crew", permission: "write", units: ["repo.code"] }
      const { id } = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...ann, body: team })
      yield* api.ask(204, "PUT", `/teams/${id}/members/bob`, ann)
      yield* api.ask(401, "POST", "/repos/migrate", {
        body: { clone_addr: "https://up.example/x.git", repo_name: "x" }
      })
      yield* api.ask(403, "POST", "/repos/migrate", asked({ repo_owner: "acme" }))
      yield* api.ask(404, "POST", "/repos/migrate", asked({ repo_owner: "nobody" }))
      for (const clone_addr of ["file:///etc", "git@host:x/y", "ftp://up.example/x"]) {
        yield* api.ask(422, "POST", "/repos/migrate", asked({ clone_addr }))
      }
      yield* api.ask(422, "POST", "/repos/migrate", asked({ issues: true }))
      const failed = yield* api.send("POST", "/repos/migrate", asked())
      expect([failed.status, failed.json.message]).toEqual([422, "[clone_addr]: the host may not be reached"])
      yield* api.ask(404, "GET", "/repos/bob/x", bob)
    })
  )

  it.live("create a mirror, or an independent repository after the copy, and return no token", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const api = yield* fixture((_, { account }) => {
        seen.push(account === undefined ? "" : `${account.username}:${Redacted.value(account.password)}`)
        return Effect.succeed({ refs: new Map(), head: undefined })
      })
      const once = yield* api.send("POST", "/repos/migrate", asked({ private: true, description: "Copied" }))
      expect([once.status, once.json]).toMatchObject([
        201,
        { mirror: false, private: true, description: "Copied", original_url: "https://up.example/x.git" }
      ])
      const kept = yield* api.send(
        "POST",
        "/repos/migrate",
        asked({ repo_name: "y", mirror: true, mirror_interval: "1h" })
      )
      expect([kept.status, kept.json]).toMatchObject([201, { mirror: true, mirror_interval: "1h0m0s" }])
      const progress = yield* api.send("GET", "/repos/bob/y/migration", bob)
      expect(progress.json).toMatchObject({ state: "done", mirror: true, last_error: "" })
      yield* api.ask(404, "GET", "/repos/bob/x/migration", ann)
      yield* api.ask(422, "POST", "/repos/bob/x/mirror-sync", bob)
      expect(seen).toEqual(["oauth2:t0ken!", "oauth2:t0ken!"])
      expect(`${once.text}${kept.text}${progress.text}`).not.toContain("t0ken")
      yield* api.ask(422, "POST", "/repos/migrate", asked())
    })
  )
})
