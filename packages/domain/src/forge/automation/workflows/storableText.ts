import { storable } from "../../../storable.ts"
import type { PlainValue } from "./Workflow.ts"

/**
 * Makes a text storable, and truncates it to a maximum number of characters (code points).
 *
 * @example
 * cutText("a😀b", 2) // => "a😀"
 */
export const cutText = (text: string, longest: number): string =>
  // A character has at most two units, so only that part of a long text is split.
  [...storable(text.slice(0, 2 * longest))].slice(0, longest).join("")

/** Returns whether all texts of a value are storable: without NUL, and well-formed Unicode. */
export const isStorable = (value: PlainValue): boolean => {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0")
  if (typeof value !== "object" || value === null) return true
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each as PlainValue))
}
