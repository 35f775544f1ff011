import { Context, type Effect } from "effect"
import type { GpgKeyInvalid, ReadGpgKey } from "./GpgKey.ts"

/** The key id or fingerprint in a signature, which identifies the key that made it. */
export type SignatureKey =
  | {
      readonly kind: "gpg"
      /** The key id: sixteen hexadecimal digits in upper case. */
      readonly keyId: string
    }
  | {
      readonly kind: "ssh"
      /** The fingerprint, as `ssh-keygen -l` shows it. */
      readonly fingerprint: string
    }

/** A public key with which a signature may have been made: armored for OpenPGP, on one line for SSH. */
export interface CheckedKey {
  readonly kind: SignatureKey["kind"]
  readonly publicKey: string
}

/**
 * Parses OpenPGP keys, and verifies armored signatures of OpenPGP and of SSH (in the format of git).
 *
 * Malformed input fails with a declared error and never throws.
 */
export class SignatureChecker extends Context.Service<
  SignatureChecker,
  {
    /** Parses one public key; rejects private, multiple, revoked, weak and malformed keys. */
    readonly readKey: (text: string) => Effect.Effect<ReadGpgKey, GpgKeyInvalid>
    /** Returns the id of the key that made a signature; undefined if the signature is malformed. */
    readonly keyOf: (signature: string) => Effect.Effect<SignatureKey | undefined>
    /** Returns whether a signature of exactly these bytes was made with a key, at a time when the key was valid. */
    readonly check: (signature: string, signed: Uint8Array, key: CheckedKey) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/SignatureChecker") {}

/** Signs commits that the service creates, such as merge commits, with the key of the site. */
export interface SiteSignature {
  readonly key: CheckedKey
  /** The id or the fingerprint that identifies the key in its signatures. */
  readonly named: SignatureKey
  /** The name of the site in its signatures. */
  readonly name: string
  readonly email: string
  readonly sign: (payload: Uint8Array) => Effect.Effect<string>
}

/** The key that signs commits created by the service. By default there is no key, and these commits are unsigned. */
export class SiteSigner extends Context.Reference("@slipway/domain/forge/SiteSigner", {
  defaultValue: (): SiteSignature | undefined => undefined
}) {}
