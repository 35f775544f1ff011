import { Cleanups, Servers } from "@slipway/deploy/infrastructure"
import type { Cleanup, Server } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { coolifyCleanupFields } from "../../../api/deploy/base/coolifyFields.ts"
import { CleanupsApi } from "../../../api/deploy/infrastructure/cleanups.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"

class Api extends HttpApi.make("deploy").add(CleanupsApi).prefix("/api/v1") {}

const showSettings = ({ cleanupFrequency }: Server) => ({
  docker_cleanup_frequency: cleanupFrequency,
  ...coolifyCleanupFields
})

const show = ({ createdAt, finishedAt, message, status, updatedAt, uuid }: Cleanup) => ({
  uuid,
  status,
  message,
  finished_at: finishedAt,
  created_at: createdAt,
  updated_at: updatedAt
})

/** The handlers of cleanups of servers. */
export const layerCleanups = HttpApiBuilder.group(Api, "cleanups", (handlers) =>
  handlers.handleAll({
    settings: () => toHttpErrors(Effect.map(granted("server.read"), ({ resource }) => showSettings(resource.server))),
    updateSettings: ({ payload: { docker_cleanup_frequency: cleanupFrequency } }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("server.update")
          return showSettings(yield* Servers.update(proof, cleanupFrequency === undefined ? {} : { cleanupFrequency }))
        })
      ),
    run: () =>
      toHttpErrors(
        Effect.gen(function* () {
          yield* Cleanups.run(yield* granted("server.cleanup.run"))
          return { message: "The server is cleaned up." }
        })
      ),
    executions: () =>
      toHttpErrors(
        Effect.gen(function* () {
          return (yield* Cleanups.list(yield* granted("server.cleanup.list"))).map(show)
        })
      )
  })
)
