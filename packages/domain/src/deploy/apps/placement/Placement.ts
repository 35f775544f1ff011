import type { TeamId } from "../../identity/teams/Team.ts"
import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { EnvironmentUuid, ProjectUuid } from "../projects/Project.ts"

/** The location of a resource: its environment, its server, and its destination (network) on the server. */
export interface Placement {
  readonly projectUuid: ProjectUuid
  readonly environmentUuid: EnvironmentUuid
  readonly environmentName: string
  /** The team that owns the project. */
  readonly teamId: TeamId
  /** Whether the environment is protected. */
  readonly isProtected: boolean
  readonly serverUuid: ServerUuid
  readonly destinationUuid: DestinationUuid
}
