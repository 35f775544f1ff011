import type { Kind } from "@slipway/domain/deploy"
import { appsKinds } from "./kinds/apps.ts"
import { identityKinds } from "./kinds/identity.ts"
import { infrastructureKinds } from "./kinds/infrastructure.ts"
import type { AnyKind } from "./recipe.ts"

export type { AnyCollection, AnyKind, AnyNew, AnyRow, Planted } from "./recipe.ts"

/** Every stored resource type, with its store and the functions that make test rows. */
export const kinds: Readonly<Record<Kind, AnyKind>> = {
  ...identityKinds,
  ...infrastructureKinds,
  ...appsKinds
}

/** The names of all resource types. */
export const kindNames = Object.keys(kinds) as ReadonlyArray<Kind>
