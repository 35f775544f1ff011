import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ReleaseUuid } from "../../base/ids/ReleaseUuid.ts"
import type { ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { Release, ServingRelease, ServingState } from "./Release.ts"

/**
 * Stores releases, and which of them serves each application.
 *
 * Must:
 * - keep the first release of a deployment, and no second one
 * - list only the releases of the given application, newest first
 * - return the release that serves an application, and nothing after it stops serving
 * - list only the serving releases of the given server
 * - return which of the given deployments have a stored release
 * - return the serving releases of several applications in one call
 * - keep the reason why a serving release could not be restored, until it is restored or replaced
 * - keep why a serving release is unhealthy, until it is healthy or replaced
 * - delete the oldest releases of an application, except for the serving one
 * - delete failed releases before successful ones, and keep those that a deployment will run again
 * - remove the releases of a removed application
 */
export class ReleaseStore extends Context.Service<
  ReleaseStore,
  {
    /**
     * Stores a release, or keeps the existing release of its deployment. Returns the stored release; undefined if the
     * application does not exist.
     */
    readonly insert: (release: Release) => Effect.Effect<Release | undefined>
    readonly find: (release: ReleaseUuid) => Effect.Effect<Release | undefined>
    readonly ofDeployment: (deployment: DeploymentUuid) => Effect.Effect<Release | undefined>
    /** Returns those of the given deployments that have a stored release. */
    readonly keptOf: (deployments: ReadonlyArray<DeploymentUuid>) => Effect.Effect<ReadonlySet<DeploymentUuid>>
    readonly ofApplication: (application: ApplicationUuid, most: number) => Effect.Effect<ReadonlyArray<Release>>
    readonly serving: (application: ApplicationUuid) => Effect.Effect<ServingState | undefined>
    /** Lists the serving releases of a server, in the order of their applications. */
    readonly servingOn: (server: ServerUuid) => Effect.Effect<ReadonlyArray<ServingState>>
    readonly servingOf: (applications: ReadonlyArray<ApplicationUuid>) => Effect.Effect<ReadonlyArray<ServingState>>
    /**
     * Deletes an application's releases, except those in use and the newest `keptReleases` of successful deployments.
     */
    readonly prune: (application: ApplicationUuid, keptReleases: number) => Effect.Effect<void>
    /** Sets the release that serves an application; null if no release serves. */
    readonly serve: (application: ApplicationUuid, serving: ServingRelease | null) => Effect.Effect<void>
    /** Stores why the containers of a serving deployment could not be restored; null if they were restored. */
    readonly degrade: (
      serving: Pick<ServingRelease, "applicationUuid" | "deploymentUuid">,
      because: string | null
    ) => Effect.Effect<void>
    /** Stores why the containers of a serving deployment are unhealthy; null means that they are healthy. */
    readonly setUnhealthy: (
      serving: Pick<ServingRelease, "applicationUuid" | "deploymentUuid">,
      because: string | null
    ) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/ReleaseStore") {}
