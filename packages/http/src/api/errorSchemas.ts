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
 * Removes from an OpenAPI document the parts that no response contains.
 *
 * These are the `_tag` fields of errors, and the event that Effect adds for failed streams.
 */
export const withoutErrorTags = <Document extends object>(document: Document): Document => walk(document) as Document
