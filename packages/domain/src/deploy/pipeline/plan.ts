import { Result } from "effect"
import type { Problems } from "../../Problems.ts"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { DeploymentUuid } from "../deployments/Deployment.ts"
import type { ContainerSpec, Pairs } from "../engine/ContainerSpec.ts"
import { containerSpecOf } from "../engine/containerSpecOf.ts"
import type { HostAccess } from "../engine/options.ts"
import { wordsOf } from "../engine/words.ts"
import { type HealthCheck, healthCheckOf } from "../proxy/HealthCheck.ts"
import type { Release } from "../releases/Release.ts"

/** A program that runs in a container around a switch. */
export interface PlannedCommand {
  readonly argv: ReadonlyArray<string>
}

/** Everything that a deployment does with a release, before any of it is done. */
export interface Plan {
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
  /** The network that containers of the destination share. */
  readonly network: string
  readonly container: ContainerSpec
  /** The port that the container serves at. */
  readonly port: number
  readonly check: HealthCheck | null
  /** The seconds that a container without a health check must run before it counts as healthy. */
  readonly startPeriod: number
  /** Runs in the containers that serve before the new ones start, and in the new ones after the switch. */
  readonly before: PlannedCommand | null
  readonly after: PlannedCommand | null
  /** The seconds that the containers before have to end. */
  readonly grace: number
  /** Whether the ports of the server that it takes keep it from running beside the containers before. */
  readonly takesPorts: boolean
}

/** What a plan is made from. */
export interface Planned {
  readonly deployment: DeploymentUuid
  readonly release: Release
  readonly network: string
  readonly variables: Pairs
  readonly allowed: HostAccess
}

const usualGrace = 10
const usualPort = 80

const commandOf = (line: string | null): Result.Result<PlannedCommand | null, string> =>
  Result.map(wordsOf(line ?? ""), (argv) => (argv.length === 0 ? null : { argv }))

/** Returns what a deployment does with a release; fails with what is wrong with its configuration. */
export const planOf = ({
  allowed,
  deployment,
  network,
  release,
  variables
}: Planned): Result.Result<Plan, Problems> => {
  const { configuration } = release
  const container = containerSpecOf({
    owner: { application: release.applicationUuid, deployment, service: null },
    configuration,
    image: release.imageId,
    variables,
    networks: [{ network, aliases: [] }],
    allowed
  })
  if (Result.isFailure(container)) return Result.fail(container.failure)
  const before = commandOf(configuration.pre_deployment_command)
  if (Result.isFailure(before)) return Result.fail({ pre_deployment_command: [`${before.failure}.`] })
  const after = commandOf(configuration.post_deployment_command)
  if (Result.isFailure(after)) return Result.fail({ post_deployment_command: [`${after.failure}.`] })
  const [exposed = ""] = (configuration.ports_exposes ?? "").split(",")
  return Result.succeed({
    application: release.applicationUuid,
    deployment,
    network,
    container: container.success,
    port: exposed.trim() === "" ? (release.imagePort ?? usualPort) : Number(exposed),
    check: healthCheckOf(configuration),
    startPeriod: configuration.health_check_start_period,
    before: before.success,
    after: after.success,
    grace: container.success.options.stopTimeout ?? usualGrace,
    takesPorts: container.success.ports.length > 0
  })
}
