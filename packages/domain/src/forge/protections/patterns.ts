import { Glob } from "effect"

/** How long a pattern may be; a longer one matches nothing, and none is stored. */
export const longestPattern = 255

/** How many patterns of files a protection may have. */
export const mostPatterns = 100

const isGlob = (pattern: string): boolean => /[*?[\]{}\\]/.test(pattern)

/**
 * Returns a test of names by a pattern: the very name, or a glob in which `*` stays within a part between slashes.
 *
 * @example
 * nameMatcher("release/*")("release/1.0") // => true
 * nameMatcher("release/*")("release/1.0/fix") // => false
 * nameMatcher("release/**")("release/1.0/fix") // => true
 * nameMatcher("main")("Main") // => false
 */
export const nameMatcher = (pattern: string): ((name: string) => boolean) => {
  if (!isGlob(pattern)) return (name) => name === pattern
  if (pattern.length > longestPattern) return () => false
  const glob = Glob.make(pattern, { dot: true })
  return (name) => Glob.match(glob, name)
}

/** Returns whether a pattern names one thing, and so goes before a glob of the same priority. */
export const isExact = (pattern: string): boolean => !isGlob(pattern)

/**
 * Returns a test of paths by globs with semicolons between them, whatever the case of the letters.
 *
 * A glob without a slash is one for names in every folder, as in the file of what git ignores.
 *
 * @example
 * fileMatcher("docs/**; *.lock")("web/yarn.LOCK") // => true
 * fileMatcher("docs/**")("src/docs/a.md") // => false
 * fileMatcher("")("a") // => false
 */
export const fileMatcher = (patterns: string): ((path: string) => boolean) => {
  const matchers = patterns
    .split(";")
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== "")
    .slice(0, mostPatterns)
    .map((each) => nameMatcher(each.includes("/") ? each.replace(/^\/+/, "") : `**/${each}`))
  return (path) => {
    const lower = path.toLowerCase()
    return matchers.some((matches) => matches(lower))
  }
}
