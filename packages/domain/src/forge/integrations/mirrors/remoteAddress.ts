/** The URL of a repository at another host, split into a URL without credentials, the user name and the password. */
export interface RemoteAddress {
  /** The URL without credentials, query and fragment. */
  readonly url: string
  readonly username: string
  readonly password: string
}

const longest = 2_000

/** Decodes percent-encoding; returns the text unchanged if it cannot be decoded. */
export const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Splits an HTTP or HTTPS URL of a repository into URL and credentials. Returns undefined for any other text.
 *
 * @example
 * remoteAddress("https://ann:secret@git.example/ann/app.git") // => { url: "https://git.example/ann/app.git", username: "ann", password: "secret" }
 * remoteAddress("file:///etc") // => undefined
 * remoteAddress("https://git.example/a b") // => undefined
 * remoteAddress("https://git.example") // => undefined
 */
export const remoteAddress = (text: string): RemoteAddress | undefined => {
  if (text.length > longest || /[\s\p{Cc}\\]/u.test(text) || !/^https?:\/\//i.test(text)) return undefined
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const [username, password] = [percentDecoded(url.username), percentDecoded(url.password)]
  url.username = ""
  url.password = ""
  url.search = ""
  url.hash = ""
  const isRoot = url.pathname.replaceAll("/", "") === ""
  return isRoot || /[\p{Cc}]/u.test(username + password) ? undefined : { url: url.href, username, password }
}

/** The error message for an invalid URL of a remote repository. */
export const addressProblem = "must be an address of a repository that begins with http:// or https://"
