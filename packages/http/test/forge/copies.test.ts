import { describe, expect, it } from "@effect/vitest"
import {
  GitReader,
  GitRemotes,
  GitWriter,
  Jobs,
  OtherForges,
  type RefName,
  RemoteFailed,
  type RepositoryId
} from "@slipway/domain/forge"
import { Effect, Layer, Redacted } from "effect"
import { type Service, start } from "./support/harness.ts"
import { ann, bob, commitTo, makeRepository } from "./support/repositories.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const parts = { issues: true, labels: true, milestones: true, pull_requests: true, releases: true }
const wanted = {
  clone_addr: "https://up.example/ann/app.git",
  service: "gitea",
  repo_name: "copy",
  auth_token: "t0ken!"
}

/** A service in which repositories of ann's are copied as if they lay at another host. */
const site = Effect.gen(function* () {
  const [begun, asked]: [Array<Service>, Array<string>] = [[], []]
  const up = () => begun[0] as Service
  let source = 0 as RepositoryId
  const others = Layer.merge(
    Layer.succeed(GitRemotes, {
      fetch: (id) =>
        Effect.gen(function* () {
          const [reader, writer] = [yield* GitReader, yield* GitWriter]
          const { rows } = yield* reader.refs(source, "refs/", { page: 1, perPage: 100 })
          const apart = rows.map(({ name }, at) => ({ from: name, to: `refs/slipway/${at}` as RefName }))
          yield* writer.fetchFrom(id, source, apart)
          return { refs: new Map(rows.map((ref) => [ref.name, ref.id] as const)), head: "main" }
        }).pipe(Effect.orDie, (fetching) => up().within(fetching)),
      push: () => new RemoteFailed({ because: "never" })
    }),
    Layer.succeed(OtherForges, {
      read: (url, account) =>
        Effect.gen(function* () {
          const { host, pathname, search } = new URL(url)
          asked.push(`${host}${pathname} ${account === undefined ? "" : Redacted.value(account.password)}`)
          const answer = yield* up().send("GET", `${pathname.replace("/api/v1", "")}${search}`, ann)
          return answer.status === 200 ? answer.json : yield* new RemoteFailed({ because: `it says ${answer.status}` })
        })
    })
  )
  const api = yield* start({ signer: others })
  begun.push(api)
  yield* api.user("ann")
  yield* api.user("bob")
  source = yield* makeRepository(api, "app")
  return { api, asked, id: source }
})

/** Leaves out of answers what tells where a thing lies, and who has it. */
const essence = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(essence)
  if (value === null || typeof value !== "object") return value
  const apart = /^(?:id|user|author|repo|repo_id|repository|original_author.*|.*_?urls?|merged_by)$/
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (apart.test(key) ? [] : [[key, essence(each)]]))
  )
}

/** Fills a repository with one of everything that is copied, and two numbers that are gone. */
const filled = Effect.fnUntraced(function* (api: Service, id: RepositoryId) {
  const base = "/repos/ann/app"
  const post = (path: string, body: object, as = ann) => api.ask(201, "POST", `${base}/${path}`, { ...as, body })
  const label = yield* post("labels", { name: "kind/bug", color: "#ee0701", description: "Broken", exclusive: true })
  const milestone = yield* post("milestones", { title: "One", description: "First", due_on: "2027-01-02T00:00:00Z" })
  yield* post("issues", { title: "gone", body: "" })
  yield* post("issues", { title: "gone too", body: "" })
  for (const number of [1, 2]) yield* api.ask(204, "DELETE", `${base}/issues/${number}`, ann)
  yield* post("issues", { title: "It breaks", body: "Badly", labels: [label.id], milestone: milestone.id }, ann)
  yield* post("issues/3/comments", { body: "Here too" }, bob)
  yield* post("issues", { title: "Done", body: "", closed: true })
  yield* commitTo(api, id, { "a.txt": "a\n" }, { branch: "topic", from: "main" })
  yield* commitTo(api, id, { "b.txt": "b\n" }, { branch: "merged", from: "main" })
  yield* post("pulls", { title: "Say a", head: "topic", base: "main" })
  yield* post("pulls", { title: "Say b", head: "merged", base: "main", body: "b" })
  yield* api.ask(200, "POST", `${base}/pulls/6/merge`, { ...ann, body: { Do: "merge" } })
  yield* post("issues/5/comments", { body: "Why a?" }, bob)
  yield* post("releases", { tag_name: "v1", name: "One", body: "Notes" })
  yield* post("releases", { tag_name: "v2", draft: true })
  yield* api.within(Jobs.runDue)
})

describe("copies of another host's repositories", () => {
  it.live("read the same through the API as at their source, and are made once", () =>
    Effect.gen(function* () {
      const { api, asked, id } = yield* site
      yield* filled(api, id)
      const made = yield* api.ask(201, "POST", "/repos/migrate", { ...bob, body: { ...wanted, ...parts } })
      expect(made).toMatchObject({ mirror: false, full_name: "bob/copy", open_issues_count: 1, open_pr_counter: 1 })
      yield* api.within(Jobs.runDue)
      for (const path of [
        "labels",
        "milestones?state=all",
        "issues?state=all&type=issues",
        "issues?state=all&type=pulls",
        "pulls?state=all",
        "issues/comments",
        "releases",
        "pulls/5/files",
        "pulls/6/commits",
        "branches"
      ]) {
        const there = yield* api.ask(
          200,
          "GET",
          `/repos/ann/app/${path}`,
          ["branches", "releases"].includes(path) ? ann : bob
        )
        const here = yield* api.ask(200, "GET", `/repos/bob/copy/${path}`, bob)
        expect([path, essence(here)]).toEqual([path, essence(there)])
      }
      expect(yield* api.ask(200, "GET", "/repos/bob/copy/issues/3", bob)).toMatchObject({
        user: { login: "bob" },
        original_author: "ann"
      })
      const [comment] = yield* api.ask(200, "GET", "/repos/bob/copy/issues/3/comments", bob)
      expect(comment).toMatchObject({ original_author: "bob" })
      expect(yield* api.ask(200, "GET", "/repos/bob/copy/migration", bob)).toMatchObject({ state: "done", copied: 6 })
      expect(
        asked.every((each) => each.startsWith("up.example/api/v1/repos/ann/app/") && each.endsWith(" t0ken!"))
      ).toBe(true)
      // What comes next has the next number.
      const next = yield* api.ask(201, "POST", "/repos/bob/copy/issues", { ...bob, body: { title: "Next" } })
      expect(next).toMatchObject({ number: 7, original_author: "" })
    })
  )

  it.live("have what is asked for alone, from hosts that are understood alone", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site
      yield* filled(api, id)
      const migrate = (more: object) => api.send("POST", "/repos/migrate", { ...bob, body: { ...wanted, ...more } })
      for (const [more, message] of [
        [{ service: "git", issues: true }, "[issues]: can be copied from gitea or github alone"],
        [{ service: "gitlab", pull_requests: true }, "[pull_requests]: can be copied from gitea or github alone"],
        [{ mirror: true, labels: true }, "[labels]: can't be copied into a mirror"],
        [
          { clone_addr: "https://up.example/app.git", labels: true },
          "[clone_addr]: must name an owner and a repository"
        ],
        [{ clone_addr: "https://up.example/ann/other.git", labels: true }, "[clone_addr]: it says 404"]
      ] as const) {
        const { json, status } = yield* migrate(more)
        expect([status, json.message]).toEqual([422, message])
      }
      expect((yield* migrate({ lfs: true })).status).toBe(422)
      yield* api.ask(404, "GET", "/repos/bob/copy", bob)
      expect((yield* migrate({ issues: true })).status).toBe(201)
      const issues = yield* api.ask(200, "GET", "/repos/bob/copy/issues?state=all", bob)
      expect(issues.map(({ labels, number }: Json) => [number, labels])).toEqual([
        [4, []],
        [3, []]
      ])
      expect(yield* api.ask(200, "GET", "/repos/bob/copy/releases", bob)).toEqual([])
    })
  )
})
