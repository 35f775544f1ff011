import type { OwnerKey } from "@slipway/domain/forge/code"
import { OwnsPackages, packages } from "@slipway/domain/forge/registries"
import { Effect } from "effect"

/** Refuses to go on with an owner of packages, which go with nobody unless that is asked for. */
export const refusePackages = Effect.fnUntraced(function* ({ id, kind }: OwnerKey) {
  if ((yield* (yield* packages.store).count({}, { ownerId: id })) > 0) return yield* new OwnsPackages({ kind })
})
