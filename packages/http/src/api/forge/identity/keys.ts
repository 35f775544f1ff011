import { Schema } from "effect"
import { create, endpoints, list, read, remove } from "../base/endpoints.ts"
import { Moment, optionalNullable, QueryNumber, Repository, text, User } from "../base/schemas.ts"

/** A public SSH key of a user as returned by the API. */
export const PublicKey = Schema.Struct({
  id: Schema.Int,
  key: Schema.String,
  url: Schema.String,
  title: Schema.String,
  fingerprint: Schema.String,
  created_at: Moment,
  last_used_at: Moment.annotate({ description: "The year 1 for a key that was never used." }),
  user: User,
  read_only: Schema.Boolean,
  key_type: Schema.Literals(["user", "deploy"])
}).annotate({ identifier: "PublicKey" })

/** A public SSH key for one repository as returned by the API. */
export const DeployKey = Schema.Struct({
  id: Schema.Int,
  key_id: Schema.Int,
  key: Schema.String,
  url: Schema.String,
  title: Schema.String,
  fingerprint: Schema.String,
  created_at: Moment,
  read_only: Schema.Boolean,
  repository: Repository
}).annotate({ identifier: "DeployKey" })

/** The request body that adds a public SSH key. */
export const CreateKeyOption = Schema.Struct({
  title: text(255).annotate({ description: "If empty, the comment of the key is used." }),
  key: text(16_384),
  read_only: optionalNullable(Schema.Boolean)
}).annotate({ identifier: "CreateKeyOption" })

const byFingerprint = { fingerprint: Schema.optionalKey(Schema.String) }

/** The endpoints of the public SSH keys of users. */
export const keyEndpoints = endpoints("keys", "The public SSH keys that authenticate users.", {
  "account.key.list": list(PublicKey, { query: byFingerprint }),
  "account.key.create": create(PublicKey, { body: CreateKeyOption }),
  "account.key.read": read(PublicKey),
  "account.key.delete": remove(),
  "user.key.list": list(PublicKey, { query: byFingerprint }),
  "admin.user.key.create": create(PublicKey, { body: CreateKeyOption }),
  "admin.user.key.delete": remove()
})

/** The endpoints of deploy keys. */
export const deployKeyEndpoints = endpoints("deploy-keys", "Public SSH keys with access to one repository.", {
  "repository.key.list": list(DeployKey, { query: { ...byFingerprint, key_id: Schema.optionalKey(QueryNumber) } }),
  "repository.key.create": create(DeployKey, { body: CreateKeyOption }),
  "repository.key.read": read(DeployKey),
  "repository.key.delete": remove()
})
