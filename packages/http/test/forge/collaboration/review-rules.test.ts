import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitWriter, PushStore, RefName } from "@slipway/domain/forge/code"
import { Pushes } from "@slipway/forge/code"
import { Effect } from "effect"
import { basic, bearer, start } from "../support/harness.ts"

const ann = { headers: basic("ann") }
const bob = { headers: basic("bob") }
const root = { headers: basic("root") }
const at = "/repos/bob/site"

type Row = { readonly [field: string]: unknown }

const logins = (rows: unknown) => (rows as ReadonlyArray<Row>).map(({ login }) => login)

/** A site where ann writes to bob's repository, and root administers the site. */
const site = Effect.gen(function* () {
  const api = yield* start()
  for (const name of ["ann", "bob", "eve"]) yield* api.user(name)
  yield* api.user("root", { admin: true })
  yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "site", auto_init: true } })
  yield* api.ask(204, "PUT", `${at}/collaborators/ann`, { ...bob, body: { permission: "write" } })
  return api
})

/** The same with an open pull request of bob. */
const withPull = Effect.gen(function* () {
  const api = yield* site
  const body = { content: "aGk=", message: "Add a door", branch: "main", new_branch: "door" }
  yield* api.ask(201, "POST", `${at}/contents/a.txt`, { ...bob, body })
  yield* api.ask(201, "POST", `${at}/pulls`, { ...bob, body: { title: "A door", head: "door", base: "main" } })
  const review = (event: string, status = 200, text = "Look") =>
    api.ask(status, "POST", `${at}/pulls/1/reviews`, { ...ann, body: { event, body: text } })
  return { api, review }
})

describe("reviews", () => {
  it.live(
    "close the review request after an approval or a rejection, and not after a comment, which is not official",
    () =>
      Effect.gen(function* () {
        const { api, review } = yield* withPull
        yield* api.ask(201, "POST", `${at}/pulls/1/requested_reviewers`, { ...bob, body: { reviewers: ["ann"] } })
        const asked = Effect.map(api.ask(200, "GET", `${at}/pulls/1`, bob), (pull) => logins(pull.requested_reviewers))
        expect((yield* review("COMMENT")).official).toBe(false)
        expect(yield* asked).toEqual(["ann"])
        expect((yield* review("APPROVED")).official).toBe(true)
        expect(yield* asked).toEqual([])
      })
  )

  it.live("are deleted by their author and site administrators, and not by repository administrators", () =>
    Effect.gen(function* () {
      const { api, review } = yield* withPull
      const first = yield* review("APPROVED")
      const second = yield* review("COMMENT")
      yield* api.ask(403, "DELETE", `${at}/pulls/1/reviews/${first.id}`, bob)
      yield* api.ask(200, "POST", `${at}/pulls/1/reviews/${first.id}/dismissals`, { ...bob, body: { message: "No" } })
      yield* api.ask(204, "DELETE", `${at}/pulls/1/reviews/${first.id}`, root)
      yield* api.ask(204, "DELETE", `${at}/pulls/1/reviews/${second.id}`, ann)
      expect(yield* api.ask(200, "GET", `${at}/pulls/1/reviews`, bob)).toEqual([])
    })
  )

  it.live("list the comments of all reviews of a pull request, and pending ones only to their author", () =>
    Effect.gen(function* () {
      const { api } = yield* withPull
      const review = (who: typeof ann, event: string, body: string) => {
        const comments = [{ path: "a.txt", body, new_position: 1 }]
        return api.ask(200, "POST", `${at}/pulls/1/reviews`, { ...who, body: { event, body: "", comments } })
      }
      yield* review(ann, "COMMENT", "Said")
      yield* review(ann, "PENDING", "Pending")
      const bodies = (who: { readonly headers: Readonly<Record<string, string>> }) =>
        Effect.map(api.ask(200, "GET", `${at}/pulls/1/comments`, who), (rows: unknown) =>
          (rows as ReadonlyArray<Row>).map(({ body, position }) => [body, position])
        )
      expect(yield* bodies(ann)).toEqual([
        ["Said", 1],
        ["Pending", 1]
      ])
      expect(yield* bodies(bob)).toEqual([["Said", 1]])
      const publicOnly = { headers: bearer(yield* api.mint("ann", ["all", "public-only"])) }
      expect(yield* bodies(publicOnly)).toEqual([["Said", 1]])
      // I4: such a token neither begins a pending review nor publishes the one that it cannot see.
      const give = (event: string, status: number) =>
        api.ask(status, "POST", `${at}/pulls/1/reviews`, { ...publicOnly, body: { event, body: "Public" } })
      expect((yield* give("PENDING", 422)).message).toBe("[event]: must not be PENDING with a public-only token")
      expect((yield* give("COMMENT", 200)).body).toBe("Public")
      expect(yield* bodies(bob)).toEqual([["Said", 1]])
      expect(yield* bodies(ann)).toEqual([
        ["Said", 1],
        ["Pending", 1]
      ])
      yield* api.ask(404, "GET", `${at}/pulls/2/comments`, ann)
    })
  )

  it.live("can't approve or reject a closed pull request, but can comment on it", () =>
    Effect.gen(function* () {
      const { api, review } = yield* withPull
      yield* api.ask(201, "PATCH", `${at}/pulls/1`, { ...bob, body: { state: "closed" } })
      for (const event of ["APPROVED", "REQUEST_CHANGES"]) {
        expect((yield* review(event, 422)).message).toBe("[event]: a closed pull request can only be commented on")
      }
      yield* review("COMMENT")
    })
  )

  it.live("are neither given, submitted, dismissed nor requested in an archived repository", () =>
    Effect.gen(function* () {
      const { api, review } = yield* withPull
      const given = yield* review("APPROVED")
      const pending = yield* review("PENDING")
      yield* api.ask(201, "POST", `${at}/issues/1/reactions`, { ...ann, body: { content: "+1" } })
      yield* api.ask(200, "PATCH", at, { ...bob, body: { archived: true } })
      expect((yield* review("COMMENT", 423)).message).toBe("repo is archived")
      const body = { event: "APPROVED", body: "Fine" }
      yield* api.ask(423, "POST", `${at}/pulls/1/reviews/${pending.id}`, { ...ann, body })
      yield* api.ask(423, "POST", `${at}/pulls/1/reviews/${given.id}/dismissals`, { ...bob, body: { message: "No" } })
      yield* api.ask(423, "POST", `${at}/pulls/1/requested_reviewers`, { ...bob, body: { reviewers: ["ann"] } })
      yield* api.ask(423, "POST", `${at}/issues/1/reactions`, { ...ann, body: { content: "heart" } })
      yield* api.ask(423, "DELETE", `${at}/issues/1/reactions`, { ...ann, body: { content: "+1" } })
    })
  )
})

describe("the list of issues", () => {
  it.live("returns issues with all requested labels, but the search returns issues with any of the labels", () =>
    Effect.gen(function* () {
      const api = yield* site
      const label = (name: string) => api.ask(201, "POST", `${at}/labels`, { ...bob, body: { name, color: "#aabbcc" } })
      const [bug, late] = [yield* label("bug"), yield* label("late")]
      const open = (title: string, labels: ReadonlyArray<unknown>) =>
        api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title, labels } })
      yield* open("Both", [bug.id, late.id])
      yield* open("One", [bug.id])
      yield* open("None", [])
      const titles = (path: string) =>
        Effect.map(api.ask(200, "GET", path, bob), (rows: unknown) =>
          (rows as ReadonlyArray<Row>).map(({ title }) => title)
        )
      expect(yield* titles(`${at}/issues?labels=bug,late`)).toEqual(["Both"])
      expect(yield* titles(`${at}/issues?labels=BUG,bug`)).toEqual(["One", "Both"])
      expect(yield* titles(`${at}/issues?labels=bug`)).toEqual(["One", "Both"])
      expect(yield* titles("/repos/issues/search?labels=bug,late")).toEqual(["One", "Both"])
    })
  )
})

describe("the tag of a release", () => {
  const release = (api: Effect.Success<typeof site>, draft: boolean) =>
    api.ask(201, "POST", `${at}/releases`, { ...bob, body: { tag_name: "v1", name: "One", draft } })

  it.live("is not deleted through the API if the release is published", () =>
    Effect.gen(function* () {
      const api = yield* site
      const { id } = yield* release(api, false)
      const refused = yield* api.ask(409, "DELETE", `${at}/tags/v1`, bob)
      expect(refused.message).toBe("the tag `v1` belongs to a published release: delete the release first")
      yield* api.ask(200, "GET", `${at}/tags/v1`, bob)
      yield* api.ask(204, "DELETE", `${at}/releases/${id}`, bob)
      yield* api.ask(204, "DELETE", `${at}/tags/v1`, bob)
    })
  )

  it.live("can be deleted by a push, and the release becomes a draft", () =>
    Effect.gen(function* () {
      const api = yield* site
      const { id } = yield* release(api, false)
      const repository = (yield* api.ask(200, "GET", at, bob)).id as RepositoryId
      const { commit } = yield* api.ask(200, "GET", `${at}/tags/v1`, bob)
      yield* api.within(
        Effect.gen(function* () {
          const pushes = yield* PushStore
          const [last] = (yield* pushes.list(repository, { page: 1, perPage: 1 })).rows
          if (last === undefined) throw new Error("the tag was not pushed")
          const ref = {
            ref: "refs/tags/v1",
            before: commit.sha,
            after: null,
            forced: false,
            commits: [],
            commitCount: 0
          }
          const push = { repositoryId: repository, at: last.at, refs: [ref], size: 0, event: last.event }
          const begun = yield* pushes.begin(push)
          yield* (yield* GitWriter).updateRefs(repository, [{ ref: RefName.make(ref.ref), to: null }])
          yield* Pushes.settle(begun.id)
        })
      )
      const after = yield* api.ask(200, "GET", `${at}/releases/${id}`, bob)
      expect([after.draft, after.tag_name, after.name]).toEqual([true, "v1", "One"])
      yield* api.ask(404, "GET", `${at}/releases/${id}`)
    })
  )

  it.live("is deleted through the API if the release is a draft", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.ask(201, "POST", `${at}/tags`, { ...bob, body: { tag_name: "v1", target: "main" } })
      yield* release(api, true)
      yield* api.ask(204, "DELETE", `${at}/tags/v1`, bob)
    })
  )
})

describe("unknown names in a body", () => {
  it.live("are rejected with 422, and the message names the field and the value", () =>
    Effect.gen(function* () {
      const { api } = yield* withPull
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "Two" } })
      const refusal = (method: "PATCH" | "POST" | "PUT" | "DELETE", path: string, body: object) =>
        Effect.map(api.ask(422, method, `${at}${path}`, { ...bob, body }), ({ message }) => message)
      expect([
        yield* refusal("POST", "/issues", { title: "A", assignees: ["nobody"] }),
        yield* refusal("POST", "/issues", { title: "A", labels: [99] }),
        yield* refusal("POST", "/issues", { title: "A", milestone: 99 }),
        yield* refusal("PATCH", "/issues/2", { milestone: 99 }),
        yield* refusal("PATCH", "/issues/2", { assignees: ["nobody"] }),
        yield* refusal("POST", "/issues/2/labels", { labels: ["mauve"] }),
        yield* refusal("PUT", "/issues/2/labels", { labels: [98] }),
        yield* refusal("POST", "/issues/2/assignees", { assignees: ["nobody"] }),
        yield* refusal("DELETE", "/issues/2/assignees", { assignees: ["nobody"] }),
        yield* refusal("PATCH", "/pulls/1", { labels: [97] }),
        yield* refusal("PATCH", "/pulls/1", { milestone: 96 }),
        yield* refusal("POST", "/pulls/1/requested_reviewers", { reviewers: ["nobody"] }),
        yield* refusal("POST", "/pulls/1/requested_reviewers", { team_reviewers: ["crew"] })
      ]).toEqual([
        "[assignees]: `nobody` does not exist",
        "[labels]: `99` does not exist",
        "[milestone]: `99` does not exist",
        "[milestone]: `99` does not exist",
        "[assignees]: `nobody` does not exist",
        "[labels]: `mauve` does not exist",
        "[labels]: `98` does not exist",
        "[assignees]: `nobody` does not exist",
        "[assignees]: `nobody` does not exist",
        "[labels]: `97` does not exist",
        "[milestone]: `96` does not exist",
        "[reviewers]: cannot request a review from `nobody`: it does not exist, or has no read access",
        "[team_reviewers]: cannot request a review from `crew`: it does not exist, or has no read access"
      ])
      yield* api.ask(404, "DELETE", `${at}/issues/2/labels/95`, bob)
    })
  )
})

describe("conversations", () => {
  it.live("are locked for one of the listed reasons, ignoring case, or without one", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "First" } })
      const lock = (lock_reason: string, status = 204) =>
        api.ask(status, "PUT", `${at}/issues/1/lock`, { ...bob, body: { lock_reason } })
      expect((yield* lock("boring", 422)).message).toBe(
        "[lock_reason]: must be one of Too heated, Off-topic, Resolved, Spam, or empty"
      )
      expect((yield* api.ask(200, "GET", `${at}/issues/1`, bob)).is_locked).toBe(false)
      yield* lock("too heated")
      yield* api.ask(204, "DELETE", `${at}/issues/1/lock`, bob)
      yield* lock("")
      const entries = yield* api.ask(200, "GET", `${at}/issues/1/timeline`, bob)
      expect((entries as unknown as ReadonlyArray<Row>).map(({ body, type }) => [type, body])).toEqual([
        ["lock", "Too heated"],
        ["unlock", ""],
        ["lock", ""]
      ])
    })
  )

  it.live("show tracked times in hours, minutes or seconds, and the action of each reference", () =>
    Effect.gen(function* () {
      const api = yield* site
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "First" } })
      yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: "Second, see #1" } })
      for (const time of [5_430, 3_600, 7_260, 59]) {
        yield* api.ask(200, "POST", `${at}/issues/1/times`, { ...bob, body: { time } })
      }
      yield* api.ask(204, "DELETE", `${at}/issues/1/times`, bob)
      yield* api.ask(201, "POST", `${at}/issues/1/comments`, { ...bob, body: { body: "|60" } })
      const entries = yield* api.ask(200, "GET", `${at}/issues/1/timeline`, bob)
      expect(
        (entries as unknown as ReadonlyArray<Row>).map(({ body, ref_action, type }) => [type, body, ref_action])
      ).toEqual([
        ["issue_ref", "", "none"],
        ["add_time_manual", "1 hour 30 minutes", "none"],
        ["add_time_manual", "1 hour", "none"],
        ["add_time_manual", "2 hours 1 minute", "none"],
        ["add_time_manual", "59 seconds", "none"],
        ["delete_time_manual", "", "none"],
        ["comment", "|60", "none"]
      ])
    })
  )

  it.live("return the issue of the path after a change of its dependencies or blocks", () =>
    Effect.gen(function* () {
      const api = yield* site
      for (const title of ["First", "Second"]) yield* api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title } })
      const body = { owner: "bob", repo: "site", index: 2 }
      const number = (status: number, method: "DELETE" | "POST", what: string) =>
        Effect.map(api.ask(status, method, `${at}/issues/1/${what}`, { ...bob, body }), (issue) => issue.number)
      expect([
        yield* number(201, "POST", "dependencies"),
        yield* number(200, "DELETE", "dependencies"),
        yield* number(201, "POST", "blocks"),
        yield* number(200, "DELETE", "blocks")
      ]).toEqual([1, 1, 1, 1])
    })
  )
})
