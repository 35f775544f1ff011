import { InstanceSettings } from "@slipway/deploy/administration"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { SettingsApi } from "../../../api/deploy/administration/settings.ts"
import { ProgramVersion } from "../../version.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { showSettings } from "../base/show.ts"
import { versionOf } from "../base/versions.ts"

class Api extends HttpApi.make("deploy").add(SettingsApi).prefix("/api/v1") {}

/** The handlers for the endpoints of the instance settings. */
export const layerSettings = HttpApiBuilder.group(Api, "settings", (handlers) =>
  handlers.handleAll({
    get: () =>
      Effect.gen(function* () {
        const proof = yield* granted("settings.read")
        return showSettings(yield* InstanceSettings.get(proof))
      }),
    update: ({ payload }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("settings.update")
          const input = { instanceDomains: payload.instance_domains }
          const override = payload.force_domain_override ?? false
          return showSettings(yield* InstanceSettings.update(proof, input, override))
        })
      ),
    enable: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* InstanceSettings.switchApi(yield* granted("api.enable"))
          return { message: "API enabled." }
        })
      ),
    disable: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* InstanceSettings.switchApi(yield* granted("api.disable"))
          return { message: "API disabled." }
        })
      ),
    enableMcp: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* InstanceSettings.switchMcp(yield* granted("mcp.enable"))
          return { message: "MCP server enabled." }
        })
      ),
    disableMcp: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* InstanceSettings.switchMcp(yield* granted("mcp.disable"))
          return { message: "MCP server disabled." }
        })
      ),
    version: () =>
      Effect.gen(function* () {
        yield* granted("version.read")
        return versionOf(yield* ProgramVersion)
      })
  })
)
