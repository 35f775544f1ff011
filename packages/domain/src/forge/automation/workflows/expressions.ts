import { Result } from "effect"
import { partsOf, tokensOf } from "./expressions/tokens.ts"
import { treeOf, Unreadable } from "./expressions/tree.ts"
import {
  type Budget,
  consumeSteps,
  isFunction,
  isTrue,
  longestText,
  makeBudget,
  type Scope,
  textOf,
  valueIn
} from "./expressions/values.ts"
import type { PlainRecord, PlainValue } from "./Workflow.ts"

/** The contexts (named values for expressions) that the server knows before a runner executes the job. */
export interface Contexts {
  readonly github: PlainRecord
  readonly inputs: PlainRecord
  readonly matrix: PlainRecord
  readonly vars: PlainRecord
  /** The names of inputs with values that are not known yet. */
  readonly later?: ReadonlySet<string> | undefined
  /** The step limit that several expressions share; if undefined, each call has its own limit. */
  readonly budget?: Budget | undefined
}

/** The additional contexts that are available only at some places of a workflow. */
interface Others {
  readonly jobs?: PlainRecord
  readonly needs?: PlainRecord
  readonly secrets?: PlainRecord
}

/** Returns the scope for expressions; the context `github` is also available as `forge`, `gitea` and `forgejo`. */
export const scopeOf = ({
  budget,
  later,
  ...contexts
}: Partial<Contexts> & Pick<Contexts, "github"> & Others): Scope => ({
  contexts: { ...contexts, forge: contexts.github, gitea: contexts.github, forgejo: contexts.github },
  later,
  budget: budget ?? makeBudget()
})

const reading = <A>(read: () => A): Result.Result<A, string> => {
  try {
    return Result.succeed(read())
  } catch (error) {
    if (error instanceof Unreadable) return Result.fail(error.because)
    throw error
  }
}

/** Evaluates an expression of a workflow; returns its value, or the reason why the evaluation failed. */
export const evaluate = (expression: string, scope: Scope): Result.Result<PlainValue, string> =>
  reading(() => {
    consumeSteps(scope, expression.length)
    return valueIn(treeOf(expression), scope)
  })

/** Replaces the expressions of a text by their values; fails if the result is too long. */
const filledIn = (text: string, scope: Scope): Result.Result<string, string> => {
  let filled = ""
  for (const part of partsOf(text)) {
    const value = part.expression ? evaluate(part.text, scope) : Result.succeed(part.text)
    if (Result.isFailure(value)) return Result.fail(value.failure)
    filled += textOf(value.success)
    if (filled.length > longestText) return Result.fail("its result is too long")
  }
  return Result.succeed(filled)
}

/**
 * Evaluates the expressions of a text. If the entire text is one expression, returns its value with its type; otherwise
 * returns a text.
 */
export const evaluateText = (text: string, scope: Scope): Result.Result<PlainValue, string> => {
  const parts = partsOf(text.trim())
  const [only] = parts
  return only?.expression === true && parts.length === 1 ? evaluate(only.text, scope) : filledIn(text, scope)
}

/** The results of several texts by name, and the names of texts that could not be evaluated. */
export interface EvaluatedTexts {
  readonly texts: ReadonlyMap<string, string>
  readonly unknown: ReadonlyArray<string>
}

/** Evaluates the expressions of several texts by name; their total length is limited. */
export const evaluateTexts = (written: PlainRecord, scope: Scope): EvaluatedTexts => {
  const [texts, unknown] = [new Map<string, string>(), [] as Array<string>]
  let room = longestText
  for (const [name, text] of Object.entries(written)) {
    const value = Result.map(typeof text === "string" ? evaluateText(text, scope) : Result.succeed(text), textOf)
    room -= Result.isSuccess(value) ? value.success.length : 0
    if (Result.isSuccess(value) && room >= 0) texts.set(name, value.success)
    else unknown.push(name)
  }
  return { texts, unknown }
}

/** Evaluates a condition (`if`) to true or false; without `${{ }}`, the entire text is an expression. */
export const holds = (condition: string, scope: Scope): Result.Result<boolean, string> =>
  Result.map(condition.includes("${{") ? evaluateText(condition, scope) : evaluate(condition, scope), isTrue)

/**
 * Returns the value of a text that is one expression; undefined for any other text, and if the expression uses an
 * unknown name.
 */
export const valueOf = (text: string, contexts: Contexts): PlainValue | undefined => {
  const parts = partsOf(text.trim())
  if (parts.length !== 1 || parts[0]?.expression !== true) return undefined
  return Result.getOrElse(evaluate(parts[0].text, scopeOf(contexts)), () => undefined) ?? undefined
}

/**
 * Replaces the expressions of a text by their values; undefined if an expression uses a name that is unknown, or not
 * known yet.
 *
 * @example
 * interpolate("on ${{ matrix.os }}", { github: {}, inputs: {}, matrix: { os: "linux" }, vars: {} }) // => "on linux"
 * interpolate("${{ needs.a.result }}", { github: {}, inputs: {}, matrix: {}, vars: {} }) // => undefined
 */
export const interpolate = (text: string, contexts: Contexts): string | undefined => {
  const scope = scopeOf(contexts)
  const isWhole = partsOf(text).every(
    (part) => !part.expression || Result.getOrElse(evaluate(part.text, scope), () => null) !== null
  )
  const filled = isWhole ? Result.getOrUndefined(filledIn(text, scope)) : undefined
  return filled === undefined || filled.includes("${{") ? undefined : filled
}

const always: ReadonlyArray<string> = ["github", "forge", "gitea", "forgejo"]
const statusFunctions: ReadonlyArray<string> = ["always", "cancelled", "failure", "success"]

const problemIn = (expression: string, names: ReadonlyArray<string>, isCondition: boolean): string | undefined => {
  const read = reading(() => treeOf(expression))
  if (Result.isFailure(read)) return read.failure
  const tokens = tokensOf(expression) ?? []
  const isSign = (at: number, sign: string) => tokens[at]?.kind === "sign" && tokens[at]?.says === sign
  const unknown = tokens.find(({ kind, says }, at) => {
    if (kind !== "name" || isSign(at - 1, ".") || ["false", "null", "true"].includes(says)) return false
    const name = says.toLowerCase()
    if (isSign(at + 1, "(")) return !isFunction(name) && !(isCondition && statusFunctions.includes(name))
    return !names.includes(name) && !always.includes(name)
  })
  return unknown && `\`${unknown.says}\` is not available here`
}

/** Returns whether any expression of a text uses a context, such as `needs`. */
export const isNamed = (text: string, context: string): boolean =>
  partsOf(text).some((part) => {
    const tokens = part.expression ? (tokensOf(part.text) ?? []) : []
    return tokens.some(({ kind, says }, at) => {
      const before = tokens[at - 1]
      const isKey = before?.kind === "sign" && before.says === "."
      return kind === "name" && !isKey && says.toLowerCase() === context
    })
  })

/** Returns the reason why the expressions of a text are invalid, or use a context other than `github` and `names`. */
export const problemOf = (
  text: string,
  names: ReadonlyArray<string>,
  { isCondition = false } = {}
): string | undefined => {
  const all =
    isCondition && !text.includes("${{")
      ? [text]
      : partsOf(text).flatMap((part) => (part.expression ? [part.text] : []))
  return all.map((each) => problemIn(each, names, isCondition)).find((problem) => problem !== undefined)
}
