import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, readFile as readText, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { BranchName, type GitId, GitRepositories } from "@slipway/domain/forge/code"
import { Cause, Clock, Duration, Effect, Layer, Schedule, Schema } from "effect"
import { unavailableIfFull } from "../diskFull.ts"
import { type GitRun, runGit } from "../program.ts"
import { repositoryFolder } from "./folders.ts"
import { copyPlan, creation, listBranches, listRefs, readFile, readHead, writeHead } from "./plans.ts"
import { isQuarantine } from "./quarantines.ts"

/** The age after which the folder of an interrupted operation is removed; no operation takes that long. */
const left = Duration.hours(1)

/** The age after which a lock file of git counts as abandoned; no git command holds it that long. */
const abandoned = Duration.minutes(2)

/** The name of the file that contains a repository's creation time. */
const marker = "slipway-made-at"

const isBranchName = Schema.is(BranchName)

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT"
const isInTheWay = (error: unknown): boolean => ["EEXIST", "ENOTEMPTY"].includes(codeOf(error) ?? "")

/**
 * Runs file operations, and waits for their end even if the effect is interrupted.
 *
 * The operations cannot be stopped: without waiting, they would recreate files that are cleaned up meanwhile.
 */
const wait = <A>(work: () => Promise<A>): Effect.Effect<A> =>
  Effect.uninterruptible(Effect.catch(Effect.tryPromise(work), ({ cause }) => Effect.die(unavailableIfFull(cause))))

/** Wraps a file operation so that it returns undefined if the file or folder does not exist. */
const ifThere =
  <A>(work: () => Promise<A>) =>
  () =>
    work().catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })

/** Syncs a file or a folder's listing to the disk, so that it survives a loss of power. */
const sync = async (path: string) => {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a folder with all of its content to the disk, because git syncs neither its config file nor folders. */
const syncAll = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { withFileTypes: true })
  await Promise.all(entries.map((entry) => (entry.isDirectory() ? syncAll : sync)(join(folder, entry.name))))
  await sync(folder)
}

const sizeOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const sizes = await Promise.all(
    entries.map((entry) => {
      // A push's objects don't count before the push is decided.
      if (isQuarantine(entry.name)) return 0
      const path = join(folder, entry.name)
      // Files that disappear meanwhile, such as a lock, have no size.
      return ifThere(() => (entry.isDirectory() ? sizeOf(path) : stat(path).then(({ size }) => size)))()
    })
  )
  return sizes.reduce<number>((sum, size = 0) => sum + size, 0)
}

/** Moves a folder to a new path; returns `moved`, or the reason why it is not moved. */
const move = async (from: string, to: string): Promise<"in the way" | "missing" | "moved"> => {
  try {
    if ((await mkdir(dirname(to), { recursive: true, mode: 0o700 })) !== undefined) await sync(dirname(dirname(to)))
    await rename(from, to)
    await sync(dirname(to))
    await sync(dirname(from))
    return "moved"
  } catch (error) {
    if (isMissing(error)) return "missing"
    if (isInTheWay(error)) return "in the way"
    throw error
  }
}

const make = Effect.fnUntraced(function* (root: string) {
  const repositories = join(root, "repositories")
  const making = join(root, "making")
  const trash = join(root, "trash")
  const aside = join(root, "aside")
  // Other users of the machine must not read private repositories.
  const makeFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 })
  yield* wait(() => Promise.all([repositories, making, trash, aside].map(makeFolder)))

  const folderOf = (id: GitId): string => repositoryFolder(root, id)
  const isThere = (id: GitId) => Effect.map(wait(ifThere(() => stat(folderOf(id)))), (found) => found !== undefined)
  const run = (plan: GitRun) => Effect.catch(runGit(plan), (error) => Effect.die(unavailableIfFull(error)))
  const madeAtOf = (id: GitId) => wait(ifThere(() => readText(join(folderOf(id), marker), "utf8")))
  const discard = (folder: string) => wait(() => rm(folder, { recursive: true, force: true }))

  const isOlder = Effect.fnUntraced(function* (path: string, age: Duration.Duration) {
    const found = yield* wait(ifThere(() => stat(path)))
    return found !== undefined && found.mtimeMs < (yield* Clock.currentTimeMillis) - Duration.toMillis(age)
  })
  /** Removes a lock file that a killed git process left behind; git itself never removes it. */
  const unlock = Effect.fnUntraced(function* (lock: string) {
    if (yield* isOlder(lock, abandoned)) yield* discard(lock)
  })

  const sweep = Effect.gen(function* () {
    for (const folder of [making, trash]) {
      for (const name of yield* wait(() => readdir(folder))) {
        const path = join(folder, name)
        if (yield* isOlder(path, left)) yield* discard(path)
      }
    }
  })
  const sweeping = Effect.catchCause(sweep, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.failCause(cause)
      : Effect.logError("leftovers of git repositories could not be removed", cause)
  )
  yield* Effect.forkScoped(Effect.repeat(sweeping, Schedule.spaced(left)))

  /** Moves a new repository to its path; a different repository at this path is moved to the folder `aside`. */
  const place: (newFolder: string, id: GitId, madeAt: string) => Effect.Effect<void> = Effect.fnUntraced(
    function* (newFolder, id, madeAt) {
      const moved = yield* wait(() => move(newFolder, folderOf(id)))
      if (moved === "moved" || (yield* madeAtOf(id)) === madeAt) return
      if (moved === "missing")
        return yield* Effect.die(new Error(`the git repository of ${id} was removed while it was created`))
      yield* wait(() => move(folderOf(id), join(aside, `${id}-${randomUUID()}`)))
      yield* Effect.logWarning(`the git repository of another repository ${id} is moved to ${aside}`)
      yield* place(newFolder, id, madeAt)
    }
  )

  return GitRepositories.of({
    create: Effect.fnUntraced(function* (id, what) {
      if ((yield* madeAtOf(id)) === what.madeAt) return
      // The repository appears whole in one step, or not at all: the leftovers of a killed run are swept later.
      const folder = join(making, `${id}-${randomUUID()}`)
      yield* Effect.gen(function* () {
        for (const plan of creation(folder, what)) yield* run(plan)
        yield* wait(async () => {
          await writeFile(join(folder, marker), what.madeAt)
          await syncAll(folder)
        })
        yield* place(folder, id, what.madeAt)
      }).pipe(Effect.ensuring(discard(folder)))
    }),
    copy: Effect.fnUntraced(function* (id, { from, madeAt, only }) {
      if ((yield* madeAtOf(id)) === madeAt) return true
      if (!(yield* isThere(from))) return false
      const branch = only ?? BranchName.make((yield* run(readHead(folderOf(from)))).trim())
      const folder = join(making, `${id}-${randomUUID()}`)
      yield* Effect.gen(function* () {
        for (const plan of copyPlan(folderOf(from), folder, branch, only !== undefined)) yield* run(plan)
        yield* wait(async () => {
          await writeFile(join(folder, marker), madeAt)
          await syncAll(folder)
        })
        yield* place(folder, id, madeAt)
      }).pipe(Effect.ensuring(discard(folder)))
      return true
    }),
    defaultBranch: Effect.fnUntraced(function* (id) {
      return (yield* isThere(id)) ? (yield* run(readHead(folderOf(id)))).trim() : undefined
    }),
    setDefaultBranch: Effect.fnUntraced(function* (id, branch) {
      if (!(yield* isThere(id))) return false
      yield* unlock(join(folderOf(id), "HEAD.lock"))
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
    refs: Effect.fnUntraced(function* (id, names) {
      const found = new Map<string, string>()
      if (names.length === 0 || !(yield* isThere(id))) return found
      const wanted = new Set(names.filter((name) => /^refs\/[^\0]+$/.test(name)))
      for (const line of (yield* run(listRefs(folderOf(id), [...wanted]))).split("\n")) {
        const space = line.indexOf(" ")
        const name = line.slice(space + 1)
        if (space > 0 && wanted.has(name)) found.set(name, line.slice(0, space))
      }
      return found
    }),
    file: Effect.fnUntraced(function* (id, branch, name) {
      // No program argument or file name contains a NUL.
      if (!isBranchName(branch) || name.includes("\0") || !(yield* isThere(id))) return undefined
      // Git's exit code for a missing branch or file.
      const notThere = 128
      return yield* runGit(readFile(folderOf(id), branch, name)).pipe(
        Effect.catch((failed) => (failed.exitCode === notThere ? Effect.undefined : Effect.die(failed)))
      )
    }),
    size: (id) => Effect.map(wait(ifThere(() => sizeOf(folderOf(id)))), (bytes = 0) => Math.ceil(bytes / 1024)),
    remove: Effect.fnUntraced(function* (id) {
      const gone = join(trash, randomUUID())
      if ((yield* wait(() => move(folderOf(id), gone))) !== "moved") return false
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

/** Layer that stores git repositories below the folder `root`; several processes may share the folder. */
export const layerGitRepositories = (root: string): Layer.Layer<GitRepositories> =>
  Layer.effect(
    GitRepositories,
    Effect.suspend(() => make(resolve(root)))
  )
