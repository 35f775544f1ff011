import type { Shown } from "@slipway/deploy/apps"
import {
  allCoolifyNames,
  constants,
  coolifyNames,
  type FieldName,
  fieldNames,
  fields,
  line,
  nonEmpty,
  parseDomains,
  schemaFor,
  TagNames,
  text,
  type Variant
} from "@slipway/domain/deploy/apps"
import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"

const instant = Schema.String.annotate({ format: "date-time" })

/** The fields of every stored resource: ids and timestamps. */
export const stamps = {
  id: Schema.Number,
  uuid: Schema.String,
  created_at: instant,
  updated_at: instant
}

/** The schema of a name: one line of text. */
export const Name = nonEmpty(line(255))

/** The schema of a description: any text up to 10,000 characters. */
export const Description = text(10_000)

/** The schema of a comma-separated list of domains or URLs. */
export const DomainList = text(20_000).check(Schema.makeFilter((value: string) => parseDomains(value).problems))

/** The response to a creation (201), with the uuid and a `Location` header. */
export const createdAnswer = HttpApiSchema.WithHeaders(
  Schema.Struct({ uuid: Schema.String }).pipe(HttpApiSchema.status(201)).annotate({ description: "Created." }),
  { location: Schema.String }
)

/** Returns the response schema of a list; the headers `Link` and `X-Total-Count` are sent with one page. */
export const listOf = <S extends Schema.Top>(schema: S) =>
  HttpApiSchema.WithHeaders(Schema.Array(schema), {
    link: Schema.optionalKey(Schema.String),
    "x-total-count": Schema.optionalKey(Schema.String)
  })

/** A response that contains only a message. */
export const Message = Schema.Struct({ message: Schema.String })

const positive = (most: number) =>
  Schema.String.check(
    Schema.makeFilter((value: string) =>
      /^[1-9][0-9]{0,9}$/.test(value) && Number(value) <= most ? undefined : `Must be a whole number from 1 to ${most}.`
    )
  ).pipe(
    Schema.decodeTo(Schema.Number, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) })
  )

/** The schema of a whole number in a query. */
export const whole = (least: number, most: number) =>
  Schema.String.check(
    Schema.makeFilter((value: string) =>
      /^[0-9]{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most
        ? undefined
        : `Must be a whole number from ${least} to ${most}.`
    )
  ).pipe(
    Schema.decodeTo(Schema.Number, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) })
  )

/** The schema of a number or a resource id in a query. */
export const count = whole(0, 1_000_000_000_000)

const mostPages = 1_000_000_000
const mostPerPage = 100

/** The pagination parameters of a list; without them, the response contains the complete list. */
export const pageQuery = {
  page: Schema.optionalKey(positive(mostPages)),
  per_page: Schema.optionalKey(positive(mostPerPage))
}

/** A flag in a query: `true`, `false`, `1` or `0`. */
export const QueryFlag = Schema.Literals(["true", "false", "1", "0"])

/** The query parameters of a deletion: which files, volumes, images and networks on the server to delete as well. */
export const deletionQuery = {
  delete_configurations: Schema.optionalKey(QueryFlag),
  delete_volumes: Schema.optionalKey(QueryFlag),
  docker_cleanup: Schema.optionalKey(QueryFlag),
  delete_connected_networks: Schema.optionalKey(QueryFlag)
}

/** The response to a move of a resource to another environment. */
export const Moved = Schema.Struct({
  message: Schema.String,
  uuid: Schema.String,
  project_uuid: Schema.String,
  environment_uuid: Schema.String
})

/** The OpenAPI types of query parameters that are not strings; keys are `<endpoint> <parameter>` or `<parameter>`. */
export const queryParameters: Readonly<Record<string, object>> = {
  page: { type: "integer", minimum: 1, maximum: mostPages },
  per_page: { type: "integer", minimum: 1, maximum: mostPerPage },
  skip: { type: "integer", minimum: 0, default: 0 },
  take: { type: "integer", minimum: 1, maximum: 100, default: 10 },
  after: { type: "integer", minimum: 0, default: 0 },
  "logs.application after": { type: "string" },
  "logs.followApplication after": { type: "string" },
  lines: { type: "integer", minimum: 1, maximum: 10_000, default: 100 },
  since: { type: "string", format: "date-time" },
  limit: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
  show_timestamps: { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  force_domain_override: { type: "boolean", default: false },
  latest: { type: "boolean", default: false },
  prune: { type: "boolean", default: false },
  delete_s3: { type: "boolean", default: false },
  delete_configurations: { type: "boolean", default: true },
  delete_volumes: { type: "boolean", default: true },
  "databases.delete delete_volumes": { type: "boolean", default: false },
  docker_cleanup: { type: "boolean", default: true },
  "databases.stop docker_cleanup": { type: "boolean", default: false },
  "runs.stop docker_cleanup": { type: "boolean", default: false },
  "services.stop docker_cleanup": { type: "boolean", default: false },
  delete_connected_networks: { type: "boolean", default: true }
}

/** The query parameters of operations that stop a resource: whether the server is cleaned up too. */
export const stopQuery = { docker_cleanup: Schema.optionalKey(QueryFlag) }

type Bodies = { readonly [Name in FieldName]: (typeof fields)[Name]["schema"] }

const accepted = (variant: Variant) => fieldNames.filter((name) => fields[name].variants.includes(variant))

/** Returns the schema of an optional field, with its default. */
const optional = (variant: Variant, name: FieldName) => {
  const schema = schemaFor(variant, name)
  const { unset } = fields[name]
  if (name === "environment_name" || name === "environment_uuid") {
    return Schema.optionalKey(
      schema.annotate({ description: "One of environment_name and environment_uuid is required." })
    )
  }
  return Schema.optionalKey(unset === null ? schema : schema.annotate({ default: unset }))
}

/** Returns the schemas of the accepted fields under the names that Coolify clients send. */
const bySiblingNames = (isAccepted: (name: FieldName) => boolean) =>
  Object.fromEntries(
    allCoolifyNames
      .filter((name) => isAccepted(coolifyNames[name]))
      .map((name) => [name, Schema.optionalKey(fields[coolifyNames[name]].schema as Schema.Top)])
  )

/** The fields that have the same value for every application, in requests (optional) and responses. */
export const constantFields = Object.fromEntries(
  Object.entries(constants).map(([name, { value }]) => [name, value === null ? Schema.Null : Schema.Literal(value)])
)

const optionalConstants = Object.fromEntries(
  Object.entries(constantFields).map(([name, schema]) => [name, Schema.optionalKey(schema as Schema.Top)])
)

/**
 * Returns the schema of the request body that creates an application of a variant. The domain validates further rules.
 */
export const creationBody = (variant: Variant) =>
  Schema.Struct({
    ...Object.fromEntries(
      accepted(variant).map((name) => [
        name,
        fields[name].requiredBy.includes(variant) ? schemaFor(variant, name) : optional(variant, name)
      ])
    ),
    ...bySiblingNames((name) => accepted(variant).includes(name)),
    ...optionalConstants,
    tags: Schema.optionalKey(TagNames)
  }) as unknown as Schema.Codec<{ readonly [Name in FieldName]?: Bodies[Name]["Type"] }>

/** The schema of the request body that changes an application of any variant. */
export const UpdateBody = Schema.Struct({
  ...Object.fromEntries(fieldNames.map((name) => [name, Schema.optionalKey(fields[name].schema as Schema.Top)])),
  ...bySiblingNames(() => true),
  ...optionalConstants
}) as unknown as Schema.Codec<{ readonly [Name in FieldName]?: Bodies[Name]["Type"] }>

const shownField = (name: FieldName) => Schema.NullOr(Schema.toType(fields[name].schema as Schema.Top))

/** The schemas of all configuration fields in responses; some fields also have the name that Coolify uses. */
export const shownFields = {
  ...Object.fromEntries(fieldNames.map((name) => [name, shownField(name)])),
  ...Object.fromEntries(allCoolifyNames.map((name) => [name, shownField(coolifyNames[name])]))
} as unknown as { readonly [Name in FieldName]: Schema.Codec<Shown[Name]> }
