import { longestValue } from "../variables/Variable.ts"

/** The decrypted value of a shared variable. */
export interface OpenShared {
  readonly value: string
  /** Whether dollar signs in the value are literal characters instead of references. */
  readonly isLiteral: boolean
}

const reference = /\{\{\s*((?:team|project|environment|server)\.[A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/g

/**
 * Replaces the references to shared variables in a value. Also returns the names that are unknown; their references
 * stay unchanged. Returns undefined if the result exceeds the maximum length of a value (invariant I25).
 *
 * ```ts
 * import { resolveShared } from "@slipway/domain/deploy"
 *
 * const known = new Map([["team.HOST", { value: "db$1", isLiteral: true }], ["server.PORT", { value: "$PORT", isLiteral: false }]])
 * const found = (value: string, isLiteral = false) => resolveShared({ value, isLiteral }, known)
 *
 * found("{{team.HOST}}:{{ server.PORT }}") // => { value: "db$$1:$PORT", missing: [] }
 * found("{{team.HOST}}", true) // => { value: "db$1", missing: [] }
 * found("{{team.NONE}}{{other}}") // => { value: "{{team.NONE}}{{other}}", missing: ["team.NONE"] }
 * ```
 */
export const resolveShared = (
  { isLiteral, value }: OpenShared,
  known: ReadonlyMap<string, OpenShared>
): { readonly value: string; readonly missing: ReadonlyArray<string> } | undefined => {
  const missing: Array<string> = []
  let resolved = ""
  let end = 0
  for (const match of value.matchAll(reference)) {
    const [whole, name = ""] = match
    const found = known.get(name)
    if (found === undefined) missing.push(name)
    const escapes = found?.isLiteral === true && !isLiteral
    resolved +=
      value.slice(end, match.index) + (escapes ? found.value.replaceAll("$", "$$$$") : (found?.value ?? whole))
    end = match.index + whole.length
    // Checked here, not at the end: a value with many references to a long one would fill the memory before.
    if (resolved.length > longestValue) return undefined
  }
  resolved += value.slice(end)
  return resolved.length > longestValue ? undefined : { value: resolved, missing }
}
