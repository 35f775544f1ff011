import { Context, type Effect } from "effect"
import type { Sealed } from "../../../Vault.ts"

/**
 * Stores a known text, encrypted with the key of the site's secrets. At start, the text reveals whether the configured
 * key is still the same.
 *
 * Must:
 * - store the first text, and return it on every later call
 */
export class KeyCheckStore extends Context.Service<
  KeyCheckStore,
  { readonly first: (sealed: Sealed) => Effect.Effect<Sealed> }
>()("@slipway/domain/forge/KeyCheckStore") {}
