import { type Document, isAlias, isMap, isScalar, parseAllDocuments, parseDocument, visit, type YAMLMap } from "yaml"
import { type Read, reasonOf } from "./texts.ts"

// A file in which few names stand for very much is none that anybody wrote to be read (invariant I25).
const mostAliases = 1_000
const mostStoodFor = 4_000_000

// Other parsers see ends of lines, and so other fields, where this one sees none.
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
  // The library looks through all keys for each, which takes minutes where there are many.
  return items.some(({ key }) => isScalar(key) && seen.size === seen.add(key.value).size)
}

/** Returns what another parser could read otherwise, such as a path from Base64 by its tag, or takes for ever to put together. */
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
  return nodes * aliases > mostStoodFor ? "few names stand for too much" : found
}

/** Reads the documents of a YAML file, with maps as maps; or says what is wrong, or can be read in two ways. */
export const documentsIn = (text: string): Read<ReadonlyArray<unknown>> => {
  if (isAmbiguous(text)) return { because: "it has characters that end lines for some programs alone" }
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
 * Reads the YAML that the first generation of the program prints; numbers stay texts, since what looks like one need not
 * have been one.
 */
export const printedYaml = (text: string): Read<unknown> => {
  try {
    // Programs print no key twice.
    const known = { uniqueKeys: false, logLevel: "silent" } as const
    const document = parseDocument(text, { schema: "failsafe", customTags: ["null", "bool"], ...known })
    const [error] = document.errors
    if (error !== undefined) return { because: reasonOf(error) }
    return { said: document.toJS({ maxAliasCount: mostAliases }) }
  } catch (error) {
    return { because: reasonOf(error) }
  }
}
