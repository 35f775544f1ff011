import { Effect, Glob } from "effect"

/** The maximum length of a pattern; longer ones match nothing and cannot be stored. */
export const longestPattern = 255

/** The maximum number of file patterns of a protection. */
export const mostPatterns = 100

/** The maximum number of alternatives that the braces of a pattern expand to; each is searched separately. */
const mostAlternatives = 128

const posixClass = /^\[:(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/

/** Returns the end of a character class in brackets; undefined if it is unterminated. Braces within one are literal. */
const endOfClass = (characters: ReadonlyArray<string>, open: number): number | undefined => {
  const begin = characters[open + 1] === "!" || characters[open + 1] === "^" ? open + 2 : open + 1
  for (let at = begin; at < characters.length && characters[at] !== "/"; at += 1) {
    if (characters[at] === "]" && at > begin) return at
    const named = characters[at] === "[" ? posixClass.exec(characters.slice(at, at + 10).join("")) : null
    if (named !== null) {
      at += named[0].length - 1
      continue
    }
    if (characters[at] === "\\" && at + 1 < characters.length) at += 1
    if (characters[at + 1] === "-" && at + 2 < characters.length && characters[at + 2] !== "]") {
      at += 2
      if (characters[at] === "/") return undefined
      if (characters[at] === "\\" && at + 1 < characters.length) at += 1
    }
  }
  return undefined
}

/** Returns the number of alternatives that a pattern's braces expand to, or more. */
const alternativesIn = (pattern: string): number => {
  const characters = Array.from(pattern)
  const outer: Array<readonly [sum: number, product: number]> = []
  let [sum, product] = [0, 1]
  let mayOpen = true
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]
    if (character === "\\") at += 1
    else if (character === "/") mayOpen = true
    else if (character === "[" && mayOpen) {
      const end = endOfClass(characters, at)
      mayOpen = end !== undefined
      at = end ?? at
    } else if (character === "{") {
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
 * Returns the problem of a pattern, or undefined.
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
 * Returns a test of names by a pattern: an exact name, or a glob in which `*` stays within a part between slashes.
 *
 * A glob that is too complex to evaluate returns `unread`.
 *
 * @example
 * nameMatcher("release/*")("release/1.0") // => true
 * nameMatcher("release/*")("release/1.0/fix") // => false
 * nameMatcher("release/**")("release/1.0/fix") // => true
 * nameMatcher("main")("Main") // => false
 */
export const nameMatcher = (pattern: string, unread = false): ((name: string) => boolean) => {
  if (!isGlob(pattern)) return (name) => name === pattern
  if (problemOfPattern(pattern) !== undefined) return () => unread
  const glob = Glob.make(pattern, { dot: true })
  return (name) => Glob.match(glob, name)
}

/** A placeholder for a slash where slashes are not separators; contexts never contain control characters. */
const slash = "\u0001"

/**
 * Returns a function that tests whether a pattern matches a whole text. `*` matches any characters, including slashes.
 *
 * @example
 * textMatcher("ci/*")("ci/build/linux (push)") // => true
 * textMatcher("*")("ci/build") // => true
 * textMatcher("ci")("ci/build") // => false
 */
export const textMatcher = (pattern: string): ((text: string) => boolean) => {
  const matches = nameMatcher(pattern.replaceAll("/", slash))
  return (text) => matches(text.replaceAll("/", slash))
}

/** Returns whether a pattern is a literal name, which precedes a glob of the same priority. */
export const isExact = (pattern: string): boolean => !isGlob(pattern)

/** Returns whether a pattern can be evaluated; patterns stored by earlier versions may be too complex. */
export const isRead = (pattern: string): boolean => isExact(pattern) || problemOfPattern(pattern) === undefined

/** The maximum number of steps to match paths with all patterns of a field, and to match one path with one pattern. */
const most = { steps: 10_000_000, atOnce: 250_000 }
/** The number of steps before yielding to other work, equal to some tens of milliseconds. */
const piece = 100_000

/** Returns the maximum number of steps for one character of a path. */
const stepsOf = (pattern: string): number => alternativesIn(pattern) * pattern.split("*").length

const pathTest = (globs: ReadonlyArray<string>, namesToo: boolean, unseen: boolean, mostSteps: number) => {
  const matchers = globs.slice(0, mostPatterns).map((glob) => ({
    glob: glob.replace(/^\/+/, ""),
    steps: stepsOf(glob),
    isName: namesToo && !glob.includes("/"),
    matches: undefined as ((name: string) => boolean) | undefined
  }))
  let [taken, sinceTurn] = [0, 0]
  return function* (path: string): Pieces<boolean> {
    const name = path.slice(path.lastIndexOf("/") + 1)
    for (const matcher of matchers) {
      const subject = matcher.isName ? name : path
      const more = matcher.steps * subject.length
      if (more > most.atOnce || taken + more > mostSteps) return unseen
      taken += more
      // Parsing a glob takes about as long as matching it with a path of its length.
      sinceTurn += matcher.matches === undefined ? more + matcher.steps * matcher.glob.length : more
      if (sinceTurn > piece) {
        sinceTurn = 0
        yield
      }
      matcher.matches ??= nameMatcher(matcher.glob, unseen)
      if (matcher.matches(subject)) return true
    }
    return false
  }
}

/** A computation in steps, between which other work can run. */
export type Pieces<A> = Generator<undefined, A>

/** Runs a computation without yielding. */
export const runSynchronously = <A>(pieces: Pieces<A>): A => {
  let next = pieces.next()
  while (next.done !== true) next = pieces.next()
  return next.value
}

/** Runs a computation, and yields to other work between its steps. */
export const inTurns = <A>(pieces: () => Pieces<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    const begun = pieces()
    let next = begun.next()
    while (next.done !== true) {
      yield* Effect.yieldNow
      next = begun.next()
    }
    return next.value
  })

/** Finds the paths that one of a hundred globs matches, within a step limit; `*` stays within a folder. */
export function* matchedAmong(
  globs: ReadonlyArray<string>,
  paths: ReadonlyArray<string>
): Pieces<ReadonlyArray<string>> {
  const test = pathTest(globs, false, false, 10 * most.steps)
  const matched: Array<string> = []
  for (const path of paths) if (yield* test(path)) matched.push(path)
  return matched
}

const fileTest = (patterns: string, unseen: boolean) => {
  const globs = patterns
    .toLowerCase()
    .split(";")
    .map((each) => each.trim())
    .filter((each) => each !== "")
  const test = pathTest(globs, true, unseen, most.steps)
  return (path: string) => test(path.toLowerCase())
}

/**
 * Returns a test of paths by globs separated by semicolons, ignoring case.
 *
 * A glob without a slash matches names in every folder, as in `.gitignore`. Paths beyond the step limit and globs that
 * are too complex to evaluate return `unseen`.
 *
 * @example
 * fileMatcher("docs/**; *.lock")("web/yarn.LOCK") // => true
 * fileMatcher("docs/**")("src/docs/a.md") // => false
 * fileMatcher("")("a") // => false
 */
export const fileMatcher = (patterns: string, unseen = false): ((path: string) => boolean) => {
  const test = fileTest(patterns, unseen)
  return (path) => runSynchronously(test(path))
}

function* firstOf(
  files: ReadonlyArray<string>,
  test: ReturnType<typeof fileTest>,
  wanted: boolean
): Pieces<string | undefined> {
  for (const file of files) if ((yield* test(file)) === wanted) return file
  return undefined
}

/** Returns the first file that the patterns protect, or may protect if they are too large to evaluate. */
export const protectedAmong = (patterns: string, files: ReadonlyArray<string>): Pieces<string | undefined> =>
  firstOf(files, fileTest(patterns, true), true)

/** Returns the first file that is not certainly unprotected by the patterns. */
export const notFreeAmong = (patterns: string, files: ReadonlyArray<string>): Pieces<string | undefined> =>
  firstOf(files, fileTest(patterns, false), false)
