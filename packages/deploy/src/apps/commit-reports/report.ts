import { millisecondsOf, now, timeIn } from "@slipway/domain"
import type { Application, Deployment, ForgeLink, PendingReport } from "@slipway/domain/deploy/apps"
import {
  ApplicationStore,
  addressesOf,
  ConnectedForges,
  commitStateOf,
  DeploymentStore,
  describeReport,
  hasEnded,
  isReportable,
  PendingReportStore
} from "@slipway/domain/deploy/apps"
import { type ConnectedForge, ForgeAppStore, isConnected } from "@slipway/domain/deploy/infrastructure"
import { Clock, Effect } from "effect"
import { calling } from "../../infrastructure/forge-apps/ForgeConnections.ts"

/** Queues the reports of a deployment to the forge of its repository. */
export const queueReport = Effect.fnUntraced(function* ({ action, createdAt, uuid }: Deployment, forgeLink: ForgeLink) {
  // A stop builds nothing, and a restart runs what was reported before.
  if (action !== "deploy" && action !== "rollback") return
  const report: PendingReport = { uuid, forgeLink, reported: null, attempts: 0, dueAt: createdAt, createdAt }
  yield* (yield* PendingReportStore).insert(report)
})

/** The delay of the first retry and the longest one, in seconds. */
const [firstDelay, longestDelay] = [1, 600]

/** Reports are given up a day after their deployment was queued. */
const mostAge = 24 * 60 * 60 * 1_000

/** While the forge rejects the token of a connection, its reports wait this many seconds and are not sent. */
const rejectedDelay = 60

/** The lease of a report, in deployment leases; it is not renewed, because a request ends before. */
export const reportingLeases = 4

/** Returns the context of a status: one for each application, and another for its previews. */
const contextOf = ({ applicationName, pullRequestId }: Deployment): string =>
  `${pullRequestId === 0 ? "deploy" : "preview"}/${applicationName}`

/** Returns the page of a finished deployment, or the deployment itself. */
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

/**
 * Reports the state of a deployment to its forge as the status of the commit; retries with exponential backoff.
 *
 * Sends nothing while the forge rejects the token of the connection, until it is replaced.
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
    return yield* calling(forge, (access) => forges.report(access, taken.forgeLink, sent)).pipe(
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
