import { Redacted, Result } from "effect"
import type { Problems } from "../../Problems.ts"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { ReleasedCompose } from "../compose/ReleasedCompose.ts"
import type { DeploymentUuid } from "../deployments/Deployment.ts"
import type { Network } from "../engine/ContainerEngine.ts"
import type { ContainerSpec, Pairs } from "../engine/ContainerSpec.ts"
import { containerSpecOf } from "../engine/containerSpecOf.ts"
import type { HostAccess } from "../engine/options.ts"
import { wordsOf } from "../engine/words.ts"
import { type HealthCheck, healthCheckOf } from "../proxy/HealthCheck.ts"
import type { Release } from "../releases/Release.ts"
import { composedPlan, takesTurns } from "./composed.ts"
import { exposedPort } from "./source.ts"

/** A program that runs in a container around a switch. */
export interface PlannedCommand {
  readonly argv: ReadonlyArray<string>
  /** The service or the name of the container; empty is the one that serves. */
  readonly container: string
}

/** How far another container has to be before one starts. */
export interface Condition {
  readonly container: string
  readonly state: "started" | "healthy" | "completed"
}

/** One container of a deployment. */
export interface PlannedContainer {
  readonly spec: ContainerSpec
  /** The port that visitors are led to; null when none are. */
  readonly port: number | null
  /** Whether the one before it has to end first: both would have one port of the server, or write to one volume. */
  readonly takesTurns: boolean
  readonly after: ReadonlyArray<Condition>
}

/** Everything that a deployment does with a release, before any of it is done. */
export interface Plan {
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
  /** The networks that have to be there. */
  readonly networks: ReadonlyArray<Network>
  /** The network by which the proxy reaches containers. */
  readonly network: string
  /** In the order in which they start. */
  readonly containers: ReadonlyArray<PlannedContainer>
  /** The name of the container that visitors without a service of their own are led to. */
  readonly main: string
  readonly check: HealthCheck | null
  /** The seconds that containers without a health check must run before they count as healthy. */
  readonly startPeriod: number
  /** Runs in the containers that serve before the new ones start, and in the new ones after the switch. */
  readonly before: PlannedCommand | null
  readonly after: PlannedCommand | null
}

/** What a plan is made from. */
export interface Planned {
  readonly deployment: DeploymentUuid
  readonly release: Release
  readonly network: string
  readonly variables: Pairs
  readonly allowed: HostAccess
  /** What its compose files came to; null without such files. */
  readonly compose: ReleasedCompose | null
}

const usualPort = 80

/** Returns the container that visitors without a service of their own are led to. */
export const mainOf = ({ containers, main }: Plan): PlannedContainer => {
  const found = containers.find(({ spec }) => spec.name === main)
  if (found === undefined) throw new Error("a plan has the container that it is about")
  return found
}

const commandOf = (line: string, container: string): Result.Result<PlannedCommand | null, string> =>
  Result.map(wordsOf(line), (argv) => (argv.length === 0 ? null : { argv, container }))

const packedPort = 3000

/** Programs of build packs are told by `PORT` where to listen. */
const environmentOf = ({ release, variables }: Planned, port: number): Pairs => {
  const { build_pack: pack, is_static: isStatic } = release.configuration
  const isTold = (pack === "packer_a" || pack === "packer_b") && !isStatic
  return isTold && !variables.some(([name]) => name === "PORT")
    ? [...variables, ["PORT", Redacted.make(String(port))]]
    : variables
}

const portOf = ({ configuration, imagePort }: Release): number => {
  const { build_pack: pack, is_static: isStatic, ports_exposes: exposes } = configuration
  const usual = (pack === "packer_a" || pack === "packer_b") && !isStatic ? packedPort : usualPort
  return exposedPort(exposes) ?? imagePort ?? usual
}

const ofOneImage = (planned: Planned): Result.Result<Pick<Plan, "containers" | "main" | "networks">, Problems> => {
  const { allowed, deployment, network, release } = planned
  const port = portOf(release)
  const { configuration } = release
  return Result.map(
    containerSpecOf({
      owner: { application: release.applicationUuid, deployment, service: null },
      configuration,
      image: release.imageId,
      variables: environmentOf(planned, port),
      networks: [{ network, aliases: [] }],
      allowed
    }),
    (spec) => ({
      containers: [
        {
          spec,
          port,
          takesTurns: takesTurns(spec),
          after: []
        }
      ],
      main: spec.name,
      networks: [{ name: network, application: null }]
    })
  )
}

/** Returns what a deployment does with a release; fails with what is wrong with its configuration. */
export const planOf = (planned: Planned): Result.Result<Plan, Problems> => {
  const { compose, deployment, network, release } = planned
  const { configuration } = release
  const containers = compose === null ? ofOneImage(planned) : composedPlan(planned, compose)
  if (Result.isFailure(containers)) return Result.fail(containers.failure)
  const before = commandOf(configuration.pre_deployment_command, configuration.pre_deployment_command_container)
  if (Result.isFailure(before)) return Result.fail({ pre_deployment_command: [`${before.failure}.`] })
  const after = commandOf(configuration.post_deployment_command, configuration.post_deployment_command_container)
  if (Result.isFailure(after)) return Result.fail({ post_deployment_command: [`${after.failure}.`] })
  return Result.succeed({
    application: release.applicationUuid,
    deployment,
    ...containers.success,
    network,
    check: healthCheckOf(configuration),
    startPeriod: configuration.health_check_start_period,
    before: before.success,
    after: after.success
  })
}
