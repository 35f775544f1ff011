import { Result } from "effect"
import { longestTogether, longestValue } from "./Variable.ts"

/** A variable with its decrypted value. */
export interface OpenVariable {
  readonly key: string
  readonly value: string
  /** Whether the value is used unchanged; otherwise `$NAME` in it refers to other variables. */
  readonly isLiteral: boolean
}

const name = /\$(?:\$|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g

/**
 * Replaces `$NAME` and `${NAME}` in a text with the values of variables, and `$$` with a dollar sign.
 *
 * Returns undefined if the result is longer than `longest` characters, so that input of users cannot fill the memory
 * (invariant I25).
 *
 * @example
 * expandText("$A costs $$5", new Map([["A", "Rope"]]), 100) // => "Rope costs $5"
 * expandText("$A", new Map([["A", "Rope"]]), 3) // => undefined
 */
export const expandText = (text: string, known: ReadonlyMap<string, string>, longest: number): string | undefined => {
  let expanded = ""
  let end = 0
  for (const match of text.matchAll(name)) {
    const [whole, braced, bare] = match
    expanded += text.slice(end, match.index) + (whole === "$$" ? "$" : (known.get(braced ?? bare ?? "") ?? ""))
    end = match.index + whole.length
    // Checked here, not at the end: a value with many references to a long one would fill the memory before.
    if (expanded.length > longest) return undefined
  }
  expanded += text.slice(end)
  return expanded.length > longest ? undefined : expanded
}

/**
 * Returns the keys of variables with a reference to an undefined variable, which expands to nothing.
 *
 * A reference can use only variables earlier in the list. The undefined names are not returned, because the "name"
 * after a dollar sign may be a part of a password (invariant I15: no secrets in messages).
 *
 * ```ts
 * import { cutKeys } from "@slipway/domain/deploy"
 *
 * const host = { key: "HOST", value: "db", isLiteral: false }
 * const password = (value: string, isLiteral = false) => ({ key: "PASSWORD", value, isLiteral })
 *
 * cutKeys([host, password("pa$word")]) // => ["PASSWORD"]
 * cutKeys([host, password("pa$$word@$HOST")]) // => []
 * cutKeys([host, password("pa$word", true)]) // => []
 * ```
 */
export const cutKeys = (variables: ReadonlyArray<OpenVariable>): ReadonlyArray<string> => {
  const known = new Set<string>()
  const cut: Array<string> = []
  for (const { isLiteral, key, value } of variables) {
    const isCut = ([whole, braced, bare]: RegExpExecArray) => whole !== "$$" && !known.has(braced ?? bare ?? "")
    if (!isLiteral && [...value.matchAll(name)].some(isCut)) cut.push(key)
    known.add(key)
  }
  return cut
}

/**
 * Returns the values that a container receives.
 *
 * `$NAME` and `${NAME}` refer to variables earlier in the list, and `$$` is a dollar sign. An unknown name expands to
 * nothing. Fails with the key of the first value that exceeds the limit of one value, or of all values in total
 * (invariant I25: all input has a limit).
 *
 * ```ts
 * import { expandVariables } from "@slipway/domain/deploy"
 * import { Result } from "effect"
 *
 * const given = (value: string, isLiteral = false) => ({ key: "URL", value, isLiteral })
 * const host = { key: "HOST", value: "db:5432", isLiteral: true }
 * const url = (value: string, isLiteral = false) =>
 *   Result.getOrThrow(expandVariables([host, given(value, isLiteral)]))[1]
 *
 * url("postgres://$HOST/shop") // => "postgres://db:5432/shop"
 * url("${HOST}s cost $$5, $OTHER") // => "db:5432s cost $5, "
 * url("$URL") // => ""
 * url("$HOST costs $$5", true) // => "$HOST costs $$5"
 * ```
 */
export const expandVariables = (
  variables: ReadonlyArray<OpenVariable>
): Result.Result<ReadonlyArray<string>, { readonly key: string; readonly most: number }> => {
  const known = new Map<string, string>()
  const values: Array<string> = []
  let left = longestTogether
  for (const { isLiteral, key, value } of variables) {
    const expanded = isLiteral ? value : expandText(value, known, longestValue)
    if (expanded === undefined) return Result.fail({ key, most: longestValue })
    left -= expanded.length
    if (left < 0) return Result.fail({ key, most: longestTogether })
    known.set(key, expanded)
    values.push(expanded)
  }
  return Result.succeed(values)
}
