import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { UserId } from "../users/User.ts"

/** The schema of the id of an OpenPGP key. */
export const GpgKeyId = Schema.Int.pipe(Schema.brand("GpgKeyId"))
export type GpgKeyId = typeof GpgKeyId.Type

/** The permitted uses of a key or a subkey. */
export interface GpgKeyUses {
  readonly canSign: boolean
  readonly canEncryptComms: boolean
  readonly canEncryptStorage: boolean
  readonly canCertify: boolean
}

/** The parsed data of a key or a subkey. */
export interface ReadGpgSubkey extends GpgKeyUses {
  /** The key id: sixteen hexadecimal digits in upper case. */
  readonly keyId: string
  readonly createdAt: string
  readonly expiresAt: string | null
}

/** The parsed data of a public OpenPGP key. */
export interface ReadGpgKey extends ReadGpgSubkey {
  /** The public key in ASCII armor. */
  readonly publicKey: string
  readonly emails: ReadonlyArray<string>
  readonly subkeys: ReadonlyArray<ReadGpgSubkey>
}

/** An OpenPGP key of a user, or a subkey of one. */
export interface GpgKey extends ReadGpgSubkey {
  readonly id: GpgKeyId
  readonly userId: UserId
  /** The key id of the primary key that a subkey belongs to; empty for a primary key. */
  readonly primaryKeyId: string
  /** The public key with its subkeys in ASCII armor; empty for a subkey. */
  readonly publicKey: string
  readonly emails: ReadonlyArray<string>
  /** Whether the user proved possession of the private key, by a signature. */
  readonly verified: boolean
}

/** The OpenPGP keys of users. */
export const gpgKeys = owned<GpgKey>()("gpgKey", {
  within: ["userId"],
  fields: {
    userId: Fields.reference("user"),
    primaryKeyId: Fields.text(),
    keyId: Fields.text(),
    publicKey: Fields.text(),
    emails: Fields.json(),
    canSign: Fields.boolean(),
    canEncryptComms: Fields.boolean(),
    canEncryptStorage: Fields.boolean(),
    canCertify: Fields.boolean(),
    verified: Fields.boolean(),
    createdAt: Fields.time(),
    expiresAt: Fields.nullable(Fields.time())
  },
  filters: ["primaryKeyId"],
  unique: { keyId: ["keyId"] }
})

/** Reports that a text is not a supported OpenPGP key, with the reason. */
export class GpgKeyInvalid extends Schema.TaggedError<GpgKeyInvalid>()("GpgKeyInvalid", { because: Schema.String }) {}
/**
 * Reports that a user has not proved to own an OpenPGP key: no address of the key is a confirmed address of the user,
 * and no valid signature was sent.
 */
export class GpgKeyUnproven extends Schema.TaggedError<GpgKeyUnproven>()("GpgKeyUnproven", {
  /** Whether a signature was sent, but is not valid for the requested text. */
  signed: Schema.Boolean
}) {}
