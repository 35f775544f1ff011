import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { ServerUuid } from "../servers/Server.ts"

/** The uuid of a cleanup. */
export const CleanupUuid = Uuid.pipe(Schema.brand("CleanupUuid"))
export type CleanupUuid = typeof CleanupUuid.Type

/** One removal of unused data, such as old images, on a server; a user or a schedule started it. */
export interface Cleanup {
  readonly uuid: CleanupUuid
  readonly serverUuid: ServerUuid
  readonly status: "queued" | "running" | "success" | "failed"
  /** The result, or the reason of the failure; null while the cleanup runs. */
  readonly message: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly finishedAt: string | null
}

/** The maximum number of stored cleanups of a server. */
export const mostCleanups = 100

/** The default frequency of server cleanups. */
export const usualFrequency = "hourly"
