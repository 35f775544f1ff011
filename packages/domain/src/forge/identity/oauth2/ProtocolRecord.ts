import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { UserId } from "../users/User.ts"
import type { OAuth2ApplicationId } from "./OAuth2Application.ts"

/**
 * A stored record of OAuth2 and OpenID Connect: for example an authorization code, a consent, or a sign-in in progress.
 */
export interface ProtocolRecord {
  readonly id: number
  /** The type of the record, as named by the OpenID library, such as `AuthorizationCode`. */
  readonly model: string
  /** The user that the record belongs to; null if no user has signed in yet. */
  readonly userId: UserId | null
  /** The client application that the record belongs to; null if none. */
  readonly applicationId: OAuth2ApplicationId | null
  /** The hash of the id of the consent that the record belongs to; the record is removed with the consent. */
  readonly grant: string | null
  /** The hash of a second lookup key that is not a secret, such as the code that users enter in the device flow. */
  readonly alias: string | null
  readonly payload: Readonly<Record<string, unknown>>
  /** The time when a single-use record was used; null if it is unused. */
  readonly consumedAt: string | null
  readonly expiresAt: string | null
}

/** The records of OAuth2 and OpenID Connect, found by the hashes of their random ids. */
export const protocolRecords = owned<ProtocolRecord, { readonly hash: string }>()("protocolRecord", {
  within: [],
  fields: {
    model: Fields.text(),
    userId: Fields.nullable(Fields.reference<UserId>("user")),
    applicationId: Fields.nullable(Fields.reference<OAuth2ApplicationId>("oauth2Application")),
    grant: Fields.nullable(Fields.text()),
    alias: Fields.nullable(Fields.text()),
    payload: Fields.json(),
    consumedAt: Fields.nullable(Fields.time()),
    expiresAt: Fields.nullable(Fields.time())
  },
  hidden: { hash: Fields.text() },
  filters: ["model", "userId", "applicationId", "grant", "expiresAt"],
  unique: { hash: ["model", "hash"], alias: ["model", "alias"] }
})
