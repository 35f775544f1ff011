import type { MarkdownKind, MarkdownPlace } from "@slipway/domain/forge/collaboration"

/** The prefix of anchors in rendered Markdown, so that they never collide with anchors of the surrounding page. */
export const anchorPrefix = "user-content-"

const isAnchor = (name: string): boolean => name !== "" && name.length <= 200 && !/[\s"'<>`]/.test(name)

/** Returns the name of an anchor with the prefix; undefined for a name that is not allowed. */
export const anchorName = (name: string): string | undefined => {
  if (!isAnchor(name)) return undefined
  return name.startsWith(anchorPrefix) ? name : `${anchorPrefix}${name}`
}

/** Resolves `.` and `..` in the parts of a path; `..` at the top is ignored, as in browsers. */
const resolved = (parts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const path: Array<string> = []
  for (const part of parts) {
    const plain = part.replaceAll(/%2e/gi, ".")
    if (plain === "..") path.pop()
    else if (plain !== "." && part !== "") path.push(part)
  }
  return path
}

const folderOf = (kind: MarkdownKind, isPicture: boolean, { tree }: MarkdownPlace): string => {
  if (kind === "wiki") return isPicture ? "wiki/raw/" : "wiki/"
  if (tree === undefined) return ""
  return `${isPicture ? "media" : "src"}/${tree}/`
}

/**
 * Returns the URL of a link or an image in Markdown.
 *
 * A relative URL is resolved against the folder of the Markdown file, and cannot leave the repository. A URL with a
 * scheme is returned unchanged; the sanitizer checks it.
 */
export const linkTarget = (
  written: string,
  isPicture: boolean,
  kind: MarkdownKind,
  place: MarkdownPlace | undefined
): string => {
  // Browsers treat a backslash as a slash, and ignore control characters.
  const address = written.replaceAll(/[\p{Cc} ]/gu, (each) => (each === " " ? "%20" : "")).replaceAll("\\", "/")
  if (address.startsWith("#")) {
    const name = anchorName(address.slice(1))
    return name === undefined ? "#" : `#${name}`
  }
  if (/^(?:\/\/|[a-z][a-z0-9+.-]*:)/i.test(address) || place === undefined) return address
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(address) ?? []
  const above = path.startsWith("/") || kind === "wiki" ? [] : place.folder.split("/")
  const trail = path.endsWith("/") && path !== "/" ? "/" : ""
  const to = resolved([...above, ...path.split("/")]).join("/")
  return `${place.repository}/${folderOf(kind, isPicture, place)}${to}${to === "" ? "" : trail}${rest}`
}
