import { Webhooks } from "@slipway/deploy/apps"
import { type Delivery, ignoredBecause } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { WebhooksApi } from "../../../api/deploy/apps/webhooks.ts"
import { SignatureProof } from "../../../api/deploy/base/access.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { showDelivery } from "../base/show.ts"

class Api extends HttpApi.make("deploy").add(WebhooksApi).prefix("/api/v1") {}

const messageOf = ({ outcome, reason }: Delivery): string => {
  if (reason !== null) return `Ignored: it ${ignoredBecause[reason]}.`
  return outcome === "removed" ? "Preview deletion request queued." : "Deployment request queued."
}

/** The handlers of webhooks. */
export const layerWebhooks = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  handlers.handleAll({
    receive: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const delivery = yield* Webhooks.receive(yield* SignatureProof)
          return {
            message: messageOf(delivery),
            delivery_uuid: delivery.uuid as string,
            outcome: delivery.outcome,
            reason: delivery.reason,
            deployment_uuid: delivery.deploymentUuid as string | null
          }
        })
      ),
    list: ({ query }) =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("delivery.list")
          const rows = yield* Webhooks.ofApplication(proof, query.skip ?? 0, query.take ?? 10)
          return rows.map(showDelivery)
        })
      ),
    get: () =>
      toHttpErrors(
        Effect.gen(function* () {
          const proof = yield* granted("delivery.read")
          return showDelivery(proof.resource.delivery)
        })
      )
  })
)
