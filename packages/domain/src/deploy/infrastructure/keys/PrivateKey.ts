import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"

/** The uuid of a private key. */
export const PrivateKeyUuid = Uuid.pipe(Schema.brand("PrivateKeyUuid"))
export type PrivateKeyUuid = typeof PrivateKeyUuid.Type

/** An SSH key that opens servers or repositories; its private half is encrypted and never shown. */
export interface PrivateKey extends Entity {
  readonly uuid: PrivateKeyUuid
  readonly name: string
  readonly description: string
  readonly privateKey: Sealed
  /** The public half, in the form of an `authorized_keys` line. */
  readonly publicKey: string
  /** The SHA-256 fingerprint of the public half, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string
  /** The API of the git host that the key signs for as an app's key: the first one it was used with; null before. */
  readonly signsFor: string | null
}

/** Reports that the key does not exist. */
export class PrivateKeyNotFound extends Schema.TaggedError<PrivateKeyNotFound>()("PrivateKeyNotFound", {}) {}
