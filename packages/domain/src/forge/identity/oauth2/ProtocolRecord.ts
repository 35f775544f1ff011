import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { UserId } from "../users/User.ts"
import type { OAuth2ApplicationId } from "./OAuth2Application.ts"

/** A record of the sign-in protocol for clients: a code, a consent, or a page that waits for an answer. */
export interface ProtocolRecord {
  readonly id: number
  /** The type of the record, in the protocol's words. */
  readonly model: string
  /** The user that it belongs to, if already known. */
  readonly userId: UserId | null
  /** The client that it is for, if any. */
  readonly applicationId: OAuth2ApplicationId | null
  /** The consent that created it and ends with it, as a hash. */
  readonly grant: string | null
  /** A second lookup key that is not a secret, such as the code that users enter, as a hash. */
  readonly alias: string | null
  readonly payload: Readonly<Record<string, unknown>>
  /** The time of its use, if it can be used only once. */
  readonly consumedAt: string | null
  readonly expiresAt: string | null
}

/** The records of the sign-in protocol for clients, found by the hashes of random secrets. */
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
