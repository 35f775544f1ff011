import { Effect } from "effect"
import { makeUuid } from "../../Ids.ts"
import { InvalidInput } from "../../Problems.ts"
import { now } from "../../Time.ts"
import { type Authorized, authorize, type Caller } from "../access/authorize.ts"
import { reading } from "../access/reading.ts"
import type { Application, ApplicationUuid } from "../applications/Application.ts"
import { ApplicationNotFound } from "../applications/ApplicationError.ts"
import { ApplicationStore } from "../applications/ApplicationStore.ts"
import { DeploymentLogStore } from "../logs/DeploymentLogStore.ts"
import type { Placement } from "../placement/Placement.ts"
import type { ReleaseUuid } from "../releases/ids.ts"
import { ReleaseStore } from "../releases/ReleaseStore.ts"
import { ServerStore } from "../servers/ServerStore.ts"
import type { SignedDelivery } from "../webhooks/SignedDelivery.ts"
import { type Deployment, type DeploymentAction, DeploymentNotFound, type DeploymentTrigger } from "./Deployment.ts"
import { DeploymentStore } from "./DeploymentStore.ts"
import { DeploymentUuid } from "./ids.ts"

interface Request {
  readonly action: DeploymentAction
  readonly releaseUuid: ReleaseUuid | null
  readonly force: boolean
  /** The commit that it deploys; the one of the application's configuration when it is left out. */
  readonly commit?: string
  /** Its message, where whoever asks knows it. */
  readonly commitMessage?: string
  readonly trigger?: DeploymentTrigger
}

/** Where a deployment works. */
type Where = Pick<Placement, "destinationUuid" | "serverUuid">

const queue = Effect.fnUntraced(function* (
  application: Application,
  serverName: string,
  wanted: Request,
  { destinationUuid, serverUuid }: Where = application.placement
) {
  const { action, commit, commitMessage, force, releaseUuid, trigger } = wanted
  const at = yield* now
  return yield* Effect.orDie(
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
})

/** Records that an application is to be deployed; fails when the caller may not deploy. */
export const request = Effect.fnUntraced(function* (caller: Caller, application: Application, serverName: string) {
  yield* authorize(caller, "application.deploy")
  return yield* queue(application, serverName, { action: "deploy", releaseUuid: null, force: false })
})

/** Queues the deployment of a commit that was pushed, as a signed delivery says. */
export const pushed = (
  _: SignedDelivery,
  application: Application,
  serverName: string,
  { commit, message }: { readonly commit: string; readonly message: string | null }
) =>
  queue(application, serverName, {
    action: "deploy",
    releaseUuid: null,
    force: false,
    commit,
    ...(message === null ? {} : { commitMessage: message }),
    trigger: "webhook"
  })

const find = Effect.fnUntraced(function* (uuid: string) {
  // A text that is no uuid finds nothing, which is all that a caller has to learn.
  const application = yield* (yield* ApplicationStore).find(uuid as ApplicationUuid)
  if (application === undefined) return yield* new ApplicationNotFound()
  const server = yield* (yield* ServerStore).find(application.placement.serverUuid)
  return { application, serverName: server?.name ?? "" }
})

/** Finds where an application serves, which isn't where it is placed between a move and the deployment after it. */
const findServing = Effect.fnUntraced(function* (uuid: string) {
  const { application, serverName } = yield* find(uuid)
  const serving = yield* (yield* ReleaseStore).serving(application.uuid)
  const server = serving === undefined ? undefined : yield* (yield* ServerStore).find(serving.serverUuid)
  const { placement } = application
  if (serving === undefined || server === undefined) {
    return { application, serverName, serving: undefined, where: placement }
  }
  // On its own server, the network is the one that it is to be in.
  const where = serving.serverUuid === placement.serverUuid ? placement : serving
  return { application, serverName: server.name, serving, where }
})

/** Queues a deployment of an application as it is now. */
export const deploy = Effect.fnUntraced(function* (_: Authorized<"application.deploy">, uuid: string, force: boolean) {
  const { application, serverName } = yield* find(uuid)
  return yield* queue(application, serverName, { action: "deploy", releaseUuid: null, force })
})

/**
 * Queues new containers of the release that serves an application, or a deployment when none does.
 *
 * A deployment or rollback that waits starts new containers anyway, and isn't superseded.
 */
export const restart = Effect.fnUntraced(function* (_: Authorized<"application.deploy">, uuid: string) {
  const { application, serverName, serving, where } = yield* findServing(uuid)
  const [newest] = yield* (yield* DeploymentStore).ofApplication(application.uuid, { limit: 1 })
  const isWaiting = newest?.status === "queued" && (newest.action === "deploy" || newest.action === "rollback")
  if (isWaiting) return newest
  return yield* queue(
    application,
    serverName,
    serving === undefined
      ? { action: "deploy", releaseUuid: null, force: false }
      : { action: "restart", releaseUuid: serving.releaseUuid, force: false },
    where
  )
})

/** Queues the end of the containers of an application; its routes stay and say that nothing runs. */
export const stop = Effect.fnUntraced(function* (_: Authorized<"application.deploy">, uuid: string) {
  const { application, serverName, where } = yield* findServing(uuid)
  return yield* queue(application, serverName, { action: "stop", releaseUuid: null, force: false }, where)
})

const mostReleases = 100
const mostDeployments = 1_000

/** Lists the releases of an application, newest first, at most 100, which of them served visitors, and which does now. */
export const releases = Effect.fnUntraced(function* (_: Authorized<"application.read">, uuid: string) {
  const { application } = yield* find(uuid)
  const store = yield* ReleaseStore
  const rows = yield* store.ofApplication(application.uuid, mostReleases)
  const deployments = yield* (yield* DeploymentStore).ofApplication(application.uuid, { limit: mostDeployments })
  const finished = deployments.filter(({ status }) => status === "finished")
  const served = new Set([
    ...finished.map(({ uuid }) => uuid as string),
    ...finished.flatMap(({ releaseUuid }) => releaseUuid ?? [])
  ])
  return {
    rows: rows.map((row) => ({ ...row, hasServed: served.has(row.deploymentUuid) || served.has(row.uuid) })),
    serving: yield* store.serving(application.uuid)
  }
})

/** Queues a release that was there before, named by its deployment, its image or its commit. */
export const rollback = Effect.fnUntraced(function* (
  _: Authorized<"application.deploy">,
  uuid: string,
  wanted: string
) {
  const { application, serverName } = yield* find(uuid)
  const rows = yield* (yield* ReleaseStore).ofApplication(application.uuid, mostReleases)
  const release = rows.find((row) =>
    [row.deploymentUuid, row.uuid, row.imageId].some((name: string) => name === wanted)
  )
  const byCommit = release ?? (wanted === "HEAD" ? undefined : rows.find((row) => row.commit === wanted))
  if (byCommit === undefined) {
    return yield* new InvalidInput({ problems: { commit: ["Must name a release of this application."] } })
  }
  return yield* queue(application, serverName, { action: "rollback", releaseUuid: byCommit.uuid, force: false })
})

/** Counts the deployments of an application. */
export const countOf = Effect.fnUntraced(function* (_: Authorized<"deployment.list">, uuid: string) {
  const { application } = yield* find(uuid)
  return yield* (yield* DeploymentStore).countOf(application.uuid)
})

/** Lists the deployments of an application, newest first. */
export const ofApplication = Effect.fnUntraced(function* (
  _: Authorized<"deployment.list">,
  uuid: string,
  skip: number,
  limit: number
) {
  const { application } = yield* find(uuid)
  return yield* (yield* DeploymentStore).ofApplication(application.uuid, { skip, limit })
})

/** Says of each deployment that is queued whose turn it waits for. */
export const withReasons = Effect.fnUntraced(function* (
  _: Authorized<"deployment.list"> | Authorized<"deployment.read">,
  deployments: ReadonlyArray<Deployment>
) {
  const queued = deployments.filter(({ status }) => status === "queued")
  const servers = [...new Set(queued.map(({ serverUuid }) => serverUuid))]
  const store = yield* DeploymentStore
  // As many as the servers of one application, or of one deployment, that is asked for.
  const active = new Map(
    yield* Effect.forEach(servers, (server) => Effect.map(store.activeOn(server), (rows) => [server, rows] as const))
  )
  return deployments.map((row): Deployment => {
    if (row.status !== "queued" || row.reason !== null) return row
    const here = active.get(row.serverUuid) ?? []
    const same = here.find(({ applicationUuid }) => applicationUuid === row.applicationUuid)
    const [oldest] = here
    if (same !== undefined) return { ...row, reason: `waiting for deployment ${same.uuid} of this application` }
    if (oldest === undefined) return row
    const others = here.length === 1 ? "" : ` and ${here.length - 1} more`
    const ahead = `deployment ${oldest.uuid} of \`${oldest.applicationName}\`${others}`
    return { ...row, reason: `waiting for its turn on \`${row.serverName}\`, which is at ${ahead}` }
  })
})

/** How many lines of its log go with a deployment that is read. */
export const linesShown = 1_000

/** Reads the last lines of the logs of deployments. */
export const tails = Effect.fnUntraced(function* (
  _: Authorized<"deployment.list"> | Authorized<"deployment.read">,
  deployments: ReadonlyArray<Deployment>
) {
  return yield* (yield* DeploymentLogStore).tails(
    deployments.map(({ uuid }) => uuid),
    linesShown
  )
})

/** Cancels a deployment; one that has ended stays what it is, one that switches goes on. */
export const cancel = Effect.fnUntraced(function* (_: Authorized<"deployment.cancel">, uuid: string) {
  const store = yield* DeploymentStore
  yield* store.requestCancel(uuid as DeploymentUuid, yield* now)
  const deployment = yield* store.find(uuid as DeploymentUuid)
  return deployment ?? (yield* new DeploymentNotFound())
})

/** Reads the lines of the log of a deployment that stand after one of them, at most `limit`. */
export const log = Effect.fnUntraced(function* (
  _: Authorized<"deployment.read">,
  deployment: Deployment,
  after: number,
  limit: number
) {
  return yield* (yield* DeploymentLogStore).page(deployment.uuid, after, limit)
})

/** Reads one deployment, a page of them, or all. */
export const { get, list, stream } = reading("deployment", DeploymentStore, () => new DeploymentNotFound())
