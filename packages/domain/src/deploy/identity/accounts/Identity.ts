import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { AccountUuid } from "./Account.ts"

/** The uuid of an external identity. */
export const IdentityUuid = Uuid.pipe(Schema.brand("IdentityUuid"))
export type IdentityUuid = typeof IdentityUuid.Type

/** An account at an OpenID Connect provider; a provider never gives its subject to another person. */
export interface Identity {
  readonly uuid: IdentityUuid
  readonly accountUuid: AccountUuid
  readonly issuer: string
  readonly subject: string
  readonly createdAt: string
}

/** Reports that the account has no such identity. */
export class IdentityNotFound extends Schema.TaggedError<IdentityNotFound>()("IdentityNotFound", {}) {}
/** Reports that the identity is linked to another account. */
export class IdentityTaken extends Schema.TaggedError<IdentityTaken>()("IdentityTaken", { issuer: Schema.String }) {}
/** Reports that the account could not sign in without this identity. */
export class LastIdentity extends Schema.TaggedError<LastIdentity>()("LastIdentity", {}) {}
