import { Result } from "effect"
import { longestValue } from "./Variable.ts"

/** A variable with its value opened. */
export interface OpenVariable {
  readonly key: string
  readonly value: string
  /** Whether the value is as it is, dollar signs included. */
  readonly isLiteral: boolean
}

const name = /\$(?:\$|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g

/** Returns a text with the values of the variables that it names; nothing when that is longer than a value may be. */
const expandText = (text: string, known: ReadonlyMap<string, string>): string | undefined => {
  let expanded = ""
  let end = 0
  for (const match of text.matchAll(name)) {
    const [whole, braced, bare] = match
    expanded += text.slice(end, match.index) + (whole === "$$" ? "$" : (known.get(braced ?? bare ?? "") ?? ""))
    end = match.index + whole.length
    // Here, not at the end: a value that names a long one often enough would fill the memory before.
    if (expanded.length > longestValue) return undefined
  }
  expanded += text.slice(end)
  return expanded.length > longestValue ? undefined : expanded
}

/**
 * Returns the values that a container gets: `$NAME` and `${NAME}` are variables that stand before, `$$` is a dollar sign,
 * and a name that no variable before has is nothing. Fails with the key whose value becomes too long (invariant I25).
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
): Result.Result<ReadonlyArray<string>, { readonly key: string }> => {
  const known = new Map<string, string>()
  const values: Array<string> = []
  for (const { isLiteral, key, value } of variables) {
    const expanded = isLiteral ? value : expandText(value, known)
    if (expanded === undefined) return Result.fail({ key })
    known.set(key, expanded)
    values.push(expanded)
  }
  return Result.succeed(values)
}
