import type { OwnerKey } from "@slipway/domain/forge/code"
import { OwnsPackages, packages } from "@slipway/domain/forge/registries"
import { Effect } from "effect"

/** Fails if an owner still has packages; they are deleted only on request. */
export const refusePackages = Effect.fnUntraced(function* ({ id, kind }: OwnerKey) {
  if ((yield* (yield* packages.store).count({}, { ownerId: id })) > 0) return yield* new OwnsPackages({ kind })
})
