import { Context, type Effect } from "effect"
import type { ServerUuid } from "../servers/Server.ts"
import type { Cleanup } from "./Cleanup.ts"

/**
 * Keeps what became of the cleanups of servers.
 *
 * Must:
 * - list the cleanups of one server alone, newest first
 * - list the newest cleanup of each server that has one
 * - replace what became of a cleanup
 * - keep the newest cleanups of a server
 * - forget the cleanups of a server that is removed
 */
export class CleanupStore extends Context.Service<
  CleanupStore,
  {
    readonly ofServer: (server: ServerUuid) => Effect.Effect<ReadonlyArray<Cleanup>>
    readonly newest: Effect.Effect<ReadonlyArray<Cleanup>>
    /** Adds a cleanup, and deletes those beyond the limit; does nothing when its server is gone. */
    readonly insert: (cleanup: Cleanup) => Effect.Effect<void>
    readonly replace: (cleanup: Cleanup) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/CleanupStore") {}
