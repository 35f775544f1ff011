import { InvalidInput } from "@slipway/domain"
import { PlacementStore } from "@slipway/domain/deploy/apps"
import type { TeamId } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/** Fails if a team does not have the private key in a request. Locks the key until the transaction ends. */
export const requirePrivateKey = Effect.fnUntraced(function* (
  privateKeyUuid: string | null | undefined,
  teamId: TeamId
) {
  if (privateKeyUuid === null || privateKeyUuid === undefined) return
  const { privateKey } = yield* (yield* PlacementStore).facts({ privateKeyUuid })
  if (privateKey?.teamId === teamId) return
  return yield* new InvalidInput({ problems: { private_key_uuid: ["There is no such private key."] } })
})
