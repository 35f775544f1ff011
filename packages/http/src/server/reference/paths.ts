/** The path of the OpenAPI document. */
export const descriptionPath = "/api/v1/openapi.json"

/** The path of the API reference. */
export const referencePath = "/docs"

/** The paths of the pages and files of the API reference, in the syntax of the router. */
export const referenceRoutePaths = {
  index: referencePath,
  search: "/docs/search",
  group: "/docs/groups/:group",
  schema: "/docs/schemas/:schema",
  script: "/docs/reference.js",
  style: "/docs/reference.css"
} as const

/** The paths of the OpenAPI document and of all pages and files of the API reference. */
export const referencePaths = [descriptionPath, ...Object.values(referenceRoutePaths)] as const

/** The paths of the API description in OpenAPI 3.0 and Swagger 2.0, as in Gitea. */
export const olderPaths = { openApi30: "/openapi3.v1.json", swagger20: "/swagger.v1.json" } as const

/** Returns the path of the page of a group of operations. */
export const groupPath = (group: string): string => `/docs/groups/${encodeURIComponent(group)}`

/** Returns the path of the page of a schema. */
export const schemaPath = (schema: string): string => `/docs/schemas/${encodeURIComponent(schema)}`
