/** One token of a workflow expression, such as a name or an operator, with its position. */
export interface Token {
  readonly kind: "name" | "number" | "sign" | "text"
  /** The text of the token; for a string, the text between its quotes. */
  readonly says: string
  readonly from: number
  readonly to: number
}

const form =
  /\s*(?:([A-Za-z_][\w-]*)|(-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))|'((?:[^']|'')*)'|(&&|\|\||[=!<>]=|[()[\].,!<>*]))/y

/** Splits a workflow expression into tokens; undefined if it contains an invalid token. */
export const tokensOf = (text: string): ReadonlyArray<Token> | undefined => {
  const tokens: Array<Token> = []
  const pieces = new RegExp(form)
  const end = text.trimEnd().length
  for (let at = 0; at < end; at = pieces.lastIndex) {
    pieces.lastIndex = at
    const found = pieces.exec(text)
    if (found === null) return undefined
    const [whole, name, number, said, sign] = found
    const from = at + whole.length - whole.trimStart().length
    const place = { from, to: at + whole.length }
    if (said !== undefined) tokens.push({ kind: "text", says: said.replaceAll("''", "'"), ...place })
    else if (name !== undefined) tokens.push({ kind: "name", says: name, ...place })
    else if (number !== undefined) tokens.push({ kind: "number", says: number, ...place })
    else tokens.push({ kind: "sign", says: sign ?? "", ...place })
  }
  return tokens
}

/** A part of a text with expressions: literal text, or an expression between `${{` and `}}`. */
export interface Part {
  readonly expression: boolean
  readonly text: string
}

/** Returns the index of the end of an expression that starts at `from`: the first `}}` outside of quotes. */
const endOf = (text: string, from: number): number => {
  let isQuoted = false
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") isQuoted = !isQuoted
    else if (!isQuoted && text.startsWith("}}", at)) return at
  }
  return -1
}

/**
 * Splits a text into literal parts and expressions; an expression without `}}` is literal text.
 *
 * @example
 * partsOf("a ${{ b }}") // => [{ expression: false, text: "a " }, { expression: true, text: " b " }]
 */
export const partsOf = (text: string): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  for (let at = 0; at < text.length; ) {
    const from = text.indexOf("${{", at)
    const to = from === -1 ? -1 : endOf(text, from + 3)
    const word = text.slice(at, to === -1 ? text.length : from)
    if (word !== "") parts.push({ expression: false, text: word })
    if (to === -1) break
    parts.push({ expression: true, text: text.slice(from + 3, to) })
    at = to + 2
  }
  return parts
}
