import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"

/** The uuid of a private key. */
export const PrivateKeyUuid = Uuid.pipe(Schema.brand("PrivateKeyUuid"))
export type PrivateKeyUuid = typeof PrivateKeyUuid.Type

/** A stored SSH key pair for servers or repositories; the private key is encrypted and never returned. */
export interface PrivateKey extends Entity {
  readonly uuid: PrivateKeyUuid
  readonly teamId: TeamId
  readonly name: string
  readonly description: string
  readonly privateKey: Sealed
  /** The public key, in the format of an `authorized_keys` line. */
  readonly publicKey: string
  /** The SHA-256 fingerprint of the public key, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string
  /**
   * The API URL of the git host for which the key signs app tokens. It is set at the first use, and the key cannot sign
   * for another host; null before the first use.
   */
  readonly signsFor: string | null
}

/** Reports that the key does not exist. */
export class PrivateKeyNotFound extends Schema.TaggedError<PrivateKeyNotFound>()("PrivateKeyNotFound", {}) {}
