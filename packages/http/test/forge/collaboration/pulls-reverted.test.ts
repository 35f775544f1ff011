import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { basic, type Service } from "../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../support/repositories.ts"

const cat = { headers: basic("cat") }
const base = "/repos/ann/app"
const pulls = `${base}/pulls`
const lines = (...over: ReadonlyArray<readonly [number, string]>) =>
  Array.from({ length: 9 }, (_, n) => over.find(([at]) => at === n + 1)?.[1] ?? `line ${n + 1}`).join("\n")

const contentOf = (api: Service, path: string, ref: string) =>
  Effect.map(api.send("GET", `${base}/raw/${path}?ref=${ref}`, ann), ({ status, text }) => [status, text])

/** Ann's repository with a pull request of Bob's with two commits, which Ann merged with a style. */
const mergedBy = Effect.fnUntraced(function* (git: (typeof kindsOfGit)[number][1], style: string) {
  const api = yield* withPeople(git)
  yield* api.user("cat")
  const id = yield* makeRepository(api, "app")
  yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "write" } })
  yield* commitTo(api, id, { "a.txt": lines() })
  yield* commitTo(api, id, { "a.txt": lines([2, "two"]) }, { branch: "topic", from: "main" })
  yield* commitTo(api, id, { "b.txt": "new" }, { branch: "topic" })
  if (style !== "fast-forward-only") yield* commitTo(api, id, { "c.txt": "meanwhile" })
  yield* api.ask(201, "POST", pulls, { ...bob, body: { title: "Say two", head: "topic", base: "main" } })
  yield* api.ask(200, "POST", `${pulls}/1/merge`, { ...ann, body: { Do: style } })
  return { api, id }
})

for (const [kind, git] of kindsOfGit) {
  describe(`merged pull requests, on ${kind}`, () => {
    for (const style of ["merge", "squash", "rebase", "rebase-merge", "fast-forward-only"]) {
      it.live(`are reverted by a pull request after a merge by ${style}, with later changes kept`, () =>
        Effect.gen(function* () {
          const { api, id } = yield* mergedBy(git, style)
          yield* commitTo(api, id, { "a.txt": lines([2, "two"], [8, "eight"]) })
          const made = yield* api.ask(201, "POST", `${pulls}/1/revert`, bob)
          const { ref } = made.head
          expect(ref).toMatch(/^revert-1-[0-9a-f]{10}$/)
          expect([made.title, made.base.ref, made.user.login, made.body, made.changed_files]).toEqual([
            'Revert "Say two"',
            "main",
            "bob",
            "Reverts #1.",
            2
          ])
          expect(yield* contentOf(api, "a.txt", ref)).toEqual([200, lines([8, "eight"])])
          expect((yield* contentOf(api, "b.txt", ref))[0]).toBe(404)
          expect((yield* contentOf(api, "b.txt", "main"))[0]).toBe(200)
          const [commit] = yield* api.ask(200, "GET", `${base}/commits?sha=${ref}&limit=1`, ann)
          expect(commit.commit.message).toMatch(
            /^Revert "Say two"\n\nThis reverts commit [0-9a-f]{40}, the merge of #1\.\n$/
          )
          // The branch exists, so a second request conflicts.
          expect((yield* api.ask(409, "POST", `${pulls}/1/revert`, bob)).message).toBe(`\`${ref}\` already exists`)
          yield* api.ask(200, "POST", `${pulls}/2/merge`, { ...ann, body: { Do: "merge" } })
          expect(yield* contentOf(api, "a.txt", "main")).toEqual([200, lines([8, "eight"])])
        })
      )
    }

    it.live("keep the commits of the base that an update by merge brought into a fast-forward", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        yield* commitTo(api, id, { "b.txt": "new" }, { branch: "topic", from: "main" })
        yield* commitTo(api, id, { "c.txt": "meanwhile" })
        yield* api.ask(201, "POST", pulls, { ...ann, body: { title: "Add b", head: "topic", base: "main" } })
        yield* api.ask(200, "POST", `${pulls}/1/update?style=merge`, ann)
        yield* api.ask(200, "POST", `${pulls}/1/merge`, { ...ann, body: { Do: "fast-forward-only" } })
        const { head } = yield* api.ask(201, "POST", `${pulls}/1/revert`, ann)
        expect((yield* contentOf(api, "b.txt", head.ref))[0]).toBe(404)
        expect(yield* contentOf(api, "c.txt", head.ref)).toEqual([200, "meanwhile"])
      })
    )

    it.live("are not reverted after a squash by hand, because the base before it is unknown", () =>
      Effect.gen(function* () {
        const api = yield* withPeople(git)
        const id = yield* makeRepository(api, "app")
        yield* api.ask(200, "PATCH", base, { ...ann, body: { allow_manual_merge: true } })
        yield* commitTo(api, id, { "b.txt": "new" }, { branch: "topic", from: "main" })
        yield* api.ask(201, "POST", pulls, { ...ann, body: { title: "Add b", head: "topic", base: "main" } })
        yield* commitTo(api, id, { "c.txt": "meanwhile" })
        const commit = yield* commitTo(api, id, { "b.txt": "new" })
        const body = { Do: "manually-merged", MergeCommitID: commit }
        yield* api.ask(200, "POST", `${pulls}/1/merge`, { ...ann, body })
        expect((yield* api.ask(409, "POST", `${pulls}/1/revert`, ann)).message).toBe(
          `the base branch before the merge is unknown: revert the commits up to ${commit} with git`
        )
        expect((yield* api.ask(200, "GET", `${base}/branches`, ann)).length).toBe(2)
      })
    )

    it.live("are reverted with the branch of an earlier attempt, unless the branch has other commits", () =>
      Effect.gen(function* () {
        const { api, id } = yield* mergedBy(git, "squash")
        const { head } = yield* api.ask(201, "POST", `${pulls}/1/revert`, bob)
        yield* api.ask(204, "DELETE", `${base}/issues/2`, ann)
        const again = yield* api.ask(201, "POST", `${pulls}/1/revert`, bob)
        expect([again.number, again.head.sha]).toEqual([3, head.sha])
        yield* api.ask(204, "DELETE", `${base}/issues/3`, ann)
        yield* commitTo(api, id, { "d.txt": "d" }, { branch: head.ref })
        expect((yield* api.ask(409, "POST", `${pulls}/1/revert`, bob)).message).toBe(`\`${head.ref}\` already exists`)
      })
    )

    it.live("are not reverted if the same lines changed, without a merge, or without write access", () =>
      Effect.gen(function* () {
        const { api, id } = yield* mergedBy(git, "merge")
        yield* commitTo(api, id, { "a.txt": lines([2, "zwei"]) })
        expect((yield* api.ask(409, "POST", `${pulls}/1/revert`, ann)).message).toBe("both sides changed: a.txt")
        const branches = yield* api.ask(200, "GET", `${base}/branches`, ann)
        expect(branches.map(({ name }: { readonly name: string }) => name).toSorted()).toEqual(["main", "topic"])
        yield* api.ask(403, "POST", `${pulls}/1/revert`, cat)
        yield* api.ask(401, "POST", `${pulls}/1/revert`)
        yield* api.ask(404, "POST", `${pulls}/9/revert`, ann)
        yield* commitTo(api, id, { "d.txt": "d" }, { branch: "other", from: "main" })
        yield* api.ask(201, "POST", pulls, { ...bob, body: { title: "Other", head: "other", base: "main" } })
        expect((yield* api.ask(409, "POST", `${pulls}/2/revert`, ann)).message).toBe("the pull request is not merged")
      })
    )
  })
}
