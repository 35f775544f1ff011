import { describe, expect, it } from "@effect/vitest"
import { GitRepositories } from "@slipway/domain/forge/code"
import { Jobs } from "@slipway/forge/background"
import { Effect } from "effect"
import { basic, rootUrl, type Service, start } from "../support/harness.ts"

const ann = { headers: basic("ann") }
const bob = { headers: basic("bob") }
const eve = { headers: basic("eve") }

/** A site with ann, who owns acme, bob and eve. */
const site = Effect.fnUntraced(function* () {
  const api = yield* start()
  yield* api.user("root", { admin: true })
  for (const name of ["ann", "bob", "eve"]) yield* api.user(name)
  yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme", description: "makes everything" } })
  return api
})

const newTeam = Effect.fnUntraced(function* (api: Service, body: Record<string, unknown>, ...members: Array<string>) {
  const team = yield* api.ask(201, "POST", "/orgs/acme/teams", { ...ann, body })
  for (const name of members) yield* api.ask(204, "PUT", `/teams/${team.id}/members/${name}`, ann)
  return team.id as number
})

const loginOf = (row: { readonly login: string }) => row.login

const namesOf = (rows: ReadonlyArray<{ readonly full_name: string }>) => rows.map((row) => row.full_name)

describe("permissions of code and role", () => {
  it.live("a user who reads code and writes the wiki can pull, and can't push", () =>
    Effect.gen(function* () {
      const api = yield* site()
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "one", private: true } })
      const units_map = { "repo.code": "read", "repo.wiki": "write" }
      yield* newTeam(api, { name: "crew", units_map, includes_all_repositories: true }, "bob")
      const seen = yield* api.ask(200, "GET", "/repos/acme/one", bob)
      expect(seen.permissions).toEqual({ admin: false, push: false, pull: true, units: units_map })
      const held = yield* api.ask(200, "GET", "/repos/acme/one/collaborators/bob/permission", bob)
      expect([held.permission, held.role_name, held.units]).toEqual(["read", "read", units_map])
      const owned = yield* api.ask(200, "GET", "/repos/acme/one/collaborators/ann/permission", ann)
      expect([owned.permission, owned.role_name]).toEqual(["owner", "owner"])
      const wiki = { name: "scribes", units_map: { "repo.wiki": "write" }, includes_all_repositories: true }
      yield* newTeam(api, wiki, "eve")
      expect((yield* api.ask(200, "GET", "/repos/acme/one", eve)).permissions).toEqual({
        admin: false,
        push: false,
        pull: false,
        units: { "repo.wiki": "write" }
      })
    })
  )
})

describe("creators of repositories, and lists of accessible repositories", () => {
  it.live("the creator of a repository in an organization administers it, and lists all accessible repositories", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const crew = { name: "crew", permission: "read", units: ["repo.code"], can_create_org_repo: true }
      const team = yield* newTeam(api, crew, "bob")
      const made = yield* api.ask(201, "POST", "/orgs/acme/repos", { ...bob, body: { name: "tool", private: true } })
      expect(made.permissions).toMatchObject({ admin: true, push: true, pull: true })
      expect((yield* api.ask(200, "GET", "/repos/acme/tool/collaborators", bob)).map(loginOf)).toEqual(["bob"])
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "site", private: true } })
      expect(yield* api.ask(200, "GET", "/repos/acme/site/collaborators", ann)).toEqual([])
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "open" } })
      yield* api.ask(204, "PUT", `/teams/${team}/repos/acme/site`, ann)
      yield* api.ask(201, "POST", "/user/repos", { ...eve, body: { name: "diary", private: true } })
      yield* api.ask(204, "PUT", "/repos/eve/diary/collaborators/bob", { ...eve, body: { permission: "read" } })
      yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "own" } })
      const reached = yield* api.send("GET", "/user/repos", bob)
      expect([namesOf(reached.json), reached.headers.get("x-total-count")]).toEqual([
        ["acme/tool", "acme/site", "eve/diary", "bob/own"],
        "4"
      ])
      expect(namesOf(yield* api.ask(200, "GET", "/user/repos", ann))).toEqual(["acme/tool", "acme/site", "acme/open"])
      expect(namesOf(yield* api.ask(200, "GET", "/user/repos", eve))).toEqual(["eve/diary"])
      // I7: access through a team ends with the team membership.
      yield* api.ask(204, "DELETE", `/teams/${team}/members/bob`, ann)
      expect(namesOf(yield* api.ask(200, "GET", "/user/repos", bob))).toEqual(["acme/tool", "eve/diary", "bob/own"])
    })
  )
})

const person = (login: string, set: Record<string, unknown> = {}) => ({
  login,
  username: login,
  login_name: "",
  source_id: 0,
  full_name: "",
  email: `${login}@example.com`,
  avatar_url: `${rootUrl}/avatars/identicon-${login}`,
  html_url: `${rootUrl}/${login}`,
  language: "",
  is_admin: false,
  last_login: "0001-01-01T00:00:00Z",
  restricted: false,
  active: false,
  prohibit_login: false,
  location: "",
  website: "",
  description: "",
  visibility: "public",
  followers_count: 0,
  following_count: 0,
  starred_repos_count: 0,
  ...set
})

const second = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

describe("complete payloads", () => {
  it.live("a repository contains all its fields, its owner and its addresses", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const made = yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "one.x" } })
      const read = yield* api.ask(200, "GET", "/repos/acme/one.x", bob)
      for (const time of [read.created_at, read.updated_at, read.owner.created]) expect(time).toMatch(second)
      expect(read).toEqual({
        id: made.id,
        owner: person("acme", {
          id: made.owner.id,
          created: made.owner.created,
          email: "",
          description: "makes everything"
        }),
        name: "one.x",
        full_name: "acme/one.x",
        description: "",
        empty: true,
        private: false,
        internal: false,
        fork: false,
        template: false,
        parent: null,
        mirror: false,
        size: read.size,
        language: "",
        languages_url: `${rootUrl}/api/v1/repos/acme/one.x/languages`,
        html_url: `${rootUrl}/acme/one.x`,
        url: `${rootUrl}/api/v1/repos/acme/one.x`,
        link: "",
        ssh_url: "",
        clone_url: `${rootUrl}/acme/one.x.git`,
        original_url: "",
        website: "",
        stars_count: 0,
        forks_count: 0,
        watchers_count: 1,
        open_issues_count: 0,
        open_pr_counter: 0,
        release_counter: 0,
        default_branch: "main",
        archived: false,
        archived_at: "0001-01-01T00:00:00Z",
        created_at: made.created_at,
        updated_at: made.updated_at,
        permissions: { admin: false, push: false, pull: true, units: read.permissions.units },
        has_code: true,
        has_issues: true,
        has_pull_requests: true,
        has_releases: true,
        has_wiki: true,
        has_projects: true,
        has_packages: true,
        has_actions: true,
        internal_tracker: {
          enable_time_tracker: true,
          allow_only_contributors_to_track_time: true,
          enable_issue_dependencies: true
        },
        ignore_whitespace_conflicts: false,
        allow_merge_commits: true,
        allow_rebase: true,
        allow_rebase_explicit: true,
        allow_rebase_update: true,
        allow_squash_merge: true,
        allow_fast_forward_only_merge: true,
        allow_manual_merge: false,
        autodetect_manual_merge: false,
        default_delete_branch_after_merge: false,
        default_merge_style: "merge",
        default_allow_maintainer_edit: false,
        projects_mode: "all",
        avatar_url: "",
        mirror_interval: "",
        mirror_updated: "0001-01-01T00:00:00Z",
        repo_transfer: null,
        object_format_name: "sha1",
        topics: [],
        licenses: []
      })
      yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "notes" } })
      const { id, owner } = yield* api.ask(200, "GET", "/repos/bob/notes", ann)
      expect(owner).toEqual(person("bob", { id: owner.id, created: owner.created }))
      const list = yield* api.ask(200, "GET", "/repos/search?limit=50", ann)
      expect(list.data.map((each: { id: number }) => each.id)).toEqual([made.id, id])
      expect(list.data[1].owner).toEqual(owner)
    })
  )

  it.live("an edit stores valid values, and rejects invalid values with the field's name", () =>
    Effect.gen(function* () {
      const api = yield* site()
      yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "one" } })
      const edit = (body: Record<string, unknown>) => api.ask(200, "PATCH", "/repos/ann/one", { ...ann, body })
      const plain = {
        allow_merge_commits: false,
        allow_rebase: false,
        allow_squash_merge: true,
        allow_manual_merge: true,
        autodetect_manual_merge: true,
        default_merge_style: "squash",
        default_delete_branch_after_merge: true,
        default_allow_maintainer_edit: true,
        ignore_whitespace_conflicts: true,
        projects_mode: "owner"
      }
      const changed = yield* edit({ ...plain, internal_tracker: { enable_time_tracker: false }, archived: true })
      expect(changed).toMatchObject({
        ...plain,
        allow_rebase_explicit: true,
        internal_tracker: {
          enable_time_tracker: false,
          allow_only_contributors_to_track_time: true,
          enable_issue_dependencies: true
        }
      })
      expect(changed.archived_at).toBe(changed.updated_at)
      expect(yield* api.ask(200, "GET", "/repos/ann/one", ann)).toEqual(changed)
      expect((yield* edit({ archived: false })).archived_at).toBe("0001-01-01T00:00:00Z")
      const tracker = {
        external_tracker_url: "https://bugs.example",
        external_tracker_format: "https://bugs.example/{user}/{repo}/{index}",
        external_tracker_style: "alphanumeric",
        external_tracker_regexp_pattern: ""
      }
      const outside = yield* edit({
        has_issues: true,
        external_tracker: tracker,
        external_wiki: { external_wiki_url: "https://wiki.example/one" }
      })
      expect([outside.has_issues, outside.external_tracker, "internal_tracker" in outside]).toEqual([
        true,
        tracker,
        false
      ])
      expect(outside.external_wiki).toEqual({ external_wiki_url: "https://wiki.example/one" })
      const inside = yield* edit({ has_issues: true, has_wiki: false })
      expect([inside.has_issues, "external_tracker" in inside, inside.has_wiki, "external_wiki" in inside]).toEqual([
        true,
        false,
        false,
        false
      ])
      const wrong: ReadonlyArray<readonly [string, unknown]> = [
        ["default_merge_style", "octopus"],
        ["projects_mode", "none"],
        ["external_wiki", { external_wiki_url: "javascript:alert(1)" }],
        ["external_tracker", { external_tracker_url: "ftp://bugs.example" }],
        ["external_tracker", { ...tracker, external_tracker_style: "roman" }],
        ["external_tracker", { ...tracker, external_tracker_regexp_pattern: "(" }]
      ]
      for (const [field, value] of wrong) {
        const { json, status } = yield* api.send("PATCH", "/repos/ann/one", { ...ann, body: { [field]: value } })
        expect([status, json.message.startsWith(`[${field}`)]).toEqual([422, true])
      }
    })
  )

  it.live("users and organizations have avatars, which are generated from the name by default", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const { avatar_url } = yield* api.ask(200, "GET", "/users/bob")
      expect(avatar_url).toBe(`${rootUrl}/avatars/identicon-bob`)
      const drawn = yield* api.fetch("GET", new URL(avatar_url).pathname)
      expect([drawn.status, drawn.headers.get("content-type"), drawn.text]).toEqual([200, "image/png", "drawn bob"])
      expect((yield* api.fetch("GET", `/avatars/identicon-${"x".repeat(41)}`)).status).toBe(404)
    })
  )
})

describe("searches, lists and details", () => {
  it.live("the repository search honors every parameter", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const make = (who: typeof ann, path: string, body: Record<string, unknown>) =>
        api.ask(201, "POST", path, { ...who, body })
      yield* make(ann, "/orgs/acme/repos", { name: "b-site", description: "About us" })
      yield* make(ann, "/orgs/acme/repos", { name: "c-vault", private: true })
      yield* make(ann, "/user/repos", { name: "a-notes", template: true })
      const own = yield* make(bob, "/user/repos", { name: "d-own" })
      yield* api.ask(200, "PATCH", "/repos/bob/d-own", { ...bob, body: { archived: true } })
      const team = yield* newTeam(api, { name: "crew", permission: "read", units: ["repo.code"] }, "bob")
      yield* api.ask(204, "PUT", `/teams/${team}/repos/acme/c-vault`, ann)
      const uid = own.owner.id
      const found = (query: string, who: Partial<typeof ann> = bob) =>
        Effect.map(api.ask(200, "GET", `/repos/search?${query}`, who), ({ data }) =>
          data.map((each: { name: string }) => each.name[0]).join("")
        )
      expect(yield* found("")).toBe("bcad")
      const rows: ReadonlyArray<readonly [query: string, names: string]> = [
        ["q=ABOUT", ""],
        ["q=ABOUT&includeDesc=true", "b"],
        ["sort=alpha", "bcad"],
        ["sort=alpha&order=desc", "dacb"],
        ["order=desc", "bcad"],
        ["sort=created&order=desc", "dacb"],
        ["sort=id&order=desc", "dacb"],
        ["private=false", "bad"],
        ["is_private=true", "c"],
        ["is_private=false", "bad"],
        ["archived=true", "d"],
        ["archived=false", "bca"],
        ["template=false", "bcd"],
        ["mode=mirror", ""],
        ["mode=source", "bcad"],
        ["mode=fork", ""],
        [`uid=${uid}`, "cd"],
        [`uid=${uid}&exclusive=true`, "d"],
        [`uid=${uid}&mode=collaborative`, "c"],
        [`team_id=${team}`, "c"],
        ["team_id=999", ""],
        [`priority_owner_id=${uid}&sort=alpha`, "dbca"],
        ["sort=&order=&mode=&uid=", "bcad"]
      ]
      for (const [query, names] of rows) expect(yield* found(query), query).toBe(names)
      // Other users' access is not revealed: the team is hidden from eve, and so is bob's access through it.
      expect(yield* found(`team_id=${team}`, eve)).toBe("")
      expect(yield* found(`uid=${uid}`, ann)).toBe("d")
      expect(yield* found(`uid=${uid}&mode=collaborative`, ann)).toBe("")
      for (const query of ["sort=colour", "order=up", "mode=all", "uid=x", "archived=maybe"]) {
        yield* api.ask(422, "GET", `/repos/search?${query}`, bob)
      }
    })
  )

  it.live("a private account is added by its exact name, and then visible to administrators without its profile", () =>
    Effect.gen(function* () {
      const api = yield* site()
      yield* api.user("hid", { visibility: "private", description: "mine alone" })
      const crew = yield* newTeam(api, { name: "crew", permission: "read", units: ["repo.code"] }, "bob")
      yield* api.ask(404, "GET", "/users/hid", ann)
      yield* api.ask(204, "PUT", `/teams/${crew}/members/HID`, ann)
      yield* api.ask(404, "PUT", `/teams/${crew}/members/nobody`, ann)
      const members = yield* api.ask(200, "GET", `/teams/${crew}/members`, ann)
      expect(members.map(loginOf)).toEqual(["bob", "hid"])
      const shown = person("hid", {
        id: members[1].id,
        created: members[1].created,
        email: "hid@noreply.forge.test",
        visibility: "private"
      })
      expect(members[1]).toEqual(shown)
      expect(yield* api.ask(200, "GET", `/teams/${crew}/members/hid`, ann)).toEqual(shown)
      // I9: other members don't see the account.
      expect((yield* api.ask(200, "GET", `/teams/${crew}/members`, bob)).map(loginOf)).toEqual(["bob"])
      yield* api.ask(404, "GET", `/teams/${crew}/members/hid`, bob)
      yield* api.ask(201, "POST", "/user/repos", { ...eve, body: { name: "one" } })
      yield* api.ask(404, "GET", "/repos/eve/one/collaborators/hid", eve)
      yield* api.ask(204, "PUT", "/repos/eve/one/collaborators/hid", { ...eve, body: { permission: "read" } })
      yield* api.ask(204, "GET", "/repos/eve/one/collaborators/hid", eve)
      expect((yield* api.ask(200, "GET", "/repos/eve/one/collaborators", eve)).map(loginOf)).toEqual(["hid"])
      expect((yield* api.ask(200, "GET", "/repos/eve/one/collaborators/hid/permission", eve)).user).toEqual(shown)
    })
  )

  it.live("repository administrators can add any team of the organization if the organization allows this", () =>
    Effect.gen(function* () {
      const api = yield* site()
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "one", private: true } })
      yield* api.ask(204, "PUT", "/repos/acme/one/collaborators/bob", { ...ann, body: { permission: "admin" } })
      yield* newTeam(api, { name: "hidden", permission: "read", units: ["repo.code"] }, "eve")
      for (const name of ["hidden", "nothing"]) yield* api.ask(403, "PUT", `/repos/acme/one/teams/${name}`, bob)
      yield* api.ask(200, "PATCH", "/orgs/acme", { ...ann, body: { repo_admin_change_team_access: true } })
      yield* api.ask(204, "PUT", "/repos/acme/one/teams/Hidden", bob)
      yield* api.ask(200, "GET", "/repos/acme/one", eve)
      expect(yield* api.ask(200, "GET", "/repos/acme/one/teams", bob)).toEqual([])
      yield* api.ask(204, "DELETE", "/repos/acme/one/teams/hidden", bob)
      expect((yield* api.send("PUT", "/repos/acme/one/teams/nothing", bob)).status).toBe(404)
    })
  )

  it.live("removing a missing member is 204, and naming an unknown user is 404", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const crew = yield* newTeam(api, { name: "crew", permission: "read", units: ["repo.code"] }, "bob")
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "one" } })
      for (const name of ["eve", "nobody"]) {
        const status = name === "eve" ? 204 : 404
        yield* api.ask(status, "DELETE", `/user/following/${name}`, ann)
        yield* api.ask(status, "DELETE", `/repos/acme/one/collaborators/${name}`, ann)
        yield* api.ask(status, "DELETE", `/teams/${crew}/members/${name}`, ann)
        yield* api.ask(status, "DELETE", `/orgs/acme/members/${name}`, ann)
      }
    })
  )

  it.live("repository names may begin with a dot, and empty strings count as omitted", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const said = { default_branch: "", object_format_name: "", license: "", gitignores: "", readme: "" }
      const made = yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: ".github", ...said } })
      expect([made.full_name, made.default_branch]).toEqual(["acme/.github", "main"])
      expect(made.clone_url).toBe(`${rootUrl}/acme/.github.git`)
      for (const name of [".", "..", "..a", ".-a", "-a", ".git", `.${"a".repeat(100)}`]) {
        expect((yield* api.send("POST", "/user/repos", { ...ann, body: { name } })).status, name).toBe(422)
      }
      const org = yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "globex", visibility: "" } })
      expect(org.visibility).toBe("public")
      const body = { username: "dora", email: "dora@example.com", password: "", visibility: "" }
      yield* api.ask(201, "POST", "/admin/users", { headers: basic("root"), body })
    })
  )

  it.live("a repository starts with the requested label set, and unknown sets are rejected", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const make = (path: string, who: typeof ann, issue_labels: string) =>
        api.send("POST", path, { ...who, body: { name: "one", issue_labels } })
      const refused = yield* make("/user/repos", ann, "toString")
      expect([refused.status, refused.json.message]).toEqual([422, "[issue_labels]: `toString` does not exist"])
      for (const [path, who, owner] of [
        ["/user/repos", bob, "bob"],
        ["/orgs/acme/repos", ann, "acme"],
        ["/admin/users/eve/repos", { headers: basic("root") }, "eve"]
      ] as const) {
        expect((yield* make(path, who, "Default")).status).toBe(201)
        const set = yield* api.ask(200, "GET", "/label/templates/Default")
        const given = yield* api.ask(200, "GET", `/repos/${owner}/one/labels`, who)
        const plain = (rows: ReadonlyArray<Record<string, string>>) =>
          rows.map(({ color, description, name }) => ({ color, description, name }))
        expect(given.length).toBe(7)
        expect(plain(given)).toEqual(plain(set).sort((one, other) => (`${one.name}` < `${other.name}` ? -1 : 1)))
      }
    })
  )

  it.live("deleting a user with purge deletes what the user owns", () =>
    Effect.gen(function* () {
      const api = yield* site()
      yield* api.ask(201, "POST", "/user/repos", { ...ann, body: { name: "one" } })
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "two" } })
      yield* api.ask(201, "POST", "/orgs", { ...bob, body: { username: "globex" } })
      const owners = (yield* api.ask(200, "GET", "/orgs/globex/teams", bob))[0].id
      yield* api.ask(204, "PUT", `/teams/${owners}/members/ann`, bob)
      const admin = { headers: basic("root") }
      for (const asked of ["", "?purge=false"]) yield* api.ask(422, "DELETE", `/admin/users/ann${asked}`, admin)
      yield* api.ask(204, "DELETE", "/admin/users/ann?purge=true", admin)
      for (const path of ["/users/ann", "/repos/ann/one", "/orgs/acme", "/repos/acme/two"]) {
        yield* api.ask(404, "GET", path, admin)
      }
      yield* api.ask(200, "GET", "/orgs/globex", admin)
      yield* api.within(Jobs.runDue)
      expect(yield* api.within(Effect.flatMap(GitRepositories, (git) => git.list))).toEqual([])
    })
  )

  it.live("user routes accept the name of an organization, and routes below it return empty lists", () =>
    Effect.gen(function* () {
      const api = yield* site()
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "one" } })
      const read = yield* api.ask(200, "GET", "/users/ACME", bob)
      const { created, id } = read
      expect(read).toEqual(person("acme", { id, created, email: "", description: "makes everything" }))
      expect(namesOf(yield* api.ask(200, "GET", "/users/acme/repos", bob))).toEqual(["acme/one"])
      for (const path of ["followers", "following", "orgs", "activities/feeds"]) {
        yield* api.ask(200, "GET", `/users/acme/${path}`, bob)
      }
      // Routes only for users are 404, even for site administrators.
      const admin = { headers: basic("root") }
      yield* api.ask(404, "POST", "/users/acme/tokens", { ...admin, body: { name: "x", scopes: ["all"] } })
      yield* api.ask(404, "GET", "/users/acme/tokens", admin)
      yield* api.ask(404, "PUT", "/user/following/acme", bob)
      // B1: a private organization is hidden in user routes too.
      yield* api.ask(200, "PATCH", "/orgs/acme", { ...ann, body: { visibility: "private" } })
      for (const path of ["/users/acme", "/users/acme/repos", "/users/acme/orgs"]) {
        yield* api.ask(404, "GET", path, bob)
        yield* api.ask(200, "GET", path, ann)
      }
      yield* api.user("rex", { restricted: true })
      yield* api.ask(200, "PATCH", "/orgs/acme", { ...ann, body: { visibility: "public" } })
      yield* api.ask(404, "GET", "/users/acme", { headers: basic("rex") })
    })
  )
})

describe("team permissions", () => {
  it.live("the admin permission raises any team, and units without a level get the level of the team", () =>
    Effect.gen(function* () {
      const api = yield* site()
      const units_map = { "repo.code": "admin", "repo.wiki": "admin" }
      const crew = yield* newTeam(api, { name: "crew", units_map })
      const edit = (body: Record<string, unknown>) =>
        Effect.map(api.ask(200, "PATCH", `/teams/${crew}`, { ...ann, body }), (team) => [
          team.permission,
          team.units_map
        ])
      expect(yield* edit({ units_map })).toEqual(["admin", units_map])
      const [permission, all] = yield* edit({ permission: "admin" })
      expect([permission, Object.keys(all).length, all["repo.issues"]]).toEqual(["admin", 10, "admin"])
      expect(yield* edit({ units: ["repo.code"] })).toEqual(["admin", { "repo.code": "admin" }])
      expect(yield* edit({ units_map: { "repo.code": "write", "repo.wiki": "read" } })).toEqual([
        "read",
        { "repo.code": "write", "repo.wiki": "read" }
      ])
      expect(yield* edit({ units: ["repo.code", "repo.pulls"] })).toEqual([
        "read",
        { "repo.code": "read", "repo.pulls": "read" }
      ])
    })
  )
})

describe("timestamps", () => {
  // Prevents: clients that compare the same time in two responses find a difference.
  it.live("have second precision, also in webhooks, statuses, tasks, feeds, applications and sessions", () =>
    Effect.gen(function* () {
      const api = yield* site()
      yield* api.ask(201, "POST", "/orgs/acme/repos", { ...ann, body: { name: "one", auto_init: true } })
      const config = { url: "https://ci.example/hook", content_type: "json" }
      const program = { name: "app", redirect_uris: ["https://app.example/callback"] }
      const [commit] = yield* api.ask(200, "GET", "/repos/acme/one/commits", ann)
      const told = [
        yield* api.ask(201, "POST", "/repos/acme/one/hooks", { ...ann, body: { type: "gitea", config } }),
        yield* api.ask(201, "POST", `/repos/acme/one/statuses/${commit.sha}`, { ...ann, body: { state: "success" } }),
        yield* api.ask(201, "POST", "/user/applications/oauth2", { ...ann, body: program }),
        yield* api.ask(200, "GET", "/repos/acme/one/activities/feeds", ann),
        yield* api.ask(200, "GET", "/admin/cron", { headers: basic("root") }),
        yield* api.ask(201, "POST", "/user/sessions", ann)
      ]
      for (const answer of told) expect(JSON.stringify(answer)).not.toMatch(/:\d\d\.\d+Z/)
    })
  )
})
