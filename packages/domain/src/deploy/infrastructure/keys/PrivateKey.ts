import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"

/** The uuid of a private key. */
export const PrivateKeyUuid = Uuid.pipe(Schema.brand("PrivateKeyUuid"))
export type PrivateKeyUuid = typeof PrivateKeyUuid.Type

/** An SSH key for servers or repositories; its private half is encrypted and never returned. */
export interface PrivateKey extends Entity {
  readonly uuid: PrivateKeyUuid
  readonly teamId: TeamId
  readonly name: string
  readonly description: string
  readonly privateKey: Sealed
  /** The public half as an `authorized_keys` line. */
  readonly publicKey: string
  /** The SHA-256 fingerprint of the public half, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string
  /** The API of the git host for which the key signs: the first one that it was used with; null before. */
  readonly signsFor: string | null
}

/** Reports that the key does not exist. */
export class PrivateKeyNotFound extends Schema.TaggedError<PrivateKeyNotFound>()("PrivateKeyNotFound", {}) {}
