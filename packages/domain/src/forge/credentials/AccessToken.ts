import { Effect, type Redacted, Schema } from "effect"
import { Digest } from "effect/crypto"
import { makeSecret } from "../../Ids.ts"
import type { ScopeWord } from "../access/Scope.ts"
import type { UserId } from "../accounts/User.ts"

/** The schema of the number of an access token. */
export const TokenId = Schema.Int.pipe(Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type

/** An access token of a user, without its secret: that is shown once, and stored as a hash. */
export interface AccessToken {
  readonly id: TokenId
  readonly userId: UserId
  /** What the user calls it; the only one of that name among the user's tokens, ignoring case. */
  readonly name: string
  readonly scopes: ReadonlyArray<ScopeWord>
  readonly lastEight: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

/** Reports that the user has no such token, or that the request came without one. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", {}) {}
/** Reports that the user has a token of that name. */
export class TokenNameTaken extends Schema.TaggedError<TokenNameTaken>()("TokenNameTaken", { name: Schema.String }) {}
/** Reports that a token would open nothing. */
export class TokenWithoutScope extends Schema.TaggedError<TokenWithoutScope>()("TokenWithoutScope", {}) {}
/** Reports that a token would have expired before it was made. */
export class TokenExpired extends Schema.TaggedError<TokenExpired>()("TokenExpired", {}) {}

const prefix = "slp_"
const form = /^slp_[A-Za-z0-9]{40}$/

/**
 * Tells whether a text has the form of an access token, wherever it stands.
 *
 * No password may have it, so that a token stays a token in every place it is sent (invariant I2).
 */
export const isTokenText = (text: string): boolean => form.test(text)

/** Makes the text of a new token: about 238 bits that nobody can guess. */
export const makeTokenText: Effect.Effect<string, never, Effect.Services<typeof makeSecret>> = Effect.map(
  makeSecret,
  (secret) => `${prefix}${secret}`
)

/** Returns the hash by which a secret that nobody can guess is stored: SHA-256, in hex. */
export const hashOf = Effect.fnUntraced(function* (secret: string) {
  const digest = yield* Digest.Digest
  return yield* digest.digestHex(Digest.sha256, new TextEncoder().encode(secret))
})

/** A token as it is shown once, to whoever made it. */
export interface MintedToken {
  readonly token: AccessToken
  readonly plain: Redacted.Redacted
}
