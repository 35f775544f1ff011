import { Context, type Effect } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { KeyUsers } from "../keys/KeyUsers.ts"
import type { Destination, DestinationUuid, Server, ServerUuid } from "./Server.ts"

/**
 * Stores servers. The destinations (networks) of a server are removed together with the server.
 *
 * Must:
 * - find several existing servers in one call, in the order of insertion
 * - find the oldest build server of the given team, except those with a failed validation
 * - list only the servers with the given address and port, ignoring case
 * - list only the servers with metrics, in the order of insertion
 * - list only the servers with an enabled log drain, in the order of insertion
 * - list and count only the servers with the given private key, in the order of insertion, that a caller sees
 */
export class ServerStore extends Context.Service<
  ServerStore,
  VisibleCollection<Server> &
    KeyUsers<Server> & {
      readonly findMany: (uuids: ReadonlyArray<ServerUuid>) => Effect.Effect<ReadonlyArray<Server>>
      readonly findBuildServer: (team: TeamId) => Effect.Effect<Server | undefined>
      readonly atAddress: (ip: string, port: number) => Effect.Effect<ReadonlyArray<Server>>
      readonly withMetrics: Effect.Effect<ReadonlyArray<Server>>
      readonly withLogDrains: Effect.Effect<ReadonlyArray<Server>>
    }
>()("@slipway/domain/deploy/ServerStore") {}

/**
 * Stores destinations.
 *
 * Must:
 * - list only the destinations of the given server, in the order of insertion
 * - find several existing destinations in one call, in the order of insertion
 */
export class DestinationStore extends Context.Service<
  DestinationStore,
  VisibleCollection<Destination> & {
    readonly findMany: (uuids: ReadonlyArray<DestinationUuid>) => Effect.Effect<ReadonlyArray<Destination>>
    readonly ofServer: (server: ServerUuid) => Effect.Effect<ReadonlyArray<Destination>>
  }
>()("@slipway/domain/deploy/DestinationStore") {}
