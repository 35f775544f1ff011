import { Context, type Effect } from "effect"
import type { LogDrainType } from "../servers/LogDrain.ts"
import type { ServerUuid } from "../servers/Server.ts"

/** The position of the newest log line of a container that was sent to a log receiver. */
export interface DrainPosition {
  readonly container: string
  /** The time of the line, in ISO 8601 with nanoseconds. */
  readonly at: string
  /** The number of lines with this time that were sent; absent in old rows, where all such lines were sent. */
  readonly count?: number
}

/** The progress of sending the log lines of a server to one receiver: the position in each container's log. */
export interface DrainProgress {
  readonly type: LogDrainType
  /** The start time: for a container without a position, lines after this time are sent. */
  readonly since: string
  readonly positions: ReadonlyArray<DrainPosition>
}

/** The lease of one process to send the logs of a server. */
export interface DrainClaim {
  readonly worker: string
  readonly at: string
  readonly until: string
}

/**
 * Stores the positions up to which the logs of servers were sent to receivers.
 *
 * Must:
 * - replace the progress of a receiver
 * - let only one process send the logs of a server, until its claim expires
 * - remove the progress of a removed server
 */
export class LogDrainStore extends Context.Service<
  LogDrainStore,
  {
    readonly ofServer: (server: ServerUuid) => Effect.Effect<ReadonlyArray<DrainProgress>>
    /** Stores the progress for one log receiver of a server; does nothing if the server does not exist. */
    readonly save: (server: ServerUuid, progress: DrainProgress) => Effect.Effect<void>
    /** Acquires or renews the lease to send a server's logs; false while another process has the lease. */
    readonly claim: (server: ServerUuid, claim: DrainClaim) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/LogDrainStore") {}
