import { Redacted, Result } from "effect"
import type { Problems } from "../../../Problems.ts"
import { packerOf } from "../../apps/fields/packer.ts"
import type { Release } from "../../apps/releases/Release.ts"
import { wordsOf } from "../../base/words/words.ts"
import type { Pairs } from "../../containers/engine/ContainerSpec.ts"
import { containerSpecOf } from "../../containers/engine/containerSpecOf.ts"
import { healthCheckOf } from "../../containers/proxy/HealthCheck.ts"
import { composedPlan, containersConflict } from "./composePlan.ts"
import type { Plan, Planned, PlannedCommand, PlannedContainer } from "./DeploymentPlan.ts"
import { exposedPort } from "./source.ts"

const usualPort = 80

/** Returns the container that receives requests to the application's own domain. */
export const mainOf = ({ containers, main }: Plan): PlannedContainer => {
  const found = containers.find(({ spec }) => spec.name === main)
  if (found === undefined) throw new Error("the plan lacks its main container")
  return found
}

const commandOf = (line: string, container: string): Result.Result<PlannedCommand | null, string> =>
  Result.map(wordsOf(line), (argv) => (argv.length === 0 ? null : { argv, container }))

const packedPort = 3000

/** Adds the variable `PORT` for images of build packs, unless the user set it: their programs listen on this port. */
const environmentOf = ({ release, variables }: Planned, port: number): Pairs => {
  const { build_pack: pack, is_static: isStatic } = release.configuration
  const isTold = packerOf(pack) !== null && !isStatic
  return isTold && !variables.some(([name]) => name === "PORT")
    ? [...variables, ["PORT", Redacted.make(String(port))]]
    : variables
}

const portOf = ({ configuration, imagePort }: Release): number => {
  const { build_pack: pack, is_static: isStatic, ports_exposes: exposes } = configuration
  const usual = packerOf(pack) !== null && !isStatic ? packedPort : usualPort
  return exposedPort(exposes) ?? imagePort ?? usual
}

const ofOneImage = (planned: Planned): Result.Result<Pick<Plan, "containers" | "main" | "networks">, Problems> => {
  const { allowed, deployment, network, release, storages } = planned
  const port = portOf(release)
  const { configuration } = release
  return Result.map(
    containerSpecOf({
      owner: { application: release.applicationUuid, deployment, service: null },
      configuration,
      image: release.imageId,
      variables: environmentOf(planned, port),
      networks: [{ network, aliases: [] }],
      allowed,
      storages: storages.map(({ service: _, ...mount }) => mount)
    }),
    (spec) => ({
      containers: [
        {
          spec,
          port,
          takesTurns: containersConflict(spec),
          after: []
        }
      ],
      main: spec.name,
      networks: [{ name: network, application: null }]
    })
  )
}

/** Returns a function that adds the files of its compose service to a planned container. */
const withFiles =
  ({ files = [] }: Planned) =>
  (planned: PlannedContainer): PlannedContainer => {
    const own = files.flatMap(({ path, service, text }) =>
      service === planned.spec.owner.service ? [{ path, text }] : []
    )
    return { ...planned, spec: { ...planned.spec, files: own } }
  }

/** Returns the plan of a deployment for its release; fails with the errors in the configuration, by field. */
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
    containers: containers.success.containers.map(withFiles(planned)),
    network,
    check: healthCheckOf(configuration),
    startPeriod: configuration.health_check_start_period,
    drain: configuration.stop_grace_period,
    before: before.success,
    after: after.success
  })
}
