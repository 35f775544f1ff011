import { millisecondsOf, now, timeIn } from "@slipway/domain"
import type {
  Application,
  Deployment,
  ForgeAccess,
  ForgeComment,
  ForgeDeployment,
  ForgeLink,
  PendingReport
} from "@slipway/domain/deploy/apps"
import {
  ApplicationStore,
  addressesOf,
  ConnectedForges,
  commitStateOf,
  DeploymentStore,
  describeReport,
  hasEnded,
  isReportable,
  PendingReportStore,
  previewComment
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { type ConnectedForge, ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { Clock, Effect } from "effect"
import { callForge } from "../../infrastructure/forge-apps/ForgeConnections.ts"

/** Queues reports of a deployment (commit status, deployment list, comment) to the forge of its repository. */
export const queueReport = Effect.fnUntraced(function* ({ action, createdAt, uuid }: Deployment, forgeLink: ForgeLink) {
  // A stop builds nothing, and a restart runs what was reported before.
  if (action !== "deploy" && action !== "rollback") return
  const report: PendingReport = { uuid, forgeLink, reported: null, attempts: 0, dueAt: createdAt, createdAt }
  yield* (yield* PendingReportStore).insert(report)
})

/** Queues the report of a removed preview, within the transaction that removes the preview. */
export const queueRemovalReport = Effect.fnUntraced(function* (preview: ApplicationUuid, forgeLink: ForgeLink) {
  const [newest] = yield* (yield* DeploymentStore).ofApplication(preview, { limit: 1 })
  if (newest === undefined) return
  const at = yield* now
  const report: PendingReport = {
    uuid: newest.uuid,
    forgeLink,
    reported: null,
    attempts: 0,
    dueAt: at,
    createdAt: at
  }
  yield* (yield* PendingReportStore).insert(report)
})

/** The delay before the first retry of a report, and the longest delay between retries, in seconds. */
const [firstDelay, longestDelay] = [1, 600]

/** Maximum age of a report in milliseconds; it is dropped a day after its deployment was queued. */
const mostAge = 24 * 60 * 60 * 1_000

/** The delay in seconds before a report is tried again while the forge rejects the token of the connection. */
const rejectedDelay = 60

/** The lease of a report, in deployment leases. It is never renewed: requests to the forge time out earlier. */
export const reportingLeases = 4

/** Returns the context of a commit status, which is different for each application and for its previews. */
const contextOf = ({ applicationName, pullRequestId }: Deployment): string =>
  `${pullRequestId === 0 ? "deploy" : "preview"}/${applicationName}`

/** Returns the URL to show for a deployment: the deployed application if finished, else the deployment's page. */
const linkTo = (
  { connection }: ConnectedForge,
  deployment: Deployment,
  application: Application | undefined
): string => {
  const page = application === undefined ? undefined : addressesOf(application)[0]?.written
  return deployment.status === "finished" && page !== undefined
    ? page
    : `${connection.platformUrl}/api/v1/deployments/${deployment.uuid}`
}

const isBuilding = ({ action }: Deployment): boolean => action === "deploy" || action === "rollback"

/** Returns the pull request comment about the newest deployment of a preview; undefined for a regular application. */
const commentOn = Effect.fnUntraced(function* (
  forge: ConnectedForge,
  deployment: Deployment,
  application: Application | undefined
) {
  if (deployment.pullRequestId === 0) return undefined
  const [newest = deployment] = yield* (yield* DeploymentStore).ofApplication(deployment.applicationUuid, { limit: 1 })
  const text = previewComment({
    deployment: newest,
    page: application === undefined ? undefined : addressesOf(application)[0]?.written,
    log: `${forge.connection.platformUrl}/api/v1/deployments/${newest.uuid}`,
    isRemoved: application === undefined
  })
  const author = forge.connection.account
  return { pullRequest: deployment.pullRequestId, author, marker: contextOf(deployment), text } satisfies ForgeComment
})

const states = { pending: "in_progress", success: "success", failure: "failure" } as const

/** Returns the entry for the repository's deployment list. The entry of a removed preview is inactive. */
const entryOf = (
  forge: ConnectedForge,
  deployment: Deployment,
  application: Application | undefined
): ForgeDeployment => {
  const isPreview = deployment.pullRequestId > 0
  const environment = application?.placement.environmentName
  const page = application === undefined ? undefined : addressesOf(application)[0]?.written
  return {
    commit: deployment.commit,
    task: `deploy:${deployment.uuid}`,
    environment:
      environment === undefined ? null : isPreview ? `${environment}/pr-${deployment.pullRequestId}` : environment,
    isTransient: isPreview,
    state: application === undefined && isPreview ? "inactive" : states[commitStateOf(deployment.status)],
    description: describeReport(deployment),
    log: `${forge.connection.platformUrl}/api/v1/deployments/${deployment.uuid}`,
    page: deployment.status === "finished" ? (page ?? "") : ""
  }
}

/**
 * Reports the state of a deployment to its forge: as the commit status and in the repository's list of deployments, and
 * for a preview also as one comment on its pull request. Retries with exponential backoff.
 *
 * Sends nothing while the forge rejects the token of the connection, until the token is replaced.
 */
export const report = Effect.fnUntraced(
  function* (worker: string, taken: PendingReport) {
    const store = yield* PendingReportStore
    const later = (seconds: number, facts: Partial<PendingReport> = {}) =>
      Effect.flatMap(timeIn({ seconds }), (dueAt) => store.save({ ...taken, ...facts, dueAt }, worker))
    const drop = store.remove(taken.uuid, worker)
    const deployment = yield* (yield* DeploymentStore).find(taken.uuid)
    const forge = yield* (yield* ForgeAppStore).find(taken.forgeLink.forgeAppUuid)
    if (deployment === undefined || !isReportable(deployment.commit)) return yield* drop
    if (forge === undefined || !isConnected(forge)) return yield* drop
    if ((yield* Clock.currentTimeMillis) - millisecondsOf(taken.createdAt) > mostAge) return yield* drop
    if (forge.connection.rejection !== null) return yield* later(rejectedDelay)
    const application = yield* (yield* ApplicationStore).find(deployment.applicationUuid)
    const forges = yield* ConnectedForges
    const state = commitStateOf(deployment.status)
    const sent = {
      commit: deployment.commit,
      state,
      context: contextOf(deployment),
      description: describeReport(deployment),
      link: linkTo(forge, deployment, application)
    }
    const comment = yield* commentOn(forge, deployment, application)
    const sending = Effect.fnUntraced(function* (access: ForgeAccess) {
      if (isBuilding(deployment)) {
        yield* forges.report(access, taken.forgeLink, sent)
        // The worker creates the entry of a regular deployment when it asks the forge for approval.
        const isAsked = deployment.action === "deploy" && deployment.pullRequestId === 0
        if (!isAsked || hasEnded(deployment.status)) {
          yield* forges.deployment(access, taken.forgeLink, entryOf(forge, deployment, application))
        }
      }
      if (comment === undefined || (yield* forges.comment(access, taken.forgeLink, comment))) return
      yield* Effect.logWarning(`the token of ${forge.name} may not comment: it needs the scope write:issue`)
    })
    return yield* callForge(forge, sending).pipe(
      Effect.matchEffect({
        onSuccess: () =>
          hasEnded(deployment.status)
            ? drop
            : Effect.flatMap(now, (dueAt) => store.save({ ...taken, reported: state, attempts: 0, dueAt }, worker)),
        onFailure: (error) =>
          error._tag === "HostedRepositoryNotFound"
            ? drop
            : later(Math.min(firstDelay * 2 ** taken.attempts, longestDelay), { attempts: taken.attempts + 1 })
      })
    )
  },
  Effect.asVoid,
  Effect.catchDefect((defect) => Effect.logError("a report failed unexpectedly", defect))
)
