import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { branchRef, GitReader, GitWriter, type ObjectId, PushStore, Revision } from "@slipway/domain/forge/code"
import { UserStore } from "@slipway/domain/forge/identity"
import { Jobs } from "@slipway/forge/background"
import { Effect } from "effect"
import type { Service } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const [[, memory]] = kindsOfGit
const base = "/repos/ann/app"
const who = { name: "Ann", email: "ann@example.com", seconds: 1_770_000_000, offset: "+0000" }
const at = "2026-01-01T00:00:00.000Z"

const commitAt = (api: Service, id: RepositoryId, revision: string) =>
  api.within(
    Effect.orDie(
      Effect.flatMap(GitReader, (git) =>
        Effect.map(git.resolve(id, Revision.make(revision)), (tip) => tip?.commit as ObjectId)
      )
    )
  )

/** Writes a merge commit with the tree of its second parent, and without a ref to it. */
const mergeCommit = (api: Service, id: RepositoryId, parents: ReadonlyArray<ObjectId>) =>
  api.within(
    Effect.gen(function* () {
      const [, head] = yield* (yield* GitReader).commits(id, parents)
      const data = { tree: head?.tree as ObjectId, parents, author: who, committer: who, message: "Merge topic\n" }
      return yield* (yield* GitWriter).writeCommit(id, data)
    }).pipe(Effect.orDie)
  )

/** Moves branches, `null` deletes, and records them as one push of Bob's, like the git protocols do. */
const push = Effect.fnUntraced(function* (
  api: Service,
  id: RepositoryId,
  branches: Readonly<Record<string, ObjectId | null>>
) {
  const names = Object.keys(branches)
  const refs = yield* Effect.forEach(names, (name) =>
    Effect.map(commitAt(api, id, `refs/heads/${name}`), (before) => ({
      ref: branchRef(name),
      before,
      after: branches[name] ?? null,
      forced: false,
      commits: [],
      commitCount: 1
    }))
  )
  yield* api.within(
    Effect.gen(function* () {
      const user = (yield* (yield* UserStore).named("bob"))?.user
      const pushed = yield* (yield* PushStore).begin({
        repositoryId: id,
        at,
        refs,
        size: 0,
        event: {
          at,
          action: "git.push",
          outcome: "done",
          refusedBy: null,
          actor: user === undefined ? null : { id: user.id, name: user.name },
          signedInAs: null,
          signedInWith: { kind: "password" },
          address: "",
          subject: { kind: "repository", id, name: "ann/app" },
          organizationId: null,
          teamId: null,
          repositoryId: id,
          details: {}
        }
      })
      yield* (yield* GitWriter).updateRefs(
        id,
        refs.map(({ after, before, ref }) => ({ ref, from: before, to: after }))
      )
      yield* (yield* Transaction).run(Jobs.add({ _tag: "SettlePush", pushId: pushed.id }))
      for (let round = 0; round < 3; round++) yield* Jobs.runDue
    }).pipe(Effect.orDie)
  )
})

/** Ann's repository, which detects merges, with a pull request of Bob's from `topic`. */
const site = Effect.fnUntraced(function* (
  kind: (typeof kindsOfGit)[number][1] = memory,
  more: object = {},
  body = "Please"
) {
  const api = yield* withPeople(kind)
  const id = yield* makeRepository(api, "app")
  yield* api.ask(200, "PATCH", base, {
    ...ann,
    body: { autodetect_manual_merge: true, allow_manual_merge: true, allow_fast_forward_only_merge: true, ...more }
  })
  yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "write" } })
  const first = yield* commitAt(api, id, "refs/heads/main")
  const head = yield* commitTo(api, id, { "b.txt": "b\n" }, { branch: "topic", from: "main" })
  yield* api.ask(201, "POST", `${base}/issues`, { ...ann, body: { title: "Broken" } })
  yield* api.ask(201, "POST", `${base}/issues`, { ...ann, body: { title: "Another" } })
  yield* api.ask(201, "POST", `${base}/pulls`, { ...bob, body: { title: "b", body, head: "topic", base: "main" } })
  return { api, id, first, head }
})

const ours = `${base}/pulls/3`

/** Reads the fields of a pull request that a merge must keep. */
const kept = Effect.fnUntraced(function* (api: Service) {
  const { merge_base, merge_commit_sha, merged, merged_by, state } = yield* api.ask(200, "GET", ours, ann)
  const commits: ReadonlyArray<{ sha: string }> = yield* api.ask(200, "GET", `${ours}/commits`, ann)
  const files: ReadonlyArray<{ filename: string }> = yield* api.ask(200, "GET", `${ours}/files`, ann)
  const { text } = yield* api.send("GET", `${ours}.diff`, ann)
  return {
    state,
    merged,
    by: merged_by?.login,
    merge_commit_sha,
    merge_base,
    commits: commits.map(({ sha }) => sha),
    files: files.map(({ filename }) => filename),
    diff: text.includes("+b\n")
  }
})

describe("pull requests merged with git", () => {
  for (const [name, kind] of kindsOfGit) {
    it.live(`keep commits, files, diff, base and merger after a merge commit is pushed, in ${name}`, () =>
      Effect.gen(function* () {
        const { api, first, head, id } = yield* site(kind)
        const merge = yield* mergeCommit(api, id, [first, head])
        const next = yield* mergeCommit(api, id, [merge, yield* mergeCommit(api, id, [head, head])])
        yield* push(api, id, { main: next })
        expect(yield* kept(api)).toEqual({
          state: "closed",
          merged: true,
          by: "bob",
          merge_commit_sha: merge,
          merge_base: first,
          commits: [head],
          files: ["b.txt"],
          diff: true
        })
      })
    )

    it.live(`keep commits, files, diff, base and merger after a fast-forward is pushed, in ${name}`, () =>
      Effect.gen(function* () {
        const { api, first, head, id } = yield* site(kind)
        yield* push(api, id, { main: head })
        expect(yield* kept(api)).toEqual({
          state: "closed",
          merged: true,
          by: "bob",
          merge_commit_sha: head,
          merge_base: first,
          commits: [head],
          files: ["b.txt"],
          diff: true
        })
      })
    )
  }

  it.live("are in the feeds of the repository and the merger", () =>
    Effect.gen(function* () {
      const { api, head, id } = yield* site()
      yield* push(api, id, { main: head })
      for (const path of [base, "/users/bob"]) {
        const rows: ReadonlyArray<Record<string, unknown> & { act_user: { login: string } }> = yield* api.ask(
          200,
          "GET",
          `${path}/activities/feeds`,
          ann
        )
        const merges = rows.filter(({ op_type }) => op_type === "merge_pull_request")
        expect(merges.map(({ act_user, content }) => [act_user.login, content])).toEqual([["bob", "3|b"]])
      }
    })
  )

  it.live("keep commits and files when a user marks them as merged", () =>
    Effect.gen(function* () {
      const { api, first, head, id } = yield* site(memory, { autodetect_manual_merge: false })
      const merge = yield* mergeCommit(api, id, [first, head])
      yield* push(api, id, { main: merge })
      expect((yield* kept(api)).merged).toBe(false)
      const body = { Do: "manually-merged", MergeCommitID: merge }
      yield* api.ask(200, "POST", `${ours}/merge`, { ...ann, body })
      expect(yield* kept(api)).toMatchObject({
        merged: true,
        by: "ann",
        merge_commit_sha: merge,
        merge_base: first,
        commits: [head],
        files: ["b.txt"],
        diff: true
      })
    })
  )

  it.live("stay open when the head is force-pushed to a commit of the base", () =>
    Effect.gen(function* () {
      const { api, first, id } = yield* site()
      yield* push(api, id, { topic: first })
      expect(yield* kept(api)).toMatchObject({ state: "open", merged: false, commits: [], files: [] })
      const other = yield* commitTo(api, id, { "c.txt": "c\n" }, { branch: "side", from: "main" })
      yield* push(api, id, { main: other, topic: other })
      expect(yield* kept(api)).toMatchObject({ state: "open", merged: false })
    })
  )

  it.live("stay open when one push moves base and head to the same new commit", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site()
      const other = yield* commitTo(api, id, { "c.txt": "c\n" }, { branch: "side", from: "main" })
      yield* push(api, id, { main: other, topic: other })
      expect(yield* kept(api)).toMatchObject({ state: "open", merged: false })
    })
  )

  it.live("are merged, not closed, when one push merges and deletes the head branch", () =>
    Effect.gen(function* () {
      const { api, first, head, id } = yield* site()
      const merge = yield* mergeCommit(api, id, [first, head])
      yield* push(api, id, { main: merge, topic: null })
      expect(yield* kept(api)).toMatchObject({ merged: true, by: "bob", merge_commit_sha: merge, commits: [head] })
    })
  )

  it.live("are closed when the head branch is deleted unmerged, or when merge detection is disabled", () =>
    Effect.gen(function* () {
      const { api, first, head, id } = yield* site(memory, { autodetect_manual_merge: false })
      yield* push(api, id, { main: yield* mergeCommit(api, id, [first, head]), topic: null })
      expect(yield* kept(api)).toMatchObject({ state: "closed", merged: false, commits: [head] })
      const other = yield* site()
      yield* push(other.api, other.id, { topic: null })
      expect(yield* kept(other.api)).toMatchObject({ state: "closed", merged: false })
    })
  )

  it.live("are not reopened while the head or base branch is missing", () =>
    Effect.gen(function* () {
      const { api, head, id } = yield* site()
      yield* push(api, id, { topic: null })
      const open = { ...ann, body: { state: "open" } }
      for (const path of [ours, `${base}/issues/3`]) {
        const { message } = yield* api.ask(422, "PATCH", path, open)
        expect(message).toBe("[state]: cannot be `open`: the branch `topic` no longer exists")
      }
      expect((yield* kept(api)).state).toBe("closed")
      yield* push(api, id, { topic: head })
      yield* api.ask(201, "PATCH", ours, open)
      expect((yield* kept(api)).state).toBe("open")
    })
  )
})

describe("delete_branch_after_merge", () => {
  const merge = (api: Service) =>
    api.ask(200, "POST", `${ours}/merge`, { ...ann, body: { Do: "merge", delete_branch_after_merge: true } })
  const opens = (api: Service, head: string, into: string) =>
    api.ask(201, "POST", `${base}/pulls`, { ...bob, body: { title: "More", head, base: into } })

  it.live("deletes a head branch that no open pull request uses", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      yield* merge(api)
      yield* api.ask(404, "GET", `${base}/branches/topic`, ann)
    })
  )

  it.live("keeps a branch that is the head of another open pull request", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site()
      yield* commitTo(api, id, { "c.txt": "c\n" }, { branch: "release", from: "main" })
      yield* opens(api, "topic", "release")
      yield* merge(api)
      yield* api.ask(200, "GET", `${base}/branches/topic`, ann)
      expect((yield* api.ask(200, "GET", `${base}/pulls/4`, ann)).state).toBe("open")
    })
  )

  it.live("keeps a branch that is the base of another open pull request", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site()
      yield* commitTo(api, id, { "c.txt": "c\n" }, { branch: "next", from: "topic" })
      yield* opens(api, "next", "topic")
      yield* merge(api)
      yield* api.ask(200, "GET", `${base}/branches/topic`, ann)
      expect((yield* api.ask(200, "GET", `${base}/pulls/4`, ann)).state).toBe("open")
    })
  )
})

describe("a closing word in the description of a pull request", () => {
  const runDue = (api: Service) =>
    api.within(
      Effect.gen(function* () {
        for (let round = 0; round < 3; round++) yield* Jobs.runDue
      })
    )
  const stateOf = (api: Service, number: number) =>
    Effect.map(api.ask(200, "GET", `${base}/issues/${number}`, ann), ({ state }) => state as string)
  const closers = (api: Service, number: number) =>
    Effect.map(
      api.ask(200, "GET", `${base}/issues/${number}/timeline`, ann),
      (events: ReadonlyArray<{ type: string; user: { login: string } }>) =>
        events.flatMap(({ type, user }) => (type === "close" ? user.login : []))
    )

  for (const Do of ["merge", "squash", "rebase", "rebase-merge", "fast-forward-only"]) {
    it.live(`closes the issue once when the pull request is merged by ${Do}`, () =>
      Effect.gen(function* () {
        const { api } = yield* site(memory, {}, "Fixes #1, see #2")
        yield* api.ask(200, "POST", `${ours}/merge`, { ...ann, body: { Do } })
        yield* runDue(api)
        expect([yield* stateOf(api, 1), yield* stateOf(api, 2)]).toEqual(["closed", "open"])
        expect(yield* closers(api, 1)).toEqual(["ann"])
      })
    )
  }

  it.live("closes the issue when the pull request is merged with git or marked as merged", () =>
    Effect.gen(function* () {
      const pushed = yield* site(memory, {}, "Fixes #1")
      yield* push(pushed.api, pushed.id, { main: pushed.head })
      yield* runDue(pushed.api)
      expect(yield* closers(pushed.api, 1)).toEqual(["bob"])
      const marked = yield* site(memory, { autodetect_manual_merge: false }, "Fixes #1")
      yield* push(marked.api, marked.id, { main: marked.head })
      yield* runDue(marked.api)
      expect(yield* stateOf(marked.api, 1)).toBe("open")
      const body = { Do: "manually-merged", MergeCommitID: marked.head }
      yield* marked.api.ask(200, "POST", `${ours}/merge`, { ...ann, body })
      yield* runDue(marked.api)
      expect(yield* closers(marked.api, 1)).toEqual(["ann"])
    })
  )

  it.live(
    "closes no issue when the pull request is closed, or merged into a branch other than the default branch",
    () =>
      Effect.gen(function* () {
        const closed = yield* site(memory, {}, "Fixes #1")
        yield* closed.api.ask(201, "PATCH", ours, { ...bob, body: { state: "closed" } })
        yield* runDue(closed.api)
        expect(yield* stateOf(closed.api, 1)).toBe("open")
        const other = yield* site(memory, {}, "Fixes #1")
        yield* other.api.ask(201, "POST", `${base}/branches`, { ...ann, body: { new_branch_name: "release" } })
        yield* other.api.ask(201, "PATCH", ours, { ...ann, body: { base: "release" } })
        yield* other.api.ask(200, "POST", `${ours}/merge`, { ...ann, body: { Do: "merge" } })
        yield* runDue(other.api)
        expect(yield* stateOf(other.api, 1)).toBe("open")
      })
  )

  it.live("closes no issue that the merger may not edit", () =>
    Effect.gen(function* () {
      const { api } = yield* site(memory, {}, "Fixes ann/other#1")
      yield* makeRepository(api, "other")
      yield* api.ask(201, "POST", "/repos/ann/other/issues", { ...ann, body: { title: "Ann's" } })
      yield* api.ask(200, "POST", `${ours}/merge`, { ...bob, body: { Do: "merge" } })
      yield* runDue(api)
      expect((yield* api.ask(200, "GET", "/repos/ann/other/issues/1", ann)).state).toBe("open")
    })
  )
})
