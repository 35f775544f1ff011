import { explainAccess, explanationLines } from "@slipway/domain/forge"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ExplainApi } from "../../api/forge/explain.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"

class Api extends HttpApi.make("forge").add(ExplainApi).prefix("/api/v1") {}

/** The handler that says why. */
export const layerExplain = HttpApiBuilder.group(Api, "explain", (handlers) =>
  handlers.handleAll({
    explain: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const explained = yield* explainAccess(yield* granted("access.explain"), query)
          const { action, allowed, answer, by, steps, teams, user } = explained
          return {
            action,
            resource: query.resource,
            user: user === undefined ? null : { id: user.id, login: user.name },
            allowed,
            status: answer?.status ?? 200,
            message: answer?.message ?? "",
            rules: by,
            teams,
            path: steps.map(({ asks, because, passed, stage }) => ({ stage, asks, passed, because })),
            text: explanationLines(explained)
          }
        })
      )
  })
)
