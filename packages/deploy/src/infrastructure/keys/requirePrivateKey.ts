import { InvalidInput } from "@slipway/domain"
import { PlacementStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"

/** Fails unless the private key that a request names exists; locks it until the transaction ends. */
export const requirePrivateKey = Effect.fnUntraced(function* (privateKeyUuid: string | null | undefined) {
  if (privateKeyUuid === null || privateKeyUuid === undefined) return
  const { privateKey } = yield* (yield* PlacementStore).facts({ privateKeyUuid })
  if (privateKey !== null) return
  return yield* new InvalidInput({ problems: { private_key_uuid: ["There is no such private key."] } })
})
