import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, branchRef, GitReader, GitRepositories, type ObjectId, Revision } from "@slipway/domain/forge/code"
import { type JoinStyle, joinCommits } from "@slipway/forge/code"
import { layerGitObjects, layerGitRepositories } from "@slipway/git/forge"
import { Effect, Layer } from "effect"
import { runs, seed } from "../../../scripts/vitest/runs.ts"

const folder = mkdtempSync(join(tmpdir(), "slipway-pulls-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const one = 1 as RepositoryId
const ident = { name: "Ann", email: "ann@example.com", seconds: 1_770_000_000, offset: "+0000" }

const environment = {
  PATH: process.env.PATH ?? "",
  HOME: folder,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Bob",
  GIT_AUTHOR_EMAIL: "bob@example.com",
  GIT_COMMITTER_NAME: "Bob",
  GIT_COMMITTER_EMAIL: "bob@example.com",
  GIT_EDITOR: "true"
}

/** Runs git in a work tree; returns undefined if git fails. */
const tried = (tree: string, ...args: ReadonlyArray<string>): string | undefined => {
  try {
    return execFileSync("git", ["-C", tree, ...args], { env: environment, encoding: "utf8", stdio: "pipe" }).trim()
  } catch {
    return undefined
  }
}

const git = (tree: string, ...args: ReadonlyArray<string>): string => {
  const said = tried(tree, ...args)
  if (said === undefined) throw new Error(`git ${args.join(" ")} failed`)
  return said
}

/** Returns pseudorandom numbers from a seed. */
const randomFrom = (seed: number) => {
  let state = seed * 2_654_435_761 + 1
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return (state >>> 8) % below
  }
}

const names = ["a.txt", "b.txt", "lib/c.txt"]

/** Makes a repository with a diverged branch and base, each with a few commits that change, move or remove files. */
const history = (tree: string, seed: number) => {
  const random = randomFrom(seed)
  git(folder, "init", "-q", "-b", "main", tree)
  execFileSync("mkdir", ["-p", join(tree, "lib")])
  const files = new Map(names.map((name) => [name, Array.from({ length: 12 }, (_, n) => `${name} line ${n}`)]))
  const write = (name: string, lines: ReadonlyArray<string>) => writeFileSync(join(tree, name), `${lines.join("\n")}\n`)
  const commit = (message: string) => {
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "--allow-empty", "-m", message)
  }
  for (const [name, lines] of files) write(name, lines)
  commit("first")
  git(tree, "branch", "topic")
  for (const branch of ["main", "topic"]) {
    git(tree, "checkout", "-q", branch)
    const own = new Map([...files].map(([name, lines]) => [name, [...lines]]))
    const commits = 1 + random(3)
    for (let n = 0; n < commits; n++) {
      const present = [...own.keys()]
      const name = present[random(present.length)] as string
      const lines = own.get(name) as Array<string>
      const what = random(8)
      if (what === 0 && own.size > 1) {
        own.delete(name)
        git(tree, "rm", "-q", name)
      } else if (what === 1) {
        const to = `moved-${branch}-${n}.txt`
        own.delete(name)
        own.set(to, lines)
        git(tree, "mv", name, to)
      } else if (what === 2) {
        const added = `new-${random(2)}.txt`
        own.set(added, [`${branch} ${n}`])
        write(added, own.get(added) as Array<string>)
      } else {
        lines.splice(random(lines.length), 1, `${branch} ${n}`)
        write(name, lines)
      }
      commit(`${branch} ${n}`)
    }
  }
  git(tree, "checkout", "-q", "main")
}

interface Made {
  readonly tree: string | undefined
  readonly conflicts: ReadonlyArray<string>
  readonly commits: number
}

const conflicted = (tree: string): ReadonlyArray<string> =>
  [...new Set(git(tree, "diff", "--name-only", "--diff-filter=U").split("\n"))].filter((each) => each !== "").sort()

const count = (tree: string, of: string) => Number(git(tree, "rev-list", "--count", `${of}..HEAD`))

const treeOf = (tree: string) => git(tree, "rev-parse", "HEAD^{tree}")

/** Merges the two branches with git in a work tree, as the expected result. */
const oracle: Readonly<Record<JoinStyle, (tree: string) => Made>> = {
  merge: (tree) =>
    tried(tree, "merge", "-q", "--no-ff", "-m", "merge", "topic") === undefined
      ? { tree: undefined, conflicts: conflicted(tree), commits: 0 }
      : { tree: treeOf(tree), conflicts: [], commits: count(tree, "main@{1}") },
  squash: (tree) => {
    if (tried(tree, "merge", "-q", "--squash", "topic") === undefined) {
      return { tree: undefined, conflicts: conflicted(tree), commits: 0 }
    }
    git(tree, "commit", "-q", "--allow-empty", "-m", "squash")
    return { tree: treeOf(tree), conflicts: [], commits: 1 }
  },
  rebase: (tree) => {
    git(tree, "checkout", "-q", "topic")
    return tried(tree, "rebase", "-q", "--reapply-cherry-picks", "--empty=drop", "main") === undefined
      ? { tree: undefined, conflicts: conflicted(tree), commits: 0 }
      : { tree: treeOf(tree), conflicts: [], commits: count(tree, "main") }
  },
  "rebase-merge": (tree) => {
    const made = oracle.rebase(tree)
    return { ...made, commits: made.tree === undefined ? 0 : made.commits + 1 }
  },
  "fast-forward-only": (tree) =>
    tried(tree, "merge", "-q", "--ff-only", "topic") === undefined
      ? { tree: undefined, conflicts: [], commits: 0 }
      : { tree: treeOf(tree), conflicts: [], commits: count(tree, "main@{1}") }
}

const styles = Object.keys(oracle) as ReadonlyArray<JoinStyle>

describe("merging commits without a work tree", () => {
  for (let from = seed; from < seed + runs(3); from++) {
    it.live(
      `gives the same result as git in a work tree, with random history ${from}`,
      () => {
        const root = join(folder, `root-${from}`)
        const tree = join(folder, `tree-${from}`)
        return Effect.gen(function* () {
          yield* (yield* GitRepositories).create(one, {
            defaultBranch: BranchName.make("main"),
            commit: undefined,
            madeAt: "2026-01-02T03:04:05.000Z"
          })
          history(tree, from)
          git(tree, "push", "-q", join(root, "repositories", "0", "1.git"), "main", "topic")
          const reader = yield* GitReader
          const at = Effect.fnUntraced(function* (branch: string) {
            return (yield* reader.resolve(one, Revision.make(branchRef(branch))))?.commit as ObjectId
          })
          const base = yield* at("main")
          const head = yield* at("topic")
          for (const style of styles) {
            const copy = join(folder, `copy-${from}-${style}`)
            git(folder, "clone", "-q", tree, copy)
            git(copy, "branch", "-q", "topic", "origin/topic")
            const expected = oracle[style](copy)
            const input = { repository: one, base, head, committer: ident, author: ident, message: "joined\n" }
            const made = yield* joinCommits(style, input).pipe(
              Effect.catchTags({
                MergeConflict: ({ paths }) => Effect.succeed({ conflicts: [...paths].sort() }),
                MergeImpossible: () => Effect.succeed({ conflicts: [] })
              })
            )
            if (typeof made !== "string") {
              expect({ style, ...made }).toEqual({ style, conflicts: expected.conflicts })
              expect(expected.tree, style).toBeUndefined()
              continue
            }
            const [commit] = yield* reader.commits(one, [made])
            expect({ style, tree: commit?.tree }).toEqual({ style, tree: expected.tree })
            const added = yield* reader.count(one, { from: [made], not: [base] })
            expect({ style, added }).toEqual({ style, added: expected.commits })
          }
        }).pipe(Effect.provide(Layer.mergeAll(layerGitRepositories(root), layerGitObjects(root))))
      },
      30_000
    )
  }
})
