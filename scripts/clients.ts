/**
 * Generates the typed clients from the services' endpoint definitions:
 * `npm run clients`, into `packages/client/src/{forge,deploy}/generated`.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DeployApi } from "@slipway/http/api/deploy"
import { EndpointAction, EndpointShape, ForgeApi } from "@slipway/http/api/forge"
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"

interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema | false
  readonly prefixItems?: ReadonlyArray<Schema>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<unknown>
  readonly description?: string
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: ReadonlyArray<{
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: Content; readonly required?: boolean }
  readonly responses: Readonly<
    Record<string, { readonly content?: Content; readonly headers?: Readonly<Record<string, unknown>> }>
  >
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const json = "application/json"
const plainName = (name: string): string => name.replace(/Encoded$/, "").replace(/_(\d)$/, "$1")
const refName = (ref: string): string => plainName(ref.split("/").at(-1) ?? "")
const key = (name: string): string => (/^[\w$]+$/.test(name) ? name : JSON.stringify(name))
const camel = (name: string): string => name.replace(/-(\w)/g, (_, initial: string) => initial.toUpperCase())
const union = (types: Iterable<string>): string => [...new Set(types)].join(" | ")

/** Returns a schema as a TypeScript type. */
const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return refName(schema.$ref)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(typeOf))
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => typeOf({ ...schema, type })))
  if (schema.allOf !== undefined && schema.type === undefined) return schema.allOf.map(typeOf).join(" & ")
  switch (schema.type) {
    case "integer":
    case "number":
      return "number"
    case "string":
    case "boolean":
    case "null":
      return schema.type
    case "array": {
      const first = (schema.prefixItems ?? []).map(typeOf)
      const rest = schema.items === undefined || schema.items === false ? undefined : typeOf(schema.items)
      if (first.length === 0) return `ReadonlyArray<${rest ?? "unknown"}>`
      return `readonly [${[...first, ...(rest === undefined ? [] : [`...Array<${rest}>`])].join(", ")}]`
    }
    case "object":
      return objectOf(schema)
    default:
      return "unknown"
  }
}

const objectOf = ({ additionalProperties, properties = {}, required = [] }: Schema): string => {
  const fields = Object.entries(properties).map(
    ([name, field]) => `readonly ${key(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field)}`
  )
  const others = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown"
  if (fields.length === 0) return `Readonly<Record<string, ${others}>>`
  return `{ ${fields.join("; ")} }`
}

/** Returns a named schema as an export of a module. */
const declared = (name: string, schema: Schema, used: ReadonlyArray<string>): string => {
  const more = used.length > 2 ? ` and ${used.length - 1} others` : ""
  const uses = used.length === 2 ? `${used[0]}\` and \`${used[1]}` : used[0]
  const said = used.length === 0 ? "Data within other schemas." : `Data in requests or responses of \`${uses}\`${more}.`
  const { properties, required = [] } = schema
  if (properties === undefined) return `/** ${said} */\nexport type ${name} = ${typeOf(schema)}\n`
  const lines = Object.entries(properties).flatMap(([field, each]) => [
    ...(each.description === undefined ? [] : [`  /** ${each.description.replaceAll("\n", " ")} */`]),
    `  readonly ${key(field)}${required.includes(field) ? "" : "?"}: ${typeOf(each)}`
  ])
  return `/** ${said} */\nexport interface ${name} {\n${lines.join("\n")}\n}\n`
}

const refsIn = (value: unknown): ReadonlyArray<string> =>
  [...JSON.stringify(value ?? null).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = ""]) =>
    plainName(name)
  )

/** A method of a client, and how its response is read. */
interface Method {
  readonly name: string
  readonly row: string
  readonly lines: ReadonlyArray<string>
}

const methodOf = (path: string, verb: string, operation: Operation, isStream: boolean): Method => {
  const { operationId, parameters, requestBody, responses, summary } = operation
  const names = [...path.matchAll(/\{(\w+)\}|\*/g)].map(([whole, name]) => name ?? whole)
  const input: Array<string> = []
  if (names.length > 0) input.push(`params: { ${names.map((each) => `${key(each)}: Segment`).join("; ")} }`)
  const query = parameters.filter((each) => each.in === "query")
  if (query.length > 0) {
    const isNeeded = query.some(({ required }) => required === true)
    const fields = query.map((each) => {
      const type = each.name === "page" || each.name === "limit" ? "number" : typeOf(each.schema)
      return `${key(each.name ?? "")}${each.required === true ? "" : "?"}: ${type}`
    })
    input.push(`query${isNeeded ? "" : "?"}: { ${fields.join("; ")} }`)
  }
  const body = requestBody?.content[json]?.schema
  if (isStream) input.push("body: Raw")
  else if (body !== undefined) input.push(`body${requestBody?.required === false ? "?" : ""}: ${typeOf(body)}`)

  const good = Object.entries(responses).filter(([status]) => Number(status) < 300)
  const isCheck = verb === "get" && good.every(([status]) => status === "204")
  const isPaged = good.some(([, { headers = {} }]) => Object.keys(headers).some((name) => /^link$/i.test(name)))
  const schemas = good.map(([, { content }]) => content?.[json]?.schema)
  const [first] = schemas
  const field = Object.entries(first?.properties ?? {}).find(([, each]) => each.type === "array")
  const rows = field?.[1].items ?? first?.items
  const answers = good.map(([, { content = {} }]) => {
    const [type] = Object.keys(content)
    if (type === undefined) return "undefined"
    if (type === json) return typeOf(content[json]?.schema ?? {})
    return type.startsWith("text/") && type !== "text/event-stream" ? "string" : "Response"
  })
  const failing = Object.keys(responses).filter((status) => Number(status) >= 400)
  const isList = isPaged && rows !== undefined && rows !== false
  const answer = isList ? typeOf(rows) : isCheck ? "boolean" : union(answers)
  const mark = isList
    ? ` list${field === undefined ? "" : `:${field[0]}`}`
    : isCheck
      ? " check"
      : isStream
        ? " stream"
        : ""
  const inputType = input.length === 0 ? "unknown" : `{ ${input.join("; ")} }`
  return {
    name: operationId.split(".").map(camel).join("."),
    row: `${verb.toUpperCase()} ${path}${mark}`,
    lines: [
      `/** ${summary}. */`,
      `${isList ? "List" : "Call"}<`,
      `  ${inputType},`,
      `  ${answer},`,
      `  ErrorBodies,`,
      `  ${failing.length === 0 ? "never" : failing.join(" | ")}`,
      ">"
    ]
  }
}

interface Tree {
  method?: Method
  readonly below: Map<string, Tree>
}

const treeOf = (methods: ReadonlyArray<Method>): Tree => {
  const root: Tree = { below: new Map() }
  for (const method of methods) {
    let place = root
    for (const name of method.name.split(".")) {
      const next = place.below.get(name) ?? { below: new Map() }
      place.below.set(name, next)
      place = next
    }
    place.method = method
  }
  return root
}

const written = ({ below }: Tree, indent: string): string =>
  [...below]
    .map(([name, tree]) => {
      const [said = "", ...type] = tree.method?.lines ?? []
      const call = type.map((line, at) => (at === 0 ? line : `${indent}${line}`)).join("\n")
      const deeper = tree.below.size === 0 ? "" : `{\n${written(tree, `${indent}  `)}${indent}}`
      const both = [call, deeper].filter((text) => text !== "").join(" & ")
      return `${said === "" ? "" : `${indent}${said}\n`}${indent}readonly ${name}: ${both}\n`
    })
    .join("")

const notice = "// Generated by `npm run clients` from the definitions of the endpoints.\n"

/** Generates the modules of one service's client, by name. */
const modulesOf = (service: string, document: Document, streams: ReadonlySet<string>): Record<string, string> => {
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => {
      // An operation without a success response is no method.
      const answers = Object.keys(operation.responses).some((status) => Number(status) < 300)
      return answers ? [{ path, verb, operation }] : []
    })
  )
  const schemas = new Map(
    Object.entries(document.components.schemas).map(([name, schema]) => [plainName(name), schema])
  )
  const uses = new Map<string, Array<string>>()
  for (const { operation } of operations) {
    const method = operation.operationId.split(".").map(camel).join(".")
    for (const name of new Set(refsIn([operation.requestBody, operation.responses, operation.parameters]))) {
      const known = uses.get(name)
      if (known === undefined) uses.set(name, [method])
      else known.push(method)
    }
  }
  const bodies = new Map<string, Set<string>>()
  for (const { operation } of operations) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const schema = content?.[json]?.schema
      if (Number(status) < 400 || schema === undefined) continue
      bodies.set(status, (bodies.get(status) ?? new Set()).add(typeOf(schema)))
    }
  }
  const errors = [...bodies].toSorted().map(([status, names]) => `  readonly ${status}: ${union(names)}\n`)
  const methods = operations.map(({ operation, path, verb }) =>
    methodOf(path, verb, operation, streams.has(operation.operationId))
  )
  const named = [...new Set(refsIn([operations, [...schemas.values()]]))].toSorted()
  const tree = treeOf(methods)
  const body = written(tree, "  ")
  const imported = named.filter((name) => new RegExp(`\\b${name}\\b`).test(body + errors.join("")))
  return {
    "schemas.ts":
      notice + [...schemas].map(([name, schema]) => `\n${declared(name, schema, uses.get(name) ?? [])}`).join(""),
    "methods.ts": [
      notice,
      `import type { Call, List, Segment } from "../../call.ts"\n`,
      /\bRaw\b/.test(body) ? `import type { Raw } from "../../connection.ts"\n` : "",
      `import type {\n${imported.map((name) => `  ${name}`).join(",\n")}\n} from "./schemas.ts"\n`,
      `\n/** The body of an error response, by its status. */\nexport interface ErrorBodies {\n${errors.join("")}}\n`,
      `\n/** The methods of the ${service}, by resource. */\nexport interface Methods {\n${body}}\n`
    ].join(""),
    "routes.ts": [
      notice,
      "\n/** The route of each method, with the format of its response. */\n",
      "export const routes: Readonly<Record<string, string>> = {\n",
      methods.map(({ name, row }) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`).join(",\n"),
      "\n}\n"
    ].join("")
  }
}

/** The actions of the forge with handlers that read the body as a stream. */
export const streams = (): ReadonlySet<string> => {
  const found = new Set<string>()
  HttpApi.reflect(ForgeApi, {
    onGroup() {},
    onEndpoint({ endpoint: { annotations } }) {
      if (Context.getUnsafe(annotations, EndpointShape).streams)
        found.add(Context.getUnsafe(annotations, EndpointAction))
    }
  })
  return found
}

/** Generates all modules, by path within the repository. */
export const clientModules = (): ReadonlyMap<string, string> => {
  const services = {
    forge: modulesOf("code hosting service", OpenApi.fromApi(ForgeApi) as unknown as Document, streams()),
    deploy: modulesOf("deployment platform", OpenApi.fromApi(DeployApi) as unknown as Document, new Set())
  }
  return new Map(
    Object.entries(services).flatMap(([service, modules]) =>
      Object.entries(modules).map(([name, text]) => [`packages/client/src/${service}/generated/${name}`, text])
    )
  )
}

if (import.meta.main) {
  for (const [path, text] of clientModules()) {
    const file = join(import.meta.dirname, "..", path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
