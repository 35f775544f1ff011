import { Effect } from "effect"
import type { OwnerKey } from "../repositories/Repository.ts"
import { OwnsPackages } from "./errors.ts"
import { packages } from "./Package.ts"

/** Refuses to go on with an owner of packages, which go with nobody unless that is asked for. */
export const refusePackages = Effect.fnUntraced(function* ({ id, kind }: OwnerKey) {
  if ((yield* (yield* packages.store).count({}, { ownerId: id })) > 0) return yield* new OwnsPackages({ kind })
})
