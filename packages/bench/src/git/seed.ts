import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { seededRandom } from "../support/numbers.ts"

/** The number of commits, files, branches and folders of the measured repository. */
export const sizes = { commits: 50_000, files: 20_000, branches: 2_000, folders: 100 } as const

/** Returns the path of a file of the measured repository by its number. */
export const pathOf = (file: number): string =>
  `src/part-${file % sizes.folders}/file-${Math.floor(file / sizes.folders)}.txt`

const who = (seconds: number) => `Ann <ann@example.com> ${seconds} +0000`
const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`

function* history(): Generator<string> {
  const random = seededRandom(12)
  const content = (file: number, change: number) =>
    Array.from(
      { length: 40 },
      (_, line) => `line ${line} of ${file}${line === change % 40 ? ` at ${change}` : ""}\n`
    ).join("")
  let seconds = 1_500_000_000
  const commit = (files: ReadonlyArray<number>, number: number) => {
    seconds += 600
    const changes = files.map((file) => `M 100644 inline ${pathOf(file)}\n${data(content(file, number))}`)
    return `commit refs/heads/main\nmark :${number + 1}\nauthor ${who(seconds)}\ncommitter ${who(seconds)}\n${data(`change ${number}\n`)}${changes.join("")}\n`
  }
  yield commit(
    Array.from({ length: sizes.files }, (_, file) => file),
    0
  )
  for (let number = 1; number < sizes.commits; number++) yield commit([Math.floor(random() * sizes.files)], number)
  for (let branch = 0; branch < sizes.branches; branch++)
    yield `reset refs/heads/branch-${String(branch).padStart(4, "0")}\nfrom :${1 + branch * 20}\n\n`
  yield "done\n"
}

const git = (folder: string, ...args: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync("git", [`--git-dir=${folder}`, ...args], { encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
}

/**
 * Creates the forge's repository with number 1 unless a previous run created it; returns the root folder and the
 * repository's folder.
 */
export const seed = async (): Promise<{ readonly root: string; readonly folder: string }> => {
  const root = join(tmpdir(), "slipway-bench-git")
  const folder = join(root, "repositories", "0", "1.git")
  const done = join(root, "done")
  if (existsSync(done)) return { root, folder }
  rmSync(root, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "--template=", folder)
  const child = spawn("git", [`--git-dir=${folder}`, "fast-import", "--quiet", "--done", "--date-format=raw"], {
    stdio: ["pipe", "inherit", "inherit"]
  })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  for (const part of history()) {
    if (!child.stdin.write(part)) await new Promise<void>((resolve) => child.stdin.once("drain", resolve))
  }
  child.stdin.end()
  if ((await ended) !== 0) throw new Error("the repository could not be created")
  git(folder, "pack-refs", "--all")
  git(folder, "gc", "--quiet")
  git(folder, "commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")
  writeFileSync(done, "")
  return { root, folder }
}
