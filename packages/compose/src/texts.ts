/** The result of reading a text: its parsed content, or the reason why reading failed. */
export type Read<A> = { readonly said: A } | { readonly because: string }

/** Returns the first line of an error's message. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? (error.message.split("\n")[0] ?? "") : "")

/** Decodes the bytes of a file as UTF-8 text; returns a reason if they are invalid. */
export const textOf = (bytes: Uint8Array): Read<string> => {
  try {
    return { said: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
  } catch {
    return { because: "it is not UTF-8 text" }
  }
}

/** Parses the JSON output of version 2 of the compose program. */
export const printedJson = (text: string): Read<unknown> => {
  try {
    return { said: JSON.parse(text) }
  } catch (error) {
    return { because: reasonOf(error) }
  }
}

/**
 * Replaces `$$` by `$` in the output of the compose program. The program doubles dollar signs, so that its output can
 * be its input again.
 */
export const unescapeDollars = (printed: unknown): unknown => {
  // Objects shared by aliases stay shared, or a small output could become a large one.
  const copies = new Map<object, unknown>()
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return value.replaceAll("$$", "$")
    if (typeof value !== "object" || value === null) return value
    if (!copies.has(value)) {
      copies.set(
        value,
        Array.isArray(value)
          ? value.map(visit)
          : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.replaceAll("$$", "$"), visit(inner)]))
      )
    }
    return copies.get(value)
  }
  return visit(printed)
}
