import { Glob } from "effect"

/** How long a pattern may be; a longer one matches nothing, and none is stored. */
export const longestPattern = 255

/** How many patterns of files a protection may have. */
export const mostPatterns = 100

/** How many names the braces of a pattern may stand for; each is looked for by itself. */
const mostAlternatives = 128

/** Returns how many names without braces a pattern stands for, or more. */
const alternativesIn = (pattern: string): number => {
  const outer: Array<readonly [sum: number, product: number]> = []
  let [sum, product] = [0, 1]
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === "\\") at += 1
    else if (character === "{") {
      outer.push([sum, product])
      sum = 0
      product = 1
    } else if (character === "," && outer.length > 0) {
      sum += product
      product = 1
    } else if (character === "}" && outer.length > 0) {
      const within = sum + product
      const [before, beside] = outer.pop() ?? [0, 1]
      sum = before
      product = beside * within
    }
  }
  return outer.reduce((all, [before, beside]) => all * (before + beside), sum + product)
}

/**
 * Returns what is wrong with a pattern, or nothing.
 *
 * @example
 * problemOfPattern("release/{1,2}.*") // => undefined
 * problemOfPattern("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}") // => "must have braces for at most 128 names"
 */
export const problemOfPattern = (pattern: string): string | undefined => {
  if (pattern.length > longestPattern) return `must have at most ${longestPattern} characters`
  return alternativesIn(pattern) > mostAlternatives
    ? `must have braces for at most ${mostAlternatives} names`
    : undefined
}

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
  if (problemOfPattern(pattern) !== undefined) return () => false
  const glob = Glob.make(pattern, { dot: true })
  return (name) => Glob.match(glob, name)
}

/** Returns whether a pattern names one thing, and so goes before a glob of the same priority. */
export const isExact = (pattern: string): boolean => !isGlob(pattern)

/** How many steps are taken at the most to match paths with the patterns of one field. */
const mostSteps = 10_000_000

/** The steps that a letter of a path takes at the most. */
const stepsOf = (pattern: string): number => alternativesIn(pattern) * pattern.split("*").length

/**
 * Returns a test of paths by globs with semicolons between them, whatever the case of the letters.
 *
 * A glob without a slash is one for names in every folder, as in the file of what git ignores. Paths that are so many that they
 * were not looked at are answered by what the test is told to say of them.
 *
 * @example
 * fileMatcher("docs/**; *.lock")("web/yarn.LOCK") // => true
 * fileMatcher("docs/**")("src/docs/a.md") // => false
 * fileMatcher("")("a") // => false
 */
export const fileMatcher = (patterns: string, unseen = false): ((path: string) => boolean) => {
  const matchers = patterns
    .split(";")
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== "")
    .slice(0, mostPatterns)
    .map((each) => ({
      steps: stepsOf(each),
      isName: !each.includes("/"),
      matches: nameMatcher(each.replace(/^\/+/, ""))
    }))
  let left = mostSteps
  return (path) => {
    const lower = path.toLowerCase()
    const name = lower.slice(lower.lastIndexOf("/") + 1)
    for (const { isName, matches, steps } of matchers) {
      const subject = isName ? name : lower
      left -= steps * subject.length
      if (left < 0) return unseen
      if (matches(subject)) return true
    }
    return false
  }
}
