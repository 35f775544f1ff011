import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { UserId } from "../users/User.ts"

/** The schema of the id of an identity. */
export const IdentityId = Schema.Int.pipe(Schema.brand("IdentityId"))
export type IdentityId = typeof IdentityId.Type

/**
 * The identity of a user at an external identity provider; names and addresses there may be reassigned, a subject may
 * not.
 */
export interface OutsideIdentity {
  readonly id: IdentityId
  readonly userId: UserId
  readonly issuer: string
  readonly subject: string
  readonly createdAt: string
}

/** The external identities of users, each of one user. */
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

/** Reports that the user has no such identity. */
export class IdentityNotFound extends Schema.TaggedError<IdentityNotFound>()("IdentityNotFound", {
  id: Schema.Number
}) {}
/** Reports that the identity is already linked to a user. */
export class IdentityTaken extends Schema.TaggedError<IdentityTaken>()("IdentityTaken", { issuer: Schema.String }) {}
