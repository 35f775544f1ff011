import type { Pieces } from "../../../code/patterns/patterns.ts"

/** The maximum length of a pattern of a workflow filter, in characters. */
export const longestFilterPattern = 255

/** One element of a compiled pattern: a set of characters, and how often it matches. */
interface Element {
  readonly accepts: (character: string) => boolean
  /** Whether the element can match zero characters. */
  readonly optional: boolean
  /** Whether the element can match more than one character. */
  readonly repeated: boolean
  /** The number of following elements that are skipped if this element matches zero characters. */
  readonly skips: number
}

/** A compiled pattern of a workflow filter, such as `release/**`. */
export interface FilterPattern {
  /** Whether the pattern begins with `!`, so that matching names are excluded. */
  readonly excludes: boolean
  readonly elements: ReadonlyArray<Element>
}

const any = () => true
const isNoSlash = (character: string) => character !== "/"

/** Returns the index of the `]` that closes the character class at `open`; undefined if it is not closed. */
const closingOf = (characters: ReadonlyArray<string>, open: number): number | undefined => {
  const at = characters.indexOf("]", open + (characters[open + 1] === "!" || characters[open + 1] === "^" ? 3 : 2))
  return at < 0 ? undefined : at
}

const classOf = (inside: ReadonlyArray<string>): Element["accepts"] => {
  const isNegated = inside[0] === "!" || inside[0] === "^"
  const listed = isNegated ? inside.slice(1) : inside
  const ranges: Array<readonly [from: string, to: string]> = []
  for (let at = 0; at < listed.length; at++) {
    const [from = "", dash, to] = listed.slice(at, at + 3)
    const isRange = dash === "-" && to !== undefined
    ranges.push([from, isRange ? to : from])
    if (isRange) at += 2
  }
  const isListed = (character: string) => ranges.some(([from, to]) => from <= character && character <= to)
  return isNegated ? (character) => character !== "/" && !isListed(character) : isListed
}

const single = (accepts: Element["accepts"]): Element => ({ accepts, optional: false, repeated: false, skips: 0 })

/** Applies a quantifier, `?` or `+`, to an element of a pattern. */
const quantified = (element: Element, quantifier: string | undefined): Element => {
  if (quantifier === "?") return { ...element, optional: true }
  return quantifier === "+" ? { ...element, repeated: true } : element
}

/**
 * Compiles a pattern of `branches`, `tags` or `paths`, in the filter syntax of GitHub Actions.
 *
 * - `*` matches any characters except `/`, and `**` matches any characters.
 * - `?` matches the preceding character zero times or once, and `+` one or more times.
 * - `[]` matches one of the listed characters and ranges.
 * - `\` makes the next character literal. Braces are literal characters.
 */
export const filterPattern = (text: string): FilterPattern => {
  const excludes = text.startsWith("!")
  const characters = Array.from(excludes ? text.slice(1) : text)
  const elements: Array<Element> = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ""
    if (character === "*") {
      const isDouble = characters[at + 1] === "*"
      if (isDouble) at++
      // A folder of `**/` can be missing completely, together with its slash.
      const isFolder = isDouble && characters[at + 1] === "/" && (at < 2 || characters[at - 2] === "/")
      elements.push({
        accepts: isDouble ? any : isNoSlash,
        optional: true,
        repeated: true,
        skips: isFolder ? 1 : 0
      })
      continue
    }
    const close = character === "[" ? closingOf(characters, at) : undefined
    let element = single((each) => each === character)
    if (close !== undefined) {
      element = single(classOf(characters.slice(at + 1, close)))
      at = close
    } else if (character === "\\" && at + 1 < characters.length) {
      at++
      const literal = characters[at]
      element = single((each) => each === literal)
    }
    const quantifier = characters[at + 1]
    if (quantifier === "?" || quantifier === "+") at++
    elements.push(quantified(element, quantifier))
  }
  return { excludes, elements }
}

/**
 * Returns the reason why a pattern of a workflow filter is invalid; undefined if it is valid.
 *
 * @example
 * filterPatternProblem("v[0-9]+.[0-9]+") // => undefined
 * filterPatternProblem("v[0-9") // => "must close each `[` with `]`"
 */
export const filterPatternProblem = (pattern: string): string | undefined => {
  if (pattern.length > longestFilterPattern) return `must have at most ${longestFilterPattern} characters`
  const characters = Array.from(pattern)
  for (let at = 0; at < characters.length; at++) {
    if (characters[at] === "\\") at++
    else if (characters[at] === "[") {
      const close = closingOf(characters, at)
      if (close === undefined) return "must close each `[` with `]`"
      at = close
    }
  }
  return undefined
}

/**
 * Matches a name with a pattern, and returns the number of steps.
 *
 * It tracks all possible positions in the pattern at the same time instead of backtracking. So the number of steps is
 * at most the product of both lengths (invariant I25: bounded time).
 */
const matching = ({ elements }: FilterPattern, name: string): { readonly matches: boolean; readonly steps: number } => {
  // For each position, the number of the character before which it was last reached.
  const reached = new Int32Array(elements.length + 1).fill(-1)
  let positions: Array<number> = []
  let [round, steps] = [0, 0]
  const enter = (at: number, into: Array<number>): void => {
    if (reached[at] === round) return
    reached[at] = round
    into.push(at)
    const element = elements[at]
    if (element?.optional !== true) return
    enter(at + 1, into)
    if (element.skips > 0) enter(at + 1 + element.skips, into)
  }
  // Adds a position that accepts further characters, without the positions after it.
  const stay = (at: number, into: Array<number>): void => {
    if (reached[at] === round) return
    reached[at] = round
    into.push(at)
  }
  enter(0, positions)
  for (const character of name) {
    round++
    steps += positions.length
    const next: Array<number> = []
    for (const at of positions) {
      const element = elements[at]
      if (element?.accepts(character) !== true) continue
      if (element.repeated) stay(at, next)
      enter(at + 1, next)
    }
    if (next.length === 0) return { matches: false, steps }
    positions = next
  }
  return { matches: reached[elements.length] === round, steps }
}

/**
 * Returns whether a name matches one pattern; a leading `!` of the pattern is ignored.
 *
 * @example
 * matchesFilter(filterPattern("v[0-9]+.[0-9]+.[0-9]+"), "v1.2.40") // => true
 * matchesFilter(filterPattern("*.jsx?"), "page.js") // => true
 */
export const matchesFilter = (pattern: FilterPattern, name: string): boolean => matching(pattern, name).matches

/**
 * Returns whether a list of patterns includes a name. The last pattern that matches decides: a pattern with a leading
 * `!` excludes the name.
 *
 * @example
 * isIncluded(["release/**", "!release/**-beta"], "release/1.0") // => true
 * isIncluded(["release/**", "!release/**-beta"], "release/1.0-beta") // => false
 */
export const isIncluded = (patterns: ReadonlyArray<string>, name: string): boolean =>
  patterns
    .map(filterPattern)
    .reduce(
      (included, pattern) =>
        included === pattern.excludes && matchesFilter(pattern, name) ? !pattern.excludes : included,
      false
    )

/** The number of matching steps, some milliseconds of work, after which other tasks of the process can run. */
const piece = 100_000

/** The remaining steps for matching files; if it is below zero, matching was stopped early. */
export interface StepBudget {
  left: number
}

/** Returns the files that a list of patterns includes; stops early with a partial result if `budget` is exhausted. */
export function* includedAmong(
  patterns: ReadonlyArray<string>,
  files: ReadonlyArray<string>,
  budget: StepBudget
): Pieces<ReadonlySet<string>> {
  const included = new Set<string>()
  let sinceTurn = 0
  for (const pattern of patterns.map(filterPattern)) {
    for (const file of files) {
      const { matches, steps } = matching(pattern, file)
      budget.left -= steps
      sinceTurn += steps
      if (budget.left < 0) return included
      if (matches && pattern.excludes) included.delete(file)
      else if (matches) included.add(file)
      if (sinceTurn > piece) {
        sinceTurn = 0
        yield
      }
    }
  }
  return included
}
