import { Effect, Glob } from "effect"

/** The maximum length of a pattern, in characters; longer patterns match nothing and cannot be stored. */
export const longestPattern = 255

/** The maximum number of file patterns in one field of a branch protection. */
export const mostPatterns = 100

/** The maximum number of alternatives to which the braces of a pattern expand; each one is matched separately. */
const mostAlternatives = 128

const posixClass = /^\[:(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/

/** Returns the index of the `]` that closes the character class at `open`; undefined if it is not closed. */
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

/** Returns an upper bound for the number of alternatives to which the braces of a pattern expand. */
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
 * Returns the reason why a pattern is invalid or too complex; undefined if it is valid.
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
 * Returns a function that tests whether a name matches a pattern: an exact name, or a glob in which `*` matches no
 * slash.
 *
 * If the glob is too complex to evaluate, the function always returns `unread`.
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

/** The character that replaces slashes where they are not separators; the texts contain no control characters. */
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

/** Returns whether a pattern is a literal name, not a glob; with equal priority, literal names come before globs. */
export const isExact = (pattern: string): boolean => !isGlob(pattern)

/** Returns whether a pattern can be evaluated; patterns that earlier versions stored may be too complex. */
export const isRead = (pattern: string): boolean => isExact(pattern) || problemOfPattern(pattern) === undefined

/** The maximum number of matching steps: in total for all paths and patterns, and for one path with one pattern. */
const most = { steps: 10_000_000, atOnce: 250_000 }
/** The number of matching steps, some tens of milliseconds of work, after which other tasks of the process can run. */
const piece = 100_000

/** Returns the maximum number of matching steps that a pattern needs for one character of a path. */
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

/** A long computation as a generator; it yields between its steps, so that other tasks of the process can run. */
export type Pieces<A> = Generator<undefined, A>

/** Runs all steps of a computation synchronously, without a break for other tasks. */
export const runSynchronously = <A>(pieces: Pieces<A>): A => {
  let next = pieces.next()
  while (next.done !== true) next = pieces.next()
  return next.value
}

/** Runs a computation, and lets other tasks of the process run between its steps. */
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

/** Returns the paths that match at least one of the first 100 globs, within a step limit; `*` matches no slash. */
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
 * Returns a function that tests whether a path matches one of several globs, which are separated by semicolons. Case is
 * ignored.
 *
 * A glob without a slash matches file names in every folder, as in `.gitignore`. If a glob is too complex, or the limit
 * of steps is reached, the function returns `unseen`.
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

/**
 * Returns the first file that the patterns match; if matching is too complex, the file counts as matched (protected).
 */
export const protectedAmong = (patterns: string, files: ReadonlyArray<string>): Pieces<string | undefined> =>
  firstOf(files, fileTest(patterns, true), true)

/**
 * Returns the first file that the patterns do not match; if matching is too complex, the file counts as not matched.
 */
export const notFreeAmong = (patterns: string, files: ReadonlyArray<string>): Pieces<string | undefined> =>
  firstOf(files, fileTest(patterns, false), false)
