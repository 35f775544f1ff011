import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import type { Application, Placement } from "@slipway/domain/deploy/apps"
import {
  type Deployment,
  type DeploymentAction,
  DeploymentNotFound,
  DeploymentStore,
  type DeploymentTrigger,
  PreviewStore,
  QueueFull,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, ReleaseUuid } from "@slipway/domain/deploy/base"
import { DeploymentUuid } from "@slipway/domain/deploy/base"
import { mostInAnswer } from "@slipway/domain/deploy/containers"
import { type Authorized, authorize, type Caller } from "@slipway/domain/deploy/entry"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore, notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { listUseCase } from "../../base/reading/listUseCases.ts"
import { queueReport } from "../commit-reports/report.ts"
import type { SignedDelivery } from "../deliveries/SignedDelivery.ts"
import { type LinkFor, linksOf } from "../forge-links/link.ts"

interface Request {
  readonly action: DeploymentAction
  readonly releaseUuid: ReleaseUuid | null
  readonly force: boolean
  /** The commit to deploy; defaults to that of the application's configuration. */
  readonly commit?: string
  /** Its message, if the caller knows it. */
  readonly commitMessage?: string
  readonly trigger?: DeploymentTrigger
}

/** A request to deploy an application's current configuration. */
const asItIs = (force: boolean): Request => ({ action: "deploy", releaseUuid: null, force })

/** A stop is not reported to a forge. */
const notLinked: LinkFor = () => undefined

/** The server and destination of a deployment. */
type Where = Pick<Placement, "destinationUuid" | "serverUuid">

/**
 * Checks the deployment queue of a server: fails if it is full; a newer deployment replaces the waiting one of its
 * application.
 *
 * Returns the server, so that it is read once; undefined if it was removed.
 */
const findRoom = Effect.fnUntraced(function* (serverUuid: ServerUuid, applications: ReadonlyArray<ApplicationUuid>) {
  // Of two concurrent requests for the last queue slot, the second waits here and sees the first.
  const server = yield* (yield* ServerStore).lock(serverUuid)
  if (server === undefined) return undefined
  const others = yield* (yield* DeploymentStore).waitingFor(serverUuid, applications)
  if (others + applications.length > server.deploymentQueueLimit) {
    return yield* new QueueFull({ server: server.name, most: server.deploymentQueueLimit })
  }
  return server
})

/** Returns the pull request number of each application; 0 for an application that is not a preview. */
const pullRequestsOf = Effect.fnUntraced(function* (applications: ReadonlyArray<ApplicationUuid>) {
  const previews = yield* (yield* PreviewStore).among(applications)
  const found = new Map(previews.map(({ previewUuid, pullRequestId }) => [previewUuid, pullRequestId]))
  return (uuid: ApplicationUuid) => found.get(uuid) ?? 0
})

const add = Effect.fnUntraced(function* (
  application: Application,
  linkFor: LinkFor,
  pullRequestId: number,
  serverName: string,
  wanted: Request,
  { destinationUuid, serverUuid }: Where = application.placement
) {
  const { action, commit, commitMessage, force, releaseUuid, trigger } = wanted
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
      reason: null,
      imageId: null,
      cancelRequested: false,
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
  yield* notifyWorkers
  return queued
})

/** Queues a deployment if the queue has room. */
const queue = Effect.fnUntraced(function* (
  application: Application,
  wanted: Request,
  where: Where = application.placement
) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const server = yield* findRoom(where.serverUuid, [application.uuid])
      const pullRequestOf = yield* pullRequestsOf([application.uuid])
      const linkFor = yield* linksOf([application])
      return yield* add(application, linkFor, pullRequestOf(application.uuid), server?.name ?? "", wanted, where)
    })
  )
})

/**
 * Queues a deployment of an application's current configuration; fails if the caller may not deploy, or the queue is
 * full.
 */
export const again = Effect.fnUntraced(function* (caller: Caller, application: Application, force: boolean) {
  yield* authorize(caller, "application.deploy", { application })
  return yield* queue(application, asItIs(force))
})

/** Requests a deployment of an application; fails if the caller may not deploy, or the queue is full. */
export const request = (caller: Caller, application: Application) => again(caller, application, false)

/** Queues a deployment of a pushed commit, as a signed delivery reports it. */
export const queuePushed = (
  _: SignedDelivery,
  application: Application,
  { commit, message }: { readonly commit: string; readonly message: string | null }
) =>
  queue(application, {
    ...asItIs(false),
    commit,
    ...(message === null ? {} : { commitMessage: message }),
    trigger: "webhook"
  })

/**
 * Finds the server where an application serves; after a move it differs from the placement until the next deployment.
 */
const findServing = Effect.fnUntraced(function* (application: Application) {
  const serving = yield* (yield* ReleaseStore).serving(application.uuid)
  const server = serving === undefined ? undefined : yield* (yield* ServerStore).find(serving.serverUuid)
  const { placement } = application
  if (serving === undefined || server === undefined) return { serving: undefined, where: placement }
  // On the application's own server, the placement has the right network.
  const where = serving.serverUuid === placement.serverUuid ? placement : serving
  return { serving, where }
})

/** Queues a deployment of an application's current configuration. */
export const deploy = (
  { resource }: Authorized<"application.deploy" | "service.deploy" | "service.part.deploy">,
  force: boolean
) => queue(resource.application, asItIs(force))

/** Queues deployments of several applications: all, or none if one queue is full. */
export const deployAll = Effect.fnUntraced(function* (
  proofs: ReadonlyArray<Authorized<"application.deploy">>,
  force: boolean
) {
  const applications = proofs.map(({ resource }) => resource.application)
  const byServer = Map.groupBy(applications, ({ placement }) => placement.serverUuid)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const names = new Map<ServerUuid, string>()
      // Locked in one order, to avoid deadlocks.
      for (const [uuid, placed] of [...byServer].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
        const distinct = new Set(placed.map((application) => application.uuid))
        names.set(uuid, (yield* findRoom(uuid, [...distinct]))?.name ?? "")
      }
      const pullRequestOf = yield* pullRequestsOf(applications.map(({ uuid }) => uuid))
      const linkFor = yield* linksOf(applications)
      return yield* Effect.forEach(applications, (application) =>
        add(
          application,
          linkFor,
          pullRequestOf(application.uuid),
          names.get(application.placement.serverUuid) ?? "",
          asItIs(force)
        )
      )
    })
  )
})

/**
 * Queues a restart of the serving release with new containers, or a deployment if none serves.
 *
 * A waiting deployment or rollback starts new containers anyway, and is not superseded.
 */
export const restart = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.deploy" | "service.deploy" | "service.part.deploy">) {
  const { application } = resource
  const { serving, where } = yield* findServing(application)
  const [newest] = yield* (yield* DeploymentStore).ofApplication(application.uuid, { limit: 1 })
  const isWaiting = newest?.status === "queued" && (newest.action === "deploy" || newest.action === "rollback")
  if (isWaiting) return newest
  return yield* queue(
    application,
    serving === undefined ? asItIs(false) : { action: "restart", releaseUuid: serving.releaseUuid, force: false },
    where
  )
})

/**
 * Queues a stop of an application's containers, even if the queue is full; its routes stay and answer with an error
 * page.
 */
export const stop = Effect.fnUntraced(function* ({
  resource
}: Authorized<"application.deploy" | "service.deploy" | "service.part.deploy">) {
  const { application } = resource
  const { where } = yield* findServing(application)
  const server = yield* (yield* ServerStore).find(where.serverUuid)
  const pullRequestOf = yield* pullRequestsOf([application.uuid])
  const name = server?.name ?? ""
  return yield* add(
    application,
    notLinked,
    pullRequestOf(application.uuid),
    name,
    { action: "stop", releaseUuid: null, force: false },
    where
  )
})

/** Queues a deployment of a commit, for a release that can no longer be started. */
export const deployCommit = ({ resource }: Authorized<"application.deploy">, commit: string, where: Where) =>
  queue(resource.application, { ...asItIs(false), commit }, where)

const mostReleases = 100
const mostDeployments = 1_000

/** Lists the newest 100 releases of an application, with which of them served and which one serves now. */
export const releases = Effect.fnUntraced(function* ({ resource }: Authorized<"application.read">) {
  const { application } = resource
  const store = yield* ReleaseStore
  const rows = yield* store.ofApplication(application.uuid, mostReleases)
  const deployments = yield* (yield* DeploymentStore).ofApplication(application.uuid, { limit: mostDeployments })
  const finished = deployments.filter(({ status }) => status === "finished")
  const served = new Set([
    ...finished.map(({ uuid }) => uuid as string),
    ...finished.flatMap(({ releaseUuid }) => releaseUuid ?? [])
  ])
  const serving = yield* store.serving(application.uuid)
  // A release receives traffic before its deployment has finished.
  if (serving !== undefined) served.add(serving.releaseUuid)
  return {
    rows: rows.map((row) => ({ ...row, hasServed: served.has(row.deploymentUuid) || served.has(row.uuid) })),
    serving
  }
})

/** Queues a rollback to an earlier release, named by its deployment, its image or its commit. */
export const rollback = Effect.fnUntraced(function* ({ resource }: Authorized<"application.deploy">, wanted: string) {
  const { application } = resource
  const rows = yield* (yield* ReleaseStore).ofApplication(application.uuid, mostReleases)
  const release = rows.find((row) =>
    [row.deploymentUuid, row.uuid, row.imageId].some((name: string) => name === wanted)
  )
  const byCommit = release ?? (wanted === "HEAD" ? undefined : rows.find((row) => row.commit === wanted))
  if (byCommit === undefined) {
    return yield* new InvalidInput({ problems: { commit: ["Must name a release of this application."] } })
  }
  return yield* queue(application, { action: "rollback", releaseUuid: byCommit.uuid, force: false })
})

/** Counts the deployments of an application. */
export const countOf = Effect.fnUntraced(function* ({ resource }: Authorized<"application.deployment.list">) {
  return yield* (yield* DeploymentStore).countOf(resource.application.uuid)
})

/** Lists the deployments of an application, newest first. */
export const ofApplication = Effect.fnUntraced(function* (
  { resource }: Authorized<"application.deployment.list">,
  skip: number,
  limit: number
) {
  return yield* (yield* DeploymentStore).ofApplication(resource.application.uuid, { skip, limit })
})

/** Adds to each queued deployment the reason why it waits. */
export const withReasons = Effect.fnUntraced(function* (
  _: Authorized<"application.deployment.list"> | Authorized<"deployment.list"> | Authorized<"deployment.read">,
  deployments: ReadonlyArray<Deployment>
) {
  const queued = deployments.filter(({ reason, status }) => status === "queued" && reason === null)
  if (queued.length === 0) return deployments
  const servers = [...new Set(queued.map(({ serverUuid }) => serverUuid))]
  const active = Map.groupBy(yield* (yield* DeploymentStore).activeOn(servers), ({ serverUuid }) => serverUuid)
  return deployments.map((row): Deployment => {
    if (row.status !== "queued" || row.reason !== null) return row
    const here = active.get(row.serverUuid) ?? []
    const same = here.find(({ applicationUuid }) => applicationUuid === row.applicationUuid)
    const [oldest] = here
    if (same !== undefined) return { ...row, reason: `waiting for deployment ${same.uuid} of this application` }
    if (oldest === undefined) return row
    const others = here.length === 1 ? "" : ` and ${here.length - 1} more`
    const ahead = `deployment ${oldest.uuid} of \`${oldest.applicationName}\`${others}`
    return { ...row, reason: `waiting in the queue of \`${row.serverName}\` behind ${ahead}` }
  })
})

/** How many log lines the response of a deployment contains. */
export const linesShown = 1_000

/** Reads the last log lines of deployments, which share one response size limit (invariant I25). */
export const tails = Effect.fnUntraced(function* (
  _: Authorized<"application.deployment.list" | "deployment.read">,
  deployments: ReadonlyArray<Deployment>
) {
  return yield* (yield* DeploymentLogStore).tails(
    deployments.map(({ uuid }) => uuid),
    { lines: linesShown, characters: Math.floor(mostInAnswer.characters / Math.max(1, deployments.length)) }
  )
})

/** Cancels a deployment; a finished one is unchanged, and one that switches continues. */
export const cancel = Effect.fnUntraced(function* ({ resource }: Authorized<"deployment.cancel">) {
  const { uuid } = resource.deployment
  const store = yield* DeploymentStore
  yield* store.requestCancel(uuid, yield* now)
  const deployment = yield* store.find(uuid)
  return deployment ?? (yield* new DeploymentNotFound())
})

/** Reads at most `limit` log lines of a deployment after a given line. */
export const log = Effect.fnUntraced(function* (
  { resource }: Authorized<"deployment.read">,
  after: number,
  limit: number
) {
  return yield* (yield* DeploymentLogStore).page(resource.deployment.uuid, after, limit)
})

/** Reads a page of deployments, or all. */
export const { list, stream } = listUseCase("deployment", DeploymentStore)
