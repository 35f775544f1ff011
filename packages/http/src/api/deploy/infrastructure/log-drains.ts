import { lineThat } from "@slipway/domain/deploy/apps"
import { readSyslogAddress } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { sameFields } from "../base/coolifyFields.ts"
import { bodyErrors, NotFoundBody } from "../base/errors.ts"

const isUrl = (value: string): boolean => value === "" || (/^https?:\/\/[^\s@#\\]+$/.test(value) && URL.canParse(value))
const Url = lineThat(isUrl, "Must be an http(s) address without a user.", 2_048)
const SyslogUrl = lineThat(
  (value) => value === "" || readSyslogAddress(value) !== undefined,
  "Must be tcp://host:port, or tls://host:port for an encrypted connection.",
  300
)
const Dataset = lineThat((value) => /^[\w.-]*$/.test(value), "Must be the name of a dataset.", 128)
// Other characters cannot be part of a header.
const Key = lineThat((value) => /^[\x20-\x7e]*$/.test(value), "Must be printable ASCII characters.", 1_000)

/** The log drains of a server as returned by the API, without their keys. */
export const LogDrains = Schema.Struct({
  is_logdrain_newrelic_enabled: Schema.Boolean,
  logdrain_newrelic_base_uri: Schema.NullOr(Schema.String),
  is_logdrain_axiom_enabled: Schema.Boolean,
  logdrain_axiom_dataset_name: Schema.NullOr(Schema.String),
  is_logdrain_http_enabled: Schema.Boolean,
  logdrain_http_url: Schema.NullOr(Schema.String),
  is_logdrain_otlp_enabled: Schema.Boolean,
  logdrain_otlp_url: Schema.NullOr(Schema.String),
  is_logdrain_syslog_enabled: Schema.Boolean,
  logdrain_syslog_url: Schema.NullOr(Schema.String),
  ...sameFields.logDrains
}).annotate({ identifier: "LogDrains" })

/** The request body that changes the log drains of a server; an empty text removes a setting. */
export const LogDrainsChange = Schema.Struct({
  is_logdrain_newrelic_enabled: Schema.optionalKey(Schema.Boolean),
  logdrain_newrelic_license_key: Schema.optionalKey(Key),
  logdrain_newrelic_base_uri: Schema.optionalKey(Url),
  is_logdrain_axiom_enabled: Schema.optionalKey(Schema.Boolean),
  logdrain_axiom_dataset_name: Schema.optionalKey(Dataset),
  logdrain_axiom_api_key: Schema.optionalKey(Key),
  is_logdrain_http_enabled: Schema.optionalKey(Schema.Boolean),
  logdrain_http_url: Schema.optionalKey(Url),
  /** The value of the header `Authorization`. */
  logdrain_http_authorization: Schema.optionalKey(Key),
  is_logdrain_otlp_enabled: Schema.optionalKey(Schema.Boolean),
  logdrain_otlp_url: Schema.optionalKey(Url),
  /** The value of the header `Authorization`. */
  logdrain_otlp_authorization: Schema.optionalKey(Key),
  is_logdrain_syslog_enabled: Schema.optionalKey(Schema.Boolean),
  logdrain_syslog_url: Schema.optionalKey(SyslogUrl),
  is_logdrain_custom_enabled: Schema.optionalKey(sameFields.logDrains.is_logdrain_custom_enabled)
}).annotate({ identifier: "LogDrainsChange" })

const path = "/servers/:uuid/log-drains"
const params = { uuid: Schema.String }

/** The endpoints of log drains. */
export class LogDrainsApi extends HttpApiGroup.make("log-drains")
  .add(
    HttpApiEndpoint.get("get", path, { params, success: LogDrains, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read the log drains of a server, without their keys")
      .pipe(access("server.logDrain.read")),
    HttpApiEndpoint.patch("update", path, {
      params,
      payload: LogDrainsChange,
      success: LogDrains,
      error: [...bodyErrors, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "Change the log drains of a server")
      .pipe(access("server.update"))
  )
  .annotate(OpenApi.Description, "Receivers of the logs of all containers of a server.") {}
