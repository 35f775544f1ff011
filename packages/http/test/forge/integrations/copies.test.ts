import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { copyings, mirrors } from "@slipway/domain/forge/integrations"
import { Jobs } from "@slipway/forge/background"
import { Leases, mirrorKind } from "@slipway/forge/integrations"
import { Effect } from "effect"
import type { Service } from "../support/harness.ts"
import { otherForgeHost } from "../support/otherHost.ts"
import { ann, bob, commitTo } from "../support/repositories.ts"

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any

const signedIn = `Basic ${btoa("oauth2:t0ken!")}`

const parts = { issues: true, labels: true, milestones: true, pull_requests: true, releases: true }
const wanted = {
  clone_addr: "https://forge.test/ann/app.git",
  service: "gitea",
  repo_name: "copy",
  auth_token: "t0ken!"
}

/** Whether the other host does not answer requests for LFS locations. */
let isSilent = false

/** A service that copies ann's repositories as if they were at another host. */
const site = otherForgeHost((api, { body, url }) => {
  const { pathname, search } = new URL(url)
  const path = isSilent && pathname.endsWith("/batch") ? "/nowhere" : `${pathname}${search}`
  return body === undefined ? api.fetch("GET", path, ann) : api.fetch("POST", path, { ...ann, body })
})

const oidOf = (large: string) => createHash("sha256").update(large).digest("hex")
/** An LFS pointer file. */
const pointerTo = (large: string) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(large)}\nsize ${large.length}\n`
const large = "what a repository is too small for"
const oid = oidOf(large)

const form = (text: string, name: string) => ({
  raw: `--border\r\nContent-Disposition: form-data; name="attachment"; filename="${name}"\r\n\r\n${text}\r\n--border--\r\n`,
  headers: { ...ann.headers, "content-type": "multipart/form-data; boundary=border" }
})

/** Removes the fields for location and owner from responses. */
const essence = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(essence)
  if (typeof value === "string") return value.replace(/attachments\/[0-9a-f-]{36}/g, "attachments/…")
  if (value === null || typeof value !== "object") return value
  const apart = /^(?:id|uuid|download_count|user|author|repo|repo_id|repository|original_author.*|.*_?urls?|merged_by)$/
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (apart.test(key) ? [] : [[key, essence(each)]]))
  )
}

/** Creates one of every resource that is copied, and two deleted numbers. */
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
  const review = { event: "APPROVED", body: "Good", comments: [{ path: "a.txt", body: "Why?", new_position: 1 }] }
  yield* api.ask(200, "POST", `${base}/pulls/5/reviews`, { ...bob, body: review })
  yield* post("releases", { tag_name: "v1", name: "One", body: "Notes" })
  yield* post("releases", { tag_name: "v2", draft: true })
  const { id: release } = yield* api.ask(200, "GET", `${base}/releases/tags/v1`, ann)
  yield* api.ask(201, "POST", `${base}/releases/${release}/assets`, form("PK", "app.zip"))
  const link = 'Content-Disposition: form-data; name="external_url"\r\n\r\nhttps://cdn.example/app.tar'
  yield* api.ask(201, "POST", `${base}/releases/${release}/assets`, {
    ...form("", ""),
    raw: `--border\r\n${link}\r\n--border--\r\n`
  })
  const { id: comment } = (yield* api.ask(200, "GET", `${base}/issues/3/comments`, ann))[0]
  yield* api.ask(201, "POST", `${base}/issues/comments/${comment}/assets`, form("trace", "trace.txt"))
  const shot = yield* api.ask(201, "POST", `${base}/issues/3/assets`, form("pixels", "shot.txt"))
  const body = `Badly: [shot](/attachments/${shot.uuid})`
  yield* api.ask(201, "PATCH", `${base}/issues/3`, { ...ann, body: { body } })
  yield* commitTo(api, id, { "large.bin": pointerTo(large) }, { branch: "large", from: "main" })
  yield* api.fetch("PUT", `/ann/app.git/info/lfs/objects/${oid}`, { ...ann, raw: large })
  yield* post("wiki/new", { title: "Home", content_base64: btoa("# Hello"), message: "Begin" })
  yield* post("wiki/new", { title: "_Sidebar", content_base64: btoa("aside") })
  yield* api.within(Jobs.runDue)
})

describe("copies of repositories at another host", () => {
  it.live("return the same data through the API as their source, and are created only once", () =>
    Effect.gen(function* () {
      const { api, asked, id } = yield* site
      yield* filled(api, id)
      const made = yield* api.ask(201, "POST", "/repos/migrate", {
        ...bob,
        body: { ...wanted, ...parts, lfs: true, wiki: true }
      })
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
        "branches",
        "wiki/pages",
        "wiki/page/Home",
        "wiki/revisions/Home"
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
      expect(asked.filter((each) => !each.startsWith("forge.test/") || !each.endsWith(` ${signedIn}`))).toEqual([])
      // Files are copied, and texts link to the copies.
      const bytesOf = (path: string) => Effect.map(api.fetch("GET", path, bob), ({ text }) => text)
      const issue = yield* api.ask(200, "GET", "/repos/bob/copy/issues/3", bob)
      expect(issue.body).toBe(`Badly: [shot](/attachments/${issue.assets[0].uuid})`)
      expect(yield* bytesOf(`/attachments/${issue.assets[0].uuid}`)).toBe("pixels")
      expect(yield* bytesOf(`/attachments/${comment.assets[0].uuid}`)).toBe("trace")
      expect(yield* bytesOf("/bob/copy/releases/download/v1/app.zip")).toBe("PK")
      const { assets } = yield* api.ask(200, "GET", "/repos/bob/copy/releases/tags/v1", bob)
      expect(assets[1]).toMatchObject({ type: "external", browser_download_url: "https://cdn.example/app.tar" })
      expect(yield* bytesOf(`/bob/copy.git/info/lfs/objects/${oid}`)).toBe(large)
      // Reviews are read as they were, from an unknown user, and don't count.
      const [[there], [here]] = [
        yield* api.ask(200, "GET", "/repos/ann/app/pulls/5/reviews", bob),
        yield* api.ask(200, "GET", "/repos/bob/copy/pulls/5/reviews", bob)
      ]
      expect(here).toMatchObject({ ...essence(there), official: false, user: { login: "Ghost" } })
      const remarks = yield* api.ask(200, "GET", `/repos/bob/copy/pulls/5/reviews/${here.id}/comments`, bob)
      expect(remarks).toMatchObject([{ path: "a.txt", body: "Why?", position: 1, user: { login: "Ghost" } }])
      // A repetition, as after a crash, creates no duplicates.
      yield* api.within(
        Effect.gen(function* () {
          const kept = yield* copyings.store
          const { rows } = yield* (yield* mirrors.store).list({}, { limit: 1 })
          const row = yield* kept.findBy("repository", { repositoryId: made.id })
          yield* Effect.orDie(kept.patch({}, row?.id ?? 0, { doneAt: null }))
          yield* Effect.orDie((yield* mirrors.store).patch({}, rows[0]?.id ?? 0, { dueAt: "2026-01-01T00:00:00.000Z" }))
          expect(yield* Leases.runDue(mirrorKind)).toBe(1)
        })
      )
      for (const path of [
        "labels",
        "milestones",
        "issues?state=all",
        "issues/comments",
        "releases",
        "pulls/5/reviews"
      ]) {
        const of = (repository: string, as: typeof ann) => api.ask(200, "GET", `/repos/${repository}/${path}`, as)
        expect([path, (yield* of("bob/copy", bob)).length]).toEqual([path, (yield* of("ann/app", ann)).length])
      }
      // The next issue gets the next number.
      const next = yield* api.ask(201, "POST", "/repos/bob/copy/issues", { ...bob, body: { title: "Next" } })
      expect(next).toMatchObject({ number: 7, original_author: "" })
    })
  )

  it.live("contain only the requested data, from supported hosts only", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site
      yield* filled(api, id)
      const migrate = (more: object) => api.send("POST", "/repos/migrate", { ...bob, body: { ...wanted, ...more } })
      for (const [more, message] of [
        [{ service: "git", issues: true }, "[issues]: can only be migrated from gitea, github, gitlab"],
        [{ service: "gogs", pull_requests: true }, "[pull_requests]: can only be migrated from gitea, github, gitlab"],
        [{ mirror: true, labels: true }, "[labels]: cannot be migrated into a mirror"],
        [
          { clone_addr: "https://forge.test/app.git", labels: true },
          "[clone_addr]: must name an owner and a repository"
        ],
        [{ clone_addr: "https://forge.test/ann/other.git", labels: true }, "[clone_addr]: it says 404"]
      ] as const) {
        const { json, status } = yield* migrate(more)
        expect([status, json.message]).toEqual([422, message])
      }
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

  it.live(
    "fetch LFS objects before the branches on each run of a mirror, including objects that were missing before",
    () =>
      Effect.gen(function* () {
        const { api, asked, id } = yield* site
        const offer = Effect.fnUntraced(function* (text: string, isThere = true) {
          yield* commitTo(api, id, { [`${text}.bin`]: pointerTo(text) }, { branch: text, from: "main" })
          const url = `/ann/app.git/info/lfs/objects/${oidOf(text)}`
          if (isThere) yield* api.fetch("PUT", url, { ...ann, raw: text })
          return { url, copy: `/bob/copy.git/info/lfs/objects/${oidOf(text)}` }
        })
        const textAt = (path: string) =>
          Effect.map(api.fetch("GET", path, bob), ({ status, text }) => (status === 200 ? text : status))
        const branches = Effect.map(api.ask(200, "GET", "/repos/bob/copy/branches", bob), (rows: ReadonlyArray<Json>) =>
          rows.map(({ name }) => name)
        )
        const again = Effect.andThen(
          api.ask(200, "POST", "/repos/bob/copy/mirror-sync", bob),
          api.within(Leases.runDue(mirrorKind))
        )
        const progress = api.ask(200, "GET", "/repos/bob/copy/migration", bob)
        const first = yield* offer("first")
        const made = yield* api.send("POST", "/repos/migrate", { ...bob, body: { ...wanted, mirror: true, lfs: true } })
        expect([made.status, made.json.mirror, yield* textAt(first.copy)]).toEqual([201, true, "first"])
        const second = yield* offer("second", false)
        yield* again
        expect([yield* branches, yield* textAt(second.copy), yield* progress]).toMatchObject([
          ["first", "main", "second"],
          404,
          { state: "done", left_out: 1 }
        ])
        yield* api.fetch("PUT", second.url, { ...ann, raw: "second" })
        const third = yield* offer("third")
        yield* again
        expect([yield* textAt(second.copy), yield* textAt(third.copy)]).toEqual(["second", "third"])
        expect(yield* progress).toMatchObject({ left_out: 0 })
        // Each object was fetched once, and the credentials were sent only there.
        const fetched = asked.filter((each) => each.includes("/objects/") && !each.includes("/batch"))
        expect(fetched.filter((each) => each.includes(oidOf("first")))).toHaveLength(1)
        expect(asked.filter((each) => !each.endsWith(` ${signedIn}`))).toEqual([])
        // A host that doesn't answer for LFS leaves the branches unchanged.
        isSilent = true
        yield* offer("fourth")
        yield* again
        isSilent = false
        expect([yield* branches, yield* progress]).toMatchObject([
          ["first", "main", "second", "third"],
          { state: "failed", last_error: "it says 404" }
        ])
      })
  )
})
