import { secondsOf } from "@slipway/domain"
import type { BranchName, FirstCommit, NewGitRepository } from "@slipway/domain/forge/code"
import type { GitRun } from "../program.ts"

const encoder = new TextEncoder()

/** Returns a text as a `data` command of `git fast-import`, which begins with the length in bytes. */
const data = (text: string): string => `data ${encoder.encode(text).length}\n${text}\n`

/** Removes the characters that an author line of a commit must not contain. */
const inLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  text.replace(/[\u0000-\u001f\u007f<>]/g, "").trim()

/** Returns a file name quoted for `git fast-import`. */
const path = (name: string): string =>
  `"${[...encoder.encode(name)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`

const commit = (branch: BranchName, { at, author, files, message }: FirstCommit): string => {
  const seconds = secondsOf(at)
  const changes = Object.entries(files).map(([name, text]) => `M 100644 inline ${path(name)}\n${data(text)}`)
  return [
    `commit refs/heads/${branch}`,
    `committer ${inLine(author.name)} <${inLine(author.email)}> ${seconds} +0000`,
    `${data(message === "" || message.endsWith("\n") ? message : `${message}\n`)}${changes.join("")}`,
    "done",
    ""
  ].join("\n")
}

const inside = (folder: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  `--git-dir=${folder}`,
  ...args
]

/** Returns the git commands that create a bare repository in a new folder. */
export const creation = (
  folder: string,
  { commit: first, defaultBranch, objectFormat = "sha1" }: NewGitRepository
): ReadonlyArray<GitRun> => [
  {
    args: [
      "init",
      "--quiet",
      "--bare",
      `--object-format=${objectFormat}`,
      "--template=",
      `--initial-branch=${defaultBranch}`,
      "--",
      folder
    ]
  },
  ...(first === undefined
    ? []
    : [
        {
          args: inside(folder, "fast-import", "--quiet", "--done", "--date-format=raw"),
          input: commit(defaultBranch, first)
        }
      ])
]

/**
 * Returns the git commands that copy a repository's branches and tags, or (`alone`) one branch, to a new folder.
 *
 * Objects are hard-linked if the file system supports it. Git alternates are not used: through them, readers of the
 * copy could read objects that are pushed to the original later.
 */
export const copyPlan = (from: string, folder: string, branch: BranchName, alone: boolean): ReadonlyArray<GitRun> => [
  {
    args: [
      "clone",
      "--quiet",
      "--bare",
      "--template=",
      ...(alone ? ["--single-branch", "--no-tags", `--branch=${branch}`] : []),
      "--",
      from,
      folder
    ],
    settings: ["protocol.file.allow=always"]
  },
  { args: inside(folder, "config", "--remove-section", "remote.origin") },
  { args: inside(folder, "symbolic-ref", "HEAD", `refs/heads/${branch}`) }
]

/** Returns the git command that reads the default branch. */
export const readHead = (folder: string): GitRun => ({ args: inside(folder, "symbolic-ref", "--short", "HEAD") })

/** Returns the git command that changes the default branch. */
export const writeHead = (folder: string, branch: BranchName): GitRun => ({
  args: inside(folder, "symbolic-ref", "HEAD", `refs/heads/${branch}`)
})

/** Returns the git command that lists branches, one per line: the commit, a space, the name. */
export const listBranches = (folder: string): GitRun => ({
  args: inside(folder, "for-each-ref", "--format=%(objectname) %(refname:strip=2)", "--sort=refname", "refs/heads")
})

/** Maximum number of refs requested by name: command lines have a maximum length. */
const mostNamed = 100

/** Returns the git command that lists refs, one per line: the object, a space, the full name. */
export const listRefs = (folder: string, names: ReadonlyArray<string>): GitRun => ({
  args: inside(
    folder,
    "for-each-ref",
    "--format=%(objectname) %(refname)",
    ...(names.length > mostNamed ? [] : ["--", ...names])
  )
})

/** Returns the git command that prints a file in the top folder. */
export const readFile = (folder: string, branch: string, name: string): GitRun => ({
  args: inside(folder, "cat-file", "blob", `refs/heads/${branch}:${name}`)
})
