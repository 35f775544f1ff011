import { isHandedOver, ServerStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/** Returns whether this instance manages a server: the server exists, and is not handed over to another instance. */
export const isManaged = Effect.fnUntraced(function* (uuid: ServerUuid) {
  const server = yield* (yield* ServerStore).find(uuid)
  return server !== undefined && !isHandedOver(server)
})
