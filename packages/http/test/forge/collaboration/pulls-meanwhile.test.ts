import { describe, expect, it } from "@effect/vitest"
import { branchRef, GitReader, GitWriter, type ObjectId } from "@slipway/domain/forge/code"
import { Jobs } from "@slipway/forge/background"
import { gitReader, gitWriter } from "@slipway/memory/forge"
import { Effect, Layer } from "effect"
import { ann, bob, commitTo, makeRepository, withPeople } from "../support/repositories.ts"

const base = "/repos/ann/app"
const pull = `${base}/pulls/1`

/** Runs an effect once, before another one. */
const once = () => {
  let first: Effect.Effect<unknown> = Effect.void
  return {
    set: (effect: Effect.Effect<unknown>) => {
      first = effect
    },
    before: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const set = first
        first = Effect.void
        return Effect.andThen(set, effect)
      })
  }
}

/**
 * A pull request of Bob's, and hooks that run once during its merge: when a commit is read or written, or the branch is
 * moved.
 */
const site = Effect.gen(function* () {
  const [reading, writing, moving] = [once(), once(), once()]
  const writer = Layer.effect(
    GitWriter,
    Effect.map(GitWriter, (git) => ({
      ...git,
      writeCommit: (...args: Parameters<typeof git.writeCommit>) => writing.before(git.writeCommit(...args)),
      updateRefs: (...[id, updates]: Parameters<typeof git.updateRefs>) => {
        const moved = git.updateRefs(id, updates)
        return updates.some(({ ref }) => ref === branchRef("main")) ? moving.before(moved) : moved
      }
    }))
  ).pipe(Layer.provide(gitWriter))
  const reader = Layer.effect(
    GitReader,
    Effect.map(GitReader, (git) => ({
      ...git,
      commits: (...args: Parameters<typeof git.commits>) => reading.before(git.commits(...args))
    }))
  ).pipe(Layer.provide(gitReader))
  const api = yield* withPeople(() => ({ objects: Layer.merge(reader, writer) }))
  const id = yield* makeRepository(api, "app")
  yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "write" } })
  yield* api.ask(201, "POST", `${base}/branches`, { ...ann, body: { new_branch_name: "other" } })
  const head = yield* commitTo(api, id, { "b.txt": "b" }, { branch: "topic", from: "main" })
  yield* api.ask(201, "POST", `${base}/pulls`, { ...bob, body: { title: "b", head: "topic", base: "main" } })
  const [before] = yield* api.ask(200, "GET", `${base}/commits?sha=main`, ann)
  const merge = (more: object = {}) => api.send("POST", `${pull}/merge`, { ...bob, body: { Do: "merge", ...more } })
  const tip = Effect.map(api.ask(200, "GET", `${base}/commits?sha=main`, ann), ([first]) => first.sha as string)
  return {
    api,
    head,
    id,
    before: before.sha as ObjectId,
    merge,
    tip,
    whileWriting: writing.set,
    whileReading: reading.set,
    whileMoving: moving.set
  }
})

const protect = { ...ann, body: { rule_name: "main", required_approvals: 1 } }

describe("pull requests that change during their merge (I20)", () => {
  it.live("are not merged if the branch is protected before it moves", () =>
    Effect.gen(function* () {
      const { api, before, merge, tip, whileWriting } = yield* site
      whileWriting(api.ask(201, "POST", `${base}/branch_protections`, protect))
      expect((yield* merge()).status).toBe(405)
      expect(yield* tip).toBe(before)
    })
  )

  it.live("are not merged if their approval is dismissed before the branch moves", () =>
    Effect.gen(function* () {
      const { api, before, merge, tip, whileWriting } = yield* site
      yield* api.ask(201, "POST", `${base}/branch_protections`, protect)
      const approval = { ...ann, body: { event: "APPROVED", body: "Good" } }
      const { id } = yield* api.ask(200, "POST", `${pull}/reviews`, approval)
      whileWriting(api.ask(200, "POST", `${pull}/reviews/${id}/dismissals`, { ...ann, body: { message: "No" } }))
      expect((yield* merge()).status).toBe(405)
      expect(yield* tip).toBe(before)
    })
  )

  it.live("stay scheduled if their branch gets a stricter protection during the merge", () =>
    Effect.gen(function* () {
      const { api, before, merge, tip, whileWriting } = yield* site
      yield* api.ask(201, "POST", `${base}/branch_protections`, protect)
      expect((yield* merge({ merge_when_checks_succeed: true })).status).toBe(201)
      const stricter = { ...ann, body: { required_approvals: 2 } }
      whileWriting(api.ask(200, "PATCH", `${base}/branch_protections/main`, stricter))
      yield* api.ask(200, "POST", `${pull}/reviews`, { ...ann, body: { event: "APPROVED", body: "Good" } })
      yield* api.within(Jobs.runDue)
      expect(yield* tip).toBe(before)
      expect((yield* api.ask(200, "GET", pull, ann)).merged).toBe(false)
    })
  )

  it.live("are not merged on schedule if their base changed after the user scheduled the merge", () =>
    Effect.gen(function* () {
      const { api, head, merge } = yield* site
      const tipOf = (branch: string) =>
        Effect.map(api.ask(200, "GET", `${base}/branches/${branch}`, ann), ({ commit }) => commit.id as string)
      const before = yield* tipOf("other")
      yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "read" } })
      yield* api.ask(201, "POST", `${base}/branch_protections`, {
        ...ann,
        body: { rule_name: "main", enable_status_check: true, status_check_contexts: ["ci"] }
      })
      const whenChecked = { ...ann, body: { Do: "merge", merge_when_checks_succeed: true } }
      yield* api.ask(201, "POST", `${pull}/merge`, whenChecked)
      yield* api.ask(201, "PATCH", pull, { ...bob, body: { base: "other" } })
      yield* api.ask(201, "POST", `${base}/statuses/${head}`, { ...ann, body: { state: "success", context: "ci" } })
      yield* api.within(Jobs.runDue)
      expect([yield* tipOf("other"), (yield* api.ask(200, "GET", pull, ann)).merged]).toEqual([before, false])
      const told = yield* api.ask(200, "GET", `${base}/issues/1/timeline`, ann)
      expect(told.map(({ type }: { type: string }) => type).slice(-2)).toEqual([
        "pull_cancel_scheduled_merge",
        "change_target_branch"
      ])
      expect((yield* merge()).status).toBe(403)
    })
  )

  it.live("keep their base branch after their merge has started", () =>
    Effect.gen(function* () {
      const { api, merge, tip, whileMoving } = yield* site
      let retargeted = 0
      const retarget = api.send("PATCH", pull, { ...ann, body: { base: "other" } })
      whileMoving(Effect.map(retarget, ({ status }) => (retargeted = status)))
      expect((yield* merge()).status).toBe(200)
      const after = yield* api.ask(200, "GET", pull, ann)
      expect([retargeted, after.base.ref, after.merged, after.merge_commit_sha]).toEqual([
        405,
        "main",
        true,
        yield* tip
      ])
    })
  )

  it.live("are marked as manually merged only once by two concurrent requests", () =>
    Effect.gen(function* () {
      const { api, before, head, id, merge, whileReading } = yield* site
      yield* api.ask(200, "PATCH", base, { ...ann, body: { allow_manual_merge: true } })
      const main = [{ ref: branchRef("main"), from: before, to: head }]
      yield* api.within(Effect.flatMap(GitWriter, (git) => Effect.orDie(git.updateRefs(id, main))))
      const byHand = merge({ Do: "manually-merged", MergeCommitID: head })
      let first = 0
      whileReading(Effect.map(byHand, ({ status }) => (first = status)))
      expect([(yield* byHand).status, first]).toEqual([405, 200])
    })
  )
})
