import type { Plain, YamlRead } from "@slipway/domain/forge/automation"
import { isAlias, isMap, isScalar, parseDocument, visit, type YAMLMap } from "yaml"

/** How many names a file may refer to, and how many nodes of it these may stand for. */
const mostAliases = 1_000
const mostStoodFor = 1_000_000
/** How long what was read may be as JSON, in characters. */
const longestRead = 1_048_576
const longestReason = 300
/** How many maps and lists may lie within each other: who reads them goes through them by calls within calls. */
const deepest = 100

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .split("\n", 1)[0]
    ?.replace(/:$/, "")
    .slice(0, longestReason) ?? ""

const repeats = ({ items }: YAMLMap): boolean => {
  const seen = new Set<unknown>()
  // The library looks through all keys for each, which takes minutes where there are many.
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

/** Reads a text of YAML as JSON has it, or says what is wrong; what takes too long is for others to end. */
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
    return { said: JSON.parse(json) as Plain }
  } catch (error) {
    return { because: reasonOf(error) }
  }
}
