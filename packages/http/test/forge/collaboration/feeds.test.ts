import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { basic, type Service, start } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"
const [[, inMemory]] = kindsOfGit

interface Row {
  readonly op_type: string
  readonly act_user: { readonly login: string }
  readonly comment_id: number
  readonly content: string
  readonly ref_name: string
}

const feed = (api: Service, path: string, who: { headers: Readonly<Record<string, string>> } | object) =>
  Effect.map(api.ask(200, "GET", `${path}/activities/feeds`, who), (rows: ReadonlyArray<Row>) =>
    rows
      .filter(({ op_type }) => !["commit_repo", "create_repo", "edit_repo", "push_tag"].includes(op_type))
      .map(({ act_user, content, op_type }) => `${act_user.login} ${op_type} ${content}`)
      .toReversed()
  )

/** A public repository of Ann with an issue, a merged pull request, a comment and a release. */
const fixture = Effect.gen(function* () {
  const api = yield* withPeople(inMemory)
  const id = yield* makeRepository(api, "app")
  yield* commitTo(api, id, { "a.txt": "one\n" })
  yield* commitTo(api, id, { "b.txt": "two\n" }, { branch: "topic", from: "main" })
  const issue = (yield* api.ask(201, "POST", `${base}/issues`, { ...bob, body: { title: "The door" } })).number
  const body = `It is stuck ${"x".repeat(300)}`
  const comment = yield* api.ask(201, "POST", `${base}/issues/${issue}/comments`, { ...bob, body: { body } })
  yield* api.ask(201, "PATCH", `${base}/issues/${issue}`, { ...ann, body: { title: "A door", state: "closed" } })
  yield* api.ask(201, "PATCH", `${base}/issues/${issue}`, { ...ann, body: { title: "The door", state: "closed" } })
  yield* api.ask(201, "PATCH", `${base}/issues/${issue}`, { ...bob, body: { state: "open" } })
  const pull = yield* api.ask(201, "POST", `${base}/pulls`, {
    ...ann,
    body: { title: "A new door", head: "topic", base: "main" }
  })
  yield* api.ask(201, "POST", `${base}/issues/${pull.number}/comments`, { ...bob, body: { body: "Good" } })
  yield* api.ask(201, "PATCH", `${base}/pulls/${pull.number}`, { ...ann, body: { state: "closed" } })
  yield* api.ask(201, "PATCH", `${base}/pulls/${pull.number}`, { ...ann, body: { state: "open" } })
  yield* api.ask(200, "POST", `${base}/pulls/${pull.number}/merge`, { ...ann, body: { Do: "merge" } })
  const draft = { tag_name: "v1", target_commitish: "main", name: "One", draft: true }
  const release = yield* api.ask(201, "POST", `${base}/releases`, { ...ann, body: draft })
  return { api, issue, comment, release }
})

const talk = [
  "bob create_issue 1|The door",
  `bob comment_issue 1|${`It is stuck ${"x".repeat(300)}`.slice(0, 200)}`,
  "ann close_issue 1|A door",
  "bob reopen_issue 1|The door"
]
const code = [
  "ann create_pull_request 2|A new door",
  "bob comment_pull 2|Good",
  "ann close_pull_request 2|A new door",
  "ann reopen_pull_request 2|A new door",
  "ann merge_pull_request 2|A new door"
]

describe("feeds of issues, pull requests and releases", () => {
  it.live("contain the text at the time of each activity, and releases after their publication", () =>
    Effect.gen(function* () {
      const { api, comment, release } = yield* fixture
      expect(yield* feed(api, base, ann)).toEqual([...talk, ...code])
      yield* api.ask(200, "PATCH", `${base}/releases/${release.id}`, { ...ann, body: { draft: false } })
      yield* api.ask(200, "PATCH", `${base}/releases/${release.id}`, { ...ann, body: { body: "More" } })
      expect(yield* feed(api, base, bob)).toEqual([...talk, ...code, "ann publish_release One"])
      const rows: ReadonlyArray<Row> = yield* api.ask(200, "GET", `${base}/activities/feeds`, bob)
      const byType = (type: string) => rows.find(({ op_type }) => op_type === type)
      expect([byType("comment_issue")?.comment_id, byType("create_issue")?.comment_id]).toEqual([comment.id, 0])
      expect(byType("publish_release")?.ref_name).toBe("v1")
      yield* api.ask(200, "PATCH", `${base}/releases/${release.id}`, { ...ann, body: { draft: true } })
      expect(yield* feed(api, base, bob)).toEqual([...talk, ...code])
    })
  )

  it.live("I2, I9: show a unit only to callers who may read the unit, and match the counts of the heatmap", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      yield* api.ask(200, "PATCH", base, { ...ann, body: { has_pull_requests: false } })
      expect(yield* feed(api, base, bob)).toEqual(talk)
      yield* api.ask(200, "PATCH", base, { ...ann, body: { has_pull_requests: true, has_issues: false } })
      expect(yield* feed(api, base, bob)).toEqual(code)
      expect(yield* feed(api, "/users/bob", {})).toEqual(["bob comment_pull 2|Good"])
      const times: ReadonlyArray<{ contributions: number }> = yield* api.ask(200, "GET", "/users/bob/heatmap")
      const total = (yield* api.send("GET", "/users/bob/activities/feeds", {})).headers.get("x-total-count")
      expect([times.reduce((sum, { contributions }) => sum + contributions, 0), total]).toEqual([1, "1"])
    })
  )

  it.live("have the activities of 371 days in the heatmap", () =>
    Effect.gen(function* () {
      let millis = Date.parse("2026-01-01T12:00:00Z")
      const clock = Layer.effect(
        Clock.Clock,
        Effect.map(
          Clock.Clock,
          (real): Clock.Clock => ({
            ...real,
            sleep: (duration) => real.sleep(duration),
            monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
            currentTimeMillisUnsafe: () => millis,
            currentTimeMillis: Effect.sync(() => millis)
          })
        )
      )
      const api = yield* start({ tracer: clock })
      yield* api.user("carl")
      yield* api.ask(201, "POST", "/user/repos", { headers: basic("carl"), body: { name: "app" } })
      const times = api.ask(200, "GET", "/users/carl/heatmap")
      const created = yield* times
      expect(created).toEqual([{ contributions: 1, timestamp: 1_767_268_800 }])
      millis = Date.parse("2027-01-07T11:59:00Z")
      expect(yield* times).toEqual(created)
      millis = Date.parse("2027-01-07T12:01:00Z")
      expect(yield* times).toEqual([])
    })
  )

  it.live("omit deleted resources, and list only the user's own activities", () =>
    Effect.gen(function* () {
      const { api, comment, issue } = yield* fixture
      yield* api.ask(204, "DELETE", `${base}/issues/comments/${comment.id}`, bob)
      expect(yield* feed(api, base, ann)).toEqual([...talk.filter((row) => !row.includes("comment")), ...code])
      yield* api.ask(204, "DELETE", `${base}/issues/${issue}`, ann)
      expect(yield* feed(api, base, ann)).toEqual(code)
      const own = yield* api.ask(200, "GET", "/users/bob/activities/feeds?only-performed-by=true", bob)
      expect(own.map(({ content }: Row) => content)).toEqual(["2|Good"])
    })
  )

  it.live("list activities of others in watched repositories, unless only the user's own are requested", () =>
    Effect.gen(function* () {
      const { api } = yield* fixture
      yield* api.ask(204, "DELETE", `${base}/subscription`, bob)
      expect(yield* feed(api, "/users/bob", bob)).toEqual([talk[0], talk[1], talk[3], code[1]])
      yield* api.ask(200, "PUT", `${base}/subscription`, bob)
      expect(yield* feed(api, "/users/bob", bob)).toEqual([...talk, ...code])
      const read = (flag: string) =>
        Effect.map(api.send("GET", `/users/bob/activities/feeds?only-performed-by=${flag}`, bob), (answer) =>
          answer.headers.get("x-total-count")
        )
      expect([yield* read("false"), yield* read("true"), yield* read("")]).toEqual(["11", "4", "11"])
      yield* api.ask(422, "GET", "/users/bob/activities/feeds?only-performed-by=maybe", bob)
    })
  )
})
