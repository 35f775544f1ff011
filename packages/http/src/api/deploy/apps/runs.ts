import { fields, line, PullRequestId } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, optionalBody } from "../base/access.ts"
import {
  BadRequestBody,
  bodyErrors,
  ConflictBody,
  DomainConflictsBody,
  NotFoundBody,
  TooManyRequestsBody
} from "../base/errors.ts"
import { count, QueryFlag, stopQuery, whole } from "../base/schemas.ts"
import { Deployment, DeploymentWithLogs } from "./deployments.ts"

/** The response to a request that queues a deployment. */
export const Queued = Schema.Struct({ message: Schema.String, deployment_uuid: Schema.String })

/** The response to a request that changes the status of a deployment. */
const Decided = Schema.Struct({ message: Schema.String, deployment_uuid: Schema.String, status: Schema.String })

/** A line of the log of a deployment. */
export const LogLine = Schema.Struct({
  id: Schema.Number,
  at: Schema.String,
  stream: Schema.Literals(["stdout", "stderr"]),
  text: Schema.String
}).annotate({ identifier: "DeploymentLogLine" })

/** A release as returned by the API. */
export const Release = Schema.Struct({
  tag: Schema.String,
  release_uuid: Schema.String,
  commit: Schema.String,
  image: Schema.String,
  created_at: Schema.String,
  is_current: Schema.Boolean,
  /** Whether the release has received traffic; otherwise its deployment failed. */
  has_served: Schema.Boolean
}).annotate({ identifier: "Release" })

/**
 * The status of an application or a service: its target state, the serving deployment, and the state of its containers.
 */
export const ApplicationStatus = Schema.Struct({
  state: Schema.Literals(["running", "degraded", "stopped", "unknown"]),
  unreachable: Schema.NullOr(Schema.String),
  /** The reason why the application is degraded. */
  reason: Schema.NullOr(Schema.String),
  desired: Schema.Struct({ commit: Schema.NullOr(Schema.String), updated_at: Schema.String }),
  serving: Schema.NullOr(
    Schema.Struct({
      release_uuid: Schema.String,
      deployment_uuid: Schema.String,
      commit: Schema.String,
      image: Schema.String,
      created_at: Schema.String
    })
  ),
  changed: Schema.Array(Schema.String),
  latest_deployment: Schema.NullOr(Deployment),
  containers: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      service: Schema.NullOr(Schema.String),
      deployment_uuid: Schema.String,
      image: Schema.String,
      state: Schema.String,
      health: Schema.NullOr(Schema.String),
      exit_code: Schema.NullOr(Schema.Number),
      restarts: Schema.Number,
      out_of_memory: Schema.Boolean,
      started_at: Schema.NullOr(Schema.String)
    })
  )
}).annotate({ identifier: "ApplicationStatus" })

const List = line(2_000)
const pullRequestNumber = whole(1, 2_147_483_647)
const DockerTag = fields.docker_registry_image_tag.schema
const wanted = {
  uuid: Schema.optionalKey(List),
  tag: Schema.optionalKey(List),
  force: Schema.optionalKey(QueryFlag),
  pr: Schema.optionalKey(pullRequestNumber),
  pull_request_id: Schema.optionalKey(pullRequestNumber),
  docker_tag: Schema.optionalKey(DockerTag)
}

/** The optional request body of a deployment request; the same parameters can be sent in the query. */
export const DeployBody = Schema.Struct({
  uuid: Schema.optionalKey(List),
  tag: Schema.optionalKey(List),
  force: Schema.optionalKey(Schema.Boolean),
  pr: Schema.optionalKey(PullRequestId),
  pull_request_id: Schema.optionalKey(PullRequestId),
  docker_tag: Schema.optionalKey(DockerTag)
}).annotate({ identifier: "DeployBody" })

const Deployed = Schema.Struct({
  deployments: Schema.Array(
    Schema.Struct({ message: Schema.String, resource_uuid: Schema.String, deployment_uuid: Schema.String })
  )
})

const uuid = { uuid: Schema.String }

/** The endpoints that run applications and report their status. */
export class RunsApi extends HttpApiGroup.make("runs")
  .add(
    HttpApiEndpoint.post("deploy", "/deploy", {
      query: wanted,
      payload: DeployBody,
      success: Deployed,
      error: [...bodyErrors, ConflictBody, DomainConflictsBody, NotFoundBody, TooManyRequestsBody]
    })
      .annotate(
        OpenApi.Summary,
        "Deploy applications by UUID or tag (comma-separated), or a pull request of one; `docker_tag` selects the image of a preview"
      )
      .pipe(optionalBody, access("deployment.create")),
    HttpApiEndpoint.get("deployByLink", "/deploy", {
      query: wanted,
      success: Deployed,
      error: [BadRequestBody, ConflictBody, DomainConflictsBody, NotFoundBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Deploy applications as with POST, for clients that only follow links")
      .pipe(access("deployment.create")),
    HttpApiEndpoint.post("start", "/applications/:uuid/start", {
      params: uuid,
      query: { force: Schema.optionalKey(QueryFlag) },
      success: Queued,
      error: [BadRequestBody, NotFoundBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Deploy an application")
      .pipe(access("application.deploy.request")),
    HttpApiEndpoint.post("stop", "/applications/:uuid/stop", {
      params: uuid,
      query: stopQuery,
      success: Queued,
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Stop an application; with docker_cleanup, also clean up its server")
      .pipe(access("application.deploy")),
    HttpApiEndpoint.post("restart", "/applications/:uuid/restart", {
      params: uuid,
      success: Queued,
      error: [NotFoundBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Run the release of an application in a new container")
      .pipe(access("application.deploy.request")),
    HttpApiEndpoint.post("rollback", "/applications/:uuid/rollback", {
      params: uuid,
      payload: Schema.Struct({ commit: line(255) }).annotate({ identifier: "Rollback" }),
      success: Queued,
      error: [...bodyErrors, NotFoundBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Roll back to a release, by its deployment, UUID, image or commit")
      .pipe(access("application.deploy.request")),
    HttpApiEndpoint.get("releases", "/applications/:uuid/rollback-images", {
      params: uuid,
      success: Schema.Struct({ current: Schema.NullOr(Schema.String), images: Schema.Array(Release) }),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the releases of an application")
      .pipe(access("application.read")),
    HttpApiEndpoint.get("status", "/applications/:uuid/status", {
      params: uuid,
      success: ApplicationStatus,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Read the desired state of an application, its serving release and its containers")
      .pipe(access("application.read")),
    HttpApiEndpoint.get("ofApplication", "/deployments/applications/:uuid", {
      params: uuid,
      query: { skip: Schema.optionalKey(count), take: Schema.optionalKey(whole(1, 100)) },
      success: Schema.Struct({ count: Schema.Number, deployments: Schema.Array(DeploymentWithLogs) }),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "List the deployments of an application, newest first")
      .pipe(access("application.deployment.list")),
    HttpApiEndpoint.post("cancel", "/deployments/:uuid/cancel", {
      params: uuid,
      success: Decided,
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Cancel a deployment")
      .pipe(access("deployment.cancel")),
    HttpApiEndpoint.post("approve", "/deployments/:uuid/approve", {
      params: uuid,
      success: Decided,
      error: [NotFoundBody, ConflictBody, TooManyRequestsBody]
    })
      .annotate(OpenApi.Summary, "Approve a deployment to a protected environment; it is queued then")
      .pipe(access("deployment.approve")),
    HttpApiEndpoint.post("reject", "/deployments/:uuid/reject", {
      params: uuid,
      success: Decided,
      error: [NotFoundBody, ConflictBody]
    })
      .annotate(OpenApi.Summary, "Reject a deployment to a protected environment")
      .pipe(access("deployment.reject")),
    HttpApiEndpoint.get("log", "/deployments/:uuid/logs", {
      params: uuid,
      query: { after: Schema.optionalKey(count), limit: Schema.optionalKey(whole(1, 1_000)) },
      success: Schema.Array(LogLine),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Read the log of a deployment after a given line")
      .pipe(access("deployment.read"))
  )
  .annotate(OpenApi.Description, "Deployments and their results.") {}
