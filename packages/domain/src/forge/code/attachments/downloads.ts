/** The image types that browsers display without running scripts; SVG can contain scripts and is excluded. */
const shown: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/bmp"
])

/** The content types other than media that downloads keep, because browsers run no scripts in such files. */
const inert: ReadonlySet<string> = new Set(["application/gzip", "application/pdf", "application/zip"])

const longestName = 255

/**
 * Returns the reason why the name of a file is invalid; undefined if it is valid.
 *
 * @example
 * fileNameProblem("a/b") // => "must have no slash, no backslash and no control character"
 */
export const fileNameProblem = (name: string): string | undefined => {
  if (name.trim() === "" || name === "." || name === "..") return "must not be empty"
  if (name.length > longestName) return `must have at most ${longestName} characters`
  return /[/\\\p{Cc}\p{Cs}]/u.test(name) ? "must have no slash, no backslash and no control character" : undefined
}

const longestLink = 2_000

/**
 * Parses the URL of a file that is stored elsewhere; undefined if browsers must not be redirected to it.
 *
 * @example
 * externalLink("https://cdn.example/a b.zip") // => "https://cdn.example/a%20b.zip"
 * externalLink("javascript:alert(1)") // => undefined
 * externalLink("https://slipway.example@evil.example/a") // => undefined
 */
export const externalLink = (text: string): string | undefined => {
  if (text.length > longestLink || !URL.canParse(text)) return undefined
  const { href, password, protocol, username } = new URL(text)
  const isPlain = (protocol === "http:" || protocol === "https:") && username === "" && password === ""
  return isPlain && href.length <= longestLink ? href : undefined
}

/**
 * Returns the file name at the end of a URL's path; the host name if the path has no file name.
 *
 * @example
 * fileNameIn("https://cdn.example/v1/a%20b.zip?x=1") // => "a b.zip"
 * fileNameIn("https://cdn.example/") // => "cdn.example"
 */
export const fileNameIn = (link: string): string => {
  const { hostname, pathname } = new URL(link)
  const last = pathname.split("/").at(-1) ?? ""
  try {
    return decodeURIComponent(last) || hostname
  } catch {
    return last
  }
}

/**
 * Returns whether an allowlist such as `.zip,image/*` accepts an upload, by its file name or its content type.
 *
 * @example
 * isAllowedType(".zip, image/*", "a.png", "image/png") // => true
 * isAllowedType("image/*", "a.png", "text/html") // => false
 */
export const isAllowedType = (allowed: string, name: string, type: string): boolean =>
  allowed
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .some((each) => {
      if (each === "*/*" || each === "*") return true
      if (each.startsWith(".")) return name.toLowerCase().endsWith(each)
      return each.endsWith("/*") ? type.startsWith(each.slice(0, -1)) : each !== "" && each === type
    })

/** Percent-encodes a file name for a header parameter (RFC 8187); unpaired surrogates are replaced. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** Returns a safe content type for a download: types that a browser could run become plain text or raw bytes. */
const servedAs = (type: string): string => {
  if (type.startsWith("text/")) return "text/plain; charset=utf-8"
  const isInert = shown.has(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type) || inert.has(type)
  return isInert ? type : "application/octet-stream"
}

/**
 * Returns the response headers for a file that a user uploaded, so that browsers do not run it as a page of the site.
 *
 * Images without scripts are displayed in the browser; all other files are downloaded.
 */
export const downloadHeaders = (name: string, type: string): Readonly<Record<string, string>> => {
  const isShown = shown.has(type)
  const plain = name.normalize("NFKD").replace(/[^\x20-\x7e]|["\\%]/g, "_")
  return {
    "content-type": servedAs(type),
    "content-disposition": `${isShown ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${encoded(name)}`,
    "content-security-policy": "default-src 'none'; style-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, max-age=300"
  }
}
