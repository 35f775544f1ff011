import { Notifications } from "@slipway/deploy/infrastructure"
import type { ChannelValues, NotificationChannel } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { NotificationsApi } from "../../../api/deploy/infrastructure/notifications.ts"
import { toHttpErrors } from "../base/errors.ts"
import { granted } from "../base/guard.ts"
import { secretsOf } from "../base/secrets.ts"

class Api extends HttpApi.make("deploy").add(NotificationsApi).prefix("/api/v1") {}

const show = (proof: Parameters<typeof Notifications.teamOfCaller>[0], values: ChannelValues): ChannelValues => ({
  team_id: Notifications.teamOfCaller(proof),
  ...values
})

const read = (channel: NotificationChannel) => () =>
  Effect.gen(function* () {
    const proof = yield* granted("notification.read")
    return show(proof, yield* Notifications.read(proof, channel, yield* secretsOf(proof.resource.caller)))
  })

const update =
  (channel: NotificationChannel) =>
  ({ payload }: { readonly payload: ChannelValues }) =>
    toHttpErrors(
      Effect.gen(function* () {
        const proof = yield* granted("notification.update")
        const secrets = yield* secretsOf(proof.resource.caller)
        return show(proof, yield* Notifications.update(proof, channel, payload, secrets))
      })
    )

const test = (channel: NotificationChannel) => () =>
  toHttpErrors(
    Effect.gen(function* () {
      yield* Notifications.test(yield* granted("notification.test"), channel)
      return { message: "Test notification sent." }
    })
  )

/** The handlers of notifications. */
export const layerNotifications = HttpApiBuilder.group(Api, "notifications", (handlers) =>
  handlers.handleAll({
    "read-email": read("email"),
    "update-email": update("email"),
    "test-email": test("email"),
    "read-webhook": read("webhook"),
    "update-webhook": update("webhook"),
    "test-webhook": test("webhook"),
    "read-discord": read("discord"),
    "update-discord": update("discord"),
    "test-discord": test("discord"),
    "read-slack": read("slack"),
    "update-slack": update("slack"),
    "test-slack": test("slack"),
    "read-telegram": read("telegram"),
    "update-telegram": update("telegram"),
    "test-telegram": test("telegram"),
    "read-pushover": read("pushover"),
    "update-pushover": update("pushover"),
    "test-pushover": test("pushover")
  })
)
