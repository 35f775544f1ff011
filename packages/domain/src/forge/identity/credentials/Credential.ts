import { Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { NetAddress } from "effect/net"
import { callerAddress, isWithin } from "../../../callerAddress.ts"
import type { SignInSettings } from "../../base/settings/SiteSettings.ts"
import type { SshKey } from "../keys/SshKey.ts"
import type { UserId } from "../users/User.ts"
import { isTokenText } from "./AccessToken.ts"
import type { SignedRequest } from "./RequestSignature.ts"

/** The credentials of a request, as received, before one is chosen. */
export interface Presented {
  readonly authorization?: string | undefined
  /** The token in the query parameter `token`. */
  readonly token?: string | undefined
  /** The token in the query parameter `access_token`. */
  readonly accessToken?: string | undefined
  readonly oneTimeCode?: string | undefined
  /** The parts of the request that a signature covers; undefined if the request is not signed. */
  readonly signed?: SignedRequest | undefined
  /** The session token in the session cookie. */
  readonly session?: string | undefined
  /** The user name in the header that a trusted reverse proxy sets after it authenticated the user. */
  readonly proxyUser?: string | undefined
  /** The value of the header `X-Forwarded-For`. */
  readonly forwardedFor?: string | undefined
  /** The address of the direct peer of the connection, which may be a proxy. */
  readonly address: NetAddress.IpAddress
  /** All request headers by lowercase name, for a custom `Authenticator`. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

/**
 * The credential that a request is authenticated with. It does not contain where in the request it was sent, so access
 * decisions cannot depend on that (invariant I2).
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
  /**
   * A request signature that is not verified yet; `again` is true if the signature was already used for a request
   * (replay).
   */
  | { readonly _tag: "Signature"; readonly request: SignedRequest; readonly again: boolean }
  /** A user who signed the request with an SSH key. `key` is the stored key; undefined for a key with a certificate. */
  | { readonly _tag: "Signer"; readonly userId: UserId; readonly name: string; readonly key: SshKey | undefined }
  /**
   * An access token of which only the hash is known, because the request uses a registry token issued for that access
   * token.
   */
  | { readonly _tag: "TokenHash"; readonly hash: string }
  /**
   * A user with a short-lived registry token. `mark` identifies the password used to get it; null for sign-in without a
   * password.
   */
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

/** Matches the scheme of an `Authorization` header that contains a request signature. */
export const signatureScheme = /^\s*signature\s/i

/** Returns whether an address is a trusted proxy, from which forwarded headers are accepted. */
export const trusts = (settings: SignInSettings, address: NetAddress.IpAddress): boolean =>
  isWithin(settings.trustedProxies, address)

/**
 * Returns the credential with which a request is authenticated.
 *
 * If a request has several credentials, the first one in this order is used: the `Authorization` header, a signature,
 * the query, the header of a trusted proxy, a session cookie. A disabled credential type, or a proxy header from an
 * untrusted address, is ignored (invariant I17).
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

/**
 * Returns whether a request contains a token in the deprecated query parameters; the response then contains a warning.
 */
export const usesQueryToken = ({ accessToken, token }: Presented): boolean =>
  token !== undefined || accessToken !== undefined

/** Returns the address of the client: the one reported by trusted proxies, otherwise that of the connection. */
export const addressOf = (presented: Presented, { trustedProxies }: SignInSettings): NetAddress.IpAddress =>
  callerAddress(presented, trustedProxies)
