import { Context, type Effect } from "effect"
import type { Sealed } from "../../../Vault.ts"

/**
 * Keeps a text that only the key opens with which all secrets of the site are encrypted.
 *
 * Must:
 * - keep the first text that it is given, and answer with that one from then on
 */
export class KeyCheckStore extends Context.Service<
  KeyCheckStore,
  { readonly first: (sealed: Sealed) => Effect.Effect<Sealed> }
>()("@slipway/domain/forge/KeyCheckStore") {}
