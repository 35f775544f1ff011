import type { EnvironmentVariable, SharedVariable } from "@slipway/client/deploy"

/** A line of a text: a variable with a value, or one without, such as `KEY`. */
interface Line {
  /** The number of the line, from 1. */
  readonly line: number
  readonly key: string
  readonly value: string | undefined
}

/** A variable that a text sets. */
export interface TypedVariable {
  readonly key: string
  readonly value: string
}

/** A change that a text makes; `before` is null if the value of the variable is hidden, undefined if it is new. */
export interface VariableChange extends TypedVariable {
  readonly before: string | null | undefined
}

/** How a text changes all variables of an owner. */
export interface Changes {
  readonly added: ReadonlyArray<TypedVariable>
  readonly changed: ReadonlyArray<TypedVariable>
  readonly removed: ReadonlyArray<string>
}

/** A text that cannot be applied: the number of its line, and the problem. */
export interface BadLine {
  readonly line: number
  readonly problem: "form" | "repeated" | "noValue"
}

const assignment = /^([A-Za-z_][A-Za-z0-9_.-]*)(?:=(.*))?$/

/** Parses lines such as `KEY=value` and `KEY`. Empty lines and lines that begin with `#` have no effect. */
const linesIn = (text: string): BadLine | ReadonlyArray<Line> => {
  const lines = new Map<string, Line>()
  for (const [index, each] of text.split(/\r?\n/).entries()) {
    if (each.trim() === "" || each.startsWith("#")) continue
    const line = index + 1
    const [, key, value] = assignment.exec(each) ?? []
    if (key === undefined) return { line, problem: "form" }
    if (lines.has(key)) return { line, problem: "repeated" }
    lines.set(key, { line, key, value })
  }
  return [...lines.values()]
}

const typedIn = (lines: ReadonlyArray<Line>): ReadonlyArray<TypedVariable> =>
  lines.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]))

/** Returns the text of variables with hidden values: one name per line. */
export const textOf = (variables: ReadonlyArray<Pick<SharedVariable, "key">>): string =>
  variables.map(({ key }) => `${key}\n`).join("")

/**
 * Compares a text with all variables of an owner. A line `KEY=value` sets a value, a line `KEY` keeps it, and a variable
 * without a line is removed.
 *
 * @example
 * changesOf("A=1\nB", [{ key: "B" }, { key: "C" }]) // => { added: [{ key: "A", value: "1" }], changed: [], removed: ["C"] }
 * changesOf("A", []) // => { line: 1, problem: "noValue" }
 */
export const changesOf = (text: string, variables: ReadonlyArray<Pick<SharedVariable, "key">>): BadLine | Changes => {
  const lines = linesIn(text)
  if ("problem" in lines) return lines
  const present = new Set(variables.map(({ key }) => key))
  const lacking = lines.find(({ key, value }) => value === undefined && !present.has(key))
  if (lacking !== undefined) return { line: lacking.line, problem: "noValue" }
  const named = new Set(lines.map(({ key }) => key))
  const set = typedIn(lines)
  return {
    added: set.filter(({ key }) => !present.has(key)),
    changed: set.filter(({ key }) => present.has(key)),
    removed: variables.flatMap(({ key }) => (named.has(key) ? [] : [key]))
  }
}

/**
 * Parses a text that sets variables, one `KEY=value` per line.
 *
 * @example
 * variablesIn("A=1\n# note\nb.c=x=y") // => [{ key: "A", value: "1" }, { key: "b.c", value: "x=y" }]
 * variablesIn("A=1\nB") // => { line: 2, problem: "form" }
 */
export const variablesIn = (text: string): BadLine | ReadonlyArray<TypedVariable> => {
  const lines = linesIn(text)
  if ("problem" in lines) return lines
  const lacking = lines.find(({ value }) => value === undefined)
  return lacking === undefined ? typedIn(lines) : { line: lacking.line, problem: "form" }
}

/** Returns what setting some variables changes. The other variables stay as they are. */
export const changesBy = (
  variables: ReadonlyArray<EnvironmentVariable>,
  set: ReadonlyArray<TypedVariable>
): ReadonlyArray<VariableChange> => {
  // A text sets values of the resource, not those of previews.
  const present = new Map(variables.flatMap((each) => (each.is_preview ? [] : [[each.key, each.value] as const])))
  return set.flatMap(({ key, value }) => {
    const before = present.get(key)
    return before === value ? [] : [{ key, value, before }]
  })
}
