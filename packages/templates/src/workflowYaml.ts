import type { PlainValue, YamlRead } from "@slipway/domain/forge/automation"
import { isAlias, isMap, isScalar, parseDocument, visit, type YAMLMap } from "yaml"

/**
 * The maximum number of YAML aliases in a file. The next constant limits the product of the numbers of nodes and
 * aliases, because aliases expand to copies of nodes.
 */
const mostAliases = 1_000
const mostStoodFor = 1_000_000
/** The maximum length of the parsed value as JSON, in characters. */
const longestRead = 1_048_576
const longestReason = 300
/** The maximum nesting depth of maps and lists. It is limited because the code that reads the values is recursive. */
const deepest = 100

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .split("\n", 1)[0]
    ?.replace(/:$/, "")
    .slice(0, longestReason) ?? ""

const repeats = ({ items }: YAMLMap): boolean => {
  const seen = new Set<unknown>()
  // The library compares every key with all others, which takes minutes for many keys.
  return items.some(({ key }) => isScalar(key) && seen.size === seen.add(key.value).size)
}

const depthOf = (json: string): number => {
  let [depth, most] = [0, 0]
  for (const [sign] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g)) {
    if (sign === "[" || sign === "{") most = Math.max(most, ++depth)
    else if (sign === "]" || sign === "}") depth--
  }
  return most
}

/**
 * Parses YAML to JSON values, or returns the error. It has no timeout: the caller must stop a parse that takes too
 * long.
 */
export const readYaml = (text: string): YamlRead => {
  try {
    const document = parseDocument(text, { uniqueKeys: false, merge: true, logLevel: "silent" })
    const [error] = document.errors
    if (error !== undefined) return { because: reasonOf(error) }
    let [nodes, aliases, isRepeated] = [0, 0, false]
    visit(document, {
      Node: (_, node) => {
        nodes++
        if (isAlias(node)) aliases++
        isRepeated ||= isMap(node) && repeats(node)
      }
    })
    if (isRepeated) return { because: "map keys must be unique" }
    if (nodes * aliases > mostStoodFor) return { because: "YAML aliases expand to too many nodes" }
    const json = JSON.stringify(document.toJS({ maxAliasCount: mostAliases }) ?? null)
    if (json.length > longestRead) return { because: "YAML aliases expand to too many nodes" }
    if (depthOf(json) > deepest) return { because: "it is nested too deeply" }
    return { said: JSON.parse(json) as PlainValue }
  } catch (error) {
    return { because: reasonOf(error) }
  }
}
