import type { OwnerKey } from "@slipway/domain/forge/code"
import { OwnsPackages, packages } from "@slipway/domain/forge/registries"
import { Effect } from "effect"

/** Fails if a user or an organization still has packages. These must be deleted first. */
export const refusePackages = Effect.fnUntraced(function* ({ id, kind }: OwnerKey) {
  if ((yield* (yield* packages.store).count({}, { ownerId: id })) > 0) return yield* new OwnsPackages({ kind })
})
