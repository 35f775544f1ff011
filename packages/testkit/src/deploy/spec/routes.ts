import { Variant } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import document from "./deploy-routes.json" with { type: "json" }
import { ownByName, ownFieldsOf } from "./ownFields.ts"

const FieldType = Schema.Literals(["string", "boolean", "integer", "array"])

/**
 * A field of a request body in the specification. The allowed values of an enum without a schema are described in a
 * sentence.
 */
const AcceptedField = Schema.Struct({
  name: Schema.String,
  type: FieldType,
  nullable: Schema.Boolean,
  required: Schema.Boolean,
  default: Schema.optionalKey(Schema.Boolean),
  enum: Schema.optionalKey(Schema.Union([Schema.Array(Schema.String), Schema.String]))
})
export type AcceptedField = typeof AcceptedField.Type

const Creation = Schema.Struct({
  method: Schema.Literal("POST"),
  path: Schema.String,
  variant: Variant,
  required: Schema.Array(Schema.String),
  at_least_one_of: Schema.Array(Schema.Array(Schema.String)),
  accepted: Schema.Array(AcceptedField)
})

const Routes = Schema.Struct({
  configuration_fields: Schema.Record(Schema.String, Schema.Struct({ type: FieldType, nullable: Schema.Boolean })),
  endpoints: Schema.Array(Schema.Struct({ method: Schema.String, path: Schema.String }))
})

const specified = Schema.decodeUnknownSync(Routes)(document)

/** The endpoints and configuration fields of the API specification, with the additional fields of this platform. */
export const routes = { ...specified, configuration_fields: { ...specified.configuration_fields, ...ownByName } }

/** The accepted and required fields of each endpoint that creates an application, from the API specification. */
export const creations = document.endpoints
  .filter((endpoint) => endpoint.method === "POST")
  .map((endpoint) => Schema.decodeUnknownSync(Creation)(endpoint))
  .map((creation) => ({ ...creation, accepted: [...creation.accepted, ...ownFieldsOf(creation.variant)] }))
