import { Effect, type Redacted, Schema } from "effect"
import { makeSecret } from "../../../Ids.ts"
import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import { type ScopeWord, scopeWords } from "../../access/facts/Scope.ts"
import type { OAuth2ApplicationId } from "../oauth2/OAuth2Application.ts"
import type { UserId } from "../users/User.ts"
import type { TokenTask } from "../viewers/JobTask.ts"

/** The schema of the id of an access token. */
export const TokenId = Schema.Int.pipe(Schema.brand("TokenId"))
export type TokenId = typeof TokenId.Type

/**
 * The origin of a token: created by its user, granted to an OAuth2 client, created by a browser sign-in, or created for
 * an actions job.
 */
export type TokenKind = "personal" | "oauth2" | "session" | "job"

/** All origins of tokens. */
export const tokenKinds: ReadonlyArray<TokenKind> = ["personal", "oauth2", "session", "job"]

/** An access token of a user, without its secret, which is shown once and stored as a hash. */
export interface AccessToken extends TokenTask {
  readonly id: TokenId
  readonly userId: UserId
  readonly kind: TokenKind
  /** The OAuth2 application that the token was granted to; the token is revoked when the application is removed. */
  readonly applicationId: OAuth2ApplicationId | null
  /**
   * The id of the user's consent to an OAuth2 client; all tokens of one consent are revoked together. Null for other
   * tokens.
   */
  readonly grant: string | null
  /** Details by origin: protocol data for an OAuth2 client, the browser's name and address for a session. */
  readonly origin: Readonly<Record<string, unknown>>
  /** The name that the user gave the token; unique among the user's tokens, ignoring case. */
  readonly name: string
  readonly scopes: ReadonlyArray<ScopeWord>
  readonly lastEight: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

/** The declaration of access tokens. The hash of the secret is used for lookups, and is never returned. */
export const accessTokens = owned<AccessToken, { readonly hash: string }>()("accessToken", {
  within: ["userId"],
  fields: {
    userId: Fields.reference("user"),
    kind: Fields.oneOf("personal", "oauth2", "session", "job"),
    applicationId: Fields.nullable(Fields.reference("oauth2Application")),
    grant: Fields.nullable(Fields.text()),
    origin: Fields.json(),
    jobId: Fields.nullable(Fields.integer()),
    repositoryId: Fields.nullable(Fields.reference("repository")),
    jobLevel: Fields.nullable(Fields.integer()),
    name: Fields.text({ ignoringCase: true }),
    scopes: Fields.json(),
    lastEight: Fields.text(),
    expiresAt: Fields.nullable(Fields.time()),
    lastUsedAt: Fields.nullable(Fields.time()),
    createdAt: Fields.time()
  },
  hidden: { hash: Fields.text() },
  filters: ["kind", "grant", "expiresAt"],
  unique: { name: ["userId", "name"], hash: ["hash"] }
})

/** A token to insert: no id yet, with the hash of its secret. */
export interface NewAccessToken extends Omit<AccessToken, "id"> {
  readonly hash: string
}

/** Reports that the user has no token with this id, or that the request was not authenticated with a token. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", {}) {}
/** Reports that the user already has a token with this name. */
export class TokenNameTaken extends Schema.TaggedError<TokenNameTaken>()("TokenNameTaken", { name: Schema.String }) {}
/** Reports that a token cannot be created, because no scope was requested. */
export class TokenWithoutScope extends Schema.TaggedError<TokenWithoutScope>()("TokenWithoutScope", {}) {}
/** Reports that a token cannot be exchanged: it is not a one-time token, or it was exchanged already. */
export class TokenNotOneTime extends Schema.TaggedError<TokenNotOneTime>()("TokenNotOneTime", {}) {}
/**
 * Reports that a token cannot be rotated: it was not created by a user, or it is itself a successor that is not
 * confirmed yet.
 */
export class TokenNotRotatable extends Schema.TaggedError<TokenNotRotatable>()("TokenNotRotatable", {}) {}
/** Reports that the requested expiry of a token is in the past. */
export class TokenExpired extends Schema.TaggedError<TokenExpired>()("TokenExpired", {}) {}

/** The time in which a one-time token can be exchanged for an access token, in minutes. */
export const exchangeMinutes = 10

/** The scopes and the expiry of the access token for which a one-time token is exchanged; a null expiry means never. */
export const Exchange = Schema.Struct({
  scopes: Schema.Array(Schema.Literals(scopeWords)),
  expiresAt: Schema.NullOr(Schema.String)
})
export type Exchange = typeof Exchange.Type

const isExchange = Schema.is(Exchange)

/**
 * Returns the scopes and the expiry for which a one-time token is exchanged; undefined if the token is not a one-time
 * token.
 */
export const exchangeOf = ({ kind, origin }: Pick<AccessToken, "kind" | "origin">): Exchange | undefined =>
  kind === "personal" && isExchange(origin.exchange) ? origin.exchange : undefined

const isTokenId = Schema.is(TokenId)

const partnerOf = ({ kind, origin }: Pick<AccessToken, "kind" | "origin">, role: "predecessor" | "successor") => {
  const id = origin[role]
  return kind === "personal" && isTokenId(id) ? id : undefined
}

/**
 * Returns the id of the token that replaces this token once its rotation is confirmed; undefined if no rotation is
 * pending.
 */
export const successorOf = (token: Pick<AccessToken, "kind" | "origin">) => partnerOf(token, "successor")

/**
 * Returns the id of the token that this token will replace once its rotation is confirmed; undefined if it replaces
 * none.
 */
export const predecessorOf = (token: Pick<AccessToken, "kind" | "origin">) => partnerOf(token, "predecessor")

/** The maximum number of characters of the original name that the name of a successor contains. */
const mostKept = 200

/**
 * Returns the name of a token's successor, which contains the time of the rotation.
 *
 * @example
 * successorName("platform", "2026-02-01T00:00:00.000Z") // => "platform (rotated 2026-02-01T00:00:00.000Z)"
 */
export const successorName = (name: string, at: string): string =>
  `${name.slice(0, mostKept).toWellFormed()} (rotated ${at})`

const prefix = "slp_"
const form = /^slp_[A-Za-z0-9]{40}$/

/**
 * Returns whether a text has the form of an access token.
 *
 * Passwords must not have this form. So a token is recognized in every place of a request, even in place of a password
 * (invariant I2).
 */
export const isTokenText = (text: string): boolean => form.test(text)

/** Returns the full text of an access token (prefix and secret) from a secret of 40 letters and digits. */
export const tokenText = (secret: string): string => `${prefix}${secret}`

/** Generates the text of a new token: about 238 bits of randomness. */
export const makeTokenText: Effect.Effect<string, never, Effect.Services<typeof makeSecret>> = Effect.map(
  makeSecret,
  tokenText
)

/** A new access token with its secret, which is returned only once, to its creator. */
export interface MintedToken {
  readonly token: AccessToken
  readonly plain: Redacted.Redacted
}
