import { Deletions, type Deployment, Deployments } from "@slipway/domain/deploy"
import { Effect, Stream } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { DeploymentsApi } from "../../api/deploy/deployments.ts"
import { answerList } from "../lists.ts"
import { toHttpErrors } from "./errors.ts"
import { granted } from "./guard.ts"
import { numbersIn, showDeletion, showDeployment, showDeploymentWithLogs } from "./show.ts"

class Api extends HttpApi.make("deploy").add(DeploymentsApi).prefix("/api/v1") {}

type ShownDeployment = ReturnType<typeof showDeployment>

/** The handlers of durable work. */
export const layerDeployments = HttpApiBuilder.group(Api, "deployments", (handlers) =>
  handlers.handleAll({
    list: ({ query }) =>
      Effect.gen(function* () {
        const proof = yield* granted("deployment.list")
        const shown = Effect.fnUntraced(function* (found: ReadonlyArray<Deployment>) {
          const rows = yield* Deployments.withReasons(proof, found)
          const numberOf = yield* numbersIn(rows)
          return rows.map((row) => showDeployment(row, numberOf))
        })
        return yield* answerList(query, {
          page: (request) =>
            Effect.flatMap(Deployments.list(proof, request), ({ rows, total }) =>
              Effect.map(shown(rows), (told) => ({ rows: told, total }))
            ),
          all: Stream.mapArrayEffect(Deployments.stream(proof), (rows) =>
            Effect.map(shown(rows), (told) => told as unknown as NonEmptyReadonlyArray<ShownDeployment>)
          ),
          show: Effect.succeed
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
          show: (deletion) => Effect.succeed(showDeletion(deletion))
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
