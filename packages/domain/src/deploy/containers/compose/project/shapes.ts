import { Predicate, Result, Schema } from "effect"
import { problemsOf } from "../../../../Problems.ts"
import type { ComposeLocation } from "./location.ts"

/** The maximum length of a text in compose files, in characters (invariant I25: all input has a limit). */
const longestText = 100_000
const longestList = 1_000
const noZero = Schema.makeFilter((text: string) => !text.includes("\0"), {
  message: "Must not contain a NUL character."
})

/** The schema of a text in compose files: at most 100,000 characters, without NUL. */
export const Text = Schema.String.check(
  Schema.isMaxLength(longestText, { message: `Must have at most ${longestText} characters.` }),
  noZero
)
/** The schema of a text, number or boolean; Docker Compose prints numbers and booleans without quotes. */
export const Scalar = Schema.Union([Text, Schema.Finite, Schema.Boolean])
/** Returns the schema of a list with at most 1,000 entries. */
export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(Schema.isMaxLength(longestList, { message: `Must have at most ${longestList} entries.` }))
/** Returns the schema of one value or a list of values. */
export const oneOrMore = <S extends Schema.Top>(item: S) => Schema.Union([item, listOf(item)])
/** The schema of names with values: a map, or a list of `NAME=value`. */
export const Names = Schema.Union([Schema.Record(Schema.String, Schema.NullOr(Scalar)), listOf(Text)])
/** The schema of a field with any content, which is not read. */
export const AnyContent = Schema.Unknown

/** Returns the elements of a list, or a single value as a list. */
export const all = <A>(value: A | ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.isArray(value) ? (value as ReadonlyArray<A>) : [value as A]

/** Converts a map or a list of `NAME=value` to pairs; the value is null if there is only a name. */
export const pairsOf = (
  names: typeof Names.Type,
  at: ComposeLocation
): ReadonlyArray<readonly [name: string, value: string | null]> => {
  const pairs = Array.isArray(names)
    ? (names as ReadonlyArray<string>).map((each) => {
        const cut = each.indexOf("=")
        return cut < 0 ? ([each, null] as const) : ([each.slice(0, cut), each.slice(cut + 1)] as const)
      })
    : Object.entries(names).map(([name, value]) => [name, value === null ? null : String(value)] as const)
  if (pairs.length <= longestList) return pairs
  at.say(`Must have at most ${longestList} entries.`)
  return []
}

/** Removes fields with names that begin with `x-` (compose extensions), and fields with the value null. */
export const withoutExtensions = (value: unknown): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name, inner]) => !name.startsWith("x-") && inner !== null))
    : value

const options = { errors: "all", onExcessProperty: "error" } as const

/** Returns a function that decodes a value with a schema; it reports problems to `at` and then returns undefined. */
export const readBySchema = <A>(
  schema: Schema.Codec<A, unknown>
): ((value: unknown, at: ComposeLocation) => A | undefined) => {
  const decode = Schema.decodeUnknownResult(schema, options)
  return (value, at) => {
    const read = decode(value)
    if (Result.isSuccess(read)) return read.success
    for (const [path, sentences] of Object.entries(problemsOf(read.failure.issue, ""))) {
      for (const sentence of sentences) (path === "" ? at : at.within(path)).say(sentence)
    }
    return undefined
  }
}

const second = { h: 3_600, m: 60, s: 1, ms: 0.001, us: 0.000_001, µs: 0.000_001, ns: 0.000_000_001 } as const

/**
 * Returns the seconds of a duration in compose notation; undefined when it is invalid.
 *
 * ```ts
 * import { secondsOf } from "./shapes.ts"
 *
 * secondsOf("1m30s") // => 90
 * secondsOf("500ms") // => 0.5
 * secondsOf("soon") // => undefined
 * ```
 */
export const secondsOf = (text: string): number | undefined => {
  if (!/^(?:\d{1,12}(?:\.\d{1,9})?(?:h|m|s|ms|us|µs|ns)){1,7}$/.test(text)) return text === "0" ? 0 : undefined
  let seconds = 0
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(h|ms|m|s|us|µs|ns)/g)) {
    seconds += Number(amount) * second[unit as keyof typeof second]
  }
  return seconds
}
