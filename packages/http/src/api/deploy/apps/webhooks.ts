import { DeliveryOutcome, IgnoredReason, Provider } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, signedEndpoint } from "../base/access.ts"
import { BadRequestBody, ConflictBody, NotFoundBody } from "../base/errors.ts"
import { count, whole } from "../base/schemas.ts"

/** A delivery of a webhook as returned by the API. */
export const Delivery = Schema.Struct({
  uuid: Schema.String,
  application_uuid: Schema.String,
  provider: Provider,
  event: Schema.NullOr(Schema.String),
  delivery_id: Schema.NullOr(Schema.String),
  branch: Schema.NullOr(Schema.String),
  commit: Schema.NullOr(Schema.String),
  author: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  outcome: DeliveryOutcome,
  reason: Schema.NullOr(IgnoredReason),
  deployment_uuid: Schema.NullOr(Schema.String),
  replays: Schema.Number,
  replayed_at: Schema.NullOr(Schema.String),
  received_at: Schema.String
}).annotate({ identifier: "WebhookDelivery" })

const uuid = { uuid: Schema.String }

/** The endpoints of webhooks and their results. */
export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("receive", "/applications/:uuid/webhooks/:provider", {
      params: { ...uuid, provider: Provider },
      success: Schema.Struct({
        message: Schema.String,
        delivery_uuid: Schema.String,
        outcome: DeliveryOutcome,
        reason: Schema.NullOr(IgnoredReason),
        deployment_uuid: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "WebhookReceipt" }),
      error: ConflictBody
    })
      .annotate(OpenApi.Summary, "Receive a webhook, signed with the application's secret for its provider")
      .pipe(signedEndpoint),
    HttpApiEndpoint.get("list", "/applications/:uuid/webhook-deliveries", {
      params: uuid,
      query: { skip: Schema.optionalKey(count), take: Schema.optionalKey(whole(1, 100)) },
      success: Schema.Array(Delivery),
      error: [BadRequestBody, NotFoundBody]
    })
      .annotate(OpenApi.Summary, "List the received webhooks of an application, newest first")
      .pipe(access("delivery.list")),
    HttpApiEndpoint.get("get", "/webhook-deliveries/:uuid", { params: uuid, success: Delivery, error: NotFoundBody })
      .annotate(OpenApi.Summary, "Read a received webhook and its outcome")
      .pipe(access("delivery.read"))
  )
  .annotate(OpenApi.Description, "Webhooks: pushes that deploy, and their outcomes.") {}
