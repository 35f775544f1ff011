import { type Document, isAlias, isMap, isScalar, parseAllDocuments, parseDocument, visit, type YAMLMap } from "yaml"
import { type Read, reasonOf } from "./texts.ts"

// A file with aliases that expand to too many nodes is not legitimate (invariant I25).
const mostAliases = 1_000
const mostStoodFor = 4_000_000

// Other parsers treat these as line ends, and so find other fields than this one.
const lineEnds = ["\0", "\u0085", "\u2028", "\u2029"]
const isAmbiguous = (text: string): boolean =>
  /\r(?!\n)/.test(text) || text.includes("\ufeff", 1) || lineEnds.some((end) => text.includes(end))

const plainTags: ReadonlyArray<string> = [
  "!reset",
  "!override",
  ...["str", "int", "float", "bool", "null", "seq", "map"].map((name) => `tag:yaml.org,2002:${name}`)
]

const repeats = ({ items }: YAMLMap): boolean => {
  const seen = new Set<unknown>()
  // The library searches all keys for each key, which takes minutes if there are many.
  return items.some(({ key }) => isScalar(key) && seen.size === seen.add(key.value).size)
}

/**
 * Returns the first unsupported construct of a YAML document; undefined if there is none. Unsupported are constructs
 * that other parsers could read differently, such as a binary tag, and aliases that expand without limit.
 */
const strangeIn = (document: Document): string | undefined => {
  let found: string | undefined
  let [nodes, aliases] = [0, 0]
  visit(document, {
    Node: (_, node) => {
      nodes++
      if (isAlias(node)) aliases++
      const tag = "tag" in node ? node.tag : undefined
      if (tag !== undefined && !plainTags.includes(tag)) found = `the tag ${tag.slice(0, 100)} is not supported`
      else if (isMap(node) && repeats(node)) found = "map keys must be unique"
      return found === undefined ? undefined : visit.BREAK
    }
  })
  return nodes * aliases > mostStoodFor ? "YAML aliases expand to too many nodes" : found
}

/**
 * Parses the documents of a YAML file, with YAML maps as `Map`. Returns the reason if the file is invalid or ambiguous.
 */
export const documentsIn = (text: string): Read<ReadonlyArray<unknown>> => {
  if (isAmbiguous(text)) return { because: "it has line separators that only some programs recognize" }
  try {
    const parsed = parseAllDocuments(text, { merge: true, uniqueKeys: false, logLevel: "silent" })
    const documents = "empty" in parsed ? [] : parsed
    const error = documents.flatMap(({ errors }) => errors)[0]
    if (error !== undefined) return { because: reasonOf(error) }
    const strange = documents.map((document) => strangeIn(document)).find((each) => each !== undefined)
    if (strange !== undefined) return { because: strange }
    return {
      said: documents.map((document): unknown => document.toJS({ mapAsMap: true, maxAliasCount: mostAliases }))
    }
  } catch (error) {
    return { because: reasonOf(error) }
  }
}

/**
 * Parses the YAML output of version 1 of the compose program. Numbers stay strings, because the program prints some
 * strings without quotes.
 */
export const printedYaml = (text: string): Read<unknown> => {
  try {
    // Programs print no duplicate keys.
    const known = { uniqueKeys: false, logLevel: "silent" } as const
    const document = parseDocument(text, { schema: "failsafe", customTags: ["null", "bool"], ...known })
    const [error] = document.errors
    if (error !== undefined) return { because: reasonOf(error) }
    return { said: document.toJS({ maxAliasCount: mostAliases }) }
  } catch (error) {
    return { because: reasonOf(error) }
  }
}
