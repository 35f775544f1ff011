import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { EnvironmentUuid, ProjectUuid } from "../projects/Project.ts"

/** The environment, server and destination of a resource. */
export interface Placement {
  readonly projectUuid: ProjectUuid
  readonly environmentUuid: EnvironmentUuid
  readonly environmentName: string
  readonly serverUuid: ServerUuid
  readonly destinationUuid: DestinationUuid
}
