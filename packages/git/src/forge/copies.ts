import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { copyFile, link, mkdir, readdir, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { RunLimits } from "@slipway/subprocess"
import { Duration, Effect } from "effect"
import { type GitFailed, runGit } from "../program.ts"
import { isQuarantine } from "./quarantines.ts"

/** Maximum number of attempts to copy a repository with packs that are replaced concurrently. */
const attempts = 10

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT"

/** Copies a folder recursively; `one` copies a file, and `isLeftOut` names the entries to skip. */
const bring = async (
  from: string,
  to: string,
  one: (from: string, to: string) => Promise<void>,
  isLeftOut: (name: string) => boolean = () => false
): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (isLeftOut(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await bring(source, target, one, isLeftOut)
    else if (entry.isFile()) await one(source, target)
  }
}

const unlessGone = async (from: string, to: string): Promise<void> => {
  try {
    await copyFile(from, to)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const isPassing = (name: string): boolean => name.endsWith(".lock") || name.startsWith("tmp_")

/**
 * Copies a repository while it is in use: first the refs, then the objects, which are only added.
 *
 * Copied objects are hard links, so that they survive a concurrent repack. Loose objects are copied before packs,
 * because git removes a loose object only once a pack contains it. Loose refs are copied before packed ones for the
 * same reason.
 */
const bringRepository = async (from: string, to: string): Promise<void> => {
  await bring(join(from, "refs"), join(to, "refs"), unlessGone, isPassing)
  await bring(from, to, unlessGone, (name) => isPassing(name) || name === "objects" || name === "refs")
  const objects = [join(from, "objects"), join(to, "objects")] as const
  const info = "info"
  await mkdir(objects[1], { mode: 0o700 })
  await bring(join(objects[0], info), join(objects[1], info), unlessGone, isPassing)
  await bring(...objects, link, (name) => isPassing(name) || isQuarantine(name) || name === info || name === "pack")
  // It lists packs by their former names, and git works without it.
  const isLeftOut = (name: string) => isPassing(name) || name.startsWith("multi-pack-index")
  await bring(join(objects[0], "pack"), join(objects[1], "pack"), link, isLeftOut)
}

const foldersIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Copies one repository; returns whether it still existed. */
const copyOne = async (from: string, folder: string): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await bringRepository(from, folder)
      return true
    } catch (error) {
      if (!isMissing(error) || attempt === attempts) throw error
      await rm(folder, { recursive: true, force: true })
      if (!existsSync(from)) return false
    }
  }
}

const longest: RunLimits = { timeout: Duration.hours(6), output: 1024 * 1024 }

/** Lists the repositories below the root folder, as relative paths. */
export const listRepositories = async (repositories: string): Promise<ReadonlyArray<string>> => {
  const lists = (await foldersIn(repositories)).map(async (group) =>
    (await foldersIn(join(repositories, group))).map((name) => join(group, name))
  )
  return (await Promise.all(lists)).flat()
}

/**
 * Provides `use` with a temporary copy of a repository, made while it is in use; returns undefined if the repository
 * was deleted.
 *
 * All refs of the copy are in one file, so that no ref name becomes a path.
 */
export const withCopy = <A, E, R>(
  root: string,
  path: string,
  use: (copy: string) => Effect.Effect<A, E, R>
): Effect.Effect<A | undefined, E | GitFailed, R> =>
  Effect.acquireUseRelease(
    // The leftovers of a killed run are swept from there. Git runs in another folder: a relative path would lead it
    // astray.
    Effect.sync(() => resolve(root, "making", `copy-${randomUUID()}`)),
    (folder) =>
      Effect.gen(function* () {
        if (!(yield* Effect.promise(() => copyOne(join(root, "repositories", path), folder)))) return undefined
        yield* runGit({ args: [`--git-dir=${folder}`, "pack-refs", "--all"] }, longest)
        return yield* use(folder)
      }),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

/** Fails if an object that is reachable from the refs of a repository is missing. */
export const checkConnected = (folder: string): Effect.Effect<void, GitFailed> =>
  Effect.asVoid(
    runGit({ args: [`--git-dir=${folder}`, "fsck", "--connectivity-only", "--no-dangling", "--no-progress"] }, longest)
  )
