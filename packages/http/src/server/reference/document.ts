import { Schema } from "effect"
import type { OpenApi } from "effect/http-api"

type Document = OpenApi.OpenAPISpec
type Parameter = OpenApi.OpenAPISpecParameter

/** The parts of a JSON schema that the API reference shows. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** An operation of an API with its method and path. */
export interface Operation {
  readonly id: string
  readonly group: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly deprecated: boolean
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: JsonSchema | undefined
  readonly responses: ReadonlyArray<{
    readonly status: string
    readonly description: string
    readonly schema: JsonSchema | undefined
  }>
  /** The access rules that allow the operation, one sentence for each rule. */
  readonly conditions: ReadonlyArray<string>
}

/** A group of operations about the same resource. */
export interface Group {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly operations: ReadonlyArray<Operation>
}

/** The data of the API reference, in the order of display. */
export interface Reference {
  readonly title: string
  readonly description: string
  readonly groups: ReadonlyArray<Group>
  readonly schemas: ReadonlyMap<string, JsonSchema>
  /** Whether the API accepts a name and a password. */
  readonly hasPasswords: boolean
}

const capitals: Readonly<Record<string, string>> = { api: "API", gpg: "GPG", oauth2: "OAuth2", s3: "S3" }

/**
 * Returns the title of a group from its name.
 *
 * @example
 * groupTitle("secondFactor") // => "Second factor"
 * groupTitle("gpg-keys") // => "GPG keys"
 */
export const groupTitle = (name: string): string => {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split("-")
    .map((word) => capitals[word] ?? word)
    .join(" ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns the name of the schema to which a reference leads.
 *
 * @example
 * schemaName("#/components/schemas/Label") // => "Label"
 */
export const schemaName = (reference: string): string =>
  reference
    .slice(reference.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")

/** The part of the OpenAPI extension `x-access` (access rules) that the reference shows. */
const Access = Schema.Struct({
  because: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  role_because: Schema.optionalKey(Schema.String)
})
const readAccess = Schema.decodeUnknownOption(Schema.Struct({ "x-access": Access }))

const conditionsOf = (operation: object): ReadonlyArray<string> => {
  const found = readAccess(operation)
  if (found._tag === "None") return []
  const { because = [], role_because } = found.value["x-access"]
  return [...(typeof because === "string" ? [because] : because), ...(role_because === undefined ? [] : [role_because])]
}

const methods = ["get", "post", "put", "patch", "delete", "head", "options", "trace"] as const

/** Converts an OpenAPI document to the data of the API reference. */
export const readDocument = (document: Document): Reference => {
  // BOUNDARY: the types of OpenAPI in Effect leave out references to parameters, which the older clients need.
  const shared = (document.components as { readonly parameters?: Readonly<Record<string, Parameter>> }).parameters ?? {}
  const parameterOf = (parameter: Parameter & { readonly $ref?: string }): Parameter =>
    parameter.$ref === undefined ? parameter : (shared[schemaName(parameter.$ref)] ?? parameter)
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    methods.flatMap((method): ReadonlyArray<Operation> => {
      const operation = verbs[method]
      if (operation === undefined) return []
      const body = Object.values(operation.requestBody?.content ?? {})[0]
      return [
        {
          id: operation.operationId,
          group: operation.tags[0],
          method: method.toUpperCase(),
          path,
          summary: operation.summary ?? operation.operationId,
          description: operation.description,
          deprecated: operation.deprecated === true,
          parameters: operation.parameters.map(parameterOf),
          body: body?.schema,
          responses: Object.entries(operation.responses).map(([status, { content, description }]) => ({
            status,
            description,
            schema: Object.values(content ?? {})[0]?.schema
          })),
          conditions: conditionsOf(operation)
        }
      ]
    })
  )
  const byGroup = Map.groupBy(operations, ({ group }) => group)
  return {
    title: document.info.title,
    description: document.info.description ?? "",
    groups: document.tags.flatMap(({ description = "", name }) => {
      const found = byGroup.get(name)
      return found === undefined ? [] : [{ name, title: groupTitle(name), description, operations: found }]
    }),
    schemas: new Map(Object.entries(document.components.schemas)),
    hasPasswords: "basic" in document.components.securitySchemes
  }
}

/** Returns the operations with all words of a search in their path, summary or id, in the order of the reference. */
export const searchOperations = ({ groups }: Reference, search: string): ReadonlyArray<Operation> => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return groups
    .flatMap(({ operations }) => operations)
    .filter(({ id, method, path, summary }) => {
      const text = `${method} ${path} ${summary} ${id}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
}
