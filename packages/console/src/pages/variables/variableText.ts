import type { SharedVariable } from "@slipway/client/deploy"

/** A line of the text: a variable with a new value, or one that keeps its value. */
interface Line {
  readonly key: string
  /** The new value; undefined if the line has none, such as `KEY`. */
  readonly value: string | undefined
}

/** How a text changes the stored variables. */
export interface Changes {
  readonly added: ReadonlyArray<Line>
  readonly changed: ReadonlyArray<Line>
  readonly removed: ReadonlyArray<string>
}

/** A text that cannot be applied: the number of its line, and the problem. */
export interface BadLine {
  readonly line: number
  readonly problem: "form" | "repeated" | "noValue"
}

const assignment = /^([A-Za-z_][A-Za-z0-9_.-]*)(?:=(.*))?$/

/** Returns the text of variables with hidden values: one name per line. */
export const textOf = (variables: ReadonlyArray<Pick<SharedVariable, "key">>): string =>
  variables.map(({ key }) => `${key}\n`).join("")

/**
 * Compares a text with the stored variables. A line `KEY=value` sets a value, a line `KEY` keeps it, and a variable
 * without a line is removed. Empty lines and lines that begin with `#` have no effect.
 *
 * @example
 * changesOf("A=1\nB", [{ key: "B" }, { key: "C" }]) // => { added: [{ key: "A", value: "1" }], changed: [], removed: ["C"] }
 * changesOf("A", []) // => { line: 1, problem: "noValue" }
 */
export const changesOf = (text: string, variables: ReadonlyArray<Pick<SharedVariable, "key">>): BadLine | Changes => {
  const present = new Set(variables.map(({ key }) => key))
  const lines = new Map<string, Line>()
  for (const [index, each] of text.split("\n").entries()) {
    if (each.trim() === "" || each.startsWith("#")) continue
    const line = index + 1
    const [, key, value] = assignment.exec(each) ?? []
    if (key === undefined) return { line, problem: "form" }
    if (lines.has(key)) return { line, problem: "repeated" }
    if (value === undefined && !present.has(key)) return { line, problem: "noValue" }
    lines.set(key, { key, value })
  }
  const set = [...lines.values()].filter(({ value }) => value !== undefined)
  return {
    added: set.filter(({ key }) => !present.has(key)),
    changed: set.filter(({ key }) => present.has(key)),
    removed: variables.flatMap(({ key }) => (lines.has(key) ? [] : [key]))
  }
}
