import { Effect } from "effect"
import type { DatabaseAddress } from "./DatabaseAddress.ts"

/** How many connections a process may have to its database, to be shown beside what waits for one; an embedded one has one. */
export const connectionGauge = (address: DatabaseAddress, connections: number) => ({
  database_connections_limit: {
    description: "How many connections to the database may be open",
    read: Effect.succeed(address._tag === "Server" ? connections : 1)
  }
})
