import { Deletions, Deployments } from "@slipway/deploy/apps"
import type { Deployment } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { DeploymentsApi } from "../../../api/deploy/apps/deployments.ts"
import { answerList } from "../../lists.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { numbersIn, showDeletion, showDeployment, showDeploymentWithLogs } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(DeploymentsApi).prefix("/api/v1") {}

/** The handlers of deployments and deletions. */
export const layerDeployments = HttpApiBuilder.group(Api, "deployments", (handlers) =>
  handlers.handleAll({
    list: ({ query: { selection, ...query } }) =>
      Effect.gen(function* () {
        const proof = yield* granted("deployment.list")
        const shown = Effect.fnUntraced(function* (found: ReadonlyArray<Deployment>) {
          const rows = yield* Deployments.withReasons(proof, found)
          const numberOf = yield* numbersIn(rows)
          return rows.map((row) => showDeployment(row, numberOf))
        })
        return yield* answerList(query, {
          page: (request) => Deployments.list(proof, request, selection),
          all: Deployments.stream(proof, selection),
          show: shown
        })
      }),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("deployment.read")
          const { deployment: found } = proof.resource
          const [deployment = found] = yield* Deployments.withReasons(proof, [found])
          const tails = yield* Deployments.tails(proof, [deployment])
          return showDeploymentWithLogs(deployment, yield* numbersIn([deployment]), tails.get(deployment.uuid) ?? [])
        })
      ),
    listDeletions: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("deletion.list")
        return yield* answerList(query, {
          page: (request) => Deletions.list(proof, request),
          all: Deletions.stream(proof),
          show: (deletions) => Effect.succeed(deletions.map(showDeletion))
        })
      }),
    getDeletion: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("deletion.read")
          return showDeletion(proof.resource.deletion)
        })
      )
  })
)
