import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { branchRef, GitReader, GitWriter, PushStore, Revision } from "@slipway/domain/forge/code"
import { mergePlans } from "@slipway/domain/forge/collaboration"
import { Jobs } from "@slipway/forge/background"
import { gitReader, gitWriter } from "@slipway/memory/forge"
import { Database } from "@slipway/sql"
import { layerStores, migrations } from "@slipway/sql/forge"
import { Effect, Layer } from "effect"
import { type Service, start } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository } from "../support/repositories.ts"

const base = "/repos/ann/app"
const [[, inMemory], [, onDisk]] = kindsOfGit

const onSql = () => ({
  ...onDisk(),
  store: Layer.provide(layerStores, Layer.orDie(Database.layerInMemory({ schema: "forge", migrations })))
})

const places = [
  ["in memory", inMemory],
  ["with git and the embedded database", onSql]
] as const

/** Ann's repository with a branch that changes a file, and Bob's fork with a branch that changes another. */
const site = Effect.fnUntraced(function* (kind: () => Parameters<typeof start>[0] = inMemory) {
  const api = yield* start(kind())
  for (const name of ["ann", "bob"]) yield* api.user(name)
  const id = yield* makeRepository(api, "app")
  yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "write" } })
  yield* commitTo(api, id, { "a.txt": "a" }, { branch: "topic", from: "main" })
  const fork = (yield* api.ask(202, "POST", `${base}/forks`, { ...bob, body: { name: "mine" } })).id as RepositoryId
  yield* commitTo(api, fork, { "b.txt": "b" }, { branch: "door", from: "main" })
  return { api, id, fork }
})

const opens = (api: Service, head: string, into = "main") =>
  api.ask(201, "POST", `${base}/pulls`, { ...bob, body: { title: head, head, base: into } })

const renames = (api: Service, as: typeof ann, branch: string, name: string, status = 204) =>
  api.ask(status, "PATCH", `/repos/${branch}`, { ...as, body: { name } })

const told = (api: Service, number: number) =>
  Effect.map(api.ask(200, "GET", `${base}/pulls/${number}`, ann), ({ base: into, head, mergeable, state }) => [
    head.ref,
    into.ref,
    state,
    mergeable
  ])

const timeline = (api: Service, number: number) =>
  Effect.map(
    api.ask(200, "GET", `${base}/issues/${number}/timeline`, ann),
    (rows: ReadonlyArray<Record<string, { login: string }>>) =>
      rows.map(({ new_ref, old_ref, type, user }) => [type, user?.login, old_ref, new_ref])
  )

for (const [place, kind] of places) {
  describe(`pull requests after their branches are renamed, ${place}`, () => {
    it.live("keep head and base under the new names, with their reviews", () =>
      Effect.gen(function* () {
        const { api } = yield* site(kind)
        yield* opens(api, "topic")
        yield* opens(api, "bob:door")
        yield* api.ask(200, "POST", `${base}/pulls/1/reviews`, { ...ann, body: { event: "APPROVED", body: "Good" } })
        yield* renames(api, ann, "ann/app/branches/main", "trunk")
        yield* renames(api, ann, "ann/app/branches/topic", "subject")
        yield* renames(api, bob, "bob/mine/branches/door", "gate")
        yield* api.within(Jobs.runDue)
        expect(yield* told(api, 1)).toEqual(["subject", "trunk", "open", true])
        expect(yield* told(api, 2)).toEqual(["gate", "trunk", "open", true])
        expect((yield* timeline(api, 2)).slice(-2)).toEqual([
          ["change_target_branch", "ann", "main", "trunk"],
          ["change_issue_ref", "bob", "door", "gate"]
        ])
        // The branches have the same commits: the approval counts, and a second pull request is a duplicate.
        yield* api.ask(201, "POST", `${base}/branch_protections`, {
          ...ann,
          body: { rule_name: "trunk", required_approvals: 1 }
        })
        yield* api.ask(409, "POST", `${base}/pulls`, { ...bob, body: { title: "2", head: "subject", base: "trunk" } })
        yield* api.ask(200, "POST", `${base}/pulls/1/merge`, { ...bob, body: { Do: "merge" } })
        expect((yield* api.ask(200, "GET", `${base}/pulls/1`, ann)).merged).toBe(true)
        const trunk = yield* api.ask(200, "GET", `${base}/branches/trunk`, ann)
        expect(trunk.commit.message).toBe("Merge pull request 'topic' (#1) from subject into trunk\n")
      })
    )
  })
}

describe("a branch rename", () => {
  it.live("leaves closed pull requests and pull requests of other branches unchanged", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site()
      yield* commitTo(api, id, { "c.txt": "c" }, { branch: "other", from: "main" })
      yield* opens(api, "topic")
      yield* api.ask(201, "PATCH", `${base}/pulls/1`, { ...bob, body: { state: "closed" } })
      yield* opens(api, "other")
      yield* renames(api, ann, "ann/app/branches/topic", "subject")
      yield* api.within(Jobs.runDue)
      expect(yield* told(api, 1)).toEqual(["topic", "main", "closed", false])
      expect(yield* told(api, 2)).toEqual(["other", "main", "open", true])
    })
  )

  it.live("keeps pull requests that are refreshed before the rename is recorded", () =>
    Effect.gen(function* () {
      let meanwhile: Effect.Effect<unknown> = Effect.void
      const writer = Layer.effect(
        GitWriter,
        Effect.map(GitWriter, (git) => ({
          ...git,
          updateRefs: (...args: Parameters<typeof git.updateRefs>) =>
            Effect.tap(git.updateRefs(...args), () =>
              args[1].some(({ ref, to }) => ref === branchRef("topic") && to === null) ? meanwhile : Effect.void
            )
        }))
      ).pipe(Layer.provide(gitWriter))
      const { api } = yield* site(() => ({ objects: Layer.merge(gitReader, writer) }))
      const { id: issueId } = yield* opens(api, "topic")
      meanwhile = api.within(
        Effect.gen(function* () {
          const job = yield* (yield* Transaction).run(Jobs.add({ _tag: "RefreshPull", issueId }))
          yield* Jobs.runNow(job)
        })
      )
      yield* renames(api, ann, "ann/app/branches/topic", "subject")
      yield* api.within(Jobs.runDue)
      expect(yield* told(api, 1)).toEqual(["subject", "main", "open", true])
    })
  )

  it.live("is rejected for the default branch if a protection forbids it", () =>
    Effect.gen(function* () {
      const { api } = yield* site()
      yield* api.ask(201, "POST", `${base}/branch_protections`, { ...ann, body: { rule_name: "main" } })
      yield* renames(api, ann, "ann/app/branches/main", "trunk", 403)
      expect((yield* api.ask(200, "GET", base, ann)).default_branch).toBe("main")
      yield* api.ask(404, "GET", `${base}/branches/trunk`, ann)
    })
  )

  it.live("does not redirect a merge that was authorized for the old name (I18)", () =>
    Effect.gen(function* () {
      const { api, id } = yield* site()
      const { id: issueId } = yield* opens(api, "topic")
      const tip = (branch: string) =>
        api.within(
          Effect.flatMap(GitReader, (git) =>
            Effect.map(git.resolve(id, Revision.make(branchRef(branch))), (found) => found?.commit)
          )
        )
      const [from, to] = [yield* tip("main"), yield* tip("topic")]
      yield* api.ask(201, "POST", `${base}/branches`, { ...ann, body: { new_branch_name: "spare" } })
      // A merge of a process that crashed before it moved the branch.
      yield* api.within(
        Effect.gen(function* () {
          const [first] = (yield* (yield* PushStore).list(id, { page: 1, perPage: 1 })).rows
          if (first === undefined || from === undefined || to === undefined) return yield* Effect.die("no push")
          const event = { ...first.event, action: "pull.merge" as const }
          const ref = { ref: "refs/heads/main", before: from, after: to, forced: false, commits: [], commitCount: 0 }
          const push = { repositoryId: id, at: first.at, refs: [ref], size: 0, event: first.event }
          const { id: pushId } = yield* (yield* PushStore).begin(push)
          yield* (yield* mergePlans.store).insert({
            issueId,
            repositoryId: id,
            mergerId: first.event.actor?.id as never,
            style: "merge",
            title: "",
            message: "",
            deleteBranch: false,
            headSha: to,
            from,
            to,
            pushId,
            event,
            createdAt: first.at
          })
        }).pipe(Effect.orDie)
      )
      yield* renames(api, ann, "ann/app/branches/main", "trunk")
      yield* api.within(Jobs.runDue)
      expect(yield* tip("trunk")).toBe(from)
      expect(yield* told(api, 1)).toEqual(["topic", "trunk", "open", true])
    })
  )
})
