import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, GitRepositories, GitTransport, GitWriter } from "@slipway/domain/forge/code"
import { layerGitObjects, layerGitRepositories, layerGitTransport } from "@slipway/git/forge"
import { Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { makeRepositoryLocks } from "../src/forge/repositoryLocks.ts"

const folder = mkdtempSync(join(tmpdir(), "slipway-maintenance-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const one = 1 as RepositoryId
const two = 2 as RepositoryId

describe("git maintenance", () => {
  it.live("packs loose objects, writes bitmaps and a commit graph, and removes leftovers of killed pushes", () =>
    Effect.gen(function* () {
      const root = join(folder, "packs")
      const path = join(root, "repositories", "0", "1.git")
      yield* Effect.gen(function* () {
        yield* (yield* GitRepositories).create(one, {
          defaultBranch: BranchName.make("main"),
          commit: {
            files: { a: "a" },
            author: { name: "A", email: "a@x.example" },
            message: "m",
            at: "2026-01-02T03:04:05Z"
          },
          madeAt: "2026-01-02T03:04:05.000Z"
        })
        const writer = yield* GitWriter
        const [loose = ""] = yield* writer.writeBlobs(one, [Buffer.from("nobody's yet")])
        const nowInSeconds = (yield* Clock.currentTimeMillis) / 1_000
        for (const [name, hours] of [
          ["tmp_objdir-incoming-old", 3],
          ["tmp_objdir-incoming-new", 0]
        ] as const) {
          mkdirSync(join(path, "objects", name))
          const at = nowInSeconds - hours * 3_600
          utimesSync(join(path, "objects", name), at, at)
        }
        // The size excludes pushes that are not finished.
        const measured = yield* (yield* GitRepositories).size(one)
        writeFileSync(join(path, "objects", "tmp_objdir-incoming-new", "pack"), Buffer.alloc(100_000))
        expect(yield* (yield* GitRepositories).size(one)).toBe(measured)
        // The lock of a killed run does not block the next one.
        writeFileSync(join(root, "turns", "order-1"), "")
        utimesSync(join(root, "turns", "order-1"), 1, 1)
        expect(yield* writer.maintain(one)).toBe("done")
        const files = readdirSync(join(path, "objects"))
        expect(files.filter((name) => name.length === 2)).toEqual([])
        expect(files).toContain("tmp_objdir-incoming-new")
        expect(files).not.toContain("tmp_objdir-incoming-old")
        expect(readdirSync(join(path, "objects", "pack")).filter((name) => name.endsWith(".bitmap"))).toHaveLength(1)
        expect(existsSync(join(path, "objects", "info", "commit-graph"))).toBe(true)
        const git = (...args: ReadonlyArray<string>) =>
          execFileSync("git", [`--git-dir=${path}`, ...args], { encoding: "utf8" })
        expect(git("cat-file", "-p", loose)).toBe("nobody's yet")
        expect(yield* writer.check(one)).toBe("sound")
        expect(git("fsck", "--full", "--no-dangling")).toBe("")
        expect(yield* writer.maintain(one)).toBe("nothing")
        yield* writer.writeBlobs(one, [Buffer.from("another")])
        expect(yield* writer.maintain(one)).toBe("done")
        expect(readdirSync(join(root, "turns"))).toEqual([])
        rmSync(join(path, "objects", "pack"), { recursive: true })
        expect(yield* writer.check(one)).toBe("damaged")
      }).pipe(Effect.provide(Layer.merge(layerGitRepositories(root), layerGitObjects(root))))
    })
  )

  it.live("is postponed during a push to the same repository only", () =>
    Effect.gen(function* () {
      const root = join(folder, "pushes")
      yield* Effect.gen(function* () {
        for (const id of [one, two]) {
          yield* (yield* GitRepositories).create(id, {
            defaultBranch: BranchName.make("main"),
            commit: undefined,
            madeAt: "2026-01-02T03:04:05.000Z"
          })
        }
        const scope = yield* Scope.make()
        const request = {
          repository: one,
          service: "receive-pack",
          exchange: "answer",
          protocol: undefined,
          input: Stream.never,
          decide: () => Effect.die("nothing is pushed")
        } as const
        yield* Scope.provide((yield* GitTransport).serve(request), scope)
        const writer = yield* GitWriter
        expect([yield* writer.maintain(one), yield* writer.maintain(two)]).toEqual(["busy", "done"])
        yield* Scope.close(scope, Exit.void)
        expect(yield* writer.maintain(one)).toBe("done")
      }).pipe(
        Effect.provide(Layer.mergeAll(layerGitRepositories(root), layerGitObjects(root), layerGitTransport(root)))
      )
    })
  )

  it.live("makes a push wait, and yields to a push that has waited long", () =>
    Effect.gen(function* () {
      const root = join(folder, "turns")
      const told: Array<string> = []
      const order = yield* makeRepositoryLocks(root, Duration.minutes(1))
      const hasty = yield* makeRepositoryLocks(root, Duration.millis(100))
      const push = Effect.scoped(
        Effect.andThen(
          order.push(one),
          Effect.sync(() => told.push("pushed"))
        )
      )
      const latch = yield* Deferred.make<void>()
      const begun = yield* Deferred.make<void>()
      const again = yield* Deferred.make<void>()
      const work = (end: Effect.Effect<void>) =>
        Effect.andThen(
          Deferred.succeed(begun, undefined),
          Effect.as(
            Effect.andThen(
              end,
              Effect.sync(() => told.push("in order"))
            ),
            true
          )
        )
      const short = yield* Effect.forkChild(order.alone(one, work(Deferred.await(latch))))
      yield* Deferred.await(begun)
      expect(yield* order.alone(one, Effect.succeed(true))).toBe(undefined)
      const waiting = yield* Effect.forkChild(push)
      yield* Effect.sleep("50 millis")
      expect(told).toEqual([])
      yield* Deferred.succeed(latch, undefined)
      expect(yield* Fiber.join(short)).toBe(true)
      yield* Fiber.join(waiting)
      expect(told).toEqual(["in order", "pushed"])
      const endless = yield* Effect.forkChild(
        hasty.alone(one, work(Deferred.succeed(again, undefined).pipe(Effect.andThen(Effect.never))))
      )
      yield* Deferred.await(again)
      yield* push
      expect(yield* Fiber.join(endless)).toBe(undefined)
      expect(told.slice(2)).toEqual(["pushed"])
    })
  )
})
