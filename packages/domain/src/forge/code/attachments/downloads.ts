/** The types that browsers display without running anything; SVG is not one of them. */
const shown: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/bmp"
])

/** The types of files that are downloaded with their own type. */
const inert: ReadonlySet<string> = new Set(["application/gzip", "application/pdf", "application/zip"])

const longestName = 255

/**
 * Returns the problem of the name of a file, or undefined.
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
 * Returns the URL in a text for a file stored elsewhere, or undefined if browsers must not be redirected to it.
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
 * Returns the file name in a URL, or its host if the path has none.
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
 * Returns whether an allowlist such as `.zip,image/*` accepts an upload; its name and its content type both count.
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

/** Percent-encodes a name for header parameters (RFC 8187); bytes that are not text are not representable. */
const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** Returns the served content type: types that a browser could treat as a page or part of one become bytes or text. */
const servedAs = (type: string): string => {
  if (type.startsWith("text/")) return "text/plain; charset=utf-8"
  const isInert = shown.has(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type) || inert.has(type)
  return isInert ? type : "application/octet-stream"
}

/**
 * Returns the response headers of a user's file, which prevent browsers from treating it as a page of the service.
 *
 * Images without scripts are displayed; all other files are downloaded, as raw bytes if they could be a page.
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
