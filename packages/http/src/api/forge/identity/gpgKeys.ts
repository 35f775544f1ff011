import { Schema } from "effect"
import { create, endpoints, list, raw, read, remove } from "../base/endpoints.ts"
import { Moment, optionalNullable, text } from "../base/schemas.ts"

const plain = {
  id: Schema.Int,
  primary_key_id: Schema.String,
  key_id: Schema.String,
  public_key: Schema.String,
  emails: Schema.Array(
    Schema.Struct({ email: Schema.String, verified: Schema.Boolean }).annotate({ identifier: "GPGKeyEmail" })
  ),
  can_sign: Schema.Boolean,
  can_encrypt_comms: Schema.Boolean,
  can_encrypt_storage: Schema.Boolean,
  can_certify: Schema.Boolean,
  verified: Schema.Boolean,
  created_at: Moment,
  expires_at: Moment.annotate({ description: "The year 1 for a key that does not expire." })
}

/** An OpenPGP key of a user as returned by the API, with its subkeys. */
export const GPGKey = Schema.Struct({
  ...plain,
  subkeys: Schema.Array(Schema.Struct({ ...plain, subkeys: Schema.Array(Schema.Never) }))
}).annotate({ identifier: "GPGKey" })

/** The request body that adds an OpenPGP key. */
export const CreateGPGKeyOption = Schema.Struct({
  armored_public_key: text(65_536),
  armored_signature: optionalNullable(text(65_536))
}).annotate({ identifier: "CreateGPGKeyOption" })

/** The request body that proves ownership of an OpenPGP key. */
export const VerifyGPGKeyOption = Schema.Struct({
  key_id: text(64),
  armored_signature: text(65_536)
}).annotate({ identifier: "VerifyGPGKeyOption" })

const largest = 160 * 1024

/** The endpoints of the OpenPGP keys of users. */
export const gpgKeyEndpoints = endpoints("gpg-keys", "The OpenPGP keys that verify signatures of users.", {
  "account.gpg-key.list": list(GPGKey),
  "account.gpg-key.create": create(GPGKey, { body: CreateGPGKeyOption, largest }),
  "account.gpg-key.read": read(GPGKey),
  "account.gpg-key.delete": remove(),
  "account.gpg-key.challenge": raw({ contentType: "text/plain" }),
  "account.gpg-key.verify": create(GPGKey, { body: VerifyGPGKeyOption, largest }),
  "user.gpg-key.list": list(GPGKey)
})

const key = raw({ contentType: "text/plain" })

/** The endpoints that return the public keys with which the site signs its own commits. */
export const signingKeyEndpoints = endpoints("signing-keys", "The key that signs commits of the site.", {
  "signing-key.gpg.read": key,
  "signing-key.pub.read": key,
  "repository.signing-key.gpg.read": key,
  "repository.signing-key.pub.read": key
})
