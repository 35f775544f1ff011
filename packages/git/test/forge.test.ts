import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { BranchName, GitRepositories, type RepositoryId } from "@slipway/domain/forge"
import { layerGitRepositories } from "@slipway/git/forge"
import { register } from "@slipway/testkit"
import { gitRepositories } from "@slipway/testkit/forge"
import { DateTime, Effect, Layer } from "effect"

const folder = mkdtempSync(join(tmpdir(), "slipway-git-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let roots = 0
const newRoot = () => join(folder, String(roots++))
const fresh = Layer.unwrap(Effect.sync(() => layerGitRepositories(newRoot())))

register("git", fresh, [gitRepositories])

const main = BranchName.make("main")
const one = 1 as RepositoryId
const commit = {
  files: { "README.md": "# Hello\n" },
  author: { name: "Ann", email: "ann@example.com" },
  message: "Initial commit\n\nwith a body",
  at: "2026-01-02T03:04:05.000Z"
}

const on = <A, E>(root: string, effect: Effect.Effect<A, E, GitRepositories>) =>
  Effect.provide(effect, layerGitRepositories(root))

const create = Effect.flatMap(GitRepositories, (git) => git.create(one, { defaultBranch: main, commit }))

describe("git repositories on disk", () => {
  it.live("are ones that the git program finds nothing wrong with", () =>
    Effect.gen(function* () {
      const root = newRoot()
      yield* on(root, create)
      const path = join(root, "repositories", "0", "1.git")
      const git = (...args: ReadonlyArray<string>) =>
        execFileSync("git", [`--git-dir=${path}`, ...args], { encoding: "utf8" }).trim()
      expect(git("fsck", "--full", "--strict")).toBe("")
      expect(git("rev-parse", "--show-object-format", "--is-bare-repository")).toBe("sha1\ntrue")
      expect(git("log", "-1", "--format=%an|%ae|%aI|%B")).toBe(
        "Ann|ann@example.com|2026-01-02T03:04:05+00:00|Initial commit\n\nwith a body"
      )
      expect(git("ls-tree", "HEAD")).toMatch(/^100644 blob [0-9a-f]{40}\tREADME\.md$/)
      expect(existsSync(join(path, "hooks"))).toBe(false)
      const clone = join(folder, "clone")
      execFileSync("git", ["clone", "--quiet", path, clone])
      expect(readFileSync(join(clone, "README.md"), "utf8")).toBe("# Hello\n")
    })
  )

  it.live("are still there for the next process, and nothing half made is", () =>
    Effect.gen(function* () {
      const root = newRoot()
      yield* on(root, create)
      expect(
        yield* on(
          root,
          Effect.flatMap(GitRepositories, (git) => git.branches(one))
        )
      ).toHaveLength(1)
      expect(readdirSync(join(root, "making"))).toEqual([])
      expect(readdirSync(join(root, "trash"))).toEqual([])
    })
  )

  it.live("leave nothing when their making is interrupted", () =>
    Effect.gen(function* () {
      const root = newRoot()
      for (const millis of [0, 1, 2, 5, 10]) {
        yield* on(root, Effect.timeoutOption(create, millis))
        const made = existsSync(join(root, "repositories", "0", "1.git", "HEAD"))
        expect(readdirSync(join(root, "making"))).toEqual([])
        if (made)
          expect(
            yield* on(
              root,
              Effect.flatMap(GitRepositories, (git) => git.branches(one))
            )
          ).toHaveLength(1)
      }
    })
  )

  it.live("are swept of what a killed process left, once no process can be at it any more", () =>
    Effect.gen(function* () {
      const root = newRoot()
      const old = DateTime.toDate(DateTime.subtract(yield* DateTime.now, { hours: 2 }))
      for (const path of [join(root, "making", "9-old"), join(root, "trash", "old")]) {
        mkdirSync(path, { recursive: true })
        utimesSync(path, old, old)
      }
      mkdirSync(join(root, "making", "9-new"))
      yield* on(
        root,
        Effect.gen(function* () {
          yield* GitRepositories
          while (existsSync(join(root, "trash", "old"))) yield* Effect.sleep(5)
        })
      )
      expect(readdirSync(join(root, "making"))).toEqual(["9-new"])
    })
  )
})
