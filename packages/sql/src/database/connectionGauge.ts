import { Effect } from "effect"
import type { DatabaseAddress } from "./DatabaseAddress.ts"

/**
 * The connection limit of a process, to be shown next to the number of waiting statements; an embedded database has
 * one.
 */
export const connectionGauge = (address: DatabaseAddress, connections: number) => ({
  database_connections_limit: {
    description: "Maximum number of connections to the database",
    read: Effect.succeed(address._tag === "Server" ? connections : 1)
  }
})
