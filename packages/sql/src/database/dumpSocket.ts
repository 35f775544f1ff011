import { once } from "node:events"
import { chmodSync, rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { Data, Effect, Fiber, FiberSet, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { dump } from "./dump.ts"

/** A dump of a database failed or was incomplete. */
export class DumpFailed extends Data.TaggedError("DumpFailed")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** The maximum length of the path of a socket, in bytes. */
const longestPath = 103

const silence = 30_000

const socketIn = (directory: string): string => join(directory, "dump.sock")

const send = (socket: Socket) => (lines: string) =>
  Effect.tryPromise({
    try: async () => {
      if (socket.destroyed) throw new Error("the reader disconnected")
      if (!socket.write(lines)) await Promise.race([once(socket, "drain"), once(socket, "close")])
    },
    catch: (cause) => new DumpFailed({ message: "a dump could not be sent", cause })
  })

/**
 * Serves dumps of an embedded database at a socket in its directory. Only the user who runs the process can connect.
 *
 * Only the process that runs an embedded database can read it, so backups request the dump from that process.
 */
export const serveDumps = (directory: string): Effect.Effect<void, never, Scope.Scope | SqlClient> =>
  Effect.gen(function* () {
    const path = socketIn(directory)
    if (Buffer.byteLength(path) > longestPath) {
      return yield* Effect.logWarning(`the path ${path} is too long for a socket: back up while the service is stopped`)
    }
    const run = yield* FiberSet.makeRuntime<SqlClient>()
    yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((socket) => {
          // A client that connects and reads nothing would block the one connection.
          socket.setTimeout(silence, () => socket.destroy())
          socket.on("error", () => socket.destroy())
          const fiber = run(
            dump(send(socket)).pipe(
              Effect.andThen(Effect.sync(() => socket.end())),
              Effect.onError(() => Effect.sync(() => socket.destroy())),
              Effect.catchCause((cause) => Effect.logWarning("a dump of the database ended early", cause))
            )
          )
          socket.once("close", () => Effect.runFork(Fiber.interrupt(fiber)))
        })
        server.once("error", () => resume(Effect.succeed(server)))
        rmSync(path, { force: true })
        server.listen(path, () => {
          chmodSync(path, 0o600)
          resume(Effect.succeed(server))
        })
      }),
      (server) => Effect.sync(() => server.close())
    )
  })

/** Reads a dump of the embedded database of a directory from the process that runs the database. */
export const readDump = <E, R>(
  directory: string,
  write: (lines: string) => Effect.Effect<void, E, R>
): Effect.Effect<void, DumpFailed | E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => connect(socketIn(directory))),
    (socket) =>
      Effect.gen(function* () {
        const failed = (cause: unknown) =>
          new DumpFailed({
            message: `the process that runs ${directory} returned no dump: ${(cause as Error).message}`,
            cause
          })
        const chunks = socket.setEncoding("utf8")[Symbol.asyncIterator]() as AsyncIterator<string>
        let tail = ""
        while (true) {
          const { done, value } = yield* Effect.tryPromise({ try: () => chunks.next(), catch: failed })
          if (done === true) break
          tail = (tail + value).slice(-65_536)
          yield* write(value)
        }
        // The last line has the number of rows: without it the process exited, or the database failed.
        if (!/\n\{"rows":[^\n]+\n$/.test(tail)) return yield* failed(new Error("it ended early"))
      }),
    (socket) => Effect.sync(() => socket.destroy())
  )
