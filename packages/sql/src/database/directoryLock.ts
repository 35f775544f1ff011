import { accessSync, constants } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Effect, type Scope } from "effect"
import { DatabaseLocked, DatabaseUnusable } from "./errors.ts"
import { makeFolder } from "./makeFolder.ts"

const SQLITE_BUSY = 5
const SQLITE_CANTOPEN = 14

const code = (cause: unknown, key: "code" | "errcode"): unknown =>
  typeof cause === "object" && cause !== null && key in cause ? (cause as Record<string, unknown>)[key] : undefined

/**
 * Creates a directory if needed, and locks it for this process until the scope closes.
 *
 * The lock is an exclusive transaction on an empty SQLite file named `lock`. SQLite uses a file lock of the operating
 * system, which is released when the process exits for any reason, so a killed process leaves no stale lock.
 */
export const lockDirectory = (directory: string): Effect.Effect<void, DatabaseLocked | DatabaseUnusable, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          makeFolder(directory)
          // SQLite reports every reason only as unable to open its file.
          accessSync(directory, constants.W_OK | constants.X_OK)
          const lock = new DatabaseSync(join(directory, "lock"), { timeout: 0 })
          try {
            lock.exec("BEGIN EXCLUSIVE")
          } catch (cause) {
            lock.close()
            throw cause
          }
          return lock
        },
        catch: (cause) =>
          code(cause, "errcode") === SQLITE_BUSY
            ? new DatabaseLocked({ directory })
            : new DatabaseUnusable({ directory, problem: problemOf(cause), cause })
      }),
      (lock) => Effect.sync(() => lock.close())
    )
  )

/** Returns a readable message for a file system error. */
export const problemOf = (cause: unknown): string => {
  if (code(cause, "errcode") === SQLITE_CANTOPEN) return "files cannot be created in it"
  switch (code(cause, "code")) {
    case "EACCES":
    case "EPERM":
      return "this user has no write permission"
    case "EEXIST":
    case "ENOTDIR":
      return "it is a file, or inside of one"
    case "ENOSPC":
      return "the disk is full"
    case "EROFS":
      return "the disk is read-only"
    default:
      return cause instanceof Error ? cause.message : "its files cannot be opened"
  }
}
