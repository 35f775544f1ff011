import type { EnvironmentUuid, ProjectUuid } from "../projects/Project.ts"
import type { DestinationUuid, ServerUuid } from "../servers/Server.ts"

/** Where a resource belongs and where it runs. */
export interface Placement {
  readonly projectUuid: ProjectUuid
  readonly environmentUuid: EnvironmentUuid
  readonly environmentName: string
  readonly serverUuid: ServerUuid
  readonly destinationUuid: DestinationUuid
}
