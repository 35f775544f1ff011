import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"
import type { AccountUuid } from "../accounts/Account.ts"

/** The uuid of a session. */
export const SessionUuid = Uuid.pipe(Schema.brand("SessionUuid"))
export type SessionUuid = typeof SessionUuid.Type

/** A session of an account in a browser; only a hash of the session secret is stored. */
export interface Session {
  readonly uuid: SessionUuid
  readonly accountUuid: AccountUuid
  /** The SHA-256 of the session credential, in hexadecimal digits. */
  readonly hash: string
  /** The user agent of the browser. */
  readonly agent: string
  /** The IP address of the browser at the sign-in. */
  readonly address: string
  readonly expiresAt: string
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

/** The lifetime of a session, in days. */
export const sessionLasts = 14

/** The maximum number of sessions of an account; a new session replaces the oldest. */
export const mostSessions = 100

/** The maximum length of a stored user agent, in characters. */
export const longestAgent = 200

const prefix = "sls_"
const form = /^sls_[A-Za-z0-9]{40}$/

/** Returns the session credential for a secret of 40 letters and digits: the secret with the prefix `sls_`. */
export const sessionText = (secret: string): string => `${prefix}${secret}`

/** Returns whether a text has the format of a session credential: `sls_` and 40 letters and digits. */
export const isSessionText = (text: string): boolean => form.test(text)

/** Reports that the account has no session with this uuid. */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {}) {}
/** Reports that a sign-in failed: the name or the password is wrong, or the account is disabled. */
export class SignInRejected extends Schema.TaggedError<SignInRejected>()("SignInRejected", {
  because: Schema.Literals(["credentials", "disabled"])
}) {}
/** Reports that a password cannot be changed, because the account has no password. */
export class NoPassword extends Schema.TaggedError<NoPassword>()("NoPassword", {}) {}
