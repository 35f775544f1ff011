import { Result } from "effect"
import type { Problems } from "../../../Problems.ts"
import type { ComposeProject, ComposeService } from "../../containers/compose/ComposeProject.ts"
import { composeContainers, composeNetworks, replicaNames } from "../../containers/compose/composeContainers.ts"
import {
  mainService,
  portOfService,
  type ReleasedCompose,
  unknownService
} from "../../containers/compose/ReleasedCompose.ts"
import { containerName } from "../../containers/engine/names.ts"
import type { Plan, Planned, PlannedContainer } from "./DeploymentPlan.ts"

const states = {
  service_started: "started",
  service_healthy: "healthy",
  service_completed_successfully: "completed"
} as const

/**
 * Returns whether an old and a new container of a service cannot run concurrently: both would use the same server port,
 * the server's network, or a writable volume.
 */
export const containersConflict = ({ options, ports }: Pick<ComposeService, "options" | "ports">): boolean =>
  ports.length > 0 ||
  options.dangerous.network !== null ||
  [...options.mounts, ...options.dangerous.mounts].some(({ readOnly, source }) => source._tag !== "Memory" && !readOnly)

/** Returns a compose project without the stopped services; adds the storages of the application to the others. */
const runningPart = (
  project: ComposeProject,
  stopped: ReadonlySet<string>,
  storages: Planned["storages"]
): ComposeProject => ({
  ...project,
  services: project.services
    .filter(({ name }) => !stopped.has(name))
    .map((service) => {
      const mounts = storages.flatMap(({ service: name, ...mount }) => (name === service.name ? [mount] : []))
      const others = service.options.mounts.filter(({ target }) => !mounts.some((mount) => mount.target === target))
      return { ...service, options: { ...service.options, mounts: [...others, ...mounts] } }
    })
})

/** Returns the containers and networks for a release with compose files; fails if a domain names a missing service. */
export const composedPlan = (
  { deployment, network, release, stopped = new Set(), storages }: Planned,
  released: ReleasedCompose
): Result.Result<Pick<Plan, "containers" | "main" | "networks">, Problems> => {
  const { applicationUuid: application, configuration } = release
  const named = (configuration.docker_compose_domains ?? []).map(({ name }) => name)
  const unknown = unknownService(released.project, configuration)
  if (unknown !== null) return Result.fail(unknown)
  const compose = { ...released, project: runningPart(released.project, stopped, storages) }
  const { images, project } = compose
  const main = mainService(compose, configuration)
  const served = new Set(
    configuration.connect_to_docker_network
      ? project.services.map(({ name }) => name)
      : [...named, ...(main === undefined ? [] : [main.name])]
  )
  const specs = composeContainers({
    project,
    application,
    deployment,
    network,
    served,
    images: new Map(images.map(({ id, service }) => [service, id]))
  })
  const nameOf = (service: string) => containerName({ application, deployment, service })
  const services = new Map(project.services.map((service) => [service.name, service] as const))
  const namesOf = (service: string) =>
    replicaNames({ application, deployment, service }, services.get(service)?.replicas)
  const containers = specs.flatMap((spec): ReadonlyArray<PlannedContainer> => {
    const service = services.get(spec.owner.service ?? "")
    if (service === undefined) return []
    const { dependsOn, name } = service
    return [
      {
        spec,
        port: named.includes(name) || name === main?.name ? portOfService(compose, service) : null,
        takesTurns: containersConflict(service),
        after: dependsOn.flatMap((each) =>
          namesOf(each.service).map((container) => ({ container, state: states[each.condition] }))
        )
      }
    ]
  })
  const without = containers.find(({ port, spec }) => port === null && named.includes(spec.owner.service ?? ""))
  if (without !== undefined) {
    const problem = `The service \`${without.spec.owner.service}\` exposes no port: list it under \`expose\`.`
    return Result.fail({ docker_compose_domains: [problem] })
  }
  return Result.succeed({
    containers,
    main: nameOf(main?.name ?? project.services.at(-1)?.name ?? ""),
    networks: [
      { name: network, application: null },
      ...composeNetworks(project, application).map((name) => ({ name, application }))
    ]
  })
}
