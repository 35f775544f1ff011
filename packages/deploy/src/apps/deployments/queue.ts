import { makeUuid, millisecondsOf, now, Transaction, timeOf } from "@slipway/domain"
import {
  type Application,
  ApplicationStore,
  approvalDays,
  awaitsApproval,
  type Deployment,
  type DeploymentAction,
  DeploymentStore,
  type DeploymentTrigger,
  type Placement,
  PreviewStore,
  QueueFull,
  type ServicePart
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, ReleaseUuid } from "@slipway/domain/deploy/base"
import { DeploymentUuid } from "@slipway/domain/deploy/base"
import { type Caller, decideAccess } from "@slipway/domain/deploy/entry"
import { approvalMessage, requireHeld, ServerStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { record } from "../../identity/audit/record.ts"
import { recordNotification } from "../../infrastructure/notifications/record.ts"
import { queueReport } from "../commit-reports/report.ts"
import { type LinkFor, linksOf } from "../forge-links/link.ts"

/** The deployment that a caller requests: its action, its release or commit, and its options. */
export interface Request {
  readonly action: DeploymentAction
  readonly releaseUuid: ReleaseUuid | null
  readonly force: boolean
  /** The commit to deploy; by default the commit in the application's configuration. */
  readonly commit?: string
  /** The first line of the commit message, if the caller knows it. */
  readonly commitMessage?: string
  readonly trigger?: DeploymentTrigger
  /** The user of the forge who pushed the commit. */
  readonly pusher?: Deployment["pusher"] | undefined
  /** The account that requests the deployment, or null for none; by default the account of the caller. */
  readonly requestedBy?: Deployment["requestedBy"] | undefined
  /** The stopped parts of a service that the deployment starts once it is approved. */
  readonly startsParts?: ReadonlyArray<Pick<ServicePart, "name" | "uuid">>
  /** The tag of the image that the approval of the deployment sets for a preview. */
  readonly imageTag?: string
}

/** Returns whether a caller may deploy an application without an approval. */
export const needsNoApproval = (caller: Caller, application: Application): boolean =>
  decideAccess(caller, "application.deploy", { application }).allowed

/** Returns the reason of a deployment that waits for an approval, with the parts that it starts or the tag that it runs. */
const waitingReason = ({ imageTag, startsParts = [] }: Request): string => {
  if (imageTag !== undefined) return `waiting for an approval to run the tag \`${imageTag}\``
  return startsParts.length === 0
    ? "waiting for an approval"
    : `waiting for an approval to start ${startsParts.map(({ name }) => `\`${name}\``).join(", ")}`
}

/** The account that requests a deployment, and the time until which the deployment waits for an approval. */
export interface Requested {
  readonly requestedBy: Deployment["requestedBy"]
  readonly approvalUntil?: Deployment["approvalUntil"]
}

const requesterOf = ({ accountUuid }: Caller, { requestedBy = accountUuid }: Request) => requestedBy

/** Returns a request to deploy an application's current configuration. */
export const asItIs = (force: boolean): Request => ({ action: "deploy", releaseUuid: null, force })

/** Returns no forge link, for stops, because they are not reported to a forge. */
export const notLinked: LinkFor = () => undefined

/** The server and the destination (server network) of a deployment. */
export type Where = Pick<Placement, "destinationUuid" | "serverUuid">

/**
 * Locks the deployment queue of a server, and fails if the queue has no room for deployments of the given applications.
 * A waiting deployment of one of these applications does not count, because the new one replaces it. Also fails for a
 * server that is handed over to another instance.
 *
 * Returns the server, so that callers need not read it again; undefined if it was removed.
 */
export const findRoom = Effect.fnUntraced(function* (
  serverUuid: ServerUuid,
  applications: ReadonlyArray<ApplicationUuid>
) {
  // Of two concurrent requests for the last queue slot, the second waits here and sees the first.
  const server = yield* (yield* ServerStore).lock(serverUuid)
  if (server === undefined) return undefined
  yield* requireHeld(server)
  const others = yield* (yield* DeploymentStore).waitingFor(serverUuid, applications)
  if (others + applications.length > server.deploymentQueueLimit) {
    return yield* new QueueFull({ server: server.name, most: server.deploymentQueueLimit })
  }
  return server
})

/** Returns the pull request number of each application; 0 for an application that is not a preview. */
export const pullRequestsOf = Effect.fnUntraced(function* (applications: ReadonlyArray<ApplicationUuid>) {
  const previews = yield* (yield* PreviewStore).among(applications)
  const found = new Map(previews.map(({ previewUuid, pullRequestId }) => [previewUuid, pullRequestId]))
  return (uuid: ApplicationUuid) => found.get(uuid) ?? 0
})

/** Inserts a queued deployment, and the report of it to the forge. */
export const add = Effect.fnUntraced(function* (
  application: Application,
  linkFor: LinkFor,
  pullRequestId: number,
  serverName: string,
  wanted: Request,
  { destinationUuid, serverUuid }: Where,
  { requestedBy, approvalUntil = null }: Requested
) {
  const {
    action,
    commit,
    commitMessage,
    force,
    imageTag = null,
    pusher = null,
    releaseUuid,
    startsParts = [],
    trigger
  } = wanted
  const at = yield* now
  const queued = yield* Effect.orDie(
    (yield* DeploymentStore).insert({
      action,
      force,
      releaseUuid,
      trigger: trigger ?? "api",
      uuid: yield* makeUuid(DeploymentUuid),
      applicationUuid: application.uuid,
      applicationName: application.configuration.name ?? "",
      serverUuid,
      serverName,
      destinationUuid,
      commit: commit ?? application.configuration.git_commit_sha ?? "",
      commitMessage: commitMessage ?? null,
      pullRequestId,
      status: "queued",
      reason: approvalUntil === null ? null : waitingReason(wanted),
      imageId: null,
      cancelRequested: false,
      requestedBy,
      pusher,
      approvalUntil,
      startsParts: startsParts.map(({ uuid }) => uuid),
      imageTag,
      startedAt: null,
      finishedAt: null,
      claimedBy: null,
      leaseUntil: null,
      createdAt: at,
      updatedAt: at
    })
  )
  const link = linkFor(application)
  if (link !== undefined) yield* queueReport(queued, link)
  if (approvalUntil === null) yield* notifyWorkers
  return queued
})

/**
 * Inserts a deployment that waits for an approval, within the running transaction. It replaces an earlier waiting
 * deployment of the same application.
 */
const addWaiting = Effect.fnUntraced(function* (
  caller: Caller,
  application: Application,
  wanted: Request,
  where: Where
) {
  const store = yield* DeploymentStore
  // Of two concurrent requests, the second waits here and replaces the first.
  yield* (yield* ApplicationStore).lock(application.uuid)
  const at = yield* now
  const found = yield* store.awaitingApproval(application.uuid)
  // Locked, because an approval in another transaction may have queued it since.
  const waiting = found && (yield* store.lock(found.uuid))
  if (waiting !== undefined && awaitsApproval(waiting)) {
    const replaced = { status: "cancelled", reason: "superseded", finishedAt: at, updatedAt: at } as const
    yield* Effect.orDie(store.replace({ ...waiting, ...replaced }))
  }
  const server = yield* (yield* ServerStore).find(where.serverUuid)
  const pullRequestOf = yield* pullRequestsOf([application.uuid])
  const linkFor = yield* linksOf([application])
  const queued = yield* add(application, linkFor, pullRequestOf(application.uuid), server?.name ?? "", wanted, where, {
    requestedBy: requesterOf(caller, wanted),
    approvalUntil: timeOf(millisecondsOf(at) + approvalDays * 86_400_000)
  })
  const { teamId } = application.placement
  const detail = `${wanted.action} of ${queued.applicationName}: deployment ${queued.uuid}`
  yield* record(caller, "done", { teamId, action: "application.deploy.request", object: application.uuid, detail })
  yield* recordNotification(teamId, approvalMessage(queued))
  return queued
})

/**
 * Queues a deployment for a caller if the queue has room. In a protected environment, the deployment waits for an
 * approval if the caller has no role that may deploy there directly.
 */
export const queue = Effect.fnUntraced(function* (
  caller: Caller,
  application: Application,
  wanted: Request,
  where: Where = application.placement
) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      if (!needsNoApproval(caller, application)) {
        return yield* addWaiting(caller, application, wanted, where)
      }
      const server = yield* findRoom(where.serverUuid, [application.uuid])
      const pullRequestOf = yield* pullRequestsOf([application.uuid])
      const linkFor = yield* linksOf([application])
      return yield* add(application, linkFor, pullRequestOf(application.uuid), server?.name ?? "", wanted, where, {
        requestedBy: requesterOf(caller, wanted)
      })
    })
  )
})
