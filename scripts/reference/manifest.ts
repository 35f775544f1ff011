import { manifestFields, manifestJsonSchema } from "@slipway/domain/deploy/runtime"
import { cell, generated } from "./markdown.ts"

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null

const typeOf = (node: Node): string => {
  if (Array.isArray(node.anyOf)) return node.anyOf.filter(isNode).map(typeOf).join(" or ")
  if (Array.isArray(node.enum)) return node.enum.map((value) => `\`${value}\``).join(", ")
  if (node.type === "array") return isNode(node.items) ? `list of ${typeOf(node.items)}` : "list"
  if (node.type !== "object") return node.type === "integer" ? "number" : String(node.type)
  return isNode(node.properties)
    ? "map"
    : `map of ${isNode(node.additionalProperties) ? typeOf(node.additionalProperties) : ""}`
}

/** Returns the schema of a field by its path without the names of map entries. */
const schemaAt = (path: string): Node => {
  let node: Node = manifestJsonSchema()
  for (const name of path.split(".")) {
    const choices = [node, ...(Array.isArray(node.anyOf) ? node.anyOf.filter(isNode) : [])]
    const inner = choices.flatMap((each) => [each, each.additionalProperties]).filter(isNode)
    const found = inner.map(({ properties }) => (isNode(properties) ? properties[name] : undefined)).find(isNode)
    if (found === undefined) throw new Error(`slipway.yaml has no field ${path}`)
    node = found
  }
  return node
}

const shownType = (path: string): string => {
  const node = schemaAt(path)
  const isMapOfMaps = isNode(node.additionalProperties) && isNode(node.additionalProperties.properties)
  return isMapOfMaps ? "map by name" : typeOf(node)
}

const rows = Object.entries(manifestFields).map(
  ([path, meaning]) => `| \`${path}\` | ${cell(shownType(path))} | ${cell(meaning)} |`
)

/** Returns the page of the fields of slipway.yaml. */
export const manifestPage = (): string => `# slipway.yaml

${generated}

The file in the top folder of a repository declares its applications, databases and environments.
[From a push to a live page](../guides/push-to-live.md#declare-the-desired-state) shows how to use it. \`slipway schema\` prints its JSON Schema.

| field | type | meaning |
|---|---|---|
${rows.join("\n")}
`
