import type { Deletion, DeletionFlags, Placement } from "@slipway/domain/deploy/apps"

/** What to remove from a server that a resource leaves: everything except data that cannot be recreated. */
export const leaving: DeletionFlags = {
  deleteConfigurations: false,
  deleteVolumes: false,
  dockerCleanup: true,
  deleteConnectedNetworks: true
}

/** Returns one earlier move from each server that a resource left, without the server of its present placement. */
export const formerPlaces = (
  moves: ReadonlyArray<Deletion>,
  { serverUuid }: Pick<Placement, "serverUuid">
): ReadonlyArray<Deletion> => {
  const elsewhere = new Map(moves.map((move) => [move.serverUuid, move]))
  elsewhere.delete(serverUuid)
  return [...elsewhere.values()]
}
