import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"

/** A request signature that was already used; it is stored to reject replays. */
export interface SpentSignature {
  readonly id: number
  /** The time after which the row can be removed: from then on, the signature is rejected as too old. */
  readonly expiresAt: string
}

/** The request signatures that were already used, by a hash of the signed text. */
export const spentSignatures = owned<SpentSignature, { readonly hash: string }>()("spentSignature", {
  within: [],
  fields: { expiresAt: Fields.time() },
  hidden: { hash: Fields.text() },
  filters: ["expiresAt"],
  unique: { hash: ["hash"] }
})
