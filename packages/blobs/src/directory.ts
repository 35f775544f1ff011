import { createHash, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { StoreUnavailable } from "@slipway/domain"
import {
  asExpected,
  type BlobArea,
  BlobKey,
  BlobNotFound,
  type BlobRange,
  BlobStore,
  type ListedBlob,
  limitBytes
} from "@slipway/domain/forge/base"
import { Clock, Duration, Effect, Layer, Schema, Stream } from "effect"
import { puttingWithDigests } from "./digests.ts"

/** The age after which the temporary file of an interrupted upload is removed. It is longer than any upload takes. */
const left = Duration.days(1)

/** The interval between removals of abandoned temporary files. */
const sweepInterval = Duration.hours(1)

const isKey = Schema.is(BlobKey)

/** Returns the result of a file system call; `undefined` if the file or folder does not exist. */
const ifThere = <A>(work: Promise<A>): Promise<A | undefined> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
    throw error
  })

/** Returns whether an error means that the disk is full, failing or read-only, or that a disk quota is exceeded. */
const isFull = (error: unknown): boolean =>
  ["EDQUOT", "EIO", "ENOSPC", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")

/** Runs disk work and waits until it ends, even if the fiber is interrupted, because disk work cannot be cancelled. */
const wait = <A>(work: () => Promise<A>): Effect.Effect<A> =>
  Effect.uninterruptible(
    Effect.catch(Effect.tryPromise(work), ({ cause }) =>
      Effect.die(isFull(cause) ? new StoreUnavailable({ reason: "full", cause }) : cause)
    )
  )

/** Flushes a folder's entries to the disk (fsync), so that new and renamed files survive a power loss. */
const sync = async (folder: string) => {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a folder and its missing parents, and flushes them to the disk, so that they survive a power loss. */
const make = async (folder: string) => {
  for (
    let created = await mkdir(folder, { recursive: true, mode: 0o700 }), each = folder;
    created !== undefined && each.length >= created.length;
    each = dirname(each)
  ) {
    await sync(dirname(each))
  }
}

const writeAll = async (handle: FileHandle, chunk: Uint8Array) => {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten
}

const namesIn = async (folder: string) => (await ifThere(readdir(folder))) ?? []

// Names of one owner may have the same prefix, as numbers do: their hash spreads them over 65,536 folders.
const shardOf = (key: BlobKey): string => {
  const hash = createHash("sha256").update(key).digest("hex")
  return join(hash.slice(0, 2), hash.slice(2, 4))
}

const sweep = Effect.fnUntraced(function* (folder: string) {
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(left)
  yield* wait(async () => {
    for (const name of await namesIn(folder)) {
      const facts = await ifThere(stat(join(folder, name)))
      if (facts !== undefined && facts.mtimeMs < before) await rm(join(folder, name), { force: true })
    }
  })
})

const chunksOf = (key: BlobKey, path: string, { first, last }: BlobRange): Stream.Stream<Uint8Array, BlobNotFound> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const handle = yield* Effect.acquireRelease(
        wait(() => ifThere(open(path))),
        (opened) => (opened === undefined ? Effect.void : wait(() => opened.close()))
      )
      if (handle === undefined) return yield* new BlobNotFound({ key })
      // From here on the opened file is used, even if its path is replaced.
      const options = { fd: handle, start: first, autoClose: false, ...(last === undefined ? {} : { end: last }) }
      if (last !== undefined && last < first) return Stream.empty
      return Stream.orDie(
        Stream.fromAsyncIterable<Uint8Array, unknown>(createReadStream("", options), (error) => error)
      )
    })
  )

async function* listed(root: string, area: BlobArea): AsyncGenerator<ListedBlob> {
  const top = join(root, area)
  for (const one of await namesIn(top)) {
    for (const two of await namesIn(join(top, one))) {
      for (const name of await namesIn(join(top, one, two))) {
        const key = `${area}/${name}`
        const facts = await ifThere(stat(join(top, one, two, name)))
        if (facts === undefined || !isKey(key)) continue
        yield { key, size: facts.size, writtenAt: facts.mtime.toISOString() }
      }
    }
  }
}

/**
 * Stores blobs as files in a directory, which several processes may share.
 *
 * Each upload writes a temporary file in the directory, flushes it to the disk, and renames it to its final name.
 * Leftovers of interrupted uploads are removed after a day.
 */
export const layerDirectory = (directory: string): Layer.Layer<BlobStore> =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const root = resolve(directory)
      const temporary = join(root, "incoming")
      const pathOf = (key: BlobKey) => {
        const [area = "", name = ""] = key.split("/")
        return join(root, area, shardOf(key), name)
      }
      yield* wait(() => make(temporary))
      yield* sweep(temporary)
      const hourly = Effect.andThen(Effect.sleep(sweepInterval), sweep(temporary))
      // A full or unreadable disk is reported by the requests that need it.
      yield* Effect.forkScoped(Effect.forever(Effect.ignoreCause(hourly)))
      const put: BlobStore["Service"]["put"] = (key, bytes, terms) => {
        const path = join(temporary, randomUUID())
        return Effect.acquireUseRelease(
          wait(() => open(path, "wx", 0o600)),
          (handle) =>
            Effect.gen(function* () {
              const hash = createHash("sha256")
              let size = 0
              yield* Stream.runForEach(limitBytes(terms)(bytes), (chunk) => {
                hash.update(chunk)
                size += chunk.length
                return wait(() => writeAll(handle, chunk))
              })
              const facts = yield* asExpected({ size, sha256: hash.digest("hex") }, terms)
              yield* wait(async () => {
                await handle.sync()
                const target = pathOf(key)
                await make(dirname(target))
                await rename(path, target)
                await sync(dirname(target))
              })
              return facts
            }),
          (handle) =>
            wait(async () => {
              try {
                await handle.close()
              } finally {
                await rm(path, { force: true })
              }
            })
        )
      }
      return {
        put,
        putWithDigests: puttingWithDigests(put),
        read: (key, range = { first: 0 }) => chunksOf(key, pathOf(key), range),
        size: (key) =>
          Effect.map(
            wait(() => ifThere(stat(pathOf(key)))),
            (facts) => facts?.size
          ),
        remove: (key) => wait(() => rm(pathOf(key), { force: true })),
        list: (area) => Stream.orDie(Stream.fromAsyncIterable(listed(root, area), (error) => error))
      }
    })
  )
