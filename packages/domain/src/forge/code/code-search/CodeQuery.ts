import { Schema } from "effect"
import { nameKey } from "../../../Collection.ts"
import { codeWords, queryWords } from "./codeWords.ts"

/** Reports that a code search has no word that the index can find. */
export class CodeQueryInvalid extends Schema.TaggedError<CodeQueryInvalid>()("CodeQueryInvalid", {}) {}

/** The maximum number of words of a query; further ones are ignored. */
const mostWords = 16

/** The query of a code search. */
export interface CodeQuery {
  /** The beginnings of words that a file must contain, in lower case. */
  readonly words: ReadonlyArray<string>
  /** Those of the words that are outside of phrases. */
  readonly loose: ReadonlyArray<string>
  /** The exact texts that a file must contain. */
  readonly phrases: ReadonlyArray<string>
}

/**
 * Parses the query of a code search: words, and exact texts in double quotes.
 *
 * @example
 * parseCodeQuery('user "find(x)"') // => { words: ["user", "find"], loose: ["user"], phrases: ["find(x)"] }
 */
export const parseCodeQuery = (text: string): CodeQuery => {
  const terms = [...text.matchAll(/"([^"]*)"?|([^\s"]+)/g)]
  const phrases = terms.flatMap(([, phrase = ""]) => (phrase.trim() === "" ? [] : [phrase.trim()]))
  const loose = [...new Set(terms.flatMap(([, , word = ""]) => queryWords(word)))].slice(0, mostWords)
  const words = [...new Set([...loose, ...phrases.flatMap(queryWords)])].slice(0, mostWords)
  return { words, loose, phrases }
}

/** A line of a file in the result of a code search. */
export interface CodeLine {
  /** The number of the line, counted from 1. */
  readonly number: number
  /** The text of the line; of a long line, a part. */
  readonly text: string
  /** Whether the line matches the query; otherwise it is context. */
  readonly match: boolean
}

/** The lines of a file that match a query, with context. */
export interface CodeMatch {
  /** The number of matching lines in the whole file. */
  readonly count: number
  /** Some matching lines, with at least one of each term, and the lines before and after each, without repeats. */
  readonly lines: ReadonlyArray<CodeLine>
}

/** The maximum number of matching lines of a file in a result, the lines of context around each, and their length. */
const shown = { matches: 5, context: 1, length: 300, before: 40 }

/** A matching line: its index, the position of its first match, and the terms of the query that it contains. */
interface FoundLine {
  readonly index: number
  readonly at: number
  readonly terms: ReadonlyArray<string>
}

/** Finds the terms of a query in a line; undefined if there are none. `folded` is the line in lower case. */
const foundIn = (line: string, folded: string, index: number, { loose, phrases }: CodeQuery): FoundLine | undefined => {
  const exact = phrases.filter((phrase) => line.includes(phrase))
  const possible = loose.filter((word) => folded.includes(word))
  const words = possible.length === 0 ? [] : codeWords(line)
  const begun = possible.filter((word) => words.some((part) => part.startsWith(word)))
  const places = [...exact.map((phrase) => line.indexOf(phrase)), ...begun.map((word) => folded.indexOf(word))]
  return places.length === 0 ? undefined : { index, at: Math.min(...places), terms: [...exact, ...begun] }
}

/** Chooses the lines to show: the first one with each term of the query, then the first ones. */
const chosen = (found: ReadonlyArray<FoundLine>): ReadonlyArray<FoundLine> => {
  const known = new Set<string>()
  const first = found.filter(({ terms }) => {
    const size = known.size
    for (const term of terms) known.add(term)
    return known.size > size
  })
  const lines = [...new Set([...first, ...found])].slice(0, shown.matches)
  return lines.toSorted((one, other) => one.index - other.index)
}

const excerpt = (line: string, at: number): string => {
  const start = at > shown.length - shown.before ? at - shown.before : 0
  return line.slice(start, start + shown.length).toWellFormed()
}

/** Returns the lines of a text that match a query; undefined if the text lacks one of its phrases. */
export const matchCode = (text: string, query: CodeQuery): CodeMatch | undefined => {
  if (!query.phrases.every((phrase) => text.includes(phrase))) return undefined
  const lines = text.split(/\r?\n/)
  const found = lines.flatMap((line, index) => foundIn(line, nameKey(line), index, query) ?? [])
  const places = new Map(found.map(({ at, index }) => [index, at]))
  const indexes = new Set(
    chosen(found).flatMap(({ index }) =>
      Array.from({ length: 2 * shown.context + 1 }, (_, offset) => index + offset - shown.context)
    )
  )
  return {
    count: found.length,
    lines: [...indexes].flatMap((index) => {
      const line = lines[index]
      const isEnd = index === lines.length - 1 && line === ""
      if (line === undefined || isEnd) return []
      const at = places.get(index)
      return [{ number: index + 1, text: excerpt(line, at ?? 0), match: at !== undefined }]
    })
  }
}
