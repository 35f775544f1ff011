import { Effect } from "effect"
import type { DatabaseAddress } from "./DatabaseAddress.ts"

/**
 * Returns the metric for the connection limit of a process, to compare with the number of waiting statements. The limit
 * of an embedded database is 1.
 */
export const connectionGauge = (address: DatabaseAddress, connections: number) => ({
  database_connections_limit: {
    description: "Maximum number of connections to the database",
    read: Effect.succeed(address._tag === "Server" ? connections : 1)
  }
})
