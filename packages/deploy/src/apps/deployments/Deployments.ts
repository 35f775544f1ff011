import {
  InvalidInput,
  type Listing,
  now,
  type PageRequest,
  pageOf,
  streamOf,
  Transaction,
  type Window
} from "@slipway/domain"
import {
  type Application,
  awaitsApproval,
  type Deployment,
  DeploymentNotFound,
  type DeploymentSelection,
  DeploymentStore,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import { mostInAnswer } from "@slipway/domain/deploy/containers"
import { type Authorized, authorize, type Caller, visibleTo } from "@slipway/domain/deploy/entry"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { Effect, Stream } from "effect"
import { listUseCase } from "../../base/reading/listUseCases.ts"
import type { SignedDelivery } from "../deliveries/SignedDelivery.ts"
import { linksOf } from "../forge-links/link.ts"
import { lockPreview, removeUnapproved } from "../removal/previewRemoval.ts"
import { stopCopies } from "./copies.ts"
import {
  add,
  asItIs,
  findRoom,
  needsNoApproval,
  notLinked,
  pullRequestsOf,
  queue,
  type Request,
  type Where
} from "./queue.ts"

/**
 * Queues a deployment of an application's current configuration. With `force`, the image is built without cache. The
 * approval of a deployment that waits for one sets the tag of the image. Fails if the caller may not deploy, or if the
 * queue is full.
 */
export const again = Effect.fnUntraced(function* (
  caller: Caller,
  application: Application,
  force: boolean,
  imageTag?: string
) {
  yield* authorize(caller, "application.deploy.request", { application })
  return yield* queue(caller, application, { ...asItIs(force), ...(imageTag === undefined ? {} : { imageTag }) })
})

/** Queues a deployment of an application; fails if the caller may not deploy, or if the queue is full. */
export const request = (caller: Caller, application: Application) => again(caller, application, false)

/**
 * Queues a deployment of a pushed commit that a signed webhook delivery reports. The deployment has the permissions of
 * the application's owner.
 */
export const queuePushed = (
  _: SignedDelivery,
  owner: Caller,
  application: Application,
  { commit, message, pusher }: Pick<Deployment, "commit" | "pusher"> & { readonly message: string | null }
) =>
  queue(owner, application, {
    ...asItIs(false),
    commit,
    pusher,
    ...(message === null ? {} : { commitMessage: message }),
    trigger: "webhook"
  })

/** Finds the server that runs an application now. After a move, it is the old server until the next deployment. */
const findServing = Effect.fnUntraced(function* (application: Application) {
  const serving = yield* (yield* ReleaseStore).serving(application.uuid)
  const server = serving === undefined ? undefined : yield* (yield* ServerStore).find(serving.serverUuid)
  const { placement } = application
  if (serving === undefined || server === undefined) return { serving: undefined, where: placement }
  // On the application's own server, the placement has the right network.
  const where = serving.serverUuid === placement.serverUuid ? placement : serving
  return { serving, where }
})

/** The authorization proof for deploying an application, or for requesting a deployment that waits for an approval. */
type MayDeploy = Authorized<
  | "application.deploy"
  | "application.deploy.request"
  | "service.deploy"
  | "service.deploy.request"
  | "service.part.deploy"
  | "service.part.deploy.request"
>

/**
 * Queues a deployment of an application's current configuration. A deployment of a service that needs an approval
 * starts the parts `startsParts` after it.
 */
export const deploy = (
  { resource: { application, caller } }: MayDeploy,
  force: boolean,
  startsParts: Request["startsParts"] = []
) => queue(caller, application, { ...asItIs(force), startsParts })

/**
 * Queues deployments of several applications, or requests that wait for an approval. If the queue of one server is
 * full, queues none of them.
 */
export const deployAll = Effect.fnUntraced(function* (
  proofs: ReadonlyArray<Authorized<"application.deploy.request">>,
  force: boolean
) {
  const mayDeploy = ({ resource: { application, caller } }: Authorized<"application.deploy.request">) =>
    needsNoApproval(caller, application)
  // Applications are locked before servers, both in one order, to avoid deadlocks.
  const waiting = proofs
    .filter((proof) => !mayDeploy(proof))
    .toSorted((one, other) => (one.resource.application.uuid < other.resource.application.uuid ? -1 : 1))
  const applications = proofs.filter(mayDeploy).map(({ resource }) => resource.application)
  const byServer = Map.groupBy(applications, ({ placement }) => placement.serverUuid)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const requested = new Map<string, Deployment>()
      for (const { resource } of waiting) {
        const { application, caller } = resource
        requested.set(application.uuid, yield* queue(caller, application, asItIs(force)))
      }
      const names = new Map<ServerUuid, string>()
      for (const [uuid, placed] of [...byServer].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
        const distinct = new Set(placed.map((application) => application.uuid))
        names.set(uuid, (yield* findRoom(uuid, [...distinct]))?.name ?? "")
      }
      const pullRequestOf = yield* pullRequestsOf(applications.map(({ uuid }) => uuid))
      const linkFor = yield* linksOf(applications)
      return yield* Effect.forEach(proofs, ({ resource: { application, caller } }) => {
        const known = requested.get(application.uuid)
        if (known !== undefined) return Effect.succeed(known)
        return add(
          application,
          linkFor,
          pullRequestOf(application.uuid),
          names.get(application.placement.serverUuid) ?? "",
          asItIs(force),
          application.placement,
          { requestedBy: caller.accountUuid }
        )
      })
    })
  )
})

/**
 * Queues a restart of the serving release (the release that receives requests) with new containers. If no release
 * serves, queues a deployment.
 *
 * If a deployment or rollback already waits in the queue, it stays there instead, since it starts new containers
 * anyway.
 */
export const restart = Effect.fnUntraced(function* ({ resource: { application, caller } }: MayDeploy) {
  const { serving, where } = yield* findServing(application)
  const [newest] = yield* (yield* DeploymentStore).ofApplication(application.uuid, { limit: 1 })
  const isQueued = newest?.status === "queued" && !awaitsApproval(newest)
  const isWaiting = isQueued && (newest.action === "deploy" || newest.action === "rollback")
  if (isWaiting) return newest
  return yield* queue(
    caller,
    application,
    serving === undefined ? asItIs(false) : { action: "restart", releaseUuid: serving.releaseUuid, force: false },
    where
  )
})

/**
 * Queues a stop of an application's containers at all of its destinations, even if the queue is full. Its routes stay as
 * error pages.
 */
export const stop = Effect.fnUntraced(function* ({
  resource: { application, caller }
}: Authorized<"application.deploy" | "service.deploy" | "service.part.deploy">) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const { where } = yield* findServing(application)
      const server = yield* (yield* ServerStore).find(where.serverUuid)
      const pullRequestOf = yield* pullRequestsOf([application.uuid])
      const name = server?.name ?? ""
      yield* stopCopies(application.uuid, caller.accountUuid)
      return yield* add(
        application,
        notLinked,
        pullRequestOf(application.uuid),
        name,
        { action: "stop", releaseUuid: null, force: false },
        where,
        { requestedBy: caller.accountUuid }
      )
    })
  )
})

/**
 * Queues a deployment of a given commit, for example to rebuild a release if its image is missing. A deployment that
 * follows from another one passes on who pushed the commit and who requested it.
 */
export const deployCommit = (
  { resource }: Authorized<"application.deploy" | "application.deploy.request">,
  commit: string,
  where: Where,
  origin: Pick<Request, "pusher" | "requestedBy"> = {}
) => queue(resource.caller, resource.application, { ...asItIs(false), ...origin, commit }, where)

const mostReleases = 100
const mostDeployments = 1_000

/** Lists the newest 100 releases of an application, including whether each of them served and which one serves now. */
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

/** Queues a rollback to an earlier release, which the request identifies by its deployment, image or commit. */
export const rollback = Effect.fnUntraced(function* (
  { resource: { application, caller } }: Authorized<"application.deploy" | "application.deploy.request">,
  wanted: string
) {
  const rows = yield* (yield* ReleaseStore).ofApplication(application.uuid, mostReleases)
  const release = rows.find((row) =>
    [row.deploymentUuid, row.uuid, row.imageId].some((name: string) => name === wanted)
  )
  const byCommit = release ?? (wanted === "HEAD" ? undefined : rows.find((row) => row.commit === wanted))
  if (byCommit === undefined) {
    return yield* new InvalidInput({ problems: { commit: ["Must name a release of this application."] } })
  }
  return yield* queue(caller, application, { action: "rollback", releaseUuid: byCommit.uuid, force: false })
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

/** Adds to each queued deployment the reason why it waits in the queue. */
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

/** Maximum number of log lines in the response for a deployment. */
export const linesShown = 1_000

/** Reads the last log lines of deployments, which share one limit of response size (invariant I25). */
export const tails = Effect.fnUntraced(function* (
  _: Authorized<"application.deployment.list" | "deployment.read">,
  deployments: ReadonlyArray<Deployment>
) {
  return yield* (yield* DeploymentLogStore).tails(
    deployments.map(({ uuid }) => uuid),
    { lines: linesShown, characters: Math.floor(mostInAnswer.characters / Math.max(1, deployments.length)) }
  )
})

/**
 * Cancels a deployment. Finished deployments are unchanged; one that already switches containers continues. If the
 * deployment waits for an approval, removes a preview that was never deployed.
 */
export const cancel = Effect.fnUntraced(function* ({ resource }: Authorized<"deployment.cancel">) {
  const { uuid } = resource.deployment
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* DeploymentStore
      const isUnapproved = awaitsApproval(resource.deployment)
      if (isUnapproved) yield* lockPreview(resource.deployment)
      yield* store.requestCancel(uuid, yield* now)
      const deployment = yield* store.find(uuid)
      if (deployment === undefined) return yield* new DeploymentNotFound()
      if (isUnapproved && deployment.status === "cancelled") yield* removeUnapproved(deployment)
      return deployment
    })
  )
})

/** Reads log lines of a deployment that follow a given line, at most `limit`. */
export const log = Effect.fnUntraced(function* (
  { resource }: Authorized<"deployment.read">,
  after: number,
  limit: number
) {
  return yield* (yield* DeploymentLogStore).page(resource.deployment.uuid, after, limit)
})

const all = listUseCase("deployment", DeploymentStore)

/** Returns the deployments of a selection that the caller may read, newest first. */
const selected = Effect.fnUntraced(function* (
  { resource: { caller } }: Authorized<"deployment.list">,
  selection: DeploymentSelection
) {
  const store = yield* DeploymentStore
  const visible = visibleTo(caller, "deployment.read")
  return {
    count: store.countSelected(selection, visible),
    list: (window: Window) => store.selected(selection, visible, window)
  } satisfies Listing<Deployment>
})

/** Reads one page of deployments in the order of their requests; with a selection, of its deployments, newest first. */
export const list = (proof: Authorized<"deployment.list">, page: PageRequest, selection?: DeploymentSelection) =>
  selection === undefined
    ? all.list(proof, page)
    : Effect.flatMap(selected(proof, selection), (listing) => pageOf(listing, page))

/** Reads all deployments like `list`. */
export const stream = (proof: Authorized<"deployment.list">, selection?: DeploymentSelection) =>
  selection === undefined
    ? all.stream(proof)
    : Stream.unwrap(Effect.map(selected(proof, selection), (listing) => streamOf(listing.list)))
