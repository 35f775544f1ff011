import { ApplicationStore, ConnectedForges, type Deployment, isReportable } from "@slipway/domain/deploy/apps"
import { VolumeRestoreStore } from "@slipway/domain/deploy/databases"
import { Data, Effect } from "effect"
import { mayStillRequest, noLongerAllowed } from "../../apps/deployments/requester.ts"
import { linkOf } from "../../apps/forge-links/link.ts"
import { callForge } from "../../infrastructure/forge-apps/ForgeConnections.ts"

/** The error for a deployment that waits for the protection rules of its environment at the forge, with the reason. */
export class DeploymentHeld extends Data.TaggedError("DeploymentHeld")<{ readonly because: string }> {}

/** Reports that the forge, or the roles of the requester, do not permit a deployment, and why. */
export class DeploymentRefused extends Data.TaggedError("DeploymentRefused")<{ readonly because: string }> {}

/** The delay in seconds before the forge is polled again for a waiting deployment. */
export const heldSeconds = 5

/**
 * Checks with the forge of an application's repository whether a commit may be deployed to its environment.
 *
 * Fails if the forge does not respond, rejects the token or was disconnected: an outage of the forge must not open a
 * protected environment. A rollback needs no check, because the forge already permitted its commit.
 */
const requireAdmission = Effect.fnUntraced(function* (deployment: Deployment, commit: string) {
  if (deployment.action !== "deploy" || !isReportable(commit)) return
  const application = yield* (yield* ApplicationStore).find(deployment.applicationUuid)
  const linked = application === undefined ? undefined : yield* linkOf(application)
  if (application === undefined || linked === undefined) return
  const { forge, link } = linked
  const { environmentName: environment } = application.placement
  const forges = yield* ConnectedForges
  // A preview has a separate environment, but a revoked token stops it too.
  if (deployment.pullRequestId > 0) {
    const asked = callForge(forge, (access) => forges.account(access))
    return yield* Effect.asVoid(Effect.catchTag(asked, "GitHostFailed", () => Effect.void))
  }
  const { because, state } = yield* callForge(forge, (access) =>
    forges.approval(access, link, {
      commit,
      branch: application.configuration.git_branch ?? "",
      task: `deploy:${deployment.uuid}`,
      environment,
      log: `${forge.connection.platformUrl}/api/v1/deployments/${deployment.uuid}`
    })
  )
  if (state === "waiting") return yield* new DeploymentHeld({ because: `waiting for ${because}` })
  if (state === "rejected") {
    return yield* new DeploymentRefused({ because: `the forge does not permit this deployment: ${because}` })
  }
})

/** Holds a deployment while a volume of its application is restored: the containers must not start meanwhile. */
export const requireNoRestore = Effect.fnUntraced(function* ({ applicationUuid }: Deployment) {
  const restoring = yield* (yield* VolumeRestoreStore).restoring
  if (restoring.has(applicationUuid))
    return yield* new DeploymentHeld({ because: "waiting for the restore of a storage" })
})

/** Fails if the account that an automatic deployment acts as may no longer deploy (invariant I7). */
export const requireRequester = Effect.fnUntraced(function* (deployment: Deployment) {
  if (deployment.trigger !== "webhook" || deployment.requestedBy === null) return
  const application = yield* (yield* ApplicationStore).find(deployment.applicationUuid)
  if (application === undefined || (yield* mayStillRequest(deployment, application))) return
  return yield* new DeploymentRefused({ because: noLongerAllowed })
})

/** Returns a function that checks whether the forge permits a commit, except if it just permitted the same one. */
export const makeAdmission = (deployment: Deployment) => {
  let admitted = ""
  return Effect.fnUntraced(function* (commit: string) {
    if (commit === admitted) return
    yield* requireAdmission(deployment, commit)
    admitted = commit
  })
}

/** A function that fails if the forge does not permit the deployment of a commit. */
export type Admission = ReturnType<typeof makeAdmission>
