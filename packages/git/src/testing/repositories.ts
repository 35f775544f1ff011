import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

/** Makes a tree from entries in the format of `ls-tree`. */
export const makeTree = (path: string, entries: ReadonlyArray<string>): string =>
  execFileSync("git", [`--git-dir=${path}`, "mktree"], { encoding: "utf8", input: entries.join("\n") }).trim()

/** Makes a folder that is removed with the scope. */
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

const quoted = (name: string): string => JSON.stringify(name)

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

const isThere = (path: string, ref: string): boolean => {
  const packed = join(path, "packed-refs")
  return existsSync(join(path, ref)) || (existsSync(packed) && readFileSync(packed, "utf8").includes(` ${ref}\n`))
}

/**
 * Adds a commit to a branch, or to another ref that begins with `refs/`, of a bare repository. A content that begins
 * with `-> ` is the target of a symlink.
 *
 * One `git fast-import` writes everything, because starting a program takes longer than its work.
 */
export const putCommit = (path: string, branch: string, { files, message, submodules = {} }: TestCommit): string => {
  const ref = branch.startsWith("refs/") ? branch : `refs/heads/${branch}`
  const who = `${author.NAME} <${author.EMAIL}> ${author.DATE.slice(1)}`
  const input = [
    `commit ${ref}\nmark :1\nauthor ${who}\ncommitter ${who}\n${data(`${message}\n`)}`,
    isThere(path, ref) ? `from ${ref}^0\ndeleteall\n` : "",
    ...Object.entries(files).map(([name, content]) =>
      content.startsWith("-> ")
        ? `M 120000 inline ${quoted(name)}\n${data(content.slice(3))}`
        : `M 100644 inline ${quoted(name)}\n${data(content)}`
    ),
    ...Object.entries(submodules).map(([at, commit]) => `M 160000 ${commit} ${quoted(at)}\n`),
    "get-mark :1\n"
  ].join("")
  return execFileSync("git", [`--git-dir=${path}`, "fast-import", "--quiet"], {
    encoding: "utf8",
    input,
    env: environment,
    stdio: "pipe"
  }).trim()
}
