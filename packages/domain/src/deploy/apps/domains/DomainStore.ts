import { Context, type Effect } from "effect"
import type { DomainKey } from "./DomainAddress.ts"

/** The types of resources that can claim domains; `instance` is the platform itself. */
export type ClaimantType = "application" | "service" | "instance"

/** The resource that claims domains: its type and its uuid. The instance has no uuid. */
export type Claimant =
  | { readonly type: "application" | "service"; readonly uuid: string }
  | { readonly type: "instance"; readonly uuid: null }

/** The name that is shown for the instance as the holder of domains. */
export const instanceName = "Slipway"

/** A claimed domain, with the current name of the resource that claims it. */
export interface Claim {
  readonly key: DomainKey
  readonly holder: Claimant
  readonly holderName: string
}

/**
 * Stores which resource holds which domains, across the whole instance.
 *
 * Must:
 * - let only one transaction hold a locked domain at a time
 * - list the claims on the given domains, oldest first
 * - replace all claims of a holder in one call
 * - keep the age of a claim when its holder claims the domain again
 * - let two holders claim one domain
 * - remove the claims of a removed resource
 */
export class DomainStore extends Context.Service<
  DomainStore,
  {
    readonly lock: (keys: ReadonlyArray<DomainKey>) => Effect.Effect<void>
    readonly claims: (keys: ReadonlyArray<DomainKey>) => Effect.Effect<ReadonlyArray<Claim>>
    readonly replace: (holder: Claimant, keys: ReadonlyArray<DomainKey>) => Effect.Effect<void>
  }
>()("@slipway/domain/deploy/DomainStore") {}
