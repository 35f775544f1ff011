import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, branchRef, GitReader, GitRepositories, GitWriter, type ObjectId } from "@slipway/domain/forge/code"
import { GitRemotes, type Remote } from "@slipway/domain/forge/integrations"
import { type EgressOptions, layerEgress } from "@slipway/egress"
import { layerGitObjects, layerGitRemotes, layerGitRepositories } from "@slipway/git/forge"
import { type Forge, folder, git, putCommit, startForge } from "@slipway/git/testing"
import { Duration, Effect, Layer, Redacted } from "effect"

const id = 1 as RepositoryId
const heads = [{ from: "refs/heads/*", to: "refs/heads/*" }]

/** A folder with an empty repository, and outbound requests to other hosts. */
const fixture = Effect.fnUntraced(function* (
  options: Partial<EgressOptions> = {},
  limits: { readonly timeout?: Duration.Duration; readonly size?: number } = {}
) {
  const root = yield* folder("remotes")
  const out = Layer.provide(layerGitRemotes(root, limits), layerEgress({ allowPrivate: true, ...options }))
  const context = yield* Layer.build(Layer.mergeAll(out, layerGitRepositories(root), layerGitObjects(root)))
  const within = Effect.provideContext(context)
  yield* within(
    Effect.flatMap(GitRepositories, (kept) =>
      kept.create(id, { defaultBranch: BranchName.make("main"), commit: undefined, madeAt: "x" })
    )
  )
  const fetch = (remote: Remote) =>
    within(Effect.flatMap(GitRemotes, (remotes) => remotes.fetch(id, remote, heads))) as ReturnType<
      typeof GitRemotes.Service.fetch
    >
  const because = (remote: Remote) => Effect.map(Effect.flip(fetch(remote)), (failed) => failed.because)
  return { because, fetch, within }
})

const served = (forge: Forge, name: string, account?: string): string => {
  forge.repository(name, account)
  return `http://127.0.0.1:${forge.port}/${name}`
}

const open = (url: string): Remote => ({ url, account: undefined })

describe("repositories at other hosts", () => {
  it.live("return their branches with all objects to an authenticated client", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const url = served(forge, "app.git", "ann:secret")
      const tip = putCommit(join(forge.root, "app.git"), "main", { files: { "a.txt": "a" }, message: "one" })
      const { because, fetch, within } = yield* fixture()
      const account = { username: "ann", password: Redacted.make("secret") }
      expect(yield* because(open(url))).toBe("the repository requires credentials")
      const wrong = yield* because({ url, account: { ...account, password: Redacted.make("wrong") } })
      expect(wrong).toBe("the repository rejects these credentials")
      const { head, refs } = yield* fetch({ url, account })
      expect([head, [...refs]]).toEqual(["main", [[branchRef("main"), tip]]])
      const commits = yield* within(Effect.flatMap(GitReader, (reader) => reader.commits(id, [tip as ObjectId])))
      expect(commits[0]?.message).toBe("one\n")
      // No ref points to them yet.
      expect(yield* within(Effect.flatMap(GitRepositories, (kept) => kept.branches(id)))).toEqual([])
    })
  )

  it.live("become identical to the source after a push, which deletes extra branches", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const source = served(forge, "from.git")
      const tip = putCommit(join(forge.root, "from.git"), "main", { files: { a: "a" }, message: "one" })
      const url = served(forge, "to.git", "ann:secret")
      const target = join(forge.root, "to.git")
      git(target, "config", "http.receivepack", "true")
      putCommit(target, "old", { files: { b: "b" }, message: "old" })
      const { fetch, within } = yield* fixture()
      const { refs } = yield* fetch(open(source))
      yield* within(
        Effect.flatMap(GitWriter, (writer) =>
          writer.updateRefs(
            id,
            [...refs].map(([ref, to]) => ({ ref, to }))
          )
        )
      ).pipe(Effect.orDie)
      const account = { username: "ann", password: Redacted.make("secret") }
      const push = within(Effect.flatMap(GitRemotes, (remotes) => remotes.push(id, { url, account }))).pipe(
        Effect.orDie
      )
      expect(yield* push).toEqual({ skipped: undefined })
      expect(git(target, "for-each-ref", "--format=%(refname) %(objectname)").trim()).toBe(`refs/heads/main ${tip}`)
      // A default branch that does not exist here is skipped and reported; other branches are still deleted.
      const names = () => git(target, "for-each-ref", "--format=%(refname)").trim().split("\n")
      const old = putCommit(target, "old", { files: { b: "b" }, message: "old" })
      git(target, "update-ref", "refs/heads/gone", old)
      git(target, "symbolic-ref", "HEAD", "refs/heads/old")
      git(target, "config", "receive.denyDeleteCurrent", "refuse")
      expect(yield* push).toEqual({ skipped: "old" })
      expect(names()).toEqual(["refs/heads/main", "refs/heads/old"])
    })
  )

  it.live("I14: are reached at public addresses only, also after DNS rebinding and redirects", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const url = served(forge, "app.git")
      putCommit(join(forge.root, "app.git"), "main", { files: { a: "a" }, message: "one" })
      const strict = yield* fixture({ allowPrivate: false })
      expect(yield* strict.because(open(url))).toContain("127.0.0.1")
      let asked = 0
      const lookup = () => Promise.resolve([asked++ === 0 ? "192.0.2.1" : "127.0.0.1"])
      const changing = yield* fixture({ allowPrivate: false, lookup })
      expect(yield* changing.because(open("http://changing.example/app.git"))).not.toBe("")
      expect(yield* strict.because(open("file:///etc"))).toBe("only http and https addresses are supported")
      expect(forge.asked).toEqual([])
    })
  )

  it.live("I25: fail at the timeout if they never respond, and at the size limit if they are too large", () =>
    Effect.gen(function* () {
      const silent = createServer(() => {})
      yield* Effect.acquireRelease(
        Effect.promise(() => new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))),
        () => Effect.sync(() => silent.close())
      )
      const { port } = silent.address() as AddressInfo
      const hasty = yield* fixture({}, { timeout: Duration.millis(700) })
      expect(yield* hasty.because(open(`http://127.0.0.1:${port}/x.git`))).toBe(
        "the other host took longer than 0.7 seconds"
      )
      const forge = yield* startForge
      const url = served(forge, "large.git")
      const noise = Array.from({ length: 40_000 }, (_, at) => (at * 2_654_435_761) % 4_294_967_296).join(" ")
      putCommit(join(forge.root, "large.git"), "main", { files: { noise }, message: "large" })
      const small = yield* fixture({}, { size: 100_000 })
      expect(yield* small.because(open(url))).toBe("the repository has more than 0 MiB")
      expect(yield* small.within(Effect.flatMap(GitRepositories, (kept) => kept.size(id)))).toBeLessThan(100)
    })
  )
})
