import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"

/** A signature that authenticated a request and cannot be replayed for another. */
export interface SpentSignature {
  readonly id: number
  /** The time after which its age is sufficient to reject it. */
  readonly expiresAt: string
}

/** The used signatures of requests, by hashes of the signed text. */
export const spentSignatures = owned<SpentSignature, { readonly hash: string }>()("spentSignature", {
  within: [],
  fields: { expiresAt: Fields.time() },
  hidden: { hash: Fields.text() },
  filters: ["expiresAt"],
  unique: { hash: ["hash"] }
})
