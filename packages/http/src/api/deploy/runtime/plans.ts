import { nonEmpty, text } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadGatewayBody, BadRequestBody, bodyErrors, NotFoundBody } from "../base/errors.ts"
import { QueryFlag } from "../base/schemas.ts"

/** A branch or commit of the repository that contains the manifest. */
const Ref = nonEmpty(text(255))

/** The changes that a manifest (a file that describes applications and databases) makes, and its problems. */
export const Plan = Schema.Struct({
  changes: Schema.Array(
    Schema.Struct({
      action: Schema.Literals(["create", "update", "delete"]),
      type: Schema.Literals(["application", "database", "environment", "variable"]),
      environment: Schema.String,
      /** The name of the changed resource; for variables, the name of their application. */
      name: Schema.String,
      fields: Schema.Array(Schema.Struct({ field: Schema.String, before: Schema.Unknown, after: Schema.Unknown })),
      /** The names of the changed variables, without their values. */
      variables: Schema.Array(Schema.String)
    })
  ),
  problems: Schema.Array(Schema.Struct({ line: Schema.Number, field: Schema.String, problem: Schema.String }))
}).annotate({ identifier: "Plan" })

/** The request body that applies a manifest. */
export const PlanBody = Schema.Struct({
  ref: Schema.optionalKey(Ref),
  prune: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "PlanBody" })

const uuid = { uuid: Schema.String }

/** The endpoints of manifests. */
export class PlansApi extends HttpApiGroup.make("plans")
  .add(
    HttpApiEndpoint.get("get", "/applications/:uuid/plan", {
      params: uuid,
      query: { ref: Schema.optionalKey(Ref), prune: Schema.optionalKey(QueryFlag) },
      success: Plan,
      error: [BadRequestBody, NotFoundBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Plan what the slipway.yaml of an application's repository would change")
      .pipe(access("application.plan")),
    HttpApiEndpoint.post("apply", "/applications/:uuid/plan", {
      params: uuid,
      payload: PlanBody,
      success: Plan,
      error: [...bodyErrors, NotFoundBody, BadGatewayBody]
    })
      .annotate(OpenApi.Summary, "Apply the slipway.yaml of an application's repository")
      .pipe(access("application.apply"))
  )
  .annotate(OpenApi.Description, "Plans: the changes that the slipway.yaml of a repository declares.") {}
