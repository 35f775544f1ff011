import { Context, type Effect } from "effect"
import type { Collection } from "../../Collection.ts"
import type { Window } from "../../Page.ts"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { Deployment } from "./Deployment.ts"

/**
 * Keeps deployments.
 *
 * Must:
 * - list the deployments of one application alone, newest first
 * - cancel what is queued for an application, and nothing else
 */
export class DeploymentStore extends Context.Service<
  DeploymentStore,
  Collection<Deployment> & {
    readonly ofApplication: (application: ApplicationUuid, window: Window) => Effect.Effect<ReadonlyArray<Deployment>>
    readonly cancelQueued: (application: ApplicationUuid, at: string) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/DeploymentStore") {}
