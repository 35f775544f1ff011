import { existsSync, fsyncSync, readFileSync, statfsSync } from "node:fs"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { NodeFS } from "@electric-sql/pglite/nodefs"
import { Effect, type Scope } from "effect"
import type { Reactivity } from "effect/reactivity/Reactivity"
import type { SqlError } from "effect/sql/SqlError"
import { lockDirectory, problemOf } from "./directoryLock.ts"
import { type DatabaseLocked, DatabaseUnusable } from "./errors.ts"
import { PgliteStream } from "./PgliteStream.ts"
import { readTemplate, unpackTemplate } from "./template.ts"

/** The major version of the embedded PostgreSQL (PGlite), and of its database files. */
export const EMBEDDED_POSTGRES = "18"

/** The part of Emscripten's module that this file uses and that the types of PGlite omit. */
interface WithNodeFs {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: { readonly nfd?: number }) => number } }
}

/**
 * A file system that adds fsync to Emscripten's file system for Node. Without it, a commit would not survive a power
 * failure.
 */
class DurableNodeFS extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(database, options)
    const enableFsync = (module: unknown): void => {
      ;(module as WithNodeFs).NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd)
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), enableFsync] } }
  }
}

const setting = (name: string, value: string): ReadonlyArray<string> => ["-c", `${name}=${value}`]

// The default settings are for a dedicated server: their 128 MB of buffers would double the process, and the operating
// system caches the same files anyway. There are no connections to keep slots for.
const small = [
  ...setting("shared_buffers", "16MB"),
  ...setting("max_connections", "4"),
  ...setting("min_wal_size", "4MB"),
  ...setting("max_wal_size", "32MB")
]

const startParams = (schema: string, durable: boolean): Array<string> => [
  ...PGlite.defaultStartParams.filter((parameter) => !(durable && parameter === "-F")),
  ...small,
  ...setting("search_path", `"${schema}"`),
  ...(durable ? setting("wal_sync_method", "fsync") : [])
]

const openFiles = (directory: string, options: PGliteOptions): Effect.Effect<PGlite, DatabaseUnusable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create(options),
      catch: (cause) => new DatabaseUnusable({ directory, problem: problemOf(cause), cause })
    }),
    (database) => Effect.promise(() => database.close())
  )

const prepareFiles = (directory: string, data: string): Effect.Effect<void, DatabaseUnusable> =>
  Effect.flatMap(
    Effect.try({
      try: () => {
        if (!existsSync(data)) unpackTemplate(data)
        return readFileSync(join(data, "PG_VERSION"), "utf8").trim()
      },
      catch: (cause) => new DatabaseUnusable({ directory, problem: problemOf(cause), cause })
    }),
    (version) =>
      version === EMBEDDED_POSTGRES
        ? Effect.void
        : Effect.fail(
            new DatabaseUnusable({
              directory,
              problem: `its files have the format of PostgreSQL ${version}; this version needs PostgreSQL ${EMBEDDED_POSTGRES}`
            })
          )
  )

/** The free disk space in bytes that a write needs: the log of one transaction, with a margin. */
const enoughRoom = 8 * 1024 * 1024

const hasRoomIn = (directory: string) => () => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize >= enoughRoom
}

const connect = (
  database: PGlite,
  hasRoom?: () => boolean
): Effect.Effect<PgClient.PgClient, SqlError, Scope.Scope | Reactivity> =>
  PgClient.make({
    stream: () => new PgliteStream(database, hasRoom),
    ssl: false,
    host: "embedded",
    username: "postgres",
    database: "postgres",
    minConnections: 1,
    maxConnections: 1,
    multiplex: true
  })

/** Opens the embedded PostgreSQL of a directory, which is created on first use and locked for this process. */
export const openEmbedded = (
  directory: string,
  schema: string
): Effect.Effect<PgClient.PgClient, DatabaseLocked | DatabaseUnusable | SqlError, Scope.Scope | Reactivity> =>
  Effect.gen(function* () {
    yield* lockDirectory(directory)
    const data = join(directory, "postgres")
    yield* prepareFiles(directory, data)
    const database = yield* openFiles(directory, {
      fs: new DurableNodeFS(data),
      startParams: startParams(schema, true)
    })
    return yield* connect(database, hasRoomIn(data))
  })

/** Opens an empty embedded PostgreSQL in memory. It is closed with the scope. */
export const openInMemory = (
  schema: string
): Effect.Effect<PgClient.PgClient, DatabaseUnusable | SqlError, Scope.Scope | Reactivity> =>
  Effect.flatMap(
    openFiles("memory", {
      loadDataDir: new Blob([new Uint8Array(readTemplate())]),
      startParams: startParams(schema, false)
    }),
    connect
  )
