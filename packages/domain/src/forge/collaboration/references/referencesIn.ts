import { mostReferences, type Reference, referenceKey, scan } from "./References.ts"
import { withoutCode } from "./withoutCode.ts"

/**
 * Returns the references of a Markdown text outside of code, in order. Each resource occurs once, with the last intent
 * (`closes` or `reopens`) in the text.
 *
 * @example
 * referencesIn("See #7, `#8` and @bob").map(({ kind }) => kind) // => ["issue", "user"]
 */
export const referencesIn = (text: string): ReadonlyArray<Reference> => {
  const found = new Map<string, Reference>()
  for (const { reference } of scan(withoutCode(text))) {
    const key = referenceKey(reference)
    const before = found.get(key)
    if (before === undefined && found.size === mostReferences) continue
    const says = reference.kind !== "issue" || reference.intent !== undefined
    if (before === undefined || says) found.set(key, reference)
  }
  return [...found.values()]
}
