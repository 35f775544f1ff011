import { line } from "@slipway/domain/deploy"
import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "./access.ts"
import { Deployment } from "./deployments.ts"
import { BadRequestBody, bodyErrors, NotFoundBody } from "./errors.ts"
import { QueryFlag } from "./schemas.ts"

/** The answer of what queued a deployment. */
export const Queued = Schema.Struct({ message: Schema.String, deployment_uuid: Schema.String }).annotate({
  identifier: "QueuedDeployment"
})

/** A release of an application, which a rollback can name. */
export const Release = Schema.Struct({
  tag: Schema.String.annotate({ description: "The deployment that made it." }),
  commit: Schema.String,
  image: Schema.String,
  created_at: Schema.String,
  is_current: Schema.Boolean
}).annotate({ identifier: "Release" })

/** A line of the log of a deployment. */
export const DeploymentLine = Schema.Struct({
  id: Schema.Int,
  at: Schema.String,
  stream: Schema.Literals(["stdout", "stderr"]),
  text: Schema.String
}).annotate({ identifier: "DeploymentLine" })

const whole = (least: number, most: number) =>
  Schema.String.check(
    Schema.makeFilter((value: string) =>
      /^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most
        ? undefined
        : `Must be a whole number from ${least} to ${most}.`
    )
  ).pipe(
    Schema.decodeTo(Schema.Number, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) })
  )

const uuid = { uuid: Schema.String }
const queued = { params: uuid, success: Queued, error: NotFoundBody }

/** The endpoints by which applications are deployed, stopped and brought back. */
export class LifecycleApi extends HttpApiGroup.make("lifecycle")
  .add(
    HttpApiEndpoint.post("deploy", "/deploy", {
      query: {
        uuid: Schema.optionalKey(line(10_000)),
        tag: Schema.optionalKey(line(100)),
        force: Schema.optionalKey(QueryFlag)
      },
      success: Schema.Struct({
        deployments: Schema.Array(
          Schema.Struct({ message: Schema.String, resource_uuid: Schema.String, deployment_uuid: Schema.String })
        )
      }),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Deploy applications by their uuids, with commas between them, or by a tag")
      .pipe(access("application.deploy")),
    HttpApiEndpoint.post("start", "/applications/:uuid/start", {
      ...queued,
      query: { force: Schema.optionalKey(QueryFlag) },
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Deploy an application as it is now")
      .pipe(access("application.deploy")),
    HttpApiEndpoint.post("restart", "/applications/:uuid/restart", queued)
      .annotate(OpenApi.Summary, "Run the release that serves in new containers")
      .pipe(access("application.deploy")),
    HttpApiEndpoint.post("stop", "/applications/:uuid/stop", queued)
      .annotate(OpenApi.Summary, "Stop an application; its domains say that nothing runs")
      .pipe(access("application.deploy")),
    HttpApiEndpoint.get("releases", "/applications/:uuid/rollback-images", {
      params: uuid,
      success: Schema.Struct({ current: Schema.NullOr(Schema.String), images: Schema.Array(Release) }),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the releases of an application, newest first")
      .pipe(access("application.read")),
    HttpApiEndpoint.post("rollback", "/applications/:uuid/rollback", {
      params: uuid,
      payload: Schema.Struct({ commit: line(255) }).annotate({ identifier: "RollbackBody" }),
      success: Queued,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Run a release that was there before: image, configuration and variables")
      .pipe(access("application.deploy")),
    HttpApiEndpoint.post("cancel", "/deployments/:uuid/cancel", {
      params: uuid,
      success: Schema.Struct({ message: Schema.String, deployment_uuid: Schema.String, status: Schema.String }),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "Cancel a deployment")
      .pipe(access("application.deploy")),
    HttpApiEndpoint.get("ofApplication", "/deployments/applications/:uuid", {
      params: uuid,
      query: {
        skip: Schema.optionalKey(whole(0, 1_000_000)),
        take: Schema.optionalKey(whole(1, 100))
      },
      success: Schema.Array(Deployment),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "List the deployments of an application, newest first")
      .pipe(access("deployment.list")),
    HttpApiEndpoint.get("log", "/deployments/:uuid/logs", {
      params: uuid,
      query: {
        after: Schema.optionalKey(whole(0, 1_000_000_000)),
        limit: Schema.optionalKey(whole(1, 1_000))
      },
      success: Schema.Array(DeploymentLine),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Read the log of a deployment, after a line")
      .pipe(access("deployment.read"))
  )
  .annotate(OpenApi.Description, "Deploying, stopping and bringing back applications.") {}
