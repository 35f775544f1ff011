import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitTransport, type RefChange } from "@slipway/domain/forge/code"
import { Effect, Layer, Stream } from "effect"
import { basic, bearer, type Service, start } from "../support/harness.ts"
import { ann, bob, commitTo, makeRepository, pushedObjects } from "../support/repositories.ts"

const [cat, dora, eve] = ["cat", "dora", "eve"].map((name) => ({ headers: basic(name) })) as [Who, Who, Who]
type Who = typeof ann

const young = "1".repeat(40)

/** Proposes the refs in the body in place of git, and returns the rejected refs. */
const proposing = (before: () => Effect.Effect<unknown>) =>
  Layer.succeed(GitTransport, {
    serve: ({ decide, input }) =>
      Effect.succeed({
        output: Stream.fromEffect(
          Effect.gen(function* () {
            const said = yield* Stream.mkString(Stream.decodeText(input))
            yield* before()
            if (decide === undefined) return yield* Effect.die("a push that nobody decides")
            const changes = JSON.parse(said) as ReadonlyArray<RefChange>
            return Buffer.from(
              JSON.stringify([...(yield* decide({ changes, options: [], objects: pushedObjects(0) })).refused])
            )
          })
        ),
        said: Stream.empty,
        exitCode: Effect.succeed(0)
      })
  })

/** Ann's repository, where Dora writes, and Bob's fork of it with two branches, where Eve writes. */
const site = Effect.fnUntraced(function* (before: () => Effect.Effect<unknown> = () => Effect.void) {
  const api = yield* start({ clients: proposing(before) })
  for (const name of ["ann", "bob", "cat", "dora", "eve"]) yield* api.user(name)
  const id = yield* makeRepository(api, "app")
  const writes = (as: Who, repository: string, who: string) =>
    api.ask(204, "PUT", `/repos/${repository}/collaborators/${who}`, { ...as, body: { permission: "write" } })
  yield* writes(ann, "ann/app", "dora")
  yield* commitTo(api, id, { "a.txt": "one\n" })
  const fork = (yield* api.ask(202, "POST", "/repos/ann/app/forks", { ...bob, body: { name: "mine" } })).id
  yield* writes(bob, "bob/mine", "eve")
  for (const branch of ["topic", "other"]) {
    yield* commitTo(api, fork as RepositoryId, { "a.txt": `${branch}\n` }, { branch, from: "main" })
  }
  return api
})

const opens = (api: Service, as: Who, more: object, base = "ann/app") =>
  api.ask(201, "POST", `/repos/${base}/pulls`, {
    ...as,
    body: { title: "Say it", head: "bob:topic", base: "main", allow_maintainer_edit: true, ...more }
  })

const changes = (api: Service, as: Who, body: object, status = 201) =>
  api.ask(status, "PATCH", "/repos/ann/app/pulls/1", { ...as, body })

const change = (ref: string, before: string | undefined = "2".repeat(40), after: string | undefined = young) => ({
  ref,
  before,
  after
})
const topic = change("refs/heads/topic")
/** The answer to a push of that branch by a reader, who may only push to refs/for/. */
const refused = ["refs/heads/topic"]

const push = (api: Service, { headers }: Who, all: ReadonlyArray<object> = [topic], path = "/bob/mine.git") =>
  Effect.map(
    api.fetch("POST", `${path}/git-receive-pack`, {
      headers: { ...headers, "content-type": "application/x-git-receive-pack-request" },
      body: all
    }),
    ({ status, text }) => (status === 200 ? JSON.parse(text) : status)
  )

describe("I13, CVE-2026-26231: a head branch on which maintainers of the base may push", () => {
  it.live(
    "gives maintainers push access to this branch only, and each ref of a push is checked separately (B6, B7, I18)",
    () =>
      Effect.gen(function* () {
        const api = yield* site()
        const asks = (user: string) =>
          api.ask(200, "GET", `/access/explain?user=${user}&action=git.push&resource=repo:bob/mine`, bob)
        expect([yield* push(api, ann), (yield* asks("ann")).allowed]).toEqual([refused, false])
        expect((yield* opens(api, bob, {})).allow_maintainer_edit).toBe(true)
        const { path } = yield* asks("ann")
        expect(path.find(({ stage }: { stage: string }) => stage === "role").because).toEqual([
          "repository.lent-branch: a pull request can lend its head branch to users who write the base and can read the head"
        ])
        expect((yield* asks("cat")).allowed).toBe(false)
        for (const who of [ann, dora, bob, eve]) expect(yield* push(api, who)).toEqual([])
        expect(yield* push(api, cat)).toEqual(refused)
        const others = [
          change("refs/heads/other"),
          change("refs/heads/main"),
          change("refs/tags/v1"),
          change("refs/notes/a"),
          { ref: "refs/heads/new", after: young },
          { ref: "refs/heads/topic", before: young }
        ]
        expect(yield* push(api, ann, others)).toEqual(others.map(({ ref }) => ref))
        expect(yield* push(api, ann, [change("refs/heads/other"), topic])).toEqual(["refs/heads/other"])
        expect(yield* push(api, ann, [topic], "/bob/mine.wiki.git")).toBe(404)
        const reading = bearer(yield* api.mint("ann", ["read:repository"]))
        expect(yield* push(api, { headers: reading as never })).toBe(403)
        yield* api.ask(403, "POST", "/repos/bob/mine/branches", { ...ann, body: { new_branch_name: "b" } })
        yield* api.ask(403, "DELETE", "/repos/bob/mine/branches/topic", ann)
        yield* api.ask(200, "POST", "/repos/ann/app/pulls/1/update", dora)
        yield* api.ask(403, "POST", "/repos/ann/app/pulls/1/update", cat)
      })
  )

  it.live("is opened only by a user who can write the branch, and only to users who can write the base", () =>
    Effect.gen(function* () {
      const api = yield* site()
      // Cat owns a base repository and wants write access to Bob's branch.
      yield* api.ask(202, "POST", "/repos/bob/mine/forks", { ...cat, body: { name: "copy" } })
      expect((yield* opens(api, cat, {}, "cat/copy")).allow_maintainer_edit).toBe(false)
      yield* api.ask(403, "PATCH", "/repos/cat/copy/pulls/1", { ...cat, body: { allow_maintainer_edit: true } })
      expect(yield* push(api, cat)).toEqual(refused)
      expect((yield* opens(api, ann, {})).allow_maintainer_edit).toBe(false)
      yield* changes(api, ann, { allow_maintainer_edit: true }, 403)
      expect(yield* push(api, ann)).toEqual(refused)
      yield* changes(api, eve, { allow_maintainer_edit: true }, 403)
      expect(yield* push(api, ann)).toEqual(refused)
    })
  )

  it.live(
    "is open until the pull request closes, the author loses write access, or the owner hides the fork or blocks them (I7)",
    () =>
      Effect.gen(function* () {
        let before: Effect.Effect<unknown> = Effect.void
        const api = yield* site(() => before)
        yield* opens(api, eve, {})
        // The permission is checked again after the pack arrived.
        before = Effect.orDie(changes(api, eve, { state: "closed" }))
        expect(yield* push(api, ann)).toEqual(["refs/heads/topic"])
        before = Effect.void
        expect(yield* push(api, ann)).toEqual(refused)
        yield* changes(api, eve, { state: "open" })
        expect(yield* push(api, ann)).toEqual([])
        yield* changes(api, eve, { allow_maintainer_edit: false })
        expect(yield* push(api, ann)).toEqual(refused)
        yield* changes(api, eve, { allow_maintainer_edit: true })
        expect(yield* push(api, ann)).toEqual([])
        yield* api.ask(204, "DELETE", "/repos/bob/mine/collaborators/eve", bob)
        expect(yield* push(api, ann)).toEqual(refused)
        yield* api.ask(403, "POST", "/repos/ann/app/pulls/1/update", ann)
        yield* api.ask(204, "PUT", "/repos/bob/mine/collaborators/eve", { ...bob, body: { permission: "write" } })
        expect(yield* push(api, ann)).toEqual([])
        yield* api.ask(204, "PUT", "/user/blocks/ann", bob)
        expect(yield* push(api, ann)).toBe(403)
        yield* api.ask(204, "DELETE", "/user/blocks/ann", bob)
        yield* api.ask(200, "PATCH", "/repos/bob/mine", { ...bob, body: { private: true } })
        expect(yield* push(api, ann)).toBe(404)
      })
  )
})
