import { DeletionStatus, DeploymentAction, DeploymentSelection, DeploymentStatus } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { BadRequestBody, NotFoundBody } from "../base/errors.ts"
import { listOf, pageQuery, stamps } from "../base/schemas.ts"

/** A deployment as returned by the API. */
export const Deployment = Schema.Struct({
  id: Schema.Number,
  /** The numeric id of the application; null if it is deleted. The same applies to `destination_id`. */
  application_id: Schema.NullOr(Schema.String),
  destination_id: Schema.NullOr(Schema.String),
  server_id: Schema.NullOr(Schema.Number),
  deployment_uuid: Schema.String,
  application_uuid: Schema.String,
  application_name: Schema.String,
  server_uuid: Schema.String,
  server_name: Schema.String,
  destination_uuid: Schema.String,
  commit: Schema.String,
  commit_message: Schema.NullOr(Schema.String),
  /** The pull request number of a preview deployment; 0 for other deployments. */
  pull_request_id: Schema.Number,
  is_api: Schema.Boolean,
  is_webhook: Schema.Boolean,
  force_rebuild: Schema.Boolean,
  restart_only: Schema.Boolean,
  rollback: Schema.Boolean,
  action: DeploymentAction,
  status: DeploymentStatus,
  reason: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String),
  requested_by: Schema.NullOr(Schema.String).annotate({ description: "The UUID of the account that requested it." }),
  approval_until: Schema.NullOr(Schema.String).annotate({
    description: "The time until which a queued deployment waits for an approval; null if it needs none."
  }),
  started_at: Schema.NullOr(Schema.String),
  finished_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String,
  /** The URL of the deployment in the API. */
  deployment_url: Schema.String,
  ...sameFields.deployment
}).annotate({ identifier: "Deployment" })

/** A deployment with its last log lines, as a JSON list encoded in a string, which Coolify clients expect. */
export const DeploymentWithLogs = Schema.Struct({ ...Deployment.fields, logs: Schema.String }).annotate({
  identifier: "DeploymentWithLogs"
})

/** The deletion of an application as returned by the API, with its progress and result. */
export const Deletion = Schema.Struct({
  ...stamps,
  application_uuid: Schema.String,
  application_name: Schema.String,
  server_uuid: Schema.String,
  destination_uuid: Schema.String,
  delete_configurations: Schema.Boolean,
  delete_volumes: Schema.Boolean,
  docker_cleanup: Schema.Boolean,
  delete_connected_networks: Schema.Boolean,
  status: DeletionStatus,
  removed: Schema.Array(Schema.String),
  left: Schema.Array(Schema.String),
  reason: Schema.NullOr(Schema.String),
  attempts: Schema.Number
}).annotate({ identifier: "Deletion" })

const uuid = { uuid: Schema.String }

/** The endpoints of deployments and deletions, which run as durable jobs. */
export class DeploymentsApi extends HttpApiGroup.make("deployments")
  .add(
    HttpApiEndpoint.get("list", "/deployments", {
      query: { ...pageQuery, selection: Schema.optionalKey(DeploymentSelection) },
      success: listOf(Deployment),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List deployments")
      .pipe(access("deployment.list")),
    HttpApiEndpoint.get("get", "/deployments/:uuid", { params: uuid, success: DeploymentWithLogs, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a deployment")
      .pipe(access("deployment.read")),
    HttpApiEndpoint.get("listDeletions", "/deletions", {
      query: pageQuery,
      success: listOf(Deletion),
      error: BadRequestBody
    })
      .annotate(OpenApi.Summary, "List deletions")
      .pipe(access("deletion.list")),
    HttpApiEndpoint.get("getDeletion", "/deletions/:uuid", { params: uuid, success: Deletion, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a deletion and its outcome")
      .pipe(access("deletion.read"))
  )
  .annotate(OpenApi.Description, "Jobs: their progress and outcome.") {}
