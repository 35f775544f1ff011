import type { Problems } from "@slipway/domain"
import { now, storable } from "@slipway/domain"
import type { Application, Deployment, DeploymentStore, Preview, ServingRelease } from "@slipway/domain/deploy/apps"
import { ApplicationStore, originalOf, previewAs } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { ServerProxy } from "@slipway/domain/deploy/containers"
import { ContainerEngine, type Engine } from "@slipway/domain/deploy/containers"
import type { Destination, DestinationUuid, Server, ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { DestinationStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { Data, Effect } from "effect"
import { openProxy } from "../../containers/proxy/openProxy.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"

/** The error for a deployment that failed permanently, with the reason. A retry cannot succeed. */
export class DeploymentFailed extends Data.TaggedError("DeploymentFailed")<{ readonly because: string }> {}

/** Fails a deployment. The reason is shown in its log and in its field `reason`. */
export const fail = (because: string) => Effect.fail(new DeploymentFailed({ because }))

/** Joins the messages of all problems in one line. */
export const sentences = (problems: Problems) =>
  Object.entries(problems)
    .flatMap(([field, each]) => each.map((sentence) => `${field}: ${sentence}`))
    .join(" ")

/** Returns the reason of a failed operation as a message. */
export const failureReasonOf = (error: { readonly _tag: string }): string => {
  const { address, because, name, reference } = error as unknown as Readonly<Record<string, string | undefined>>
  return because ?? `${error._tag} ${name ?? reference ?? address ?? ""}`.trim()
}

/** Returns whether a failure is temporary: a server or its proxy does not respond. */
export const isPassing = (error: { readonly _tag: string }): boolean =>
  error._tag === "EngineUnreachable" || error._tag === "ProxyUnreachable"

/** The server that an application is deployed to, with its engine and proxy. */
export interface DeployTarget {
  readonly application: Application
  readonly server: Server
  readonly network: string
  readonly engine: Engine
  readonly proxy: ServerProxy
}

/** Tracks what a deployment waits for. It is logged and shown as the reason of the deployment while the wait lasts. */
export interface Waiting {
  /** Reports what the deployment waits for, if it changed. */
  readonly on: (what: string) => Effect.Effect<void, never, DeploymentLogStore | DeploymentStore>
  /** Marks the current wait as finished. */
  readonly over: () => void
  /** The reason why the deployment waits, as a phrase that can end a sentence; empty if it does not wait. */
  readonly shown: () => string
}

/** Tracks what a deployment waits for, and stores the data that is known before the build. */
export interface DeployWaiting extends Waiting {
  /** Stores the commit that is built, so that its status can be reported during the build and after a failure. */
  readonly found: (commit: string, message: string) => Effect.Effect<void, never, DeploymentStore>
}

/** The data for the steps of a deployment: the deployment, its application, and the server with engine and proxy. */
export interface DeployContext extends DeployTarget {
  readonly deployment: Deployment
  /** The preview that this deployment belongs to; null for a regular application. */
  readonly preview: Preview | null
  /** The application that the deployed application is a copy of; null for an application that is no copy. */
  readonly original: ApplicationUuid | null
  readonly waiting: DeployWaiting
}

/** Adds lines to the log of a deployment. */
export const logLines = Effect.fnUntraced(function* (
  { uuid }: Deployment,
  texts: ReadonlyArray<string>,
  stream: "stdout" | "stderr" = "stdout"
) {
  const at = yield* now
  yield* (yield* DeploymentLogStore).append(
    uuid,
    // PostgreSQL stores no NUL, and the output may contain any byte.
    texts.map((text) => ({ at, stream, text: storable(text.slice(0, 16_384)) }))
  )
})

/** Connects to the engine and the proxy of the server to which an application is deployed. */
const openTarget = Effect.fnUntraced(function* (
  applicationUuid: ApplicationUuid,
  serverUuid: ServerUuid,
  destination: Pick<Destination, "network"> | undefined
) {
  const application = yield* (yield* ApplicationStore).find(applicationUuid)
  if (application === undefined) return yield* fail("the application was deleted")
  const server = yield* (yield* ServerStore).find(serverUuid)
  if (server === undefined || destination === undefined) return yield* fail("the server was deleted")
  const access = yield* accessTo(server)
  const engine = yield* (yield* ContainerEngine).open(access)
  const proxy = yield* openProxy(server, access)
  return { application, server, network: destination.network, engine, proxy } satisfies DeployTarget
})

const findDestination = (uuid: DestinationUuid) => Effect.flatMap(DestinationStore, (store) => store.find(uuid))

/** Connects to the engine and the proxy of the server on which an application currently serves. */
export const openServing = Effect.fnUntraced(function* ({
  applicationUuid,
  destinationUuid,
  serverUuid
}: ServingRelease) {
  // Containers get other addresses if their network is deleted.
  const destination = (yield* findDestination(destinationUuid)) ?? { network: "" }
  return yield* openTarget(applicationUuid, serverUuid, destination)
})

/** Connects to the server of a deployment, and returns the context for its steps. */
export const openDeployContext = Effect.fnUntraced(function* (deployment: Deployment, waiting: DeployWaiting) {
  const { applicationUuid, destinationUuid, serverUuid } = deployment
  const target = yield* openTarget(applicationUuid, serverUuid, yield* findDestination(destinationUuid))
  const preview = (yield* previewAs(applicationUuid)) ?? null
  const original = (yield* originalOf(applicationUuid)) ?? null
  return { ...target, deployment, preview, original, waiting } satisfies DeployContext
})
