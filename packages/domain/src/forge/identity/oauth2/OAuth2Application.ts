import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { UserId } from "../users/User.ts"

/** The schema of the id of an OAuth2 application. */
export const OAuth2ApplicationId = Schema.Int.pipe(Schema.brand("OAuth2ApplicationId"))
export type OAuth2ApplicationId = typeof OAuth2ApplicationId.Type

/** The settings of an OAuth2 application. */
export interface OAuth2ApplicationSettings {
  readonly name: string
  /** The allowed redirect URIs, which are compared exactly. */
  readonly redirectUris: ReadonlyArray<string>
  /** Whether the client can keep a secret. A public client, such as a mobile app, has no secret and must use PKCE. */
  readonly confidential: boolean
  /** Whether the consent page is skipped for users who already consented. */
  readonly skipsConsent: boolean
}

/** An OAuth2 client that users authorize to act for them. */
export interface OAuth2Application extends OAuth2ApplicationSettings {
  readonly id: OAuth2ApplicationId
  readonly userId: UserId
  readonly clientId: string
  readonly createdAt: string
}

/** The stored hashes of the secrets of an application; the successor works too, until it is confirmed or replaced. */
export interface OAuth2Secrets {
  readonly secretHash: string
  readonly successorHash: string | null
}

/** The declaration of OAuth2 applications of users, in the order of their creation. */
export const oauth2Applications = owned<OAuth2Application, OAuth2Secrets>()("oauth2Application", {
  within: ["userId"],
  fields: {
    userId: Fields.reference("user"),
    name: Fields.text(),
    clientId: Fields.text(),
    redirectUris: Fields.json(),
    confidential: Fields.boolean(),
    skipsConsent: Fields.boolean(),
    createdAt: Fields.time()
  },
  hidden: { secretHash: Fields.text(), successorHash: Fields.nullable(Fields.text()) },
  orders: { id: ascending() },
  unique: { clientId: ["clientId"], secret: ["secretHash"], successor: ["successorHash"] }
})

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
// Schemes that a browser runs or shows itself cannot be redirect targets of a client.
const browserSchemes = /^(javascript|data|vbscript|file|blob|about|ftp|wss?):$/

/**
 * Returns the error message for an invalid redirect URI; undefined if it is valid.
 *
 * @example
 * redirectUriProblem("https://app.example/callback") // => undefined
 * redirectUriProblem("http://127.0.0.1:8400/") // => undefined
 * redirectUriProblem("com.example.app:/callback") // => undefined
 * redirectUriProblem("http://app.example/callback") // => "must begin with https://, except for a loopback address"
 * redirectUriProblem("javascript:alert(1)") // => "must be the redirect URI of a client"
 */
export const redirectUriProblem = (text: string): string | undefined => {
  if (text.length > 2_000 || /[\s\p{Cc}*\\]/u.test(text) || !URL.canParse(text)) return "must be an absolute URL"
  const { hash, hostname, password, protocol, username } = new URL(text)
  if (browserSchemes.test(protocol)) return "must be the redirect URI of a client"
  if (hash !== "" || text.endsWith("#") || username !== "" || password !== "") {
    return "must have no fragment, name or password"
  }
  return protocol === "http:" && !loopback.test(hostname)
    ? "must begin with https://, except for a loopback address"
    : undefined
}

/** The maximum number of redirect URIs of an application. */
export const mostRedirectUris = 20

/** The maximum number of OAuth2 applications that a user can own. */
export const mostOAuth2Applications = 100

/** Reports that the user has no OAuth2 application with this id. */
export class OAuth2ApplicationNotFound extends Schema.TaggedError<OAuth2ApplicationNotFound>()(
  "OAuth2ApplicationNotFound",
  { id: Schema.Number }
) {}
/** Reports that the requested settings of an OAuth2 application are invalid. */
export class OAuth2ApplicationInvalid extends Schema.TaggedError<OAuth2ApplicationInvalid>()(
  "OAuth2ApplicationInvalid",
  { field: Schema.String, problem: Schema.String }
) {}
/** Reports that no OAuth2 client has the id and the secret of a request. */
export class OAuth2SecretRejected extends Schema.TaggedError<OAuth2SecretRejected>()("OAuth2SecretRejected", {}) {}
/** Reports that the user cannot add an OAuth2 application, because the maximum number is reached. */
export class TooManyOAuth2Applications extends Schema.TaggedError<TooManyOAuth2Applications>()(
  "TooManyOAuth2Applications",
  { most: Schema.Int }
) {}
