import type { Application, Deployment, Release, SealedVariable, ServingRelease } from "@slipway/domain/deploy/apps"
import { DeploymentStore, plainFields, ReleaseStore, secretFields } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { ContainerDetails } from "@slipway/domain/deploy/containers"
import type { Authorized } from "@slipway/domain/deploy/entry"
import type { Server } from "@slipway/domain/deploy/infrastructure"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Equal } from "effect"
import { inTime, openEngine, publicEngineFailureReason } from "../../infrastructure/servers/validate.ts"
import { deployedVariables } from "../deployed-variables/variables.ts"

/**
 * The run state of an application: `running` if all containers of its current release run, `degraded` if some run,
 * `stopped` if none runs, and `unknown` if its server does not respond.
 */
export type RunState = "running" | "degraded" | "stopped" | "unknown"

/**
 * The desired state of an application, its serving release (the release that receives requests) and the state of its
 * containers. These three can differ.
 */
export interface ApplicationStatus {
  readonly state: RunState
  /** The reason why the server does not respond; null if it responds. */
  readonly unreachable: string | null
  /** The reason why the application is degraded, if known; null in every other state. */
  readonly reason: string | null
  readonly application: Application
  readonly serving: { readonly release: Release; readonly serving: ServingRelease } | null
  /** The fields that the next deployment would change, plus `variables` if they changed; empty if no release serves. */
  readonly changed: ReadonlyArray<string>
  readonly latest: Deployment | null
  readonly containers: ReadonlyArray<ContainerDetails>
}

type Compared = Pick<Release, "configuration" | "secrets" | "generatedDomain">

type ComparedVariable = Pick<SealedVariable, "isBuildtime" | "isRuntime" | "key" | "value">

/** The fields that do not affect deployments, so their changes are ignored. */
const irrelevant: ReadonlyArray<string> = ["name", "description", "instant_deploy", "force_domain_override"]

/**
 * Returns the names of the fields that differ from the serving release (the release that receives requests), plus
 * `variables` if variables differ.
 */
export const changedSince = (
  serving: Compared & Pick<Release, "variables">,
  present: Compared,
  variables: ReadonlyArray<ComparedVariable>
): ReadonlyArray<string> => {
  const plain = plainFields.filter(
    (name) => !irrelevant.includes(name) && !Equal.equals(serving.configuration[name], present.configuration[name])
  )
  const secret = secretFields.filter(
    // Webhook secrets are read from the application, not from a release.
    (name) => name === "http_basic_auth_password" && serving.secrets[name] !== present.secrets[name]
  )
  // A value that is not set again keeps its sealed form.
  const textOf = (all: ReadonlyArray<ComparedVariable>) =>
    all
      .map(({ isBuildtime = true, isRuntime = true, key, value }) => `${key} ${value} ${isBuildtime} ${isRuntime}`)
      .toSorted()
      .join("\n")
  const isSame = textOf(serving.variables) === textOf(variables)
  const domain = serving.generatedDomain === present.generatedDomain ? [] : ["generated_domain"]
  return [...plain, ...secret, ...domain, ...(isSame ? [] : ["variables"])]
}

const works = ({ exitCode, health, state }: ContainerDetails): boolean =>
  (state === "running" && health !== "unhealthy") || (state === "exited" && exitCode === 0)

/** Returns the run state of an application from the containers of its serving release. */
export const runStateOf = (containers: ReadonlyArray<ContainerDetails>): RunState =>
  containers.length > 0 && containers.every(works) && containers.some(({ state }) => state === "running")
    ? "running"
    : "degraded"

/** Returns whether all containers run or completed their work, and some have a failing health check. */
export const isOnlyUnhealthy = (containers: ReadonlyArray<ContainerDetails>): boolean =>
  containers.some(({ health }) => health === "unhealthy") &&
  containers.every((each) => works({ ...each, health: null }))

/** Returns which containers of the serving release do not work, and the reasons, as one text. */
export const whyDegraded = (containers: ReadonlyArray<ContainerDetails>): string =>
  containers.length === 0
    ? "its containers are gone"
    : containers
        .filter((each) => !works(each))
        .map(({ exitCode, healthOutput, name, outOfMemory, state }) => {
          if (outOfMemory) return `${name} ran out of memory`
          if (state === "running") return `${name} is unhealthy${healthOutput === null ? "" : `: ${healthOutput}`}`
          return exitCode === null ? `${name} is ${state}` : `${name} exited with ${exitCode}`
        })
        .join("; ")

/** Returns the details of all containers of an application on a server. */
export const inspectAll = Effect.fnUntraced(function* (server: Server, application: ApplicationUuid) {
  const engine = yield* openEngine(server)
  const found: Array<ContainerDetails> = []
  for (const { name } of yield* engine.list({ application })) {
    // A container that was just removed is omitted.
    const none = () => Effect.succeed(null)
    const details = yield* Effect.catchTag(engine.inspect({ application, name }), "ContainerNotFound", none)
    if (details !== null) found.push(details)
  }
  return found as ReadonlyArray<ContainerDetails>
}, Effect.scoped)

const containersOf = Effect.fnUntraced(function* (
  { placement, uuid }: Application,
  served: ServingRelease | undefined
) {
  const server = yield* (yield* ServerStore).find(served?.serverUuid ?? placement.serverUuid)
  const none: ReadonlyArray<ContainerDetails> = []
  if (server === undefined) return { containers: none, unreachable: "the server was deleted" }
  return yield* inTime(server)(inspectAll(server, uuid)).pipe(
    Effect.map((containers) => ({ containers, unreachable: null })),
    Effect.catch((error) => Effect.succeed({ containers: none, unreachable: publicEngineFailureReason(error) }))
  )
})

/**
 * Returns the containers that determine the run state of a service: those that users did not exclude, or all containers
 * if every one is excluded.
 */
const counted = (
  serves: ReadonlyArray<ContainerDetails>,
  resource: Authorized<"application.read" | "service.read">["resource"]
): ReadonlyArray<ContainerDetails> => {
  if (!("service" in resource)) return serves
  const excluded = new Set(resource.service.parts.flatMap((part) => (part.isExcludedFromStatus ? [part.name] : [])))
  const left = serves.filter(({ owner }) => !excluded.has(owner.service ?? ""))
  return left.length === 0 ? serves : left
}

/** Reads the desired state of an application, the release that receives requests, and the state of its containers. */
export const read = Effect.fnUntraced(function* ({ resource }: Authorized<"application.read" | "service.read">) {
  const { application } = resource
  const releases = yield* ReleaseStore
  const served = yield* releases.serving(application.uuid)
  const release = served === undefined ? undefined : yield* releases.find(served.releaseUuid)
  const serving = served === undefined || release === undefined ? null : { release, serving: served }
  const variables = yield* deployedVariables(application.uuid)
  const [latest = null] = yield* (yield* DeploymentStore).ofApplication(application.uuid, { limit: 1 })
  const { containers, unreachable } = yield* containersOf(application, served)
  const serves = counted(
    containers.filter(({ owner }) => owner.deployment === serving?.serving.deploymentUuid),
    resource
  )
  const state: RunState = serving === null ? "stopped" : unreachable === null ? runStateOf(serves) : "unknown"
  const status: ApplicationStatus = {
    state,
    unreachable,
    reason: state === "degraded" ? (served?.degraded ?? whyDegraded(serves)) : null,
    application,
    serving,
    changed: serving === null ? [] : changedSince(serving.release, application, variables),
    latest,
    containers
  }
  return status
})
