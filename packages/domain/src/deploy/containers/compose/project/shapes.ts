import { Predicate, Result, Schema } from "effect"
import { problemsOf } from "../../../../Problems.ts"
import type { ComposeLocation } from "./location.ts"

/** The maximum length of texts and lists in compose files (invariant I25). */
const longestText = 100_000
const longestList = 1_000
const noZero = Schema.makeFilter((text: string) => !text.includes("\0"), {
  message: "Must not contain a NUL character."
})

/** A text of bounded length. */
export const Text = Schema.String.check(
  Schema.isMaxLength(longestText, { message: `Must have at most ${longestText} characters.` }),
  noZero
)
/** A text, or a number or boolean, which the compose program of the engine prints without quotes. */
export const Scalar = Schema.Union([Text, Schema.Finite, Schema.Boolean])
/** A list of bounded length. */
export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(Schema.isMaxLength(longestList, { message: `Must have at most ${longestList} entries.` }))
/** One value or a list of values. */
export const oneOrMore = <S extends Schema.Top>(item: S) => Schema.Union([item, listOf(item)])
/** Names with values: a map, or a list of `NAME=value`. */
export const Names = Schema.Union([Schema.Record(Schema.String, Schema.NullOr(Scalar)), listOf(Text)])
/** A field with any content. */
export const AnyContent = Schema.Unknown

/** Returns the elements of a list, or a single value as a list. */
export const all = <A>(value: A | ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.isArray(value) ? (value as ReadonlyArray<A>) : [value as A]

/** Returns names with their values; a name without a value has null. */
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

/** Returns a record without extension fields, which have names that begin with `x-`. */
export const withoutExtensions = (value: unknown): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name, inner]) => !name.startsWith("x-") && inner !== null))
    : value

const options = { errors: "all", onExcessProperty: "error" } as const

/** Reads a value by its schema, and reports its problems. */
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
