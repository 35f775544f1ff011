import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { startSshdWithCommands } from "@slipway/docker/testing"
import { type ListingRequest, Sources } from "@slipway/domain/deploy/apps"
import { layerSources, type SourcesSettings } from "@slipway/git/deploy"
import { folder, git, makeTree, newRepository, putCommit, startForge } from "@slipway/git/testing"
import { layer as memory } from "@slipway/memory/deploy"
import { Clock, Effect, Fiber, Layer, Redacted } from "effect"
import { watchedArguments } from "./support/arguments.ts"
import { layerInternet } from "./support/internet.ts"

const list = (repository: string, more: Partial<ListingRequest> = {}) =>
  Effect.flatMap(Sources, (sources) =>
    sources.list({ repository, branch: undefined, folder: "/", texts: [], access: { _tag: "Anyone" }, ...more })
  )
const reason = (repository: string, more: Partial<ListingRequest> = {}) =>
  Effect.map(Effect.flip(list(repository, more)), ({ because }) => because)

const on =
  (settings: SourcesSettings = {}, dialled: Array<string> = []) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, layerSources(settings).pipe(Layer.provide(Layer.merge(layerInternet(dialled), memory))), {
      local: true
    })

const noise = (length: number): string => Array.from({ length }, () => Math.random().toString(36)).join("")
const dockerfile = "FROM a\nEXPOSE 80\n"

describe("listing a folder", () => {
  it.live("fetches no content except the requested texts (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const path = forge.repository("large.git")
      git(path, "config", "uploadpack.allowFilter", "true")
      putCommit(path, "main", { message: "Large", files: { a: noise(200_000), Dockerfile: dockerfile } })
      const address = `http://forge.dev:${forge.port}/large.git`
      const { branch, names, texts } = yield* list(address, { texts: ["Dockerfile"] })
      assert.deepStrictEqual([branch, names, texts.get("Dockerfile")], ["main", ["Dockerfile", "a"], dockerfile])
      assert.strictEqual(yield* reason(address, { texts: ["a"] }), "the repository is larger than 1 MiB")
    }).pipe(on({ listingSize: 2 ** 20 }))
  )

  it.live("is limited in size at a server without partial clones (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      putCommit(forge.repository("large.git"), "main", { message: "Large", files: { a: noise(200_000) } })
      putCommit(forge.repository("small.git"), "main", { message: "Small", files: { Dockerfile: dockerfile } })
      const address = (name: string) => `http://forge.dev:${forge.port}/${name}`
      assert.strictEqual(yield* reason(address("large.git")), "the repository is larger than 1 MiB")
      forge.growOld()
      const { texts } = yield* list(address("small.git"), { texts: ["Dockerfile"] })
      assert.strictEqual(texts.get("Dockerfile"), dockerfile)
    }).pipe(on({ listingSize: 2 ** 20 }))
  )

  it.live("takes no longer for a tree that repeats one tree many times (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const path = forge.repository("trees.git")
      let tree = makeTree(path, [])
      for (let n = 0; n < 20; n++) tree = makeTree(path, [`040000 tree ${tree}\t1`, `040000 tree ${tree}\t2`])
      git(path, "update-ref", "refs/heads/main", git(path, "commit-tree", "-m", "Trees", tree))
      const began = yield* Clock.currentTimeMillis
      assert.deepStrictEqual((yield* list(`http://forge.dev:${forge.port}/trees.git`)).names, [])
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 15_000)
    }).pipe(on())
  )

  it.live("is limited in time, and leaves no files (invariant I25)", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      const parent = yield* folder("parent")
      forge.at("/slow.git", () => {})
      const slow = `http://forge.dev:${forge.port}/slow.git`
      const settings = { folder: parent, listingTimeout: "1 second" } as const
      assert.strictEqual(yield* on(settings)(reason(slow)), "fetching the repository took longer than 1 seconds")
      assert.deepStrictEqual(readdirSync(parent), [])
      const fiber = yield* Effect.forkChild(on({ folder: parent })(reason(slow)))
      while (readdirSync(parent).length === 0) yield* Effect.sleep(5)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(readdirSync(parent), [])
    })
  )

  it.live("runs four listings at the same time, and lets the others wait", () =>
    Effect.gen(function* () {
      const forge = yield* startForge
      let requests = 0
      forge.at("/slow.git", () => void requests++)
      const slow = `http://forge.dev:${forge.port}/slow.git`
      const failures = yield* Effect.forEach(Array.from({ length: 6 }), () => reason(slow), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(failures).size, 1)
      assert.strictEqual(requests, 4)
    }).pipe(on({ listingTimeout: "1 second" }))
  )

  it.live("connects to public addresses only (invariants I14, I28)", () => {
    const dialled: Array<string> = []
    return Effect.gen(function* () {
      for (const [host, because] of [
        ["127.0.0.1", "the host's address 127.0.0.1 is private and this instance doesn't allow that"],
        ["169.254.169.254", "the host's address 169.254.169.254 is not an allowed target"],
        ["inward.dev", "the address 10.0.0.1 of the host `inward.dev` is private and this instance doesn't allow that"]
      ] as const) {
        for (const branch of ["main", undefined]) {
          assert.strictEqual(yield* reason(`http://${host}/r.git`, { branch }), because)
        }
      }
      assert.deepStrictEqual(dialled, [])
    }).pipe(on({}, dialled))
  })

  it.live("uses the repository's key by SSH without showing it to another program (invariant I15)", () =>
    Effect.gen(function* () {
      const sshd = yield* startSshdWithCommands
      const path = join(yield* folder("repositories"), "private.git")
      newRepository(path)
      git(path, "config", "uploadpack.allowFilter", "true")
      putCommit(path, "main", { message: "Begin", files: { Dockerfile: dockerfile } })
      const spied = yield* watchedArguments
      const { branch, texts } = yield* list(`ssh://${sshd.user}@forge.dev:${sshd.port}${path}`, {
        access: { _tag: "Key", privateKey: sshd.privateKey },
        texts: ["Dockerfile"]
      })
      assert.deepStrictEqual([branch, texts.get("Dockerfile")], ["main", dockerfile])
      const [, middle = ""] = Redacted.value(sshd.privateKey).split("\n")
      assert.isEmpty(spied().filter((line) => line.includes(middle)))
    }).pipe(on())
  )
})
