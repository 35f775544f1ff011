import {
  largestWorkflow,
  type PlainValue,
  readWorkflow,
  type Workflow,
  WorkflowReader
} from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { ObjectId } from "@slipway/domain/forge/code"
import { GitReader } from "@slipway/domain/forge/code"
import { Clock, Effect, Result, Semaphore } from "effect"

/** The result of parsing a workflow file: the workflow with the YAML data of the file, or an error message. */
export type BlobRead = Result.Result<{ readonly workflow: Workflow; readonly written: PlainValue }, string>

interface Cached {
  readonly read: BlobRead
  /** The size of the file as JSON, in characters. */
  readonly size: number
  /** Whether parsing exhausted the time or memory limit of one file. */
  readonly exhausting: boolean
  /**
   * When the cached result expires, in milliseconds since 1970. Only timeouts expire, because a busy machine may cause
   * them.
   */
  readonly expiresAt: number
}

/** The total size of the cache for all repositories, in characters of JSON. */
const largestCache = 16_777_216
/** The size of a cache entry without its file, in characters. */
const entrySize = 1_000
const exhaustedFor = 600_000

/** The cache of parsed workflow files by repository and blob, least recently used first. */
interface BlobCache {
  readonly get: (key: string, at: number) => Cached | undefined
  readonly set: (key: string, value: Cached) => void
  /**
   * Runs the reads of one repository one after the other, so that concurrent requests do not parse the same file twice.
   */
  readonly inTurn: (repositoryId: RepositoryId) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const makeCache = (): BlobCache => {
  const entries = new Map<string, Cached>()
  const turns = new Map<RepositoryId, { readonly turn: Semaphore.Semaphore; waiting: number }>()
  let size = 0
  const forget = (key: string) => {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    size -= entry.size + entrySize
  }
  return {
    get: (key, at) => {
      const entry = entries.get(key)
      if (entry === undefined || entry.expiresAt <= at) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },
    set: (key, value) => {
      forget(key)
      entries.set(key, value)
      size += value.size + entrySize
      for (const oldest of entries.keys()) {
        if (size <= largestCache) return
        forget(oldest)
      }
    },
    inTurn: (repositoryId) => (work) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const place = turns.get(repositoryId) ?? { turn: Semaphore.makeUnsafe(1), waiting: 0 }
          place.waiting++
          turns.set(repositoryId, place)
          return place
        }),
        ({ turn }) => turn.withPermit(work),
        (place) =>
          Effect.sync(() => {
            if (--place.waiting === 0) turns.delete(repositoryId)
          })
      )
  }
}

/** The cache of each workflow parser; parsers do not share a cache. */
const caches = new WeakMap<WorkflowReader["Service"], BlobCache>()

const cacheOf = (reader: WorkflowReader["Service"]): BlobCache => {
  const cache = caches.get(reader) ?? makeCache()
  caches.set(reader, cache)
  return cache
}

const decoder = new TextDecoder()

const readOne = Effect.fnUntraced(function* (content: Uint8Array | undefined) {
  const lasting = { exhausting: false, expiresAt: Number.POSITIVE_INFINITY }
  const failed = (because: string): Cached => ({ ...lasting, read: Result.fail(because), size: because.length })
  if (content === undefined) return failed(`the file has more than ${largestWorkflow / 1_024} KiB`)
  const read = yield* (yield* WorkflowReader).read(decoder.decode(content))
  if ("because" in read) {
    if (read.exhausting !== true) return failed(read.because)
    const expiresAt = (yield* Clock.currentTimeMillis) + exhaustedFor
    return { ...failed(read.because), exhausting: true, expiresAt } satisfies Cached
  }
  const workflow = Result.map(readWorkflow(read.said), (found) => ({ workflow: found, written: read.said }))
  return { ...lasting, read: workflow, size: JSON.stringify(read.said).length } satisfies Cached
})

/**
 * Reads and parses workflow files by blob id. Each blob is parsed only once (invariant I25), because its content never
 * changes.
 *
 * If a file exceeds the time limit, the remaining files that are not cached get an error without being parsed. A cached
 * timeout expires.
 */
export const readBlobs = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  ids: ReadonlyArray<ObjectId>,
  budget: { left: boolean }
) {
  const cache = cacheOf(yield* WorkflowReader)
  const keyOf = (id: ObjectId) => `${repositoryId}:${id}`
  const known = (at: number) =>
    new Map(
      ids.flatMap((id) => {
        const entry = cache.get(keyOf(id), at)
        return entry === undefined ? [] : [[id, entry] as const]
      })
    )
  const missingIn = (found: ReadonlyMap<ObjectId, Cached>) => [...new Set(ids.filter((id) => !found.has(id)))]
  const readMissing = Effect.gen(function* () {
    // Another request may have read some of them meanwhile.
    const found = known(yield* Clock.currentTimeMillis)
    const missing = missingIn(found)
    const objects =
      missing.length === 0 ? [] : yield* (yield* GitReader).objects(repositoryId, missing, largestWorkflow)
    const contents = new Map(missing.map((id, at) => [id, objects[at]?.content]))
    for (const id of ids) {
      if (!found.has(id) && budget.left) {
        const entry = yield* readOne(contents.get(id))
        cache.set(keyOf(id), entry)
        found.set(id, entry)
      }
      // A blob that uses up the time budget leaves none for later ones.
      if (found.get(id)?.exhausting === true) budget.left = false
    }
    return found
  })
  const before = known(yield* Clock.currentTimeMillis)
  const found = missingIn(before).length === 0 ? before : yield* cache.inTurn(repositoryId)(readMissing)
  return ids.map((id): BlobRead => found.get(id)?.read ?? Result.fail("another workflow takes too long to read"))
})
