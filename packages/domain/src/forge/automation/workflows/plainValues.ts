import type { PlainRecord, PlainValue } from "./Workflow.ts"

/** A function that reports a problem and its location in a workflow. */
export type Complain = (place: string, problem: string) => void

/** Returns whether a YAML value is a map. */
export const isRecord = (value: PlainValue | undefined): value is PlainRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns whether a value is a list. */
export const isList = (value: PlainValue | undefined): value is ReadonlyArray<PlainValue> => Array.isArray(value)

const isScalar = (value: PlainValue | undefined): value is boolean | number | string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** Returns a text, a number or a boolean as written. */
export const textOf = (value: PlainValue | undefined): string | undefined =>
  isScalar(value) ? String(value) : undefined

/** Reads a text or a list of texts. */
export const textsIn = (value: PlainValue | undefined, place: string, complain: Complain): ReadonlyArray<string> => {
  const all = isList(value) ? value : [value]
  const texts = all.flatMap((each) => textOf(each ?? undefined) ?? [])
  if (texts.length < all.length) complain(place, "must be a string or a list of strings")
  return texts
}
