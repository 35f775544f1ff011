import { isFilePath } from "../git/filePaths.ts"

const ending = ".md"
/** The maximum length of each part of a wiki page's path, in bytes; it is the limit of most file systems. */
const longestPart = 255

const encoder = new TextEncoder()

// Characters that are invalid in file names on some systems, and the escape character.
const special = /[%\-\\:*?"<>|\u007f]|\p{Cc}/gu

const escaped = (sign: string): string =>
  Array.from(encoder.encode(sign), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("")

/**
 * Returns the file path of a wiki page for its title: spaces become `-`, and a slash separates folders.
 *
 * @example
 * pagePath("Home") // => "Home.md"
 * pagePath("How to push") // => "How-to-push.md"
 * pagePath("x-ray: 50%") // => "x%2Dray%3A-50%25.md"
 * pagePath("guide/first steps") // => "guide/first-steps.md"
 */
export const pagePath = (title: string): string => `${title.replace(special, escaped).replaceAll(" ", "-")}${ending}`

/**
 * Returns the title of a wiki page for its file path; undefined for a file that is not a page.
 *
 * @example
 * pageTitle("How-to-push.md") // => "How to push"
 * pageTitle("x%2Dray%3A-50%25.md") // => "x-ray: 50%"
 * pageTitle("100%.md") // => "100%"
 * pageTitle("picture.png") // => undefined
 */
export const pageTitle = (path: string): string | undefined => {
  if (!path.endsWith(ending) || path === ending || path.endsWith(`/${ending}`)) return undefined
  const name = path.slice(0, -ending.length).replaceAll("-", " ")
  try {
    return decodeURIComponent(name)
  } catch {
    // A pushed file may have a name that was never escaped.
    return name
  }
}

/**
 * Returns the part of the URL that identifies a wiki page, for its title.
 *
 * @example
 * pageAddress("How to push") // => "How-to-push"
 */
export const pageAddress = (title: string): string => pagePath(title).slice(0, -ending.length)

/**
 * Returns the possible file paths of a wiki page for a name in a URL or a request, which can be a title or a file name.
 *
 * Files that users push can also have the unescaped title as their name, with spaces.
 *
 * @example
 * pathsNamed("How to push") // => ["How-to-push.md", "How to push.md"]
 * pathsNamed("How-to-push") // => ["How%2Dto%2Dpush.md", "How-to-push.md", "How to push.md"]
 * pathsNamed("Why%3F") // => ["Why%253F.md", "Why%3F.md", "Why?.md"]
 * pathsNamed("Home.md") // => ["Home.md.md", "Home.md"]
 */
export const pathsNamed = (name: string): ReadonlyArray<string> => [
  ...new Set([
    pagePath(name),
    `${name.replaceAll(" ", "-")}${ending}`,
    ...(name.endsWith(ending) ? [name.replaceAll(" ", "-")] : []),
    `${pageTitle(`${name}${ending}`) ?? name}${ending}`
  ])
]

/**
 * Returns the reason why the title of a wiki page is invalid; undefined if it is valid.
 *
 * @example
 * titleProblem("guide/first steps") // => undefined
 * titleProblem("  ") // => "is needed"
 * titleProblem("a/../b") // => "must have a name in every part"
 * titleProblem("a".repeat(300)) // => "must have at most 255 bytes in each part, as a file"
 */
export const titleProblem = (title: string): string | undefined => {
  if (title.trim() === "") return "is needed"
  if (title.trim() !== title) return "must not begin or end with a space"
  const path = pagePath(title)
  if (path.split("/").some((part) => encoder.encode(part).length > longestPart)) {
    return `must have at most ${longestPart} bytes in each part, as a file`
  }
  // URLs normalize `.` and `..`, so such names cannot be requested.
  if (!isFilePath(path) || title.split("/").some((part) => /^\.{0,2}$/.test(part)))
    return "must have a name in every part"
  return undefined
}
