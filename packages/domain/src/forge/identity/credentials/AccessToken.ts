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

/** The origin of a token: created by its user, by a client's consent, by a browser sign-in, or for a job. */
export type TokenKind = "personal" | "oauth2" | "session" | "job"

/** The kinds of token. */
export const tokenKinds: ReadonlyArray<TokenKind> = ["personal", "oauth2", "session", "job"]

/** An access token of a user, without its secret, which is shown once and stored as a hash. */
export interface AccessToken extends TokenTask {
  readonly id: TokenId
  readonly userId: UserId
  readonly kind: TokenKind
  /** The client that has the token, which is revoked with it. */
  readonly applicationId: OAuth2ApplicationId | null
  /** The consent through which a client got the token; tokens of one consent are revoked together. */
  readonly grant: string | null
  /** The origin of the token: for a client its protocol data, for a browser its name and address. */
  readonly origin: Readonly<Record<string, unknown>>
  /** The name from the user; unique among the user's tokens, ignoring case. */
  readonly name: string
  readonly scopes: ReadonlyArray<ScopeWord>
  readonly lastEight: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

/** The access tokens of users, found by the hashes of their secrets, which no response contains. */
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

/** A token without an id, with the hash of its secret. */
export interface NewAccessToken extends Omit<AccessToken, "id"> {
  readonly hash: string
}

/** Reports that the user has no such token, or that the request had none. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", {}) {}
/** Reports that the user has a token with that name. */
export class TokenNameTaken extends Schema.TaggedError<TokenNameTaken>()("TokenNameTaken", { name: Schema.String }) {}
/** Reports that a token would have no scope. */
export class TokenWithoutScope extends Schema.TaggedError<TokenWithoutScope>()("TokenWithoutScope", {}) {}
/** Reports that a token is not a one-time token, or was exchanged already. */
export class TokenNotOneTime extends Schema.TaggedError<TokenNotOneTime>()("TokenNotOneTime", {}) {}
/** Reports that a token cannot be rotated: no user created it, or it is the unconfirmed successor of another one. */
export class TokenNotRotatable extends Schema.TaggedError<TokenNotRotatable>()("TokenNotRotatable", {}) {}
/** Reports that a token would already be expired. */
export class TokenExpired extends Schema.TaggedError<TokenExpired>()("TokenExpired", {}) {}

/** How long a one-time token can be exchanged, in minutes. */
export const exchangeMinutes = 10

/** The scopes and the expiry of the token that a one-time token is exchanged for. */
export const Exchange = Schema.Struct({
  scopes: Schema.Array(Schema.Literals(scopeWords)),
  expiresAt: Schema.NullOr(Schema.String)
})
export type Exchange = typeof Exchange.Type

const isExchange = Schema.is(Exchange)

/** Returns what a one-time token is exchanged for; undefined for another token. */
export const exchangeOf = ({ kind, origin }: Pick<AccessToken, "kind" | "origin">): Exchange | undefined =>
  kind === "personal" && isExchange(origin.exchange) ? origin.exchange : undefined

const isTokenId = Schema.is(TokenId)

const partnerOf = ({ kind, origin }: Pick<AccessToken, "kind" | "origin">, role: "predecessor" | "successor") => {
  const id = origin[role]
  return kind === "personal" && isTokenId(id) ? id : undefined
}

/** Returns the token that replaces a token once its rotation is confirmed; undefined if it is not being rotated. */
export const successorOf = (token: Pick<AccessToken, "kind" | "origin">) => partnerOf(token, "successor")

/** Returns the token that an unconfirmed successor replaces; undefined for another token. */
export const predecessorOf = (token: Pick<AccessToken, "kind" | "origin">) => partnerOf(token, "predecessor")

/** The maximum length of the first part of a successor's name. */
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
 * Returns whether a text has the form of an access token, in any position of a request.
 *
 * Passwords must not have this form, so that a token is recognized wherever it is sent (invariant I2).
 */
export const isTokenText = (text: string): boolean => form.test(text)

/** Returns the text of a token with a secret of 40 letters and digits. */
export const tokenText = (secret: string): string => `${prefix}${secret}`

/** Generates the text of a new token: about 238 bits of randomness. */
export const makeTokenText: Effect.Effect<string, never, Effect.Services<typeof makeSecret>> = Effect.map(
  makeSecret,
  tokenText
)

/** A new token, shown once to its creator. */
export interface MintedToken {
  readonly token: AccessToken
  readonly plain: Redacted.Redacted
}
