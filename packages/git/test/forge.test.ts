import { execFileSync, spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, GitRepositories } from "@slipway/domain/forge/code"
import { layerGitRepositories, layerGitTransport } from "@slipway/git/forge"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { DateTime, Effect, Layer } from "effect"

const folder = mkdtempSync(join(tmpdir(), "slipway-git-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let roots = 0
const newRoot = () => join(folder, String(roots++))
const fresh = Layer.unwrap(Effect.sync(() => layerGitRepositories(newRoot())))

register("git", fresh, [Contracts.gitRepositories])

const served = Layer.unwrap(
  Effect.sync(() => {
    const root = newRoot()
    return Layer.merge(layerGitRepositories(root), layerGitTransport(root))
  })
)

register("git, serving clients", served, [Contracts.gitTransport])

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

const create = Effect.flatMap(GitRepositories, (git) =>
  git.create(one, { defaultBranch: main, commit, madeAt: commit.at })
)

describe("git repositories on disk", () => {
  it.live("pass `git fsck --strict`", () =>
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

  it.live("persist for the next process, without leftovers of their creation", () =>
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

  it.live("leave nothing when their creation is interrupted", () =>
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

  it.live("are cleaned of the leftovers of killed processes after an hour", () =>
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

  it.live("are unreadable to other users of the machine", () =>
    Effect.gen(function* () {
      const root = newRoot()
      yield* on(root, create)
      for (const name of readdirSync(root)) expect([name, statSync(join(root, name)).mode & 0o077]).toEqual([name, 0])
    })
  )

  it.live("change their default branch despite the lock of a killed process", () =>
    Effect.gen(function* () {
      const root = newRoot()
      yield* on(root, create)
      const lock = join(root, "repositories", "0", "1.git", "HEAD.lock")
      writeFileSync(lock, "")
      const point = on(
        root,
        Effect.flatMap(GitRepositories, (git) => git.setDefaultBranch(one, BranchName.make("next")))
      )
      // The owner of a new lock may still run.
      expect(String(yield* Effect.flip(Effect.sandbox(point)))).toContain("HEAD.lock")
      const old = DateTime.toDate(DateTime.subtract(yield* DateTime.now, { minutes: 3 }))
      utimesSync(lock, old, old)
      expect(yield* point).toBe(true)
      expect(existsSync(lock)).toBe(false)
    })
  )

  it.live("are created even if a leftover has the same id, which is moved aside and kept", () =>
    Effect.gen(function* () {
      const root = newRoot()
      yield* on(root, create)
      yield* on(
        root,
        Effect.flatMap(GitRepositories, (git) =>
          git.create(one, { defaultBranch: main, commit: undefined, madeAt: "2026-02-02T03:04:05.000Z" })
        )
      )
      const [kept = ""] = readdirSync(join(root, "aside"))
      const git = (...args: ReadonlyArray<string>) =>
        execFileSync("git", [`--git-dir=${join(root, "aside", kept)}`, ...args], { encoding: "utf8" })
      expect(git("show", "main:README.md")).toBe("# Hello\n")
    })
  )
})

describe("branch names", () => {
  // Invariant I23: text that git would read as more than a name is rejected.
  it("are valid in git, for all combinations of special characters", () => {
    const parts = [
      "a",
      "ü",
      "😀",
      "-",
      ".",
      "..",
      "/",
      "@",
      "{",
      "@{",
      "~",
      "^",
      ":",
      "?",
      "*",
      "[",
      "\\",
      " ",
      "\t",
      "\n"
    ]
    const more = [
      "\u007f",
      "\u00a0",
      ".lock",
      "HEAD",
      "refs/heads/",
      "$(x)",
      "`x`",
      ";",
      "|",
      "'",
      '"',
      "--upload-pack=x"
    ]
    const all = [...parts, ...more, "a".repeat(250), "a".repeat(251), "\ud800"]
    const names = all.flatMap((one) => [one, ...all.flatMap((other) => [one + other, `a${one}${other}b`])])
    const taken = names.filter((name) => BranchName.makeOption(name)._tag === "Some")
    expect(taken.length).toBeGreaterThan(100)
    expect(taken.length).toBeLessThan(names.length)
    const path = newRoot()
    execFileSync("git", ["init", "--quiet", "--bare", "--template=", "--", path])
    const tree = execFileSync("git", [`--git-dir=${path}`, "mktree"], { input: "", encoding: "utf8" }).trim()
    const commit = execFileSync("git", [`--git-dir=${path}`, "commit-tree", tree, "-m", "x"], {
      encoding: "utf8",
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@b",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@b"
      }
    }).trim()
    // Separate transactions, because names can conflict.
    const steps = taken.flatMap((name) => [
      `start\0create refs/heads/${name}\0${commit}\0commit\0`,
      `start\0delete refs/heads/${name}\0\0commit\0`
    ])
    const { status, stderr } = spawnSync("git", [`--git-dir=${path}`, "update-ref", "-z", "--stdin"], {
      input: steps.join(""),
      encoding: "utf8"
    })
    expect([status, stderr]).toEqual([0, ""])
    expect(taken.filter((name) => name.startsWith("-"))).toEqual([])
  })
})
