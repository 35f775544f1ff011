import { nameKey } from "../../../Collection.ts"

/** The maximum size in bytes of a file that code search indexes. */
export const largestIndexedFile = 512 * 1024

/** The maximum number of files of a repository that code search indexes. */
export const mostIndexedFiles = 20_000

/** The maximum number of words of one file in the index, and their maximum total length in characters. */
const most = { words: 5_000, characters: 200_000 }

const shortestWord = 2
/** Longer words are indexed by their beginning. */
const longestWord = 64

const identifiers = /[\p{L}\p{M}\p{N}_]+/gu

const wordOf = (text: string): string =>
  nameKey(text)
    .slice(0, longestWord)
    .replace(/[\uD800-\uDBFF]$/, "")

/**
 * Returns the words of an identifier in lower case: the identifier itself, and its parts in camelCase or snake_case.
 *
 * @example
 * identifierWords("parseHTTPRequest_v2") // => ["parsehttprequest_v2", "parse", "http", "request", "v2"]
 */
export const identifierWords = (identifier: string): ReadonlyArray<string> => {
  const parts = identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .split("_")
  const words = new Set((parts.length === 1 ? [identifier] : [identifier, ...parts]).map(wordOf))
  return [...words].filter(({ length }) => length >= shortestWord)
}

/**
 * Returns the identifiers of a query in lower case, without those of one character.
 *
 * @example
 * queryWords("User.find(x)") // => ["user", "find"]
 */
export const queryWords = (text: string): ReadonlyArray<string> =>
  (text.match(identifiers) ?? []).map(wordOf).filter(({ length }) => length >= shortestWord)

/**
 * Returns the distinct words of a text, in lower case: every identifier, and its parts. A very long text is indexed by
 * its first words.
 *
 * @example
 * codeWords("const userName = user_id") // => ["const", "username", "user", "name", "user_id", "id"]
 */
export const codeWords = (text: string): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const words = new Set<string>()
  let characters = 0
  for (const [identifier] of text.matchAll(identifiers)) {
    if (seen.has(identifier)) continue
    seen.add(identifier)
    for (const word of identifierWords(identifier)) {
      if (words.has(word)) continue
      characters += word.length
      if (words.size >= most.words || characters > most.characters) return [...words]
      words.add(word)
    }
  }
  return [...words]
}

/** The maximum length of the path of an indexed file, in characters. */
const longestPath = 500

/** Returns whether a file with a path can be in the index of code search: its path is a valid text of limited length. */
export const isIndexedPath = (path: string): boolean => path.length <= longestPath && path.isWellFormed()

const decoder = new TextDecoder()

/** Returns the text of a file; undefined if the file is binary. */
export const codeText = (content: Uint8Array): string | undefined =>
  content.subarray(0, 8_000).includes(0) ? undefined : decoder.decode(content)
