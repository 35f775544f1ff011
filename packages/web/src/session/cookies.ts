import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** The name of the session cookie of the forge. */
export const forgeSession = "slipway_session"

/**
 * Returns the names of the cookies. On HTTPS, they have the prefix `__Host-`, because browsers accept such cookies only
 * from the host itself.
 */
export const cookieNames = (secure: boolean, session: string = forgeSession) => {
  const prefix = secure ? "__Host-" : ""
  return { session: `${prefix}${session}`, form: `${prefix}slipway_form` }
}

/** Reads the cookies of a request. */
export const cookiesOf = (headers: Headers): ReadonlyMap<string, string> =>
  new Map(
    (headers.get("cookie") ?? "").split(";").flatMap((each): ReadonlyArray<[string, string]> => {
      const equals = each.indexOf("=")
      return equals < 0 ? [] : [[each.slice(0, equals).trim(), each.slice(equals + 1).trim()]]
    })
  )

const attributes = (secure: boolean): string => `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`

/** Returns the `Set-Cookie` header for a cookie that lasts until the browser closes. */
export const setCookie = (name: string, value: string, secure: boolean): string =>
  `${name}=${value}; ${attributes(secure)}`

/** Returns the header that removes a cookie. */
export const removeCookie = (name: string, secure: boolean): string => `${name}=; Max-Age=0; ${attributes(secure)}`

const secretForm = /^[A-Za-z0-9]{40}$/

/** Returns the secret from which the CSRF token of a browser is derived, if the cookie contains a valid secret. */
export const formSecretIn = (cookie: string | undefined): string | undefined =>
  cookie !== undefined && secretForm.test(cookie) ? cookie : undefined

const secretAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/** Generates the secret from which the CSRF token of a browser is derived: 40 letters and digits. */
export const makeFormSecret = (): string => {
  let secret = ""
  // Bytes above the last multiple of 62 are dropped, so that every character is equally likely.
  while (secret.length < 40) for (const byte of randomBytes(48)) if (byte < 248) secret += secretAlphabet[byte % 62]
  return secret.slice(0, 40)
}

/** Derives the CSRF token of the forms of a browser. `packages/http` derives it in the same way. */
export const csrfToken = (secret: string): string => createHash("sha256").update(`form of ${secret}`).digest("hex")

/** Returns whether a submitted form has the correct CSRF token. Compares in constant time. */
export const isOwnForm = (token: string, sent: string | null): boolean => {
  const [one, other] = [Buffer.from(token), Buffer.from(sent ?? "")]
  return one.length === other.length && timingSafeEqual(one, other)
}
