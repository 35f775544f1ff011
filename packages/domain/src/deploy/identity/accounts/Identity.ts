import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { AccountUuid } from "./Account.ts"

/** The uuid of an external identity. */
export const IdentityUuid = Uuid.pipe(Schema.brand("IdentityUuid"))
export type IdentityUuid = typeof IdentityUuid.Type

/**
 * An account of a person at an OpenID Connect provider. The pair of issuer and subject identifies it permanently: a
 * provider never assigns a subject to another person.
 */
export interface Identity {
  readonly uuid: IdentityUuid
  readonly accountUuid: AccountUuid
  readonly issuer: string
  readonly subject: string
  readonly createdAt: string
}

/**
 * Returns the other form of an issuer without a path, with or without its trailing slash: both are the same URL, and
 * Gitea reports one with a slash. Returns undefined for other issuers.
 *
 * @example
 * otherIssuerForm("https://git.example") // => "https://git.example/"
 * otherIssuerForm("https://git.example/") // => "https://git.example"
 * otherIssuerForm("https://login.example/staff") // => undefined
 */
export const otherIssuerForm = (issuer: string): string | undefined => {
  if (!URL.canParse(issuer)) return undefined
  const { href, origin } = new URL(issuer)
  if (href !== `${origin}/`) return undefined
  return issuer.endsWith("/") ? origin : href
}

/** Reports that the account has no external identity with this uuid. */
export class IdentityNotFound extends Schema.TaggedError<IdentityNotFound>()("IdentityNotFound", {}) {}
/** Reports that the external identity is already linked to another account. */
export class IdentityTaken extends Schema.TaggedError<IdentityTaken>()("IdentityTaken", { issuer: Schema.String }) {}
/** Reports that an external identity cannot be unlinked, because the account has no other way to sign in. */
export class LastIdentity extends Schema.TaggedError<LastIdentity>()("LastIdentity", {}) {}
