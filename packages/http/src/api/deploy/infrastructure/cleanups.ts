import { Frequency } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, optionalBody } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { bodyErrors, NotFoundBody } from "../base/errors.ts"
import { Message } from "../base/schemas.ts"

/** The cleanup settings of a server as returned by the API. */
export const CleanupSettings = Schema.Struct({
  docker_cleanup_frequency: Schema.String,
  ...sameFields.cleanup
}).annotate({ identifier: "CleanupSettings" })

const { delete_unused_networks, delete_unused_volumes } = sameFields.cleanup
const besides = {
  delete_unused_networks: Schema.optionalKey(delete_unused_networks),
  delete_unused_volumes: Schema.optionalKey(delete_unused_volumes)
}

/** The request body that changes the cleanup settings of a server. */
export const CleanupSettingsChange = Schema.Struct({
  docker_cleanup_frequency: Schema.optionalKey(Frequency),
  docker_cleanup_threshold: Schema.optionalKey(sameFields.cleanup.docker_cleanup_threshold),
  force_docker_cleanup: Schema.optionalKey(sameFields.cleanup.force_docker_cleanup),
  disable_application_image_retention: Schema.optionalKey(sameFields.cleanup.disable_application_image_retention),
  ...besides
}).annotate({ identifier: "CleanupSettingsChange" })

/** The result of a cleanup of a server's unused Docker data. */
export const Cleanup = Schema.Struct({
  uuid: Schema.String,
  status: Schema.Literals(["queued", "running", "success", "failed"]),
  message: Schema.NullOr(Schema.String),
  finished_at: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "Cleanup" })

const params = { uuid: Schema.String }
const path = "/servers/:uuid/docker-cleanup"

/** The endpoints of cleanups of servers. */
export class CleanupsApi extends HttpApiGroup.make("cleanups")
  .add(
    HttpApiEndpoint.get("settings", path, { params, success: CleanupSettings, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read the cleanup schedule of a server")
      .pipe(access("server.read")),
    HttpApiEndpoint.patch("updateSettings", path, {
      params,
      payload: CleanupSettingsChange,
      success: CleanupSettings,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change the cleanup schedule of a server")
      .pipe(access("server.update")),
    HttpApiEndpoint.post("run", `${path}/run`, {
      params,
      payload: Schema.Struct(besides).annotate({ identifier: "CleanupRun" }),
      success: Message,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Clean a server up immediately")
      .pipe(optionalBody, access("server.cleanup.run")),
    HttpApiEndpoint.get("executions", `${path}/executions`, {
      params,
      success: Schema.Array(Cleanup),
      error: NotFoundBody
    })
      .annotate(OpenApi.Summary, "List the cleanups of a server, newest first")
      .pipe(access("server.cleanup.list"))
  )
  .annotate(OpenApi.Description, "Cleanups of unused resources on servers.") {}
