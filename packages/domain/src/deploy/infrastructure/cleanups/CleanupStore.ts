import { Context, type Effect } from "effect"
import type { ServerUuid } from "../servers/Server.ts"
import type { Cleanup } from "./Cleanup.ts"

/**
 * Stores the cleanups of servers and their results.
 *
 * Must:
 * - list only the cleanups of the given server, newest first
 * - list the newest cleanup of each server with cleanups
 * - replace the result of a cleanup
 * - keep the newest cleanups of a server
 * - remove the cleanups of a removed server
 */
export class CleanupStore extends Context.Service<
  CleanupStore,
  {
    readonly ofServer: (server: ServerUuid) => Effect.Effect<ReadonlyArray<Cleanup>>
    readonly newest: Effect.Effect<ReadonlyArray<Cleanup>>
    /** Adds a cleanup, and deletes the oldest above the limit; does nothing if the server does not exist. */
    readonly insert: (cleanup: Cleanup) => Effect.Effect<void>
    readonly replace: (cleanup: Cleanup) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/CleanupStore") {}
