import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { copyFile, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { ownerNameProblem } from "@slipway/domain/forge/base"
import {
  BranchName,
  GitRepositories,
  isRefName,
  repositoryNameProblem,
  UnadoptedBroken,
  type UnadoptedName,
  UnadoptedRepositories
} from "@slipway/domain/forge/code"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { runGit } from "../program.ts"
import { repositoryFolder } from "./folders.ts"

/** The maximum number of listed repositories, of refs per repository, and of bytes of a ref file. */
const most = { listed: 10_000, refs: 100_000, text: 64 * 1024 * 1024 }

const ending = ".git"
const adoptedRefs = /^refs\/(?:heads|tags|notes)\//
const packed = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/\S+)$/
const objectId = /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/
const looseFolder = /^[0-9a-f]{2}$/
const looseFile = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/
const packFile = /^pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\.(?:pack|idx)$/

class Broken extends Error {}

const missing = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")

/** Returns the type of the file at a path, without following links. */
const kindOf = async (path: string): Promise<"file" | "folder" | "other" | undefined> => {
  try {
    const found = await lstat(path)
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other"
  } catch (error) {
    if (missing(error)) return undefined
    throw error
  }
}

/** Reads a regular file; undefined if it does not exist, error if it is a link or too large. */
const textOf = async (path: string): Promise<string | undefined> => {
  const kind = await kindOf(path)
  if (kind === undefined) return undefined
  if (kind !== "file" || (await lstat(path)).size > most.text) throw new Broken(`${path} is not a regular file`)
  return readFile(path, "utf8")
}

/** Lists the entries of a folder by name; empty if it does not exist, error if it is a link. */
const entriesOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const kind = await kindOf(path)
  if (kind === undefined) return []
  if (kind !== "folder") throw new Broken(`${path} is not a folder`)
  return (await readdir(path)).toSorted()
}

/** Reads the branches, tags and notes of a repository, from `packed-refs` and from loose ref files. */
const refsOf = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const refs = new Map<string, string>()
  for (const line of ((await textOf(join(folder, "packed-refs"))) ?? "").split("\n")) {
    const [, id = "", name = ""] = packed.exec(line) ?? []
    if (adoptedRefs.test(name) && isRefName(name)) refs.set(name, id)
  }
  const walk = async (name: string): Promise<void> => {
    for (const each of await entriesOf(join(folder, name))) {
      const inner = `${name}/${each}`
      if (refs.size > most.refs) throw new Broken(`has more than ${most.refs} refs`)
      if ((await kindOf(join(folder, inner))) === "folder") await walk(inner)
      else if (isRefName(inner)) {
        const [, id] = objectId.exec((await textOf(join(folder, inner))) ?? "") ?? []
        if (id !== undefined) refs.set(inner, id)
      }
    }
  }
  for (const space of ["refs/heads", "refs/tags", "refs/notes"]) await walk(space)
  return refs
}

const copy = async (from: string, to: string): Promise<void> => {
  if ((await kindOf(from)) !== "file") throw new Broken(`${from} is not a regular file`)
  // Shared copy-on-write with the original where the disk supports it.
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  const handle = await open(to)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Copies the packs and loose objects of a repository; fails if it uses alternates. */
const copyObjects = async (from: string, to: string): Promise<void> => {
  for (const name of ["alternates", "http-alternates"]) {
    if ((await kindOf(join(from, "info", name))) !== undefined) throw new Broken("borrows objects of another")
  }
  for (const name of await entriesOf(from)) {
    const accepted = name === "pack" ? packFile : looseFolder.test(name) ? looseFile : undefined
    if (accepted === undefined) continue
    await mkdir(join(to, name), { recursive: true })
    for (const file of await entriesOf(join(from, name))) {
      if (accepted.test(file)) await copy(join(from, name, file), join(to, name, file))
    }
  }
}

/** Writes all refs atomically into `packed-refs`; before that, clients see none of the copied objects. */
const writeRefs = async (folder: string, refs: ReadonlyMap<string, string>): Promise<void> => {
  const lines = [...refs].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const written = join(folder, `packed-refs.${randomUUID()}`)
  await writeFile(written, lines.map(([name, id]) => `${id} ${name}\n`).join(""), { flush: true })
  await rename(written, join(folder, "packed-refs"))
}

/** Fails if an object is missing that is reachable from the given object ids. */
const whole = (folder: string, ids: ReadonlyArray<string>) =>
  runGit(
    {
      args: [`--git-dir=${folder}`, "rev-list", "--objects", "--quiet", "--stdin"],
      input: ids.map((id) => `${id}\n`).join("")
    },
    { timeout: Duration.minutes(30), output: 64 * 1024 }
  ).pipe(Effect.mapError(({ said }) => new UnadoptedBroken({ problem: said.split("\n")[0] ?? "" })))

const make = Effect.fnUntraced(function* (root: string) {
  const repositories = yield* GitRepositories
  const waiting = join(root, "unadopted")
  const trash = join(root, "trash")
  const isBranch = Schema.decodeUnknownOption(BranchName)
  yield* Effect.promise(() =>
    Promise.all([waiting, trash].map((each) => mkdir(each, { recursive: true, mode: 0o700 })))
  )

  const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, UnadoptedBroken> =>
    Effect.uninterruptible(
      Effect.catch(Effect.tryPromise(work), ({ cause }) =>
        cause instanceof Broken ? Effect.fail(new UnadoptedBroken({ problem: cause.message })) : Effect.die(cause)
      )
    )

  /** Returns the path of an unadopted repository; undefined if a name is invalid or the path is not a folder. */
  const folderOf = async ({ name, owner }: UnadoptedName): Promise<string | undefined> => {
    if (ownerNameProblem(owner) !== undefined || repositoryNameProblem(name) !== undefined) return undefined
    if ((await kindOf(join(waiting, owner))) !== "folder") return undefined
    const folder = join(waiting, owner, `${name}${ending}`)
    return (await kindOf(folder)) === "folder" ? folder : undefined
  }

  const read = async (folder: string) => {
    const refs = await refsOf(folder)
    const head = /^ref: refs\/heads\/(.+)\n?$/.exec((await textOf(join(folder, "HEAD"))) ?? "")?.[1]
    if (head === undefined) throw new Broken("has no HEAD that names a branch")
    const branches = [...refs.keys()].flatMap((name) =>
      name.startsWith("refs/heads/") ? [name.slice("refs/heads/".length)] : []
    )
    const named = [head, "main", "master"].find((name) => branches.includes(name)) ?? branches[0] ?? head
    const defaultBranch = Option.getOrUndefined(isBranch(named))
    if (defaultBranch === undefined) throw new Broken("has a HEAD that names no branch")
    const settings = (await textOf(join(folder, "config"))) ?? ""
    const isSha256 = /^\s*objectformat\s*=\s*sha256\s*$/im.test(settings)
    return { defaultBranch, empty: branches.length === 0, objectFormat: isSha256 ? "sha256" : "sha1", refs } as const
  }

  return UnadoptedRepositories.of({
    list: Effect.promise(async () => {
      const found: Array<UnadoptedName> = []
      for (const owner of (await readdir(waiting)).toSorted()) {
        if (ownerNameProblem(owner) !== undefined || (await kindOf(join(waiting, owner))) !== "folder") continue
        for (const each of (await readdir(join(waiting, owner))).toSorted()) {
          if (!each.endsWith(ending) || found.length >= most.listed) continue
          const which = { owner, name: each.slice(0, -ending.length) }
          if ((await folderOf(which)) !== undefined) found.push(which)
        }
      }
      return found
    }),
    find: (which) =>
      attempt(async () => {
        const folder = await folderOf(which)
        if (folder === undefined) return undefined
        const { defaultBranch, empty, objectFormat } = await read(folder)
        return { defaultBranch, empty, objectFormat }
      }),
    adopt: Effect.fnUntraced(function* (which, id, madeAt) {
      const from = yield* attempt(() => folderOf(which))
      if (from === undefined) return false
      const { defaultBranch, objectFormat, refs } = yield* attempt(() => read(from))
      // It gets new settings: the existing settings and hooks are not copied.
      yield* repositories.create(id, { defaultBranch, commit: undefined, madeAt, objectFormat })
      const to = repositoryFolder(root, id)
      const isDone = yield* attempt(() => kindOf(join(to, "packed-refs")))
      if (isDone !== undefined) return true
      return yield* attempt(() => copyObjects(join(from, "objects"), join(to, "objects"))).pipe(
        Effect.andThen(whole(to, [...refs.values()])),
        Effect.andThen(attempt(() => writeRefs(to, refs))),
        Effect.as(true),
        Effect.tapError(() => repositories.remove(id))
      )
    }),
    remove: (which) =>
      Effect.promise(async () => {
        const folder = await folderOf(which)
        if (folder === undefined) return false
        const gone = join(trash, randomUUID())
        await rename(folder, gone)
        await rm(gone, { recursive: true, force: true })
        // Also removes the folder of an owner without waiting repositories.
        await rmdir(dirname(folder)).catch(() => undefined)
        return true
      })
  })
})

/**
 * Layer that lists, adopts and deletes unadopted repositories: git repositories that the forge does not manage yet.
 *
 * They are in the folder `unadopted` below `root`, as `<owner>/<name>.git`.
 */
export const layerUnadoptedRepositories = (root: string): Layer.Layer<UnadoptedRepositories, never, GitRepositories> =>
  Layer.effect(
    UnadoptedRepositories,
    Effect.suspend(() => make(resolve(root)))
  )
