import { Base64 } from "effect/encoding"

/** A URL without credentials, and the `Authorization` header that replaces the credentials. */
export interface SplitAddress {
  readonly url: string
  /**
   * The value of the `Authorization` header for the user name and password of the URL; undefined if the URL had none.
   */
  readonly authorization: string | undefined
}

const encoder = new TextEncoder()
// A host follows any number of slashes.
const beforeHost = /^(https?:\/\/)[/\\]*[^/\\?#]*@/iu

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Splits a URL into a URL without credentials and an equivalent `Authorization` header. Returns undefined if the
 * credentials cannot be decoded.
 *
 * @example
 * splitAddress("https://ann:a%20b@ci.example/hook?a=@") // => { url: "https://ci.example/hook?a=@", authorization: "Basic YW5uOmEgYg==" }
 * splitAddress("https:///ann:b@ci.example/") // => { url: "https://ci.example/", authorization: "Basic YW5uOmI=" }
 * splitAddress("https://ci.example/hook") // => { url: "https://ci.example/hook", authorization: undefined }
 * splitAddress("https://ann:%ff@ci.example/") // => undefined
 */
export const splitAddress = (text: string): SplitAddress | undefined => {
  if (!beforeHost.test(text) || !URL.canParse(text)) return { url: text, authorization: undefined }
  const { password, username } = new URL(text)
  const url = text.replace(beforeHost, "$1")
  if (username === "" && password === "") return { url, authorization: undefined }
  const [name, word] = [decoded(username), decoded(password)]
  if (name === undefined || word === undefined) return undefined
  return { url, authorization: `Basic ${Base64.encode(encoder.encode(`${name}:${word}`))}` }
}

/** Returns a URL for display, without the credentials before its host (invariant I15). */
export const shownAddress = (text: string): string => text.replace(beforeHost, "$1")
