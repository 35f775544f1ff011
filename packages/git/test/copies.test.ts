import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { checkConnected, listRepositories, withCopy } from "@slipway/git/forge"
import { Effect, Fiber } from "effect"

const root = mkdtempSync(join(tmpdir(), "slipway-copies-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folder = join(root, "repositories", "0", "1.git")
const program = promisify(execFile)

const commit = (ref: string, number: number) =>
  `commit ${ref}\ncommitter A <a@example.com> ${number} +0000\ndata 1\nm\nM 644 inline f${number}\ndata 1\nx\n\n`

describe("a copy of a repository in use", () => {
  it.live("contains all reachable objects despite concurrent repacks, and no objects of pending pushes", () =>
    Effect.gen(function* () {
      mkdirSync(join(root, "making"))
      execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", folder])
      const add = (ref: string, number: number) =>
        execFileSync(
          "git",
          [`--git-dir=${folder}`, "-c", "fastimport.unpackLimit=100", "fast-import", "--quiet", "--force"],
          {
            input: commit(ref, number)
          }
        )
      add("refs/heads/main", 1)
      mkdirSync(join(folder, "objects", "tmp_objdir-incoming-x"))
      const packing = yield* Effect.forkChild(
        Effect.forever(Effect.promise(() => program("git", [`--git-dir=${folder}`, "repack", "-a", "-d", "-q"])))
      )
      expect(yield* Effect.promise(() => listRepositories(join(root, "repositories")))).toEqual(["0/1.git"])
      for (let number = 2; number < 6; number++) {
        add(`refs/heads/b${number}`, number)
        yield* withCopy(root, "0/1.git", (copy) =>
          Effect.gen(function* () {
            yield* checkConnected(copy)
            const refs = execFileSync("git", [`--git-dir=${copy}`, "for-each-ref"], { encoding: "utf8" })
            expect(refs.trim().split("\n")).toHaveLength(number)
            expect(existsSync(join(copy, "objects", "tmp_objdir-incoming-x"))).toBe(false)
          })
        )
      }
      yield* Fiber.interrupt(packing)
      expect(yield* withCopy(root, "0/2.git", () => Effect.succeed("copied"))).toBe(undefined)
    })
  )

  // Prevents: with the default folder .slipway/forge-repositories no backup can be made.
  it.live("can be created in a folder with a relative path", () =>
    Effect.gen(function* () {
      // A relative path with `..` could resolve to the same place from another working directory.
      const made = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join("node_modules", "copies-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
      )
      mkdirSync(join(made, "making"))
      execFileSync("git", ["init", "--quiet", "--bare", join(made, "repositories", "0", "1.git")])
      const copied = yield* withCopy(made, "0/1.git", () => Effect.succeed("copied"))
      expect(copied).toBe("copied")
    })
  )

  it.live("fails the connectivity check when an object is missing", () =>
    Effect.gen(function* () {
      const broken = join(root, "broken.git")
      execFileSync("git", ["init", "--quiet", "--bare", broken])
      mkdirSync(join(broken, "refs", "heads"), { recursive: true })
      execFileSync("sh", ["-c", `echo ${"1".repeat(40)} > ${broken}/refs/heads/main`])
      expect((yield* Effect.flip(checkConnected(broken)))._tag).toBe("GitFailed")
    })
  )
})
