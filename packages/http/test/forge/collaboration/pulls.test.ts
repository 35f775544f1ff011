import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { branchRef, GitWriter, ProtectionStore, strictRules } from "@slipway/domain/forge/code"
import { type IssueId, issues, mergePlans } from "@slipway/domain/forge/collaboration"
import { type UserId, UserStore } from "@slipway/domain/forge/identity"
import { Jobs } from "@slipway/forge/background"
import { joinCommits } from "@slipway/forge/code"
import { Effect } from "effect"
import { basic, bearer, rootUrl, type Service } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const cat = { headers: basic("cat") }
const base = "/repos/ann/app"
const pulls = `${base}/pulls`
const lines = (...over: ReadonlyArray<readonly [number, string]>) =>
  Array.from({ length: 9 }, (_, n) => over.find(([at]) => at === n + 1)?.[1] ?? `line ${n + 1}`).join("\n")

/** Ann's repository with a file, where Bob has write access and Cat none, and a branch of Bob's that changes a line. */
const site = Effect.fnUntraced(function* (kind: (typeof kindsOfGit)[number][1]) {
  const api = yield* withPeople(kind)
  yield* api.user("cat")
  const id = yield* makeRepository(api, "app")
  yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "write" } })
  const first = yield* commitTo(api, id, { "a.txt": lines() })
  const head = yield* commitTo(api, id, { "a.txt": lines([2, "two"]) }, { branch: "topic", from: "main" })
  return { api, id, first, head }
})

const open = (api: Service, head = "topic", more: object = {}, as = bob) =>
  api.ask(201, "POST", pulls, { ...as, body: { title: "Say two", head, base: "main", ...more } })

const merge = (api: Service, index: number, body: object, as = ann, status = 200) =>
  api.ask(status, "POST", `${pulls}/${index}/merge`, { ...as, body })

for (const [kind, git] of kindsOfGit) {
  describe(`pull requests, on ${kind}`, () => {
    it.live("are opened, read, reviewed, changed and merged", () =>
      Effect.gen(function* () {
        const { api, first, head, id } = yield* site(git)
        const made = yield* open(api, "topic", { body: "Because" })
        expect(made).toMatchObject({
          number: 1,
          title: "Say two",
          body: "Because",
          state: "open",
          draft: false,
          mergeable: true,
          merged: false,
          merged_by: null,
          merge_base: first,
          user: { login: "bob" },
          additions: 1,
          deletions: 1,
          changed_files: 1,
          html_url: `${rootUrl}/ann/app/pulls/1`,
          base: { label: "main", ref: "main", sha: first, repo_id: id, repo: { full_name: "ann/app" } },
          head: { label: "topic", ref: "topic", sha: head, repo_id: id }
        })
        expect(yield* api.ask(200, "GET", `${pulls}/1`, ann)).toMatchObject({ number: 1, mergeable: true })
        expect((yield* api.ask(200, "GET", `${pulls}/main/topic`, ann)).number).toBe(1)
        const [file] = yield* api.ask(200, "GET", `${pulls}/1/files`, ann)
        expect(file).toMatchObject({ filename: "a.txt", status: "changed", additions: 1, deletions: 1, changes: 2 })
        const [commit, ...others] = yield* api.ask(200, "GET", `${pulls}/1/commits`, ann)
        expect([commit.sha, others.length]).toEqual([head, 0])
        const [brief] = yield* api.ask(200, "GET", `${pulls}/1/commits?files=false&verification=false`, ann)
        expect([brief.files, brief.commit.verification, brief.stats]).toEqual([
          null,
          null,
          { total: 2, additions: 1, deletions: 1 }
        ])
        const diff = yield* api.send("GET", `${pulls}/1.diff`, ann)
        expect(diff.text).toContain("-line 2\n+two\n")
        const patch = yield* api.send("GET", `${pulls}/1.patch`, ann)
        expect(patch.text).toContain("Subject: [PATCH] Change things")

        // Ann requests a change on an existing line.
        yield* api.ask(201, "POST", `${pulls}/1/requested_reviewers`, { ...bob, body: { reviewers: ["ann"] } })
        expect((yield* api.ask(200, "GET", `${pulls}/1`, ann)).requested_reviewers[0].login).toBe("ann")
        const asked = (query: string, as: typeof ann) =>
          Effect.map(api.ask(200, "GET", `/repos/issues/search?state=all&${query}=true`, as), (rows) =>
            rows.map(({ number }: { number: number }) => number)
          )
        expect(yield* asked("review_requested", ann)).toEqual([1])
        expect(yield* asked("reviewed", ann)).toEqual([])
        yield* api.ask(422, "POST", `${pulls}/1/reviews`, {
          ...ann,
          body: { event: "REQUEST_CHANGES", comments: [{ path: "a.txt", body: "no", new_position: 90 }] }
        })
        const review = yield* api.ask(200, "POST", `${pulls}/1/reviews`, {
          ...ann,
          body: { event: "REQUEST_CHANGES", comments: [{ path: "a.txt", body: "Say zwei", new_position: 2 }] }
        })
        expect(review).toMatchObject({ state: "REQUEST_CHANGES", official: true, stale: false, comments_count: 1 })
        expect((yield* api.ask(200, "GET", `${pulls}/1`, ann)).requested_reviewers).toEqual([])
        expect(yield* asked("review_requested", ann)).toEqual([])
        expect(yield* asked("reviewed", ann)).toEqual([1])
        expect(yield* asked("reviewed", bob)).toEqual([])
        const [remark] = yield* api.ask(200, "GET", `${pulls}/1/reviews/${review.id}/comments`, bob)
        expect(remark).toMatchObject({ path: "a.txt", position: 2, original_position: 0, body: "Say zwei" })
        expect(remark.diff_hunk.endsWith("-line 2\n+two")).toBe(true)
        const reply = yield* api.ask(201, "POST", `${pulls}/1/comments/${remark.id}/replies`, {
          ...bob,
          body: { body: "Done" }
        })
        expect(reply).toMatchObject({
          body: "Done",
          user: { login: "bob" },
          path: "a.txt",
          pull_request_review_id: review.id
        })
        const said = yield* api.ask(200, "GET", `${pulls}/1/reviews/${review.id}/comments`, bob)
        expect(said.map(({ body }: { body: string }) => body)).toEqual(["Say zwei", "Done"])
        yield* api.ask(204, "POST", `${pulls}/comments/${remark.id}/resolve`, bob)
        yield* api.ask(403, "POST", `${pulls}/comments/${remark.id}/unresolve`, cat)

        yield* api.ask(422, "POST", `${pulls}/1/reviews`, { ...bob, body: { event: "APPROVED" } })
        yield* api.ask(200, "POST", `${pulls}/1/reviews`, { ...ann, body: { event: "APPROVED" } })
        yield* api.ask(403, "POST", `${pulls}/1/merge`, { ...cat, body: { Do: "merge" } })
        yield* api.ask(404, "GET", `${pulls}/1/merge`, ann)
        yield* merge(api, 1, { Do: "merge", head_commit_id: first }, ann, 409)
        yield* merge(api, 1, { Do: "merge" })
        yield* api.ask(204, "GET", `${pulls}/1/merge`, ann)
        const after = yield* api.ask(200, "GET", `${pulls}/1`, ann)
        expect(after).toMatchObject({ state: "closed", merged: true, mergeable: false, merged_by: { login: "ann" } })
        expect((yield* api.ask(200, "GET", `${base}/issues/1`, ann)).pull_request).toEqual({
          merged: true,
          merged_at: after.merged_at,
          draft: false,
          html_url: `${rootUrl}/ann/app/pulls/1`
        })
        const [top] = yield* api.ask(200, "GET", `${base}/commits`, ann)
        expect(top.sha).toBe(after.merge_commit_sha)
        expect(top.parents.map(({ sha }: { sha: string }) => sha)).toEqual([first, head])
        expect(top.commit.message).toBe("Merge pull request 'Say two' (#1) from topic into main\n")
        expect((yield* api.ask(200, "GET", `${base}/commits/${top.sha}/pull`, ann)).number).toBe(1)
        yield* merge(api, 1, { Do: "merge" }, ann, 405)
      })
    )

    it.live("are merged with each style, and name the files in conflict", () =>
      Effect.gen(function* () {
        const { api, id } = yield* site(git)
        yield* commitTo(api, id, { "a.txt": lines([2, "other"]) }, { branch: "conflict", from: "main" })
        const styles = ["squash", "rebase", "rebase-merge", "fast-forward-only"]
        for (const [n, style] of styles.entries()) {
          yield* commitTo(api, id, { [`${style}.txt`]: style }, { branch: style, from: "main" })
          const { number } = yield* open(api, style)
          expect(number).toBe(n + 1)
          yield* merge(api, number, { Do: style, MergeTitleField: `By ${style}` })
        }
        const all: ReadonlyArray<{ commit: { message: string; author: { name: string } } }> = yield* api.ask(
          200,
          "GET",
          `${base}/commits`,
          ann
        )
        const titles = all.map(({ commit }) => commit.message.split("\n")[0])
        expect(titles.toSorted()).toEqual([
          "By rebase-merge",
          "By squash",
          "Change things",
          "Change things",
          "Change things",
          "Change things",
          "Initial commit"
        ])
        // A squashed commit has the pull request's author, and its commits' authors as co-authors.
        const squashed = all.find(({ commit }) => commit.message.startsWith("By squash"))
        expect(squashed?.commit.author.name).toBe("bob")
        expect(squashed?.commit.message).toContain("\n\nCo-authored-by: Ann <ann@example.com>\n")
        const one = yield* open(api, "topic")
        const other = yield* open(api, "conflict")
        yield* merge(api, one.number, { Do: "merge" })
        const told = yield* merge(api, other.number, { Do: "squash" }, ann, 409)
        expect(told.message).toBe("both sides changed: a.txt")
        expect(yield* api.ask(200, "GET", `${pulls}/${other.number}`, ann)).toMatchObject({
          mergeable: false,
          conflicted_files: ["a.txt"]
        })
      })
    )
  })
}

const [, memory] = kindsOfGit[0]

describe("pull requests, by the rules", () => {
  it.live("are rejected if there is nothing to merge, or if the same pull request is already open", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site(memory)
      const refused = (body: object, status: number, as = bob) =>
        Effect.map(api.ask(status, "POST", pulls, { ...as, body: { title: "x", ...body } }), ({ message }) => message)
      yield* refused({ head: "topic", base: "nope" }, 404)
      yield* refused({ head: "nope", base: "main" }, 404)
      yield* refused({ head: "eve:topic", base: "main" }, 404)
      expect(yield* refused({ head: "main", base: "main" }, 422)).toBe("[head]: is the same as the base")
      expect(yield* refused({ head: "main", base: "topic" }, 422)).toBe("[head]: has no commits that the base lacks")
      yield* commitTo(api, id, { "z.txt": "z" }, { branch: "orphan" })
      expect(yield* refused({ head: "orphan", base: "main" }, 422)).toMatch(/^\[head\]: /)
      yield* open(api)
      yield* refused({ head: "topic", base: "main" }, 409)
      yield* api.ask(404, "GET", `${pulls}/2`, ann)
      yield* api.ask(201, "POST", `${base}/issues`, { ...ann, body: { title: "An issue" } })
      yield* api.ask(404, "GET", `${pulls}/2`, ann)
      // Issues and closed pull requests can't be merged.
      yield* merge(api, 2, { Do: "merge" }, ann, 404)
      yield* api.ask(201, "PATCH", `${pulls}/1`, { ...ann, body: { state: "closed" } })
      yield* merge(api, 1, { Do: "merge" }, ann, 405)
    })
  )

  it.live("keep approvals only for the reviewed head and base (I20, B14, CVE-2026-58439)", () =>
    Effect.gen(function* () {
      const { api, head, id } = yield* site(memory)
      yield* commitTo(api, id, { "b.txt": "b" }, { branch: "other", from: "main" })
      yield* open(api)
      yield* api.ask(200, "POST", `${pulls}/1/reviews`, { ...ann, body: { event: "APPROVED" } })
      const stale = Effect.map(api.ask(200, "GET", `${pulls}/1/reviews`, ann), ([review]) => review.stale)
      expect(yield* stale).toBe(false)
      yield* api.ask(201, "PATCH", `${pulls}/1`, { ...bob, body: { base: "other" } })
      expect(yield* stale).toBe(true)
      // A return to the first base does not restore the approval.
      yield* api.ask(201, "PATCH", `${pulls}/1`, { ...bob, body: { base: "main" } })
      expect(yield* stale).toBe(true)
      yield* api.ask(200, "POST", `${pulls}/1/reviews`, { ...ann, body: { event: "APPROVED", commit_id: head } })
      yield* commitTo(api, id, { "c.txt": "c" }, { branch: "topic" })
      yield* merge(api, 1, { Do: "merge", head_commit_id: head }, ann, 409)
      const reviews = yield* api.ask(200, "GET", `${pulls}/1/reviews`, ann)
      expect(reviews.map((each: { stale: boolean }) => each.stale)).toEqual([true, true])
    })
  )

  it.live("show pending reviews only to their authors, and no ids of them to others (I6)", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site(memory)
      yield* commitTo(api, id, { "b.txt": "b" }, { branch: "other", from: "main" })
      yield* open(api)
      yield* open(api, "other")
      const pending = yield* api.ask(200, "POST", `${pulls}/1/reviews`, { ...ann, body: { body: "not yet" } })
      expect(pending.state).toBe("PENDING")
      yield* api.ask(404, "GET", `${pulls}/1/reviews/${pending.id}`, bob)
      yield* api.ask(404, "POST", `${pulls}/1/reviews/${pending.id}`, { ...bob, body: { event: "APPROVED" } })
      expect(yield* api.ask(200, "GET", `${pulls}/1/reviews`, bob)).toEqual([])
      yield* api.ask(404, "GET", `${pulls}/2/reviews/${pending.id}`, ann)
      // A pending review is not public (I4).
      const publicOnly = { headers: bearer(yield* api.mint("ann", ["all", "public-only"])) }
      yield* api.ask(404, "GET", `${pulls}/1/reviews/${pending.id}`, publicOnly)
      yield* api.ask(404, "GET", `${pulls}/1/reviews/${pending.id}/comments`, publicOnly)
      expect(yield* api.ask(200, "GET", `${pulls}/1/reviews`, publicOnly)).toEqual([])
      yield* api.ask(200, "POST", `${pulls}/1/reviews/${pending.id}`, { ...ann, body: { event: "COMMENT" } })
      expect((yield* api.ask(200, "GET", `${pulls}/1/reviews`, bob)).length).toBe(1)
    })
  )

  it.live("are merged only once by two concurrent requests", () =>
    Effect.gen(function* () {
      const { api } = yield* site(memory)
      yield* open(api)
      const answers = yield* Effect.all(
        [ann, bob, ann].map((who) => api.send("POST", `${pulls}/1/merge`, { ...who, body: { Do: "squash" } })),
        { concurrency: "unbounded" }
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect((yield* api.ask(200, "GET", `${base}/commits`, ann)).length).toBe(3)
    })
  )

  it.live(
    "require write access to the head to allow maintainer edits or to update the branch (B6, I13, CVE-2026-26231)",
    () =>
      Effect.gen(function* () {
        const { api, id } = yield* site(memory)
        yield* api.ask(201, "POST", "/user/repos", { ...cat, body: { name: "app", auto_init: true } })
        yield* open(api)
        yield* api.ask(403, "PATCH", `${pulls}/1`, { ...cat, body: { allow_maintainer_edit: true } })
        yield* api.ask(403, "POST", `${pulls}/1/update`, cat)
        yield* commitTo(api, id, { "b.txt": "b" })
        yield* api.ask(200, "POST", `${pulls}/1/update`, bob)
        const [top] = yield* api.ask(200, "GET", `${pulls}/1/commits`, ann)
        expect(top.commit.message).toBe("Merge branch 'main' into topic\n")
        expect((yield* api.ask(200, "GET", `${pulls}/1`, ann)).mergeable).toBe(true)
      })
  )

  it.live("wait for the requirements of the base's protection, and are then merged automatically (I18)", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site(memory)
      const at = "2026-01-01T00:00:00.000Z"
      const approvals = { ...strictRules.approvals, required: 1 }
      yield* api.within(
        Effect.flatMap(ProtectionStore, (store) =>
          Effect.orDie(
            store.insertBranch({
              ...strictRules,
              approvals,
              repositoryId: id,
              ruleName: "main",
              priority: 1,
              createdAt: at,
              updatedAt: at
            })
          )
        )
      )
      expect(yield* open(api)).toMatchObject({ mergeable: false, blocked_by: ["approvals"] })
      const told = yield* merge(api, 1, { Do: "merge" }, ann, 405)
      expect(told.message).toBe("the rule `main` still requires: approvals")
      yield* merge(api, 1, { Do: "merge", merge_when_checks_succeed: true }, bob, 201)
      yield* merge(api, 1, { Do: "merge", merge_when_checks_succeed: true }, bob, 409)
      yield* api.ask(204, "DELETE", `${pulls}/1/merge`, bob)
      yield* api.ask(404, "DELETE", `${pulls}/1/merge`, bob)
      yield* merge(api, 1, { Do: "merge", merge_when_checks_succeed: true }, bob, 201)
      // A review of a user without permissions does not count.
      yield* api.ask(200, "POST", `${pulls}/1/reviews`, { ...cat, body: { event: "APPROVED" } })
      yield* api.within(Jobs.runDue)
      yield* api.ask(404, "GET", `${pulls}/1/merge`, ann)
      yield* api.ask(200, "POST", `${pulls}/1/reviews`, { ...ann, body: { event: "APPROVED" } })
      yield* api.within(Jobs.runDue)
      expect(yield* api.ask(200, "GET", `${pulls}/1`, ann)).toMatchObject({ merged: true, merged_by: { login: "bob" } })
    })
  )

  for (const [when, isMoved] of [
    ["before it moved the branch", false],
    ["after it moved the branch", true]
  ] as const) {
    it.live(`are merged exactly once even if the process crashed ${when}`, () =>
      Effect.gen(function* () {
        const { api, first, head, id } = yield* site(memory)
        yield* open(api)
        const to = yield* api.within(
          Effect.gen(function* () {
            const who = { name: "Ann", email: "ann@example.com", seconds: 1_770_000_000, offset: "+0000" }
            const sides = { repository: id, base: first, head, committer: who, author: who, message: "Joined\n" }
            const to = yield* joinCommits("merge", sides)
            const [issue] = (yield* (yield* issues.store).list({ repositoryId: id }, { limit: 1 })).rows
            const merger = yield* (yield* UserStore).named("ann")
            const at = "2026-01-01T00:00:00.000Z"
            yield* (yield* mergePlans.store).insert({
              issueId: issue?.id as IssueId,
              repositoryId: id,
              mergerId: merger?.user.id as UserId,
              style: "merge",
              title: "",
              message: "",
              deleteBranch: false,
              headSha: head,
              from: first,
              to,
              pushId: null,
              event: {} as never,
              createdAt: at
            })
            if (isMoved) yield* (yield* GitWriter).updateRefs(id, [{ ref: branchRef("main"), to }])
            yield* Effect.flatMap(Transaction, ({ run }) =>
              run(Jobs.add({ _tag: "FinishMerge", issueId: issue?.id as IssueId }))
            )
            return to
          }).pipe(Effect.orDie)
        )
        yield* api.within(Jobs.runDue)
        yield* api.within(Jobs.runDue)
        const after = yield* api.ask(200, "GET", `${pulls}/1`, ann)
        expect(after).toMatchObject({ merged: true, merge_commit_sha: to })
        expect((yield* api.ask(200, "GET", `${base}/commits`, ann))[0].sha).toBe(to)
      })
    )
  }

  it.live("are checked again after a push to either branch", () =>
    Effect.gen(function* () {
      const { api, first, id } = yield* site(memory)
      yield* open(api)
      yield* api.ask(200, "POST", `${pulls}/1/reviews`, {
        ...ann,
        body: { event: "COMMENT", comments: [{ path: "a.txt", body: "hm", new_position: 2 }] }
      })
      const head = yield* commitTo(api, id, { "a.txt": `new\n${lines([2, "two"])}` }, { branch: "topic" })
      const pushed = (branch: string) =>
        api.within(
          Effect.andThen(
            Effect.flatMap(Transaction, ({ run }) => run(Jobs.add({ _tag: "RefreshPulls", repositoryId: id, branch }))),
            Jobs.runDue
          )
        )
      yield* pushed("topic")
      expect((yield* api.ask(200, "GET", `${pulls}/1`, ann)).head.sha).toBe(head)
      const [review] = yield* api.ask(200, "GET", `${pulls}/1/reviews`, ann)
      const place = Effect.map(
        api.ask(200, "GET", `${pulls}/1/reviews/${review.id}/comments`, ann),
        ([comment]) => comment.position
      )
      expect(yield* place).toBe(3)
      yield* commitTo(api, id, { "a.txt": lines([2, "zwei"]) }, { branch: "topic" })
      yield* pushed("topic")
      expect(yield* place).toBe(0)
      yield* commitTo(api, id, { "a.txt": lines([2, "deux"]) })
      yield* pushed("main")
      expect(yield* api.ask(200, "GET", `${pulls}/1`, ann)).toMatchObject({
        mergeable: false,
        conflicted_files: ["a.txt"],
        merge_base: first
      })
      yield* api.within(
        Effect.flatMap(GitWriter, (git) => Effect.orDie(git.updateRefs(id, [{ ref: branchRef("topic"), to: null }])))
      )
      yield* pushed("topic")
      expect((yield* api.ask(200, "GET", `${pulls}/1`, ann)).state).toBe("closed")
      expect((yield* api.send("GET", `${pulls}/1.diff`, ann)).text).toContain("+zwei\n")
    })
  )
})
