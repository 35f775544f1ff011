import { explainAccess, explanationLines } from "@slipway/domain/forge"
import { Effect } from "effect"
import { explainEndpoints } from "../../api/forge/explain.ts"
import { handle } from "./handle.ts"

/** The handler that says why. */
export const layerExplain = handle(explainEndpoints, {
  "access.explain": ({ proof, query }) =>
    Effect.map(explainAccess(proof, query), (explained) => {
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
})
