import type { Sealed } from "../../../Vault.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ReleaseUuid } from "../../base/ids/ReleaseUuid.ts"
import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { Configuration, Secrets } from "../applications/Application.ts"
import type { SealedVariable } from "../variables/Variable.ts"

/** An immutable snapshot of an application at one deployment: image, configuration and variables. */
export interface Release {
  readonly uuid: ReleaseUuid
  readonly applicationUuid: ApplicationUuid
  /** The deployment that created it. */
  readonly deploymentUuid: DeploymentUuid
  readonly commit: string
  /** The first line of the commit message; null without a repository. */
  readonly commitMessage: string | null
  readonly imageId: string
  /** The exposed port of the image; null if there is none. */
  readonly imagePort: number | null
  readonly configuration: Configuration
  readonly generatedDomain: string | null
  /** The application's secrets, encrypted for the application. */
  readonly secrets: Secrets
  /**
   * The evaluated compose files, with the image of each service, encrypted for the release; null without compose files.
   */
  readonly compose: Sealed | null
  /** The variables, each value encrypted for its variable. */
  readonly variables: ReadonlyArray<SealedVariable>
  readonly createdAt: string
}

/** The serving release of an application, its deployment, and its location. */
export interface ServingRelease {
  readonly applicationUuid: ApplicationUuid
  readonly releaseUuid: ReleaseUuid
  readonly deploymentUuid: DeploymentUuid
  /** A moved application serves at the old placement until the next deployment. */
  readonly serverUuid: ServerUuid
  readonly destinationUuid: DestinationUuid
}

/** A serving release, with the reason why its containers could not be restored; null while no problem is known. */
export interface ServingState extends ServingRelease {
  readonly degraded: string | null
}
