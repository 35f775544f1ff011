import { describe, expect, it, layer } from "@effect/vitest"
import { defaultSite } from "@slipway/domain/forge/base"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { layerTestServer, postgresMissing } from "@slipway/sql/testing"
import { Context, Effect, Layer, type Scope } from "effect"
import { basic, type Chosen, type Service, start } from "../support/harness.ts"

// One test for each class of bad input. Closing keywords in a repository of the author (a fork) are in
// issues-and-git.test.ts; long reference texts in packages/domain/test/forge/collaboration/references.test.ts.

const as = (name: string) => ({ headers: basic(name) })
const [bob, cat] = [as("bob"), as("cat")]
const at = "/repos/bob/site"
const other = "/repos/bob/other"

const started = Effect.fnUntraced(function* (chosen: Chosen) {
  const api = yield* start({
    ...chosen,
    site: { attachment: { ...defaultSite.attachment, allowedTypes: "application/octet-stream", maxSize: 1 } }
  })
  for (const name of ["bob", "cat", "eve"]) yield* api.user(name)
  return api
})

/** Creates two public repositories of Bob's where Cat writes, each with an issue. */
const planted = Effect.fnUntraced(function* (api: Service) {
  for (const name of ["site", "other"]) {
    yield* api.send("DELETE", `/repos/bob/${name}`, bob)
    yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name } })
    yield* api.ask(204, "PUT", `/repos/bob/${name}/collaborators/cat`, { ...bob, body: { permission: "write" } })
    yield* api.ask(201, "POST", `/repos/bob/${name}/issues`, { ...bob, body: { title: "The door" } })
  }
  return api
})

type Question = readonly [method: string, path: string, body?: unknown]

const asked = (api: Service, questions: ReadonlyArray<Question>, who = bob) =>
  Effect.forEach(questions, ([method, path, body]) =>
    Effect.map(api.send(method, path, { ...who, ...(body === undefined ? {} : { body }) }), ({ json, status }) => ({
      question: `${method} ${path}`,
      answer: [status, json?.message]
    }))
  )

const upload = (
  api: Service,
  content: string,
  { name = "a.png", type = "image/png", length = String(content.length + 200) } = {}
) => {
  const lines = [
    "--border",
    `content-disposition: form-data; name="attachment"; filename="${name}"`,
    `content-type: ${type}`,
    ""
  ]
  return api.send("POST", `${at}/issues/1/assets`, {
    raw: [...lines, content, "--border--", ""].join("\r\n"),
    headers: {
      ...basic("bob"),
      "content-type": "multipart/form-data; boundary=border",
      "content-length": length
    }
  })
}

const badInput = <R>(
  test: (name: string, run: () => Effect.Effect<void, unknown, R | Scope.Scope>) => void,
  site: Effect.Effect<Service, never, R | Scope.Scope>
) => {
  test("is rejected for an issue number in place of a pull request number, and the reverse", () =>
    Effect.gen(function* () {
      const api = yield* site
      const file = (content: string, more: object) => ({
        ...bob,
        body: { content: Buffer.from(content).toString("base64"), ...more }
      })
      yield* api.ask(201, "POST", `${at}/contents/a.txt`, file("a", { branch: "main" }))
      yield* api.ask(201, "POST", `${at}/contents/b.txt`, file("b", { branch: "main", new_branch: "more" }))
      const pull = yield* api.ask(201, "POST", `${at}/pulls`, {
        ...bob,
        body: { title: "More", head: "more", base: "main" }
      })
      expect(pull.number).toBe(2)
      const of = (path: string): ReadonlyArray<Question> => [
        ["GET", path],
        ["PATCH", path, { title: "x" }],
        ["POST", `${path}/merge`, { Do: "merge" }],
        ["GET", `${path}/files`],
        ["GET", `${path}/commits`],
        ["GET", `${path}/reviews`]
      ]
      const [onIssue, onNothing] = [yield* asked(api, of(`${at}/pulls/1`)), yield* asked(api, of(`${at}/pulls/9`))]
      expect(onIssue.map(({ answer }) => answer)).toEqual(onNothing.map(({ answer }) => answer))
      expect(onIssue.map(({ answer }) => answer[0])).toEqual([404, 404, 404, 404, 404, 404])
      // The issue routes return a pull request only to callers who can read pull requests.
      expect((yield* api.ask(200, "GET", `${at}/issues/2`, bob)).pull_request).toMatchObject({ merged: false })
      yield* api.ask(200, "PATCH", at, { ...bob, body: { has_pull_requests: false } })
      const hidden = yield* asked(
        api,
        [
          ["GET", `${at}/issues/2`],
          ["GET", `${at}/issues/9`]
        ],
        as("eve")
      )
      expect(hidden[0]?.answer).toEqual(hidden[1]?.answer)
      yield* api.ask(200, "PATCH", at, { ...bob, body: { has_pull_requests: true, has_issues: false } })
      yield* api.ask(200, "GET", `${at}/issues/2`, as("eve"))
      const gone = yield* asked(
        api,
        [
          ["GET", `${at}/issues/1`],
          ["GET", `${at}/issues/9`]
        ],
        as("eve")
      )
      expect(gone[0]?.answer).toEqual(gone[1]?.answer)
      expect(gone[0]?.answer[0]).toBe(404)
    }))

  test("is rejected for ids of another repository, such as labels, comments and files (I6, CVE-2026-58445)", () =>
    Effect.gen(function* () {
      const api = yield* site
      const label = yield* api.ask(201, "POST", `${other}/labels`, { ...bob, body: { name: "x", color: "f00" } })
      const milestone = yield* api.ask(201, "POST", `${other}/milestones`, { ...bob, body: { title: "x" } })
      const comment = yield* api.ask(201, "POST", `${other}/issues/1/comments`, { ...bob, body: { body: "x" } })
      const time = yield* api.ask(200, "POST", `${other}/issues/1/times`, { ...bob, body: { time: 60 } })
      const questions = (ids: { label: number; milestone: number; comment: number; time: number }) =>
        [
          // Other forges had this bug with labels and comments: CVE-2026-25229, CVE-2026-25120.
          ["GET", `${at}/labels/${ids.label}`],
          ["PATCH", `${at}/labels/${ids.label}`, { name: "y" }],
          ["DELETE", `${at}/labels/${ids.label}`],
          ["POST", `${at}/issues`, { title: "x", labels: [ids.label] }],
          ["POST", `${at}/issues/1/labels`, { labels: [ids.label] }],
          ["PUT", `${at}/issues/1/labels`, { labels: [ids.label] }],
          ["DELETE", `${at}/issues/1/labels/${ids.label}`],
          ["GET", `${at}/milestones/${ids.milestone}`],
          ["PATCH", `${at}/milestones/${ids.milestone}`, { title: "y" }],
          ["DELETE", `${at}/milestones/${ids.milestone}`],
          ["POST", `${at}/issues`, { title: "x", milestone: ids.milestone }],
          ["PATCH", `${at}/issues/1`, { milestone: ids.milestone }],
          ["GET", `${at}/issues/comments/${ids.comment}`],
          ["PATCH", `${at}/issues/comments/${ids.comment}`, { body: "y" }],
          ["DELETE", `${at}/issues/comments/${ids.comment}`],
          ["PATCH", `${at}/issues/1/comments/${ids.comment}`, { body: "y" }],
          ["DELETE", `${at}/issues/1/comments/${ids.comment}`],
          ["GET", `${at}/issues/comments/${ids.comment}/reactions`],
          ["POST", `${at}/issues/comments/${ids.comment}/reactions`, { content: "heart" }],
          ["DELETE", `${at}/issues/comments/${ids.comment}/reactions`, { content: "heart" }],
          ["GET", `${at}/issues/comments/${ids.comment}/assets`],
          ["GET", `${at}/issues/comments/${ids.comment}/assets/1`],
          ["DELETE", `${at}/issues/1/times/${ids.time}`]
        ] as const
      const foreign = yield* asked(
        api,
        questions({ label: label.id, milestone: milestone.id, comment: comment.id, time: time.id })
      )
      const missing = yield* asked(api, questions({ label: 9999, milestone: 9999, comment: 9999, time: 9999 }))
      for (const [n, { answer, question }] of foreign.entries()) {
        const [status, message] = missing[n]?.answer ?? []
        const unnumbered = (text: unknown) => String(text).replace(/`\d+`/g, "`n`")
        expect([question, answer[0], unnumbered(answer[1])]).toEqual([question, status, unnumbered(message)])
      }
      // A label or a milestone in a body is invalid input (422); a resource of the path is not found (404).
      expect(foreign.map(({ answer }) => answer[0])).toEqual([
        ...[404, 404, 404, 422, 422, 422, 404],
        ...[404, 404, 404, 422, 422],
        ...[404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404]
      ])
      // The named resources are unchanged.
      expect((yield* api.ask(200, "GET", `${other}/labels/${label.id}`, bob)).name).toBe("x")
      expect((yield* api.ask(200, "GET", `${other}/milestones/${milestone.id}`, bob)).title).toBe("x")
      expect((yield* api.ask(200, "GET", `${other}/issues/comments/${comment.id}`, bob)).body).toBe("x")
      expect((yield* api.ask(200, "GET", `${other}/issues/1/times`, bob)).length).toBe(1)
    }))

  test("is rejected or limited for very long titles, thousands of labels and negative times", () =>
    Effect.gen(function* () {
      const api = yield* site
      const issue = `${at}/issues/1`
      const many = Array.from({ length: 10_000 }, (_, n) => n + 1)
      const answers = yield* asked(api, [
        ["POST", `${at}/issues`, { title: "x".repeat(1_048_576) }],
        ["PATCH", issue, { title: "x".repeat(1_048_576) }],
        ["POST", `${at}/issues`, { title: "x".repeat(256) }],
        ["POST", `${at}/issues`, { title: " \n " }],
        ["PATCH", issue, { title: " " }],
        ["POST", `${at}/issues`, { title: "x", labels: many }],
        ["POST", `${issue}/labels`, { labels: many }],
        ["PUT", `${issue}/labels`, { labels: many }],
        ["POST", `${issue}/assignees`, { assignees: many.slice(0, 1_000).map((n) => `u${n}`) }],
        ["POST", `${issue}/times`, { time: -1 }],
        ["POST", `${issue}/times`, { time: 0 }],
        ["POST", `${issue}/deadline`, { due_date: "0000-01-01T00:00:00Z" }],
        ["POST", `${at}/issues`, { title: "x", due_date: "0000-01-01T00:00:00Z" }],
        ["PATCH", issue, { due_date: "0000-01-01T00:00:00Z" }],
        ["POST", `${at}/milestones`, { title: "x", due_on: "0000-01-01T00:00:00Z" }],
        ["POST", `${issue}/reactions`, { content: "skull" }],
        ["POST", `${issue}/comments`, { body: "@cat ".repeat(100_000) }]
      ])
      expect(answers.map(({ answer }) => answer[0])).toEqual([
        ...[413, 413, 422, 422, 422, 422, 422, 422, 422],
        ...[422, 422, 422, 422, 422, 422, 403, 422]
      ])
      // Each mentioned user counts once, and unknown names don't count.
      yield* api.ask(201, "POST", `${issue}/comments`, { ...bob, body: { body: "@cat @nobody ".repeat(4_000) } })
      const found = yield* api.send("GET", `${at}/issues?mentioned_by=cat`, bob)
      expect([found.json.length, found.headers.get("x-total-count")]).toEqual([1, "1"])
      expect(yield* api.ask(200, "GET", issue, bob)).toMatchObject({ title: "The door", labels: [], due_date: null })
    }))

  test("is rejected for circular dependencies, also across repositories", () =>
    Effect.gen(function* () {
      const api = yield* site
      const needs = (on: string, repo: string, path = "dependencies") =>
        Effect.map(
          api.send("POST", `${on}/issues/1/${path}`, { ...bob, body: { owner: "bob", repo, index: 1 } }),
          ({ status }) => status
        )
      expect(yield* needs(at, "other")).toBe(201)
      expect([yield* needs(other, "site"), yield* needs(at, "other", "blocks")]).toEqual([422, 422])
      expect([yield* needs(at, "site"), yield* needs(at, "site", "blocks")]).toEqual([422, 422])
      expect((yield* api.ask(200, "GET", `${at}/issues/1/dependencies`, bob)).length).toBe(1)
      expect(yield* api.ask(200, "GET", `${other}/issues/1/dependencies`, bob)).toEqual([])
    }))

  test("is rejected for files with a wrong type or length, and archive bombs are not unpacked", () =>
    Effect.gen(function* () {
      const api = yield* site
      const page = "<!doctype html><script>alert(1)</script>"
      for (const [name, type] of [
        ["a.png", "image/png"],
        ["a.bin", "application/octet-stream"],
        ["a.svg", "image/svg+xml"]
      ]) {
        const { json, status } = yield* upload(api, page, { name: name ?? "", type: type ?? "" })
        expect([status, json.message]).toEqual([422, "[attachment]: a file of the type text/plain may not be attached"])
      }
      const [short, long] = ["100", "2000000"]
      const large = `\0${"x".repeat(1_048_576)}`
      for (const length of [short, long]) expect((yield* upload(api, large, { length })).status).toBe(413)
      expect(yield* api.ask(200, "GET", `${at}/issues/1/assets`, bob)).toEqual([])
      // An image of 4,000 million pixels and an archive of gigabytes are stored as bytes: the forge decodes neither.
      for (const [name, content] of [
        ["a.gif", "GIF89a\x7f\x7f\x7f\x7f\x00\x00\x00;"],
        ["a.zip", `PK\x03\x04${"\x00".repeat(60)}`]
      ] as const) {
        const { json } = yield* upload(api, content, { name, type: "text/html" })
        expect(json).toMatchObject({ name, size: content.length })
        const got = yield* api.fetch("GET", `/attachments/${json.uuid}`, bob)
        expect(["content-type", "x-content-type-options"].map((each) => got.headers.get(each))).toEqual([
          "application/octet-stream",
          "nosniff"
        ])
        expect(got.headers.get("content-disposition")).toContain("attachment;")
        expect(got.headers.get("content-security-policy")).toContain("default-src 'none'")
      }
    }))

  test("is rejected for an outdated version: exactly one of several concurrent edits succeeds and is counted", () =>
    Effect.gen(function* () {
      const api = yield* site
      const edits = (path: string, version: number) =>
        Effect.forEach(
          [1, 2, 3, 4, 5, 6].map((n) => 10 * version + n),
          (n) =>
            Effect.map(
              api.send("PATCH", path, {
                ...(n % 2 === 0 ? bob : cat),
                body: { body: `${n}`, content_version: version }
              }),
              ({ status }) => status
            ),
          { concurrency: "unbounded" }
        )
      const comment = yield* api.ask(201, "POST", `${at}/issues/1/comments`, { ...bob, body: { body: "x" } })
      for (const [path, taken] of [
        [`${at}/issues/1`, 201],
        [`${at}/issues/comments/${comment.id}`, 200]
      ] as const) {
        expect((yield* edits(path, 0)).toSorted()).toEqual([taken, 409, 409, 409, 409, 409].toSorted())
        expect((yield* edits(path, 1)).toSorted()).toEqual([taken, 409, 409, 409, 409, 409].toSorted())
        expect((yield* api.ask(200, "GET", path, bob)).content_version).toBe(2)
      }
      // Issues that are opened concurrently have consecutive numbers.
      const made = yield* Effect.forEach(
        [1, 2, 3, 4, 5],
        (n) => api.ask(201, "POST", `${at}/issues`, { ...bob, body: { title: `${n}` } }),
        { concurrency: "unbounded" }
      )
      expect(made.map(({ number }) => number).toSorted()).toEqual([2, 3, 4, 5, 6])
    }))
}

const database = postgresMissing() === undefined ? layerTestServer : Database.layerInMemory

/** The service on PostgreSQL, one for all tests. */
class Api extends Context.Service<Api, Service>()("test/forge/issue-bad-input/Api") {
  static readonly layer = Layer.effect(
    Api,
    started({ store: Layer.provide(layerStores, Layer.orDie(database({ migrations, schema: "forge" }))) })
  )
}

describe("bad input about issues", () => {
  describe("in memory", () => badInput<never>(it.live, Effect.flatMap(started({}), planted)))
  layer(Api.layer, { excludeTestServices: true, timeout: 60_000 })("on PostgreSQL", (inSql) =>
    badInput<Api>(inSql.effect, Effect.flatMap(Api, planted))
  )
})
