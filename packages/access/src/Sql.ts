import type { Condition } from "./Condition.ts"
import { fold } from "./Condition.ts"

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/
const word = /^[a-z][a-z-]*$/

/** The fact names and aliases that are already validated. They are constants of the code, so the set stays small. */
const names = new Set<string>()

const checked = (text: string, form: RegExp): string => {
  if (!form.test(text)) throw new Error(`\`${text}\` cannot be part of an SQL condition`)
  return text
}

const named = (text: string): string => {
  if (!names.has(text)) names.add(checked(text, identifier))
  return text
}

/** Returns the quoted SQL column name for a fact (a value that access rules test), with an optional table alias. */
export const factColumn = (fact: string, alias?: string): string => {
  const column = `"${named(fact)}"`
  return alias === undefined ? column : `"${named(alias)}".${column}`
}

/**
 * Returns a condition as a boolean SQL expression over columns with the names of the facts.
 *
 * Levels are integers, words are text, and flags are booleans; no column may be null. The SQL never contains request
 * data: only fact names, words of fixed lists and integers are accepted.
 */
export const toSql = <F>(condition: Condition<F>, alias?: string): string =>
  fold<F, string>(condition, {
    flag: (fact) => factColumn(fact, alias),
    is: (fact, text) => `${factColumn(fact, alias)} = '${checked(text, word)}'`,
    atLeast: (fact, level) => `${factColumn(fact, alias)} >= ${Math.trunc(level)}`,
    not: (of) => `not (${of})`,
    all: (of) => (of.length === 0 ? "true" : `(${of.join(" and ")})`),
    any: (of) => (of.length === 0 ? "false" : `(${of.join(" or ")})`)
  })
