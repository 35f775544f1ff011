import { describe, expect, it } from "@effect/vitest"
import { JobStore, NoticeStore } from "@slipway/domain/forge/background"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { type GitId, GitRepositories } from "@slipway/domain/forge/code"
import { Jobs } from "@slipway/forge/background"
import { Effect, Layer } from "effect"
import { basic, bearer, rootUrl, type Service, start } from "../support/harness.ts"

const ann = { headers: basic("ann") }
const bob = { headers: basic("bob") }
const eve = { headers: basic("eve") }

/** A site with ann, who owns acme, bob, a member of a team of acme, and eve, who has no permissions. */
const site = Effect.fnUntraced(function* (git?: Layer.Layer<GitRepositories>) {
  const api = yield* start(git === undefined ? {} : { git })
  yield* api.user("root", { admin: true })
  for (const name of ["ann", "bob", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
  const crew = { name: "crew", permission: "write", units: ["repo.code", "repo.issues"] }
  const team = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...ann, body: crew })
  yield* api.ask(204, "PUT", `/teams/${team.id}/members/bob`, ann)
  return { api, team: team.id as number }
})

const make = (api: Service, who: typeof ann, path: string, body: Record<string, unknown>) =>
  api.ask(201, "POST", path, { ...who, body })

const git = <A>(api: Service, use: (git: GitRepositories["Service"]) => Effect.Effect<A>) =>
  api.within(Effect.flatMap(GitRepositories, use))

describe("repositories", () => {
  it.live("are created, read and listed, each with a git repository", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      const made = yield* make(api, ann, "/orgs/acme/repos", {
        name: "Site",
        description: "about us",
        private: true,
        auto_init: true,
        gitignores: "Node",
        license: "MIT",
        default_branch: "trunk"
      })
      expect(made).toMatchObject({
        name: "Site",
        full_name: "acme/Site",
        description: "about us",
        private: true,
        empty: false,
        default_branch: "trunk",
        object_format_name: "sha1",
        has_code: true,
        owner: { login: "acme" },
        url: `${rootUrl}/api/v1/repos/acme/Site`,
        permissions: { admin: true, push: true, pull: true }
      })
      const read = yield* api.ask(200, "GET", "/repos/ACME/site", ann)
      expect(read).toEqual({ ...made, size: read.size })
      expect(yield* api.ask(200, "GET", `/repositories/${made.id}`, ann)).toEqual(read)
      expect(yield* api.ask(200, "GET", "/orgs/acme/repos", ann)).toEqual([read])
      const found = yield* api.ask(200, "GET", "/repos/search?q=SIT", ann)
      expect(found).toEqual({ ok: true, data: [read] })
      const files = yield* Effect.forEach(["README.md", ".gitignore", "LICENSE"], (name) =>
        git(api, (kept) => kept.file(made.id, "trunk", name))
      )
      expect(files).toEqual(["# Site\n\nabout us\n", "# ---> Node\nnode_modules/\n\n", "Do as you like.\n"])
      yield* make(api, eve, "/user/repos", { name: "notes" })
      expect((yield* api.ask(200, "GET", "/user/repos", eve)).map((each: { name: string }) => each.name)).toEqual([
        "notes"
      ])
      yield* make(api, { headers: basic("root") }, "/admin/users/bob/repos", { name: "given" })
      expect((yield* api.ask(200, "GET", "/users/bob/repos")).map((each: { name: string }) => each.name)).toEqual([
        "given"
      ])
      // Clients of administrators also name organizations there.
      const root = { headers: basic("root") }
      const theirs = yield* make(api, root, "/admin/users/acme/repos", { name: "theirs", private: true })
      expect([theirs.full_name, theirs.owner.login]).toEqual(["acme/theirs", "acme"])
      yield* api.ask(404, "POST", "/admin/users/nobody/repos", { ...root, body: { name: "x" } })
      // B1, I9, I10: a caller without read access finds the private one in no list or total.
      for (const who of [{}, eve]) {
        expect((yield* api.send("GET", "/repos/acme/Site", who)).status).toBe(404)
        const list = yield* api.send("GET", "/orgs/acme/repos", who)
        expect([list.json, list.headers.get("x-total-count")]).toEqual([[], "0"])
      }
    })
  )

  it.live("are not created with an invalid field, and the response names the field", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      yield* make(api, ann, "/user/repos", { name: "one" })
      const refusal = (body: Record<string, unknown>) =>
        Effect.map(api.send("POST", "/user/repos", { ...ann, body }), ({ json, status }) => [status, json.message])
      expect(yield* refusal({ name: "ONE" })).toEqual([422, "[name]: `ONE` is taken"])
      const names = ["", "a b", "a/b", "-a", "a.git", "--upload-pack=x", "$(touch x)", "a\nb", "é".repeat(101)]
      for (const name of names) expect((yield* refusal({ name }))[0]).toBe(422)
      expect(yield* refusal({ name: "two", license: "nothing" })).toEqual([422, "[license]: `nothing` does not exist"])
      expect(yield* refusal({ name: "two", gitignores: "Node,../x" })).toEqual([
        422,
        "[gitignores]: `../x` does not exist"
      ])
      // I23: a name that git could parse as an option or a path is no valid branch.
      for (const branch of ["--upload-pack=touch /tmp/x", "a..b", "a b", "-x", "$(x) y", "a\u0000b", "HEAD"]) {
        expect((yield* refusal({ name: "two", default_branch: branch }))[0]).toBe(422)
      }
      expect(yield* api.ask(200, "GET", "/user/repos", ann)).toHaveLength(1)
      expect(yield* git(api, (kept) => kept.list)).toHaveLength(1)
    })
  )

  it.live("I12: require the same permission for all ways to create a repository in an organization", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site()
      const ways = ["/orgs/acme/repos", "/org/acme/repos"]
      const statuses = (who: typeof ann, n: number) =>
        Effect.forEach(ways, (way, at) =>
          Effect.map(api.send("POST", way, { ...who, body: { name: `r${n}-${at}` } }), ({ status }) => status)
        )
      expect(yield* statuses(eve, 1)).toEqual([403, 403])
      expect(yield* statuses(bob, 2)).toEqual([403, 403])
      yield* api.ask(200, "PATCH", `/teams/${team}`, { ...ann, body: { can_create_org_repo: true } })
      expect(yield* statuses(bob, 3)).toEqual([201, 201])
      expect(yield* statuses(ann, 4)).toEqual([201, 201])
      yield* api.ask(200, "PATCH", "/orgs/acme", { ...ann, body: { visibility: "private" } })
      expect(yield* statuses(eve, 5)).toEqual([404, 404])
    })
  )

  it.live("are limited in number for each user, also under concurrent requests", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      yield* api.ask(200, "PATCH", "/admin/users/eve", {
        headers: basic("root"),
        body: { max_repo_creation: 2 }
      })
      const statuses = yield* Effect.forEach(
        [1, 2, 3, 4],
        (n) => Effect.map(api.send("POST", "/user/repos", { ...eve, body: { name: `r${n}` } }), ({ status }) => status),
        { concurrency: "unbounded" }
      )
      expect(statuses.toSorted()).toEqual([201, 201, 403, 403])
    })
  )

  it.live("can be changed and renamed, and are found by an old name until another repository takes the name", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      const made = yield* make(api, ann, "/user/repos", { name: "one", auto_init: true })
      const body = {
        description: "d",
        website: "https://x.example",
        private: true,
        archived: true,
        template: true,
        has_wiki: false
      }
      const edited = yield* api.ask(200, "PATCH", "/repos/ann/one", { ...ann, body })
      expect(edited).toMatchObject(body)
      expect(yield* api.ask(200, "GET", "/repos/ann/one", ann)).toEqual(edited)
      expect(yield* api.ask(200, "PATCH", "/repos/ann/one", { ...ann, body: {} })).toMatchObject(body)
      yield* api.ask(200, "PATCH", "/repos/ann/one", { ...ann, body: { name: "two", private: false, archived: false } })
      const moved = yield* api.send("GET", "/repos/ann/one?page=2", {})
      expect([moved.status, moved.headers.get("location")]).toEqual([307, "/api/v1/repos/ann/two?page=2"])
      yield* make(api, ann, "/user/repos", { name: "one" })
      expect((yield* api.ask(200, "GET", "/repos/ann/one")).id).not.toBe(made.id)
      const taken = yield* api.send("PATCH", "/repos/ann/two", { ...ann, body: { name: "ONE", description: "lost" } })
      expect([taken.status, taken.json.message]).toEqual([422, "[name]: `ONE` is taken"])
      expect((yield* api.ask(200, "GET", "/repos/ann/two")).description).toBe("d")
    })
  )

  it.live("I8: are 404 for callers without permission immediately after they become private", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      yield* make(api, ann, "/user/repos", { name: "one" })
      yield* api.ask(204, "PUT", "/repos/ann/one/collaborators/bob", { ...ann, body: { permission: "read" } })
      yield* api.ask(200, "GET", "/repos/ann/one", eve)
      yield* api.ask(200, "PATCH", "/repos/ann/one", { ...ann, body: { private: true } })
      yield* api.ask(404, "GET", "/repos/ann/one", eve)
      yield* api.ask(200, "GET", "/repos/ann/one", bob)
      // I7: revoked permission has no effect.
      yield* api.ask(204, "DELETE", "/repos/ann/one/collaborators/bob", ann)
      yield* api.ask(404, "GET", "/repos/ann/one", bob)
    })
  )

  it.live("have an existing default branch, which git's HEAD follows", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      const { id } = yield* make(api, ann, "/user/repos", { name: "full", auto_init: true })
      const none = yield* api.send("PATCH", "/repos/ann/full", { ...ann, body: { default_branch: "other" } })
      expect([none.status, none.json.message]).toEqual([422, "[default_branch]: `other` does not exist"])
      const empty = yield* make(api, ann, "/user/repos", { name: "empty" })
      yield* api.ask(200, "PATCH", "/repos/ann/empty", { ...ann, body: { default_branch: "other" } })
      expect(yield* git(api, (kept) => kept.defaultBranch(empty.id))).toBe("other")
      expect(yield* git(api, (kept) => kept.defaultBranch(id))).toBe("main")
      // A dry run reports the change without applying it, in git too.
      const path = "/repos/ann/empty?dry_run=true"
      yield* api.ask(200, "PATCH", path, { ...ann, body: { default_branch: "third", private: true } })
      expect((yield* api.ask(200, "GET", "/repos/ann/empty", ann)).default_branch).toBe("other")
      expect(yield* git(api, (kept) => kept.defaultBranch(empty.id))).toBe("other")
    })
  )

  it.live("are deleted only by owners, together with the git repository", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      const { id } = yield* make(api, ann, "/orgs/acme/repos", { name: "one" })
      yield* api.ask(204, "PUT", "/repos/acme/one/collaborators/bob", { ...ann, body: { permission: "admin" } })
      yield* api.ask(403, "DELETE", "/repos/acme/one", bob)
      yield* api.ask(204, "DELETE", "/repos/acme/one", ann)
      yield* api.ask(404, "GET", "/repos/acme/one", ann)
      yield* api.ask(404, "DELETE", "/repos/acme/one", ann)
      expect(yield* git(api, (kept) => kept.branches(id as RepositoryId))).toEqual([])
      expect(yield* git(api, (kept) => kept.list)).toEqual([])
    })
  )
})

describe("all repositories of an organization", () => {
  it.live("are deleted in the background, except repositories that are created later", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      expect((yield* api.send("DELETE", "/orgs/acme/repos", ann)).status).toBe(204)
      for (let n = 0; n < 45; n++) yield* make(api, ann, "/orgs/acme/repos", { name: `r${n}` })
      yield* make(api, ann, "/user/repos", { name: "mine" })
      yield* api.ask(403, "DELETE", "/orgs/acme/repos", bob)
      const refused = yield* api.send("DELETE", "/orgs/acme", ann)
      expect([refused.status, refused.json.message]).toEqual([
        422,
        "[org]: still owns repositories: delete or transfer them first"
      ])
      expect((yield* api.send("DELETE", "/orgs/acme/repos", ann)).status).toBe(202)
      yield* make(api, ann, "/orgs/acme/repos", { name: "later" })
      yield* api.within(Jobs.runDue)
      const names = (list: ReadonlyArray<{ name: string }>) => list.map(({ name }) => name)
      expect(names(yield* api.ask(200, "GET", "/orgs/acme/repos", ann))).toEqual(["later"])
      expect(names(yield* api.ask(200, "GET", "/user/repos", ann))).toEqual(["mine", "later"])
      expect(yield* git(api, (kept) => kept.list)).toHaveLength(2)
      yield* api.ask(204, "DELETE", "/repos/acme/later", ann)
      expect((yield* api.send("DELETE", "/orgs/acme", ann)).status).toBe(204)
    })
  )

  it.live("are deleted even after a crash, and repeated failures create a notice for administrators", () =>
    Effect.gen(function* () {
      let fails = true
      const broken = Layer.effect(
        GitRepositories,
        Effect.sync(() => {
          const there = new Set<GitId>()
          const unless = <A>(effect: Effect.Effect<A>) =>
            Effect.suspend(() => (fails ? Effect.die(new Error("the disk is full")) : effect))
          return GitRepositories.of({
            create: (id) => unless(Effect.sync(() => void there.add(id))),
            copy: (id) => unless(Effect.sync(() => there.add(id).size > 0)),
            defaultBranch: () => Effect.succeed("main"),
            setDefaultBranch: () => Effect.succeed(true),
            branches: () => Effect.succeed([]),
            refs: () => Effect.succeed(new Map()),
            file: () => Effect.undefined,
            size: () => Effect.succeed(1),
            remove: (id) => unless(Effect.sync(() => there.delete(id))),
            list: Effect.sync(() => [...there].filter((id) => typeof id === "number"))
          })
        })
      )
      const { api } = yield* site(broken)
      const { id } = yield* make(api, ann, "/orgs/acme/repos", { name: "one" })
      // The repository exists before its git repository: the job is retried, not lost.
      const retry = api.within(Effect.flatMap(JobStore, (jobs) => jobs.take({ id: 1 }, "2020-01-01T00:00:00.000Z")))
      for (const _ of [1, 2, 3]) {
        expect((yield* retry)?.work).toMatchObject({ _tag: "MakeGit", repositoryId: id })
        yield* api.within(Jobs.runDue)
      }
      const notices = yield* api.within(Effect.flatMap(NoticeStore, (kept) => kept.list({ page: 1, perPage: 10 })))
      expect(notices.rows.map(({ text }) => text)).toEqual([
        `creating the git repository of repository ${id} keeps failing; see the log of the service`
      ])
      fails = false
      yield* retry
      yield* api.within(Jobs.runDue)
      expect(yield* git(api, (kept) => kept.list)).toEqual([id])
      expect(yield* retry).toBeUndefined()
    })
  )
})

describe("collaborators", () => {
  it.live("get a level, and are listed, checked and removed", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      yield* make(api, ann, "/user/repos", { name: "one", private: true })
      const path = "/repos/ann/one/collaborators/eve"
      yield* api.ask(404, "GET", path, ann)
      for (const permission of ["read", "write", "admin"]) {
        yield* api.ask(204, "PUT", path, { ...ann, body: { permission } })
        const held = yield* api.ask(200, "GET", `${path}/permission`, ann)
        expect([held.permission, held.units["repo.code"], held.units["repo.ext_wiki"]]).toEqual([
          permission,
          permission,
          undefined
        ])
        expect(held.user.login).toBe("eve")
      }
      expect((yield* api.ask(200, "GET", "/repos/ann/one/collaborators", ann))[0].login).toBe("eve")
      yield* api.ask(204, "PUT", path, ann)
      expect((yield* api.ask(200, "GET", `${path}/permission`, ann)).permission).toBe("write")
      yield* api.ask(204, "GET", path, ann)
      yield* api.ask(204, "DELETE", path, ann)
      yield* api.ask(204, "DELETE", path, ann)
      yield* api.ask(404, "GET", "/repos/ann/one", eve)
    })
  )

  it.live("I13: no caller grants more than admin, and callers without admin grant nothing", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      yield* make(api, ann, "/user/repos", { name: "one" })
      const add = (who: typeof ann, name: string, permission: unknown) =>
        Effect.map(
          api.send("PUT", `/repos/ann/one/collaborators/${name}`, { ...who, body: { permission } }),
          ({ status }) => status
        )
      for (const word of ["owner", "none", "ADMIN", 3]) expect(yield* add(ann, "bob", word)).toBe(422)
      expect(yield* add(ann, "bob", "write")).toBe(204)
      expect(yield* add(bob, "eve", "read")).toBe(403)
      expect(yield* add(ann, "ann", "read")).toBe(422)
      expect(yield* add(ann, "nobody", "read")).toBe(404)
      const limited = { headers: bearer(yield* api.mint("ann", ["read:repository"])) }
      expect(yield* add(limited, "eve", "read")).toBe(403)
      yield* api.ask(204, "PUT", "/user/blocks/ann", eve)
      expect(yield* add(ann, "eve", "read")).toBe(403)
    })
  )

  it.live("also get the level of their teams, and this level is hidden from other users", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site()
      yield* make(api, ann, "/orgs/acme/repos", { name: "one", private: true })
      yield* api.ask(204, "PUT", `/teams/${team}/repos/acme/one`, ann)
      const path = "/repos/acme/one/collaborators"
      const held = yield* api.ask(200, "GET", `${path}/bob/permission`, ann)
      expect([held.permission, held.units]).toEqual(["write", { "repo.code": "write", "repo.issues": "write" }])
      expect((yield* api.ask(200, "GET", `${path}/bob/permission`, bob)).permission).toBe("write")
      expect((yield* api.ask(200, "GET", `${path}/ann/permission`, ann)).permission).toBe("owner")
      expect((yield* api.ask(200, "GET", `${path}/eve/permission`, ann)).permission).toBe("none")
      yield* api.ask(403, "GET", `${path}/ann/permission`, bob)
      yield* api.ask(403, "GET", `${path}/nobody/permission`, bob)
    })
  )
})

describe("the teams of a repository", () => {
  it.live("are listed, added and removed by owners, and by administrators if the organization allows it", () =>
    Effect.gen(function* () {
      const { api, team } = yield* site()
      yield* make(api, ann, "/orgs/acme/repos", { name: "one", private: true })
      const path = "/repos/acme/one/teams"
      expect((yield* api.ask(200, "GET", path, ann)).map((each: { name: string }) => each.name)).toEqual(["Owners"])
      yield* api.ask(404, "GET", `${path}/crew`, ann)
      yield* api.ask(204, "PUT", `${path}/CREW`, ann)
      expect((yield* api.ask(200, "GET", `${path}/crew`, ann)).id).toBe(team)
      yield* api.ask(204, "DELETE", `${path}/crew`, ann)
      yield* api.ask(404, "DELETE", `${path}/crew`, ann)
      yield* api.ask(404, "PUT", `${path}/nothing`, ann)
      yield* api.ask(422, "DELETE", `${path}/Owners`, ann)
      yield* api.ask(204, "PUT", "/repos/acme/one/collaborators/bob", { ...ann, body: { permission: "admin" } })
      yield* api.ask(403, "PUT", `${path}/crew`, bob)
      yield* api.ask(200, "PATCH", "/orgs/acme", { ...ann, body: { repo_admin_change_team_access: true } })
      yield* api.ask(204, "PUT", `${path}/crew`, bob)
      // A caller who may change the teams can name any of them, even hidden ones.
      yield* api.ask(201, "POST", "/orgs/acme/teams", {
        ...ann,
        body: { name: "secret", permission: "read", units: ["repo.code"] }
      })
      yield* api.ask(204, "PUT", `${path}/secret`, bob)
      yield* make(api, bob, "/user/repos", { name: "own" })
      expect(yield* api.ask(200, "GET", "/repos/bob/own/teams", bob)).toEqual([])
      const none = yield* api.send("PUT", "/repos/bob/own/teams/crew", bob)
      expect([none.status, none.json.message]).toEqual([422, "[team]: cannot have access to the repository of a user"])
    })
  )
})
