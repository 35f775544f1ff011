import { Effect } from "effect"
import type { DatabaseAddress } from "./DatabaseAddress.ts"

/**
 * Returns the metric for the maximum number of connections of a process. Compare it with the number of waiting
 * statements. For an embedded database, it is 1.
 */
export const connectionGauge = (address: DatabaseAddress, connections: number) => ({
  database_connections_limit: {
    description: "Maximum number of connections to the database",
    read: Effect.succeed(address._tag === "Server" ? connections : 1)
  }
})
