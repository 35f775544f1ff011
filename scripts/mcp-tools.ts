/**
 * Generates the tools of the MCP server from the services' endpoint definitions and access rows:
 * `npm run mcp-tools`, into `packages/mcp/src/generated`.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Action, rowOf } from "@slipway/domain/deploy/entry"
import { actions } from "@slipway/domain/forge/access"
import { DeployApi } from "@slipway/http/api/deploy"
import { ForgeApi } from "@slipway/http/api/forge"
import { OpenApi } from "effect/http-api"
import { streams } from "./clients.ts"

type Json = { readonly [name: string]: Json } | ReadonlyArray<Json> | string | number | boolean | null
type Schema = Readonly<Record<string, Json>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: ReadonlyArray<{
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
    readonly schema: Schema
  }>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
    readonly required?: boolean
  }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
  readonly "x-access"?: {
    readonly action?: string
    readonly signature?: string
    readonly because?: string | ReadonlyArray<string>
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const references = (value: unknown): ReadonlyArray<string> =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = ""]) => name)

/** Returns the names of the schemas that a value refers to, also through other schemas. */
const closure = (value: unknown, schemas: Document["components"]["schemas"]): ReadonlyArray<string> => {
  const found = new Set<string>()
  const visit = (each: unknown): void => {
    for (const name of references(each)) {
      if (found.has(name)) continue
      found.add(name)
      visit(schemas[name])
    }
  }
  visit(value)
  return [...found].sort()
}

const local = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll("#/components/schemas/", "#/$defs/"))

const isText = (type: string): boolean =>
  type === "application/json" || (type.startsWith("text/") && type !== "text/event-stream")

/** Returns whether a tool can send the body of an operation and show its response. */
const isTool = ({ responses, requestBody, "x-access": access }: Operation, isStream: boolean): boolean => {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 300)
  const sends = requestBody === undefined || requestBody.content["application/json"] !== undefined
  return (
    good.length > 0 &&
    good.every(([, { content = {} }]) => Object.keys(content).every(isText)) &&
    sends &&
    !isStream &&
    access?.action !== undefined
  )
}

const toolOf = (
  service: string,
  path: string,
  method: string,
  operation: Operation,
  reads: boolean,
  schemas: Document["components"]["schemas"]
): Json => {
  const names = [...path.matchAll(/\{(\w+)\}|\*/g)].map(([whole, name]) => name ?? whole)
  const declared = new Map(operation.parameters.map((each) => [each.name, each.schema]))
  const query = operation.parameters.filter((each) => each.in === "query")
  const payload = operation.requestBody?.content["application/json"]?.schema
  const properties: Record<string, Json> = {}
  for (const name of names) properties[name === "*" ? "path" : name] = declared.get(name) ?? { type: "string" }
  for (const { name = "", schema } of query) properties[name] = schema
  if (payload !== undefined) properties.body = payload
  const required = [
    ...names.map((name) => (name === "*" ? "path" : name)),
    ...query.flatMap(({ name = "", required }) => (required === true ? [name] : [])),
    ...(payload !== undefined && operation.requestBody?.required !== false ? ["body"] : [])
  ]
  const { because = [] } = operation["x-access"] ?? {}
  return {
    name: `${service}_${operation.operationId.replaceAll(/[^a-zA-Z0-9]+/g, "_")}`,
    action: operation["x-access"]?.action ?? "",
    summary: operation.summary,
    access: [because].flat(),
    reads,
    method: method.toUpperCase(),
    path,
    query: query.map(({ name = "" }) => name),
    defs: closure(properties, schemas),
    properties: local(properties),
    required
  }
}

const generatedOf = (
  service: string,
  document: Document,
  reads: (action: string) => boolean,
  streams: ReadonlySet<string> = new Set()
): string => {
  const { schemas } = document.components
  const tools = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([method, operation]) => {
      const action = operation["x-access"]?.action ?? ""
      if (!isTool(operation, streams.has(action))) return []
      return [toolOf(service, path, method, operation, reads(action), schemas)]
    })
  )
  const named = new Set(tools.flatMap((tool) => (tool as { readonly defs: ReadonlyArray<string> }).defs))
  const defs = Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => (named.has(name) ? [[name, local(schema)]] : []))
  )
  // One tool a line, so that a change of one endpoint changes one line. Texts of JSON, because the compiler would infer a type
  // from the literals of hundreds of schemas.
  const lines = (name: string, says: string, values: ReadonlyArray<Json>) =>
    `\n/** ${says} */\nexport const ${name}: ReadonlyArray<string> = [\n${values
      .map((value) => `  ${JSON.stringify(JSON.stringify(value))}`)
      .join(",\n")}\n]\n`
  return [
    "// Generated by `npm run mcp-tools` from the definitions of the endpoints.\n",
    lines("defs", "The schemas that tools refer to, each with its name, as JSON.", Object.entries(defs)),
    lines("tools", "The endpoints as tools, as JSON.", tools)
  ].join("")
}

const documentOf = (api: Parameters<typeof OpenApi.fromApi>[0]): Document => OpenApi.fromApi(api) as unknown as Document

/** Generates the tools of both services, by path within the repository. */
export const mcpTools = (): ReadonlyMap<string, string> => {
  const forgeReads = (action: string) => actions[action as keyof typeof actions].access === "read"
  const deployReads = (action: string) => ["read", "sensitive", "anyone"].includes(rowOf(action as Action).rule)
  return new Map([
    ["packages/mcp/src/generated/forge.ts", generatedOf("forge", documentOf(ForgeApi as never), forgeReads, streams())],
    ["packages/mcp/src/generated/deploy.ts", generatedOf("deploy", documentOf(DeployApi as never), deployReads)]
  ])
}

if (import.meta.main) {
  for (const [path, text] of mcpTools()) writeFileSync(join(import.meta.dirname, "..", path), text)
}
