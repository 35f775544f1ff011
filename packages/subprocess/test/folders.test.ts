import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type FolderKind, privateFolder, sweepFolders } from "@slipway/subprocess"
import { Clock, Duration, Effect, Exit, Scope } from "effect"

const kind: FolderKind = { prefix: "slipway-tried-", abandoned: Duration.minutes(10) }

const parentFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slipway-folders-test-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

describe("a private folder", () => {
  it.effect("is private to its user, and is removed with its scope and content", () =>
    Effect.gen(function* () {
      const parent = yield* parentFolder
      const scope = yield* Scope.make()
      const [one, other] = yield* Effect.all([privateFolder(kind, parent), privateFolder(kind, parent)]).pipe(
        Scope.provide(scope)
      )
      assert.notStrictEqual(one, other)
      assert.isTrue(basename(one).startsWith(kind.prefix))
      assert.strictEqual(statSync(one).mode & 0o777, 0o700)
      mkdirSync(join(one, "sub"))
      writeFileSync(join(one, "sub", "file"), "secret")
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual([one, other].map(existsSync), [false, false])
    })
  )

  it.live("is removed eleven minutes after its process was killed; other folders stay", () =>
    Effect.gen(function* () {
      const parent = yield* parentFolder
      const now = (yield* Clock.currentTimeMillis) / 1_000
      for (const [name, age] of [
        ["slipway-tried-old", 660],
        ["slipway-tried-young", 540],
        ["slipway-other-old", 660],
        ["old-slipway-tried-", 660]
      ] as const) {
        mkdirSync(join(parent, name))
        writeFileSync(join(parent, name, "variables"), "TOKEN=swordfish")
        utimesSync(join(parent, name), now - age, now - age)
      }
      yield* sweepFolders(kind, parent)
      assert.deepStrictEqual(readdirSync(parent).sort(), [
        "old-slipway-tried-",
        "slipway-other-old",
        "slipway-tried-young"
      ])
    })
  )

  it.live("is not removed if it belongs to another user, even if this process could remove it", () =>
    Effect.gen(function* () {
      const parent = yield* parentFolder
      const path = join(parent, "slipway-tried-theirs")
      mkdirSync(path)
      utimesSync(path, 0, 0)
      const owner = statSync(path).uid
      yield* sweepFolders(kind, parent, owner + 1)
      assert.deepStrictEqual(readdirSync(parent), ["slipway-tried-theirs"])
      yield* sweepFolders(kind, parent, owner)
      assert.deepStrictEqual(readdirSync(parent), [])
    })
  )

  it.effect("is cleaned up without an error if its parent folder is missing", () =>
    sweepFolders(kind, "/nonexistent/parent")
  )
})
