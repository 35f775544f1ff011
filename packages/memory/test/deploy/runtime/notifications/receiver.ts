import { type HookRequest, HookSender, HookUnsent, timeOf } from "@slipway/domain"
import { rootTeam } from "@slipway/domain/deploy/identity"
import { eventSetting, notificationEventNames, TeamNotificationStore } from "@slipway/domain/deploy/infrastructure"
import { Clock, Context, Effect, Layer } from "effect"

/** A received request, and the seconds since the start of the test clock. */
export interface Received {
  readonly url: string
  readonly at: number
  // BOUNDARY: assertions state the expected document.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly document: any
}

/** The receiver of all notifications: its requests, and how it responds. */
export class Receiver extends Context.Service<
  Receiver,
  {
    readonly received: Array<Received>
    /** All received bodies, also those of requests that the receiver did not accept. */
    readonly seen: Array<string>
    /** The answer to the next requests: a status, no response, or an unreachable receiver. */
    answer: number | "silent" | "unreachable"
  }
>()("@slipway/memory/test/Receiver") {}

const receiver = Layer.sync(Receiver, () => ({ received: [], seen: [], answer: 200 }))

const sender = Layer.effect(
  HookSender,
  Effect.map(Receiver, (state) => ({
    send: ({ body, url }: HookRequest) =>
      Effect.gen(function* () {
        state.seen.push(body)
        const { answer } = state
        if (answer === "silent") return yield* Effect.never
        if (answer === "unreachable") return yield* new HookUnsent({ because: "no route to host", refused: false })
        if (answer < 300) {
          const at = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
          state.received.push({ url, at, document: JSON.parse(body) })
        }
        return { status: answer, headers: {}, body: "" }
      })
  }))
)

/** A receiver of notifications, in place of the network. */
export const receiving = Layer.provideMerge(sender, receiver)

/** Enables the webhook channel for all events, or those of a list. */
export const enableWebhook = Effect.fnUntraced(function* (
  events: ReadonlyArray<(typeof notificationEventNames)[number]> = notificationEventNames
) {
  const values = Object.fromEntries(
    notificationEventNames.map((event) => [eventSetting(event, "webhook"), events.includes(event)])
  )
  yield* (yield* TeamNotificationStore).write({
    teamId: rootTeam,
    channel: "webhook",
    values: { webhook_enabled: true, ...values },
    secrets: {},
    updatedAt: timeOf(0)
  })
})
