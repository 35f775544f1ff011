import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { traced } from "@slipway/domain"
import {
  type Commit,
  type GitId,
  GitOverloaded,
  type ObjectFormat,
  type ObjectId,
  parseCommit,
  parseTree,
  type RawObject,
  type TreeEntry
} from "@slipway/domain/forge/code"
import { Effect, type Scope } from "effect"
import { LRUCache } from "lru-cache"
import { unavailableIfFull } from "../../diskFull.ts"
import type { GitFailed } from "../../program.ts"
import { objectFormatOf, repositoryFolder } from "../folders.ts"
import { Answers } from "./answers.ts"
import type { Answer, Question } from "./catFile.ts"
import { makePool, type PoolLimits } from "./pool.ts"
import { makePrograms, type Programs } from "./programs.ts"

/** A repository on the disk. */
export interface Repository {
  readonly folder: string
  /** The cache key; differs from the key of an earlier or later repository in the same folder. */
  readonly key: string
  readonly format: ObjectFormat
}

/** Reads objects of repositories, with a cache. */
export interface Store {
  readonly programs: Programs
  /** The cache of git's results about objects. */
  readonly answers: Answers
  /** Runs an effect on a repository, or returns `missing` if the repository does not exist. */
  readonly on: <A, B, E, R>(
    id: GitId,
    missing: B,
    work: (repository: Repository) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A | B, E, R>
  readonly find: (id: GitId) => Effect.Effect<Repository | undefined>
  readonly ask: (
    repository: Repository,
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<Answer | undefined>, GitOverloaded>
  /** Reads objects in the requested order; omits the content of objects larger than a number of bytes. */
  readonly objects: (
    repository: Repository,
    ids: ReadonlyArray<ObjectId>,
    most: number
  ) => Effect.Effect<ReadonlyArray<RawObject | undefined>, GitOverloaded>
  readonly commits: (
    repository: Repository,
    ids: ReadonlyArray<ObjectId>
  ) => Effect.Effect<ReadonlyArray<Commit | undefined>, GitOverloaded>
  /** The entries of a tree, or of the tree of a commit, by their names. */
  readonly entries: (
    repository: Repository,
    id: ObjectId
  ) => Effect.Effect<ReadonlyArray<TreeEntry> | undefined, GitOverloaded>
  /** The sizes of objects in bytes, in the requested order. */
  readonly sizes: (
    repository: Repository,
    ids: ReadonlyArray<ObjectId>
  ) => Effect.Effect<ReadonlyArray<number | undefined>, GitOverloaded>
  /** Returns the tree id of a commit; the id of a tree is returned unchanged. */
  readonly treeOf: (repository: Repository, id: ObjectId) => Effect.Effect<ObjectId | undefined, GitOverloaded>
}

/** The limits of the object reader. */
export interface StoreLimits extends PoolLimits {
  /** Maximum size of the caches in bytes: half for contents, a quarter for trees, a quarter for answers. */
  readonly remembered: number
}

/** The default limits of one process for reading. */
export const usualLimits: StoreLimits = { all: 16, each: 2, idle: 30_000, remembered: 64 * 1024 * 1024 }

/** Maximum size of a commit or tree in bytes; larger ones do not occur in practice and are not read. */
const mostStructure = 16 * 1024 * 1024
/** Maximum size of a cached object in bytes; a few larger objects would fill the cache. */
const mostRemembered = 256 * 1024
/** The overhead of a cache entry in bytes, without its content. */
const overhead = 300

/** Turns failures of git, including a full disk, into defects (unexpected exceptions); keeps `GitOverloaded`. */
export const orDie = <A, R>(
  effect: Effect.Effect<A, GitFailed | GitOverloaded, R>
): Effect.Effect<A, GitOverloaded, R> =>
  Effect.catchTag(effect, "GitFailed", (failed) => Effect.die(unavailableIfFull(failed)))

/** Makes the object store for all repositories below the folder `root`. */
export const makeStore = (root: string, limits: StoreLimits): Effect.Effect<Store, never, Scope.Scope> =>
  Effect.gen(function* () {
    const pool = yield* makePool(limits)
    const programs = yield* makePrograms
    // The key includes the repository: an object in another repository must not become readable here.
    const cache = new LRUCache<string, RawObject>({
      maxSize: Math.ceil(limits.remembered / 2),
      sizeCalculation: ({ content }) => overhead + (content?.length ?? 0)
    })
    const trees = new LRUCache<string, ReadonlyArray<TreeEntry>>({
      maxSize: Math.ceil(limits.remembered / 4),
      sizeCalculation: (entries) => overhead + entries.length * 250
    })
    const answers = new Answers(limits.remembered / 4)
    // Keys of cached objects begin with a short key: they are hashed a thousand times for a large tree.
    const known = new LRUCache<string, Repository>({ max: 10_000 })
    let repositories = 0

    const find = (id: GitId) =>
      Effect.sync((): Repository | undefined => {
        const folder = repositoryFolder(root, id)
        // It takes a few microseconds per question; waiting for a thread takes ten times as long.
        const found = statSync(folder, { bigint: true, throwIfNoEntry: false })
        if (found === undefined) return undefined
        const identity = `${folder} ${found.dev} ${found.ino} ${found.birthtimeNs}`
        const repository = known.get(identity)
        if (repository !== undefined) return repository
        const format = objectFormatOf(readFileSync(join(folder, "config"), "utf8"))
        repositories += 1
        const openedRepository = { folder, key: repositories.toString(36), format }
        known.set(identity, openedRepository)
        return openedRepository
      })

    const ask: Store["ask"] = ({ folder, key }, questions) =>
      questions.length === 0
        ? Effect.succeed([])
        : Effect.tryPromise({
            try: () => pool.ask(folder, key, questions),
            catch: (error) => {
              if (error instanceof GitOverloaded) return error
              throw error
            }
          }).pipe(traced("git", { command: "cat-file" }))

    const objects: Store["objects"] = (repository, ids, most) =>
      Effect.gen(function* () {
        const cached = ids.map((id) => {
          const found = cache.get(`${repository.key} ${id}`)
          return found !== undefined && (found.content !== undefined || found.size > most) ? found : undefined
        })
        const open = [...new Set(ids.filter((_, at) => cached[at] === undefined))]
        const asked = new Map<ObjectId, RawObject>()
        const found = yield* ask(
          repository,
          open.map((name) => ({ name, most }))
        )
        for (const [at, name] of open.entries()) {
          const answer = found[at]
          // An object requested by its id is that object, or missing.
          if (answer === undefined || answer.id !== name) continue
          asked.set(name, answer)
          if (answer.size <= mostRemembered || answer.content === undefined)
            cache.set(`${repository.key} ${name}`, answer)
        }
        return ids.map((id, at) => {
          const found = cached[at] ?? asked.get(id)
          return found !== undefined && found.size > most ? { ...found, content: undefined } : found
        })
      })

    const sizes: Store["sizes"] = Effect.fnUntraced(function* (repository, ids) {
      const found = ids.map(
        (id) => cache.get(`${repository.key} ${id}`)?.size ?? answers.get<number>(repository, `size ${id}`)
      )
      const open = ids.filter((_, at) => found[at] === undefined)
      if (open.length === 0) return found
      const asked = yield* ask(
        repository,
        open.map((name) => ({ name }))
      )
      for (const [at, id] of open.entries()) {
        const size = asked[at]?.size
        if (size !== undefined) answers.set(repository, `size ${id}`, size, 0)
      }
      let at = 0
      return found.map((size) => size ?? asked[at++]?.size)
    })

    const commits: Store["commits"] = (repository, ids) =>
      Effect.map(objects(repository, ids, mostStructure), (found) =>
        found.map((each) =>
          each?.kind === "commit" && each.content !== undefined ? parseCommit(each.id, each.content) : undefined
        )
      )

    const treeOf: Store["treeOf"] = Effect.fnUntraced(function* (repository, id) {
      const [found] = yield* objects(repository, [id], mostStructure)
      if (found?.kind === "tree") return id
      return found?.kind === "commit" && found.content !== undefined ? parseCommit(id, found.content).tree : undefined
    })

    const entries: Store["entries"] = Effect.fnUntraced(function* (repository, id) {
      const key = `${repository.key} ${id}`
      const known = trees.get(key)
      if (known !== undefined) return known
      const [found] = yield* objects(repository, [id], mostStructure)
      if (found?.content === undefined || (found.kind !== "tree" && found.kind !== "commit")) return undefined
      if (found.kind === "commit") return yield* entries(repository, parseCommit(id, found.content).tree)
      const parsed = parseTree(repository.format, found.content)
      trees.set(key, parsed)
      return parsed
    })

    const on: Store["on"] = <A, B, E, R>(
      id: GitId,
      missing: B,
      work: (repository: Repository) => Effect.Effect<A, E, R>
    ) =>
      Effect.flatMap(
        find(id),
        (repository): Effect.Effect<A | B, E, R> =>
          repository === undefined ? Effect.succeed(missing) : work(repository)
      )

    return { programs, answers, on, find, ask, objects, sizes, commits, entries, treeOf }
  })
