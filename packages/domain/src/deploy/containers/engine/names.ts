import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { Owner } from "./ContainerSpec.ts"

/** The labels of all resources that the platform creates on a server, which identify them. */
export const label = {
  managed: "slipway.managed",
  application: "slipway.application",
  deployment: "slipway.deployment",
  service: "slipway.service"
} as const

/** Returns whether a label is reserved for the platform (invariant I22). */
export const isOwnLabel = (name: string): boolean => name.toLowerCase().startsWith("slipway.")

/** Returns the labels of the resources of an application, or of one of its deployments. */
export const labelsOf = (owner: {
  readonly application: ApplicationUuid
  readonly deployment?: DeploymentUuid | null
  readonly service?: string | null
}): Readonly<Record<string, string>> => ({
  [label.managed]: "true",
  [label.application]: owner.application,
  ...(owner.deployment == null ? {} : { [label.deployment]: owner.deployment }),
  ...(owner.service == null ? {} : { [label.service]: owner.service })
})

/** Returns the name of the container of a deployment, or of one of its compose services. */
export const containerName = ({ application, deployment, service }: Owner): string =>
  service === null ? `${application}-${deployment}` : `${application}-${deployment}-${service}`

/** Returns the repository of all images of an application, with one tag for each deployment. */
export const imageRepository = (application: ApplicationUuid): string => `slipway/${application}`

/** Returns the reference of the image of a deployment, or of one of its compose services. */
export const imageReference = ({ application, deployment, service }: Owner): string =>
  `${imageRepository(application)}:${service === null ? deployment : `${deployment}-${service}`}`

/** Returns the owner of an image, by its reference; null when it belongs to no application. */
export const imageOwner = (reference: string): Owner | null => {
  const [, application, deployment, service = null] =
    /^slipway\/([a-z0-9]+):([a-z0-9]+)(?:-(.+))?$/.exec(reference) ?? []
  return application === undefined || deployment === undefined
    ? null
    : { application: application as ApplicationUuid, deployment: deployment as DeploymentUuid, service }
}

/** Returns the name of an application's volume on its server. */
export const volumeName = (application: ApplicationUuid, name: string): string => `${application}_${name}`

// The kernel's limit, minus the uuid and the dot before it.
const longestHostname = 38

/**
 * Returns the hostname of a container in a shared network.
 *
 * Engines resolve it, so without the uuid it would receive requests for a `db` of another application (invariant I22).
 */
export const sharedHostname = (application: ApplicationUuid, hostname: string): string =>
  `${hostname.slice(0, longestHostname).replace(/[.-]+$/, "")}.${application}`

/** The network names with a special meaning for engines: a container on `host` would use the server's own network. */
const reservedNetworks: ReadonlyArray<string> = ["host", "none", "default", "private", "pasta", "slirp4netns"]

/** Returns whether a network name has a special meaning for engines, so that no network can have it. */
export const isReservedNetwork = (name: string): boolean =>
  reservedNetworks.includes(name.toLowerCase()) || name.includes(":")
