import type { Deletion, DeletionFlags, Placement } from "@slipway/domain/deploy/apps"

/**
 * The resources to remove from a server after an application or database moved away: everything except configurations
 * and volumes, which cannot be recreated.
 */
export const leaving: DeletionFlags = {
  deleteConfigurations: false,
  deleteVolumes: false,
  dockerCleanup: true,
  deleteConnectedNetworks: true
}

/** Returns the places that a resource moved away from, one for each server except the current one. */
export const formerPlaces = (
  moves: ReadonlyArray<Deletion>,
  { serverUuid }: Pick<Placement, "serverUuid">
): ReadonlyArray<Deletion> => {
  const elsewhere = new Map(moves.map((move) => [move.serverUuid, move]))
  elsewhere.delete(serverUuid)
  return [...elsewhere.values()]
}
