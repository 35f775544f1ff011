import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { EnvironmentUuid, ProjectUuid } from "../projects/Project.ts"

/** Where a resource belongs and where it runs. */
export interface Placement {
  readonly projectUuid: ProjectUuid
  readonly environmentUuid: EnvironmentUuid
  readonly environmentName: string
  readonly serverUuid: ServerUuid
  readonly destinationUuid: DestinationUuid
}
