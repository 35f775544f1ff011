import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { BranchName, GitRepositories, type RepositoryId } from "@slipway/domain/forge"
import { Clock, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { type GitRun, runGit } from "../program.ts"
import { creation, listBranches, readFile, readHead, writeHead } from "./plans.ts"

/** How many repositories lie in one folder. */
const perFolder = 1_000

/** How old a folder has to be that an interrupted run left behind, before it is swept: longer than any run takes. */
const left = Duration.hours(1)

const isBranchName = Schema.is(BranchName)

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT"

const wait = <A>(work: () => Promise<A>): Effect.Effect<A> => Effect.orDie(Effect.tryPromise(work))

/** Answers `undefined` where there is no such file or folder. */
const ifThere =
  <A>(work: () => Promise<A>) =>
  () =>
    work().catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })

/** Puts what a folder lists on the disk, so that a rename outlives a loss of power. */
const sync = async (folder: string) => {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const sizes = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? sizeOf(path) : stat(path).then(({ size }) => size)
    })
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const make = Effect.fnUntraced(function* (root: string) {
  const repositories = join(root, "repositories")
  const making = join(root, "making")
  const trash = join(root, "trash")
  yield* wait(() => Promise.all([repositories, making, trash].map((folder) => mkdir(folder, { recursive: true }))))

  const folderOf = (id: RepositoryId): string => join(repositories, String(Math.floor(id / perFolder)), `${id}.git`)
  const isThere = (id: RepositoryId) =>
    Effect.map(wait(ifThere(() => stat(folderOf(id)))), (found) => found !== undefined)
  const run = (plan: GitRun) => Effect.orDie(runGit(plan))
  const move = (from: string, to: string) =>
    wait(
      ifThere(async () => {
        await mkdir(dirname(to), { recursive: true })
        await rename(from, to)
        await sync(dirname(to))
        await sync(dirname(from))
        return true
      })
    )
  const discard = (folder: string) => wait(() => rm(folder, { recursive: true, force: true }))

  const sweep = Effect.gen(function* () {
    const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(left)
    for (const folder of [making, trash]) {
      for (const name of yield* wait(() => readdir(folder))) {
        const path = join(folder, name)
        const found = yield* wait(ifThere(() => stat(path)))
        if (found !== undefined && found.mtimeMs < before) yield* discard(path)
      }
    }
  })
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(left)))

  return GitRepositories.of({
    create: Effect.fnUntraced(function* (id, what) {
      if (yield* isThere(id)) return
      // It appears at once and whole, or not at all: a run that is killed leaves what is swept later.
      const folder = join(making, `${id}-${randomUUID()}`)
      yield* Effect.gen(function* () {
        for (const plan of creation(folder, what)) yield* run(plan)
        // Of two that make the same one at once, the later finds it there.
        yield* Effect.catchDefect(move(folder, folderOf(id)), (defect) =>
          Effect.flatMap(isThere(id), (there) => (there ? Effect.void : Effect.die(defect)))
        )
      }).pipe(Effect.ensuring(discard(folder)))
    }),
    defaultBranch: Effect.fnUntraced(function* (id) {
      return (yield* isThere(id)) ? (yield* run(readHead(folderOf(id)))).trim() : undefined
    }),
    setDefaultBranch: Effect.fnUntraced(function* (id, branch) {
      if (!(yield* isThere(id))) return false
      yield* run(writeHead(folderOf(id), branch))
      return true
    }),
    branches: Effect.fnUntraced(function* (id) {
      if (!(yield* isThere(id))) return []
      return (yield* run(listBranches(folderOf(id)))).split("\n").flatMap((line) => {
        const space = line.indexOf(" ")
        return space < 0 ? [] : [{ commit: line.slice(0, space), name: line.slice(space + 1) }]
      })
    }),
    file: Effect.fnUntraced(function* (id, branch, name) {
      // No argument of a program holds a zero, and no name of a file does.
      if (!isBranchName(branch) || name.includes("\0") || !(yield* isThere(id))) return undefined
      // So git ends where there is no such branch or file.
      const notThere = 128
      return yield* runGit(readFile(folderOf(id), branch, name)).pipe(
        Effect.catch((failed) => (failed.exitCode === notThere ? Effect.undefined : Effect.die(failed)))
      )
    }),
    size: (id) => Effect.map(wait(ifThere(() => sizeOf(folderOf(id)))), (bytes = 0) => Math.ceil(bytes / 1024)),
    remove: Effect.fnUntraced(function* (id) {
      const gone = join(trash, randomUUID())
      if ((yield* move(folderOf(id), gone)) === undefined) return false
      yield* discard(gone)
      return true
    }),
    list: wait(async () => {
      const ids: Array<RepositoryId> = []
      for (const folder of await readdir(repositories)) {
        for (const name of await readdir(join(repositories, folder))) {
          if (/^[1-9]\d*\.git$/.test(name)) ids.push(Number(name.slice(0, -4)) as RepositoryId)
        }
      }
      return ids.sort((one, other) => one - other)
    })
  })
})

/** Keeps git repositories below a folder of the machine with the git program; several processes may share it. */
export const layerGitRepositories = (root: string): Layer.Layer<GitRepositories> =>
  Layer.effect(GitRepositories, make(root))
