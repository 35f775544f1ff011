import { deliveryStates, hookEventWords, hookTypes } from "@slipway/domain/forge/integrations"
import { Schema } from "effect"
import { create, done, edit, endpoints, list, read, remove } from "../base/endpoints.ts"
import { Moment, optionalNullable, text } from "../base/schemas.ts"

const instant = Schema.String.annotate({ format: "date-time" })
const texts = Schema.Record(Schema.String, Schema.String)

const EventWord = Schema.Literals(hookEventWords as readonly [(typeof hookEventWords)[number]])
const events = optionalNullable(Schema.Array(EventWord))

const setting = (description: string) => Schema.optionalKey(text(2_000).annotate({ description }))

const Config = Schema.Struct({
  url: setting("The address of the receiver; required on creation."),
  content_type: setting("`json` or `form`."),
  secret: setting("The key of the signature. It is never returned."),
  http_method: setting("`post`."),
  is_system_webhook: setting("`true` for a webhook of all repositories; only for webhooks of the site."),
  channel: setting("The channel of a chat service; required for Slack."),
  username: setting("The name of the sender in a chat service."),
  icon_url: setting("The icon of the sender in a chat service."),
  color: setting("The color of messages in a chat service."),
  branch_filter: setting("The same as `branch_filter` of the webhook, as `tea` sends it."),
  authorization_header: setting("The same as `authorization_header` of the webhook, as `tea` sends it.")
})

const authorization = optionalNullable(
  text(2_000).annotate({ description: "The `Authorization` header of deliveries. It is never returned." })
)

/** The request body that creates a webhook. */
export const CreateHookOption = Schema.Struct({
  type: Schema.Literals(hookTypes),
  config: Config,
  events,
  branch_filter: optionalNullable(text(255)),
  active: optionalNullable(Schema.Boolean),
  authorization_header: authorization
}).annotate({ identifier: "CreateHookOption" })

/** The request body that changes a webhook. */
export const EditHookOption = Schema.Struct({
  config: optionalNullable(Config),
  events,
  branch_filter: optionalNullable(text(255)),
  active: optionalNullable(Schema.Boolean),
  authorization_header: authorization
}).annotate({ identifier: "EditHookOption" })

/** A webhook as returned by the API, without its secrets and credentials. */
export const Hook = Schema.Struct({
  id: Schema.Int,
  type: Schema.Literals(hookTypes),
  config: texts,
  events: Schema.Array(Schema.String),
  branch_filter: Schema.String,
  active: Schema.Boolean,
  created_at: Moment,
  updated_at: Moment
}).annotate({ identifier: "Hook" })

const delivery = {
  id: Schema.Int,
  uuid: Schema.String,
  event: Schema.String,
  event_type: Schema.String,
  state: Schema.Literals(deliveryStates),
  attempts: Schema.Int,
  reason: Schema.String.annotate({ description: "The reason why it was not delivered." }),
  status: Schema.NullOr(Schema.Int).annotate({ description: "The response status of the receiver." }),
  created_at: instant,
  sent_at: Schema.NullOr(instant)
}

/** A webhook delivery as returned in lists, without request and response. */
export const HookDelivery = Schema.Struct(delivery).annotate({ identifier: "HookDelivery" })

/** A delivery with its request and response. */
export const HookDeliveryDetails = Schema.Struct({
  ...delivery,
  payload: Schema.String,
  request: Schema.NullOr(Schema.Struct({ method: Schema.String, url: Schema.String, headers: texts })),
  answer: Schema.NullOr(Schema.Struct({ status: Schema.Int, headers: texts, body: Schema.String }))
}).annotate({ identifier: "HookDeliveryDetails" })

const making = { body: CreateHookOption }
const changing = { body: EditHookOption }
const again = { status: 202 }

/** The endpoints of webhooks and their deliveries. */
export const hookEndpoints = endpoints("hooks", "Webhooks, which notify receivers of events.", {
  "repository.hook.list": list(Hook),
  "repository.hook.create": create(Hook, making),
  "repository.hook.read": read(Hook),
  "repository.hook.edit": edit(Hook, changing),
  "repository.hook.delete": remove(),
  "repository.hook.test": done({
    query: {
      ref: Schema.optionalKey(
        text(255).annotate({
          description: "The branch, tag or commit of the sent push; the default branch if omitted."
        })
      )
    }
  }),
  "repository.hook.delivery.list": list(HookDelivery),
  "repository.hook.delivery.read": read(HookDeliveryDetails),
  "repository.hook.delivery.redeliver": create(HookDelivery, again),
  "organization.hook.list": list(Hook),
  "organization.hook.create": create(Hook, making),
  "organization.hook.read": read(Hook),
  "organization.hook.edit": edit(Hook, changing),
  "organization.hook.delete": remove(),
  "organization.hook.delivery.list": list(HookDelivery),
  "organization.hook.delivery.read": read(HookDeliveryDetails),
  "organization.hook.delivery.redeliver": create(HookDelivery, again),
  "account.hook.list": list(Hook),
  "account.hook.create": create(Hook, making),
  "account.hook.read": read(Hook),
  "account.hook.edit": edit(Hook, changing),
  "account.hook.delete": remove(),
  "account.hook.delivery.list": list(HookDelivery),
  "account.hook.delivery.read": read(HookDeliveryDetails),
  "account.hook.delivery.redeliver": create(HookDelivery, again),
  "admin.hook.list": list(Hook),
  "admin.hook.create": create(Hook, making),
  "admin.hook.read": read(Hook),
  "admin.hook.edit": edit(Hook, changing),
  "admin.hook.delete": remove(),
  "admin.hook.delivery.list": list(HookDelivery),
  "admin.hook.delivery.read": read(HookDeliveryDetails),
  "admin.hook.delivery.redeliver": create(HookDelivery, again)
})
