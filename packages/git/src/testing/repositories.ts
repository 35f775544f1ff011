import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect, type Scope } from "effect"

const author = { NAME: "Ann", EMAIL: "ann@example.com", DATE: "@1770000000 +0000" }
const environment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  ...Object.fromEntries(
    Object.entries(author).flatMap(([name, value]) => [
      [`GIT_AUTHOR_${name}`, value],
      [`GIT_COMMITTER_${name}`, value]
    ])
  )
}

/** Runs git on a repository of a test. */
export const git = (path: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", [`--git-dir=${path}`, ...args], { encoding: "utf8", env: environment, stdio: "pipe" }).trim()

/** Makes a tree of the entries that are listed as `ls-tree` does. */
export const makeTree = (path: string, entries: ReadonlyArray<string>): string =>
  execFileSync("git", [`--git-dir=${path}`, "mktree"], { encoding: "utf8", input: entries.join("\n") }).trim()

/** Makes a folder that goes with the scope. */
export const folder = (name: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), `slipway-${name}-`))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

/** Makes a bare repository. */
export const newRepository = (path: string): void => {
  mkdirSync(path, { recursive: true })
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", path], { env: environment })
}

/** A commit with all of its files. */
export interface TestCommit {
  readonly message: string
  readonly files: Readonly<Record<string, string>>
  /** The commits of submodules, by their paths. */
  readonly submodules?: Readonly<Record<string, string>>
}

/** Puts a commit on a branch, or another reference that begins with `refs/`, of a bare repository; a text that begins with an arrow is a link. */
export const putCommit = (path: string, branch: string, { files, message, submodules = {} }: TestCommit): string => {
  const tree = mkdtempSync(join(tmpdir(), "slipway-tree-"))
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = join(tree, name)
      mkdirSync(dirname(file), { recursive: true })
      if (content.startsWith("-> ")) symlinkSync(content.slice(3), file)
      else writeFileSync(file, content)
    }
    rmSync(join(path, "index"), { force: true })
    execFileSync("git", [`--git-dir=${path}`, `--work-tree=${tree}`, "add", "--all", "--force", "."], {
      cwd: tree,
      env: environment,
      stdio: "pipe"
    })
    for (const [at, commit] of Object.entries(submodules)) {
      git(path, "update-index", "--add", "--cacheinfo", `160000,${commit},${at}`)
    }
    const ref = branch.startsWith("refs/") ? branch : `refs/heads/${branch}`
    const parents = git(path, "for-each-ref", "--format=%(objectname)", ref)
    const parent = parents === "" ? [] : ["-p", parents]
    const commit = git(path, "commit-tree", "-m", message, ...parent, git(path, "write-tree"))
    git(path, "update-ref", ref, commit)
    return commit
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}
