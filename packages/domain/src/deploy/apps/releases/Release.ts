import type { Sealed } from "../../../Vault.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ReleaseUuid } from "../../base/ids/ReleaseUuid.ts"
import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { Configuration, Secrets } from "../applications/Application.ts"
import type { SealedVariable } from "../variables/Variable.ts"

/** An immutable snapshot of an application at a deployment: its image, configuration and variables. */
export interface Release {
  readonly uuid: ReleaseUuid
  readonly applicationUuid: ApplicationUuid
  /** The deployment that created the release. */
  readonly deploymentUuid: DeploymentUuid
  readonly commit: string
  /** The first line of the commit message; null if the release has no repository. */
  readonly commitMessage: string | null
  readonly imageId: string
  /** The port that the image exposes; null if it exposes none. */
  readonly imagePort: number | null
  readonly configuration: Configuration
  readonly generatedDomain: string | null
  /** The secrets of the application, which can be decrypted only for this application. */
  readonly secrets: Secrets
  /** The evaluated compose files with the image of each service, encrypted; null if there are no compose files. */
  readonly compose: Sealed | null
  /** The variables. Each value is encrypted and can be decrypted only for its variable. */
  readonly variables: ReadonlyArray<SealedVariable>
  readonly createdAt: string
}

/** The release of an application that currently serves requests, with its deployment and its server. */
export interface ServingRelease {
  readonly applicationUuid: ApplicationUuid
  readonly releaseUuid: ReleaseUuid
  readonly deploymentUuid: DeploymentUuid
  /** The server where the release runs. After a move, it is the old server until the next deployment. */
  readonly serverUuid: ServerUuid
  readonly destinationUuid: DestinationUuid
}

/** A serving release, with the known problems of its containers. */
export interface ServingState extends ServingRelease {
  /** Why its containers could not be restored; null while no such problem is known. */
  readonly degraded: string | null
  /** Which containers run with a failing health check, and its output; null while no such problem is known. */
  readonly unhealthy: string | null
}
