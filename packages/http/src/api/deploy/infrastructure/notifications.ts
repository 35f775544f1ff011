import { type ChannelValues, channelRow, type NotificationChannel } from "@slipway/domain/deploy/infrastructure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../base/access.ts"
import { BadGatewayBody, BadRequestBody, bodyErrors } from "../base/errors.ts"
import { Message } from "../base/schemas.ts"

const capitalized = (channel: NotificationChannel) => `${channel.charAt(0).toUpperCase()}${channel.slice(1)}`

const nameOf = (channel: NotificationChannel) => `${capitalized(channel)}NotificationSettings`

/** Returns the name of a notification channel for use in a sentence, such as `email` or `Slack`. */
const worded = (channel: NotificationChannel) =>
  channel === "email" || channel === "webhook" ? channel : capitalized(channel)

const fieldsOf = (channel: NotificationChannel) => Object.entries(channelRow(channel).fields)

/** Returns the response schema of a channel's settings; secrets are null for callers without permission to see them. */
const shown = (channel: NotificationChannel) =>
  Schema.Struct({
    team_id: Schema.Int,
    ...Object.fromEntries(fieldsOf(channel).map(([name, { schema }]) => [name, Schema.toType(schema as Schema.Top)]))
  }).annotate({ identifier: nameOf(channel) }) as unknown as Schema.Codec<ChannelValues>

/** Returns the schema of the request body that changes a channel's settings; null resets a setting. */
const change = (channel: NotificationChannel) =>
  Schema.Struct(
    Object.fromEntries(
      fieldsOf(channel).map(([name, { schema, unset }]) => {
        const described = unset === null ? schema : (schema as Schema.Top).annotate({ default: unset })
        return [name, Schema.optionalKey(described as Schema.Top)]
      })
    )
  ).annotate({ identifier: `${nameOf(channel)}Change` }) as unknown as Schema.Codec<ChannelValues>

const read = <const Channel extends NotificationChannel>(channel: Channel) =>
  HttpApiEndpoint.get(`read-${channel}`, `/notifications/${channel}`, { success: shown(channel) })
    .annotate(OpenApi.Summary, `Read the settings of notifications by ${worded(channel)}`)
    .pipe(access("notification.read"))

const update = <const Channel extends NotificationChannel>(channel: Channel) =>
  HttpApiEndpoint.patch(`update-${channel}`, `/notifications/${channel}`, {
    payload: change(channel),
    success: shown(channel),
    error: bodyErrors
  })
    .annotate(OpenApi.Summary, `Change the settings of notifications by ${worded(channel)}`)
    .pipe(access("notification.update"))

const test = <const Channel extends NotificationChannel>(channel: Channel) =>
  HttpApiEndpoint.post(`test-${channel}`, `/notifications/${channel}/test`, {
    success: Message,
    error: [BadGatewayBody, BadRequestBody]
  })
    .annotate(OpenApi.Summary, `Send a test notification by ${worded(channel)}, and wait for the result`)
    .pipe(access("notification.test"))

/** The endpoints of notifications. */
export class NotificationsApi extends HttpApiGroup.make("notifications")
  .add(
    read("email"),
    update("email"),
    test("email"),
    read("webhook"),
    update("webhook"),
    test("webhook"),
    read("discord"),
    update("discord"),
    test("discord"),
    read("slack"),
    update("slack"),
    test("slack"),
    read("telegram"),
    update("telegram"),
    test("telegram"),
    read("pushover"),
    update("pushover"),
    test("pushover")
  )
  .annotate(OpenApi.Description, "Notifications of the team, by channel.") {}
