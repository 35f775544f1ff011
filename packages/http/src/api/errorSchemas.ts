import { Predicate } from "effect"

const walk = (value: unknown, key?: string): unknown => {
  if (Array.isArray(value)) return value.map((each) => walk(each))
  if (!Predicate.isObject(value)) return value
  const entries = Object.entries(value).filter(
    ([name]) => !(key === "properties" && name === "_tag") && name !== "x-effect-stream"
  )
  return Object.fromEntries(entries.map(([name, each]) => [name, walk(each, name)]))
}

/**
 * Removes from an API description the parts that no answer contains.
 *
 * These are the internal tags of errors, and the internal event of failed streams.
 */
export const withoutErrorTags = <Document extends object>(document: Document): Document => walk(document) as Document
