import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { Api, storeNames, withApi } from "../support/api.ts"

const unset = {
  is_logdrain_newrelic_enabled: false,
  logdrain_newrelic_base_uri: "https://log-api.newrelic.com/log/v1",
  is_logdrain_axiom_enabled: false,
  logdrain_axiom_dataset_name: null,
  is_logdrain_http_enabled: false,
  logdrain_http_url: null,
  is_logdrain_otlp_enabled: false,
  logdrain_otlp_url: null,
  is_logdrain_syslog_enabled: false,
  logdrain_syslog_url: null,
  is_logdrain_custom_enabled: false
}

for (const store of storeNames) {
  withApi(store)(`log drains over ${store}`, (it) => {
    it.effect("are set for a server, without showing or storing a readable key (I15)", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const path = `/servers/${service.server}/log-drains`
        expect(yield* service.ask(200, "GET", path)).toEqual(unset)
        const axiom = { is_logdrain_axiom_enabled: true, logdrain_axiom_dataset_name: "logs" }
        const changed = { ...unset, ...axiom, logdrain_otlp_url: "https://otel.example/v1/logs" }
        expect(
          yield* service.ask(200, "PATCH", path, {
            ...axiom,
            logdrain_axiom_api_key: "the-axiom-key",
            logdrain_otlp_url: "https://otel.example/v1/logs"
          })
        ).toEqual(changed)
        expect(JSON.stringify(yield* service.dump)).not.toContain("the-axiom-key")
        // Another receiver keeps the settings of this one.
        const syslog = { is_logdrain_syslog_enabled: true, logdrain_syslog_url: "tls://logs.example:6514" }
        expect(yield* service.ask(200, "PATCH", path, syslog)).toEqual({ ...changed, ...syslog })
        expect(yield* service.ask(200, "GET", path)).toEqual({ ...changed, ...syslog })
      })
    )

    it.effect("need the secret again for another address, if the token cannot read secrets", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { uuid } = yield* service.ask(201, "POST", "/servers", { name: "moved", ip: "10.2.2.3" })
        const path = `/servers/${uuid}/log-drains`
        yield* service.ask(200, "PATCH", path, {
          logdrain_newrelic_license_key: "key",
          logdrain_http_url: "https://logs.example",
          logdrain_http_authorization: "Bearer key",
          logdrain_otlp_url: "https://otel.example",
          logdrain_otlp_authorization: "Bearer key"
        })
        const before = yield* service.ask(200, "GET", path)
        const { text: token } = yield* service.mint("read", "write")
        const sentence = "Must be sent again with another address, unless the token has `read:sensitive` or `root`."
        const evil = "https://evil.example"
        for (const [field, secret] of [
          ["logdrain_newrelic_base_uri", "logdrain_newrelic_license_key"],
          ["logdrain_http_url", "logdrain_http_authorization"],
          ["logdrain_otlp_url", "logdrain_otlp_authorization"]
        ] as const) {
          const refused = yield* service.ask(400, "PATCH", path, { [field]: evil }, { token })
          expect(refused.errors).toEqual({ [secret]: [sentence] })
          expect(yield* service.ask(200, "GET", path)).toEqual(before)
        }
        const own = { logdrain_http_url: evil, logdrain_http_authorization: "mine" }
        yield* service.ask(200, "PATCH", path, own, { token })
        yield* service.ask(200, "PATCH", path, { logdrain_otlp_authorization: "" }, { token })
        yield* service.ask(200, "PATCH", path, { logdrain_otlp_url: evil }, { token })
        const { text: reader } = yield* service.mint("read:sensitive", "write")
        yield* service.ask(200, "PATCH", path, { logdrain_http_url: "https://other.example" }, { token: reader })
      })
    )

    it.effect("are refused without a setting they need, and with an invalid address", () =>
      Effect.gen(function* () {
        const { service } = yield* Api
        const { uuid } = yield* service.ask(201, "POST", "/servers", { name: "drained", ip: "10.2.2.2" })
        const path = `/servers/${uuid}/log-drains`
        for (const [body, field] of [
          [{ is_logdrain_newrelic_enabled: true }, "logdrain_newrelic_license_key"],
          [{ is_logdrain_axiom_enabled: true, logdrain_axiom_api_key: "key" }, "logdrain_axiom_dataset_name"],
          [{ is_logdrain_axiom_enabled: true, logdrain_axiom_dataset_name: "logs" }, "logdrain_axiom_api_key"],
          [{ is_logdrain_http_enabled: true }, "logdrain_http_url"],
          [{ is_logdrain_otlp_enabled: true }, "logdrain_otlp_url"],
          [{ is_logdrain_syslog_enabled: true }, "logdrain_syslog_url"],
          [{ logdrain_syslog_url: "udp://logs.example" }, "logdrain_syslog_url"],
          [{ logdrain_http_url: "https://user@logs.example" }, "logdrain_http_url"],
          [{ is_logdrain_custom_enabled: true }, "is_logdrain_custom_enabled"]
        ] as const) {
          const refused = yield* service.ask(400, "PATCH", path, body)
          expect(Object.keys(refused.errors)).toEqual([field])
        }
        expect(yield* service.ask(200, "GET", path)).toEqual(unset)
      })
    )
  })
}
