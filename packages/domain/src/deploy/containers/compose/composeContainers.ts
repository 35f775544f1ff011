import { Redacted } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ContainerSpec, Mount, Owner, RestartPolicy } from "../engine/ContainerSpec.ts"
import { containerName, sharedHostname, volumeName } from "../engine/names.ts"
import type { ComposeProject, ComposeService } from "./ComposeProject.ts"

/** The input that determines the containers of a compose project. */
export interface ComposeContainersInput {
  readonly project: ComposeProject
  readonly application: ApplicationUuid
  readonly deployment: DeploymentUuid
  /** The image of each service, by service name; a service without an entry uses the image reference of its file. */
  readonly images: ReadonlyMap<string, string>
  /** The network of the destination (a server network), which the proxy and the containers of all applications join. */
  readonly network: string
  /** The names of services with a domain; only these join `network`, where the proxy reaches them. */
  readonly served: ReadonlySet<string>
}

/** Returns the name that a network of a compose file has on the server: with the application's uuid as prefix. */
const networkName = (application: ApplicationUuid, name: string): string =>
  name === "default" ? application : `${application}_${name}`

const externalOf = ({ external = [] }: ComposeProject): ReadonlyMap<string, string> => new Map(external)

/** Returns the server names of the networks that a compose project needs, except external networks. */
export const composeNetworks = (project: ComposeProject, application: ApplicationUuid): ReadonlyArray<string> =>
  project.networks.filter((name) => !externalOf(project).has(name)).map((name) => networkName(application, name))

/** Returns the server names of the volumes that a compose project needs. */
export const composeVolumes = (project: ComposeProject, application: ApplicationUuid): ReadonlyArray<string> =>
  project.volumes.map((name) => volumeName(application, name))

const usualRestart: RestartPolicy = { _tag: "UnlessStopped" }
const never: RestartPolicy = { _tag: "Never" }

/**
 * Returns the names of services that other services wait for with `service_completed_successfully`. They must not be
 * restarted after they exit.
 */
const endingOf = (project: ComposeProject): ReadonlySet<string> =>
  new Set(
    project.services.flatMap(({ dependsOn }) =>
      dependsOn.flatMap(({ condition, service }) => (condition === "service_completed_successfully" ? [service] : []))
    )
  )

const attachments = (service: ComposeService, { application, network, project, served }: ComposeContainersInput) => {
  if (service.options.dangerous.network !== null) return []
  const external = externalOf(project)
  // Service names are not aliases there: a service `db` must not receive requests for those of other applications
  // (invariant I22).
  const own = service.networks.map(({ aliases, name }) => {
    const shared = external.get(name)
    return shared === undefined
      ? { network: networkName(application, name), aliases: [...new Set([service.name, ...aliases])] }
      : { network: shared, aliases: [] }
  })
  return served.has(service.name) ? [...own, { network, aliases: [] }] : own
}

const hostnameOf = (
  { name, networks, options }: ComposeService,
  { application, project, served }: ComposeContainersInput
): string | null => {
  const external = externalOf(project)
  const isShared = served.has(name) || networks.some((each) => external.has(each.name))
  return options.hostname !== null && isShared ? sharedHostname(application, options.hostname) : options.hostname
}

/** Returns the container names of a service's replicas: the plain name, then the name with `-2`, `-3` and so on. */
export const replicaNames = (owner: Owner, replicas = 1): ReadonlyArray<string> =>
  Array.from({ length: replicas }, (_, n) => (n === 0 ? containerName(owner) : `${containerName(owner)}-${n + 1}`))

const owned = (application: ApplicationUuid, mount: Mount): Mount =>
  mount.source._tag === "Volume"
    ? { ...mount, source: { _tag: "Volume", name: volumeName(application, mount.source.name) } }
    : mount

/** Returns the container specifications of a compose project, in start order. */
export const composeContainers = (wanted: ComposeContainersInput): ReadonlyArray<ContainerSpec> => {
  const { application, deployment, images, project } = wanted
  const ending = endingOf(project)
  return project.services.flatMap((service) => {
    const owner = { application, deployment, service: service.name }
    return replicaNames(owner, service.replicas).map((name) => ({
      owner,
      name,
      image: images.get(service.name) ?? service.image ?? service.name,
      entrypoint: service.entrypoint,
      command: service.command,
      environment: service.environment.map(([name, value]) => [name, Redacted.make(value)] as const),
      labels: service.labels,
      networks: attachments(service, wanted),
      ports: service.ports,
      mounts: [],
      files: [],
      limits: service.limits,
      restart: service.restart ?? (ending.has(service.name) ? never : usualRestart),
      healthCheck: service.healthCheck,
      options: {
        ...service.options,
        hostname: hostnameOf(service, wanted),
        mounts: service.options.mounts.map((mount) => owned(application, mount))
      }
    }))
  })
}
