import { Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { NetAddress } from "effect/net"
import { callerAddress, isWithin } from "../../../callerAddress.ts"
import type { SignInSettings } from "../../base/settings/SiteSettings.ts"
import type { SshKey } from "../keys/SshKey.ts"
import type { UserId } from "../users/User.ts"
import { isTokenText } from "./AccessToken.ts"
import type { SignedRequest } from "./RequestSignature.ts"

/** The credentials of a request, as received. */
export interface Presented {
  readonly authorization?: string | undefined
  /** The query parameter `token`. */
  readonly token?: string | undefined
  /** The query parameter `access_token`. */
  readonly accessToken?: string | undefined
  readonly oneTimeCode?: string | undefined
  /** The request itself, if it is signed. */
  readonly signed?: SignedRequest | undefined
  /** The cookie of a session. */
  readonly session?: string | undefined
  /** The header in which a reverse proxy names the user it has signed in. */
  readonly proxyUser?: string | undefined
  /** The header `X-Forwarded-For`. */
  readonly forwardedFor?: string | undefined
  /** The address at the other end of the connection. */
  readonly address: NetAddress.IpAddress
  /** All headers, by lowercase name, for a custom `Authenticator`. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

/**
 * The credential of a caller. It does not contain its position in the request, so no decision depends on that
 * (invariant I2).
 */
export type Credential =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Token"; readonly token: Redacted.Redacted }
  | {
      readonly _tag: "Password"
      readonly name: string
      readonly password: Redacted.Redacted
      readonly oneTimeCode: Redacted.Redacted | undefined
    }
  | { readonly _tag: "ProxyUser"; readonly name: string }
  /** A signature that is not yet verified; `again` for one that has authenticated a request before. */
  | { readonly _tag: "Signature"; readonly request: SignedRequest; readonly again: boolean }
  /** A user with a key that signed the request: a stored key, or a certified one. */
  | { readonly _tag: "Signer"; readonly userId: UserId; readonly name: string; readonly key: SshKey | undefined }
  /** A token known only by its hash, from a registry token of its holder. */
  | { readonly _tag: "TokenHash"; readonly hash: string }
  /** A user with a sign-in token from a registry, with the password's mark if a password was used. */
  | { readonly _tag: "Lent"; readonly userId: UserId; readonly name: string; readonly mark: string | null }
  | { readonly _tag: "Unreadable" }

const nothing: Credential = { _tag: "Nothing" }
const unreadable: Credential = { _tag: "Unreadable" }

const tokenOf = (text: string): Credential =>
  isTokenText(text) ? { _tag: "Token", token: Redacted.make(text) } : unreadable

const decoder = new TextDecoder("utf-8", { fatal: true })
const longestHeader = 4_096

const basic = (encoded: string, oneTimeCode: string | undefined): Credential => {
  const text = Result.flatMap(Base64.decode(encoded), (bytes) =>
    Result.try({ try: () => decoder.decode(bytes), catch: () => undefined })
  )
  if (Result.isFailure(text)) return unreadable
  const colon = text.success.indexOf(":")
  if (colon < 0) return unreadable
  const name = text.success.slice(0, colon)
  const password = text.success.slice(colon + 1)
  // A token is recognized in any position: it never counts as a password.
  const token = [name, password].find(isTokenText)
  if (token !== undefined) return tokenOf(token)
  return {
    _tag: "Password",
    name,
    password: Redacted.make(password),
    oneTimeCode: oneTimeCode === undefined ? undefined : Redacted.make(oneTimeCode)
  }
}

const header = (text: string, oneTimeCode: string | undefined): Credential => {
  const [scheme = "", value = "", ...more] = text.trim().split(/[ \t]+/)
  if (text.length > longestHeader || value === "" || more.length > 0) return unreadable
  switch (scheme.toLowerCase()) {
    case "token":
    case "bearer":
      return tokenOf(value)
    case "basic":
      return basic(value, oneTimeCode)
    default:
      return unreadable
  }
}

/** The prefix of the `Authorization` header of a signed request. */
export const signatureScheme = /^\s*signature\s/i

/** Returns whether forwarded headers from an address are trusted. */
export const trusts = (settings: SignInSettings, address: NetAddress.IpAddress): boolean =>
  isWithin(settings.trustedProxies, address)

/**
 * Returns the credential of a request.
 *
 * Only one is used if several are sent, in this order: the `Authorization` header, a signature, the query, the header
 * of a trusted proxy, a session cookie. A disabled credential, or one from an untrusted address, counts as not sent
 * (invariant I17).
 */
export const credentialOf = (presented: Presented, settings: SignInSettings): Credential => {
  const { accessToken, authorization, oneTimeCode, proxyUser, session, signed, token } = presented
  if (signed !== undefined && (authorization === undefined || signatureScheme.test(authorization))) {
    return { _tag: "Signature", request: signed, again: false }
  }
  if (authorization !== undefined) return header(authorization, oneTimeCode)
  const query = token ?? accessToken
  if (query !== undefined && settings.queryTokens) return tokenOf(query)
  if (proxyUser !== undefined && settings.proxyUser && trusts(settings, presented.address)) {
    return { _tag: "ProxyUser", name: proxyUser }
  }
  return session === undefined ? nothing : tokenOf(session)
}

/** Returns whether a request uses the deprecated query parameters, for which the response contains a warning. */
export const usesQueryToken = ({ accessToken, token }: Presented): boolean =>
  token !== undefined || accessToken !== undefined

/** Returns the client address of a request, as the trusted proxies report it. */
export const addressOf = (presented: Presented, { trustedProxies }: SignInSettings): NetAddress.IpAddress =>
  callerAddress(presented, trustedProxies)
