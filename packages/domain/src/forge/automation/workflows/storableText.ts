import type { PlainValue } from "./Workflow.ts"

/** Returns a text in storable form: complete characters, and no NUL. */
export const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed()

/**
 * Returns a text in storable form, truncated to a number of characters.
 *
 * @example
 * cutText("a😀b", 2) // => "a😀"
 */
export const cutText = (text: string, longest: number): string =>
  // A character has at most two units, so only that part of a long text is split.
  [...storable(text.slice(0, 2 * longest))].slice(0, longest).join("")

/** Returns whether stores can represent all texts of a value. */
export const isStorable = (value: PlainValue): boolean => {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0")
  if (typeof value !== "object" || value === null) return true
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each as PlainValue))
}
