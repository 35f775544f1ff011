import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"
const pulls = `${base}/pulls`
const [[, memory]] = kindsOfGit
const sent = (body: object) => ({ ...ann, body })

/** The zero time of Go clients. */
const never = "0001-01-01T00:00:00Z"

/** The fields that the Go client always sends with a change of files. */
const always = {
  new_branch: "",
  force_push: false,
  author: { name: "", email: "" },
  committer: { name: "", email: "" },
  dates: { author: never, committer: never },
  signoff: false
}

/** Returns whether a time is within the last minute. */
const isNow = (time: string) =>
  Effect.map(Clock.currentTimeMillis, (present) => Math.abs(present - Date.parse(time)) < 60_000)

const site = Effect.gen(function* () {
  const api = yield* withPeople(memory)
  const id = yield* makeRepository(api, "app")
  yield* commitTo(api, id, { "a.txt": "one" })
  yield* commitTo(api, id, { "a.txt": "two" }, { branch: "topic", from: "main" })
  return { api, id }
})

// Go clients write every field, even if it is not set: empty values must change nothing.
describe("requests with zero values of Go clients", () => {
  it.live("create a commit with the current time, on the named branch", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const body = { ...always, branch: "topic", message: "", content: "eA==" }
      const made = yield* api.ask(201, "POST", `${base}/contents/b.txt`, sent(body))
      expect(made.commit.committer.name).toBe("ann")
      expect(yield* isNow(made.commit.author.date)).toBe(true)
      expect(yield* isNow(made.commit.committer.date)).toBe(true)
      const change = { ...body, content: "eXk=", from_path: "" }
      const edited = yield* api.ask(200, "PUT", `${base}/contents/b.txt`, sent({ ...change, sha: made.content.sha }))
      expect(edited.commit.parents[0].sha).toBe(made.commit.sha)
      yield* api.ask(
        201,
        "POST",
        `${base}/contents`,
        sent({
          ...always,
          files: [{ operation: "create", path: "c.txt", content: "eA==", sha: "", from_path: "" }]
        })
      )
      yield* api.ask(200, "PUT", `${base}/contents/d.txt`, sent({ ...change, sha: "" }))
    })
  )

  it.live("merge a pull request without a head commit, and leave fields unchanged in an edit", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const milestone = yield* api.ask(201, "POST", `${base}/milestones`, sent({ title: "m", description: "" }))
      yield* api.ask(201, "POST", pulls, {
        ...ann,
        body: {
          title: "Say two",
          head: "topic",
          base: "main",
          body: "Because",
          milestone: milestone.id,
          assignees: ["ann"]
        }
      })
      const edit = { title: "Say it", body: null, base: "", assignee: "", assignees: null, milestone: 0, labels: null }
      expect(yield* api.ask(201, "PATCH", `${pulls}/1`, sent({ ...edit, state: null, due_date: null }))).toMatchObject({
        title: "Say it",
        body: "Because",
        base: { ref: "main" },
        milestone: { id: milestone.id },
        assignees: [{ login: "ann" }]
      })
      const merge = {
        MergeCommitID: "",
        MergeTitleField: "",
        MergeMessageField: "",
        head_commit_id: "",
        force_merge: false
      }
      yield* api.ask(200, "POST", `${pulls}/1/merge`, sent({ Do: "merge", ...merge, merge_when_checks_succeed: false }))
      const [top] = yield* api.ask(200, "GET", `${base}/commits`, ann)
      expect(top.commit.message).toBe("Merge pull request 'Say it' (#1) from topic into main\n")
    })
  )

  it.live("keep the text of a release, and track a time from now", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const release = yield* api.ask(
        201,
        "POST",
        `${base}/releases`,
        sent({ tag_name: "v1", name: "One", body: "First" })
      )
      const edit = { tag_name: "", target_commitish: "", name: "", body: "", draft: null, prerelease: true }
      expect(yield* api.ask(200, "PATCH", `${base}/releases/${release.id}`, sent(edit))).toMatchObject({
        tag_name: "v1",
        name: "One",
        body: "First",
        prerelease: true
      })
      yield* api.ask(201, "POST", `${base}/issues`, sent({ title: "An issue" }))
      const time = { time: 60, created: never, user_name: "" }
      const tracked = yield* api.ask(200, "POST", `${base}/issues/1/times`, sent(time))
      expect(yield* isNow(tracked.created)).toBe(true)
    })
  )

  it.live("create a webhook from a response document, without an id", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const hook = {
        id: 0,
        type: "gitea",
        events: ["push"],
        active: true,
        config: { url: "http://192.0.2.1/hook", content_type: "json", secret: "s" }
      }
      const made = yield* api.ask(201, "POST", `${base}/hooks`, sent(hook))
      expect([made.id, made.events, made.active]).toEqual([1, ["push"], true])
      const numbered = sent({ ...hook, id: 7 })
      expect((yield* api.ask(201, "POST", `${base}/hooks`, numbered)).id).toBe(2)
      const strict = { ...numbered, headers: { ...numbered.headers, prefer: "handling=strict" } }
      yield* api.ask(422, "POST", `${base}/hooks`, strict)
    })
  )

  it.live("can read a file by a path that starts with the revision", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      const commit = (yield* api.ask(200, "GET", `${base}/branches/topic`, ann)).commit.id
      const read = (path: string) =>
        Effect.map(api.send("GET", `${base}/raw/${path}`, ann), ({ status, text }) => [status, text] as const)
      expect(yield* read(`${commit}/a.txt`)).toEqual([200, "two"])
      expect(yield* read("topic/a.txt")).toEqual([200, "two"])
      expect(yield* read("a.txt")).toEqual([200, "one"])
      expect((yield* read("topic/b.txt"))[0]).toBe(404)
      expect((yield* read("topic/a.txt?ref=main"))[0]).toBe(404)
    })
  )

  it.live("add to the caller's pending review, and submit it with an event", () =>
    Effect.gen(function* () {
      const { api } = yield* site
      yield* api.ask(201, "POST", pulls, sent({ title: "Say two", head: "topic", base: "main" }))
      const remark = (body: string) => ({ path: "a.txt", body, new_position: 1, old_position: 0 })
      const review = (body: object, as = bob) => api.ask(200, "POST", `${pulls}/1/reviews`, { ...as, body })
      const first = yield* review({ event: "", body: "", commit_id: "", comments: [remark("one")] })
      const second = yield* review({ event: "", body: "Two of them", commit_id: "", comments: [remark("two")] })
      expect(second).toMatchObject({ id: first.id, state: "PENDING", body: "Two of them", comments_count: 2 })
      // Another reviewer's pending review is separate.
      expect((yield* review({ event: "COMMENT", body: "Hm" }, ann)).id).not.toBe(first.id)
      expect(yield* review({ event: "APPROVED", body: "", comments: [remark("three")] })).toMatchObject({
        id: first.id,
        state: "APPROVED",
        body: "Two of them",
        comments_count: 3
      })
      const third = yield* review({ event: "COMMENT", body: "Later" })
      expect([third.id === first.id, third.state]).toEqual([false, "COMMENT"])
    })
  )
})
