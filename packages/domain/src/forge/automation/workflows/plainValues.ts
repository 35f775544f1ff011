import type { PlainRecord, PlainValue } from "./Workflow.ts"

/** A function that receives each problem in a workflow, with its location such as `jobs.build.needs`. */
export type Complain = (place: string, problem: string) => void

/** Returns whether a YAML value is a map. */
export const isRecord = (value: PlainValue | undefined): value is PlainRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns whether a value is a list. */
export const isList = (value: PlainValue | undefined): value is ReadonlyArray<PlainValue> => Array.isArray(value)

const isScalar = (value: PlainValue | undefined): value is boolean | number | string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** Converts a text, number or boolean to text; undefined for any other value. */
export const textOf = (value: PlainValue | undefined): string | undefined =>
  isScalar(value) ? String(value) : undefined

/** Parses a text or a list of texts as a list; reports other values to `complain`. */
export const textsIn = (value: PlainValue | undefined, place: string, complain: Complain): ReadonlyArray<string> => {
  const all = isList(value) ? value : [value]
  const texts = all.flatMap((each) => textOf(each ?? undefined) ?? [])
  if (texts.length < all.length) complain(place, "must be a string or a list of strings")
  return texts
}
