import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { branchRef, GitReader, GitWriter, PushStore, Revision } from "@slipway/domain/forge/code"
import { Jobs } from "@slipway/forge/background"
import { Effect } from "effect"
import { basic, type Service } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const [, [, onDisk]] = kindsOfGit
const cat = { headers: basic("cat") }
const dora = { headers: basic("dora") }
const pulls = "/repos/ann/app/pulls"

type Caller = typeof ann

const post = (api: Service, as: Caller, path: string, body: object, status: number) =>
  api.ask(status, "POST", path, { ...as, body })

/** Ann's repository, and Bob's fork of it under another name with a branch that changes a file. */
const site = Effect.fnUntraced(function* (more = {}, files: Readonly<Record<string, string>> = {}) {
  const api = yield* withPeople(onDisk)
  yield* api.user("cat")
  const id = yield* makeRepository(api, "app", more)
  const first = yield* commitTo(api, id, { "a.txt": "one\n", ...files })
  yield* api.ask(204, "PUT", "/repos/ann/app/collaborators/bob", { ...ann, body: { permission: "read" } })
  const fork = (yield* post(api, bob, "/repos/ann/app/forks", { name: "mine" }, 202)).id as RepositoryId
  const head = yield* commitTo(api, fork, { "a.txt": "two\n" }, { branch: "topic", from: "main" })
  return { api, id, fork, first, head }
})

const opens = (api: Service, status = 201, head = "bob:topic") =>
  post(api, bob, pulls, { title: "Two", head, base: "main" }, status)

describe("pull requests across forks", () => {
  it.live("are listed to the owner of the fork, hide a private head repository, and record a push when merged", () =>
    Effect.gen(function* () {
      const { api, first, fork, head, id } = yield* site()
      expect(yield* opens(api)).toMatchObject({
        head: { label: "bob:topic", ref: "topic", sha: head, repo_id: fork, repo: { full_name: "bob/mine" } },
        base: { repo: { full_name: "ann/app" } },
        mergeable: true
      })
      yield* opens(api, 409)
      yield* opens(api, 404, "bob:nothing")
      yield* opens(api, 404, "cat:topic")
      // Callers without access to the fork see the head without its repository (I8, I9).
      yield* api.ask(200, "PATCH", "/repos/bob/mine", { ...bob, body: { private: true } })
      expect((yield* api.ask(200, "GET", `${pulls}/1`, cat)).head).toMatchObject({ sha: head, repo: null })
      expect((yield* api.ask(200, "GET", `${pulls}/1/files`, cat))[0].filename).toBe("a.txt")
      yield* api.ask(200, "GET", "/repos/ann/app/pulls?state=open", cat)
      yield* post(api, bob, `${pulls}/1/merge`, { Do: "merge" }, 403)
      yield* post(api, ann, `${pulls}/1/merge`, { Do: "merge", delete_branch_after_merge: true }, 200)
      const merged = yield* api.ask(200, "GET", `${pulls}/1`, ann)
      expect(merged).toMatchObject({ merged: true, merge_base: first })
      // Merging doesn't delete a branch that the merger can't write.
      const tip = yield* api.within(
        Effect.flatMap(GitReader, (reader) => reader.resolve(fork, Revision.make(branchRef("topic"))))
      )
      expect(tip?.commit).toBe(head)
      const { rows } = yield* api.within(Effect.flatMap(PushStore, (kept) => kept.list(id, { page: 1, perPage: 5 })))
      expect(rows[0]?.refs).toMatchObject([
        { ref: "refs/heads/main", before: first, after: merged.merge_commit_sha, forced: false, commitCount: 2 }
      ])
      expect(rows[0]?.event).toMatchObject({ action: "git.push", actor: { name: "ann" } })
    })
  )

  it.live("can be compared as owner:branch before they are opened, by callers who can read the fork", () =>
    Effect.gen(function* () {
      const { api, fork, head, id } = yield* site()
      const compare = (name: string, as: Caller, status = 200) =>
        api.ask(status, "GET", `/repos/ann/app/compare/main...${name}`, as)
      for (const name of ["bob:topic", "bob/mine:topic"]) {
        const { commits, total_commits } = yield* compare(name, cat)
        expect([total_commits, commits.map(({ sha }: { sha: string }) => sha)]).toEqual([1, [head]])
        expect(commits[0].files).toEqual([{ filename: "a.txt", status: "modified" }])
      }
      expect((yield* compare("ann:main", cat)).total_commits).toBe(0)
      for (const name of ["bob:nothing", "nobody:topic", "bob/app:topic"]) yield* compare(name, cat, 404)
      yield* api.ask(200, "PATCH", "/repos/bob/mine", { ...bob, body: { private: true } })
      const [hidden, missing] = [yield* compare("bob:topic", cat, 404), yield* compare("nobody:topic", cat, 404)]
      expect(hidden).toEqual(missing)
      expect((yield* compare("bob:topic", bob)).total_commits).toBe(1)
      // Comparing leaves no ref to commits of the fork.
      const refs = yield* api.within(
        Effect.flatMap(GitReader, (git) => git.resolve(id, Revision.make(`refs/slipway/${head}`)))
      )
      expect([refs, fork === id]).toEqual([undefined, false])
    })
  )

  it.live("have diff and patch links that return the same as the API to the same callers", () =>
    Effect.gen(function* () {
      const { api } = yield* site({ private: true })
      const opened = yield* opens(api)
      for (const [field, path] of [
        ["diff_url", `${pulls}/1.diff`],
        ["patch_url", `${pulls}/1.patch`]
      ] as const) {
        const link = new URL(opened[field]).pathname
        const [byLink, byApi] = [yield* api.fetch("GET", link, ann), yield* api.send("GET", path, ann)]
        expect([link, byLink.status, byLink.text]).toEqual([link, 200, byApi.text])
        expect(byLink.text).toContain("+two")
        expect((yield* api.fetch("GET", link, cat)).status).toBe(404)
      }
    })
  )

  it.live("are hidden from authors without access when the parent becomes private (I7, I8)", () =>
    Effect.gen(function* () {
      const { api, head } = yield* site()
      const review = yield* opens(api).pipe(
        Effect.andThen(post(api, ann, `${pulls}/1/reviews`, { event: "COMMENT", body: "Two?" }, 200))
      )
      const mine = () => api.ask(200, "GET", "/repos/issues/search?type=pulls&created=true", bob)
      expect(yield* mine()).toHaveLength(1)
      yield* api.ask(204, "DELETE", "/repos/ann/app/collaborators/bob", ann)
      yield* api.ask(200, "PATCH", "/repos/ann/app", { ...ann, body: { private: true } })
      const below = ["", "/files", "/commits", ".diff", ".patch", "/merge", "/reviews", `/reviews/${review.id}`]
      for (const path of ["", "/pinned", "/main/bob:topic", ...below.map((each) => `/1${each}`)]) {
        yield* api.ask(404, "GET", `${pulls}${path}`, bob)
      }
      yield* api.ask(404, "GET", `/repos/ann/app/commits/${head}/pull`, bob)
      yield* api.ask(404, "PATCH", `${pulls}/1`, { ...bob, body: { title: "Mine" } })
      yield* post(api, bob, `${pulls}/1/reviews`, { event: "COMMENT", body: "Still?" }, 404)
      expect(yield* mine()).toEqual([])
      yield* opens(api, 404)
    })
  )

  it.live("are closed when their fork or its owner is deleted, before any other push to the base", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      yield* api.user("root", { admin: true })
      const root = { headers: basic("root") }
      yield* opens(api)
      const other = (yield* post(api, cat, "/repos/ann/app/forks", { name: "other" }, 202)).id as RepositoryId
      yield* commitTo(api, other, { "a.txt": "three\n" }, { branch: "door", from: "main" })
      yield* post(api, cat, pulls, { title: "Three", head: "cat:door", base: "main" }, 201)
      yield* api.ask(204, "DELETE", "/repos/bob/mine", bob)
      yield* api.within(Jobs.runDue)
      const states = Effect.map(api.ask(200, "GET", `${pulls}?state=all&sort=oldest`, ann), (rows) =>
        rows.map(({ state }: { state: string }) => state)
      )
      expect(yield* states).toEqual(["closed", "open"])
      yield* api.ask(204, "DELETE", "/admin/users/cat?purge=true", root)
      yield* api.within(Jobs.runDue)
      expect(yield* states).toEqual(["closed", "closed"])
    })
  )

  it.live("leave no ref to hidden commits when they are rejected, updated or deleted (I9)", () =>
    Effect.gen(function* () {
      const { api, fork, head, id } = yield* site()
      yield* api.ask(200, "PATCH", "/repos/bob/mine", { ...bob, body: { private: true } })
      const body = { title: "Two", head: "bob:topic", base: "main", reviewers: ["nobody"] }
      yield* post(api, bob, pulls, body, 422)
      const leads = (at: RepositoryId, ref: string) =>
        api.within(Effect.flatMap(GitReader, (git) => git.resolve(at, Revision.make(ref))))
      expect(yield* leads(id, `refs/slipway/${head}`)).toBe(undefined)
      yield* opens(api)
      expect((yield* leads(id, "refs/pull/1/head"))?.commit).toBe(head)
      expect(yield* leads(id, `refs/slipway/${head}`)).toBe(undefined)
      const base = yield* commitTo(api, id, { "b.txt": "b\n" })
      yield* post(api, bob, `${pulls}/1/update`, {}, 200)
      expect(yield* leads(fork, `refs/slipway/${base}`)).toBe(undefined)
      yield* api.ask(204, "DELETE", "/repos/ann/app/issues/1", ann)
      expect(yield* leads(id, "refs/pull/1/head")).toBe(undefined)
      yield* api.ask(404, "GET", "/repos/ann/app/git/refs/pull", cat)
    })
  )

  it.live("request reviews from the code owners in the base, users and teams", () =>
    Effect.gen(function* () {
      const owners = [
        ".*\\\\.txt @cat @nobody @other/team # who writes",
        "!docs/.* @dora",
        "!.*[.]txt @eve",
        "a @eve",
        "( @eve",
        "* @eve"
      ]
      const { api } = yield* site({}, { ".gitea/CODEOWNERS": owners.join("\n") })
      for (const name of ["dora", "eve"]) yield* api.user(name)
      yield* api.ask(204, "PUT", "/repos/ann/app/collaborators/cat", { ...ann, body: { permission: "write" } })
      const made = yield* opens(api)
      expect(made.requested_reviewers.map(({ login }: { login: string }) => login)).toEqual(["cat", "dora"])
      expect(made.requested_reviewers_teams ?? []).toEqual([])
    })
  )

  it.live("request each code owner once: when a draft becomes ready, or when a later push changes their files", () =>
    Effect.gen(function* () {
      const owners = ".*[.]txt @cat\n.*[.]md @dora"
      const { api, fork } = yield* site({}, { CODEOWNERS: owners })
      yield* api.user("dora")
      const asked = Effect.map(api.ask(200, "GET", `${pulls}/1`, ann), ({ requested_reviewers }) =>
        requested_reviewers.map(({ login }: { login: string }) => login)
      )
      const pushes = (files: Readonly<Record<string, string>>) =>
        commitTo(api, fork, files, { branch: "topic" }).pipe(
          Effect.andThen(
            api.within(
              Effect.flatMap(Transaction, ({ run }) =>
                run(Jobs.add({ _tag: "RefreshPulls", repositoryId: fork, branch: "topic" }))
              )
            )
          ),
          Effect.andThen(Effect.repeat(api.within(Jobs.runDue), { while: (done) => done > 0 }))
        )
      yield* post(api, bob, pulls, { title: "WIP: Two", head: "bob:topic", base: "main" }, 201)
      yield* pushes({ "a.txt": "three\n" })
      expect(yield* asked).toEqual([])
      yield* api.ask(201, "PATCH", "/repos/ann/app/issues/1", { ...bob, body: { title: "Two" } })
      yield* api.within(Jobs.runDue)
      expect(yield* asked).toEqual(["cat"])
      // A removed reviewer is not requested again, and a requested one not twice.
      yield* api.ask(204, "DELETE", `${pulls}/1/requested_reviewers`, { ...ann, body: { reviewers: ["cat"] } })
      yield* pushes({ "a.txt": "four\n", "a.md": "four\n" })
      expect(yield* asked).toEqual(["dora"])
      yield* pushes({ "b.txt": "five\n", "b.md": "five\n" })
      expect(yield* asked).toEqual(["dora"])
      // A comment fulfils no request; a reviewer is not asked again.
      yield* api.ask(200, "POST", `${pulls}/1/reviews`, { ...dora, body: { event: "COMMENT", body: "Read" } })
      expect(yield* asked).toEqual(["dora"])
      yield* api.ask(200, "POST", `${pulls}/1/reviews`, { ...dora, body: { event: "APPROVED", body: "Good" } })
      yield* pushes({ "c.md": "six\n" })
      expect(yield* asked).toEqual([])
    })
  )

  it.live("are merged with the message template of the base, unless the request has a message", () =>
    Effect.gen(function* () {
      const variable = (name: string) => `\${${name}}`
      const template = `${variable("PullRequestTitle")} (${variable("PullRequestReference")})\n\n${variable("HeadBranch")} ${variable("No")}\n`
      const { api, fork } = yield* site({}, { ".gitea/default_merge_message/REBASE-MERGE_TEMPLATE.md": template })
      yield* opens(api)
      yield* commitTo(api, fork, { "b.txt": "b\n" }, { branch: "other", from: "main" })
      yield* opens(api, 201, "bob:other")
      const merges = (number: number, body: object) => post(api, ann, `${pulls}/${number}/merge`, body, 200)
      const message = Effect.map(
        api.ask(200, "GET", "/repos/ann/app/commits?limit=1", ann),
        ([{ commit }]) => commit.message
      )
      yield* merges(1, { Do: "rebase-merge" })
      expect(yield* message).toBe(`Two (#1)\n\ntopic ${variable("No")}\n`)
      yield* merges(2, { Do: "rebase-merge", MergeTitleField: "Mine", MergeMessageField: "Said" })
      expect(yield* message).toBe("Mine\n\nSaid\n")
    })
  )

  it.live("are marked as manually merged only with a commit of the base, if the repository allows it", () =>
    Effect.gen(function* () {
      const { api, first, head, id } = yield* site()
      yield* opens(api)
      const by = (merge_commit_id: string, status: number) =>
        post(api, ann, `${pulls}/1/merge`, { Do: "manually-merged", MergeCommitID: merge_commit_id }, status)
      yield* by(first, 405)
      yield* api.ask(200, "PATCH", "/repos/ann/app", { ...ann, body: { allow_manual_merge: true } })
      yield* by(head, 405)
      yield* by("0".repeat(40), 405)
      yield* api.within(
        Effect.flatMap(GitWriter, (git) => Effect.orDie(git.updateRefs(id, [{ ref: branchRef("main"), to: head }])))
      )
      yield* by(head, 200)
      expect(yield* api.ask(200, "GET", `${pulls}/1`, ann)).toMatchObject({ merged: true, merge_commit_sha: head })
      yield* by(head, 405)
    })
  )
})

describe("required checks", () => {
  it.live("block merges until all required checks pass, and then scheduled merges happen", () =>
    Effect.gen(function* () {
      const { api, head, id } = yield* site()
      yield* post(
        api,
        ann,
        "/repos/ann/app/branch_protections",
        {
          rule_name: "main",
          enable_push: true,
          enable_status_check: true,
          status_check_contexts: ["ci/*"],
          block_admin_merge_override: true
        },
        201
      )
      yield* opens(api)
      expect((yield* api.ask(200, "GET", `${pulls}/1`, ann)).mergeable).toBe(false)
      const refused = yield* post(api, ann, `${pulls}/1/merge`, { Do: "merge" }, 405)
      expect(refused.message).toContain("status-checks")
      const says = (state: string, context: string, status = 201, as = ann) =>
        post(api, as, `/repos/ann/app/statuses/${head}`, { state, context }, status)
      yield* says("success", "ci/build", 403, bob)
      yield* post(api, ann, `${pulls}/1/merge`, { Do: "merge", merge_when_checks_succeed: true }, 201)
      // Another check, a failed one and a pending one don't suffice.
      const runs = Effect.andThen(api.within(Jobs.runDue), api.within(Jobs.runDue))
      for (const [state, context] of [
        ["success", "lint"],
        ["failure", "ci/build"],
        ["pending", "ci/test"],
        ["success", "ci/build"]
      ] as const) {
        yield* says(state, context)
        yield* runs
        expect((yield* api.ask(200, "GET", `${pulls}/1`, ann)).merged).toBe(false)
      }
      yield* says("success", "ci/test")
      yield* runs
      expect(yield* api.ask(200, "GET", `${pulls}/1`, ann)).toMatchObject({
        merged: true,
        merged_by: { login: "ann" }
      })
      const { rows } = yield* api.within(Effect.flatMap(PushStore, (kept) => kept.list(id, { page: 1, perPage: 5 })))
      expect(rows).toHaveLength(1)
    })
  )
})
