import { Context, Effect } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import { GitReader } from "../git/GitReader.ts"
import { signedContent } from "../git/objectCodec.ts"
import type { ObjectId } from "../git/objectIds.ts"
import type { CommitData, Ident, TagData } from "../git/objects.ts"

/** The user who owns the key of a signature. */
export interface Signer {
  readonly name: string
  readonly email: string
  readonly username: string
}

/** The verification result of the signature of a commit or a tag. */
export interface Verification {
  readonly verified: boolean
  /** The reason for the result, as a code that API clients expect, such as `gpg.error.not_signed_commit`. */
  readonly reason: string
  /** The armored signature; empty if there is none. */
  readonly signature: string
  /** The signed payload; empty without a signature. */
  readonly payload: string
  readonly signer: Signer | undefined
}

/** The input of a signature check: the signature, the signed bytes, and the committer or tagger. */
export interface SignedObject {
  readonly signature: string
  readonly payload: Uint8Array
  readonly committer: Ident | undefined
}

/** The verification result of a commit or tag without a signature. */
export const notSigned: Verification = {
  verified: false,
  reason: "gpg.error.not_signed_commit",
  signature: "",
  payload: "",
  signer: undefined
}

const decoder = new TextDecoder()

/**
 * Verifies the signatures of many commits or tags in one call.
 *
 * The default implementation knows no keys, so all signatures are unverified.
 */
export class Signatures extends Context.Reference("@slipway/domain/forge/Signatures", {
  defaultValue: (): {
    readonly verify: (signed: ReadonlyArray<SignedObject>) => Effect.Effect<ReadonlyArray<Verification>>
  } => ({
    verify: (signed) =>
      Effect.succeed(
        signed.map(({ payload, signature }) => ({
          verified: false,
          reason: "gpg.error.no_gpg_keys_found",
          signature,
          payload: decoder.decode(payload),
          signer: undefined
        }))
      )
  })
}) {}

/** The maximum size of a signed commit or tag object, in bytes; signatures of larger objects are not verified. */
const largestSigned = 1024 * 1024

type Signable = { readonly id: ObjectId } & (
  | Pick<CommitData, "committer" | "signature">
  | Pick<TagData, "signature" | "tagger">
)

/** Verifies the signatures of commits or tags; returns the results in the given order, also for unsigned objects. */
export const verifySignatures = Effect.fnUntraced(function* (
  id: RepositoryId,
  kind: "commit" | "tag",
  objects: ReadonlyArray<Signable>
) {
  const signed = objects.filter(({ signature }) => signature !== undefined)
  if (signed.length === 0) return objects.map(() => notSigned)
  const contents = yield* (yield* GitReader).objects(
    id,
    signed.map((each) => each.id),
    largestSigned
  )
  const verifications = yield* (yield* Signatures).verify(
    signed.map((each, at) => ({
      signature: each.signature ?? "",
      payload: signedContent(kind, contents[at]?.content ?? new Uint8Array()),
      committer: "committer" in each ? each.committer : each.tagger
    }))
  )
  const byId = new Map(signed.map((each, at) => [each.id, verifications[at]]))
  return objects.map((each) => byId.get(each.id) ?? notSigned)
})
