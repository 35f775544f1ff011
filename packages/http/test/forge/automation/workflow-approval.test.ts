import { describe, expect, it } from "@effect/vitest"
import { workflowRuns } from "@slipway/domain/forge/automation"
import { jobCleanup, Reruns } from "@slipway/forge/automation"
import { Effect } from "effect"
import { basic, bearer, type Chosen, referenceUrl } from "../support/harness.ts"
import { stores } from "../support/stores.ts"
import { ann, at, bob, workflowSite } from "../support/workflowSite.ts"

const missing = { message: "The target couldn't be found.", url: referenceUrl }
const cy = { headers: basic("cy") }
const copy = "/repos/ann/copy"

const checks = `
name: CI
on: { pull_request: { types: [opened, synchronize, closed, labeled] }, push: { branches: [side] } }
concurrency: ci
jobs: { a: { runs-on: linux, steps: [{ run: make }] } }
`

/** A repository with a workflow, and a fork by a user without permissions in it. */
const forkedSite = Effect.fnUntraced(function* (store?: Chosen["store"]) {
  const site = yield* workflowSite(store)
  const { api, file, runs, settle } = site
  yield* api.user("cy")
  yield* file(".forgejo/workflows/ci.yml", checks)
  yield* api.ask(202, "POST", `${at}/forks`, { ...ann, body: { name: "copy" } })
  yield* settle
  /** Pushes a file to a branch of the fork. */
  const push = (path: string, branch: string, as = ann, more: object = { branch }) => file(path, path, more, as, copy)
  /** Opens a pull request from a new branch. */
  const open = Effect.fnUntraced(function* (branch: string, as = ann) {
    yield* push(`${branch}.md`, branch, as, { branch: "main", new_branch: branch })
    const body = { title: branch, head: `ann:${branch}`, base: "main" }
    const pull = yield* api.ask(201, "POST", `${at}/pulls`, { ...as, body })
    yield* settle
    return pull.number as number
  })
  const ofPulls = Effect.map(runs, (rows) => rows.filter(({ event }) => event === "pull_request"))
  const states = Effect.map(ofPulls, (rows) =>
    rows.map(({ conclusion, needsApproval, status }) => `${conclusion ?? status}${needsApproval ? ", unapproved" : ""}`)
  )
  const last = Effect.map(ofPulls, ([run]) => run?.id ?? 0)
  const approve = (id: number, status = 204, as: object = bob) =>
    api.ask(status, "POST", `${at}/actions/runs/${id}/approve`, as)
  return { ...site, approve, last, ofPulls, open, push, states }
})

for (const [kind, store] of stores) {
  describe(`runs of external contributors in ${kind}`, () => {
    it.live("I21: wait until a user with write permission on the base's actions approves them (CVE-2026-58424)", () =>
      Effect.gen(function* () {
        const { api, approve, end, fetch, last, open, push, runner, settle, shownJobs, states, statuses } =
          yield* forkedSite(store)
        const by = yield* runner()
        const number = yield* open("door")
        expect(yield* states).toEqual(["blocked, unapproved"])
        expect(yield* fetch(by)).toBeUndefined()
        const id = yield* last
        const shown = yield* api.ask(200, "GET", `${at}/actions/runs/${id}`, ann)
        expect(shown).toMatchObject({ status: "waiting", conclusion: null, need_approval: true })
        expect(yield* statuses(shown.head_sha)).toEqual(["pending", "CI / a (pull_request): pending"])
        const listed = (word: string) =>
          Effect.map(api.ask(200, "GET", `${at}/actions/runs?status=${word}`, bob), ({ total_count }) => total_count)
        expect([yield* listed("action_required"), yield* listed("queued")]).toEqual([1, 0])
        yield* approve(id, 401, {})
        yield* approve(id, 403, ann)
        yield* approve(id + 1_000, 404)
        yield* api.ask(201, "POST", "/user/repos", { ...bob, body: { name: "other" } })
        expect(yield* api.ask(404, "POST", `/repos/bob/other/actions/runs/${id}/approve`, bob)).toEqual(missing)
        yield* approve(id)
        yield* settle
        expect(yield* states).toEqual(["waiting"])
        expect(yield* listed("action_required")).toBe(0)
        expect((yield* approve(id, 409)).message).toBe("the run does not need approval")
        const task = yield* fetch(by)
        expect(Object.keys(task?.secrets ?? {})).toEqual(["GITHUB_TOKEN", "GITEA_TOKEN"])
        yield* end(by, task?.id ?? 0, 1)
        // A rerun needs no approval: its commit is the approved one.
        yield* api.ask(201, "POST", `${at}/actions/runs/${id}/rerun`, bob)
        yield* settle
        yield* end(by, (yield* fetch(by))?.id ?? 0, 1)
        expect(yield* shownJobs({ id })).toBe("a: success, a: success")
        // I20: the approval applies to that commit only, and does not make its author trusted.
        yield* push("more.md", "door")
        expect(yield* states).toEqual(["blocked, unapproved", "success"])
        yield* open("other")
        expect(yield* states).toEqual(["blocked, unapproved", "blocked, unapproved", "success"])
        // The author is trusted after code of theirs is merged.
        yield* api.ask(200, "POST", `${at}/pulls/${number}/merge`, { ...bob, body: { Do: "merge" } })
        yield* settle
        yield* open("third")
        expect((yield* states)[0]).toBe("waiting")
        const events = yield* api.ask(200, "GET", "/admin/audit?action=repository.actions.run.approve", {
          headers: basic("root")
        })
        expect(events.map((event: Record<string, unknown>) => [event.outcome, event.details])).toContainEqual([
          "done",
          { run: id, attempt: 1 }
        ])
      })
    )

    it.live("end when their pull request is closed, and start only after an approval", () =>
      Effect.gen(function* () {
        const { api, approve, fetch, last, open, runner, settle, states } = yield* forkedSite(store)
        const by = yield* runner()
        const number = yield* open("door")
        const id = yield* last
        yield* api.ask(201, "PATCH", `${at}/pulls/${number}`, { ...ann, body: { state: "closed" } })
        yield* settle
        // The run for the close event waits for approval like all others.
        expect(yield* states).toEqual(["blocked, unapproved", "cancelled, unapproved"])
        expect((yield* approve(id, 409)).message).toBe("the run is finished")
        yield* api.ask(201, "POST", `${at}/actions/runs/${id}/rerun`, bob)
        yield* settle
        expect(yield* states).toEqual(["blocked, unapproved", "blocked, unapproved"])
        expect(yield* fetch(by)).toBeUndefined()
        yield* approve(id)
        yield* settle
        expect(yield* states).toEqual(["blocked, unapproved", "waiting"])
        const old = { createdAt: "2024-01-01T00:00:00.000Z" }
        yield* api.within(
          Effect.gen(function* () {
            const runs = yield* workflowRuns.store
            const { rows } = yield* runs.listEverywhere({ limit: 9 })
            for (const run of rows) yield* runs.patch({ repositoryId: run.repositoryId }, run.id, old)
            yield* jobCleanup.run
          })
        )
        expect(yield* states).toEqual(["cancelled, unapproved", "waiting"])
      })
    )
  })
}

describe("a trusted pusher", () => {
  it.live(
    "I21: has write permission on the actions, which is checked for the pusher and not only for the fork's owner",
    () =>
      Effect.gen(function* () {
        const { api, open, push, settle, states } = yield* forkedSite()
        yield* api.ask(204, "PUT", `${at}/collaborators/ann`, { ...bob, body: { permission: "write" } })
        const number = yield* open("door")
        expect(yield* states).toEqual(["waiting"])
        yield* push("more.md", "door")
        expect((yield* states)[0]).toBe("blocked")
        expect((yield* states).some((state) => state.includes("unapproved"))).toBe(false)
        yield* api.ask(204, "PUT", `${copy}/collaborators/cy`, { ...ann, body: { permission: "write" } })
        yield* push("evil.md", "door", cy)
        expect((yield* states)[0]).toBe("blocked, unapproved")
        // Another event by a trusted user does not start it either.
        const label = yield* api.ask(201, "POST", `${at}/labels`, { ...bob, body: { name: "ok", color: "#00aabb" } })
        yield* api.ask(200, "POST", `${at}/issues/${number}/labels`, { ...bob, body: { labels: [label.id] } })
        yield* settle
        expect((yield* states).slice(0, 2)).toEqual(["blocked, unapproved", "blocked, unapproved"])
        // Nor does it start if the pusher is unknown: deleting the fork closes the pull request.
        yield* api.ask(204, "DELETE", copy, ann)
        yield* settle
        expect((yield* states).slice(0, 3)).toEqual([
          "blocked, unapproved",
          "cancelled, unapproved",
          "cancelled, unapproved"
        ])
      })
  )

  it.live("I21: is no job with write access, and no author of a pull request without new commits", () =>
    Effect.gen(function* () {
      const { api, approve, fetch, file, last, open, ofPulls, proof, runner, settle, states } = yield* forkedSite()
      const by = yield* runner()
      yield* file("side.md", "x", { new_branch: "side" })
      const task = yield* fetch(by)
      const token = { headers: bearer(String(task?.context.token)) }
      const number = yield* open("door")
      yield* approve(yield* last, 403, token)
      // A head that moves to a commit of the base is no merge, so its author is not trusted.
      yield* api.ask(200, "PATCH", at, { ...bob, body: { autodetect_manual_merge: true } })
      const { commit } = yield* api.ask(200, "GET", `${copy}/branches/main`, ann)
      yield* api.ask(204, "PUT", `${copy}/branches/door`, {
        ...ann,
        body: { new_commit_id: commit.id, force: true }
      })
      yield* settle
      expect((yield* api.ask(200, "GET", `${at}/pulls/${number}`, bob)).merged).toBe(false)
      yield* open("other")
      expect((yield* states)[0]).toBe("blocked, unapproved")
      const [run] = yield* ofPulls
      yield* api.within(Reruns.approve(yield* proof("repository.actions.run.approve"), run?.id ?? 0))
      expect((yield* ofPulls)[0]).toMatchObject({ needsApproval: false, approverId: null })
    })
  )
})
