import { Result } from "effect"
import { partsOf } from "./expressions/tokens.ts"
import { treeOf, Unreadable } from "./expressions/tree.ts"
import { isTrue, type Scope, textOf, valueIn } from "./expressions/values.ts"
import type { Plain, PlainRecord } from "./Workflow.ts"

/** What expressions read before a job has a runner. */
export interface Contexts {
  readonly github: PlainRecord
  readonly inputs: PlainRecord
  readonly matrix: PlainRecord
  readonly vars: PlainRecord
}

/** Returns what expressions may name by contexts, of which `github` has names of its own in each forge. */
export const scopeOf = <C extends { readonly github: PlainRecord }>(contexts: C): Scope => ({
  contexts: { ...contexts, gitea: contexts.github, forgejo: contexts.github }
})

/**
 * Returns the value of an expression, or why it has none.
 *
 * @example
 * evaluated("vars.A == 'x' && 1 || 2", { contexts: { vars: { a: "X" } } }) // => Result.succeed(1)
 */
export const evaluated = (expression: string, scope: Scope): Result.Result<Plain, string> => {
  try {
    return Result.succeed(valueIn(treeOf(expression), scope))
  } catch (error) {
    if (error instanceof Unreadable) return Result.fail(error.because)
    throw error
  }
}

/** Returns what a text says with the values of its expressions in their place: that of the only one as it is. */
export const said = (text: string, scope: Scope): Result.Result<Plain, string> => {
  const parts = partsOf(text.trim())
  const [only] = parts
  if (only?.expression === true && parts.length === 1) return evaluated(only.text, scope)
  let filled = ""
  for (const part of partsOf(text)) {
    const value = part.expression ? evaluated(part.text, scope) : Result.succeed(part.text)
    if (Result.isFailure(value)) return value
    filled += textOf(value.success)
  }
  return Result.succeed(filled)
}

/** Returns whether a condition holds, which is an expression whether or not it says so. */
export const holds = (condition: string, scope: Scope): Result.Result<boolean, string> =>
  Result.map(condition.includes("${{") ? said(condition, scope) : evaluated(condition, scope), isTrue)

/** Returns the value of a text that is one expression and no more; nothing where it isn't, or names what isn't there. */
export const valueOf = (text: string, contexts: Contexts): Plain | undefined => {
  const parts = partsOf(text.trim())
  if (parts.length !== 1 || parts[0]?.expression !== true) return undefined
  return Result.getOrElse(evaluated(parts[0].text, scopeOf(contexts)), () => undefined) ?? undefined
}

/**
 * Puts values in the place of the expressions of a text; nothing where one names what isn't there, or isn't known yet.
 *
 * @example
 * interpolated("on ${{ matrix.os }}", { github: {}, inputs: {}, matrix: { os: "linux" }, vars: {} }) // => "on linux"
 * interpolated("${{ needs.a.result }}", { github: {}, inputs: {}, matrix: {}, vars: {} }) // => undefined
 */
export const interpolated = (text: string, contexts: Contexts): string | undefined => {
  let filled = ""
  for (const part of partsOf(text)) {
    const value = part.expression ? Result.getOrElse(evaluated(part.text, scopeOf(contexts)), () => null) : part.text
    if (value === null) return undefined
    filled += textOf(value)
  }
  return filled.includes("${{") ? undefined : filled
}
