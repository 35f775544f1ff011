import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { UserId } from "../users/User.ts"

/** The schema of the id of an external identity. */
export const IdentityId = Schema.Int.pipe(Schema.brand("IdentityId"))
export type IdentityId = typeof IdentityId.Type

/**
 * The identity of a user at an external identity provider. Users are recognized only by `subject`, because a provider
 * may give a name or an email address to another person.
 */
export interface OutsideIdentity {
  readonly id: IdentityId
  readonly userId: UserId
  readonly issuer: string
  readonly subject: string
  readonly createdAt: string
}

/** The declaration of external identities; each belongs to one user. */
export const identities = owned<OutsideIdentity>()("identity", {
  within: ["userId"],
  fields: {
    userId: Fields.reference("user"),
    issuer: Fields.text(),
    subject: Fields.text(),
    createdAt: Fields.time()
  },
  unique: { subject: ["issuer", "subject"] }
})

/** Reports that the user has no external identity with this id. */
export class IdentityNotFound extends Schema.TaggedError<IdentityNotFound>()("IdentityNotFound", {
  id: Schema.Number
}) {}
/** Reports that the external identity is already linked to a user. */
export class IdentityTaken extends Schema.TaggedError<IdentityTaken>()("IdentityTaken", { issuer: Schema.String }) {}
