import type { Problems } from "@slipway/domain"

/** The limits of every JSON text in requests: nesting depth and number of values. */
export const jsonBounds = { depth: 64, values: 20_000 } as const

const quote = 34
const backslash = 92
const opening = new Set([91, 123])
const closing = new Set([93, 125])
const comma = 44

/** Returns whether the next character after white space closes a list or object, so that it is empty. */
const closesNext = (text: string, from: number): boolean => {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return closing.has(text.charCodeAt(at))
}

/**
 * Returns the message of the limit that a JSON text exceeds; undefined if it is within the limits.
 *
 * Checks the text before it is parsed: parsers recurse and allocate, so a body of only brackets would block all other
 * requests (invariant I25).
 */
export const excessOf = (text: string, most: number = jsonBounds.values): string | undefined => {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      for (at++; at < text.length && text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++
    } else if (opening.has(code)) {
      if (!closesNext(text, at + 1) && ++values > most) return `Must hold at most ${most} values.`
      if (++depth > jsonBounds.depth) return `Must be nested at most ${jsonBounds.depth} deep.`
    } else if (closing.has(code)) {
      depth--
    } else if (code === comma && ++values > most) {
      return `Must hold at most ${most} values.`
    }
  }
  return undefined
}

/** Returns whether a text can be stored: only well-formed Unicode (no lone surrogates) without NUL. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** The error message for a text that cannot be stored. */
export const notText = "Must be well-formed text without NUL."

/**
 * Returns the errors of all texts in a parsed JSON value that cannot be stored, by their paths.
 *
 * The value must be within the depth limit of `jsonBounds`.
 */
export const textProblems = (value: unknown): Problems => {
  const found = new Map<string, ReadonlyArray<string>>()
  const look = (value: unknown, place: string): void => {
    if (typeof value === "string" && !isText(value)) found.set(place || "body", [notText])
    if (typeof value !== "object" || value === null) return
    for (const [name, each] of Object.entries(value)) {
      if (isText(name)) look(each, place === "" ? name : `${place}.${name}`)
      else found.set(place || "body", [notText])
    }
  }
  look(value, "")
  return Object.fromEntries(found)
}
