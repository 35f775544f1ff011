import { LogDrains } from "@slipway/deploy/infrastructure"
import { axiomUrl, type LogDrainType, type Server, usualNewrelicUrl } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { coolifyLogDrainFields } from "../../../api/deploy/base/coolifyFields.ts"
import { LogDrainsApi, type LogDrainsChange } from "../../../api/deploy/infrastructure/log-drains.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { secretsOf } from "../base/secrets.ts"

class Api extends HttpApi.make("deploy").add(LogDrainsApi).prefix("/api/v1") {}

/** The default URLs of the log receivers that have one. */
const defaults = { axiom: axiomUrl, newrelic: usualNewrelicUrl } as const

/** The names of the request fields with URL, dataset and secret of each log receiver; `""` for none. */
const fields = {
  newrelic: { url: "logdrain_newrelic_base_uri", dataset: "", secret: "logdrain_newrelic_license_key" },
  axiom: { url: "", dataset: "logdrain_axiom_dataset_name", secret: "logdrain_axiom_api_key" },
  http: { url: "logdrain_http_url", dataset: "", secret: "logdrain_http_authorization" },
  otlp: { url: "logdrain_otlp_url", dataset: "", secret: "logdrain_otlp_authorization" },
  syslog: { url: "logdrain_syslog_url", dataset: "", secret: "" }
} as const satisfies Readonly<Record<LogDrainType, Readonly<Record<"dataset" | "secret" | "url", string>>>>

const shownText = (text: string): string | null => (text === "" ? null : text)

const show = (server: Server) => {
  const of = (type: LogDrainType) => LogDrains.drainOf(server, type, defaults)
  return {
    is_logdrain_newrelic_enabled: of("newrelic").isEnabled,
    logdrain_newrelic_base_uri: shownText(of("newrelic").url),
    is_logdrain_axiom_enabled: of("axiom").isEnabled,
    logdrain_axiom_dataset_name: shownText(of("axiom").dataset),
    is_logdrain_http_enabled: of("http").isEnabled,
    logdrain_http_url: shownText(of("http").url),
    is_logdrain_otlp_enabled: of("otlp").isEnabled,
    logdrain_otlp_url: shownText(of("otlp").url),
    is_logdrain_syslog_enabled: of("syslog").isEnabled,
    logdrain_syslog_url: shownText(of("syslog").url),
    ...coolifyLogDrainFields
  }
}

const secretIn = (text: string | undefined) =>
  text === undefined ? undefined : text === "" ? null : Redacted.make(text)

const inputsOf = (body: typeof LogDrainsChange.Type): LogDrains.LogDrainInputs => ({
  newrelic: {
    isEnabled: body.is_logdrain_newrelic_enabled,
    url: body.logdrain_newrelic_base_uri === "" ? usualNewrelicUrl : body.logdrain_newrelic_base_uri,
    secret: secretIn(body.logdrain_newrelic_license_key)
  },
  axiom: {
    isEnabled: body.is_logdrain_axiom_enabled,
    dataset: body.logdrain_axiom_dataset_name,
    secret: secretIn(body.logdrain_axiom_api_key)
  },
  http: {
    isEnabled: body.is_logdrain_http_enabled,
    url: body.logdrain_http_url,
    secret: secretIn(body.logdrain_http_authorization)
  },
  otlp: {
    isEnabled: body.is_logdrain_otlp_enabled,
    url: body.logdrain_otlp_url,
    secret: secretIn(body.logdrain_otlp_authorization)
  },
  syslog: { isEnabled: body.is_logdrain_syslog_enabled, url: body.logdrain_syslog_url }
})

/** The handlers of log drains. */
export const layerLogDrains = HttpApiBuilder.group(Api, "log-drains", (handlers) =>
  handlers.handleAll({
    get: () => toHttpErrors(Effect.map(granted("server.logDrain.read"), ({ resource }) => show(resource.server))),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.update")
          return show(
            yield* LogDrains.update(
              proof,
              inputsOf(payload),
              defaults,
              (type, setting) => fields[type][setting],
              yield* secretsOf(proof.resource.caller)
            )
          )
        })
      )
  })
)
