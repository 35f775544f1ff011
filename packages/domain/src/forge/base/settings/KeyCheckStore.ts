import { Context, type Effect } from "effect"
import type { Sealed } from "../../../Vault.ts"

/**
 * Stores a text encrypted with the key of all the site's secrets, to detect a different key.
 *
 * Must:
 * - store the first text, and return it on every later call
 */
export class KeyCheckStore extends Context.Service<
  KeyCheckStore,
  { readonly first: (sealed: Sealed) => Effect.Effect<Sealed> }
>()("@slipway/domain/forge/KeyCheckStore") {}
