import { Context, type Effect } from "effect"
import type { Sealed } from "../../../Vault.ts"

/**
 * Keeps a text that only the key opens with which all secrets of the site are encrypted.
 *
 * Must:
 * - store the first text, and return it on every later call
 */
export class KeyCheckStore extends Context.Service<
  KeyCheckStore,
  { readonly first: (sealed: Sealed) => Effect.Effect<Sealed> }
>()("@slipway/domain/forge/KeyCheckStore") {}
