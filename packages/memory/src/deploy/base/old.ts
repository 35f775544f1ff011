import type { OldRows } from "@slipway/domain/deploy/apps"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import type { Snapshot } from "../../Database.ts"
import type { Row, Table } from "../../Table.ts"
import type { Tables } from "./tables.ts"

/**
 * Lists the rows that ended before the time `before`. `endOf` returns the end time of a row, or null if the row has not
 * ended.
 */
export const oldRows = <R extends Row>(
  table: Table<R>,
  snapshot: Snapshot,
  { after, before, limit }: OldRows,
  endOf: (row: R) => string | null
): ReadonlyArray<R> =>
  table
    .list(snapshot, { after, limit: Number.POSITIVE_INFINITY })
    .filter((row) => {
      const end = endOf(row)
      return end !== null && end < before
    })
    .slice(0, limit)

/**
 * Returns whether a server was cleaned up successfully after a time. Also returns true if the server no longer exists.
 */
export const cleanedSince = (
  { cleanupsOfServer, server }: Tables["Service"],
  snapshot: Snapshot,
  uuid: ServerUuid,
  since: string
): boolean =>
  !server.has(snapshot, uuid) ||
  cleanupsOfServer.list(snapshot, uuid).some(({ createdAt, status }) => status === "success" && createdAt > since)
