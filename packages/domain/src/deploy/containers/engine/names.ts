import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { Owner } from "./ContainerSpec.ts"

/** The names of the labels by which the platform identifies the containers, images and networks that it created. */
export const label = {
  managed: "slipway.managed",
  application: "slipway.application",
  deployment: "slipway.deployment",
  service: "slipway.service"
} as const

/** Returns whether a label name begins with `slipway.`, which is reserved for the platform (invariant I22). */
export const isOwnLabel = (name: string): boolean => name.toLowerCase().startsWith("slipway.")

/** Returns the labels that identify a resource of an application, of a deployment or of a compose service. */
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

/** Returns the image name (without tag) of an application; each deployment has its own tag. */
export const imageRepository = (application: ApplicationUuid): string => `slipway/${application}`

/** Returns the full name of a deployment's image, or of the image of one of its compose services. */
export const imageReference = ({ application, deployment, service }: Owner): string =>
  `${imageRepository(application)}:${service === null ? deployment : `${deployment}-${service}`}`

/** Parses the owner from an image reference; null if the platform did not build the image for an application. */
export const imageOwner = (reference: string): Owner | null => {
  const [, application, deployment, service = null] =
    /^slipway\/([a-z0-9]+):([a-z0-9]+)(?:-(.+))?$/.exec(reference) ?? []
  return application === undefined || deployment === undefined
    ? null
    : { application: application as ApplicationUuid, deployment: deployment as DeploymentUuid, service }
}

/** Returns the name that a volume of an application has on the server: prefixed with the application's uuid. */
export const volumeName = (application: ApplicationUuid, name: string): string => `${application}_${name}`

// The kernel's limit, minus the uuid and the dot before it.
const longestHostname = 38

/**
 * Returns the host name of a container in a network that several applications share: with the application's uuid.
 *
 * Container engines resolve host names in a network. Without the uuid, two applications with the host name `db` would
 * receive each other's requests (invariant I22).
 */
export const sharedHostname = (application: ApplicationUuid, hostname: string): string =>
  `${hostname.slice(0, longestHostname).replace(/[.-]+$/, "")}.${application}`

/** The network names with a special meaning for container engines; `host` is the network of the server itself. */
const reservedNetworks: ReadonlyArray<string> = ["host", "none", "default", "private", "pasta", "slirp4netns"]

/** Returns whether a network name is reserved by container engines, such as `host`, and cannot be used. */
export const isReservedNetwork = (name: string): boolean =>
  reservedNetworks.includes(name.toLowerCase()) || name.includes(":")
