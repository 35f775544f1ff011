import type { PathMatcher } from "./PathMatcher.ts"

/** One glob of the setting `watch_paths`, which limits automatic deployments to changes of certain files. */
export interface WatchLine {
  readonly glob: string
  /** Whether paths that match the glob are excluded. */
  readonly negated: boolean
}

/** Splits a text at line ends, and at commas outside of braces. */
const entriesOf = (text: string): ReadonlyArray<string> => {
  const entries: Array<string> = []
  let [start, depth] = [0, 0]
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? "\n"
    if (character === "\n" || (character === "," && depth <= 0)) {
      entries.push(text.slice(start, at))
      start = at + 1
    }
    depth = character === "\n" ? 0 : depth + (character === "{" ? 1 : character === "}" ? -1 : 0)
  }
  return entries
}

/**
 * Parses the setting `watch_paths`: globs that are separated by line breaks or commas.
 *
 * A glob with a leading `!` excludes paths. A glob that ends with a slash matches everything in the folder. A comma
 * inside braces is not a separator.
 *
 * @example
 * watchLines("/src/\n\n!**\/*.md") // => [{ glob: "src/**", negated: false }, { glob: "**\/*.md", negated: true }]
 */
export const watchLines = (text: string): ReadonlyArray<WatchLine> =>
  entriesOf(text).flatMap((each) => {
    const line = each.trim()
    const negated = line.startsWith("!")
    const glob = (negated ? line.slice(1) : line).trim().replace(/^\/+/, "")
    return glob === "" ? [] : [{ glob: glob.endsWith("/") ? `${glob}**` : glob, negated }]
  })

const mostLines = 200
const longestGlob = 500
const mostSteps = 20_000_000

/** The fixed cost of matching one path, in steps, in addition to the cost that depends on its length. */
const leastSteps = 100

const bracesIn = (glob: string): number => {
  const groups = glob.match(/\{[^{}]*\}/g) ?? []
  if (/[{}]/.test(glob.replaceAll(/\{[^{}]*\}/g, ""))) return Number.POSITIVE_INFINITY
  return groups.reduce((product, group) => product * group.split(",").length, 1)
}

/** The numbers of wildcards and alternatives in a glob, which determine the cost of matching it. */
interface Ways {
  readonly shared: number
  readonly folders: number
  readonly braces: number
}

const waysOf = (glob: string): Ways => {
  const parts = glob.split("/")
  const stars = parts.map((part) => (part === "**" ? 0 : (part.match(/\*+/g)?.length ?? 0)))
  return {
    shared: stars.reduce((sum, each) => sum + Math.max(0, each - 1), stars.some((each) => each > 0) ? 1 : 0),
    folders: Math.max(0, parts.filter((part) => part === "**").length - 1),
    braces: bracesIn(glob)
  }
}

/** Returns the length of a path, the length of its longest part between slashes, and the number of parts. */
const sizeOf = (path: string) => {
  const names = path.split("/")
  return {
    length: path.length + 1,
    longest: names.reduce((most, name) => Math.max(most, name.length), 0) + 1,
    names: names.length
  }
}

/**
 * Returns an estimate of the matching steps in the worst case, where a path almost matches.
 *
 * A matcher with backtracking tries every split of a name by its `*`, every split of the folders by `**`, and every
 * alternative in braces.
 */
const stepsOf = ({ braces, folders, shared }: Ways, { length, longest, names }: ReturnType<typeof sizeOf>): number =>
  leastSteps + length * longest ** shared * names ** folders * braces

/**
 * Returns whether a push changed a path that an application watches.
 *
 * Also returns true if the changed paths are unknown, if a glob is invalid, or if matching would take too many steps
 * (invariant I25: bounded time).
 */
export const isWatched = (
  watchPaths: string,
  changed: ReadonlyArray<string> | null,
  { compile }: PathMatcher["Service"]
): boolean => {
  const lines = watchLines(watchPaths)
  const [first] = lines
  if (first === undefined || changed === null) return true
  if (lines.length > mostLines || lines.some(({ glob }) => glob.length > longestGlob)) return true
  const matchers = lines.map(({ glob, negated }) => ({ negated, matches: compile(glob), ways: waysOf(glob) }))
  let left = mostSteps
  for (const path of changed) {
    // If the list begins with an excluded path, all other paths are included.
    let watched = first.negated
    const size = sizeOf(path)
    for (const { matches, negated, ways } of matchers) {
      left -= stepsOf(ways, size)
      if (matches === undefined || left < 0) return true
      if (watched === negated && matches(path)) watched = !negated
    }
    if (watched) return true
  }
  return false
}
