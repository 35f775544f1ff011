import { Context, type Effect } from "effect"
import type { LogDrainType } from "../servers/LogDrain.ts"
import type { ServerUuid } from "../servers/Server.ts"

/** The newest sent line of a container. */
export interface DrainPosition {
  readonly container: string
  /** When the line was written, in ISO 8601 with nanoseconds. */
  readonly at: string
  /** The number of sent lines with this time; missing in older rows, where all of them were sent. */
  readonly count?: number
}

/** How far the log lines of a server were sent to a receiver. */
export interface DrainProgress {
  readonly type: LogDrainType
  /** Later lines of a container without a position are new. */
  readonly since: string
  readonly positions: ReadonlyArray<DrainPosition>
}

/** The claim of a process on sending the logs of a server. */
export interface DrainClaim {
  readonly worker: string
  readonly at: string
  readonly until: string
}

/**
 * Stores how far logs of servers were sent.
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
    /** Stores progress; does nothing if the server does not exist. */
    readonly save: (server: ServerUuid, progress: DrainProgress) => Effect.Effect<void>
    /** Claims or renews; returns false while another process has the claim. */
    readonly claim: (server: ServerUuid, claim: DrainClaim) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/LogDrainStore") {}
