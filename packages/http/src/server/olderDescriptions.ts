/** An OpenAPI document as JSON, or a part of it. */
// BOUNDARY: descriptions are JSON of many shapes; the parts to change are found by name.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Part = any
type Fields = Record<string, Part>

const isFields = (part: Part): part is Fields => typeof part === "object" && part !== null && !Array.isArray(part)

const mapFields = (fields: Fields | undefined, change: (part: Part, name: string) => Part): Fields =>
  Object.fromEntries(Object.entries(fields ?? {}).map(([name, part]) => [name, change(part, name)]))

const isNull = (schema: Part): boolean => isFields(schema) && schema.type === "null"

// Keywords that the older versions lack, and keywords that only add information.
const unknownTo30 = [
  "propertyNames",
  "patternProperties",
  "contentMediaType",
  "contentSchema",
  "unevaluatedProperties",
  "$schema"
]

// In OpenAPI 3.0 `nullable` counts only next to a `type`: a choice has null as one more alternative.
const onlyNull = { type: "object", nullable: true, enum: [null] }

const isOnlyNull = (schema: Part): boolean =>
  schema.nullable === true && schema.enum?.length === 1 && schema.enum[0] === null

const orNull = (schema: Fields): Fields => {
  const word = ["anyOf", "oneOf"].find((each) => each in schema)
  return word === undefined ? { ...schema, nullable: true } : { ...schema, [word]: [...schema[word], onlyNull] }
}

/** Converts a schema from OpenAPI 3.1 to 3.0. */
const schema30 = (schema: Part): Part => {
  if (!isFields(schema)) return schema
  if ("$ref" in schema) return { $ref: schema.$ref }
  const { const: only, contentEncoding, exclusiveMinimum, exclusiveMaximum, examples, prefixItems, ...rest } = schema
  const knownKeywords = Object.fromEntries(Object.entries(rest).filter(([name]) => !unknownTo30.includes(name)))
  const said: Fields = {
    ...knownKeywords,
    ...(only !== undefined && { enum: [only] }),
    ...(contentEncoding === "base64" && { format: "byte" }),
    ...(typeof exclusiveMinimum === "number" && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(typeof exclusiveMaximum === "number" && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    ...(prefixItems !== undefined && { items: {} }),
    ...(isFields(knownKeywords.properties) && { properties: mapFields(knownKeywords.properties, schema30) }),
    ...(isFields(knownKeywords.items) && { items: schema30(knownKeywords.items) }),
    ...(knownKeywords.type === "array" && knownKeywords.items === undefined && { items: {} }),
    ...(isFields(knownKeywords.additionalProperties) && {
      additionalProperties: schema30(knownKeywords.additionalProperties)
    }),
    ...(knownKeywords.not !== undefined && { not: schema30(knownKeywords.not) })
  }
  for (const word of ["anyOf", "oneOf", "allOf"]) {
    if (!Array.isArray(said[word])) continue
    const some = said[word].filter((each: Part) => !isNull(each)).map(schema30)
    const hasNull = some.length < said[word].length
    const { [word]: _, ...others } = said
    const [first = {}] = some
    const joined = some.length === 1 && !("$ref" in first) ? { ...first, ...others } : { ...others, [word]: some }
    return hasNull ? orNull(joined) : joined
  }
  return isNull(said) ? { ...said, type: "object", nullable: true } : said
}

/** Applies a function to every schema in an OpenAPI document. */
const withSchemas = (part: Part, change: (schema: Part) => Part): Part => {
  if (Array.isArray(part)) return part.map((each) => withSchemas(each, change))
  if (!isFields(part)) return part
  return mapFields(part, (each, name) => (name === "schema" ? change(each) : withSchemas(each, change)))
}

/** Converts an API description from OpenAPI 3.1 to OpenAPI 3.0. */
export const openApi30 = (document: Part): Part => {
  const { components, paths, ...rest } = document
  const { schemas, ...others } = components
  return {
    ...rest,
    openapi: "3.0.3",
    paths: withSchemas(paths, schema30),
    components: { ...withSchemas(others, schema30), schemas: mapFields(schemas, schema30) }
  }
}

const ref20 = (ref: string): string =>
  ref.replace("#/components/schemas/", "#/definitions/").replace("#/components/", "#/")

/** Converts a schema from OpenAPI 3.0 to Swagger 2.0, which has no `oneOf` and `anyOf`. */
const schema20 = (schema: Part): Part => {
  if (!isFields(schema)) return schema
  if ("$ref" in schema) return { $ref: ref20(schema.$ref) }
  const { anyOf, oneOf, allOf, deprecated: _, not: _not, nullable, writeOnly: _writeOnly, ...rest } = schema
  const choice: ReadonlyArray<Part> = anyOf ?? oneOf ?? []
  const [only, ...more] = choice.filter((each) => !isOnlyNull(each))
  const chosen = only !== undefined && more.length === 0 ? schema20(only) : {}
  return {
    ...chosen,
    ...rest,
    ...(allOf !== undefined && { allOf: allOf.map(schema20) }),
    ...((nullable || choice.some(isOnlyNull)) && { "x-nullable": true }),
    ...(isFields(rest.properties) && { properties: mapFields(rest.properties, schema20) }),
    ...(isFields(rest.items) && { items: schema20(rest.items) }),
    ...(isFields(rest.additionalProperties) && { additionalProperties: schema20(rest.additionalProperties) })
  }
}

const plainTypes = ["string", "number", "integer", "boolean", "array"]
const parameterWords = [
  "type",
  "format",
  "items",
  "enum",
  "default",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "pattern"
]

/** Returns the fields of a parameter's type in Swagger 2.0, which allows only primitive types. */
const typeOf = (schema: Part): Fields => {
  const read = schema20(schema)
  if (!plainTypes.includes(read.type)) return { type: "string" }
  const said = Object.fromEntries(Object.entries(read).filter(([name]) => parameterWords.includes(name)))
  return read.type === "array" ? { ...said, items: typeOf(read.items ?? {}) } : said
}

const parameter20 = (parameter: Part): Part => {
  if ("$ref" in parameter) return { $ref: ref20(parameter.$ref) }
  const { schema = {}, name, in: place, description, required } = parameter
  const type = typeOf(schema)
  return {
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...(required !== undefined && { required }),
    ...type,
    ...(type.type === "array" && place === "query" && { collectionFormat: "multi" })
  }
}

/** Converts a request body to Swagger 2.0 parameters: one for the whole body, or one for each field of a form. */
const bodyOf = (body: Part): ReadonlyArray<Part> => {
  if (body === undefined) return []
  const [[type, { schema = {} }] = ["", {}]] = Object.entries<Part>(body.content ?? {})
  const required = body.required === true
  if (type !== "multipart/form-data" && type !== "application/x-www-form-urlencoded") {
    return [{ name: "body", in: "body", required, schema: schema20(schema) }]
  }
  return Object.entries<Part>(schema.properties ?? {}).map(([name, field]) => ({
    name,
    in: "formData",
    ...(field.format === "binary" ? { type: "file" } : typeOf(field))
  }))
}

const operation20 = (operation: Part): Part => {
  const { parameters = [], requestBody, responses, ...rest } = operation
  const types = (content: Part) => Object.keys(content ?? {})
  const produces = new Set(Object.values<Part>(responses).flatMap(({ content }) => types(content)))
  return {
    ...rest,
    ...(requestBody !== undefined && { consumes: types(requestBody.content) }),
    ...(produces.size > 0 && { produces: [...produces] }),
    parameters: [...parameters.map(parameter20), ...bodyOf(requestBody)],
    responses: mapFields(responses, ({ content, description, headers }) => {
      const [first] = Object.values<Part>(content ?? {})
      return {
        description: description ?? "",
        ...(first?.schema !== undefined && { schema: schema20(first.schema) }),
        ...(headers !== undefined && {
          headers: mapFields(headers, (header) => ({
            ...typeOf(header.schema ?? {}),
            description: header.description ?? ""
          }))
        })
      }
    })
  }
}

const security20 = (scheme: Part): Part => {
  if (scheme.type === "apiKey") return scheme
  const { description } = scheme
  const said = description === undefined ? {} : { description }
  return scheme.scheme === "basic"
    ? { ...said, type: "basic" }
    : { ...said, type: "apiKey", in: "header", name: "Authorization" }
}

const verbs = ["get", "put", "post", "delete", "options", "head", "patch"]

/** The path prefix of the API, which Swagger 2.0 documents name separately. */
const basePath = "/api/v1"

/** Converts an API description from OpenAPI 3.0 to Swagger 2.0. */
export const swagger20 = (document: Part): Part => {
  const { components, info, paths, security, tags } = document
  return {
    swagger: "2.0",
    info,
    basePath,
    ...(tags !== undefined && { tags }),
    ...(security !== undefined && { security }),
    consumes: ["application/json"],
    produces: ["application/json"],
    paths: Object.fromEntries(
      Object.entries(paths as Fields).map(([path, operations]) => [
        path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path,
        mapFields(operations, (operation, verb) => (verbs.includes(verb) ? operation20(operation) : operation))
      ])
    ),
    definitions: mapFields(components.schemas, schema20),
    parameters: mapFields(components.parameters, parameter20),
    securityDefinitions: mapFields(components.securitySchemes, security20)
  }
}
