import type { DeletionFlags } from "@slipway/domain/deploy/apps"
import type { deletionQuery, QueryFlag } from "../../../api/deploy/base/schemas.ts"

type Flag = typeof QueryFlag.Type | undefined

/** Returns whether a query flag is set; an omitted flag counts as set. */
export const isSetByDefault = (flag: Flag): boolean => flag !== "false" && flag !== "0"

/** Returns whether a query flag is set; an omitted flag counts as not set. */
export const isSet = (flag: Flag): boolean => flag === "true" || flag === "1"

/**
 * Returns what a deletion removes in addition to the resource: configurations, volumes, images and networks.
 *
 * `volumesGo` converts the flag for volumes, because its default differs between resource types.
 */
export const deletionFlagsOf = (
  query: { readonly [Name in keyof typeof deletionQuery]?: Flag },
  volumesGo: (flag: Flag) => boolean
): DeletionFlags => ({
  deleteConfigurations: isSetByDefault(query.delete_configurations),
  deleteVolumes: volumesGo(query.delete_volumes),
  dockerCleanup: isSetByDefault(query.docker_cleanup),
  deleteConnectedNetworks: isSetByDefault(query.delete_connected_networks)
})
