import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { branchRef, changeProfile, GitReader, GitRepositories, Revision } from "@slipway/domain/forge/code"
import { AvatarName, AvatarStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { basic, type Service } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables of templates are written like that
const cat = { headers: basic("cat") }

const post = (
  api: Service,
  as: { readonly headers: Record<string, string> },
  path: string,
  body: object,
  status = 202
) => api.ask(status, "POST", path, { ...as, body })

/** Ann's repository with two commits, and an organization of Ann's. */
const site = Effect.fnUntraced(function* (kind: (typeof kindsOfGit)[number][1], more = {}) {
  const api = yield* withPeople(kind)
  yield* api.user("cat")
  const id = yield* makeRepository(api, "app", more)
  const first = yield* commitTo(api, id, { "a.txt": "one\ntwo\nthree\n" })
  yield* post(api, ann, "/orgs", { username: "acme" }, 201)
  return { api, id, first }
})

const tip = (api: Service, id: number, branch = "main") =>
  api.within(
    Effect.gen(function* () {
      const found = yield* (yield* GitReader).resolve(id as RepositoryId, Revision.make(branchRef(branch)))
      return found?.commit
    })
  )

for (const [kind, git] of kindsOfGit) {
  describe(`forks, on ${kind}`, () => {
    it.live("have the branches of their parent, work without it, and are synced while its code is readable", () =>
      Effect.gen(function* () {
        const { api, first, id } = yield* site(git)
        const made = yield* post(api, bob, "/repos/ann/app/forks", {})
        expect(made).toMatchObject({
          full_name: "bob/app",
          fork: true,
          private: false,
          empty: false,
          has_issues: false,
          has_pull_requests: true,
          parent: { id, full_name: "ann/app", fork: false, forks_count: 1, parent: null },
          permissions: { admin: true }
        })
        expect(yield* tip(api, made.id)).toBe(first)
        expect((yield* api.ask(200, "GET", "/repos/ann/app", cat)).forks_count).toBe(1)
        const listed = yield* api.ask(200, "GET", "/repos/ann/app/forks", cat)
        expect(listed.map(({ full_name }: { full_name: string }) => full_name)).toEqual(["bob/app"])
        expect((yield* api.ask(200, "GET", "/repos/search?mode=fork", cat)).data).toHaveLength(1)
        expect((yield* api.ask(200, "GET", "/repos/search?mode=source", cat)).data).toHaveLength(1)
        // Each owner has at most one fork of a repository, and can't fork their own.
        yield* post(api, bob, "/repos/ann/app/forks", { name: "again" }, 409)
        yield* post(api, ann, "/repos/ann/app/forks", { name: "mine" }, 409)
        yield* makeRepository(api, "taken")
        yield* api.ask(201, "POST", "/user/repos", { ...cat, body: { name: "app" } })
        yield* post(api, cat, "/repos/ann/app/forks", {}, 409)
        expect((yield* api.ask(200, "GET", "/repos/cat/app", cat)).fork).toBe(false)

        // The parent gets new commits: a sync fast-forwards, merges or fails.
        const upstream = (body: object, status = 200) => post(api, bob, "/repos/bob/app/merge-upstream", body, status)
        expect(yield* upstream({ branch: "main" })).toEqual({ merge_type: "up-to-date" })
        const second = yield* commitTo(api, id, { "a.txt": "one\ntwo\nthree!\n" })
        expect(yield* upstream({ branch: "main" })).toEqual({ merge_type: "fast-forward" })
        expect(yield* tip(api, made.id)).toBe(second)
        yield* commitTo(api, made.id, { "b.txt": "b" })
        yield* commitTo(api, id, { "c.txt": "c" })
        yield* upstream({ branch: "main", ff_only: true }, 409)
        expect(yield* upstream({})).toEqual({ merge_type: "merge" })
        const names = (yield* api.ask(200, "GET", "/repos/bob/app/contents", bob)).map(
          ({ name }: { name: string }) => name
        )
        expect(names).toEqual(["README.md", "a.txt", "b.txt", "c.txt"])
        yield* commitTo(api, made.id, { "a.txt": "mine" })
        yield* commitTo(api, id, { "a.txt": "theirs" })
        const refused = yield* upstream({ branch: "main" }, 409)
        expect(refused.message).toContain("a.txt")
        yield* upstream({ branch: "nothing" }, 404)
        yield* post(api, cat, "/repos/bob/app/merge-upstream", { branch: "main" }, 403)
        yield* post(api, ann, "/repos/ann/app/merge-upstream", { branch: "main" }, 404)

        // I7, I8, CVE-2026-24451: a parent that became private gives nothing to its forks, though they stay forks.
        yield* api.ask(200, "PATCH", "/repos/ann/app", { ...ann, body: { private: true } })
        yield* upstream({ branch: "main" }, 404)
        expect(yield* api.ask(200, "GET", "/repos/bob/app", bob)).toMatchObject({
          fork: true,
          parent: null,
          private: false
        })
        yield* api.ask(200, "PATCH", "/repos/bob/app", { ...bob, body: { private: true } })
        yield* api.ask(422, "PATCH", "/repos/bob/app", { ...bob, body: { private: false } })

        yield* api.ask(204, "DELETE", "/repos/ann/app", ann)
        expect(yield* api.ask(200, "GET", "/repos/bob/app", bob)).toMatchObject({ fork: false, parent: null })
        expect((yield* api.ask(200, "GET", "/repos/bob/app/commits", bob)).length).toBeGreaterThan(3)
        yield* upstream({ branch: "main" }, 404)
        yield* api.ask(200, "PATCH", "/repos/bob/app", { ...bob, body: { private: false } })
      })
    )

    it.live("are private if the parent is private, and start with one branch on request", () =>
      Effect.gen(function* () {
        const { api, id } = yield* site(git, { private: true })
        yield* commitTo(api, id, { "b.txt": "b" }, { branch: "other", from: "main" })
        yield* post(api, bob, "/repos/ann/app/forks", {}, 404)
        yield* api.ask(204, "PUT", "/repos/ann/app/collaborators/bob", { ...ann, body: { permission: "read" } })
        const made = yield* post(api, bob, "/repos/ann/app/forks", { name: "alone", default_branch_only: true })
        expect(made).toMatchObject({ full_name: "bob/alone", private: true, parent: { full_name: "ann/app" } })
        const branches = yield* api.within(
          Effect.flatMap(GitRepositories, (kept) => kept.branches(made.id as RepositoryId))
        )
        expect(branches.map(({ name }) => name)).toEqual(["main"])
        yield* api.ask(404, "GET", "/repos/bob/alone", cat)
        // I10: hidden forks are not listed.
        expect(yield* api.ask(200, "GET", "/repos/ann/app/forks", ann)).toEqual([])
      })
    )

    // I12, B6, CVE-2026-22555: a member without permission to create repositories can't by a fork, a template or a
    // transfer.
    it.live(
      "into an organization require its permission to create repositories, as templates and transfers do (I12, B6)",
      () =>
        Effect.gen(function* () {
          const { api } = yield* site(git)
          const team = (can_create_org_repo: boolean) => ({
            name: can_create_org_repo ? "makers" : "readers",
            can_create_org_repo,
            permission: "read",
            units_map: { "repo.code": "read" }
          })
          const readers = yield* post(api, ann, "/orgs/acme/teams", team(false), 201)
          yield* api.ask(204, "PUT", `/teams/${readers.id}/members/bob`, ann)
          yield* api.ask(200, "PATCH", "/repos/ann/app", { ...ann, body: { template: true } })
          const mine = yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "mine" } })
          const ways = [
            ["/repos/ann/app/forks", { organization: "acme" }],
            ["/repos/ann/app/generate", { owner: "acme", name: "made", git_content: true }],
            ["/orgs/acme/repos", { name: "plain" }]
          ] as const
          for (const [path, body] of ways) yield* post(api, bob, path, body, 403)
          // The transfer is then pending until a user with permission accepts it.
          const offered = yield* post(api, bob, "/repos/bob/mine/transfer", { new_owner: "acme" })
          expect(offered).toMatchObject({
            full_name: "bob/mine",
            repo_transfer: { doer: { login: "bob" }, recipient: { login: "acme" }, teams: null }
          })
          yield* post(api, bob, "/repos/bob/mine/transfer/accept", {}, 404)
          yield* post(api, bob, "/repos/bob/mine/transfer", { new_owner: "cat" }, 409)
          expect((yield* post(api, ann, "/repos/bob/mine/transfer/accept", {})).full_name).toBe("acme/mine")
          const makers = yield* post(api, ann, "/orgs/acme/teams", team(true), 201)
          yield* api.ask(204, "PUT", `/teams/${makers.id}/members/bob`, ann)
          const statuses = [202, 201, 201]
          for (const [at, [path, body]] of ways.entries()) yield* post(api, bob, path, body, statuses[at])
          expect((yield* api.ask(200, "GET", "/repos/acme/app", bob)).permissions.admin).toBe(true)
          // A token without the scope creates nothing there either.
          const token = yield* api.ask(201, "POST", "/users/ann/tokens", {
            ...ann,
            body: { name: "narrow", scopes: ["write:repository"] }
          })
          const narrow = { headers: { authorization: `token ${token.sha1}` } }
          yield* post(api, narrow, "/repos/bob/other/forks", {}, 404)
          yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "other" } })
          yield* post(api, narrow, "/repos/bob/other/forks", { organization: "acme" }, 403)
          expect(mine.full_name).toBe("bob/mine")
        })
    )

    it.live("create repositories from a template, with variables replaced and without its history", () =>
      Effect.gen(function* () {
        const { api, first, id } = yield* site(git)
        yield* post(api, bob, "/repos/ann/app/generate", { owner: "bob", name: "x", git_content: true }, 422)
        yield* api.ask(200, "PATCH", "/repos/ann/app", { ...ann, body: { template: true, description: "An app" } })
        yield* commitTo(api, id, {
          ".gitea/template": "# what is expanded\n*.md\nsrc/**\n",
          "README.md":
            "# ${REPO_NAME_TITLE} of $REPO_OWNER, from $TEMPLATE_NAME\n$HOME ${NOTHING}\n${REPO_HTTPS_URL}\n",
          "kept.txt": "$REPO_NAME",
          "src/${REPO_NAME_SNAKE}.ts": "export const name = '${REPO_NAME_CAMEL}'\n",
          "src/${REPO_LINK}.ts": "..",
          "src/link": { mode: "120000", to: "/etc/passwd" } as never
        })
        yield* api.ask(201, "POST", "/repos/ann/app/labels", { ...ann, body: { name: "bug", color: "ff0000" } })
        yield* post(api, ann, "/repos/ann/app/branch_protections", { rule_name: "main", enable_push: true }, 201)
        yield* post(api, bob, "/repos/ann/app/generate", { owner: "bob", name: "x" }, 422)
        yield* api.ask(204, "PUT", "/repos/ann/app/topics", { ...ann, body: { topics: ["doors", "wood"] } })
        yield* api.within(
          Effect.gen(function* () {
            yield* (yield* AvatarStore).put(AvatarName.make("a".repeat(32)), new Uint8Array([1, 2]))
            yield* changeProfile(id, { avatar: AvatarName.make("a".repeat(32)) })
          })
        )
        const made = yield* post(
          api,
          bob,
          "/repos/ann/app/generate",
          {
            owner: "bob",
            name: "my-door",
            git_content: true,
            labels: true,
            protected_branch: true,
            topics: true,
            avatar: true,
            private: true
          },
          201
        )
        expect(made.topics).toEqual(["doors", "wood"])
        // The avatar is a copy, which stays when the template's is deleted.
        expect(made.avatar_url).toMatch(/\/avatars\/[0-9a-f]{32}$/)
        expect(made.avatar_url).not.toContain("a".repeat(32))
        expect(made).toMatchObject({ full_name: "bob/my-door", private: true, fork: false, description: "An app" })
        const read = (path: string) =>
          Effect.map(api.send("GET", `/repos/bob/my-door/raw/${path}`, bob), ({ text }) => text)
        expect(yield* read("README.md")).toBe(`# My-Door of bob, from app\n$HOME \${NOTHING}\n${made.clone_url}\n`)
        expect(yield* read("kept.txt")).toBe("$REPO_NAME")
        expect(yield* read("src/my_door.ts")).toBe("export const name = 'myDoor'\n")
        yield* api.ask(404, "GET", "/repos/bob/my-door/contents/.gitea/template", bob)
        const commits = yield* api.ask(200, "GET", "/repos/bob/my-door/commits", bob)
        expect([commits.length, commits[0].commit.message, commits[0].author.login]).toEqual([
          1,
          "Initial commit\n",
          "bob"
        ])
        // The template's commits can't be read by their ids either.
        yield* api.ask(404, "GET", `/repos/bob/my-door/git/commits/${first}`, bob)
        expect((yield* api.ask(200, "GET", "/repos/bob/my-door/labels", bob))[0].name).toBe("bug")
        expect((yield* api.ask(200, "GET", "/repos/bob/my-door/branch_protections", bob))[0].rule_name).toBe("main")
        yield* post(api, bob, "/repos/ann/app/generate", { owner: "bob", name: "my-door", labels: true }, 409)
      })
    )
  })
}

describe("transfers", () => {
  const [, [, git]] = kindsOfGit
  const give = (api: Service, body: object, status = 202) => post(api, ann, "/repos/ann/app/transfer", body, status)

  it.live(
    "wait until the new owner accepts, give this owner read access meanwhile, and redirect old names afterwards",
    () =>
      Effect.gen(function* () {
        const { api, id } = yield* site(git, { private: true })
        yield* api.ask(204, "PUT", "/repos/ann/app/collaborators/cat", { ...ann, body: { permission: "write" } })
        yield* give(api, { new_owner: "nobody" }, 404)
        yield* give(api, { new_owner: "ann" }, 422)
        yield* give(api, { new_owner: "bob", team_ids: [1] }, 422)
        yield* api.ask(404, "GET", "/repos/ann/app", bob)
        yield* api.ask(204, "PUT", "/user/blocks/ann", bob)
        expect((yield* give(api, { new_owner: "bob" }, 403)).message).toBe("user is blocked")
        yield* api.ask(204, "DELETE", "/user/blocks/ann", bob)
        expect((yield* give(api, { new_owner: "bob" })).repo_transfer.recipient.login).toBe("bob")
        yield* give(api, { new_owner: "cat" }, 409)
        const seen = yield* api.ask(200, "GET", "/repos/ann/app", bob)
        expect([seen.permissions.push, seen.repo_transfer.doer.login]).toEqual([false, "ann"])
        // Other users can't see the pending transfer.
        expect((yield* api.ask(200, "GET", "/repos/ann/app", cat)).repo_transfer).toBe(null)
        for (const way of ["accept", "reject"]) yield* post(api, cat, `/repos/ann/app/transfer/${way}`, {}, 404)
        yield* post(api, bob, "/repos/ann/app/transfer/reject", {}, 200)
        yield* api.ask(404, "GET", "/repos/ann/app", bob)
        yield* post(api, ann, "/repos/ann/app/transfer/reject", {}, 404)
        // The sender may cancel it, and start another one.
        yield* give(api, { new_owner: "bob" })
        yield* post(api, ann, "/repos/ann/app/transfer/reject", {}, 200)
        yield* give(api, { new_owner: "bob" })
        expect(yield* post(api, bob, "/repos/ann/app/transfer/accept", {})).toMatchObject({
          id,
          full_name: "bob/app",
          repo_transfer: null,
          permissions: { admin: true }
        })
        // A collaborator keeps their access, and the former owner has none.
        expect((yield* api.ask(200, "GET", "/repos/bob/app", cat)).permissions.push).toBe(true)
        yield* api.ask(404, "GET", "/repos/bob/app", ann)
        const old = yield* api.send("GET", "/repos/ann/app", cat)
        expect([old.status, old.headers.get("location")]).toEqual([307, expect.stringContaining("/repos/bob/app")])
        yield* api.ask(404, "GET", "/repos/ann/app", ann)
      })
  )

  it.live(
    "cancel a pending transfer and its read access if they are immediate, but keep access granted later (I7)",
    () =>
      Effect.gen(function* () {
        const { api } = yield* site(git, { private: true })
        yield* give(api, { new_owner: "bob" })
        yield* api.ask(200, "GET", "/repos/ann/app", bob)
        expect((yield* give(api, { new_owner: "acme" })).full_name).toBe("acme/app")
        yield* api.ask(404, "GET", "/repos/acme/app", bob)
        yield* post(api, ann, "/repos/acme/app/transfer", { new_owner: "bob" })
        yield* api.ask(204, "PUT", "/repos/acme/app/collaborators/bob", { ...ann, body: { permission: "write" } })
        yield* post(api, ann, "/repos/acme/app/transfer/reject", {}, 200)
        expect((yield* api.ask(200, "GET", "/repos/acme/app", bob)).permissions.push).toBe(true)
      })
  )

  it.live("to an organization apply its rules for teams, blocks, forks and protections", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site(git)
      yield* post(api, cat, "/orgs", { username: "club" }, 201)
      const crew = yield* post(
        api,
        ann,
        "/orgs/acme/teams",
        { name: "crew", permission: "write", units_map: { "repo.code": "write" } },
        201
      )
      const foreign = yield* post(
        api,
        cat,
        "/orgs/club/teams",
        { name: "crew", permission: "write", units_map: { "repo.code": "write" } },
        201
      )
      yield* api.ask(204, "PUT", `/teams/${crew.id}/members/bob`, ann)
      yield* give(api, { new_owner: "acme", team_ids: [foreign.id] }, 422)
      yield* give(api, { new_owner: "acme", team_ids: [crew.id, 1_000_000] }, 422)
      const given = yield* give(api, { new_owner: "acme", team_ids: [crew.id] })
      expect(given).toMatchObject({ id, full_name: "acme/app", owner: { login: "acme" }, repo_transfer: null })
      expect((yield* api.ask(200, "GET", "/repos/acme/app", bob)).permissions.push).toBe(true)
      yield* post(
        api,
        ann,
        "/repos/acme/app/branch_protections",
        { rule_name: "main", enable_push: true, enable_push_whitelist: true, push_whitelist_teams: ["crew"] },
        201
      )
      yield* commitTo(api, id, { "c.txt": "c" }, { branch: "topic", from: "main" })
      const pull = { title: "Say c", head: "topic", base: "main" }
      yield* post(api, ann, "/repos/acme/app/pulls", pull, 201)
      yield* post(api, ann, "/repos/acme/app/pulls/1/requested_reviewers", { team_reviewers: ["crew"] }, 201)
      // A transfer to an organization where the sender can't create repositories is pending.
      yield* post(api, ann, "/repos/acme/app/transfer", { new_owner: "club" })
      yield* post(api, bob, "/repos/acme/app/transfer/accept", {}, 404)
      expect((yield* post(api, cat, "/repos/acme/app/transfer/accept", {})).full_name).toBe("club/app")
      expect((yield* api.ask(200, "GET", "/repos/club/app", bob)).permissions.push).toBe(false)
      const [rule] = yield* api.ask(200, "GET", "/repos/club/app/branch_protections", cat)
      expect([rule.push_whitelist_teams, rule.enable_push_whitelist]).toEqual([[], true])
      expect((yield* api.ask(200, "GET", "/repos/club/app/pulls/1", cat)).requested_reviewers_teams).toEqual([])
      yield* api.ask(200, "GET", "/repos/club/app", ann)
      yield* api.ask(403, "PATCH", "/repos/club/app", { ...ann, body: { description: "mine" } })
    })
  )
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above
