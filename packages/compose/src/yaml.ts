import { Result } from "effect"
import { type Document, isAlias, isMap, isScalar, parseAllDocuments, parseDocument, visit, type YAMLMap } from "yaml"

// A file in which few names stand for very much is none that anybody wrote to be read (invariant I25).
const mostAliases = 1_000
const mostStoodFor = 4_000_000

const reason = (error: unknown): string => (error instanceof Error ? (error.message.split("\n")[0] ?? "") : "no YAML")

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

/** Reads the text of a file; fails with what is wrong. */
export const textOf = (bytes: Uint8Array): Result.Result<string, string> => {
  try {
    return Result.succeed(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return Result.fail("it is no text in UTF-8")
  }
}

/** Reads the documents of a YAML file, with maps as maps; fails with what is wrong, or can be read in two ways. */
export const documentsIn = (text: string): Result.Result<ReadonlyArray<unknown>, string> => {
  if (isAmbiguous(text)) return Result.fail("it has characters that end lines for some programs alone")
  try {
    const parsed = parseAllDocuments(text, { merge: true, uniqueKeys: false, logLevel: "silent" })
    const documents = "empty" in parsed ? [] : parsed
    const error = documents.flatMap(({ errors }) => errors)[0]
    if (error !== undefined) return Result.fail(reason(error))
    const strange = documents.map((document) => strangeIn(document)).find((each) => each !== undefined)
    if (strange !== undefined) return Result.fail(strange)
    return Result.succeed(
      documents.map((document): unknown => document.toJS({ mapAsMap: true, maxAliasCount: mostAliases }))
    )
  } catch (error) {
    return Result.fail(reason(error))
  }
}

/**
 * Reads the YAML that the first generation of the program prints; numbers stay texts, since what looks like one need not
 * have been one. Fails with what is wrong.
 */
export const printedYaml = (text: string): Result.Result<unknown, string> => {
  try {
    // Programs print no key twice.
    const known = { uniqueKeys: false, logLevel: "silent" } as const
    const document = parseDocument(text, { schema: "failsafe", customTags: ["null", "bool"], ...known })
    const [error] = document.errors
    if (error !== undefined) return Result.fail(reason(error))
    return Result.succeed(document.toJS({ maxAliasCount: mostAliases }))
  } catch (error) {
    return Result.fail(reason(error))
  }
}

/** Reads JSON; fails with what is wrong. */
export const printedJson = (text: string): Result.Result<unknown, string> => {
  try {
    return Result.succeed(JSON.parse(text))
  } catch (error) {
    return Result.fail(reason(error))
  }
}

/** Returns what the program prints as it was meant: it doubles dollar signs, so that its output can be read once more. */
export const undoubled = (printed: unknown): unknown => {
  // What aliases share stays shared, or a small output could become a large one.
  const made = new Map<object, unknown>()
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return value.replaceAll("$$", "$")
    if (typeof value !== "object" || value === null) return value
    if (!made.has(value)) {
      made.set(
        value,
        Array.isArray(value)
          ? value.map(visit)
          : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.replaceAll("$$", "$"), visit(inner)]))
      )
    }
    return made.get(value)
  }
  return visit(printed)
}
